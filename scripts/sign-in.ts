import PocketBase from 'pocketbase'
import type { RecordModel } from 'pocketbase'

import { OAUTH_PROVIDER, REDIRECT_PATHS } from '#domain/paths.ts'
import { USERS } from '#domain/collection.ts'

/** Who signs in at the stand-in provider's page. */
export interface Person {
  readonly name: string
  readonly email: string
}

/**
 * Signs in at a server through the stand-in provider, the way a browser does: the provider's page
 * is fetched, its form sent, its redirects followed, and the code handed to the server.
 * @param client may hold a session, whose account the provider's is then linked to.
 * @param createData what a user who is new should have.
 * @returns an SDK client that holds the session
 * @throws when the provider shows no form to fill in, as a real one would not
 */
export const signInThroughPage = async (
  serverUrl: string,
  person: Person,
  client = new PocketBase(serverUrl),
  createData: Readonly<Record<string, unknown>> = {},
): Promise<{ client: PocketBase; record: RecordModel; meta: Record<string, unknown> }> => {
  const users = client.collection(USERS)
  const { oauth2 } = await users.listAuthMethods()
  const provider = oauth2.providers.find(({ name }) => name === OAUTH_PROVIDER)
  if (provider === undefined) throw new Error(`${serverUrl} offers no sign-in provider now.`)
  const redirectURL = `${serverUrl}${REDIRECT_PATHS[0]}`
  const browser = new CookieBrowser()
  const form = await browser.open(provider.authURL + encodeURIComponent(redirectURL), redirectURL)
  const answer = await browser.open(form, redirectURL, new URLSearchParams({ ...person }))
  const answered = new URL(answer)
  if (answered.searchParams.get('state') !== provider.state)
    throw new Error('The sign-in provider did not accept the name and email: it is no stand-in.')
  const code = answered.searchParams.get('code') ?? ''
  const { record, meta } = await users.authWithOAuth2Code(
    provider.name,
    code,
    provider.codeVerifier,
    redirectURL,
    createData,
  )
  return { client, record, meta: meta ?? {} }
}

/** Follows redirects and keeps cookies, until a page is shown or our own address is reached. */
class CookieBrowser {
  readonly #cookies = new Map<string, string>()

  async open(address: string, until: string, form?: URLSearchParams): Promise<string> {
    let url = address
    let body = form
    while (!url.startsWith(until)) {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: {
          cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        ...(body && { method: 'POST', body }),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        if (name !== undefined && value !== undefined) this.#cookies.set(name, value)
      }
      const location = response.headers.get('location')
      await response.arrayBuffer()
      if (location === null) return url
      url = new URL(location, url).href
      body = undefined
    }
    return url
  }
}
