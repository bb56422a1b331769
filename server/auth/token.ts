import { jwtVerify, SignJWT } from 'jose'

import { FILE_TOKEN_LIFETIME_S, TOKEN_LIFETIME_S } from '#domain/api.ts'
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
  /** A short-lived token that stands in the address of a protected file (record interface 4.4). */
  signFile(claims: TokenClaims): Promise<string>
  /** Like `verify`, for the tokens of `signFile` alone. */
  verifyFile(token: string): Promise<TokenClaims | undefined>
}

/**
 * Claims are ids, fixed words and numbers alone: the SDK reads the payload with `atob`, which
 * stumbles over what other text can become in base64url.
 */
export const createTokens = (secret: Uint8Array): Tokens => {
  const sign = (
    { id, sessionId, superuser }: TokenClaims,
    kind: { readonly type: string; readonly refreshable?: boolean },
    lifetimeS: number,
  ): Promise<string> =>
    new SignJWT({ id, collectionId: superuser ? superusers.id : users.id, ...kind })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setJti(sessionId)
      .setExpirationTime(`${lifetimeS}s`)
      .sign(secret)
  const verify = async (token: string, wanted: string): Promise<TokenClaims | undefined> => {
    try {
      const { payload } = await jwtVerify(token, secret, {
        algorithms: ['HS256'],
        requiredClaims: ['exp', 'jti'],
      })
      const { id, jti, type, collectionId } = payload
      if (type !== wanted || typeof id !== 'string' || typeof jti !== 'string') return undefined
      if (collectionId !== users.id && collectionId !== superusers.id) return undefined
      return { id, sessionId: jti, superuser: collectionId === superusers.id }
    } catch {
      return undefined
    }
  }
  return {
    sign: (claims) => sign(claims, { type: 'auth', refreshable: true }, TOKEN_LIFETIME_S),
    verify: (token) => verify(token, 'auth'),
    signFile: (claims) => sign(claims, { type: 'file' }, FILE_TOKEN_LIFETIME_S),
    verifyFile: (token) => verify(token, 'file'),
  }
}
