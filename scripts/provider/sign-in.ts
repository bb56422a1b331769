import PocketBase from 'pocketbase'
import type { RecordModel } from 'pocketbase'

import { OAUTH_PROVIDER, REDIRECT_PATHS } from '#domain/paths.ts'
import { USERS } from '#domain/collection.ts'

/** The name and email that are typed into the stand-in provider's page. */
export interface Person {
  readonly name: string
  readonly email: string
}

/**
 * Signs in to a server through the stand-in provider like a browser: fetches the provider's page, submits its form,
 * follows redirects, and passes the code to the server.
 * @param client may have a session, whose account is then linked to the provider's
 * @param createData fields of a new user
 * @returns an SDK client with the session
 * @throws if the provider shows no form to fill in, like a real one
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
  if (provider === undefined)
    throw new Error(`${serverUrl} does not offer a sign-in provider at the moment.`)
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

/** Follows redirects with cookies, until a page is shown or our own origin is reached. */
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
