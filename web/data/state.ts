import type { Business, businesses } from '#domain/business.ts'
import type { Change } from '#domain/change.ts'
import type { Connector } from '#domain/connector.ts'
import type { GeocodeAnswer } from '#domain/geocode.ts'
import type { Coordinates } from '#domain/map-link.ts'
import type { Plain } from '#domain/owned.ts'
import type { InputOf, RecordOf } from '#domain/record.ts'
import type { Site, sites } from '#domain/site.ts'
import type { User } from '#domain/user.ts'
import type { Merged } from './merge.ts'

/** A stored photo as screens show it (spec 3): its stored file name and its URL. */
export interface Photo {
  readonly name: string
  readonly src: string
}

/** A site with its photos as URLs and its connectors. */
export interface SiteView extends Omit<Site, 'photos'> {
  readonly photos: readonly Photo[]
  readonly connectors: readonly Connector[]
}

/** A record of a plain collection (`domain/owned.ts`), whichever. */
export type PlainRecord = Readonly<Record<string, unknown>> & { readonly id: string }

/** A record of the plain collection of this name, as the app reads it. */
export type PlainView<N extends string> = N extends Plain['name']
  ? RecordOf<Extract<Plain, { readonly name: N }>, 'business' | 'collectionName'>
  : PlainRecord

/** What an owner writes about such a record. */
type PlainInput<N extends string> = N extends Plain['name']
  ? InputOf<Extract<Plain, { readonly name: N }>>
  : Readonly<Record<string, unknown>>

/** The business with its sites, as the dashboard shows it. `fileSrc` is the logo's URL, or empty. */
export interface BusinessView extends Business {
  readonly fileSrc: string
  readonly sites: readonly SiteView[]
  /** The records of the plain collections, by collection, oldest first: see `recordsIn`. */
  readonly records: Readonly<Record<string, readonly PlainRecord[]>>
}

/** The whole client state (spec 3). `data` is null before it was loaded and when there is no business. */
export interface State {
  readonly data: BusinessView | null
  readonly user: User | null
  readonly loading: boolean
}

/** What an owner writes about a business. A logo that is null is removed. */
export type BusinessInput = InputOf<typeof businesses> & { logo?: File | null }

/** What an owner writes about a site; numbers already read. */
export type SiteInput = InputOf<typeof sites>

/** A connector of a form. The id is chosen in the browser, so that a retry never makes a second one. */
export type ConnectorInput = Omit<Connector, 'site'>

/** How far a photo is on its way to the server. */
export type PhotoPhase =
  | { readonly at: 'waiting' }
  /** `fraction` of it has left, from 0 to 1; at 1 the server is working on it. */
  | { readonly at: 'sending'; readonly fraction: number }
  /** Without a name when an earlier request, whose answer was lost, had stored it. */
  | { readonly at: 'stored'; readonly name: string | undefined }
  | { readonly at: 'failed'; readonly problem: Problem }

/** Told how far a photo is; nothing when it is no longer on its way. */
export type PhotoWatch = (photo: File, phase: PhotoPhase | undefined) => void

/**
 * The form that a draft belongs to: `site:` and the id of the site (a new one has its id from the start),
 * the business, or the plain collection of a record, `:` and its id.
 */
export type FormName = 'business' | `${string}:${string}`

/** What stands in a form, for the device to keep. `values` is JSON of the form's own making. */
export interface DraftContent {
  readonly values: unknown
  readonly files: readonly File[]
}

/** What was kept of a form that was not saved. */
export interface Draft extends DraftContent {
  /** When, in milliseconds. */
  readonly at: number
  /** It is about something that is not on the server yet. */
  readonly isNew: boolean
  /** How many files could not be kept. */
  readonly lostFiles: number
  /** It is no draft: it was saved, and waits to be sent. */
  readonly waits: boolean
}

/** A draft as lists show it. */
export interface ListedDraft {
  readonly form: FormName
  /** When it was kept, in milliseconds. */
  readonly at: number
  /** It is about something that is not on the server yet. */
  readonly isNew: boolean
  /** JSON of the form's own making. */
  readonly values: unknown
}

/** A new site whose form one tab has open. */
interface OpenNewSite {
  readonly id: string
  /** Other tabs may go on with its draft from now on. */
  readonly release: () => void
}

/** Could a draft be kept on the device, its text and its files? */
export interface DraftStatus {
  readonly at: number
  readonly text: boolean
  readonly files: boolean
}

/** The place of one form's draft, for the user who was signed in when it was asked for. */
export interface DraftSlot {
  readonly form: FormName
  readonly read: () => Promise<Draft | undefined>
  /** The text is kept before this returns, so that it may be called while the page goes away. */
  readonly keep: (content: DraftContent, isNew: boolean) => Promise<DraftStatus>
  readonly drop: () => void
}

/** A write that waits for a connection. */
export interface Waiting {
  /** The record that it is about. */
  readonly id: string
  readonly action: Action
  /** When it was saved, in milliseconds. */
  readonly at: number
}

/** What an owner makes of a stored site; what is not named stays. */
export interface SiteEdit {
  /** Fields that are the same as in the site that the person saw are not sent. */
  readonly fields?: Partial<SiteInput>
  /** All connectors that the site is to have. */
  readonly connectors?: readonly ConnectorInput[]
  readonly newPhotos?: readonly File[]
  readonly removedPhotos?: readonly string[]
  /** The order of all photos, stored ones by their names, if it is not that of sending. */
  readonly photoOrder?: readonly (string | File)[] | undefined
}

/** How a write is made. */
export interface WriteOptions {
  readonly watch?: PhotoWatch
  /**
   * Does somebody look at the result when it is there? Otherwise, as by default, a problem becomes a
   * notice.
   */
  readonly isAwaited?: () => boolean
  /**
   * Keeps the write on the device and sends it as soon as possible, exactly once; until then the state
   * shows it as if it had been sent. What the server refuses for good becomes a notice with a `form`,
   * whose draft holds `values` and the files.
   */
  readonly keep?: boolean
  /** What stands in the form, as JSON of the form's own making. */
  readonly values?: unknown
}

/** How an update of a site is made. */
interface SiteWriteOptions extends WriteOptions {
  /** The site that the person saw, if it is not the one in the state. */
  readonly base?: SiteView
  /** Its version: if it is not the newest, the edit is merged with what was changed since. */
  readonly etag?: string
}

/** What a write has come to: it was sent, or is kept on the device. */
export interface SavedWrite {
  readonly isKept: boolean
  /** Another device changed the site meanwhile, to `newer`; `result` has both changes. */
  readonly merged?: { readonly newer: SiteView; readonly result: Merged }
}

/** What a call resolves to: its value, or why there is none. Calls never reject. */
export type Result<T> = Value<T> | Refusal

interface Value<T> {
  readonly value: T
  readonly problem?: undefined
  readonly action?: undefined
  readonly failures?: undefined
}

export interface Refusal {
  readonly value?: undefined
  readonly problem: Problem
  /** The call, or the step of it, that failed; `keep` if the device had no room. */
  readonly action: Action | 'keep'
  /** With `saveConnectors`: the connectors that failed, by id. */
  readonly failures?: ReadonlyMap<string, Problem>
  /** A part of it has reached the server. */
  readonly hasBegun?: boolean
  /** The plain collection of the record that it is about. */
  readonly collection?: string
  /** With a conflict: the site as it is now. */
  readonly newer?: ReadSite
}

/** A site as it was read, and the version that a save has to name. */
export interface ReadSite {
  readonly site: SiteView
  readonly etag: string
}

/** A site that was left as it is when many were changed, and why. */
export interface RefusedSite {
  readonly id: string
  readonly name: string
  readonly problem: Problem
}

/** What many sites are to have: the same values, or each its own of the same fields. */
export type FieldsOfSites = Partial<SiteInput> | ((site: SiteView) => Partial<SiteInput>)

/** The last change of many sites, on its way or done. */
export interface BulkUpdate {
  readonly id: string
  /** The names of the fields that the person has set. */
  readonly fields: readonly (keyof SiteInput)[]
  /** It takes another one back. */
  readonly isUndo: boolean
  readonly total: number
  /** How many of them are done with. */
  readonly settled: number
  readonly isDone: boolean
  readonly refused: readonly RefusedSite[]
}

/** What could not be done. Screens show it, with a retry where one makes sense. */
export interface Notice {
  readonly id: string
  /** Which call failed; the screen words it. */
  readonly action: Action
  readonly problem: Problem
  /** The record that it is about. */
  readonly subject?: string
  /** The plain collection of that record. */
  readonly collection?: string
  /** With `saveConnectors`: the connectors that failed, by id. */
  readonly failures?: ReadonlyMap<string, Problem>
  readonly retry?: () => void
  /** What was to be sent later and was refused: this form holds it again. */
  readonly form?: { readonly name: FormName; readonly isNew: boolean }
}

/** The calls that can fail. */
export type Action =
  | 'signIn'
  | 'load'
  | 'updateUser'
  | 'createBusiness'
  | 'updateBusiness'
  | 'createSite'
  | 'updateSite'
  | 'updateSites'
  | 'savePhotos'
  | 'orderPhotos'
  | 'removePhoto'
  | 'deleteSite'
  | 'saveConnectors'
  | 'createRecord'
  | 'updateRecord'
  | 'removeRecord'
  | 'endSessions'
  | 'exportData'
  | 'deleteAccount'

/** Why a call failed, for people: `fields` are the server's field errors by wire name. */
export interface Problem {
  readonly kind:
    | 'offline'
    /** It made no progress for too long. */
    | 'timeout'
    | 'signedOut'
    | 'notFound'
    | 'invalid'
    | 'conflict'
    | 'tooMany'
    | 'tooLarge'
    | 'unavailable'
    | 'provider'
    | 'cancelled'
    | 'mismatch'
    | 'unexpected'
  readonly status: number
  readonly fields: Readonly<Record<string, { code: string; params?: Record<string, unknown> }>>
}

/** A text to search for, a place whose address is wanted, or a short link of a map app to open. */
type AddressQuery =
  | { readonly text: string; readonly near?: Coordinates | undefined }
  | { readonly at: Coordinates }
  | { readonly link: string }

/**
 * Searches addresses. Resolves to why it could not, or to nothing when a newer search has taken its
 * place. It is a help and no data call: nothing waits for it, and no notice is given.
 */
export type SearchAddresses = (query: AddressQuery) => Promise<GeocodeAnswer | Problem | undefined>

/** Which changes to read. */
export interface ChangeQuery {
  /** Only those of this site and its connectors. */
  readonly site?: string | undefined
  /** Only those that are older than this one. */
  readonly before?: Pick<Change, 'id' | 'created'> | undefined
  /** Only the connectors that were deleted together with the site that this change deleted. */
  readonly deletedWith?: Change | undefined
}

/**
 * Reads changes of the business, its sites and their connectors, the newest first. Resolves to why it
 * could not, or to nothing when a newer read has taken its place.
 */
export type ReadChanges = (query: ChangeQuery) => Promise<readonly Change[] | Problem | undefined>

/**
 * The data core of the web app: no React, no words. A data call that fails resolves to the problem and
 * leaves the state as it was (spec 8); a problem that nobody awaits is put on `notices`.
 */
export interface Store {
  readonly getState: () => State
  /** Called after every change of what the store tells; returns the way to stop. */
  readonly subscribe: (listener: () => void) => () => void
  readonly getNotices: () => readonly Notice[]
  readonly dismiss: (noticeId: string) => void
  /** Has something that was sent or asked for come to a standstill? */
  readonly isStalled: () => boolean
  /** Gives up what is on its way, as if it had timed out. */
  readonly giveUp: () => void

  /** Is there a session whose token has not expired? */
  readonly isSignedIn: () => boolean
  /** True while the session ended on its own under an open page, until signed in again. */
  readonly isExpired: () => boolean
  /** Is everything here that an owner can do? Screens of owners wait for it. */
  readonly isReady: () => boolean
  /** Resolves when it is; rejects when it cannot be fetched. */
  readonly ready: () => Promise<void>
  /** At start-up: refreshes the session and loads the data when signed in; sends unfinished work. */
  readonly start: () => Promise<void>
  /** Leaves for the sign-in provider; `returnTo` is the path to reach afterwards. */
  readonly beginSignIn: (returnTo: string) => Promise<void>
  /**
   * Finishes the sign-in with the provider's answer in `search`; resolves to the path to go to.
   * Nothing happens without an answer in it. The answer can be used once: take it out of the address.
   */
  readonly completeSignIn: (search: string) => Promise<string | undefined>
  /** Clears the session and all state. */
  readonly signOut: () => void
  /** Ends every session of the account, in every browser, and signs out here. */
  readonly endSessions: () => Promise<Result<void>>
  /** Where everything of the account can be saved from, in the next minutes. */
  readonly exportAddress: () => Promise<Result<string>>
  /** Deletes the account with all that belongs to it, and signs out. */
  readonly deleteAccount: () => Promise<Result<void>>
  /** What signing out now would lose: drafts, and changes that have not reached the server. */
  readonly unsent: () => { readonly drafts: number; readonly changes: number }

  /** When the data on the screen was read, if it comes from this device; nothing once it is fresh. */
  readonly savedAt: () => number | undefined
  /** The writes that wait for a connection, in the order in which they will be sent. */
  readonly waiting: () => readonly Waiting[]
  /** The place for what stands in a form. */
  readonly draft: (form: FormName) => DraftSlot
  /** The drafts of the signed-in user, newest first; the same list until one changes. */
  readonly drafts: () => readonly ListedDraft[]
  /**
   * Chooses the new site that a form is about: `wanted`; else the draft that this tab had, or the
   * newest that no other tab has open; else one without a draft. It is this tab’s until `release`.
   */
  readonly openNewSite: (wanted: string | undefined) => Promise<OpenNewSite>

  readonly load: () => Promise<Result<BusinessView | null>>
  readonly updateUser: (changes: { name?: string; onboarded?: boolean }) => Promise<Result<User>>
  readonly createBusiness: (input: BusinessInput, how?: WriteOptions) => Promise<Result<SavedWrite>>
  readonly updateBusiness: (
    changes: BusinessInput,
    how?: WriteOptions,
  ) => Promise<Result<SavedWrite>>

  /** A new record id. */
  readonly newId: () => string
  readonly searchAddresses: SearchAddresses
  readonly readChanges: ReadChanges
  /**
   * Creates the site `id`, then its connectors in parallel; a second call with the same ids finishes
   * what is missing. If the site is saved and a connector is not, the refusal tells which.
   */
  readonly createSite: (
    id: string,
    fields: SiteInput,
    connectors: readonly ConnectorInput[],
    photos: readonly File[],
    how?: WriteOptions,
  ) => Promise<Result<SavedWrite>>
  /** Reads one site for editing, with the version that a save has to name. */
  readonly readSite: (id: string, isAwaited?: () => boolean) => Promise<Result<ReadSite>>
  /**
   * Sends only what differs: fields and photos, one request each, then the order of the photos, then one
   * request a connector, in parallel. Nothing is sent if nothing differs, or for a site that is not
   * in `data`. A photo or a connector that fails keeps nothing else from arriving.
   */
  readonly updateSite: (
    id: string,
    edit: SiteEdit,
    how?: SiteWriteOptions,
  ) => Promise<Result<SavedWrite>>
  /**
   * Creates a record of a plain collection under an id of `newId`; a second call with the same id finishes
   * the first. Once it is stored, or kept, it is in the state.
   */
  readonly createRecord: <N extends string>(
    collection: N,
    id: string,
    fields: PlainInput<N>,
    how?: WriteOptions,
  ) => Promise<Result<SavedWrite>>
  /** Sends what differs; nothing for a record that is not in `data`. */
  readonly updateRecord: <N extends string>(
    collection: N,
    id: string,
    changes: Partial<PlainInput<N>>,
    how?: WriteOptions,
  ) => Promise<Result<SavedWrite>>
  /** Deletes a record, and what waits to be sent about it. */
  readonly removeRecord: (
    collection: string,
    id: string,
    how?: WriteOptions,
  ) => Promise<Result<SavedWrite>>
  /**
   * Sets fields of many sites: at once in the state, then in requests that are whole or not at
   * all, and kept on the device until all are answered. `bulkUpdate` tells how far it is.
   * @returns how many sites it changes: those that do not have the values yet
   */
  readonly updateSites: (ids: readonly string[], fields: FieldsOfSites) => number
  /** Gives the sites of the last change what they had, but for those that were changed since. */
  readonly undoUpdateSites: () => void
  /** The last change of many sites, until it is dismissed or another begins. */
  readonly bulkUpdate: () => BulkUpdate | undefined
  readonly dismissBulkUpdate: () => void
  /** The site leaves the state at once and is deleted after the undo time, connectors first. */
  readonly deleteSite: (id: string) => void
  readonly undoDelete: (id: string) => void
  /** Stops the undo time, while the person looks at the offer; it then starts anew. */
  readonly holdDelete: (id: string, held: boolean) => void
  /** Sites that were deleted and can still be brought back, until a time; Infinity while held. */
  readonly pendingDeletes: () => readonly { id: string; name: string; until: number }[]
}

/** The part of the store that needs nobody to be signed in: a first visit does with it alone. */
export type GuestCalls = Pick<
  Store,
  | 'getState'
  | 'subscribe'
  | 'getNotices'
  | 'dismiss'
  | 'isSignedIn'
  | 'isExpired'
  | 'isReady'
  | 'ready'
  | 'start'
  | 'beginSignIn'
  | 'completeSignIn'
  | 'signOut'
  | 'updateUser'
  | 'newId'
>
