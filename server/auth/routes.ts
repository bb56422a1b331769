import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { API, NOT_OFFERED, notOfferedPath, SERVICE_API, type MailPurpose } from '#domain/paths.ts'
import type { LinkedCollection } from '#domain/collection.ts'
import { SCHEMA } from '#domain/collections.ts'
import { ApiError, MISCONFIGURED } from '#domain/error.ts'
import { pickLanguage, type Language } from '#domain/language.ts'

import { callerOf } from '../caller.ts'
import { SMALL_BODY_BYTES } from '../limits.ts'
import { discardUploads, readSubmission } from '../http/body.ts'
import { answerError, sendJson } from '../http/respond.ts'
import { pickFrom, fieldsBelow, parseFields, type Records } from '../records/records.ts'
import { IDENTITY_FIELDS, loadError, tokenOf, type Auth, type SignedIn } from './auth.ts'
import type { Recovery } from './recovery.ts'

type Params = { collection: string; id: string }
type Query = { fields?: string; expand?: string }
type Request = FastifyRequest<{ Params: Params; Querystring: Query }>

export interface AuthRoutesDeps {
  readonly auth: Auth
  readonly recovery: Recovery
  readonly records: Records
  readonly tempDir: string
  readonly basePath: string
  /** Whether the installation is served over HTTPS. */
  readonly isPublic: boolean
  /** Whether signing out also ends the session of the provider (`OIDC_SIGN_OUT`). */
  readonly signsOutAtProvider: boolean
}

/** The cookie that marks a browser after a sign-out: the next sign-in asks for the account. */
const SIGNED_OUT = 'signed_out'
const SIGNED_OUT_S = 30 * 24 * 60 * 60

const hasSignedOut = ({ headers }: FastifyRequest): boolean =>
  /(?:^|;\s*)signed_out=1(?:;|$)/.test(headers.cookie ?? '')

/** The errors of providers that reject a `prompt` (RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6). */
const PROMPT_REFUSALS = [
  'invalid_request',
  'account_selection_required',
  'interaction_required',
  'login_required',
]

const SIGN_IN = { config: { rateLimit: 'sign-in' } } as const

/** Sign-in over HTTP (record interface 5). */
export const authRoutes = (parent: FastifyInstance, deps: AuthRoutesDeps): void => {
  void parent.register(async (app) => {
    app.setErrorHandler(answerAuthError)
    app.addHook('onRoute', (route) => void (route.bodyLimit = SMALL_BODY_BYTES))
    providerRoutes(app, deps)
    sessionRoutes(app, deps)
    mailRoutes(app, deps)
    refusingRoutes(app)
  })
}

const providerRoutes = (app: FastifyInstance, deps: AuthRoutesDeps): void => {
  const { auth, records, tempDir, signsOutAtProvider } = deps
  const signedOutCookie = (maxAgeS: number): string =>
    `${SIGNED_OUT}=1; Path=${deps.basePath}/api; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${deps.isPublic ? '; Secure' : ''}`

  app.get(API.authMethods(':collection'), async (request: Request, reply) => {
    let problem: string | undefined
    const options = { asksForAccount: signsOutAtProvider && hasSignedOut(request) }
    const providers = await auth.authMethods(authCollection(request), options, (error) => {
      const err = error instanceof ApiError ? error.cause : error
      request.log.warn({ err }, 'the provider cannot sign anybody in')
      if (error instanceof ApiError && error.status === 400) problem = MISCONFIGURED
    })
    const methods = {
      mfa: { enabled: false, duration: 0 },
      otp: { enabled: false, duration: 0 },
      password: { enabled: true, identityFields: IDENTITY_FIELDS },
      oauth2: { enabled: providers.length > 0, providers, ...(problem && { problem }) },
      authProviders:
        providers.length > 0 ? providers.map(({ logo: _logo, ...provider }) => provider) : null,
      usernamePassword: false,
      emailPassword: true,
    }
    const picks = parseFields(request.query.fields ?? '')
    return reply.header('cache-control', 'no-store').send(pickFrom(picks, methods))
  })

  app.post(API.authWithOAuth2(':collection'), SIGN_IN, async (request: Request, reply) => {
    const collection = authCollection(request)
    const body = await readBody(request, tempDir)
    const error = textOf(body, 'error')
    // Clears the mark: otherwise each further attempt would ask for the account again, and be refused.
    if (hasSignedOut(request) && PROMPT_REFUSALS.includes(error))
      reply.header('set-cookie', signedOutCookie(0))
    const { profile, isNew, ...signedIn } = await auth.signIn(callerOf(request), collection, {
      provider: textOf(body, 'provider'),
      code: textOf(body, 'code'),
      error,
      codeVerifier: textOf(body, 'codeVerifier'),
      redirectURL: textOf(body, 'redirectURL') || textOf(body, 'redirectUrl'),
      createData: objectOf(body, 'createData'),
      language: languageOf(request),
    })
    if (hasSignedOut(request)) reply.header('set-cookie', signedOutCookie(0))
    return answerSession(records, request, reply, collection, signedIn, {
      id: profile.id,
      name: profile.name,
      username: profile.username,
      email: profile.email,
      avatarURL: profile.avatarURL,
      avatarUrl: profile.avatarURL,
      accessToken: profile.accessToken,
      refreshToken: profile.refreshToken,
      expiry: profile.expires?.toISOString().replace('T', ' ') ?? '',
      rawUser: profile.raw,
      isNew,
    })
  })

  app.post(API.providerSignOut, async (request: Request, reply) => {
    const url = await auth.endSessionURL(textOf(await readBody(request, tempDir), 'redirectURL'))
    void reply.header('cache-control', 'no-store')
    if (!signsOutAtProvider) return reply.send({ url: '' })
    return reply.header('set-cookie', signedOutCookie(SIGNED_OUT_S)).send({ url })
  })
}

const sessionRoutes = (app: FastifyInstance, { auth, records, tempDir }: AuthRoutesDeps): void => {
  app.post(API.authWithPassword(':collection'), SIGN_IN, async (request: Request, reply) => {
    const collection = authCollection(request)
    const body = await readBody(request, tempDir)
    const signedIn = await auth.signInWithPassword(collection, {
      identity: textOf(body, 'identity'),
      password: textOf(body, 'password'),
      identityField: textOf(body, 'identityField'),
      token: tokenOf(request),
    })
    return answerSession(records, request, reply, collection, signedIn)
  })

  app.post(API.authRefresh(':collection'), async (request: Request, reply) => {
    const collection = authCollection(request)
    const signedIn = await auth.refresh(
      callerOf(request),
      collection,
      tokenOf(request),
      languageOf(request),
    )
    return answerSession(records, request, reply, collection, signedIn)
  })

  // A flood with a stolen token must not keep the owner of the account from ending the session.
  const unqueued = { config: { skipsCallerQueue: true } }
  app.post(API.endSessions(':collection'), unqueued, async (request: Request, reply) => {
    await auth.endSessions(callerOf(request), authCollection(request))
    return done(reply)
  })

  app.post(SERVICE_API.impersonate(':collection', ':id'), async (request: Request, reply) => {
    const collection = authCollection(request)
    const body = await readBody(request, tempDir)
    const duration = body.get('duration') ?? 0
    const seconds = typeof duration === 'string' ? Number(duration) : duration
    if (typeof seconds !== 'number' || !Number.isInteger(seconds)) throw loadError()
    const { id } = request.params
    const signedIn = await auth.impersonate(callerOf(request), collection, id, seconds)
    return answerSession(records, request, reply, collection, signedIn)
  })
}

/** Sends a token and the record of its account. */
const answerSession = async (
  records: Records,
  request: Request,
  reply: FastifyReply,
  collection: LinkedCollection,
  { caller, token }: SignedIn,
  meta?: object,
): Promise<FastifyReply> => {
  const picks = parseFields(request.query.fields ?? '')
  const { body } = await records.get(caller, collection, caller.id ?? '', {
    picks: fieldsBelow(picks, 'record') || undefined,
    expand: request.query.expand ?? '',
  })
  const parts = {
    token: JSON.stringify(token),
    record: body,
    ...(meta !== undefined && {
      meta: JSON.stringify(pickFrom(fieldsBelow(picks, 'meta') || undefined, meta)),
    }),
  }
  const requested = Object.entries(parts).filter(([key]) => fieldsBelow(picks, key) !== false)
  const json = `{${requested.map(([key, value]) => `"${key}":${value}`).join(',')}}`
  return sendJson(reply.header('cache-control', 'no-store'), json)
}

const mailRoutes = (app: FastifyInstance, { recovery, tempDir }: AuthRoutesDeps): void => {
  const requestMail = (purpose: MailPurpose) => async (request: Request, reply: FastifyReply) => {
    const collection = authCollection(request)
    const email = textOf(await readBody(request, tempDir), 'email')
    const language = languageOf(request)
    await recovery.request(purpose, collection, email, { language, request: request.id })
    return done(reply)
  }
  const mails = { config: { rateLimit: 'mails' } } as const
  app.post(API.requestPasswordReset(':collection'), mails, requestMail('passwordReset'))
  app.post(API.requestVerification(':collection'), mails, requestMail('verification'))

  app.post(API.confirmPasswordReset(':collection'), async (request: Request, reply) => {
    const collection = authCollection(request)
    const body = await readBody(request, tempDir)
    await recovery.resetPassword(collection, {
      token: textOf(body, 'token'),
      password: textOf(body, 'password'),
      passwordConfirm: textOf(body, 'passwordConfirm'),
    })
    return done(reply)
  })

  app.post(API.confirmVerification(':collection'), async (request: Request, reply) => {
    const collection = authCollection(request)
    await recovery.verifyEmail(collection, textOf(await readBody(request, tempDir), 'token'))
    return done(reply)
  })
}

/** Endpoints that are not offered respond with 403 and the reason, not with 404. */
const refusingRoutes = (app: FastifyInstance): void => {
  for (const { action, why } of NOT_OFFERED)
    app.post(notOfferedPath(':collection', action), (request: Request) => {
      authCollection(request)
      throw new ApiError(403, why)
    })
}

const languageOf = ({ headers }: Request): Language => pickLanguage(headers['accept-language'])

const done = (reply: FastifyReply): FastifyReply =>
  reply.code(204).header('cache-control', 'no-store').send()

/** Responds to a malformed body with the message of these endpoints (record interface 1.4). */
const answerAuthError = (
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const unreadable = !(error instanceof ApiError) && error.statusCode === 400
  return answerError(unreadable ? loadError({}, error) : error, request, reply)
}

const authCollection = (request: Request): LinkedCollection => {
  const collection = SCHEMA.find(request.params.collection)
  if (collection?.auth) return collection
  throw new ApiError(404, 'Missing or invalid auth collection context.')
}

/** More than any of these bodies needs; files are discarded. */
const BODY_LIMITS = { maxFileBytes: 0, maxFiles: 1, maxTextBytes: 64 * 1024 }

/** The fields of a body in any encoding, without files. */
const readBody = async (
  request: Request,
  tempDir: string,
): Promise<ReadonlyMap<string, unknown>> => {
  try {
    const submission = await readSubmission(request, tempDir, BODY_LIMITS)
    await discardUploads(submission)
    return submission.fields
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw loadError({}, error)
    throw error
  }
}

/** @throws ApiError 400 if the value is not a text */
const textOf = (body: ReadonlyMap<string, unknown>, name: string): string => {
  const value = body.get(name) ?? ''
  if (typeof value !== 'string') throw loadError()
  return value
}

/** @throws ApiError 400 if the value is not an object */
const objectOf = (
  body: ReadonlyMap<string, unknown>,
  name: string,
): ReadonlyMap<string, unknown> => {
  const value = body.get(name) ?? {}
  if (typeof value !== 'object' || Array.isArray(value)) throw loadError()
  return new Map(Object.entries(value))
}
