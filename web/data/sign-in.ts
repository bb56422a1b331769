import type PocketBase from 'pocketbase'

import { API, OAUTH_PROVIDER, REDIRECT_PATHS } from '#domain/paths.ts'
import { USERS } from '#domain/collection.ts'
import { parseJson } from '#domain/json.ts'
import type { User } from '#domain/user.ts'

import { Failed, Failure, toProblem } from './client.ts'
import type { Core } from './core.ts'
import type { TextStorage } from '../storage.ts'
import type { Problem, Result, Store } from './state.ts'

/** The sign-in state that survives the redirect to the provider and back. */
interface PendingSignIn {
  readonly state: string
  readonly codeVerifier: string
  readonly provider: string
  /** The expected issuer; empty if the server does not name it. */
  readonly issuer: string
  readonly redirectURL: string
  readonly returnTo: string
}

const PENDING_KEY = 'voltleaf:sign-in'

type SignIn = Pick<Store, 'beginSignIn' | 'completeSignIn'>

/**
 * The sign-in of spec 4, by a full-page redirect, because popups fail on phones and in web views. `signedIn` runs after
 * a new session, to load its data.
 */
export const createSignIn = (core: Core, signedIn: () => Promise<unknown>): SignIn => {
  const { env, session } = core

  const beginSignIn = async (returnTo: string): Promise<void> => {
    session.clear()
    // A page with an expired session keeps its state: the provider may be unreachable.
    if (!core.isExpired()) core.reset(null)
    await core.attempt(
      { action: 'signIn', waits: true, anonymous: true, retry: () => void beginSignIn(returnTo) },
      async (client, scope) => {
        const { oauth2 } = await client.collection(USERS).listAuthMethods()
        scope.check()
        const provider = oauth2.providers.find(({ name }) => name === OAUTH_PROVIDER)
        if (provider === undefined) throw ofProvider(0, (oauth2 as { problem?: string }).problem)
        const pending: PendingSignIn = {
          state: provider.state,
          codeVerifier: provider.codeVerifier,
          provider: provider.name,
          issuer: (provider as { issuer?: string }).issuer ?? '',
          redirectURL: env.origin + env.basePath + REDIRECT_PATHS[0],
          returnTo: sameOriginPath(returnTo, env.origin),
        }
        // Without it, the response of the provider could not be accepted.
        if (!env.sessionStorage.set(PENDING_KEY, JSON.stringify(pending)))
          throw new Failure('storage')
        env.redirect(provider.authURL + encodeURIComponent(pending.redirectURL))
      },
    )
  }

  const exchange = async (search: string): Promise<string | undefined> => {
    const answer = new URLSearchParams(search)
    const code = answer.get('code')
    const refusal = answer.get('error')
    if (code === null && refusal === null) return undefined
    const pending = popPending(env.sessionStorage)
    const isOurs = pending !== undefined && belongs(pending, answer)
    // Any page can link here, and the history may contain an old response. Neither ends a valid session, and nor does a
    // refusal end the session of another tab that has signed in meanwhile.
    if (session.isValid() && (!isOurs || refusal !== null))
      return isOurs ? pending.returnTo : HOME_OF_OWNERS
    // A valid session of another tab that has signed in meanwhile is kept until it is replaced.
    if (!session.isValid()) {
      session.clear()
      core.reset(null)
    }
    const { value } = await core.attempt(
      {
        action: 'signIn',
        waits: true,
        anonymous: true,
        retry: () => void beginSignIn(pending?.returnTo ?? HOME_OF_OWNERS),
      },
      async (client, scope) => {
        if (!isOurs) throw new Failure('mismatch')
        if (refusal === 'access_denied') throw new Failure('cancelled')
        const asked =
          code === null
            ? // The server logs the cause, and who can fix it.
              client.send<never>(API.authWithOAuth2(USERS), {
                method: 'POST',
                body: { provider: pending.provider, error: refusal },
              })
            : redeem(client, code, pending)
        const result = await asked.catch((error: unknown) => {
          throw asProviderFailure(toProblem(error))
        })
        scope.check()
        session.save(result.token, result.record)
        if (!session.isValid()) {
          session.clear()
          throw new Failure('clock')
        }
        begin(result.record, result.meta?.['name'])
        return pending.returnTo
      },
    )
    return value ?? (session.isValid() ? pending?.returnTo : undefined)
  }

  /** Steps 3 and 4 of spec 4: stores the user, loads the data, and updates the name. */
  const begin = (user: User, profileName: unknown): void => {
    core.reset(user, true)
    const scope = core.scope()
    void signedIn()
    scope.dispatch({ type: 'idle' })
    if (typeof profileName === 'string' && profileName !== '' && profileName !== user.name)
      void updateUser(core, { name: profileName })
  }

  // A screen may request the same response twice (React runs effects twice in development).
  let last: { search: string; outcome: Promise<string | undefined> } | undefined
  const completeSignIn = (search: string): Promise<string | undefined> => {
    if (last?.search !== search) last = { search, outcome: exchange(search) }
    return last.outcome
  }

  return { beginSignIn, completeSignIn }
}

/** Updates the user's own record; the response becomes part of the session. */
export const updateUser = (
  core: Core,
  changes: Parameters<Store['updateUser']>[0],
): Promise<Result<User>> =>
  core.attempt(
    { action: 'updateUser', retry: () => void updateUser(core, changes) },
    async (client, scope) => {
      const record = await client.collection(USERS).update<User>(scope.user.id, changes)
      core.session.syncFromStorage()
      scope.check()
      core.session.save(core.session.token(), record)
      scope.dispatch({ type: 'user', user: record })
      return record
    },
  )

/** Exchanges a code. With the token of another tab, the server would link the identity to the account of that tab. */
const redeem = (
  client: PocketBase,
  code: string,
  { provider, codeVerifier, redirectURL }: PendingSignIn,
) =>
  client
    .collection(USERS)
    .authWithOAuth2Code<User>(provider, code, codeVerifier, redirectURL, undefined, {
      headers: { Authorization: '' },
    })

/** A failed exchange is the provider's failure, unless the server itself was unreachable or overloaded. */
const asProviderFailure = ({ kind, status, fields }: Problem): Failed =>
  ['offline', 'tooMany', 'unavailable'].includes(kind)
    ? new Failure(kind, status)
    : ofProvider(status, fields['provider']?.code)

const ofProvider = (status: number, code = ''): Failed =>
  new Failed({ kind: 'provider', status, fields: { provider: { code } } })

/** Reads and removes the pending sign-in of this tab. */
const popPending = (storage: TextStorage): PendingSignIn | undefined => {
  const text = storage.get(PENDING_KEY)
  storage.remove(PENDING_KEY)
  return (parseJson(text) as PendingSignIn | null) ?? undefined
}

const HOME_OF_OWNERS = '/dashboard'

/** Returns whether the response belongs to the pending sign-in (RFC 9700, 4.7 and 4.4). */
const belongs = (pending: PendingSignIn, answer: URLSearchParams): boolean => {
  const iss = answer.get('iss')
  const isFromOther = iss !== null && pending.issuer !== '' && iss !== pending.issuer
  return answer.get('state') === pending.state && !isFromOther
}

/** Restricts the redirect after a sign-in to paths of this origin. */
const sameOriginPath = (path: string, origin: string): string => {
  if (!path.startsWith('/')) return HOME_OF_OWNERS
  const url = new URL(path, origin)
  // `/.//host` stays on this origin, but its normalized path `//host` would not.
  const safe = url.origin === origin && !url.pathname.startsWith('//')
  return safe ? url.pathname + url.search + url.hash : HOME_OF_OWNERS
}
