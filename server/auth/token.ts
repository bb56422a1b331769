import { jwtVerify, SignJWT } from 'jose'

import { TOKEN_LIFETIME_S } from '#domain/api.ts'
import { superusers } from '#domain/superuser.ts'
import { users } from '#domain/user.ts'

/** What a token says: whose it is, and the session that keeps it good. */
export interface TokenClaims {
  readonly id: string
  readonly sessionId: string
  readonly superuser: boolean
}

/** Signs and reads tokens (record interface 5.1), HS256. */
export interface Tokens {
  sign(claims: TokenClaims): Promise<string>
  /** Undefined for a token that is malformed, expired, of another kind, or not signed by us. */
  verify(token: string): Promise<TokenClaims | undefined>
}

/**
 * Claims are ids, fixed words and numbers alone: the SDK reads the payload with `atob`, which
 * stumbles over what other text can become in base64url.
 */
export const createTokens = (secret: Uint8Array): Tokens => ({
  sign: ({ id, sessionId, superuser }) =>
    new SignJWT({
      id,
      type: 'auth',
      collectionId: superuser ? superusers.id : users.id,
      refreshable: true,
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setJti(sessionId)
      .setExpirationTime(`${TOKEN_LIFETIME_S}s`)
      .sign(secret),
  verify: async (token) => {
    try {
      const { payload } = await jwtVerify(token, secret, {
        algorithms: ['HS256'],
        requiredClaims: ['exp', 'jti'],
      })
      const { id, jti, type, collectionId } = payload
      if (type !== 'auth' || typeof id !== 'string' || typeof jti !== 'string') return undefined
      if (collectionId !== users.id && collectionId !== superusers.id) return undefined
      return { id, sessionId: jti, superuser: collectionId === superusers.id }
    } catch {
      return undefined
    }
  },
})
