import { API, REDIRECT_PATHS } from '#domain/paths.ts'

/** Maximum time that Login waits for the provider's response. */
const TIMEOUT_MS = 3000

/**
 * Redirects to the provider's logout page, if it has one; the provider redirects back to Login.
 * @param onLeave called when the browser leaves this page, and not before, because this page may show Login meanwhile
 */
export const signOutAtProvider = async (basePath: string, onLeave: () => void): Promise<void> => {
  const home = location.origin + basePath
  const answer = await fetch(home + API.providerSignOut, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirectURL: home + REDIRECT_PATHS[0] }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { url = '' } = (await answer.json()) as { url?: string }
  if (!answer.ok || url === '') return
  addEventListener('pagehide', onLeave, { once: true })
  location.assign(url)
}
