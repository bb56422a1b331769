import type { Business } from '#domain/business.ts'
import type { Connector } from '#domain/connector.ts'
import type { Site } from '#domain/site.ts'
import type { User } from '#domain/user.ts'

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

/** The business with its sites, as the dashboard shows it. `fileSrc` is the logo's URL, or empty. */
export interface BusinessView extends Business {
  readonly fileSrc: string
  readonly sites: readonly SiteView[]
}

/** The whole client state (spec 3). `data` is null before it was loaded and when there is no business. */
export interface State {
  readonly data: BusinessView | null
  readonly user: User | null
  readonly loading: boolean
}

/** What an owner writes about a business. A logo that is null is removed. */
export interface BusinessInput {
  name?: string
  description?: string
  website?: string
  contact_email?: string
  logo?: File | null
}

/** What an owner writes about a site; numbers already read. */
export type SiteInput = Pick<
  Site,
  'name' | 'address' | 'latitude' | 'longitude' | 'vehicle_capacity' | 'status'
> &
  Partial<Pick<Site, 'contact_email' | 'contact_phone' | 'cost'>>

/** A connector of a form. The id is chosen in the browser, so that a retry never makes a second one. */
export type ConnectorInput = Omit<Connector, 'site'>

/** The change set of a connector list: what to create, to change, to delete. */
export interface ConnectorChanges {
  readonly create: readonly ConnectorInput[]
  readonly update: readonly ConnectorInput[]
  readonly remove: readonly string[]
}

/** What could not be done. Screens show it, with a retry where one makes sense. */
export interface Notice {
  readonly id: string
  /** Which call failed; the screen words it. */
  readonly action: Action
  readonly problem: Problem
  /** The site or business that it is about. */
  readonly subject?: string
  /** With `saveConnectors`: the connectors that failed, by id. */
  readonly failures?: ReadonlyMap<string, Problem>
  readonly retry?: () => void
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
  | 'removePhoto'
  | 'deleteSite'
  | 'saveConnectors'

/** Why a call failed, for people: `fields` are the server's field errors by wire name. */
export interface Problem {
  readonly kind:
    | 'offline'
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

/**
 * The data core of the web app: no React, no words. Every data call resolves to nothing when it
 * fails and then leaves the state as it was (spec 8); what failed is put on `notices`.
 */
export interface Store {
  readonly getState: () => State
  /** Called after every change of the state; returns the way to stop. */
  readonly subscribe: (listener: () => void) => () => void
  readonly getNotices: () => readonly Notice[]
  readonly subscribeNotices: (listener: () => void) => () => void
  readonly dismiss: (noticeId: string) => void

  /** Is there a session whose token has not expired? */
  readonly isSignedIn: () => boolean
  /** True while the session ended on its own under an open page, until signed in again. */
  readonly isExpired: () => boolean
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
  /** Number of changes that have not reached the server yet. */
  readonly unsentCount: () => number

  readonly load: () => Promise<BusinessView | undefined>
  readonly updateUser: (changes: {
    name?: string
    onboarded?: boolean
  }) => Promise<User | undefined>
  readonly createBusiness: (input: BusinessInput) => Promise<BusinessView | undefined>
  readonly updateBusiness: (changes: BusinessInput) => Promise<BusinessView | undefined>

  /** A new record id. */
  readonly newId: () => string
  /**
   * Creates the site `id`, then its connectors in parallel; a second call with the same ids finishes
   * what is missing. Resolves to the site once it is saved; connectors that failed are not in it
   * and are told by a notice `saveConnectors` about the site.
   */
  readonly createSite: (
    id: string,
    input: SiteInput,
    connectors: readonly ConnectorInput[],
    photos: readonly File[],
  ) => Promise<SiteView | undefined>
  /** Reads one site for editing, with the version that a save has to name. */
  readonly readSite: (id: string) => Promise<{ site: SiteView; etag: string } | undefined>
  /**
   * Sends only what differs. Nothing is sent when nothing does (then it resolves to the site as it
   * is), or for a site that is not in `data` (then to nothing).
   */
  readonly updateSite: (
    id: string,
    changes: Partial<SiteInput>,
    photos: readonly File[],
    etag?: string,
  ) => Promise<SiteView | undefined>
  readonly removePhoto: (id: string, photoName: string) => Promise<SiteView | undefined>
  /** One call a connector, in parallel. Resolves to the ids that failed, with why. */
  readonly saveConnectors: (
    siteId: string,
    changes: ConnectorChanges,
  ) => Promise<ReadonlyMap<string, Problem>>
  /** The site leaves the state at once and is deleted after the undo time, connectors first. */
  readonly deleteSite: (id: string) => void
  readonly undoDelete: (id: string) => void
  /** Stops the undo time, while the person looks at the offer; it then starts anew. */
  readonly holdDelete: (id: string, held: boolean) => void
  /** Sites that were deleted and can still be brought back, until a time; Infinity while held. */
  readonly pendingDeletes: () => readonly { id: string; name: string; until: number }[]
  readonly subscribePending: (listener: () => void) => () => void
}
