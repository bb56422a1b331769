import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'

/** The deviations from an honest provider. */
export interface Malice {
  /** Changes the claims of the id_token. */
  readonly claims?: (honest: JWTPayload) => JWTPayload
  /** Creates the id_token, instead of signing its claims with the provider's key. */
  readonly seal?: (claims: JWTPayload, provider: HostileProvider) => Promise<string | undefined>
  /** Changes the response of the userinfo endpoint. */
  readonly userinfo?: (honest: Readonly<Record<string, unknown>>) => unknown
  /** Changes the discovery document, for servers that have not cached it. */
  readonly discovery?: (honest: Readonly<Record<string, string>>) => object
  /** The only authentication method that the token endpoint accepts; without it, the endpoint checks nothing. */
  readonly takes?: 'client_secret_basic' | 'client_secret_post' | 'none'
  /** Replaces the response of the token or userinfo endpoint. */
  readonly answer?: { readonly path: string; readonly status: number; readonly body: string }
  /** The path whose response never ends. */
  readonly endless?: string
  /** The path whose response breaks off in the middle. */
  readonly torn?: string
}

/** An OpenID Connect provider that checks nothing and responds as configured. */
export interface HostileProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The public key, as an attacker can read it. */
  readonly publicKey: string
  malice: Malice
  /** The bytes of endless responses that were taken from this provider. */
  readonly taken: () => number
  /** The parameters of the redirect after an authorization request. */
  authorize(authURL: string, sub?: string): string
  sign(claims: JWTPayload): Promise<string>
  signWithAnotherKey(claims: JWTPayload): Promise<string>
  close(): Promise<void>
}

export const startHostileProvider = async (): Promise<HostileProvider> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const other = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), use: 'sig', alg: 'RS256', kid: 'one' }
  const grants = new Map<string, { nonce: string | null; sub: string }>()
  const subs = new Map<string, string>()

  const answers: Readonly<Record<string, (request: IncomingMessage) => Promise<unknown>>> = {
    '/.well-known/openid-configuration': async () => {
      const honest = {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
      }
      return provider.malice.discovery?.(honest) ?? honest
    },
    '/jwks': async () => ({ keys: [jwk] }),
    '/token': async (request) => {
      const form = new URLSearchParams(await text(request))
      const { takes } = provider.malice
      if (takes !== undefined && takes !== methodOf(request, form, provider.clientSecret))
        return { error: 'invalid_client', error_description: 'a planted description' }
      const grant = grants.get(form.get('code') ?? '')
      if (grant === undefined) return { error: 'invalid_grant' }
      const now = Math.floor(Date.now() / 1000)
      const honest: JWTPayload = {
        iss: issuer,
        aud: provider.clientId,
        sub: grant.sub,
        iat: now,
        exp: now + 300,
        ...(grant.nonce !== null && { nonce: grant.nonce }),
      }
      const claims = provider.malice.claims?.(honest) ?? honest
      const sealed = provider.malice.seal ?? ((each: JWTPayload) => sign(each))
      const id_token = await sealed(claims, provider)
      const access_token = `access-${grant.sub}`
      subs.set(access_token, grant.sub)
      return { access_token, token_type: 'Bearer', expires_in: 300, id_token }
    },
    '/userinfo': async (request) => {
      const sub = subs.get(request.headers.authorization?.slice('Bearer '.length) ?? '') ?? ''
      const honest = { sub, name: 'Mallory', email: `${sub}@example.org`, email_verified: true }
      return provider.malice.userinfo?.(honest) ?? honest
    },
  }

  const sign = (claims: JWTPayload, key = privateKey): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key)

  let taken = 0
  const pourOut = async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"x":"')
    const chunk = 'x'.repeat(64 * 1024)
    const pour = async function* () {
      for (;;) {
        yield chunk
        taken += chunk.length
      }
    }
    // Ends when the server closes the connection.
    await pipeline(pour(), response).catch(() => {})
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? '/', issuer).pathname
    const instead = provider.malice.answer
    if (instead?.path === path) {
      response.writeHead(instead.status, { 'content-type': 'application/json' }).end(instead.body)
      return
    }
    if (provider.malice.endless === path) return pourOut(response)
    const body = await answers[path]?.(request)
    if (provider.malice.torn === path) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 10_000 })
      response.write(JSON.stringify(body), () => response.destroy())
      return
    }
    const status = body === undefined ? 404 : (body as { error?: string }).error ? 400 : 200
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const provider: HostileProvider = {
    issuer,
    clientId: 'voltleaf',
    clientSecret: 'a secret that only the two of us know',
    publicKey: JSON.stringify(jwk),
    malice: {},
    taken: () => taken,
    authorize: (authURL, sub = `sub-${grants.size}`) => {
      const code = `code-${grants.size}`
      grants.set(code, { nonce: new URL(authURL).searchParams.get('nonce'), sub })
      return code
    },
    sign: (claims) => sign(claims),
    signWithAnotherKey: (claims) => sign(claims, other.privateKey),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return provider
}

/** The authentication method of a token request; undefined if the secret is wrong. */
const methodOf = (
  request: IncomingMessage,
  form: URLSearchParams,
  secret: string,
): Malice['takes'] => {
  const basic = `Basic ${btoa(`voltleaf:${encodeURIComponent(secret).replaceAll('%20', '+')}`)}`
  if (request.headers.authorization === basic) return 'client_secret_basic'
  if (form.get('client_secret') === secret) return 'client_secret_post'
  return form.has('client_secret') || request.headers.authorization ? undefined : 'none'
}

/** An unsigned id_token. */
export const unsigned = async (claims: JWTPayload): Promise<string> =>
  new UnsecuredJWT(claims).encode()

/**
 * An id_token signed with a secret, as in the attack that uses the public key as an HMAC secret.
 */
export const signedWithSecret = (claims: JWTPayload, secret: string): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(new TextEncoder().encode(secret))
