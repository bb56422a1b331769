import { decodeJwt, jwtVerify, SignJWT } from 'jose'

import { COLLECTIONS } from '#domain/collections.ts'
import { SUPERUSERS, USERS, type LinkedCollection } from '#domain/collection.ts'
import { FILE_TOKEN_LIFETIME_S } from '#domain/limits.ts'
import type { MailPurpose } from '#domain/paths.ts'
import { putRecent } from '../lru.ts'

/** The claims of a token: its account, and the session that it is valid with. */
export interface TokenClaims {
  readonly id: string
  readonly sessionId: string
  readonly superuser: boolean
}

/** The expiry of a session, and whether its token may be refreshed. */
interface TokenTerm {
  readonly lifetimeS: number
  readonly refreshable: boolean
  /** Any text in a renewed token: it differs from others of its session, even within a second. */
  readonly renewal?: string
}

/** The claims of a token in a mail: the id of the link, by which it is revoked, and its recipient. */
export interface LinkClaims {
  readonly purpose: MailPurpose
  readonly linkId: string
  /** Id of the record, and of its collection. */
  readonly id: string
  readonly collectionId: string
  readonly email: string
}

/** Signs and reads tokens (record interface 5.1), HS256. */
export interface Tokens {
  sign(claims: TokenClaims, term: TokenTerm): Promise<string>
  /** Undefined for a token that is malformed, expired, of another kind, or signed by another key. */
  verify(token: string): TokenClaims | undefined | Promise<TokenClaims | undefined>
  /** Like `verify`, but the token may have expired: its sender has signed in before. */
  verifyFormer(token: string): Promise<TokenClaims | undefined>
  /** A short-lived token for the URL of a protected file (record interface 4.4). */
  signFile(claims: TokenClaims): Promise<string>
  /** Like `verify`, for the tokens of `signFile` only. */
  verifyFile(token: string): Promise<TokenClaims | undefined>
  signLink(claims: LinkClaims, lifetimeS: number): Promise<string>
  /** Undefined for a token that is malformed, expired, for another purpose, or signed by another key. */
  verifyLink(token: string, purpose: MailPurpose): Promise<LinkClaims | undefined>
}

/** Claims, and their expiry in seconds since 1970. */
interface Verified {
  readonly claims: TokenClaims
  readonly expiresS: number
}

/** Entries have about 400 bytes each. */
const MAX_REMEMBERED = 10_000

/**
 * The claims of a session token are only ids, fixed words and numbers: the SDK decodes the payload with `atob`,
 * which fails on base64url of other text.
 */
export const createTokens = (secret: Uint8Array): Tokens => {
  const sign = (claims: Record<string, unknown>, id: string, lifetimeS: number): Promise<string> =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setJti(id)
      .setExpirationTime(Math.floor(Date.now() / 1000) + lifetimeS)
      .sign(secret)
  const read = async (
    token: string,
    currentDate = new Date(),
  ): Promise<Readonly<Record<string, unknown>> | undefined> => {
    try {
      const options = { algorithms: ['HS256'], requiredClaims: ['exp', 'jti'], currentDate }
      return (await jwtVerify(token, secret, options)).payload
    } catch {
      return undefined
    }
  }
  const readSession = async (
    token: string,
    wanted: string,
    currentDate?: Date,
  ): Promise<Verified | undefined> => {
    const { id, jti, type, collectionId, exp } = (await read(token, currentDate)) ?? {}
    if (type !== wanted || typeof id !== 'string' || typeof jti !== 'string') return undefined
    if (collectionId !== COLLECTIONS.users.id && collectionId !== COLLECTIONS[SUPERUSERS].id)
      return undefined
    const claims = { id, sessionId: jti, superuser: collectionId === COLLECTIONS[SUPERUSERS].id }
    return { claims, expiresS: Number(exp) }
  }
  // Caches verified signatures, which cost a third of a short read. Every statement checks that the session still
  // exists (decision 0003).
  const remembered = new Map<string, Verified>()
  const remember = async (token: string): Promise<TokenClaims | undefined> => {
    const verified = await readSession(token, 'auth')
    if (verified === undefined) return undefined
    putRecent(remembered, token, verified, MAX_REMEMBERED)
    return verified.claims
  }
  return {
    sign: ({ id, sessionId, superuser }, { lifetimeS, ...term }) => {
      const collectionId = authCollectionOf(superuser).id
      return sign({ id, type: 'auth', collectionId, ...term }, sessionId, lifetimeS)
    },
    verify: (token) => {
      const known = remembered.get(token)
      if (known === undefined) return remember(token)
      if (known.expiresS > Date.now() / 1000) return known.claims
      remembered.delete(token)
      return undefined
    },
    verifyFormer: async (token) => (await readSession(token, 'auth', new Date(0)))?.claims,
    signFile: ({ id, sessionId, superuser }) => {
      const collectionId = authCollectionOf(superuser).id
      return sign({ id, type: 'file', collectionId }, sessionId, FILE_TOKEN_LIFETIME_S)
    },
    verifyFile: async (token) => (await readSession(token, 'file'))?.claims,
    signLink: ({ purpose, linkId, id, collectionId, email }, lifetimeS) =>
      sign({ id, type: purpose, collectionId, email }, linkId, lifetimeS),
    verifyLink: async (token, purpose) => {
      const { id, jti, type, collectionId, email } = (await read(token)) ?? {}
      if (type !== purpose || typeof id !== 'string' || typeof jti !== 'string') return undefined
      if (typeof collectionId !== 'string' || typeof email !== 'string') return undefined
      return { purpose, linkId: jti, id, collectionId, email }
    },
  }
}

/** The collection of a session's account. */
export const authCollectionOf = (superuser: boolean): LinkedCollection =>
  COLLECTIONS[superuser ? SUPERUSERS : USERS]

/** Whether a text looks like a token that was sent to an address. The signature is not verified. */
export const namesAnAddress = (token: string): boolean => {
  try {
    const { email } = decodeJwt(token)
    return typeof email === 'string' && email !== ''
  } catch {
    return false
  }
}
