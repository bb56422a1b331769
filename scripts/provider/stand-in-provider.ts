import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import type { AdapterPayload, Configuration, JWK, JWKS } from 'oidc-provider'
import { REDIRECT_PATHS } from '#domain/paths.ts'
import { StartupError } from '../../server/problem.ts'

/** A local OpenID Connect provider for development and tests. */
export interface StandInProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  close(): Promise<void>
}

export interface StandInOptions {
  /** The origins of the app; only redirects to these are allowed. */
  readonly origins: readonly string[]
  /** The base path of the app. */
  readonly basePath?: string
  /** 0 or absent: any free port. */
  readonly port?: number
  /** The folder that stores the keys; absent: none. */
  readonly dataDir?: string
}

const HOST = '127.0.0.1'
const CLIENT_ID = 'voltleaf'
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$|^[^\s@]+@localhost$/
const MAX_FORM_BYTES = 10_000
const DAY_S = 24 * 60 * 60

interface Person {
  readonly name: string
  /** Empty if none was entered; the provider then sends no email claim. */
  readonly email: string
}

/**
 * Starts the provider. Its page asks for a name and an email and accepts any; the same email always means the same
 * account, also after a restart.
 * @throws {StartupError} if the port is taken
 */
export const startStandInProvider = async (options: StandInOptions): Promise<StandInProvider> => {
  const server = createServer()
  const port = await listen(server, options.port ?? 0)
  const issuer = `http://${HOST}:${port}`

  const { Provider } = await importQuietly()
  const keys = await readKeys(options.dataDir)
  const people = new Map<string, Person>()

  const provider = new Provider(issuer, {
    adapter: createAdapterClass(),
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: keys.clientSecret,
        redirect_uris: options.origins.flatMap((origin) =>
          REDIRECT_PATHS.map((path) => origin + (options.basePath ?? '') + path),
        ),
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
        application_type: 'web',
      },
    ],
    jwks: keys.jwks,
    cookies: {
      keys: [keys.cookieKey],
      // Ports share cookies, so two copies on one computer need different names.
      names: {
        session: `session_${port}`,
        interaction: `interaction_${port}`,
        resume: `resume_${port}`,
      },
    },
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      Grant: DAY_S,
      IdToken: 3600,
      Interaction: 3600,
      Session: DAY_S,
    },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, accountId) => {
      const person = people.get(accountId)
      if (person === undefined) return undefined
      return {
        accountId,
        claims: () => ({
          sub: accountId,
          name: person.name,
          ...(person.email && { email: person.email, email_verified: true }),
        }),
      }
    },
    loadExistingGrant: grantEverything,
    renderError: (ctx, out) => {
      ctx.type = 'text/plain'
      ctx.body = `Sign-in failed: ${out.error_description ?? out.error}\n`
    },
  } satisfies Configuration)

  const answer = provider.callback()
  const respond = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    forgetSession(req)
    if (!req.url?.startsWith('/interaction/')) return answer(req, res)
    await provider.interactionDetails(req, res)
    const entered = req.method === 'POST' ? await readForm(req) : undefined
    if (entered === undefined || (entered.email && !EMAIL.test(entered.email))) {
      return showPage(res, options.origins, entered)
    }
    const accountId = accountIdOf(entered)
    people.set(accountId, entered)
    await provider.interactionFinished(req, res, { login: { accountId } })
  }
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    respond(req, res).catch(() => {
      res.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
      res.end('This sign-in has ended. Go back to the app and start again.\n')
    })
  })

  return {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: keys.clientSecret,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Grants all scopes without a consent screen. */
const grantEverything: Configuration['loadExistingGrant'] = async ({ oidc }) => {
  const { client, session, provider } = oidc
  if (client === undefined || session?.accountId === undefined) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid profile email')
  await grant.save()
  return grant
}

/** Listens on this port, or on a free one for 0; resolves to the port. */
const listen = async (server: Server, wanted: number): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new StartupError(
              `Another program already listens on port ${wanted}, where the stand-in sign-in provider should: set IDP_PORT to another one, or leave it out.`,
              { cause: error },
            )
          : error,
      )
    })
    server.listen(wanted, HOST, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/**
 * Starts every sign-in without a session. With an earlier session, the provider would sign in the same person without
 * asking, and send another person through its own sign-out.
 */
const forgetSession = (req: IncomingMessage): void => {
  const { cookie } = req.headers
  if (cookie === undefined) return
  const others = cookie.split('; ').filter((pair) => !pair.startsWith('session_'))
  req.headers.cookie = others.join('; ')
}

const accountIdOf = ({ name, email }: Person): string =>
  createHash('sha256')
    .update(email ? email.toLowerCase() : `without email: ${name}`)
    .digest('hex')
    .slice(0, 32)

/** The library warns about Node versions without long-term support when it is imported; no other warning is hidden. */
const importQuietly = async (): Promise<typeof import('oidc-provider')> => {
  const warn = console.warn
  console.warn = (...args: unknown[]) => {
    if (!args.join(' ').includes('Unsupported runtime')) warn(...args)
  }
  try {
    return await import('oidc-provider')
  } finally {
    console.warn = warn
  }
}

interface Keys {
  readonly clientSecret: string
  readonly cookieKey: string
  readonly jwks: JWKS
}

const readKeys = async (dataDir: string | undefined): Promise<Keys> => {
  const file = dataDir && join(dataDir, 'stand-in-provider.json')
  if (file) {
    try {
      // Reads regular files only: others, such as devices, may be endless.
      if ((await stat(file)).isFile()) return JSON.parse(await readFile(file, 'utf8')) as Keys
    } catch {
      // Missing or truncated: new keys only invalidate sign-ins in progress.
    }
  }
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'stand-in' } as JWK
  const keys: Keys = {
    clientSecret: randomBytes(24).toString('hex'),
    cookieKey: randomBytes(24).toString('hex'),
    jwks: { keys: [jwk] },
  }
  if (file && dataDir) {
    await mkdir(dataDir, { recursive: true, mode: 0o711 })
    await writeFile(file, JSON.stringify(keys), { mode: 0o600 })
  }
  return keys
}

/** In-memory storage of the provider. The library's own adapter warns at every start. */
const createAdapterClass = () => {
  const entries = new Map<string, { payload: AdapterPayload; expiresMs: number }>()
  const live = (key: string): AdapterPayload | undefined => {
    const entry = entries.get(key)
    return entry && entry.expiresMs > Date.now() ? entry.payload : undefined
  }
  const findBy = (test: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
    [...entries.keys()].map(live).find((payload) => payload && test(payload))

  return class MemoryAdapter {
    readonly #kind: string

    constructor(kind: string) {
      this.#kind = kind
    }

    async upsert(id: string, payload: AdapterPayload, expiresInS = DAY_S): Promise<void> {
      entries.set(`${this.#kind} ${id}`, { payload, expiresMs: Date.now() + expiresInS * 1000 })
    }

    async find(id: string): Promise<AdapterPayload | undefined> {
      return live(`${this.#kind} ${id}`)
    }

    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return findBy((payload) => payload.uid === uid)
    }

    async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
      return findBy((payload) => payload.userCode === userCode)
    }

    async consume(id: string): Promise<void> {
      const payload = live(`${this.#kind} ${id}`)
      if (payload) payload.consumed = Math.floor(Date.now() / 1000)
    }

    async destroy(id: string): Promise<void> {
      entries.delete(`${this.#kind} ${id}`)
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, { payload }] of entries) {
        if (payload.grantId === grantId) entries.delete(key)
      }
    }
  }
}

const readForm = async (req: IncomingMessage): Promise<Person> => {
  let body = ''
  for await (const chunk of req.setEncoding('utf8')) {
    body += String(chunk)
    if (body.length > MAX_FORM_BYTES) throw new Error('too long')
  }
  const form = new URLSearchParams(body)
  return { name: form.get('name')?.trim() ?? '', email: form.get('email')?.trim() ?? '' }
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; accent-color: #147a4b }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 16px; box-sizing: border-box; background: light-dark(#f3f6f4, #101613); color: light-dark(#16201b, #e6ede9) }
main { width: 100%; max-width: 380px; box-sizing: border-box; padding: 28px; border-radius: 16px; background: light-dark(#fff, #18211d); border: 1px solid light-dark(#d5ded9, #2d3a34) }
h1 { margin: 0 0 4px; font-size: 24px; line-height: 1.25 }
p { margin: 0 0 20px; color: light-dark(#4c5b53, #a5b5ad); font-size: 15px }
label { display: block; margin-bottom: 16px; font-weight: 600; font-size: 15px }
input { display: block; width: 100%; box-sizing: border-box; margin-top: 4px; padding: 11px 12px; font: inherit; font-weight: 400; color: inherit; background: light-dark(#fff, #101613); border: 1px solid light-dark(#7d8c84, #6b7a72); border-radius: 10px }
button { width: 100%; min-height: 48px; font: inherit; font-weight: 600; color: #fff; background: #147a4b; border: 0; border-radius: 10px; cursor: pointer }
button:hover { background: #0f673e }
:focus-visible { outline: 3px solid light-dark(#147a4b, #4fc98d); outline-offset: 2px }
[role=alert] { color: light-dark(#b3261e, #ffb4ab); font-weight: 600 }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The page with its two fields, with the submitted values and a message if they were invalid. */
const showPage = (res: ServerResponse, origins: readonly string[], entered?: Person): void => {
  res.writeHead(entered ? 422 : 200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // The response to the form redirects to the app, and browsers apply form-action to redirects, too.
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      // An empty icon keeps browsers from requesting one.
      'img-src data:',
      `form-action 'self' ${origins.join(' ')}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
  })
  const problem = entered
    ? '<p role="alert" id="problem">This is not an email address. Enter one such as ada@example.org.</p>'
    : ''
  res.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Sign in</h1>
<p>A stand-in for a real sign-in provider. Any name and email will do; the same email is the same account.</p>
${problem}
<form method="post">
<label>Name<input name="name" autocomplete="name" maxlength="200" value="${escapeHtml(entered?.name ?? '')}"></label>
<label>Email<input name="email" type="email" autocomplete="email" maxlength="254" value="${escapeHtml(entered?.email ?? '')}"${entered ? ' aria-invalid="true" aria-describedby="problem"' : ''}></label>
<button>Sign in</button>
</form>
</main>
</body>
</html>
`)
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
