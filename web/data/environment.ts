import type { TextStorage } from '../storage.ts'

/** The environment that the data core needs, so that it also runs in Node. */
export interface Environment {
  /** The origin of the page. */
  readonly origin: string
  /** The base path of the installation: empty, or `/ev`. */
  readonly basePath: string
  /** The current language. */
  readonly language: () => string
  readonly localStorage: TextStorage
  readonly sessionStorage: TextStorage
  readonly objects: ObjectStorage
  /** Runs `task` while no other tab runs one under this name. */
  readonly lock: (name: string, task: () => Promise<void>) => Promise<void>
  /** Locks a name for this page until it is released or the page closes; undefined if another tab has locked it. */
  readonly tryLock: (name: string) => Promise<(() => void) | undefined>
  /** Returns whether the device reports a connection. It may be wrong. */
  readonly isOnline: () => boolean
  readonly fetch: (url: RequestInfo | URL, init?: RequestInit) => Promise<Response>
  /** A `fetch` that reports upload progress. */
  readonly upload: (watch: ProgressWatch) => Environment['fetch']
  readonly now: () => number
  /** Runs `task` after a delay; returns the function that cancels it. */
  readonly after: (delayMs: number, task: () => void) => () => void
  /** Navigates to a page outside the app. */
  readonly redirect: (url: string) => void
  /** A new record id. */
  readonly newId: () => string
  /** Reports an unexpected error to the developers. */
  readonly report: (error: unknown) => void
  /**
   * Calls `listener` when a navigation begins, until the returned function is called. The page may still stay. Only
   * while something is sent: Firefox keeps no page with such a listener in its back/forward cache.
   */
  readonly onLeave: (listener: () => void) => () => void
  /** Adds a listener for the lifetime of the page. `storage` passes the key that another tab changed. */
  on(event: 'storage', listener: (key: string | null) => void): void
  on(event: 'visible' | 'hidden' | 'hide' | 'restore' | 'online', listener: () => void): void
}

/**
 * Large or binary values stored on this device by key: photos and cached data. Every call rejects if the device is full,
 * refuses storage or does not answer in time.
 */
export interface ObjectStorage {
  readonly get: (key: string) => Promise<unknown>
  /** Resolves once the value is on the disk. */
  readonly set: (key: string, value: unknown) => Promise<void>
  readonly remove: (keys: readonly string[]) => Promise<void>
  /** The keys that begin with `prefix`. */
  readonly keys: (prefix: string) => Promise<readonly string[]>
}

/** Called with the fraction of the body that has been sent, from 0 to 1. */
export type ProgressWatch = (fraction: number) => void
