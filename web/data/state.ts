import type { Business, businesses } from '#domain/business.ts'
import type { Change } from '#domain/change.ts'
import type { Connector } from '#domain/connector.ts'
import type { Duplicate } from '#domain/duplicate.ts'
import type { GeocodeAnswer } from '#domain/geocode.ts'
import type {
  Feed,
  Import,
  ImportCandidate,
  ImportChange,
  ImportedPrice,
  ImportCounts,
  ImportPatch,
  ImportProblem,
  ImportQuestion,
  ImportRow,
  ImportRowPatch,
  ImportedStation,
} from '#domain/import.ts'
import type { Mapping, TableColumns } from '#domain/import-source.ts'
import type { Coordinates } from '#domain/map-link.ts'
import type { Plain } from '#domain/plain.ts'
import type { InputOf, RecordOf } from '#domain/record.ts'
import type { PhotoCategory, Site, sites } from '#domain/site.ts'
import type { Repair } from '#domain/repair.ts'
import type { User } from '#domain/user.ts'
import type { Merged } from './merge.ts'

/** A stored photo as screens show it (spec 3): its file name and its URL. */
export interface Photo {
  readonly name: string
  readonly src: string
  /** What it shows; empty if that is not known. */
  readonly category: PhotoCategory | ''
}

/** A site with its photos as URLs and its connectors. */
export interface SiteView extends Omit<Site, 'photos' | 'photo_categories'> {
  readonly photos: readonly Photo[]
  readonly connectors: readonly Connector[]
}

/** A record of any plain collection (`domain/plain.ts`). */
export type PlainRecord = Readonly<Record<string, unknown>> & { readonly id: string }

/** A record of the named plain collection, as the app reads it. */
export type PlainView<N extends string> = N extends Plain['name']
  ? RecordOf<Extract<Plain, { readonly name: N }>, 'business' | 'collectionName'>
  : PlainRecord

/** The input fields of such a record. */
type PlainInput<N extends string> = N extends Plain['name']
  ? InputOf<Extract<Plain, { readonly name: N }>>
  : Readonly<Record<string, unknown>>

/** The business with its sites, as the dashboard shows it. `fileSrc` is the URL of the logo, or empty. */
export interface BusinessView extends Business {
  readonly fileSrc: string
  readonly sites: readonly SiteView[]
  /** The records of the plain collections, by collection, oldest first: see `recordsIn`. */
  readonly records: Readonly<Record<string, readonly PlainRecord[]>>
}

/** The client state (spec 3). `data` is null before it is loaded, and without a business. */
export interface State {
  readonly data: BusinessView | null
  readonly user: User | null
  readonly loading: boolean
}

/** The input of a business. A null logo is removed. */
export type BusinessInput = InputOf<typeof businesses> & { logo?: File | null }

/** The input of a site, with numbers parsed. */
export type SiteInput = InputOf<typeof sites>

/** A connector of a form. The client generates the id, so that a retry creates no duplicate. */
export type ConnectorInput = Omit<Connector, 'site'>

/** The upload state of a photo. */
export type PhotoPhase =
  | { readonly at: 'waiting' }
  /** `fraction` is the part that was sent, from 0 to 1; at 1 the server processes it. */
  | { readonly at: 'sending'; readonly fraction: number }
  /** `name` is undefined if an earlier request, whose response was lost, had stored it. */
  | { readonly at: 'stored'; readonly name: string | undefined }
  | { readonly at: 'failed'; readonly problem: Problem }

/** Called with the upload state of a photo; undefined when its upload has ended. */
export type PhotoWatch = (photo: File, phase: PhotoPhase | undefined) => void

/**
 * The form of a draft: `site:` and the id of the site (a new one has its id from the start), `business`, or the
 * name of a plain collection, `:` and the id of the record.
 */
export type FormName = 'business' | `${string}:${string}`

/** The content of a form to store. `values` is JSON in the form's own format. */
export interface DraftContent {
  readonly values: unknown
  readonly files: readonly File[]
}

/** A stored draft of an unsaved form. */
export interface Draft extends DraftContent {
  /** The time of the last write, in milliseconds. */
  readonly at: number
  /** True if the record is not on the server yet. */
  readonly isNew: boolean
  /** Number of files that could not be stored. */
  readonly lostFiles: number
  /** True if it is not a draft but a queued write. */
  readonly isQueued: boolean
}

/** A draft as lists show it. */
export interface ListedDraft {
  readonly form: FormName
  /** The time of the last write, in milliseconds. */
  readonly at: number
  /** True if the record is not on the server yet. */
  readonly isNew: boolean
  /** JSON in the form's own format. */
  readonly values: unknown
}

/** A new record whose form is open in this tab. */
interface OpenNew {
  readonly id: string
  /** Releases the draft to other tabs. */
  readonly release: () => void
}

/** Whether a draft was stored on the device: its text and its files. */
export interface DraftStatus {
  readonly at: number
  readonly text: boolean
  readonly files: boolean
}

/** Access to the draft of one form, for the user who was signed in when it was opened. */
export interface DraftSlot {
  readonly form: FormName
  readonly read: () => Promise<Draft | undefined>
  /** Stores the text synchronously, so that it can be called while the page closes. */
  readonly save: (content: DraftContent, isNew: boolean) => Promise<DraftStatus>
  readonly drop: () => void
}

/** A queued write that waits for a connection. */
export interface QueuedWrite {
  /** The id of the record. */
  readonly id: string
  readonly action: Action
  /** The time of the save, in milliseconds. */
  readonly at: number
}

/** An edit of a stored site; omitted parts stay unchanged. */
export interface SiteEdit {
  /** Fields equal to those of the site that the owner saw are not sent. */
  readonly fields?: Partial<SiteInput>
  /** All connectors that the site should have. */
  readonly connectors?: readonly ConnectorInput[]
  readonly newPhotos?: readonly File[]
  readonly removedPhotos?: readonly string[]
  /** The order of all photos, stored ones by name, if it differs from the upload order. */
  readonly photoOrder?: readonly (string | File)[] | undefined
  readonly photoCategories?: PhotoCategories
}

/** The categories of photos, stored ones by name; omitted photos stay as they are. */
export type PhotoCategories = readonly (readonly [photo: string | File, PhotoCategory | ''])[]

/** Options of a write. */
export interface WriteOptions {
  readonly watch?: PhotoWatch
  /**
   * Returns whether a screen shows the result; otherwise, and by default, a problem becomes a notice.
   */
  readonly isAwaited?: () => boolean
  /**
   * Queues the write on the device and sends it as soon as possible, exactly once; until then the state shows it
   * as an optimistic update. If the server refuses it, a notice names the `form`, whose draft holds `values` and
   * the files.
   */
  readonly queue?: boolean
  /** The values of the form, as JSON in its own format. */
  readonly values?: unknown
}

/** Options of the creation of a site. */
interface NewSiteOptions extends WriteOptions {
  readonly photoCategories?: PhotoCategories
}

/** Options of an update of a site. */
interface SiteWriteOptions extends WriteOptions {
  /** The site that the owner saw, if it is not the one in the state. */
  readonly base?: SiteView
  /** Its ETag: if outdated, the edit is merged with the changes since. */
  readonly etag?: string
}

/** The result of a write: sent, or queued on the device. */
export interface SavedWrite {
  readonly isQueued: boolean
  /** Another device has changed the site to `newer`; `result` has both changes. */
  readonly merged?: { readonly newer: SiteView; readonly result: Merged }
}

/** The result of a call: a value or a problem. Calls never reject. */
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
  /** The call or step that failed; `queue` if the device had no room. */
  readonly action: Action | 'queue'
  /** With `saveConnectors`: the problems of the failed connectors, by id. */
  readonly failures?: ReadonlyMap<string, Problem>
  /** True if a part of it has reached the server. */
  readonly hasBegun?: boolean
  /** The plain collection of the record. */
  readonly collection?: string
  /** With a conflict: the site as it is now. */
  readonly newer?: ReadSite
}

/** A site and its ETag, which an update has to send. */
export interface ReadSite {
  readonly site: SiteView
  readonly etag: string
}

/** A site left unchanged by a bulk update, and the reason. */
export interface RefusedSite {
  readonly id: string
  readonly name: string
  readonly problem: Problem
}

/** The new values of many sites: the same for all, or computed per site for the same fields. */
export type FieldsOfSites = Partial<SiteInput> | ((site: SiteView) => Partial<SiteInput>)

/** The last bulk update, in progress or done. */
export interface BulkUpdate {
  readonly id: string
  /** The names of the fields that the owner set. */
  readonly fields: readonly (keyof SiteInput)[]
  /** True if it undoes another bulk update. */
  readonly isUndo: boolean
  readonly total: number
  /** Number of finished sites. */
  readonly settled: number
  readonly isDone: boolean
  readonly refused: readonly RefusedSite[]
}

/** A failure to show, with a retry where one makes sense. */
export interface Notice {
  readonly id: string
  /** The failed call; the screen words it. */
  readonly action: Action
  readonly problem: Problem
  /** The id of the record. */
  readonly subject?: string
  /** The plain collection of that record. */
  readonly collection?: string
  /** With `saveConnectors`: the problems of the failed connectors, by id. */
  readonly failures?: ReadonlyMap<string, Problem>
  readonly retry?: () => void
  /** The form to which a refused queued write was returned. */
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

/** The reason for a failed call. `fields` are the server's field errors by wire name. */
export interface Problem {
  readonly kind:
    | 'offline'
    /** No progress for too long. */
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
    /** The clock of this device is so wrong that a new session counts as expired. */
    | 'clock'
    /** This browser stores no data for this origin, which the sign-in requires. */
    | 'storage'
    | 'unexpected'
  readonly status: number
  readonly fields: Readonly<Record<string, { code: string; params?: Record<string, unknown> }>>
}

/** A text to search for, coordinates to find the address of, or a short link of a map app to resolve. */
type AddressQuery =
  | { readonly text: string; readonly near?: Coordinates | undefined }
  | { readonly at: Coordinates }
  | { readonly link: string }

/**
 * Searches addresses. Resolves to a problem on failure, and to undefined when a newer search supersedes it. It does not
 * raise the loading flag and creates no notice.
 */
export type SearchAddresses = (query: AddressQuery) => Promise<GeocodeAnswer | Problem | undefined>

/** Selects the changes to read. */
export interface ChangeQuery {
  /** Only changes of this site and its connectors. */
  readonly site?: string | undefined
  /** Only changes older than this one. */
  readonly before?: Pick<Change, 'id' | 'created'> | undefined
  /** Only the connectors deleted together with the site of this change. */
  readonly deletedWith?: Change | undefined
  /** Only changes with this correlation id. */
  readonly correlationId?: string | undefined
  readonly perPage?: number | undefined
  /** Excludes these bulk updates and imports, by their correlation ids. */
  readonly without?: readonly string[] | undefined
}

/**
 * Reads changes of the business, its sites and their connectors, newest first. Resolves to a problem on failure,
 * and to undefined when a newer read supersedes it.
 */
export type ReadChanges = (query: ChangeQuery) => Promise<readonly Change[] | Problem | undefined>

/** The value of a request, or the problem. */
export type Answer<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: Problem }

/** The source of an import: a file, a pasted text, or a URL with its token. */
export type ImportSource =
  | { readonly file: File }
  | { readonly text: string }
  | { readonly url: string; readonly token: string }

/** An import as screens show it. */
export type ImportView = Omit<Import, 'columns' | 'counts' | 'problem'> & {
  readonly columns: TableColumns | null
  readonly counts: ImportCounts | null
  readonly problem: ImportProblem | null
  readonly created: string
  readonly updated: string
}

/** A row of the plan of an import. */
export type ImportRowView = Omit<
  ImportRow,
  | 'candidates'
  | 'duplicates'
  | 'station'
  | 'changes'
  | 'prices'
  | 'repairs'
  | 'questions'
  | 'problem'
  | 'records'
  | 'collectionName'
> & {
  readonly candidates: readonly ImportCandidate[] | null
  readonly duplicates: readonly Duplicate[] | null
  readonly changes: readonly ImportChange[] | null
  readonly prices: readonly ImportedPrice[] | null
  readonly repairs: readonly Repair[] | null
  readonly questions: readonly ImportQuestion[] | null
  readonly problem: ImportProblem | null
}

/** A feed as screens show it. */
export type FeedView = Omit<Feed, 'problem'> & { readonly problem: ImportProblem | null }

/** The input of a new feed. */
type FeedInput = Pick<Feed, 'name' | 'url' | 'missing' | 'apply'> & {
  readonly token: string
}

/** Selects rows of an import: those that match `filter`, from `after` on. */
interface RowQuery {
  readonly id: string
  /** A filter over the fields of rows; empty for all. */
  readonly filter: string
  /** The number of the last row that was read. */
  readonly after: number
}

/** Rows in the order of the source. */
interface RowPage {
  readonly items: readonly ImportRowView[]
  readonly isLast: boolean
}

/** A site that may exist already. */
interface Duplicated {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  /** The id of the site, if it is stored. */
  readonly site?: string | undefined
}

/** The imports and feeds of the owner. They are not in the state: an import may have 100,000 rows. Calls never reject. */
export interface Imports {
  /** Sends the source of an import; `watch` receives the fraction that was sent. */
  readonly begin: (
    source: ImportSource,
    watch: (fraction: number) => void,
  ) => Promise<Answer<ImportView>>
  /** The imports, the newest first. */
  readonly list: () => Promise<Answer<readonly ImportView[]>>
  readonly read: (id: string) => Promise<Answer<ImportView>>
  /** Calls `listener` whenever the server reports a change of the import; returns the function that unsubscribes. */
  readonly subscribe: (id: string, listener: (changed: ImportView) => void) => () => void
  /** A page of rows in the order of the source. */
  readonly rows: (query: RowQuery) => Promise<Answer<RowPage>>
  /** The imported record of a row, which lists leave out. */
  readonly station: (rowId: string) => Promise<Answer<ImportedStation | null>>
  readonly map: (id: string, mapping: Mapping) => Promise<Answer<ImportView>>
  readonly change: (id: string, patch: ImportPatch) => Promise<Answer<ImportView>>
  readonly changeRow: (
    id: string,
    number: number,
    patch: ImportRowPatch,
  ) => Promise<Answer<ImportRowView>>
  readonly run: (id: string) => Promise<Answer<ImportView>>
  readonly undo: (id: string) => Promise<Answer<ImportView>>
  readonly remove: (id: string) => Promise<Answer<unknown>>
  /** Sites that may be the same as the one being added: the owner's, and public ones of others. */
  readonly duplicates: (place: Duplicated) => Promise<Answer<readonly Duplicate[]>>
  readonly feeds: () => Promise<Answer<readonly FeedView[]>>
  readonly addFeed: (input: FeedInput) => Promise<Answer<FeedView>>
  readonly changeFeed: (
    id: string,
    changes: Partial<Pick<Feed, 'name' | 'is_active' | 'missing' | 'apply'>>,
  ) => Promise<Answer<FeedView>>
  /** Replaces the token that a feed is read with. */
  readonly setFeedToken: (id: string, token: string) => Promise<Answer<unknown>>
  /** Reads a feed now, so that its owner can review the plan. */
  readonly readFeed: (id: string) => Promise<Answer<ImportView>>
  readonly removeFeed: (id: string) => Promise<Answer<unknown>>
}

/**
 * The data core of the web app, without React and without user-facing text. A data call that fails resolves to the
 * problem and leaves the state unchanged (spec 8); a problem that no caller awaits is added to the notices.
 */
export interface Store {
  readonly getState: () => State
  /** Calls `listener` after every visible change; returns the function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
  readonly getNotices: () => readonly Notice[]
  readonly dismiss: (noticeId: string) => void
  /** Returns whether a request has stalled. */
  readonly isStalled: () => boolean
  /** Aborts the requests in flight, as if they had timed out. */
  readonly abortRequests: () => void

  /** Returns whether there is a session with an unexpired token. */
  readonly isSignedIn: () => boolean
  /** True while the session has expired under an open page, until the next sign-in. */
  readonly isExpired: () => boolean
  /** Returns whether the calls of owners are loaded. Screens of owners wait for it. */
  readonly isReady: () => boolean
  /** Resolves when they are loaded; rejects if loading fails. */
  readonly ready: () => Promise<void>
  /** Runs at start-up: refreshes the session, loads the data if signed in, and finishes queued writes. */
  readonly start: () => Promise<void>
  /** Redirects to the sign-in provider; `returnTo` is the path to open afterwards. */
  readonly beginSignIn: (returnTo: string) => Promise<void>
  /**
   * Finishes the sign-in with the provider's response in `search`; resolves to the path to open. Does nothing
   * without a response. The response can be used once: remove it from the address.
   */
  readonly completeSignIn: (search: string) => Promise<string | undefined>
  /** Clears the session and all state. */
  readonly signOut: () => void
  /** Ends all sessions of the account, in every browser, and signs out. */
  readonly endSessions: () => Promise<Result<void>>
  /** The URL of a download of all data of the account, valid for a few minutes. */
  readonly exportAddress: () => Promise<Result<string>>
  /** Deletes the account with all its data, and signs out. */
  readonly deleteAccount: () => Promise<Result<void>>
  /** The number of drafts and unsent changes that signing out would lose. */
  readonly unsent: () => { readonly drafts: number; readonly changes: number }

  /** The time of the data on the screen, if it comes from the cache; undefined once it is fresh. */
  readonly savedAt: () => number | undefined
  /** The queued writes that wait for a connection, in the order of sending. */
  readonly queuedWrites: () => readonly QueuedWrite[]
  /** The draft of a form. */
  readonly draft: (form: FormName) => DraftSlot
  /** The drafts of the signed-in user, newest first; the identical list until one changes. */
  readonly drafts: () => readonly ListedDraft[]
  /**
   * Selects the new record that a form is about: `wanted`, unless it was saved already; else the draft that this tab
   * had open, or the newest that no other tab has open; else one without a draft. It is locked for this tab until
   * `release`. `kind` is the first part of the name of the form.
   */
  readonly openNew: (kind: string, wanted: string | undefined) => Promise<OpenNew>

  readonly load: () => Promise<Result<BusinessView | null>>
  /** Reads all data in the background, without cancelling a load that a screen waits for; returns whether it could. */
  readonly reload: () => Promise<boolean>
  readonly updateUser: (changes: { name?: string; onboarded?: boolean }) => Promise<Result<User>>
  readonly createBusiness: (input: BusinessInput, how?: WriteOptions) => Promise<Result<SavedWrite>>
  readonly updateBusiness: (
    changes: BusinessInput,
    how?: WriteOptions,
  ) => Promise<Result<SavedWrite>>

  /** A new record id. */
  readonly newId: () => string
  readonly searchAddresses: SearchAddresses
  /** Loads the calls for imports and feeds; rejects if that fails. */
  readonly openImports: () => Promise<Imports>
  readonly readChanges: ReadChanges
  /** Resolves to the number of sites that a bulk update has changed, or of changes of an import, by its correlation id. */
  readonly countChanges: (correlationId: string) => Promise<number | Problem | undefined>
  /**
   * Creates the site `id`, then its connectors in parallel; a second call with the same ids creates what is
   * missing. If the site is stored but a connector is not, the refusal names the connector.
   */
  readonly createSite: (
    id: string,
    fields: SiteInput,
    connectors: readonly ConnectorInput[],
    photos: readonly File[],
    how?: NewSiteOptions,
  ) => Promise<Result<SavedWrite>>
  /** Reads one site for editing, with the ETag that an update has to send. */
  readonly readSite: (id: string, isAwaited?: () => boolean) => Promise<Result<ReadSite>>
  /**
   * Sends the differences: fields and photos, one request each, then the order of the photos, then one request per
   * connector, in parallel. Sends nothing if nothing differs, or if the site is not in `data`. A failed photo or
   * connector does not prevent the rest.
   */
  readonly updateSite: (
    id: string,
    edit: SiteEdit,
    how?: SiteWriteOptions,
  ) => Promise<Result<SavedWrite>>
  /**
   * Creates a record of a plain collection under an id of `newId`; a second call with the same id finishes the
   * first. Once stored or queued, the record is in the state.
   */
  readonly createRecord: <N extends string>(
    collection: N,
    id: string,
    fields: PlainInput<N>,
    how?: WriteOptions,
  ) => Promise<Result<SavedWrite>>
  /** Sends the changed fields; does nothing if the record is not in `data`. */
  readonly updateRecord: <N extends string>(
    collection: N,
    id: string,
    changes: Partial<PlainInput<N>>,
    how?: WriteOptions,
  ) => Promise<Result<SavedWrite>>
  /** Deletes a record immediately, without an undo period. The caller shows a failure. */
  readonly removeRecord: (collection: string, id: string) => Promise<Result<void>>
  /**
   * Sets fields of many sites: immediately in the state, then in atomic batches, queued on the device until all are
   * answered. `bulkUpdate` reports progress.
   * @returns the number of sites it changes: those that do not have the values yet
   */
  readonly updateSites: (ids: readonly string[], fields: FieldsOfSites) => number
  /** Restores the former values of the sites of the last bulk update, except those changed since. */
  readonly undoUpdateSites: () => void
  /** The last bulk update, until it is dismissed or another begins. */
  readonly bulkUpdate: () => BulkUpdate | undefined
  readonly dismissBulkUpdate: () => void
  /** Removes the site from the state immediately, and deletes it after the undo period, connectors first. */
  readonly deleteSite: (id: string) => void
  /**
   * The same for a record of a plain collection. `instead` replaces the references to it, immediately in the state and
   * in the same requests as the delete; an empty one clears them. Without it, a record that is referred to is kept.
   */
  readonly deleteRecord: (collection: string, id: string, instead?: string) => void
  readonly undoDelete: (id: string) => void
  /** Pauses the undo period while `isPaused`, for example on hover; it then restarts. */
  readonly pauseDelete: (id: string, isPaused: boolean) => void
  /** The deletes that can still be undone, until a time; Infinity while paused. */
  readonly pendingDeletes: () => readonly { id: string; name: string; until: number }[]
}

/** The part of the store that works without a session, and is all that a first visit loads. */
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
