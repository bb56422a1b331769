import type { Owner, Rows } from './data.ts'

/** One of the compared servers, running on fresh data. */
export interface Side {
  readonly name: 'ours' | 'peer'
  /** The name and version in the table. */
  readonly title: string
  readonly port: number
  /** The root of the server's process tree. */
  readonly pid: number
  /** The token of an owner in `signedIn`. */
  tokenOf(owner: Owner): string
  stop(): Promise<void>
}

/** The options of a side. */
export interface Ground {
  /** An empty folder for this side. */
  readonly folder: string
  readonly owners: readonly Owner[]
  /** The owners who get a token. */
  readonly signedIn: readonly Owner[]
  readonly provider: ProviderSettings
  /** Rows other than those of `makeRows`. */
  readonly rows?: Rows
  /** Settings of our server that differ from those of the bench. */
  readonly settings?: Readonly<Record<string, string>>
}

/** The sign-in provider of both sides. */
export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

export const SUPERUSER = { email: 'bench@example.org', password: 'bench-password-1' } as const

/** The request body with which a superuser creates an owner, the same on both sides. */
const userBody = (owner: Owner) => ({
  id: owner.id,
  email: owner.email,
  name: `Owner ${owner.number}`,
  verified: true,
  emailVisibility: false,
  password: SUPERUSER.password,
  passwordConfirm: SUPERUSER.password,
})

/** Sends JSON and reads the response. @throws with the response if it is an error */
export const call = async <T = Record<string, unknown>>(
  port: number,
  method: string,
  path: string,
  { token, body }: { token?: string | undefined; body?: unknown } = {},
): Promise<T> => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as T
}

/**
 * Creates the owners who sign in through the API, as a superuser.
 * @param superuserToken of the superuser
 * @returns the token of each
 */
export const signInOwners = async (
  port: number,
  superuserToken: string,
  owners: readonly Owner[],
): Promise<ReadonlyMap<string, string>> => {
  const tokens = new Map<string, string>()
  for (const owner of owners) {
    await call(port, 'POST', '/api/collections/users/records', {
      token: superuserToken,
      body: userBody(owner),
    })
    const { token } = await call<{ token: string }>(
      port,
      'POST',
      '/api/collections/users/auth-with-password',
      { body: { identity: owner.email, password: SUPERUSER.password } },
    )
    tokens.set(owner.id, token)
  }
  return tokens
}

/** Waits until a URL responds. @throws if the process has ended before */
export const untilHealthy = async (port: number, hasEnded: () => boolean): Promise<void> => {
  for (;;) {
    if (hasEnded()) throw new Error('The server ended before it was ready.')
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
