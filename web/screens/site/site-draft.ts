import { CONNECTOR_DETAILS, CONNECTOR_TRAITS } from '#domain/connector.ts'
import type { PhotoCategory } from '#domain/site.ts'
import { mergeSite, type Conflict, type IsSame, type Version } from '../../data/merge.ts'
import type { Draft, DraftContent, Photo, SiteView } from '../../data/state.ts'
import { isSameText } from '../../format/field-text.ts'
import type { Start, Subject } from '../shared/use-edit.ts'
import {
  countPhotoEdits,
  inStoredOrder,
  mergeStored,
  newFiles,
  newItem,
  orderToSave,
  storedItems,
  type PhotoItem,
} from './photos.ts'
import {
  SITE_FORM_FIELDS,
  asNew,
  BLANK_DETAILS,
  BLANK_SITE,
  blankRow,
  connectorTexts,
  pick,
  rowsOfTexts,
  SITE_TEXT_FIELDS,
  findSiteErrors,
  siteText,
  type ConnectorRow,
  type ConnectorText,
  type SiteText,
} from './site-values.ts'

/** The content of a draft of a site's form. */
export interface SiteDraft {
  /** The stored values when the draft was started; null for a new site. */
  readonly base: SiteText | null
  readonly text: SiteText
  /** The photos in their order: stored ones by name; new ones as the next file. */
  readonly photos: readonly (DraftPhoto | DraftFile)[]
  /** False if that is the order in which they were stored. Older drafts do not say. */
  readonly moved?: boolean
}

interface DraftPhoto {
  readonly name: string
  readonly removed: boolean
  /** The category, if it was changed. */
  readonly category?: PhotoCategory | ''
}

/** A new photo, with its category if one was chosen. */
type DraftFile = 'file' | { readonly category: PhotoCategory }

const isFile = (each: DraftPhoto | DraftFile): each is DraftFile =>
  each === 'file' || !('name' in each)

/** Writes the content of the form as a draft. Its files are those of `newFiles`. */
export const writeDraft = (
  base: SiteText | null,
  text: SiteText,
  { items, stored }: SitePhotos,
): SiteDraft => ({
  base,
  text,
  moved: orderToSave(items, stored) !== undefined,
  photos: items.flatMap((item): SiteDraft['photos'] => {
    if (item.kind === 'busy') return []
    const { category, removed } = item
    if (item.kind === 'new') return removed ? [] : [category === '' ? 'file' : { category }]
    const { photo } = item
    return [{ name: photo.name, removed, ...(category !== photo.category && { category }) }]
  }),
})

/** Reads a draft; undefined if there is none, or it has another format. */
export const readDraft = (
  draft: DraftContent | undefined,
  blank: SiteText,
): SiteDraft | undefined => {
  const kept = draft?.values as Partial<SiteDraft> | null | undefined
  const text = readText(kept?.text, blank)
  if (kept === undefined || kept === null || text === undefined) return undefined
  const base = readText(kept.base, blank) ?? null
  return { ...kept, base, text, photos: Array.isArray(kept.photos) ? kept.photos : [] }
}

/** Converts a draft to that of a new site: with new connector ids, and only with photos that are still to be sent. */
export const draftAsNew = (draft: DraftContent, newId: () => string): DraftContent | undefined => {
  const kept = readDraft(draft, BLANK_SITE)
  if (kept === undefined) return undefined
  const photos = kept.photos.filter(isFile)
  const values: SiteDraft = { base: null, text: asNew(kept.text, newId), photos }
  return { values, files: draft.files }
}

const readText = (value: SiteText | null | undefined, blank: SiteText): SiteText | undefined => {
  if (typeof value !== 'object' || value === null || !Array.isArray(value.connectors)) {
    return undefined
  }
  return {
    ...blank,
    ...knownTexts(value, SITE_TEXT_FIELDS),
    connectors: value.connectors.filter(isRow).map((row) => ({
      ...blankRow(''),
      ...knownTexts(row, CONNECTOR_TRAITS),
      ids: row.ids,
      details: knownDetails(row.details),
    })),
  }
}

const knownDetails = (details: ConnectorRow['details'] | undefined): ConnectorRow['details'] =>
  Object.fromEntries(
    Object.entries(details ?? {}).map(([id, texts]) => [
      id,
      { ...BLANK_DETAILS, ...knownTexts(texts, CONNECTOR_DETAILS) },
    ]),
  )

/** A draft may be older than a field. */
const knownTexts = <N extends string>(texts: Readonly<Record<N, unknown>>, names: readonly N[]) =>
  Object.fromEntries(
    names.flatMap((name) => (typeof texts[name] === 'string' ? [[name, texts[name]]] : [])),
  ) as Partial<Record<N, string>>

const isRow = (row: unknown): row is ConnectorRow => {
  const { ids } = (row ?? {}) as Partial<ConnectorRow>
  return Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string')
}

/** The photos of a draft, over those that are stored now. */
const restoreItems = (
  { photos, moved }: SiteDraft,
  files: readonly File[],
  stored: readonly Photo[],
  newKey: () => string,
): PhotoItem[] => {
  const left = new Map(stored.map((photo) => [photo.name, photo]))
  const waiting = [...files]
  const fresh = (file: File, category: PhotoCategory | '') => newItem(newKey(), file, category)
  const kept = photos.flatMap((each): PhotoItem[] => {
    if (isFile(each))
      return waiting.splice(0, 1).map((file) => fresh(file, each === 'file' ? '' : each.category))
    const photo = left.get(each.name)
    if (photo === undefined) return []
    left.delete(each.name)
    const { name, removed, category = photo.category } = each
    return [{ kind: 'stored', key: name, photo, category, removed }]
  })
  const all = [
    ...kept,
    ...storedItems([...left.values()]),
    ...waiting.map((file) => fresh(file, '')),
  ]
  return moved === false ? inStoredOrder(all, stored) : all
}

/** The photos of the form, merged with the stored ones as changed by another device. */
const mergeItems = (
  { items, stored: before }: SitePhotos,
  stored: readonly Photo[],
): PhotoItem[] => {
  const all = mergeStored(items, stored)
  return orderToSave(items, before) === undefined ? inStoredOrder(all, stored) : all
}

/** The number of stored photos that were added or removed. */
export const countPhotoChanges = (before: readonly Photo[], after: readonly Photo[]): number => {
  const missing = (some: readonly Photo[], others: readonly Photo[]) =>
    some.filter(({ name }) => !others.some((photo) => photo.name === name)).length
  return missing(before, after) + missing(after, before)
}

const isSame: IsSame = (name, one, other) =>
  isSameText(SITE_FORM_FIELDS[name], String(one), String(other))

/** Converts the texts of the form to a version that can be merged, with one row per connector. */
export const versionOf = (text: SiteText): Version => ({
  fields: pick(text, SITE_TEXT_FIELDS),
  rows: text.connectors.flatMap(connectorTexts),
})

/** Converts a version back; equal connectors share a row again. */
export const textOf = ({ fields, rows }: Version): SiteText => ({
  ...(fields as unknown as Omit<SiteText, 'connectors'>),
  connectors: rowsOfTexts(rows as unknown as readonly ConnectorText[]),
})

/** The number of changes that a save would make. */
export const countChanges = (
  base: SiteText,
  text: SiteText,
  items: readonly PhotoItem[],
  stored: readonly Photo[],
): number => {
  const before = new Map(versionOf(base).rows.map((row) => [row.id, row]))
  const fields = SITE_TEXT_FIELDS.filter((name) => !isSame(name, base[name], text[name]))
  // To the user, a row is one thing, however many connectors it stands for.
  const rows = text.connectors.filter((row) =>
    connectorTexts(row).some((texts) => {
      const was = before.get(texts.id)
      return (
        was === undefined ||
        Object.entries(texts).some(([name, now]) => !isSame(name, was[name] ?? '', now))
      )
    }),
  )
  const counted = new Set(rows.flatMap(({ ids }) => ids))
  const left = new Set(text.connectors.flatMap(({ ids }) => ids))
  const fewer = base.connectors.filter(
    ({ ids }) => ids.some((id) => !left.has(id)) && !ids.some((id) => counted.has(id)),
  )
  return fields.length + rows.length + fewer.length + countPhotoEdits(items, stored)
}

/** The connector of a conflict, on both sides. */
export const rowsOf = (conflict: Conflict): readonly (ConnectorText | undefined)[] =>
  conflict.kind === 'row'
    ? [conflict.mine, conflict.theirs].map((row) => row as unknown as ConnectorText | undefined)
    : []

/** The photos of a form, and the stored ones. */
export interface SitePhotos {
  readonly items: readonly PhotoItem[]
  readonly stored: readonly Photo[]
}

/** The declaration of the form of a site for `useEdit`. */
export const SITE_SUBJECT: Subject<SiteText, SitePhotos, SiteView> = {
  check: findSiteErrors,
  names: SITE_TEXT_FIELDS,
  rows: 'connectors',
  silent: ['confirmed'],
  versionOf,
  textOf,
  merge: (base, mine, theirs) => mergeSite(base, mine, theirs, isSame),
  readStored: (site, photos, locale) => ({
    text: siteText(site, locale),
    files: { items: mergeItems(photos, site.photos), stored: site.photos },
    mergedFiles: countPhotoChanges(photos.stored, site.photos),
  }),
  unchanged: ({ stored }) => ({ items: storedItems(stored), stored }),
  count: (base, text, { items, stored }) => countChanges(base, text, items, stored),
  writeDraft: (base, text, photos) => ({
    values: writeDraft(base, text, photos),
    files: newFiles(photos.items),
  }),
}

interface Opened {
  readonly initial: SiteText
  readonly photos: readonly Photo[]
  readonly newId: () => string
  readonly draft: Draft | undefined
}

/** The initial content of the form, with the draft of an earlier visit. */
export const restoreSite = ({
  initial,
  photos: stored,
  newId,
  draft,
}: Opened): Start<SiteText, SitePhotos> => {
  const kept = readDraft(draft, initial)
  if (kept === undefined || draft === undefined)
    return { files: { items: storedItems(stored), stored } }
  const files = { items: restoreItems(kept, draft.files, stored, newId), stored }
  return { files, typed: kept }
}
