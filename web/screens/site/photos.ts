import type { Photo } from '../../data/state.ts'

/** A photo in the form: stored already, or chosen and still to be sent. */
export type PhotoItem =
  | {
      readonly kind: 'stored'
      readonly key: string
      readonly photo: Photo
      readonly removed: boolean
    }
  | { readonly kind: 'new'; readonly key: string; readonly file: File; readonly url: string }
  | { readonly kind: 'busy'; readonly key: string; readonly name: string }

export const storedItems = (photos: readonly Photo[]): PhotoItem[] =>
  photos.map((photo) => ({ kind: 'stored', key: photo.name, photo, removed: false }))

export const newFiles = (items: readonly PhotoItem[]): File[] =>
  items.flatMap((item) => (item.kind === 'new' ? [item.file] : []))

export const removedNames = (items: readonly PhotoItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'stored' && item.removed ? [item.photo.name] : []))

/** How many photos the site will have. */
export const countKept = (items: readonly PhotoItem[]): number =>
  items.filter((item) => item.kind !== 'stored' || !item.removed).length

/** The items after a save that did only a part: what is stored now, and what is left to do. */
export const afterPartialSave = (
  items: readonly PhotoItem[],
  stored: readonly Photo[],
  sentNew: boolean,
): PhotoItem[] => {
  const removed = new Set(removedNames(items))
  return [
    ...stored.map((photo): PhotoItem => ({
      kind: 'stored',
      key: photo.name,
      photo,
      removed: removed.has(photo.name),
    })),
    ...(sentNew ? [] : items.filter((item) => item.kind !== 'stored')),
  ]
}
