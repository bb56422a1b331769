import { SITES } from '#domain/collection.ts'
import { parseJson } from '#domain/json.ts'
import type { PhotoCategory } from '#domain/site.ts'

import type { TextStorage } from '../storage.ts'
import {
  changeRecord,
  changeSite,
  changeSites,
  dropRecord,
  dropSite,
  putRecord,
  putSite,
  siteOf,
  type Change,
} from './log.ts'
import { differing, siteFieldsOf } from './records.ts'
import { referencesTo, replaceReferences } from './references.ts'
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
  /** The id of the record; a new record has its id from the start. */
  readonly subject: string
  /** The time of the commit, in milliseconds. */
  readonly at: number
  /** True if it is queued on the device, and retried until answered. */
  readonly isKept: boolean
  /** True if its failure was shown: it is sent again only to finish a write that has begun on the server. */
  readonly isHeld: boolean
  /** The form as JSON in its own format, for the draft if the write is refused. */
  readonly values: unknown
  /** The files that have not been uploaded yet. */
  readonly files: readonly QueuedFile[]
}

/** A file to upload: its key on the device, and its `Idempotency-Key`. */
export interface QueuedFile {
  readonly key: string
  readonly idempotencyKey: string
}

export type BusinessTexts = Required<Omit<BusinessInput, 'logo'>>

export interface CreateBusiness extends Common {
  readonly kind: 'createBusiness'
  /** A logo is in `files`. */
  readonly payload: Partial<BusinessTexts>
}

export interface UpdateBusiness extends Common {
  readonly kind: 'updateBusiness'
  /** A new logo is in `files`. */
  readonly payload: {
    readonly texts: Partial<BusinessTexts>
    readonly logo: 'same' | 'new' | 'none'
  }
  readonly base: BusinessTexts
}

/** The categories of photos, by their stored names or the keys of their files. */
export type CategoriesByKey = Readonly<Record<string, PhotoCategory | ''>>

export interface CreateSite extends Common {
  readonly kind: 'createSite'
  readonly payload: {
    readonly fields: SiteInput
    readonly connectors: readonly ConnectorInput[]
    readonly photoCategories?: CategoriesByKey
  }
  /** The values that may already be on the server, from this mutation or one that it replaced. */
  readonly base: SentSite | null
}

/** The sent values of a new site. */
export interface SentSite {
  readonly fields: SiteInput
  /** The sent connectors … */
  readonly connectors: readonly ConnectorInput[]
  /** … and the ids of the stored ones. */
  readonly stored: readonly string[]
  /** Keys of the photos that were sent with the creation or stored since. */
  readonly photos: readonly string[]
  /** The stored names of photos by their keys, as far as they are known. */
  readonly names?: Readonly<Record<string, string>>
}

export interface UpdateSite extends Common {
  readonly kind: 'updateSite'
  readonly payload: {
    /** The fields that the owner changed. */
    readonly fields: Partial<SiteInput>
    /** All connectors that the site should have; null leaves them unchanged. */
    readonly connectors: readonly ConnectorInput[] | null
    readonly removedPhotos: readonly string[]
    /** All photos in order, by their stored names or the keys of their files; null leaves it unchanged. */
    readonly photoOrder: readonly string[] | null
    /** The categories that the owner changed. */
    readonly photoCategories?: CategoriesByKey
  }
  /** The site as the owner saw it … */
  readonly base: SiteView
  /** … and its ETag, for the first attempt. */
  readonly etag?: string
}

interface DeleteSite extends Common {
  readonly kind: 'deleteSite'
  /** Sent from `until` on, in milliseconds; until then it can be undone. */
  readonly payload: { readonly name: string; readonly until: number }
}

/** Sites with equal former values, and the new ones. */
export interface SiteChange {
  readonly ids: readonly string[]
  /** The new values … */
  readonly fields: Partial<SiteInput>
  /** … and the former ones: a site that another device has changed since is left unchanged. */
  readonly was: Partial<SiteInput>
}

/** Changes the same fields of many sites. Its subject is its own id, so that one never replaces another. */
export interface UpdateSites extends Common {
  readonly kind: 'updateSites'
  readonly payload: readonly SiteChange[]
  /** True if it undoes another bulk update. */
  readonly isUndo: boolean
  /** True if it was undone: chunks not sent yet are skipped. */
  readonly isStopped: boolean
  /** Number of its sites that are finished, in order. */
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
  /** The fields that the owner changed … */
  readonly payload: Fields
  /** … and the record as the owner saw it. */
  readonly base: Fields
}

export interface DeleteRecord extends Common {
  readonly kind: 'removeRecord'
  readonly collection: string
  readonly payload: DeleteSite['payload'] & {
    /**
     * The id of the record that replaces it in references; empty to clear them. Without it the record had none, and
     * the server refuses to delete it if one has been added since.
     */
    readonly instead?: string
  }
}

/** A delete, which can be undone for a while. */
export type Delete = DeleteSite | DeleteRecord

export const isDelete = (mutation: Mutation): mutation is Delete =>
  mutation.kind === 'deleteSite' || mutation.kind === 'removeRecord'

/** A write of a record of a plain collection. */
export type RecordMutation = CreateRecord | UpdateRecord

/** An owner's write, stored until the server has answered it. */
export type Mutation =
  | CreateBusiness
  | UpdateBusiness
  | CreateSite
  | UpdateSite
  | UpdateSites
  | RecordMutation
  | Delete

/** Returns whether the mutation creates a record that the server does not have yet. */
export const isCreation = ({ kind }: Pick<Mutation, 'kind'>): boolean =>
  kind === 'createSite' || kind === 'createRecord'

/** The form of a mutation. */
export const formOf = (mutation: Mutation): FormName => {
  const { kind, subject } = mutation
  if ('collection' in mutation) return `${mutation.collection}:${subject}`
  return kind === 'createBusiness' || kind === 'updateBusiness' ? 'business' : `site:${subject}`
}

/** The site with the update applied. */
export const wantedSite = ({ base, payload }: UpdateSite): Required<SiteInput> => ({
  ...siteFieldsOf(base),
  ...payload.fields,
})

/** The fields of a site left to change; undefined if another device has changed one of them (a conflict). */
export const remainingFields = (
  site: SiteView,
  { fields, was }: Pick<SiteChange, 'fields' | 'was'>,
): Partial<SiteInput> | undefined => {
  const left = differing(fields, site)
  const changedElsewhere = differing(was, site)
  return Object.keys(left).some((name) => name in changedElsewhere) ? undefined : left
}

/** The optimistic update of a mutation. Photos appear once they are stored. */
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
          ...siteOf(data, subject),
          ...siteFieldsOf(fields),
          connectors: connectors.map((connector) => ({ ...connector, site: subject })),
        })(data)
    }
    case 'updateSite': {
      const { fields, connectors, removedPhotos, photoCategories = {} } = mutation.payload
      return changeSite(subject, (site) => ({
        ...site,
        ...fields,
        photos: site.photos
          .filter(({ name }) => !removedPhotos.includes(name))
          .map((photo) => ({ ...photo, category: photoCategories[photo.name] ?? photo.category })),
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
        return change === undefined ? {} : (remainingFields(site, change) ?? {})
      })
    }
    case 'deleteSite':
      return dropSite(subject)
    case 'createRecord':
      return putRecord(mutation.collection, { ...mutation.payload, id: subject })
    case 'updateRecord':
      return changeRecord(mutation.collection, subject, mutation.payload)
    case 'removeRecord': {
      const { collection, payload } = mutation
      const drop = dropRecord(collection, subject)
      const { instead } = payload
      if (instead === undefined) return drop
      return (data) =>
        drop(replaceReferences(referencesTo(data, collection, subject), instead)(data))
    }
  }
}

/** The queued mutations of one user. Read from storage on each call, because tabs share them. */
export interface MutationList {
  /** In the order of their commits. */
  readonly all: () => readonly Mutation[]
  /** Adds a mutation, or replaces the one with the same id; returns whether it was stored. */
  readonly put: (mutation: Mutation) => boolean
  readonly remove: (id: string) => void
  readonly clear: () => void
}

/** The local storage key of the mutations of a user. */
export const mutationsKey = (userId: string): string => `voltleaf:mutations:${userId}`

/** Opens the list of a user. */
export const openMutations = (storage: TextStorage, userId: string): MutationList => {
  const key = mutationsKey(userId)
  const write = (mutations: readonly Mutation[]): boolean => {
    if (mutations.length > 0) return storage.set(key, JSON.stringify(mutations))
    storage.remove(key)
    return true
  }
  const all = (): readonly Mutation[] => parseList(storage.get(key))
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
  const list = parseJson(text)
  if (!Array.isArray(list)) return []
  // An earlier version stored deletes without a payload, and answered them at once.
  return (list as (Partial<Mutation> | null)[]).filter(
    (each): each is Mutation => each?.payload !== undefined,
  )
}
