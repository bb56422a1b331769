import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

import { exportJWK, generateKeyPair, SignJWT } from 'jose'

import type { ProviderSettings } from './sides/side.ts'

/** A user who returns from the provider with a code. */
interface Visitor {
  /** Can be redeemed many times, so that one sign-in can be repeated. */
  readonly code: string
  readonly sub: string
  /** The nonce that the server sent, if any. */
  readonly nonce?: string | undefined
}

/** A sign-in provider for both sides, whose tokens are signed in advance. */
export interface Provider extends ProviderSettings {
  expect(visitor: Visitor): Promise<void>
  close(): Promise<void>
}

const CLIENT_ID = 'bench'
const CLIENT_SECRET = 'bench-secret-of-no-meaning'

/** Starts it on a free local port. */
export const startProvider = async (): Promise<Provider> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' }
  const tokens = new Map<string, { idToken: string; sub: string }>()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const issuer = `http://127.0.0.1:${address.port}`

  const answer = async (request: IncomingMessage): Promise<object | undefined> => {
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        }
      case '/jwks':
        return { keys: [jwk] }
      case '/token': {
        const code = new URLSearchParams(await readBody(request)).get('code') ?? ''
        const found = tokens.get(code)
        return (
          found && {
            access_token: code,
            token_type: 'Bearer',
            expires_in: 3600,
            id_token: found.idToken,
          }
        )
      }
      case '/userinfo': {
        const code = request.headers.authorization?.replace(/^Bearer /i, '') ?? ''
        const found = tokens.get(code)
        return (
          found && {
            sub: found.sub,
            name: `Visitor ${found.sub}`,
            email: `${found.sub}@example.org`,
            email_verified: true,
          }
        )
      }
      default:
        return undefined
    }
  }
  server.on('request', (request: IncomingMessage, response) => {
    answer(request).then(
      (body) => {
        response.writeHead(body ? 200 : 400, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body ?? { error: 'invalid_request' }))
      },
      () => response.destroy(),
    )
  })

  return {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    expect: async ({ code, sub, nonce }) => {
      const idToken = await new SignJWT(nonce === undefined ? {} : { nonce })
        .setProtectedHeader({ alg: 'RS256', kid: 'bench' })
        .setIssuer(issuer)
        .setAudience(CLIENT_ID)
        .setSubject(sub)
        .setIssuedAt()
        .setExpirationTime('4h')
        .sign(privateKey)
      tokens.set(code, { idToken, sub })
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
  return body
}
