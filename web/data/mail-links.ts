import { users } from '#domain/user.ts'

import { toProblem } from './client.ts'
import type { Problem } from './state.ts'

/** The link of a mail, as far as its token can be read without knowing whether it is real. */
export interface MailLink {
  readonly token: string
  readonly collectionId: string
  /** Whom the mail was sent to; empty when the token does not say. */
  readonly email: string
  /** Its time has passed. */
  readonly expired: boolean
}

/** What came of using a link. */
export type LinkOutcome =
  | { readonly kind: 'done' }
  /** The link was used before, or has been replaced. */
  | { readonly kind: 'used' }
  | { readonly kind: 'failed'; readonly problem: Problem }

/** Reads the token of a link; undefined when it is none, which happens to links that were broken. */
export const readMailLink = (token: string, now: number): MailLink | undefined => {
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
      expired: typeof exp === 'number' && exp * 1000 <= now,
    }
  } catch {
    return undefined
  }
}

/** Sets a new password with the link of a mail; never throws. */
export const setNewPassword = (
  basePath: string,
  link: MailLink,
  password: string,
): Promise<LinkOutcome> =>
  use(basePath, link, (collection) =>
    collection.confirmPasswordReset(link.token, password, password),
  )

/** Confirms an address with the link of a mail; never throws. */
export const confirmAddress = (basePath: string, link: MailLink): Promise<LinkOutcome> =>
  use(basePath, link, (collection) => collection.confirmVerification(link.token))

type Collection = import('pocketbase').RecordService

/** The link is all that counts: whoever may be signed in on this browser has no part in it. */
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
