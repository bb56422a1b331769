import type { FastifyRequest } from 'fastify'

import { MAX_IMPERSONATION_S, TOKEN_LIFETIME_S } from '#domain/limits.ts'
import { OAUTH_PROVIDER } from '#domain/paths.ts'
import { USERS, type LinkedCollection } from '#domain/collection.ts'
import { ApiError, fieldError } from '#domain/error.ts'
import type { Language } from '#domain/language.ts'

import { GUEST, unauthorized, type Caller } from '../caller.ts'
import { invalidInput } from '../problem.ts'
import type { Sql } from '../db/sql.ts'
import { randomText } from '../db/random.ts'
import { demandAttempt, SIGN_IN_ATTEMPTS } from './attempts.ts'
import { findOrCreateUser } from './linking.ts'
import type { Oidc, Profile } from './oidc.ts'
import type { Passwords } from './password.ts'
import { callbackRefusal } from './provider-errors.ts'
import { credentialError } from './recovery.ts'
import {
  accountColumn,
  endAccountSessions,
  openImpersonation,
  openPasswordSession,
  openUserSession,
  refreshSession,
  sweepSessions,
  type Attempt,
} from './sessions.ts'
import { authCollectionOf, type TokenClaims, type Tokens } from './token.ts'

export { firstErrors } from './credentials.ts'
export type { NewPassword, ReadPassword } from './credentials.ts'
export { accountColumn, actFor, stopActing } from './sessions.ts'

/** A session and its token. */
export interface SignedIn {
  readonly caller: Caller
  readonly token: string
}

/** The parameters with which the provider sends the browser back (record interface 5.4). */
interface OAuth2Answer {
  readonly provider: string
  readonly code: string
  /** The error parameter of a failed authorization. */
  readonly error: string
  readonly codeVerifier: string
  readonly redirectURL: string
  /** Values for a new user. */
  readonly createData: ReadonlyMap<string, unknown>
  readonly language: Language
}

/** The credentials of a sign-in with a password (record interface 5.6). */
interface PasswordAnswer {
  readonly identity: string
  readonly password: string
  readonly identityField: string
  /** The token of the request, which may have expired; or empty. */
  readonly token: string
}

export interface Auth {
  /** Reads the `Authorization` header. An invalid header makes the caller a guest, never an error. */
  identify(request: FastifyRequest): Promise<Caller>
  /** The available providers. Empty while the provider fails, which is reported to `onProblem`. */
  authMethods(
    collection: LinkedCollection,
    options: { readonly asksForAccount: boolean },
    onProblem: (error: unknown) => void,
  ): Promise<readonly Awaited<ReturnType<Oidc['authMethod']>>[]>
  /**
   * The URL that ends the browser's session at the provider and redirects to `redirectURL`; empty if the provider
   * has none.
   * @throws ApiError 400 for an address outside the installation
   */
  endSessionURL(redirectURL: string): Promise<string>
  /**
   * Signs in with the provider, and creates the user if there is none.
   * @throws ApiError 400 for a wrong provider, address or code, 403 if no provider is configured
   */
  signIn(
    caller: Caller,
    collection: LinkedCollection,
    answer: OAuth2Answer,
  ): Promise<SignedIn & { profile: Profile; isNew: boolean }>
  /**
   * Signs in with an address and a password. A failed attempt takes one statement and one hash, whether or not the
   * account exists. Clients with a token of the account are counted apart from all others.
   * @throws ApiError 400, which does not tell a wrong address from a wrong password; 429 after too many failed attempts
   */
  signInWithPassword(collection: LinkedCollection, answer: PasswordAnswer): Promise<SignedIn>
  /**
   * Issues a new token for a live session; the same token if the session may not be prolonged.
   * @throws ApiError 401 without a live session, 403 for a session of the other collection
   */
  refresh(
    caller: Caller,
    collection: LinkedCollection,
    token: string,
    language: Language,
  ): Promise<SignedIn>
  /**
   * Issues a token with which a superuser acts as another account for a limited time; it cannot be refreshed.
   * `duration` is in seconds; 0 is the lifetime of an ordinary session.
   * @throws ApiError 400, 401, 403 if the caller is no superuser, 404
   */
  impersonate(
    caller: Caller,
    collection: LinkedCollection,
    id: string,
    duration: number,
  ): Promise<SignedIn>
  /**
   * Ends every session of the caller's account, including the current one, together with their event streams, and
   * revokes the links in its mails.
   * @throws ApiError 401 without a live session, 403 for a session of the other collection
   */
  endSessions(caller: Caller, collection: LinkedCollection): Promise<void>
  /** Removes expired sessions and mailed links. */
  sweep(): Promise<void>
}

export interface AuthDeps {
  readonly sql: Sql
  readonly tokens: Tokens
  readonly oidc: Oidc | undefined
  readonly passwords: Passwords
  /** The maximum age of a session in seconds, refreshes included. */
  readonly maxSessionS: number
  /** The allowed redirect addresses after a sign-in. */
  readonly redirectURLs: readonly string[]
}

/** Long enough that two renewals in the same second differ. */
const RENEWAL_LENGTH = 8

/** The fields that identify an account in a sign-in. */
export const IDENTITY_FIELDS = ['email'] as const

export const createAuth = (deps: AuthDeps): Auth => {
  const { sql, tokens, oidc, passwords, maxSessionS, redirectURLs } = deps
  const lifetimeS = Math.min(TOKEN_LIFETIME_S, maxSessionS)
  const signedIn = async (
    superuser: boolean,
    id: string,
    sessionId: string,
    term = { lifetimeS, refreshable: true },
  ): Promise<SignedIn> => {
    const caller = { id, sessionId, superuser }
    return { caller, token: await tokens.sign(caller, term) }
  }
  const demandOwnURL = (redirectURL: string): void => {
    if (!redirectURLs.includes(redirectURL))
      throw loadError({ redirectURL: fieldError('validation_invalid_url') })
  }
  return {
    identify: async (request) => {
      const token = tokenOf(request)
      return token === '' ? GUEST : ((await tokens.verify(token)) ?? GUEST)
    },
    authMethods: async (collection, options, onProblem) => {
      if (oidc === undefined || collection.name !== USERS) return []
      return oidc.authMethod(options).then(
        (method) => [method],
        (error: unknown) => {
          onProblem(error)
          return []
        },
      )
    },
    endSessionURL: async (redirectURL) => {
      demandOwnURL(redirectURL)
      return (await oidc?.endSessionURL(redirectURL)) ?? ''
    },
    signIn: async (caller, collection, answer) => {
      if (collection.name !== USERS)
        throw new ApiError(403, 'The collection is not configured to allow OAuth2 authentication.')
      const { code, codeVerifier, redirectURL, createData, language } = answer
      const provider = providerOf(answer, oidc)
      demandOwnURL(redirectURL)
      const profile = await provider.exchange({ code, codeVerifier, redirectURL })
      const sessionId = caller.superuser ? null : caller.sessionId
      const found = await findOrCreateUser(sql, profile, {
        sessionId,
        createData,
        open: (transaction, userId) => openUserSession(transaction, userId, lifetimeS, language),
      })
      const session = await signedIn(false, found.userId, found.opened)
      return { ...session, profile, isNew: found.isNew }
    },
    signInWithPassword: async (collection, { token, ...credentials }) => {
      demandCredentials(credentials)
      const { identity, password } = credentials
      const former = await tokens.verifyFormer(token)
      const isOwn = former !== undefined && authCollectionOf(former.superuser).id === collection.id
      const known = await countAttempt(sql, collection, identity, isOwn ? former : NO_SESSION)
      const right = await passwords.verify(password, known.hash ?? undefined)
      const opened = right
        ? await openPasswordSession(sql, collection, known, lifetimeS)
        : undefined
      if (opened === undefined) throw new ApiError(400, 'Failed to authenticate.')
      return signedIn(accountColumn(collection) === 'superuser', opened.account, opened.id)
    },
    refresh: async (caller, collection, token, language) => {
      const own = authCollectionOf(caller.superuser)
      const isOwn = own.id === collection.id
      const limits = isOwn ? { lifetimeS, maxSessionS } : null
      const session = await refreshSession(sql, caller, limits, language)
      if (session === undefined) throw unauthorized()
      if (!isOwn) throw ofOther(own)
      if (!session.refreshable) return { caller, token }
      if (session.lifetimeS <= 0) throw unauthorized()
      const renewal = randomText(RENEWAL_LENGTH)
      const term = { lifetimeS: session.lifetimeS, refreshable: true, renewal }
      return signedIn(caller.superuser, session.account, session.id, term)
    },
    endSessions: async (caller, collection) => {
      const own = authCollectionOf(caller.superuser)
      const isOwn = own.id === collection.id
      if (!(await endAccountSessions(sql, caller, isOwn))) throw unauthorized()
      if (!isOwn) throw ofOther(own)
    },
    impersonate: async (caller, collection, id, duration) => {
      const term = { lifetimeS: duration || TOKEN_LIFETIME_S, refreshable: false }
      const wrong = durationError(duration)
      const opened = await openImpersonation(sql, caller, collection, {
        id: storable(id),
        lifetimeS: wrong === undefined ? term.lifetimeS : null,
      })
      if (opened === undefined) throw unauthorized()
      if (!opened.isSuperuser)
        throw new ApiError(403, 'The authorized record is not allowed to perform this action.')
      if (opened.account === null) throw new ApiError(404)
      if (wrong !== undefined) throw invalidInput({ duration: wrong })
      return signedIn(accountColumn(collection) === 'superuser', opened.account, opened.id, term)
    },
    sweep: () => sweepSessions(sql),
  }
}

/** @throws ApiError 400 without a code of the configured provider */
const providerOf = ({ provider, code, error }: OAuth2Answer, oidc: Oidc | undefined): Oidc => {
  const required = fieldError('validation_required')
  const unknown = fieldError('validation_invalid_provider', { name: provider })
  const known = provider === OAUTH_PROVIDER ? oidc : undefined
  const errors = {
    ...(known === undefined && { provider: provider === '' ? required : unknown }),
    ...(code + error === '' && { code: required }),
  }
  if (known === undefined || Object.keys(errors).length > 0) throw loadError(errors)
  if (code === '') throw callbackRefusal(error)
  return known
}

/** @throws ApiError 400 for credentials that no account can have */
const demandCredentials = ({
  identity,
  password,
  identityField,
}: Omit<PasswordAnswer, 'token'>): void => {
  const isKnown = identityField === '' || IDENTITY_FIELDS.some((field) => field === identityField)
  const errors = Object.entries({
    identity: credentialError(identity),
    password: credentialError(password),
    identityField: isKnown ? undefined : fieldError('validation_in_invalid'),
  }).filter(([, error]) => error !== undefined)
  if (errors.length > 0) throw invalidInput(Object.fromEntries(errors))
}

/** The token of a request, with or without the `Bearer` scheme; empty if there is none. */
export const tokenOf = (request: FastifyRequest): string =>
  request.headers.authorization?.replace(/^bearer\s+/i, '').trim() ?? ''

/** The response to an invalid body (record interface 1.4). */
export const loadError = (
  data: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): ApiError =>
  new ApiError(400, 'An error occurred while loading the submitted data.', data, { cause })

const ofOther = ({ name }: LinkedCollection): ApiError =>
  new ApiError(403, `The request requires auth record from ${name} collection.`)

const durationError = (duration: number) => {
  if (duration < 0)
    return fieldError('validation_min_greater_equal_than_required', { threshold: 0 })
  if (duration > MAX_IMPERSONATION_S)
    return fieldError('validation_max_less_equal_than_required', {
      threshold: MAX_IMPERSONATION_S,
    })
  return undefined
}

/** PostgreSQL stores neither U+0000 nor lone surrogates; a text with one matches no account. */
const storable = (text: string): string => (text.includes('\0') || !text.isWellFormed() ? '' : text)

const NO_SESSION = { id: '', sessionId: '' }

/**
 * Counts an attempt to sign in and reads the hash to compare with. One statement, whether or not the account exists, and
 * whether or not it has a password. Attempts are counted by a hash of the address; those of a client with a former session
 * of the account, by that session.
 * @throws ApiError 429 after too many failed attempts
 */
const countAttempt = async (
  sql: Sql,
  collection: LinkedCollection,
  email: string,
  former: Pick<TokenClaims, 'id' | 'sessionId'>,
): Promise<Attempt> => {
  const { max, windowS } = SIGN_IN_ATTEMPTS
  const [attempt] = await sql<[Attempt & { granted: number; leftS: number }]>`
    with account as (
      select r.id, p.hash from ${sql(collection.name)} r
      left join passwords p on p.${sql(accountColumn(collection))} = r.id
      where r.email <> '' and lower(r.email) = lower(${storable(email)})),
    counters as (
      select ${`password ${collection.name} `} || coalesce(
        (select ${former.sessionId} from account where id = ${former.id}),
        encode(sha256(convert_to(lower(${storable(email)}), 'UTF8')), 'hex')) as counter)
    select a.id, a.hash, c.counter, t.started::text, t.granted, t.left_s as "leftS"
    from counters c, lateral take_tokens(c.counter, 1, ${max}::int, ${windowS}::float8) t
    left join account a on true`
  demandAttempt(attempt, SIGN_IN_ATTEMPTS)
  return attempt
}
