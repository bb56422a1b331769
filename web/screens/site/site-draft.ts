import { CONNECTOR_TRAITS, connectors, groupConnectors } from '#domain/connector.ts'
import { merge, type Conflict, type IsSame, type Merged, type Version } from '../../data/merge.ts'
import type { Draft, DraftContent, Photo } from '../../data/state.ts'
import { blankTexts, isSameText } from '../../format/field-text.ts'
import { newFiles, orderToSave, removedNames, type PhotoItem } from './photos.ts'
import {
  SITE_FORM_FIELDS,
  asNew,
  BLANK_SITE,
  SITE_TEXT_FIELDS,
  type ConnectorRow,
  type SiteText,
} from './site-values.ts'

/** What a draft of a site's form is made of. */
export interface SiteDraft {
  /** What was stored when the draft was begun; nothing for a new site. */
  readonly base: SiteText | null
  readonly text: SiteText
  /** The photos in their order: stored ones by name, new ones by being the next file. */
  readonly photos: readonly ({ readonly name: string; readonly removed: boolean } | 'file')[]
}

/** What stands in the form, for a draft. Its files are those of `newFiles`. */
export const writeDraft = (
  base: SiteText | null,
  text: SiteText,
  items: readonly PhotoItem[],
): SiteDraft => ({
  base,
  text,
  photos: items.flatMap((item): SiteDraft['photos'] => {
    if (item.kind === 'stored') return [{ name: item.photo.name, removed: item.removed }]
    return item.kind === 'new' && !item.removed ? ['file'] : []
  }),
})

/** Reads a draft; what is none, or was written in another way, is nothing. */
export const readDraft = (draft: Draft | undefined, blank: SiteText): SiteDraft | undefined => {
  const kept = draft?.values as Partial<SiteDraft> | null | undefined
  const text = readText(kept?.text, blank)
  if (kept === undefined || kept === null || text === undefined) return undefined
  const base = readText(kept.base, blank) ?? null
  return { base, text, photos: Array.isArray(kept.photos) ? kept.photos : [] }
}

/** What a draft says, for a new site: connectors of its own, and only the photos that are still to be sent. */
export const draftAsNew = (draft: Draft, newId: () => string): DraftContent | undefined => {
  const kept = readDraft(draft, BLANK_SITE)
  if (kept === undefined) return undefined
  const photos = draft.files.map(() => 'file' as const)
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
      ...blankTexts(connectors),
      ...knownTexts(row, CONNECTOR_TRAITS),
      ids: row.ids,
    })),
  }
}

/** A draft may have been written before a field was there. */
const knownTexts = <N extends string>(texts: Readonly<Record<N, unknown>>, names: readonly N[]) =>
  Object.fromEntries(
    names.flatMap((name) => (typeof texts[name] === 'string' ? [[name, texts[name]]] : [])),
  ) as Partial<Record<N, string>>

const isRow = (row: unknown): row is ConnectorRow => {
  const { ids } = (row ?? {}) as Partial<ConnectorRow>
  return Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string')
}

/** The photos of the form as a draft left them, over what is stored by now. */
export const restoreItems = (
  { photos }: SiteDraft,
  files: readonly File[],
  stored: readonly Photo[],
  newKey: () => string,
): PhotoItem[] => {
  const left = new Map(stored.map((photo) => [photo.name, photo]))
  const waiting = [...files]
  const fresh = (file: File): PhotoItem => ({ kind: 'new', key: newKey(), file, removed: false })
  const kept = photos.flatMap((each): PhotoItem[] => {
    if (each === 'file') return waiting.splice(0, 1).map(fresh)
    const photo = left.get(each.name)
    if (photo === undefined) return []
    left.delete(each.name)
    return [{ kind: 'stored', key: each.name, photo, removed: each.removed }]
  })
  const others = [...left.values()].map((photo): PhotoItem => ({
    kind: 'stored',
    key: photo.name,
    photo,
    removed: false,
  }))
  return [...kept, ...others, ...waiting.map(fresh)]
}

/** The photos of the form over what another device has made of the stored ones. */
export const mergeItems = (items: readonly PhotoItem[], stored: readonly Photo[]): PhotoItem[] => {
  const left = new Map(stored.map((photo) => [photo.name, photo]))
  const kept = items.flatMap((item): PhotoItem[] => {
    if (item.kind !== 'stored') return [item]
    const photo = left.get(item.photo.name)
    left.delete(item.photo.name)
    return photo === undefined ? [] : [{ ...item, photo }]
  })
  const others = [...left.values()].map((photo): PhotoItem => ({
    kind: 'stored',
    key: photo.name,
    photo,
    removed: false,
  }))
  return [...kept, ...others]
}

/** How many stored photos appeared or went. */
export const countPhotoChanges = (before: readonly Photo[], after: readonly Photo[]): number => {
  const missing = (some: readonly Photo[], others: readonly Photo[]) =>
    some.filter(({ name }) => !others.some((photo) => photo.name === name)).length
  return missing(before, after) + missing(after, before)
}

const isSame: IsSame = (name, one, other) =>
  isSameText(SITE_FORM_FIELDS[name], String(one), String(other))

/** The form's texts as what can be merged: a row for each connector, whatever row it shares. */
export const versionOf = (text: SiteText): Version => ({
  fields: Object.fromEntries(SITE_TEXT_FIELDS.map((name) => [name, text[name]])),
  rows: text.connectors.flatMap(({ ids, ...traits }) => ids.map((id) => ({ ...traits, id }))),
})

/** … and back: equal ones share a row again. */
export const textOf = ({ fields, rows }: Version): SiteText => ({
  ...(fields as unknown as Omit<SiteText, 'connectors'>),
  connectors: groupConnectors(rows as unknown as readonly ConnectorText[]).map(
    ({ first: { id: _id, ...traits }, all }) => ({ ...traits, ids: all.map(({ id }) => id) }),
  ),
})

/** One connector as text. */
export type ConnectorText = Omit<ConnectorRow, 'ids'> & { readonly id: string }

/** What is typed here and what is stored by now, as one. */
export const mergeTexts = (base: SiteText, mine: SiteText, theirs: SiteText): Merged =>
  merge(versionOf(base), versionOf(mine), versionOf(theirs), isSame)

/** How many things a save would change. */
export const countChanges = (
  base: SiteText,
  text: SiteText,
  items: readonly PhotoItem[],
  stored: readonly Photo[],
): number => {
  const before = new Map(versionOf(base).rows.map((row) => [row.id, row]))
  const fields = SITE_TEXT_FIELDS.filter((name) => !isSame(name, base[name], text[name]))
  // A row is one thing to the person, however many connectors it stands for.
  const rows = text.connectors.filter(({ ids, ...traits }) =>
    ids.some((id) => {
      const was = before.get(id)
      const names = Object.keys(traits) as (keyof typeof traits)[]
      return was === undefined || names.some((name) => !isSame(name, was[name] ?? '', traits[name]))
    }),
  )
  const counted = new Set(rows.flatMap(({ ids }) => ids))
  const left = new Set(text.connectors.flatMap(({ ids }) => ids))
  const fewer = base.connectors.filter(
    ({ ids }) => ids.some((id) => !left.has(id)) && !ids.some((id) => counted.has(id)),
  )
  const busy = items.filter((item) => item.kind === 'busy').length
  const photos = newFiles(items).length + removedNames(items).length + busy
  const ordered = orderToSave(items, stored) !== undefined ? 1 : 0
  return fields.length + rows.length + fewer.length + photos + ordered
}

/** The connector that a conflict is about, on both sides. */
export const rowsOf = (conflict: Conflict): readonly (ConnectorText | undefined)[] =>
  conflict.kind === 'row'
    ? [conflict.mine, conflict.theirs].map((row) => row as unknown as ConnectorText | undefined)
    : []
