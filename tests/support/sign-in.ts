import type PocketBase from 'pocketbase'
import { signInThroughPage, type Person } from '../../scripts/provider/sign-in.ts'
import type { Stack } from './stack.ts'

/**
 * Signs a person in through the real flow, without a browser: authorization code with PKCE at the stand-in provider,
 * then the unmodified SDK. The first sign-in with an email creates the user.
 * @returns an SDK client with the session
 */
export const signIn = async (stack: Pick<Stack, 'url'>, person: Person): Promise<PocketBase> =>
  (await signInThroughPage(stack.url, person)).client
