import { readFileSync } from 'node:fs'
import type { ConnectionOptions as TlsOptions } from 'node:tls'

import { StartupError } from './problem.ts'

/** The address of a PostgreSQL server; a host that is a folder contains its Unix socket. */
export interface Host {
  readonly host: string
  readonly port: number
}

/** The encryption of connections, as set by `sslmode` and related options. */
interface Tls {
  /** Continue without encryption if the server offers none (`allow`, `prefer`). */
  readonly isOptional: boolean
  /** Encrypt from the first byte (`sslnegotiation=direct`). */
  readonly isDirect: boolean
  readonly options: Pick<TlsOptions, 'ca' | 'rejectUnauthorized' | 'checkServerIdentity'>
}

/** The required state of a server (`target_session_attrs`). */
export type Target = 'any' | 'primary' | 'read-write'

/** An address of PostgreSQL, as libpq reads it (PostgreSQL 34.1.1.2), several hosts included. */
export interface Address {
  /** At least one; tried in this order. */
  readonly hosts: readonly Host[]
  /** Absent: connections are not encrypted. */
  readonly tls?: Tls
  readonly target: Target
  readonly user?: string
  readonly password?: string
  readonly database?: string
  /** Arguments for the server process of a session, for example `-c search_path=app`. */
  readonly options?: string
  /** Settings of each session, by name. */
  readonly settings: Readonly<Record<string, string>>
  /** For messages: without a password. */
  readonly shown: string
}

const DEFAULT_PORT = 5432
const MAX_PORT = 65_535
const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/:]*)(?::([^/]*))?@)?([^/?#@]*)([^?#]*)(.*)$/s
const HOST = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/

/**
 * @param setting the name of the setting with this address, for messages
 * @throws {StartupError} for an address that is malformed or has an unsupported option
 */
export const readAddress = (address: string, setting = 'DATABASE_URL'): Address => {
  const [, scheme = '', account = '', secret = '', authority = '', path = '', query = ''] =
    PARTS.exec(address) ?? []
  // If a password contains a slash, its rest would be displayed as the database name.
  if (scheme === '' || path.includes('@')) throw unreadable(setting)
  const { searchParams } = new URL(`${scheme}localhost/${query}`)
  const take = (name: string): string | undefined => {
    const value = searchParams.get(name) ?? undefined
    searchParams.delete(name)
    return value
  }
  const folder = searchParams.get('host')?.startsWith('/') ? take('host') : undefined
  const hosts = authority.split(',').map((text) => readHost(text, { folder, setting }))
  const tls = readTls(setting, take('sslmode'), take('sslrootcert'), take('sslnegotiation'))
  const target = readTarget(setting, take('target_session_attrs'))
  const options = take('options')
  const part = (name: string, text: string): string => take(name) ?? decode(text, setting)
  const user = part('user', account)
  const password = part('password', secret)
  const database = part('dbname', path.slice(1))
  const unknown = [...searchParams.keys()].filter((name) => OF_LIBPQ.has(name))
  if (unknown.length > 0)
    throw new StartupError(
      `${setting} has libpq options that this server does not support: remove ${unknown.join(', ')}.`,
    )
  return {
    hosts,
    ...(tls && { tls }),
    target,
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ...(options && { options }),
    settings: Object.fromEntries(searchParams),
    shown: `${scheme}${account && `${account}@`}${authority}${path}`,
  }
}

/**
 * Options that only libpq understands (PostgreSQL 34.1.2). Any other option is a session setting; PostgreSQL rejects
 * unknown ones.
 */
const OF_LIBPQ: ReadonlySet<string> = new Set([
  'channel_binding',
  'connect_timeout',
  'fallback_application_name',
  'gssencmode',
  'gsslib',
  'host',
  'hostaddr',
  'keepalives',
  'keepalives_count',
  'keepalives_idle',
  'keepalives_interval',
  'krbsrvname',
  'load_balance_hosts',
  'passfile',
  'port',
  'replication',
  'require_auth',
  'requirepeer',
  'service',
  'sslcert',
  'sslcertmode',
  'sslcompression',
  'sslcrl',
  'sslcrldir',
  'sslkey',
  'sslpassword',
  'sslsni',
  'tcp_user_timeout',
])

interface HostOptions {
  /** The folder of its socket. */
  readonly folder: string | undefined
  readonly setting: string
}

const readHost = (text: string, { folder, setting }: HostOptions): Host => {
  const [, host, port] = HOST.exec(text) ?? []
  const at = Number(port ?? DEFAULT_PORT)
  if (host === undefined || at > MAX_PORT) throw unreadable(setting)
  return {
    host: folder ?? (decode(host, setting).replace(/^\[|\]$/g, '') || 'localhost'),
    port: at,
  }
}

const decode = (text: string, setting: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    throw unreadable(setting)
  }
}

/** The cause is left out: it would quote the password. */
const unreadable = (setting: string): StartupError =>
  new StartupError(
    `The address in ${setting} cannot be read: write postgres://user:password@host:port/database, and the signs / @ : % in a user or password as %2F %40 %3A %25.`,
  )

const readTls = (
  setting: string,
  mode = 'disable',
  rootFile?: string,
  negotiation?: string,
): Tls | undefined => {
  if (mode === 'disable') return undefined
  const isOptional = mode === 'allow' || mode === 'prefer'
  const isDirect = negotiation === 'direct'
  const ca =
    rootFile === undefined || rootFile === 'system' ? undefined : readRoot(setting, rootFile)
  const isVerified = mode === 'verify-full' || mode === 'verify-ca' || rootFile !== undefined
  if (!isVerified && !isOptional && mode !== 'require')
    throw new StartupError(
      `sslmode in ${setting} must be disable, allow, prefer, require, verify-ca or verify-full.`,
    )
  return {
    isOptional,
    isDirect,
    options: {
      ...(ca && { ca }),
      rejectUnauthorized: isVerified,
      ...(isVerified &&
        mode !== 'verify-full' &&
        rootFile !== 'system' && { checkServerIdentity: () => undefined }),
    },
  }
}

const readRoot = (setting: string, file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new StartupError(`The file ${file} (sslrootcert in ${setting}) cannot be read.`, {
      cause: error,
    })
  }
}

/** Requests write, so a read-only server is never wanted. */
const readTarget = (setting: string, text = 'any'): Target => {
  if (text === 'any' || text === 'primary' || text === 'read-write') return text
  throw new StartupError(
    `target_session_attrs in ${setting} must be any, primary or read-write: this server needs to write.`,
  )
}
