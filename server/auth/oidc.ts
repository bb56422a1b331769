import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type Configuration,
} from 'openid-client'

import { OAUTH_PROVIDER } from '#domain/api.ts'
import { ApiError } from '#domain/error.ts'
import { isEmail } from '#domain/schema.ts'

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
  /** @throws when the provider cannot be reached */
  authMethod(): Promise<AuthMethod>
  /**
   * Exchanges the code for the profile; the id_token is verified.
   * @throws ApiError 400 when the provider refuses the code
   */
  exchange(code: string, codeVerifier: string, redirectURL: string): Promise<Profile>
}

const TIMEOUT_S = 30

/** A provider is asked for its endpoints when first needed, and again while it does not answer. */
export const createOidc = (settings: OidcSettings): Oidc => {
  let known: Promise<Configuration> | undefined
  const configuration = (): Promise<Configuration> => {
    known ??= discover(settings).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
  return {
    authMethod: async () => {
      const codeVerifier = randomPKCECodeVerifier()
      const codeChallenge = await calculatePKCECodeChallenge(codeVerifier)
      const state = randomState()
      const url = buildAuthorizationUrl(await configuration(), {
        response_type: 'code',
        scope: settings.scopes,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
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
      }
    },
    exchange: async (code, codeVerifier, redirectURL) => {
      const config = await configuration().catch((cause: unknown) => {
        throw new ApiError(400, 'Failed to fetch OAuth2 token.', {}, { cause })
      })
      const answer = new URL(redirectURL)
      answer.search = new URLSearchParams({
        code,
        // The SDK does not pass the issuer on; the web app's own page has compared it.
        iss: config.serverMetadata().issuer,
      }).toString()
      const tokens = await authorizationCodeGrant(config, answer, {
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      }).catch((cause: unknown) => {
        throw new ApiError(400, 'Failed to fetch OAuth2 token.', {}, { cause: describe(cause) })
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new ApiError(400, 'Failed to fetch OAuth2 token.')
      const info = await fetchUserInfo(config, tokens.access_token, claims.sub).catch(
        (cause: unknown) => {
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

const discover = ({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> => {
  const url = new URL(issuer)
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return discovery(url, clientId, clientSecret, undefined, {
    timeout: TIMEOUT_S,
    ...(url.protocol === 'http:' && loopback && { execute: [allowInsecureRequests] }),
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
