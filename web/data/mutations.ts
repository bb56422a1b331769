import { SITES } from '#domain/collection.ts'

import type { TextStorage } from './environment.ts'
import {
  changeRecord,
  changeSite,
  changeSites,
  dropRecord,
  dropSite,
  putRecord,
  putSite,
  type Change,
} from './log.ts'
import { differing, siteFieldsOf } from './records.ts'
import type {
  BusinessInput,
  ConnectorInput,
  FormName,
  RefusedSite,
  SiteInput,
  SiteView,
} from './state.ts'

interface Common {
  /** The mutation's own id. */
  readonly id: string
  /** The record that it is about; a new one has its id from the start. */
  readonly subject: string
  /** When it was committed, in milliseconds. */
  readonly at: number
  /** It waits for a connection, and is tried until it is answered. */
  readonly isKept: boolean
  /** Its failure was shown: it is sent again only for what it has already begun on the server. */
  readonly isHeld: boolean
  /** Its form as JSON of the form's own making, for the draft if it is refused. */
  readonly values: unknown
  /** The files that are still to be sent. */
  readonly files: readonly QueuedFile[]
}

/** A file on its way: the key under which the device keeps it, and its `Idempotency-Key`. */
export interface QueuedFile {
  readonly key: string
  readonly idempotencyKey: string
}

export type BusinessTexts = Required<Omit<BusinessInput, 'logo'>>

export interface CreateBusiness extends Common {
  readonly kind: 'createBusiness'
  /** A logo is the file. */
  readonly payload: Partial<BusinessTexts>
}

export interface UpdateBusiness extends Common {
  readonly kind: 'updateBusiness'
  /** A new logo is the file. */
  readonly payload: {
    readonly texts: Partial<BusinessTexts>
    readonly logo: 'same' | 'new' | 'none'
  }
  readonly base: BusinessTexts
}

export interface CreateSite extends Common {
  readonly kind: 'createSite'
  readonly payload: { readonly fields: SiteInput; readonly connectors: readonly ConnectorInput[] }
  /** What may have reached the server already, by this mutation or one that it replaced. */
  readonly base: SentSite | null
}

/** What was sent of a new site. */
export interface SentSite {
  readonly fields: SiteInput
  /** The connectors that were sent … */
  readonly connectors: readonly ConnectorInput[]
  /** … and the ids of those that were stored. */
  readonly stored: readonly string[]
  /** Keys of the photos that were sent with its creation or have arrived since. */
  readonly photos: readonly string[]
}

export interface UpdateSite extends Common {
  readonly kind: 'updateSite'
  readonly payload: {
    /** The fields that the person changed. */
    readonly fields: Partial<SiteInput>
    /** All connectors that the site is to have; nothing when they stay. */
    readonly connectors: readonly ConnectorInput[] | null
    readonly removedPhotos: readonly string[]
    /** All photos by their stored names or the keys of their files; nothing when the order stays. */
    readonly photoOrder: readonly string[] | null
  }
  /** The site that the person saw … */
  readonly base: SiteView
  /** … and its version, for the first attempt. */
  readonly etag?: string
}

export interface DeleteSite extends Common {
  readonly kind: 'deleteSite'
  /** It is sent from `until` on, in milliseconds; before, it can be undone. */
  readonly payload: { readonly name: string; readonly until: number }
}

/** Sites that looked alike, and what becomes of them. */
export interface SiteChange {
  readonly ids: readonly string[]
  /** What they are to have … */
  readonly fields: Partial<SiteInput>
  /** … and what they had: a site that another device has changed since is left alone. */
  readonly was: Partial<SiteInput>
}

/** Changes the same fields of many sites. Its subject is itself, so that one never replaces another. */
export interface UpdateSites extends Common {
  readonly kind: 'updateSites'
  readonly payload: readonly SiteChange[]
  /** It takes another one back. */
  readonly isUndo: boolean
  /** The person has taken it back: what is not sent yet stays as it is. */
  readonly isStopped: boolean
  /** How many of its sites, in their order, are done with. */
  readonly settled: number
  readonly refused: readonly RefusedSite[]
}

type Fields = Readonly<Record<string, unknown>>

interface CreateRecord extends Common {
  readonly kind: 'createRecord'
  readonly collection: string
  readonly payload: Fields
}

interface UpdateRecord extends Common {
  readonly kind: 'updateRecord'
  readonly collection: string
  /** The fields that the person changed … */
  readonly payload: Fields
  /** … of the record that the person saw. */
  readonly base: Fields
}

interface RemoveRecord extends Common {
  readonly kind: 'removeRecord'
  readonly collection: string
}

/** A mutation of a record of a plain collection. */
export type RecordMutation = CreateRecord | UpdateRecord | RemoveRecord

/** One action of an owner, as it is kept until the server has answered it. */
export type Mutation =
  | CreateBusiness
  | UpdateBusiness
  | CreateSite
  | UpdateSite
  | UpdateSites
  | DeleteSite
  | RecordMutation

/** Does it make a site or a record that the server does not have yet? */
export const isCreation = ({ kind }: Pick<Mutation, 'kind'>): boolean =>
  kind === 'createSite' || kind === 'createRecord'

/** The form that a mutation came from. */
export const formOf = (mutation: Mutation): FormName => {
  const { kind, subject } = mutation
  if ('collection' in mutation) return `${mutation.collection}:${subject}`
  return kind === 'createBusiness' || kind === 'updateBusiness' ? 'business' : `site:${subject}`
}

/** The site as an update makes it. */
export const wantedSite = ({ base, payload }: UpdateSite): Required<SiteInput> => ({
  ...siteFieldsOf(base),
  ...payload.fields,
})

/** What is left to change of a site; nothing at all if another device has changed one of the fields. */
export const fieldsLeft = (
  site: SiteView,
  { fields, was }: Pick<SiteChange, 'fields' | 'was'>,
): Partial<SiteInput> | undefined => {
  const left = differing(fields, site)
  const changedElsewhere = differing(was, site)
  return Object.keys(left).some((name) => name in changedElsewhere) ? undefined : left
}

/** How the data looks once the mutation is sent. Photos appear when they have arrived. */
export const changeOf = (mutation: Mutation): Change => {
  const { subject } = mutation
  switch (mutation.kind) {
    case 'createBusiness':
      return (data) => data
    case 'updateBusiness': {
      const { texts, logo } = mutation.payload
      return (data) => ({
        ...data,
        ...texts,
        ...(logo === 'none' ? { logo: '', fileSrc: '' } : {}),
      })
    }
    case 'createSite': {
      const { fields, connectors } = mutation.payload
      return (data) =>
        putSite({
          id: subject,
          collectionName: SITES,
          photos: [],
          hidden: false,
          hidden_reason: '',
          ...data.sites.find(({ id }) => id === subject),
          ...siteFieldsOf(fields),
          connectors: connectors.map((connector) => ({ ...connector, site: subject })),
        })(data)
    }
    case 'updateSite': {
      const { fields, connectors, removedPhotos } = mutation.payload
      return changeSite(subject, (site) => ({
        ...site,
        ...fields,
        photos: site.photos.filter(({ name }) => !removedPhotos.includes(name)),
        connectors:
          connectors?.map((connector) => ({ ...connector, site: subject })) ?? site.connectors,
      }))
    }
    case 'updateSites': {
      const changes = new Map(
        mutation.payload.flatMap((change) => change.ids.map((id) => [id, change] as const)),
      )
      return changeSites((site) => {
        const change = changes.get(site.id)
        return change === undefined ? {} : (fieldsLeft(site, change) ?? {})
      })
    }
    case 'deleteSite':
      return dropSite(subject)
    case 'createRecord':
      return putRecord(mutation.collection, { ...mutation.payload, id: subject })
    case 'updateRecord':
      return changeRecord(mutation.collection, subject, mutation.payload)
    case 'removeRecord':
      return dropRecord(mutation.collection, subject)
  }
}

/** The mutations of one user that are not answered. They are read anew each time: tabs share them. */
export interface MutationList {
  /** In the order in which they were committed. */
  readonly all: () => readonly Mutation[]
  /** Adds it, or puts it in the place of the one with its id; tells whether it could be stored. */
  readonly put: (mutation: Mutation) => boolean
  readonly remove: (id: string) => void
  readonly clear: () => void
}

/** Where the mutations of a user are kept. */
export const mutationsKey = (userId: string): string => `voltleaf:mutations:${userId}`

/**
 * Opens the list of a user. `newId` makes ids for what an earlier version of the app has left, which
 * is read into the list once.
 */
export const openMutations = (
  storage: TextStorage,
  userId: string,
  newId: () => string,
): MutationList => {
  const key = mutationsKey(userId)
  const write = (mutations: readonly Mutation[]): boolean => {
    if (mutations.length > 0) return storage.set(key, JSON.stringify(mutations))
    storage.remove(key)
    return true
  }
  const all = (): readonly Mutation[] => parseList(storage.get(key))
  const former = storage.get(formerKey(userId))
  // What could not be written stays where it is, and is read again by the next page.
  if (former !== null && write([...all(), ...readFormer(former, newId)]))
    storage.remove(formerKey(userId))
  return {
    all,
    put: (mutation) => {
      const before = all()
      return write(
        before.some(({ id }) => id === mutation.id)
          ? before.map((each) => (each.id === mutation.id ? mutation : each))
          : [...before, mutation],
      )
    },
    remove: (id) => void write(all().filter((each) => each.id !== id)),
    clear: () => storage.remove(key),
  }
}

const parseList = (text: string | null): readonly Mutation[] => {
  const list = parse(text)
  return Array.isArray(list) ? (list as Mutation[]) : []
}

const parse = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    // What cannot be read was not written by us.
    return null
  }
}

/** Where the version of the app before this list kept what was to be sent. */
const formerKey = (userId: string): string => `voltleaf:work:${userId}`

interface FormerLater {
  readonly at: number
  readonly values: unknown
  readonly files: readonly string[]
}

interface FormerWork {
  readonly business?: readonly {
    readonly id: string
    readonly base: BusinessTexts
    readonly texts: Partial<BusinessTexts>
    readonly logo: 'same' | 'new' | 'none'
    readonly later: FormerLater
  }[]
  readonly saves?: readonly {
    readonly id: string
    readonly input: SiteInput
    readonly connectors: readonly ConnectorInput[]
    readonly photoCount: number
    readonly begunAt?: number
    readonly failed: boolean
    readonly later?: FormerLater
  }[]
  readonly edits?: readonly {
    readonly id: string
    readonly base: SiteView
    readonly site: Required<SiteInput>
    readonly connectors: readonly ConnectorInput[]
    readonly removedPhotos: readonly string[]
    readonly photoOrder: readonly string[] | null
    readonly later: FormerLater
  }[]
  readonly deletes?: readonly {
    readonly id: string
    readonly name: string
    readonly until: number
  }[]
}

const readFormer = (text: string, newId: () => string): readonly Mutation[] => {
  const { business = [], saves = [], edits = [], deletes = [] } = (parse(text) ?? {}) as FormerWork
  const common = (subject: string, later: FormerLater) => ({
    id: newId(),
    subject,
    at: later.at,
    isKept: true,
    isHeld: false,
    values: later.values,
    files: later.files.map((key) => ({ key, idempotencyKey: `photo-${key}` })),
  })
  const none: FormerLater = { at: 0, values: null, files: [] }
  return [
    ...business.map(({ id, base, texts, logo, later }): Mutation => ({
      ...common(id, later),
      kind: 'updateBusiness',
      payload: { texts, logo },
      base,
    })),
    ...saves.map(({ id, input, connectors, photoCount, begunAt = 0, failed, later }): Mutation => ({
      ...common(id, later ?? { ...none, at: begunAt }),
      kind: 'createSite',
      isKept: later !== undefined,
      // The photos of a save that was not kept are in its draft alone.
      isHeld: later === undefined && (failed || photoCount > 0),
      payload: { fields: input, connectors },
      base: later === undefined ? { fields: input, connectors, stored: [], photos: [] } : null,
    })),
    ...edits.map(({ id, base, site, connectors, removedPhotos, photoOrder, later }): Mutation => ({
      ...common(id, later),
      kind: 'updateSite',
      payload: { fields: site, connectors, removedPhotos, photoOrder },
      base,
    })),
    ...deletes.map(({ id, name, until }): Mutation => ({
      ...common(id, none),
      kind: 'deleteSite',
      payload: { name, until },
    })),
  ]
}
