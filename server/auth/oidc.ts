import { createHash } from 'node:crypto'

import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type Configuration,
} from 'openid-client'

import { OAUTH_PROVIDER } from '#domain/api.ts'
import { ApiError } from '#domain/error.ts'
import { isEmail } from '#domain/schema.ts'

import { Unavailable } from '../problem.ts'

/** The sign-in provider's settings. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: string
}

/** How a browser starts a sign-in (record interface 5.3). */
export interface AuthMethod {
  readonly name: string
  readonly displayName: string
  readonly logo: string
  readonly state: string
  readonly authURL: string
  readonly authUrl: string
  readonly codeVerifier: string
  readonly codeChallenge: string
  readonly codeChallengeMethod: string
  /** Who has to be named beside the code, where somebody is (RFC 9207). */
  readonly issuer: string
}

/** Who the provider says has signed in. `email` is empty unless the provider has verified it. */
export interface Profile {
  readonly issuer: string
  readonly id: string
  readonly name: string
  readonly username: string
  readonly email: string
  readonly avatarURL: string
  readonly accessToken: string
  readonly refreshToken: string
  /** When the access token ends; undefined when the provider does not say. */
  readonly expires: Date | undefined
  readonly raw: Readonly<Record<string, unknown>>
}

/** A sign-in provider that speaks OpenID Connect. */
export interface Oidc {
  /** @throws ApiError 503 when the provider cannot be reached */
  authMethod(): Promise<AuthMethod>
  /**
   * Exchanges the code for the profile. The id_token is verified, and it has to be the one of the
   * sign-in that the verifier belongs to.
   * @throws ApiError 400 when the provider refuses the code, or what it answers is not to be believed;
   *   503 when it does not answer
   */
  exchange(answer: Exchange): Promise<Profile>
}

/** What a browser came back with, and from where. */
export interface Exchange {
  readonly code: string
  readonly codeVerifier: string
  readonly redirectURL: string
}

/**
 * The nonce of the sign-in that a verifier belongs to (OpenID Connect Core 3.1.2.1). Being made of
 * it, it needs not be kept, and a code of another sign-in is refused even where the provider does
 * not insist on PKCE (RFC 9700, 4.5 and 4.8).
 */
const nonceOf = (codeVerifier: string): string =>
  createHash('sha256').update(`nonce ${codeVerifier}`).digest('base64url')

/**
 * A provider is asked for its endpoints when first needed, and again while it does not answer.
 * `onFailed` is called each time that it cannot be used.
 */
export const createOidc = (
  settings: OidcSettings & { readonly timeoutMs?: number },
  onFailed: () => void = () => {},
): Oidc => {
  const outOfReach = (cause: unknown): ApiError => {
    onFailed()
    return unavailable(cause)
  }
  let known: Promise<Configuration> | undefined
  const configuration = (): Promise<Configuration> => {
    known ??= discover(settings).catch((error: unknown) => {
      known = undefined
      throw outOfReach(error)
    })
    return known
  }
  return {
    authMethod: async () => {
      const codeVerifier = randomPKCECodeVerifier()
      const codeChallenge = await calculatePKCECodeChallenge(codeVerifier)
      const state = randomState()
      const config = await configuration()
      const url = buildAuthorizationUrl(config, {
        response_type: 'code',
        scope: settings.scopes,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        nonce: nonceOf(codeVerifier),
      })
      url.searchParams.delete('redirect_uri')
      // Clients append their own address as text (record interface 5.3).
      const authURL = `${url.href}&redirect_uri=`
      return {
        name: OAUTH_PROVIDER,
        displayName: 'OIDC',
        logo: '',
        state,
        authURL,
        authUrl: authURL,
        codeVerifier,
        codeChallenge,
        codeChallengeMethod: 'S256',
        issuer: config.serverMetadata().issuer,
      }
    },
    exchange: async ({ code, codeVerifier, redirectURL }) => {
      const config = await configuration()
      const answer = new URL(redirectURL)
      answer.search = new URLSearchParams({
        code,
        // The page that got the answer has compared it with the issuer of the sign-in it began.
        iss: config.serverMetadata().issuer,
      }).toString()
      const tokens = await authorizationCodeGrant(config, answer, {
        pkceCodeVerifier: codeVerifier,
        expectedNonce: nonceOf(codeVerifier),
        idTokenExpected: true,
      }).catch((cause: unknown) => {
        if (isOutOfReach(cause)) throw outOfReach(cause)
        // A code that the provider refuses is no failure of the provider.
        if (!(cause instanceof ResponseBodyError)) onFailed()
        throw new ApiError(400, 'Failed to fetch OAuth2 token.', {}, { cause: describe(cause) })
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new ApiError(400, 'Failed to fetch OAuth2 token.')
      const info = await fetchUserInfo(config, tokens.access_token, claims.sub).catch(
        (cause: unknown) => {
          if (isOutOfReach(cause)) throw outOfReach(cause)
          onFailed()
          throw new ApiError(400, 'Failed to fetch OAuth2 user.', {}, { cause: describe(cause) })
        },
      )
      const expiresInS = tokens.expiresIn()
      return {
        issuer: claims.iss,
        id: text(claims.sub),
        name: text(info.name),
        username: text(info.preferred_username),
        email: String(info.email_verified) === 'true' ? address(info.email) : '',
        avatarURL: text(info.picture),
        accessToken: tokens.access_token,
        refreshToken: text(tokens.refresh_token),
        expires: expiresInS === undefined ? undefined : new Date(Date.now() + expiresInS * 1000),
        raw: info,
      }
    },
  }
}

const RETRY_AFTER_S = 5
const TIMEOUT_MS = 10_000

const unavailable = (cause: unknown): ApiError =>
  new ApiError(
    503,
    'The sign-in provider cannot be reached.',
    {},
    {
      cause: new Unavailable(`The sign-in provider is of no use: ${reasonOf(cause)}`),
      retryAfterS: RETRY_AFTER_S,
    },
  )

/** What the system says, or that the time was over; a provider's own words stay out of the log. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'for no reason'
  if (error.name === 'TimeoutError') return 'no answer in time'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const deeper = error.cause instanceof Error ? reasonOf(error.cause) : undefined
  return deeper ?? code ?? 'its answer cannot be read'
}

/** Nothing was answered, or something that says that another time it may: not a refusal. */
const isOutOfReach = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof ResponseBodyError) return false
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true
  if (error.cause instanceof Response) return error.cause.status >= 500
  if (error instanceof TypeError && error.message === 'fetch failed') return true
  return error.cause instanceof Error && isOutOfReach(error.cause)
}

const discover = ({
  issuer,
  clientId,
  clientSecret,
  timeoutMs = TIMEOUT_MS,
}: Parameters<typeof createOidc>[0]): Promise<Configuration> => {
  const url = new URL(issuer)
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return discovery(url, clientId, clientSecret, undefined, {
    timeout: timeoutMs / 1000,
    execute: [
      // Signatures are looked at although the id_token comes from the provider itself.
      enableNonRepudiationChecks,
      ...(url.protocol === 'http:' && loopback ? [allowInsecureRequests] : []),
    ],
  })
}

/** The provider's own words are for the log, not for the caller, and never its tokens. */
const describe = (cause: unknown): unknown =>
  cause instanceof ResponseBodyError
    ? new Error(`${cause.error}: ${cause.error_description}`)
    : cause

/** What a provider says goes into the database: trimmed, and without what no text may hold. */
const text = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '').trim() : ''

/** Only a plain address links accounts: letters that merely look or fold alike are somebody else's. */
const address = (value: unknown): string => (isEmail(text(value)) ? text(value) : '')
