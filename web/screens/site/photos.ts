import type { PhotoCategory } from '#domain/site.ts'
import type { Photo, PhotoCategories } from '../../data/state.ts'

/**
 * A photo in the form: stored, ready for upload, or being prepared. Plain data, so that drafts can contain it; its
 * upload state is in `PhotoProgress`.
 */
export type PhotoItem = StoredPhoto | NewPhoto | BusyPhoto

/** Updates the photos from their current value. */
export type ChangePhotos = (change: (now: readonly PhotoItem[]) => readonly PhotoItem[]) => void

interface StoredPhoto {
  readonly kind: 'stored'
  readonly key: string
  readonly photo: Photo
  /** The category chosen in the form. */
  readonly category: PhotoCategory | ''
  /** Deleted when the form is saved. */
  readonly removed: boolean
}

interface NewPhoto {
  readonly kind: 'new'
  readonly key: string
  readonly file: File
  readonly category: PhotoCategory | ''
  /** Not sent when the form is saved. */
  readonly removed: boolean
}

interface BusyPhoto {
  readonly kind: 'busy'
  readonly key: string
  readonly name: string
}

export const storedItems = (photos: readonly Photo[]): PhotoItem[] =>
  photos.map((photo) => ({
    kind: 'stored',
    key: photo.name,
    photo,
    category: photo.category,
    removed: false,
  }))

export const newItem = (key: string, file: File, category: PhotoCategory | '' = ''): PhotoItem => ({
  kind: 'new',
  key,
  file,
  category,
  removed: false,
})

const isNotRemoved = (item: PhotoItem): boolean => item.kind === 'busy' || !item.removed

/** The files to upload, in order. */
export const newFiles = (items: readonly PhotoItem[]): File[] =>
  items.flatMap((item) => (item.kind === 'new' && !item.removed ? [item.file] : []))

export const removedNames = (items: readonly PhotoItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'stored' && item.removed ? [item.photo.name] : []))

/** The number of photos after the save. */
export const countRemaining = (items: readonly PhotoItem[]): number =>
  items.filter(isNotRemoved).length

/** The cover, which lists show: the first photo that is not removed. */
export const coverOf = (items: readonly PhotoItem[]): string | undefined =>
  items.find(isNotRemoved)?.key

/**
 * The order of the photos, stored ones by name, if it differs from the default after a save: stored photos in their
 * order, then new ones.
 */
export const orderToSave = (
  items: readonly PhotoItem[],
  stored: readonly Photo[],
): (string | File)[] | undefined => {
  const wanted = categoriesOf(items).map(([photo]) => photo)
  const natural = [
    ...stored.map(({ name }) => name).filter((name) => wanted.includes(name)),
    ...newFiles(items),
  ]
  return wanted.every((photo, index) => photo === natural[index]) ? undefined : wanted
}

/** The photos with the stored ones in the order in which they are stored, and then the new ones. */
export const inStoredOrder = (
  items: readonly PhotoItem[],
  stored: readonly Photo[],
): PhotoItem[] => {
  const place = (item: PhotoItem): number =>
    item.kind === 'stored' ? stored.indexOf(item.photo) : stored.length
  return items.toSorted((one, other) => place(one) - place(other))
}

/** The categories of the photos that stay. */
export const categoriesOf = (items: readonly PhotoItem[]): PhotoCategories =>
  items.flatMap((item) => {
    if (item.kind === 'busy' || item.removed) return []
    return [[item.kind === 'stored' ? item.photo.name : item.file, item.category] as const]
  })

/** The stored photos that stay, and whose category the form changes. */
export const recategorised = (items: readonly PhotoItem[]): readonly PhotoItem[] =>
  items.filter(
    (item) => item.kind === 'stored' && !item.removed && item.category !== item.photo.category,
  )

/** The number of changes that a save would make to the stored photos; their order is one. */
export const countPhotoEdits = (items: readonly PhotoItem[], stored: readonly Photo[]): number =>
  newFiles(items).length +
  removedNames(items).length +
  recategorised(items).length +
  items.filter((item) => item.kind === 'busy').length +
  (orderToSave(items, stored) !== undefined ? 1 : 0)

const changeItem = (
  items: readonly PhotoItem[],
  key: string,
  change: Partial<Pick<NewPhoto, 'category' | 'removed'>>,
): PhotoItem[] =>
  items.map((item) => (item.key === key && item.kind !== 'busy' ? { ...item, ...change } : item))

/** Marks a photo for removal, or unmarks it. */
export const setRemoved = (
  items: readonly PhotoItem[],
  key: string,
  removed: boolean,
): PhotoItem[] => changeItem(items, key, { removed })

/** Sets the category of a photo. */
export const setCategory = (
  items: readonly PhotoItem[],
  key: string,
  category: PhotoCategory | '',
): PhotoItem[] => changeItem(items, key, { category })

/** The current stored photo, with the category of the form if it was changed there. */
const withStored = (item: StoredPhoto, photo: Photo): StoredPhoto => ({
  ...item,
  photo,
  category: item.category === item.photo.category ? photo.category : item.category,
})

/** Moves photos before or behind another one, keeping their order. */
export const moveTo = (
  items: readonly PhotoItem[],
  keys: ReadonlySet<string>,
  target: { readonly key: string; readonly place: 'before' | 'after' },
): readonly PhotoItem[] => {
  if (keys.has(target.key)) return items
  const moved = items.filter(({ key }) => keys.has(key))
  return items.flatMap((item) => {
    if (keys.has(item.key)) return []
    if (item.key !== target.key) return [item]
    return target.place === 'before' ? [...moved, item] : [item, ...moved]
  })
}

/** Moves a photo by one place: -1 to the left, 1 to the right. */
export const moveBy = (
  items: readonly PhotoItem[],
  key: string,
  step: -1 | 1,
): readonly PhotoItem[] => {
  const neighbour = items[items.findIndex((item) => item.key === key) + step]
  if (neighbour === undefined) return items
  const place = step < 0 ? 'before' : 'after'
  return moveTo(items, new Set([key]), { key: neighbour.key, place })
}

/** Moves a photo to the front. */
export const moveFirst = (items: readonly PhotoItem[], key: string): readonly PhotoItem[] => {
  const [first] = items
  return first === undefined
    ? items
    : moveTo(items, new Set([key]), { key: first.key, place: 'before' })
}

/**
 * The items over the photos that are stored now. After a partial save, uploaded photos have become stored ones in their
 * places; photos added by other devices follow, and deleted ones are removed.
 * @param nameOf the stored name of an uploaded photo; `null` if the name is unknown
 */
export const mergeStored = (
  items: readonly PhotoItem[],
  stored: readonly Photo[],
  nameOf: (photo: File) => string | null | undefined = () => undefined,
): PhotoItem[] => {
  const byName = new Map(stored.map((photo) => [photo.name, photo]))
  const merged = items.flatMap((item): PhotoItem[] => {
    if (item.kind === 'busy') return [item]
    const name = item.kind === 'stored' ? item.photo.name : nameOf(item.file)
    if (name === undefined) return [item]
    const photo = byName.get(name ?? '')
    if (photo === undefined) return []
    byName.delete(photo.name)
    if (item.kind === 'stored') return [withStored(item, photo)]
    const { key, category, removed } = item
    return [{ kind: 'stored', key, photo, category, removed }]
  })
  return [...merged, ...storedItems([...byName.values()])]
}
