import { ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'

import { ApiError, MISCONFIGURED } from '#domain/error.ts'

import { OperatorError } from '../problem.ts'

/** The remedy of an error: time, a new attempt by the user, or the operator. */
type Remedy = 'time' | 'user' | 'operator'

/**
 * The errors of OAuth 2.0 and OpenID Connect (RFC 6749 4.1.2.1 and 5.2, RFC 6750 3.1, OpenID Connect Core
 * 3.1.2.6), and the remedy of each. No other text of a provider reaches the log.
 */
const OAUTH_ERRORS: Readonly<Record<string, readonly [Remedy, string]>> = {
  access_denied: ['user', 'The user cancelled, or is not allowed to use this application.'],
  account_selection_required: ['user', ''],
  consent_required: ['user', ''],
  insufficient_scope: ['operator', 'Check OIDC_SCOPES.'],
  interaction_required: ['user', ''],
  invalid_client: ['operator', 'Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.'],
  invalid_grant: ['user', 'The code was already used, has expired, or belongs to another sign-in.'],
  invalid_request: ['operator', 'Check the redirect address, and whether PAR is required.'],
  invalid_request_object: ['operator', ''],
  invalid_request_uri: ['operator', ''],
  invalid_scope: ['operator', 'Check OIDC_SCOPES.'],
  invalid_token: ['operator', ''],
  login_required: ['user', ''],
  registration_not_supported: ['operator', ''],
  request_not_supported: ['operator', ''],
  request_uri_not_supported: ['operator', ''],
  server_error: ['time', 'See the log of the provider.'],
  temporarily_unavailable: ['time', ''],
  unauthorized_client: [
    'operator',
    'Check OIDC_CLIENT_SECRET, and that the client may use the authorization code flow.',
  ],
  unsupported_grant_type: ['operator', 'Allow the client the authorization code flow.'],
  unsupported_response_type: ['operator', 'Allow the client the authorization code flow.'],
}

const UNKNOWN_KEY = 'OAUTH_KEY_SELECTION_FAILED'

/** The meaning of the library's error codes, for the operator. */
const CODES: Readonly<Record<string, string>> = {
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED:
    'The provider reports another issuer: check OIDC_ISSUER, including any trailing slash.',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'Check OIDC_ISSUER.',
  OAUTH_RESPONSE_IS_NOT_JSON: 'Check OIDC_ISSUER.',
  OAUTH_PARSE_ERROR: 'Check OIDC_ISSUER.',
  OAUTH_UNSUPPORTED_OPERATION:
    'The signature algorithm of the id_token is not supported (HS256 is not): choose RS256, PS256, ES256 or EdDSA.',
  OAUTH_INVALID_RESPONSE:
    'The id_token is missing, or its signature algorithm is not the one that the provider declares (by default RS256); HS256 is not supported.',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED:
    'The id_token has expired, or is not valid yet: compare the clocks of the provider and of this computer.',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED:
    'The id_token is for another client, issuer or sign-in: check OIDC_ISSUER and OIDC_CLIENT_ID.',
  RESPONSE_TOO_LARGE: 'It is larger than 1 MiB: check OIDC_ISSUER.',
  [UNKNOWN_KEY]: 'The provider does not publish the key that signed the id_token.',
}

/** The OAuth error code in the provider's response, if it has one that the standards define. */
export const oauthErrorOf = (error: unknown): string | undefined => {
  // A provider refuses a client with 401 and a challenge, with or without a body (RFC 6749 5.2).
  if (error instanceof WWWAuthenticateChallengeError)
    return error.status === 401 ? 'invalid_client' : undefined
  return error instanceof ResponseBodyError ? knownError(error.error) : undefined
}

const knownError = (code: string): string =>
  Object.hasOwn(OAUTH_ERRORS, code) ? code : 'an unknown error'

/**
 * The error parameter of an authorization response, as a log line and a response. `code` comes from the browser
 * and can be anything.
 */
export const callbackRefusal = (code: string): ApiError => refusal(knownError(code), 'sign-in')

/** The provider refused a request, or its response is invalid. The log names the reason. */
export const exchangeRefusal = (error: unknown): ApiError => {
  const code = oauthErrorOf(error)
  if (code !== undefined) return refusal(code, 'code', error)
  return answerOf(
    // The provider has changed its keys: the next sign-in fetches the new ones.
    codeOf(error) === UNKNOWN_KEY ? 'user' : 'operator',
    `The sign-in provider's answer is not valid: ${problemOf(error)}`,
    error,
  )
}

/** The userinfo endpoint refused the request, or its response is invalid. */
export const userInfoRefusal = (error: unknown): ApiError =>
  new ApiError(
    400,
    'Failed to fetch OAuth2 user.',
    {},
    {
      cause: new OperatorError(
        `The provider's userinfo endpoint cannot be used: ${codeOf(error) ?? 'its response cannot be read'}.`,
        { cause: error },
      ),
    },
  )

/** The problem of a discovery document or a token: its code, and the remedy. */
const problemOf = (error: unknown): string => {
  const code = codeOf(error)
  return [code ?? 'it cannot be read', code && CODES[code]].filter(Boolean).join('. ')
}

/** The code of the innermost cause that has one. */
const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return codeOf(error.cause) ?? code
}

const refusal = (code: string, what: string, error?: unknown): ApiError => {
  const [remedy, hint] = OAUTH_ERRORS[code] ?? ['operator', '']
  return answerOf(
    remedy,
    `The sign-in provider refused the ${what}: ${code}. ${hint}`.trim(),
    error,
  )
}

const answerOf = (remedy: Remedy, sentence: string, error?: unknown): ApiError =>
  new ApiError(
    remedy === 'time' ? 503 : 400,
    'Failed to fetch OAuth2 token.',
    remedy === 'operator'
      ? { provider: { code: MISCONFIGURED, message: 'Sign-in is not set up correctly.' } }
      : {},
    { cause: new OperatorError(sentence, { cause: error }) },
  )
