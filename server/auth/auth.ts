import type { FastifyRequest } from 'fastify'

import { OAUTH_PROVIDER, TOKEN_LIFETIME_S } from '#domain/api.ts'
import { ID_LENGTH } from '#domain/collection.ts'
import { ApiError, fieldError } from '#domain/error.ts'
import { users } from '#domain/user.ts'

import type { Sql } from '../db/db.ts'
import { randomText } from '../db/random.ts'
import type { Oidc, Profile } from './oidc.ts'
import type { Tokens } from './token.ts'

/**
 * Who asks. The session is not yet proven to be alive: every statement looks it up itself, so that
 * a revoked one is a guest from that moment on.
 */
export interface Caller {
  readonly id: string | null
  readonly sessionId: string | null
  /** The record is a superuser's; the statement proves it. */
  readonly superuser: boolean
}

export const GUEST: Caller = { id: null, sessionId: null, superuser: false }

/** A fresh session of a user, and its token. */
export interface SignedIn {
  readonly caller: Caller
  readonly token: string
}

/** What a browser sends back from the provider (record interface 5.4). */
export interface OAuth2Answer {
  readonly provider: string
  readonly code: string
  readonly codeVerifier: string
  readonly redirectURL: string
}

export interface Auth {
  /** Reads the `Authorization` header; whatever is wrong with it makes a guest, never an error. */
  identify(request: FastifyRequest): Promise<Caller>
  /** The providers that can be signed in with; empty while the provider does not answer. */
  authMethods(): Promise<readonly Awaited<ReturnType<Oidc['authMethod']>>[]>
  /**
   * Signs in the person whom the provider names, and makes a user of one who is new.
   * @throws ApiError 400 for a wrong provider, address or code
   */
  signIn(answer: OAuth2Answer): Promise<SignedIn & { profile: Profile; isNew: boolean }>
  /** A new token for a live session. @throws ApiError 401 when there is none */
  refresh(caller: Caller): Promise<SignedIn>
  /** Removes sessions that have run out. */
  sweep(): Promise<void>
}

export interface AuthDeps {
  readonly sql: Sql
  readonly tokens: Tokens
  readonly oidc: Oidc | undefined
  /** The addresses of ours that a provider may send a browser back to. */
  readonly redirectURLs: readonly string[]
}

export const createAuth = ({ sql, tokens, oidc, redirectURLs }: AuthDeps): Auth => {
  const signedIn = async (userId: string, sessionId: string): Promise<SignedIn> => ({
    caller: { id: userId, sessionId, superuser: false },
    token: await tokens.sign({ id: userId, sessionId, superuser: false }),
  })
  return {
    identify: async (request) => {
      const header = request.headers.authorization?.replace(/^bearer\s+/i, '').trim()
      return header ? ((await tokens.verify(header)) ?? GUEST) : GUEST
    },
    authMethods: async () => {
      if (oidc === undefined) return []
      return oidc.authMethod().then(
        (method) => [method],
        () => [],
      )
    },
    signIn: async ({ provider, code, codeVerifier, redirectURL }) => {
      if (oidc === undefined || provider !== OAUTH_PROVIDER)
        throw loadError({ provider: fieldError('validation_invalid_provider', { name: provider }) })
      if (code === '') throw loadError({ code: fieldError('validation_required') })
      if (!redirectURLs.includes(redirectURL))
        throw loadError({ redirectURL: fieldError('validation_invalid_url') })
      const profile = await oidc.exchange(code, codeVerifier, redirectURL)
      const { userId, isNew } = await admitTwice(sql, profile)
      const sessionId = await openSession(sql, userId)
      return { ...(await signedIn(userId, sessionId)), profile, isNew }
    },
    refresh: async (caller) => {
      const sessionId = newSessionId()
      const [session] = await sql<{ user: string }[]>`
        insert into sessions (id, "user", expires)
        select ${sessionId}, s."user", now() + ${TOKEN_LIFETIME_S} * interval '1 second'
        from sessions s where s.id = ${caller.sessionId} and s.expires > now()
        returning "user"`
      if (session === undefined)
        throw new ApiError(401, 'The request requires valid record authorization token.')
      return signedIn(session.user, sessionId)
    },
    sweep: async () => {
      await sql`delete from sessions where expires < now()`
    },
  }
}

const loadError = (data: Readonly<Record<string, unknown>>): ApiError =>
  new ApiError(400, 'An error occurred while loading the submitted data.', data)

const SESSION_ID_LENGTH = 30
const newSessionId = (): string => randomText(SESSION_ID_LENGTH)

const openSession = async (sql: Sql, userId: string): Promise<string> => {
  const sessionId = newSessionId()
  await sql`
    insert into sessions (id, "user", expires)
    values (${sessionId}, ${userId}, now() + ${TOKEN_LIFETIME_S} * interval '1 second')`
  return sessionId
}

interface Admitted {
  readonly userId: string
  readonly isNew: boolean
}

const UNIQUE_VIOLATION = '23505'

/** Two first sign-ins of one person at once: the second finds what the first has made. */
const admitTwice = async (sql: Sql, profile: Profile): Promise<Admitted> => {
  try {
    return await admit(sql, profile)
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error
    return admit(sql, profile)
  }
}

/**
 * Finds the user of a profile: by the provider's own id for the person, else by an e-mail address
 * that both sides have verified; else makes one (record interface 5.4).
 */
const admit = (sql: Sql, profile: Profile): Promise<Admitted> =>
  sql.begin(async (transaction) => {
    const [linked] = await transaction<{ user: string }[]>`
      select "user" from external_auths
      where provider = ${profile.issuer} and provider_id = ${profile.id}`
    if (linked !== undefined) return { userId: linked.user, isNew: false }
    const [known] = await transaction<{ id: string }[]>`
      select id from users
      where ${profile.email} <> '' and lower(email) = lower(${profile.email}) and verified`
    const userId = known?.id ?? randomText(ID_LENGTH)
    if (known === undefined)
      await transaction`
        insert into users (id, name, username, email, verified)
        select ${userId}, ${shorten(profile.name, users.fields.name.max)},
          case when exists (select 1 from users where username = ${profile.username})
            then '' else ${shorten(profile.username, users.fields.username.max)} end,
          ${profile.email}, true`
    await transaction`
      insert into external_auths (provider, provider_id, "user")
      values (${profile.issuer}, ${profile.id}, ${userId})`
    return { userId, isNew: known === undefined }
  })

const shorten = (value: string, max: number): string =>
  Array.from(value.replaceAll('\0', '').trim()).slice(0, max).join('')
