/** What the data core needs from the machine it runs on, so that it also runs in Node. */
export interface Environment {
  /** Origin that the person is on. */
  readonly origin: string
  /** Path below which the installation lives: empty, or `/ev`. */
  readonly basePath: string
  /** The language that is shown now. */
  readonly language: () => string
  readonly localStorage: TextStorage
  readonly sessionStorage: TextStorage
  readonly objects: ObjectStorage
  /** Runs `task` while no other tab runs one under this name. */
  readonly lock: (name: string, task: () => Promise<void>) => Promise<void>
  /**
   * Keeps a name for this page until it lets go of it, or goes away; nothing while another tab has
   * it.
   */
  readonly claim: (name: string) => Promise<(() => void) | undefined>
  /** Does the machine say that it has a connection? It may be wrong. */
  readonly isOnline: () => boolean
  readonly fetch: (url: RequestInfo | URL, init?: RequestInit) => Promise<Response>
  /** A `fetch` that tells how much of the body has left. */
  readonly upload: (watch: ProgressWatch) => Environment['fetch']
  readonly now: () => number
  /** Runs `task` after a while; returns the way to prevent it. */
  readonly after: (delayMs: number, task: () => void) => () => void
  /** Leaves the app for another page. */
  readonly leaveFor: (url: string) => void
  /** A new record id. */
  readonly newId: () => string
  /** Tells the developers of an error that should not be possible. */
  readonly report: (error: unknown) => void
  /** Listens for as long as the page lives. `storage` tells the key that another tab changed. */
  on(event: 'storage', listener: (key: string | null) => void): void
  on(event: 'visible' | 'hidden' | 'hide' | 'restore' | 'online', listener: () => void): void
}

/** The part of `Storage` that is used. It never throws. */
export interface TextStorage {
  readonly get: (key: string) => string | null
  /** Tells whether the value could be stored: a device may be full, or refuse. */
  readonly set: (key: string, value: string) => boolean
  readonly remove: (key: string) => void
}

/**
 * Large or binary values that are kept on this device by key: photos, and the data last seen. Every
 * call rejects when the device is full or refuses storage.
 */
export interface ObjectStorage {
  readonly get: (key: string) => Promise<unknown>
  /** Resolves once the value is on the disk. */
  readonly set: (key: string, value: unknown) => Promise<void>
  readonly remove: (keys: readonly string[]) => Promise<void>
  /** The keys that begin with `prefix`. */
  readonly keys: (prefix: string) => Promise<readonly string[]>
}

/** Told how much of a body has left, from 0 to 1. */
export type ProgressWatch = (fraction: number) => void
