import { API } from '#domain/paths.ts'
import { users } from '#domain/user.ts'

import { toProblem } from './client.ts'
import type { Problem } from './state.ts'

/** The link of an email. Its token is decoded without verification. */
export interface MailLink {
  readonly token: string
  readonly collectionId: string
  /** The recipient of the email; empty if the token does not name one. */
  readonly email: string
  /** The expiry of the token, in milliseconds. */
  readonly expiresMs: number
}

/** The outcome of using a link. */
export type LinkOutcome =
  | { readonly kind: 'done' }
  /** The link was used before, or has been replaced. */
  | { readonly kind: 'used' }
  | { readonly kind: 'failed'; readonly problem: Problem }

/** Decodes the token of a link; undefined if it is malformed, as in links broken by a mail program. */
export const readMailLink = (token: string): MailLink | undefined => {
  try {
    const [, payload = ''] = token.split('.')
    const bytes = Uint8Array.from(
      atob(payload.replaceAll('-', '+').replaceAll('_', '/')),
      (character) => character.charCodeAt(0),
    )
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as Readonly<Record<string, unknown>>
    const { collectionId, email, exp } = claims
    return {
      token,
      collectionId: typeof collectionId === 'string' ? collectionId : users.id,
      email: typeof email === 'string' ? email : '',
      expiresMs: typeof exp === 'number' ? exp * 1000 : Infinity,
    }
  } catch {
    return undefined
  }
}

/**
 * Returns whether a link has expired, so that the user does not choose a password in vain. The clock of the device may
 * be fast, so the server's time confirms an expiry. Never throws.
 */
export const hasExpired = async (basePath: string, expiresMs: number): Promise<boolean> => {
  if (expiresMs > Date.now()) return false
  try {
    const { headers } = await fetch(basePath + API.authMethods(users.id), {
      method: 'HEAD',
      cache: 'no-store',
    })
    return expiresMs <= Date.parse(headers.get('date') ?? '')
  } catch {
    // The outcome of using the link shows whether it has expired.
    return false
  }
}

/** Sets a new password with the link of an email; never throws. */
export const setNewPassword = (
  basePath: string,
  link: MailLink,
  password: string,
): Promise<LinkOutcome> =>
  use(basePath, link, (collection) =>
    collection.confirmPasswordReset(link.token, password, password),
  )

/** Confirms an address with the link of an email; never throws. */
export const confirmAddress = (basePath: string, link: MailLink): Promise<LinkOutcome> =>
  use(basePath, link, (collection) => collection.confirmVerification(link.token))

type Collection = import('pocketbase').RecordService

/** Runs `call` with the token of the link only, without the session of this browser. */
const use = async (
  basePath: string,
  { collectionId }: MailLink,
  call: (collection: Collection) => Promise<boolean>,
): Promise<LinkOutcome> => {
  try {
    const { default: Client, BaseAuthStore } = await import('pocketbase')
    const client = new Client(location.origin + basePath, new BaseAuthStore())
    await call(client.collection(collectionId))
    return { kind: 'done' }
  } catch (error) {
    const problem = toProblem(error)
    return 'token' in problem.fields ? { kind: 'used' } : { kind: 'failed', problem }
  }
}
