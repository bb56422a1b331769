import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import PocketBase from 'pocketbase'

import { BUSINESSES } from '#domain/collection.ts'

import type { Config } from '../server/config.ts'
import { reservePort, serve } from '../server/main.ts'
import { StartupError } from '../server/problem.ts'
import { buildIfStale } from './build/build.ts'
import { findOwner, importFor, type BusinessOwner } from './importing.ts'
import {
  checkFile,
  countOf,
  loadConfig,
  pathOf,
  readArguments,
  run,
  withCleanUp,
} from './process.ts'
import { withProvider } from './provider/provider.ts'
import { signInThroughPage } from './provider/sign-in.ts'
import { splitRegister, type Operator } from './register.ts'

const USAGE =
  'npm run seed -- FILE --operator "NAME" [--email EMAIL]\n  or npm run seed -- FILE --all-operators'

interface Arguments {
  readonly file: string
  /** Absent: all of them. */
  readonly operator: string | undefined
  readonly email: string | undefined
}

const main = async (): Promise<void> => {
  const args = readArguments(USAGE, parseArguments)
  await checkFile(args.file)
  const folder = await mkdtemp(join(tmpdir(), 'voltleaf-seed-'))
  await withCleanUp(
    () => rm(folder, { recursive: true, force: true }),
    async () => registerAll(await readRegister(args, folder)),
  )
}

const registerAll = async (operators: readonly Operator[]): Promise<void> => {
  const reached = reachServer(loadConfig())
  await withCleanUp(
    async () => (await reached).close(),
    async () => {
      const server = await reached
      for (const operator of operators) await registerOperator(server, operator)
      console.log(
        operators.length === 1
          ? `To see them, sign in at ${server.url} with the email ${operators[0]?.email}.`
          : `To see them, sign in at ${server.url} with the email of an operator.`,
      )
    },
  )
}

const parseArguments = (): Arguments | undefined => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      operator: { type: 'string' },
      email: { type: 'string' },
      'all-operators': { type: 'boolean' },
    },
  })
  const [file, ...rest] = positionals
  const { operator, email, 'all-operators': isAll } = values
  const isClear = isAll ? operator === undefined && email === undefined : Boolean(operator)
  if (file !== undefined && rest.length === 0 && isClear)
    return { file: pathOf(file), operator, email }
  return undefined
}

const readRegister = async (
  { file, operator, email }: Arguments,
  folder: string,
): Promise<readonly Operator[]> => {
  const found = await splitRegister(file, folder, operator).catch((error: unknown) => {
    throw new StartupError(`${file} cannot be read as a register: ${String(error)}`, {
      cause: error,
    })
  })
  if (found.length === 0)
    throw new StartupError(
      operator === undefined
        ? `${file} contains no charge points.`
        : `${file} contains no charge points of "${operator}": check the spelling.`,
    )
  if (operator === undefined) return withOwnEmails(found)
  return found.map((one) => {
    const owner = email ?? one.email
    if (owner === '')
      throw new StartupError(`${file} has no email address for "${operator}": add --email EMAIL.`)
    return { ...one, email: owner }
  })
}

/**
 * An account has one business, so an email that is missing or that another operator has is replaced by one made from
 * the name.
 */
const withOwnEmails = (operators: readonly Operator[]): readonly Operator[] => {
  const taken = new Set<string>()
  return operators.map((operator, index) => {
    const isFree = operator.email !== '' && !taken.has(operator.email.toLowerCase())
    const email = isFree
      ? operator.email
      : `${slug(operator.name) || `operator-${index}`}@example.org`
    taken.add(email.toLowerCase())
    return { ...operator, email }
  })
}

const slug = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** A server, and the settings for access to its database. */
interface Reached {
  readonly url: string
  readonly config: Config
  close(): Promise<void>
}

/** Connects to the server that uses the data folder, or starts one temporarily. */
const reachServer = async (settings: Config): Promise<Reached> => {
  const running = await findRunning(settings.dataDir)
  if (running !== undefined) return { url: running, config: settings, close: async () => {} }
  await buildIfStale()
  const { config: reserved, releasePort } = await reservePort(settings)
  const { config, provider } = await withProvider(reserved)
  const server = await serve(config, { releasePort })
  return {
    url: server.url,
    config,
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

/** Imports the stations of an operator that do not exist yet; a second run adds and changes nothing. */
const registerOperator = async (
  { url, config }: Reached,
  { name, file, email, withoutPlug }: Operator,
): Promise<void> => {
  const owner = (await findOwner(config, email)) ?? (await newOwner(url, name, email))
  const said = await importFor(config, owner, async (one) => {
    const { id, counts } = await one.plan({ file, name: `${name}.jsonl` })
    await one.change({ included: false, where: { action: 'CHANGED' } })
    await one.run()
    const [made] = await one.ask(
      (sql) => sql<[{ sites: number; connectors: number; failed: number }]>`
        select count(*) filter (where state = 'APPLIED')::int as sites,
          coalesce(sum(new_connectors) filter (where state = 'APPLIED'), 0)::int as connectors,
          count(*) filter (where action = 'REFUSED' or state = 'FAILED')::int as failed
        from import_rows where import = ${id}`,
    )
    const sites = (counts?.NEW ?? 0) + (counts?.CHANGED ?? 0) + (counts?.UNCHANGED ?? 0)
    return { sites, connectors: counts?.connectors ?? 0, made }
  })
  console.log(
    `${name}: ${countOf(said.sites, 'site')} (${said.made.sites} new) and ${countOf(said.connectors, 'connector')} (${said.made.connectors} new).`,
  )
  if (said.made.failed > 0) console.log(`Stations refused: ${said.made.failed}`)
  if (withoutPlug > 0)
    console.log(
      `Charge points without a connector, because their plug type is not known: ${withoutPlug}`,
    )
}

/** Signs in as a new user and registers the business. */
const newOwner = async (url: string, name: string, email: string): Promise<BusinessOwner> => {
  const { client, record } = await signInThroughPage(url, { name, email })
  const { items } = await client.collection(BUSINESSES).getList(1, 1)
  const business =
    items[0]?.id ??
    (await client.collection(BUSINESSES).create({ name, contact_email: email, user: record.id })).id
  return { user: record.id, business }
}

await run(main)
