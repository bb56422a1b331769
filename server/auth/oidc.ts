import { createHash } from 'node:crypto'

import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type ClientAuth,
  type Configuration,
  type ServerMetadata,
} from 'openid-client'

import { RETRY_AFTER_S } from '../limits.ts'
import { OAUTH_PROVIDER } from '#domain/paths.ts'
import { ApiError } from '#domain/error.ts'
import { isEmail } from '#domain/schema.ts'
import { users } from '#domain/user.ts'

import type { OidcSettings } from '../config.ts'
import { DependencyError } from '../problem.ts'
import { exchangeRefusal, oauthErrorOf, userInfoRefusal } from './provider-errors.ts'
import { providerFetch } from './provider-fetch.ts'

/** The start of a sign-in in a browser (record interface 5.3). */
interface AuthMethod {
  readonly name: string
  readonly displayName: string
  readonly logo: string
  readonly state: string
  readonly authURL: string
  readonly authUrl: string
  readonly codeVerifier: string
  readonly codeChallenge: string
  readonly codeChallengeMethod: string
  /** The issuer that `iss` in the response must name, if present (RFC 9207). */
  readonly issuer: string
}

/** The identity that the provider asserts. `email` is empty unless the provider has verified it. */
export interface Profile {
  readonly issuer: string
  readonly id: string
  readonly name: string
  readonly username: string
  readonly email: string
  readonly avatarURL: string
  readonly accessToken: string
  readonly refreshToken: string
  /** The expiry of the access token; undefined if the provider does not report it. */
  readonly expires: Date | undefined
  readonly raw: Readonly<Record<string, unknown>>
}

/** A sign-in provider that speaks OpenID Connect. */
export interface Oidc {
  /**
   * Fetches the provider's metadata. @returns problems that prevent a sign-in, as sentences for the log
   * @throws ApiError like `authMethod`
   */
  check(): Promise<readonly string[]>
  /** @throws ApiError 503 if the provider does not respond, 400 if it is not the configured one */
  authMethod(options?: { readonly asksForAccount?: boolean }): Promise<AuthMethod>
  /**
   * The URL that ends the browser's session and redirects to `redirectURL` (OpenID Connect RP-Initiated Logout);
   * empty if that is not offered or the provider fails.
   */
  endSessionURL(redirectURL: string): Promise<string>
  /**
   * Exchanges the code for the profile. Verifies the id_token, which must belong to the sign-in of the verifier.
   * @throws ApiError 400 if the provider refuses the code or its response is invalid; 503 if it does not respond
   */
  exchange(answer: Exchange): Promise<Profile>
}

/** The parameters of an authorization response, and the redirect URI. */
interface Exchange {
  readonly code: string
  readonly codeVerifier: string
  readonly redirectURL: string
}

/**
 * The nonce of the sign-in that a verifier belongs to (OpenID Connect Core 3.1.2.1). Because it is derived, it
 * needs no storage, and a code of another sign-in is refused even if the provider does not enforce PKCE (RFC 9700,
 * 4.5 and 4.8).
 */
const nonceOf = (codeVerifier: string): string =>
  createHash('sha256').update(`nonce ${codeVerifier}`).digest('base64url')

type Settings = Omit<OidcSettings, 'signOut'> & {
  readonly timeoutMs: number
  readonly maxAgeMs: number
}

/** The tokens of a sign-in, and the metadata of the provider at that time. */
interface Redeemed {
  readonly config: Configuration
  readonly tokens: Awaited<ReturnType<typeof authorizationCodeGrant>>
}

/**
 * The provider as this client sees it. Its metadata is fetched on first use, and again once it is older than
 * `maxAgeMs` or a request has failed.
 */
const createConnection = (settings: Settings, onFailed: () => void) => {
  const failed = (cause: unknown): ApiError => {
    onFailed()
    return isOutOfReach(cause) ? unavailable(cause) : exchangeRefusal(cause)
  }
  let known: { readonly config: Promise<Configuration>; readonly sinceMs: number } | undefined
  /** The authentication method of the client, once one other than the first choice has worked. */
  let method: SecretMethod | undefined

  const configuration = (maxAgeMs = settings.maxAgeMs): Promise<Configuration> => {
    if (known !== undefined && performance.now() - known.sinceMs < maxAgeMs) return known.config
    const config = discover(settings, method).catch((error: unknown) => {
      known = undefined
      throw failed(error)
    })
    known = { config, sinceMs: performance.now() }
    return config
  }

  /** Many providers offer several authentication methods and accept one, which depends on the client. */
  const redeemAnyWay = async (answer: Exchange): Promise<Redeemed> => {
    const config = await configuration()
    try {
      return { config, tokens: await redeem(config, answer) }
    } catch (error) {
      const [first, second] = methodsOf(config.serverMetadata())
      const other = (method ?? first) === first ? second : first
      const code = oauthErrorOf(error) ?? ''
      const isClientRefused = ['invalid_client', 'unauthorized_client'].includes(code)
      if (settings.clientSecret === undefined || other === undefined || !isClientRefused)
        throw error
      const again = await discover(settings, other)
      const tokens = await redeem(again, answer)
      method = other
      known = { config: Promise.resolve(again), sinceMs: performance.now() }
      return { config: again, tokens }
    }
  }

  return {
    configuration,
    redeem: (answer: Exchange): Promise<Redeemed> =>
      redeemAnyWay(answer).catch((cause: unknown) => {
        if (cause instanceof ApiError) throw cause
        // A refused code is not a failure of the provider.
        if (oauthErrorOf(cause) === 'invalid_grant') throw exchangeRefusal(cause)
        // The provider may have new keys, which are fetched with the metadata.
        known = undefined
        throw failed(cause)
      }),
    userInfo: async ({ config, tokens }: Redeemed, subject: string) => {
      if (config.serverMetadata().userinfo_endpoint === undefined) return undefined
      return fetchUserInfo(config, tokens.access_token, subject).catch((cause: unknown) => {
        onFailed()
        throw isOutOfReach(cause) ? unavailable(cause) : userInfoRefusal(cause)
      })
    },
  }
}

const redeem = async (config: Configuration, { code, codeVerifier, redirectURL }: Exchange) => {
  const answer = new URL(redirectURL)
  // The page that received the response has compared `iss` with the issuer of its sign-in.
  const { issuer } = config.serverMetadata()
  answer.search = new URLSearchParams({ code, iss: issuer }).toString()
  return authorizationCodeGrant(config, answer, {
    pkceCodeVerifier: codeVerifier,
    expectedNonce: nonceOf(codeVerifier),
    idTokenExpected: true,
  })
}

/** Creates the client. `onFailed` is called each time that the provider fails. */
export const createOidc = (settings: Settings, onFailed: () => void): Oidc => {
  const { configuration, redeem: redeemCode, userInfo } = createConnection(settings, onFailed)
  return {
    check: async () => {
      const metadata = (await configuration(0)).serverMetadata()
      return metadataProblems(metadata, settings.scopes)
    },
    endSessionURL: async (redirectURL) => {
      const config = await configuration().catch(() => undefined)
      if (config?.serverMetadata().end_session_endpoint === undefined) return ''
      return buildEndSessionUrl(config, { post_logout_redirect_uri: redirectURL }).href
    },
    authMethod: async ({ asksForAccount = false } = {}) => {
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
        ...(asksForAccount && promptOf(config.serverMetadata())),
      })
      url.searchParams.delete('redirect_uri')
      // Clients append their own address as text (record interface 5.3).
      const authURL = `${url.href}&redirect_uri=`
      return {
        name: OAUTH_PROVIDER,
        displayName: settings.name || 'OIDC',
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
    exchange: async (answer) => {
      const redeemed = await redeemCode(answer)
      const { tokens } = redeemed
      const claims = tokens.claims()
      if (claims === undefined) throw new ApiError(400, 'Failed to fetch OAuth2 token.')
      const info = await userInfo(redeemed, claims.sub)
      const expiresInS = tokens.expiresIn()
      return {
        issuer: claims.iss,
        id: claims.sub.toWellFormed().replaceAll('\0', '').trim(),
        ...personOf(claims, info),
        accessToken: tokens.access_token,
        refreshToken: text(tokens.refresh_token),
        expires: expiresInS === undefined ? undefined : new Date(Date.now() + expiresInS * 1000),
        raw: info ?? claims,
      }
    },
  }
}

const unavailable = (cause: unknown): ApiError =>
  new ApiError(
    503,
    'The sign-in provider cannot be reached.',
    {},
    {
      cause: new DependencyError(`The sign-in provider cannot be used: ${reasonOf(cause)}`),
      retryAfterS: RETRY_AFTER_S.provider,
    },
  )

/** The reason of a failure: the system's error or a timeout. The provider's own words stay out of the log. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown error'
  if (error.name === 'TimeoutError') return 'timeout'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${code}. Check the host name in OIDC_ISSUER, and the DNS of this computer.`
  const deeper = error.cause instanceof Error ? reasonOf(error.cause) : undefined
  return deeper ?? code ?? 'its response cannot be read'
}

/** No response, or a status that a later attempt may not get: not a refusal. */
const isOutOfReach = (error: unknown): boolean => {
  if (!(error instanceof Error) || error instanceof ResponseBodyError) return false
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true
  if (error.cause instanceof Response) return error.cause.status >= 500
  // Node's fetch: the connection could not be opened, or broke during the response.
  if (error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message))
    return true
  return error.cause instanceof Error && isOutOfReach(error.cause)
}

/**
 * The `prompt` that makes the provider ask for the account. A provider that does not list its values supports
 * those of OpenID Connect Core 3.1.2.1.
 */
const promptOf = (metadata: ServerMetadata): { prompt?: string } => {
  const offered = metadata['prompt_values_supported']
  const prompt = ['select_account', 'login'].find(
    (value) => !Array.isArray(offered) || offered.includes(value),
  )
  return prompt === undefined ? {} : { prompt }
}

type SecretMethod = 'client_secret_post' | 'client_secret_basic'

const SECRET_METHODS: readonly SecretMethod[] = ['client_secret_post', 'client_secret_basic']

/**
 * The authentication methods, the likeliest first. Not all providers decode a Basic header alike, so the secret
 * goes into the body if that is offered; by default providers take Basic (OpenID Connect Discovery 3).
 */
const methodsOf = (metadata: ServerMetadata): readonly SecretMethod[] => {
  const offered = metadata.token_endpoint_auth_methods_supported
  if (offered === undefined) return SECRET_METHODS.toReversed()
  return SECRET_METHODS.filter((each) => offered.includes(each))
}

/** Authenticates with the given method, or the likeliest; a public client has no secret. */
const authenticate = (secret: string | undefined, method: SecretMethod | undefined): ClientAuth => {
  if (secret === undefined) return None()
  const ways = {
    client_secret_post: ClientSecretPost(secret),
    client_secret_basic: ClientSecretBasic(secret),
  }
  return (metadata, ...rest) =>
    ways[method ?? methodsOf(metadata)[0] ?? 'client_secret_post'](metadata, ...rest)
}

/** The leeway of the record interface (5.4) for the clocks of the provider and of this computer. */
const CLOCK_TOLERANCE_S = 300

const discover = (
  { issuer, clientId, clientSecret, timeoutMs }: Settings,
  method: SecretMethod | undefined,
): Promise<Configuration> => {
  const url = new URL(issuer)
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  const client = { [clockTolerance]: CLOCK_TOLERANCE_S }
  return discovery(url, clientId, client, authenticate(clientSecret, method), {
    timeout: timeoutMs / 1000,
    [customFetch]: providerFetch,
    execute: [
      // Verifies signatures although the id_token comes directly from the provider.
      enableNonRepudiationChecks,
      ...(url.protocol === 'http:' && loopback ? [allowInsecureRequests] : []),
    ],
  })
}

/** The reasons why the provider's metadata (OpenID Connect Discovery 3, RFC 9126 5) prevents a sign-in. */
const metadataProblems = (metadata: ServerMetadata, scopes: string): readonly string[] => {
  const algorithms = metadata.id_token_signing_alg_values_supported
  const pkce = metadata.code_challenge_methods_supported
  const ways = metadata.token_endpoint_auth_methods_supported
  const offered = metadata.scopes_supported
  const refused = offered && scopes.split(/\s+/).filter((scope) => !offered.includes(scope))
  const problems: readonly (readonly [boolean | undefined, string])[] = [
    [metadata.require_pushed_authorization_requests, 'it requires PAR, which is not supported'],
    [
      algorithms?.every((name) => /^(HS\d+|none)$/.test(name)),
      'it signs id_tokens only with HS256, which is not supported',
    ],
    [pkce && !pkce.includes('S256'), 'it does not support PKCE with S256'],
    [
      ways?.every((way) => way !== 'none' && !SECRET_METHODS.some((known) => known === way)),
      'it supports neither client_secret_basic nor client_secret_post',
    ],
    [refused && refused.length > 0, 'it does not support all scopes in OIDC_SCOPES'],
  ]
  return problems.flatMap(([isSo, sentence]) => (isSo === true ? [sentence] : []))
}

type Claims = Readonly<Record<string, unknown>>

/** The identity of the person. Claims that the userinfo endpoint omits are taken from the id_token. */
const personOf = (
  claims: Claims,
  info: Claims = {},
): Pick<Profile, 'name' | 'username' | 'email' | 'avatarURL'> => {
  const claim = (key: string): string => text(info[key]) || text(claims[key])
  const parts = [claim('given_name'), claim('family_name')].filter(Boolean).join(' ')
  return {
    name: shorten(claim('name') || parts, users.fields.name.max),
    username: claim('preferred_username'),
    email: address(info['email']) ? verifiedEmail(info, claims) : verifiedEmail(claims, info),
    avatarURL: claim('picture'),
  }
}

/**
 * The address in `claims`, if it is verified: by these claims or, if they do not state it, by `others` for the
 * same address. Entra ID states it in `xms_edov`.
 */
const verifiedEmail = (claims: Claims, others: Claims): string => {
  const email = address(claims['email'])
  const isSame = email !== '' && address(others['email']) === email
  const verifiedClaim = ({ email_verified, xms_edov }: Claims) => email_verified ?? xms_edov
  const verified = verifiedClaim(claims) ?? (isSame ? verifiedClaim(others) : undefined)
  return ['true', '1'].includes(String(verified)) ? email : ''
}

/** Removes invisible characters from claims, which are displayed and stored. */
const text = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .toWellFormed()
        .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '')
        .trim()
    : ''

const shorten = (value: string, max: number): string => Array.from(value).slice(0, max).join('')

/** Only an ASCII address links accounts: letters that look or fold alike are different addresses. */
const address = (value: unknown): string => (isEmail(text(value)) ? text(value) : '')
