import { API, REDIRECT_PATHS } from '#domain/paths.ts'

/** Longer than this nobody waits on Login for what becomes of the provider's session. */
const TIMEOUT_MS = 3000

/** Leaves for the page of the provider that ends its session, where there is one; it leads back to Login. */
export const signOutAtProvider = async (basePath: string): Promise<void> => {
  const home = location.origin + basePath
  const answer = await fetch(home + API.providerSignOut, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirectURL: home + REDIRECT_PATHS[0] }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { url = '' } = (await answer.json()) as { url?: string }
  if (answer.ok && url !== '') location.assign(url)
}
