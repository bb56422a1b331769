import { parseJson } from '#domain/json.ts'
import type { User } from '#domain/user.ts'

import type { Environment } from './environment.ts'

/** Local storage key of the session: key and format are those of the official SDK. */
export const SESSION_KEY = 'pocketbase_auth'

/** The session of this browser: a token and its user. */
export interface Session {
  /** The token, or empty. */
  readonly token: () => string
  readonly user: () => User | null
  /** Returns whether there is a token that has not expired (spec 4). */
  readonly isValid: () => boolean
  /** Returns whether the server has accepted this session since the page was opened. */
  readonly isVerified: () => boolean
  readonly save: (token: string, user: User) => void
  /** Adopts what another tab has stored, even before its event arrives, so that nothing older is saved over it. */
  readonly syncFromStorage: () => void
  /** Clears the session, in every tab. */
  readonly clear: () => void
  /** Marks the token as no longer accepted. It stays stored, so that each tab finds out itself. */
  readonly revoke: () => void
}

/** Events of a session. */
export interface SessionEvents {
  /** Another tab signed in, signed out, or renewed the session. */
  readonly changed: () => void
  /** The token has expired while the page was open. */
  readonly expired: () => void
  /** The session is a day old and due for renewal. */
  readonly due: () => void
}

/** A session as it is stored. */
export interface StoredSession {
  readonly token: string
  readonly record: User
}

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Opens the session in local storage. It is held in memory and follows other tabs by event: if storage were read
 * each time, a request of one user could carry the token of the next.
 */
export const openSession = (env: Environment, events: SessionEvents): Session => {
  let raw = env.localStorage.get(SESSION_KEY)
  let current = parseSession(raw)
  let revoked = false
  let verified = false
  let renewedAt = env.now()
  let cancelTimer = () => {}

  const isValid = (): boolean => current !== null && !revoked && expiryOf(current.token) > env.now()

  const watch = (): void => {
    cancelTimer()
    if (current === null || !isValid()) return
    const next = Math.min(expiryOf(current.token), renewedAt + DAY_MS)
    cancelTimer = env.after(next - env.now(), check)
  }
  let wasValid = isValid()
  const check = (): void => {
    if (wasValid && !isValid() && current !== null) {
      wasValid = false
      events.expired()
    } else if (isValid() && env.now() - renewedAt >= DAY_MS) {
      renewedAt = env.now()
      events.due()
    }
    watch()
  }
  const adopt = (text: string | null): void => {
    const next = parseSession(text)
    if (next?.token !== current?.token) renewedAt = env.now()
    raw = text
    current = next
    revoked = false
    wasValid = isValid()
    watch()
  }
  const syncFromStorage = (): void => {
    const stored = env.localStorage.get(SESSION_KEY)
    if (stored === raw) return
    adopt(stored)
    events.changed()
  }

  env.on('storage', (key) => {
    // A null key means that the storage was cleared.
    if (key === SESSION_KEY || key === null) syncFromStorage()
  })
  env.on('visible', () => {
    // Timers stop while the device sleeps, and a frozen page receives no storage events.
    syncFromStorage()
    check()
  })
  watch()

  return {
    token: () => current?.token ?? '',
    user: () => current?.record ?? null,
    isValid,
    isVerified: () => verified,
    save: (token, record) => {
      verified = true
      const text = JSON.stringify({ token, record })
      env.localStorage.set(SESSION_KEY, text)
      adopt(text)
      // If there was no room, the former value is still stored, and must not be taken for a change by another tab.
      raw = env.localStorage.get(SESSION_KEY)
    },
    syncFromStorage,
    clear: () => {
      verified = false
      env.localStorage.remove(SESSION_KEY)
      adopt(null)
    },
    revoke: () => {
      revoked = true
      wasValid = false
      cancelTimer()
    },
  }
}

/** Parses a stored session; null if there is none, or it is invalid. */
export const parseSession = (text: string | null): StoredSession | null => {
  const value = parseJson(text) as Partial<StoredSession> | null | undefined
  if (typeof value?.token !== 'string' || typeof value.record?.id !== 'string') return null
  return { token: value.token, record: value.record }
}

/** The expiry of a token, in milliseconds; 0 if it is malformed, infinity without `exp`. */
export const expiryOf = (token: string): number => {
  const claims = claimsOf(token)
  if (claims === null) return 0
  return typeof claims.exp === 'number' ? claims.exp * 1000 : Number.POSITIVE_INFINITY
}

/** The user id in a token; undefined if it has none. */
export const userIdOf = (token: string): string | undefined => {
  const id = claimsOf(token)?.id
  return typeof id === 'string' ? id : undefined
}

const claimsOf = (token: string): { exp?: unknown; id?: unknown } | null => {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return JSON.parse(atob(payload)) as { exp?: unknown; id?: unknown } | null
  } catch {
    return null
  }
}
