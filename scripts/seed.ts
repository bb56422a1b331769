import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import PocketBase, { ClientResponseError } from 'pocketbase'

import { FULL_LIST_BATCH } from '#domain/limits.ts'
import { BUSINESSES, CONNECTORS, SITES } from '#domain/collection.ts'

import type { Config } from '../server/config.ts'
import { chooseFreePort, serve } from '../server/main.ts'
import { StartupError } from '../server/problem.ts'
import { buildIfStale } from './build/build.ts'
import { readOperator, stableId, type Operator } from './irve.ts'
import { exitWith, loadConfig } from './process.ts'
import { withProvider } from './provider/provider.ts'
import { signInThroughPage } from './provider/sign-in.ts'

const USAGE = 'npm run seed -- FILE --operator "NAME" [--email EMAIL]'
/** Records in one batch: few enough to show progress, enough to stay below the rate limits. */
const BATCH = 200

const main = async (): Promise<void> => {
  const { file, operator, email } = readArguments()
  const register = await readOperator(file, operator).catch((error: unknown) => {
    throw new StartupError(`${file} cannot be read as a register: ${String(error)}`, {
      cause: error,
    })
  })
  if (register.stations.length === 0)
    throw new StartupError(`${file} holds no charge point of "${operator}": check the spelling.`)
  const owner = email ?? register.email
  if (owner === '')
    throw new StartupError(`${file} names no email for "${operator}": add --email EMAIL.`)
  const server = await reachServer(loadConfig())
  try {
    const { client } = await signInThroughPage(server.url, { name: operator, email: owner })
    await registerOperator(client, operator, owner, register)
    console.log(`Sign in at ${server.url} with the email ${owner} to look.`)
  } finally {
    await server.close()
  }
}

const readArguments = (): { file: string; operator: string; email: string | undefined } => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { operator: { type: 'string' }, email: { type: 'string' } },
    })
    const [file, ...rest] = positionals
    if (file !== undefined && rest.length === 0 && values.operator)
      return { file: resolve(file), operator: values.operator, email: values.email }
  } catch (error) {
    throw new StartupError(`${String(error)}\nUse: ${USAGE}`, { cause: error })
  }
  throw new StartupError(`Use: ${USAGE}`)
}

/** Connects to the server that uses the data folder, or starts one for the purpose. */
const reachServer = async (settings: Config): Promise<{ url: string; close(): Promise<void> }> => {
  const running = await findRunning(settings.dataDir)
  if (running !== undefined) return { url: running, close: async () => {} }
  await buildIfStale()
  const { config, provider } = await withProvider(await chooseFreePort(settings))
  const server = await serve(config)
  return {
    url: server.url,
    close: async () => {
      await server.close()
      await provider?.close()
    },
  }
}

const findRunning = async (dataDir: string): Promise<string | undefined> => {
  try {
    const { url } = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')) as {
      url: string
    }
    return (await new PocketBase(url).health.check()).code === 200 ? url : undefined
  } catch {
    // No server is announced, or it no longer responds: start one.
    return undefined
  }
}

/** Creates missing records. Ids are derived from the register, so a second run adds nothing. */
const registerOperator = async (
  client: PocketBase,
  operator: string,
  email: string,
  { stations, withoutPlug }: Operator,
): Promise<void> => {
  const user = client.authStore.record?.id ?? ''
  const businesses = await list(client, BUSINESSES)
  const business =
    businesses[0]?.id ??
    (
      await client
        .collection(BUSINESSES)
        .create({ name: operator, contact_email: email, user }, patient)
    ).id
  const sites = stations.map(({ key, site, connectors }) => {
    const id = stableId(business, key)
    return { id, body: { id, business, ...site }, connectors }
  })
  const connectors = sites.flatMap((site) =>
    site.connectors.map(({ key, ...connector }) => {
      const id = stableId(site.id, key)
      return { id, body: { id, site: site.id, ...connector } }
    }),
  )
  const made = [
    await create(client, SITES, 'sites', sites),
    await create(client, CONNECTORS, 'connectors', connectors),
  ]
  console.log(
    `${operator}: ${sites.length} sites (${made[0]} new) and ${connectors.length} connectors (${made[1]} new).`,
  )
  if (withoutPlug > 0)
    console.log(`${withoutPlug} charge points have no plug of a known kind; they got no connector.`)
}

const list = (client: PocketBase, collection: string) =>
  client.collection(collection).getFullList({ ...patient, batch: FULL_LIST_BATCH, fields: 'id' })

/** A batch is atomic, so after an interruption the next run continues where this one ended. */
const create = async (
  client: PocketBase,
  collection: string,
  label: string,
  records: readonly { readonly id: string; readonly body: Record<string, unknown> }[],
): Promise<number> => {
  const known = new Set((await list(client, collection)).map(({ id }) => id))
  const missing = records.filter(({ id }) => !known.has(id))
  for (let done = 0; done < missing.length; done += BATCH) {
    const batch = client.createBatch()
    for (const { body } of missing.slice(done, done + BATCH))
      batch.collection(collection).create(body)
    await batch.send(patient).catch((error: unknown) => {
      throw isGone(error) ? gone(label, known.size + done, records.length, error) : error
    })
    const shown = Math.min(done + BATCH, missing.length)
    showProgress(`${label}: ${shown} of ${missing.length}`, shown === missing.length)
  }
  return missing.length
}

/** Whether the request got no response. */
const isGone = (error: unknown): boolean =>
  error instanceof ClientResponseError && error.status === 0

const gone = (label: string, there: number, all: number, cause: unknown): StartupError =>
  new StartupError(
    `The server no longer answers: ${there} of ${all} ${label} are there. Run the same command again, and it goes on from there.`,
    { cause },
  )

const PROGRESS_EVERY_MS = 5_000
let shownAtMs = 0

const showProgress = (line: string, last: boolean): void => {
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${last ? '\n' : ''}`)
  else if (last || Date.now() - shownAtMs > PROGRESS_EVERY_MS) {
    shownAtMs = Date.now()
    console.log(line)
  }
}

/** Retries a request after the time in `Retry-After` (spec 12). */
const patientFetch: typeof fetch = async (input, init) => {
  for (;;) {
    const response = await fetch(input, init)
    const waitS = Number(response.headers.get('retry-after'))
    if (![429, 503].includes(response.status) || !(waitS > 0)) return response
    await response.arrayBuffer()
    if (waitS > 1) console.log(`The server asks to wait ${waitS} s.`)
    await sleep(waitS * 1000)
  }
}
const patient = { fetch: patientFetch, requestKey: null }

await main().then(
  () => process.exit(0),
  (error: unknown) => exitWith(error),
)
