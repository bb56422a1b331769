import { isIPv6 } from 'node:net'
import { resolve } from 'node:path'

import { isEmail } from '#domain/schema.ts'
import { LINKS, type Link } from '#domain/settings.ts'

import { readAddress } from './database-address.ts'
import { StartupError } from './problem.ts'

/** The settings of an installation, parsed and validated. Spec 12 documents each. */
export interface Config {
  /** Address to listen on. */
  readonly host: string
  /** Port to listen on; 0 means any free one, see `reservePort` in main.ts. */
  readonly port: number
  /** The public URL of the app, base path included, without a trailing slash. */
  readonly publicUrl: string
  /** The origins under which the app is available. */
  readonly origins: readonly string[]
  /** The path below which everything is served: empty, or for example `/ev`. */
  readonly basePath: string
  /** Absolute. Contains the embedded database, files and generated secrets. */
  readonly dataDir: string
  /** Absent: the embedded database. */
  readonly databaseUrl?: string
  /** The database itself, if `databaseUrl` leads through a pooler in transaction mode. */
  readonly databaseDirectUrl?: string
  /** Replicas of the database, each at its own address, for public reads. */
  readonly databaseReplicaUrls: readonly string[]
  /** Absent: generated once and stored in the database. */
  readonly tokenSecret?: string
  /** Absent: the stand-in provider. */
  readonly oidc?: OidcSettings
  readonly idpPort?: number
  /** The maximum age of a session in days, refreshes included. */
  readonly maxSessionDays: number
  /** Absent: files are stored in `dataDir`. */
  readonly s3?: S3Settings
  readonly rateLimits: boolean
  /** Absent: mails are written to files. */
  readonly smtpUrl?: string
  /** The sender of mails, as an address or `Name <address>`. */
  readonly mailFrom: string
  /** Empty if usage analytics are off. */
  readonly analyticsHost: string
  readonly analyticsAppKey: string
  /** Empty if not set. */
  readonly appVersion: string
  /** Style of the street map, or `none`. */
  readonly mapStyleUrl: string
  /** A geocoder with the API of Photon, or `none`. */
  readonly geocoderUrl: string
  /** How short links of map apps are opened: `direct`, `none`, or the URL of a gateway. */
  readonly mapLinks: string
  readonly productName: string
  /** Empty if the product has no website other than this installation. */
  readonly productWebsite: string
  /** Pages of the operator; empty for those that do not exist. */
  readonly links: Readonly<Record<Link, string>>
  /** Foreign origins that may call the API from a browser. */
  readonly corsOrigins: readonly string[]
  /** Whether imports may read from addresses of private networks. */
  readonly importPrivateAddresses: boolean
  /** Whether the `X-Forwarded-*` headers of a proxy are trusted. */
  readonly trustProxy: boolean
  /** The delay before the server stops, in seconds. Meanwhile it serves requests and reports that it is not ready. */
  readonly stopDelayS: number
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean
  readonly logLevel: LogLevel
  /** The token for `/metrics` from other computers. If absent, only this computer may read them. */
  readonly metricsToken?: string
}

/** The lowest level of lines in the log; `info` is one line per request. */
const LOG_LEVELS = ['error', 'warn', 'info'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The settings of the OpenID Connect provider. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  /** Absent: a public client. */
  readonly clientSecret?: string
  /** Separated by spaces. */
  readonly scopes: string
  /** The name that users see; empty: "single sign-on". */
  readonly name: string
  /** Whether signing out also ends the session at the provider, and the next sign-in asks for the account. */
  readonly signOut: boolean
}

/** A file store with the S3 protocol. */
export interface S3Settings {
  /** For example `https://s3.eu-central-1.amazonaws.com`, without a trailing slash. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Invalid settings; the message lists every problem, one per line. */
export class ConfigError extends StartupError {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `These settings are not valid (see .env.example):\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    )
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads single settings, and collects a sentence about each invalid one. */
class SettingsReader {
  readonly problems: string[] = []
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
  }

  /** An empty variable counts as absent. */
  text(name: string): string | undefined {
    return this.#env[name]?.trim() || undefined
  }

  /** Adds the sentence unless the condition is true. */
  demand(condition: boolean, problem: string): void {
    if (!condition) this.problems.push(problem)
  }

  port(name: string): number | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65535) return Number(value)
    this.problems.push(`${name} must be a port number from 0 to 65535, not "${value}".`)
    return undefined
  }

  whole(name: string, fallback: number, { min, max }: { min: number; max: number }): number {
    const value = this.text(name) ?? String(fallback)
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max)
      return Number(value)
    this.problems.push(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
    return fallback
  }

  onOff(name: string, fallback: boolean): boolean {
    const value = this.text(name)?.toLowerCase()
    if (value === undefined) return fallback
    if (['on', 'true', '1', 'yes'].includes(value)) return true
    if (['off', 'false', '0', 'no'].includes(value)) return false
    this.problems.push(`${name} must be "on" or "off", not "${value}".`)
    return fallback
  }

  /** Error messages omit the values: an address may contain a password. */
  database(name: string, value = this.text(name)): string | undefined {
    if (value === undefined) return undefined
    try {
      if (/^postgres(ql)?:\/\/./.test(value)) readAddress(value, name)
      else this.problems.push(`${name} must begin with postgres:// or postgresql://.`)
    } catch (error) {
      if (!(error instanceof StartupError)) throw error
      this.problems.push(error.message)
    }
    return value
  }

  webAddress(name: string): URL | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (url !== undefined && /^https?:$/.test(url.protocol)) return url
    this.problems.push(
      `${name} must be a URL that begins with http:// or https://, not "${value}".`,
    )
    return undefined
  }

  addressOrNone(name: string, fallback: string): string {
    const value = this.text(name)
    return value === 'none' ? 'none' : (this.webAddress(name) && value) || fallback
  }
}

/**
 * Reads the settings from environment variables. An empty variable counts as absent; relative folders are resolved
 * against the working directory.
 * @throws {ConfigError} that lists every invalid variable
 */
export const readConfig = (env: Environment): Config => {
  const settings = new SettingsReader(env)
  const production = readProduction(settings)
  const productName = settings.text('PRODUCT_NAME') ?? 'Voltleaf'
  const listening = readListening(settings)
  const config: Config = {
    ...listening,
    dataDir: resolve(settings.text('DATA_DIR') ?? 'data'),
    ...readDatabase(settings),
    ...readOidc(settings),
    ...readProviderPort(settings, listening.port),
    maxSessionDays: settings.whole('MAX_SESSION_DAYS', 30, { min: 1, max: 3650 }),
    ...readS3(settings),
    rateLimits: settings.onOff('RATE_LIMITS', true),
    ...readMail(settings, productName),
    ...readAnalytics(settings),
    appVersion: settings.text('APP_VERSION') ?? '',
    ...readMaps(settings),
    productName,
    productWebsite: settings.webAddress('PRODUCT_WEBSITE')?.href.replace(/\/$/, '') ?? '',
    links: readLinks(settings),
    corsOrigins: readCorsOrigins(settings),
    importPrivateAddresses: settings.onOff('IMPORT_PRIVATE_ADDRESSES', false),
    trustProxy: settings.onOff('TRUST_PROXY', false),
    stopDelayS: settings.whole('STOP_DELAY_SECONDS', 0, { min: 0, max: 300 }),
    production,
    logLevel: readLogLevel(settings, production),
    ...readMetricsToken(settings),
  }
  demandSecrets(settings, config.publicUrl)
  if (settings.problems.length > 0) throw new ConfigError(settings.problems)
  return config
}

/** A misspelt value would enable the stand-in provider and turn off the request log. */
const readProduction = (settings: SettingsReader): boolean => {
  const value = settings.text('NODE_ENV') ?? 'development'
  settings.demand(
    ['production', 'development', 'test'].includes(value),
    `NODE_ENV must be "production" or "development", not "${value}".`,
  )
  return value === 'production'
}

const readListening = (settings: SettingsReader) => {
  const named = settings.text('HOST') ?? '127.0.0.1'
  const isHost = isIPv6(named) || /^[\w.-]+$/.test(named)
  settings.demand(isHost, `HOST must be a name or an address without a port, not "${named}".`)
  const host = isHost ? named : '127.0.0.1'
  const port = settings.port('PORT') ?? 8090
  const publicUrl = settings.webAddress('PUBLIC_URL')
  settings.demand(
    !(publicUrl?.search || publicUrl?.hash || publicUrl?.username),
    'PUBLIC_URL may have a path, but no query, fragment or user name.',
  )
  settings.demand(
    /^(\/[\w.~-]+)*\/?$/.test(publicUrl?.pathname ?? ''),
    'The path of PUBLIC_URL may contain only letters, digits and . _ ~ - between slashes.',
  )
  return { host, port, ...publicPlaces(publicUrl ?? new URL(`http://${urlHost(host)}:${port}`)) }
}

const readDatabase = (settings: SettingsReader) => {
  const databaseUrl = settings.database('DATABASE_URL')
  const databaseDirectUrl = settings.database('DATABASE_DIRECT_URL')
  const databaseReplicaUrls = settings.text('DATABASE_REPLICA_URLS')?.split(/\s+/) ?? []
  const areApart = !databaseReplicaUrls.some((url) => url.includes(',postgres'))
  settings.demand(areApart, 'DATABASE_REPLICA_URLS must be separated by spaces, not commas.')
  if (areApart)
    for (const url of databaseReplicaUrls) settings.database('DATABASE_REPLICA_URLS', url)
  const tokenSecret = settings.text('TOKEN_SECRET')
  settings.demand(
    databaseDirectUrl === undefined || databaseUrl !== undefined,
    'DATABASE_URL is missing; DATABASE_DIRECT_URL needs it.',
  )
  settings.demand(
    databaseReplicaUrls.length === 0 || databaseUrl !== undefined,
    'DATABASE_URL is missing; DATABASE_REPLICA_URLS needs it.',
  )
  settings.demand(
    tokenSecret === undefined || Buffer.byteLength(tokenSecret) >= 32,
    'TOKEN_SECRET must have at least 32 characters; generate one with "openssl rand -hex 32".',
  )
  return {
    ...(databaseUrl && { databaseUrl }),
    ...(databaseDirectUrl && { databaseDirectUrl }),
    databaseReplicaUrls,
    ...(tokenSecret && { tokenSecret }),
  }
}

/** Without an issuer the stand-in provider is used, which needs no other setting. */
const readOidc = (settings: SettingsReader): Pick<Config, 'oidc'> => {
  const issuer = settings.text('OIDC_ISSUER')
  const url = settings.webAddress('OIDC_ISSUER')
  const clientId = settings.text('OIDC_CLIENT_ID')
  const clientSecret = settings.text('OIDC_CLIENT_SECRET')
  const scopes = settings.text('OIDC_SCOPES')
  const name = settings.text('OIDC_NAME') ?? ''
  const signOut = settings.onOff('OIDC_SIGN_OUT', true)
  settings.demand(
    url?.protocol !== 'http:' || isLoopback(url.hostname),
    'OIDC_ISSUER must begin with https:// unless it is on this computer.',
  )
  settings.demand(
    scopes === undefined || scopes.split(/\s+/).includes('openid'),
    'OIDC_SCOPES must contain "openid".',
  )
  if (issuer === undefined) {
    settings.demand(
      !(clientId ?? clientSecret ?? scopes),
      'OIDC_ISSUER is missing; the other OIDC_ settings need it.',
    )
    return {}
  }
  settings.demand(Boolean(clientId), 'OIDC_CLIENT_ID is missing; OIDC_ISSUER needs it.')
  settings.demand(
    Boolean(clientSecret),
    'OIDC_CLIENT_SECRET is missing; OIDC_ISSUER needs it ("none" for a public client).',
  )
  if (!url || !clientId || !clientSecret) return {}
  return {
    oidc: {
      issuer,
      clientId,
      ...(clientSecret !== 'none' && { clientSecret }),
      scopes: scopes ?? 'openid email profile',
      name,
      signOut,
    },
  }
}

const readProviderPort = (settings: SettingsReader, listeningPort: number) => {
  const idpPort = settings.port('IDP_PORT')
  settings.demand(!idpPort || idpPort !== listeningPort, 'IDP_PORT and PORT must differ.')
  return { ...(idpPort !== undefined && { idpPort }) }
}

/** All of the file store's settings, or none. */
const readS3 = (settings: SettingsReader): Pick<Config, 's3'> => {
  const endpoint = settings.webAddress('S3_ENDPOINT')
  const values = {
    S3_ENDPOINT: settings.text('S3_ENDPOINT'),
    S3_BUCKET: settings.text('S3_BUCKET'),
    S3_REGION: settings.text('S3_REGION'),
    S3_ACCESS_KEY_ID: settings.text('S3_ACCESS_KEY_ID'),
    S3_SECRET_ACCESS_KEY: settings.text('S3_SECRET_ACCESS_KEY'),
  }
  const missing = Object.entries(values).filter(([, value]) => value === undefined)
  if (missing.length < Object.keys(values).length)
    for (const [name] of missing)
      settings.problems.push(`${name} is missing; the other S3_ settings need it.`)
  const {
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = values
  // Error messages omit the values: they are easily confused, and one is a secret.
  settings.demand(
    !(endpoint?.search || endpoint?.hash || endpoint?.username) &&
      (endpoint?.pathname ?? '/') === '/',
    'S3_ENDPOINT must be a URL without a path, query or user name; the bucket goes in S3_BUCKET.',
  )
  settings.demand(
    bucket === undefined || /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket),
    'S3_BUCKET must have 3 to 63 lower-case letters, digits, dots or hyphens.',
  )
  settings.demand(
    region === undefined || /^[\w-]+$/.test(region),
    'S3_REGION must be a name such as eu-central-1 (use "us-east-1" if the store has no regions).',
  )
  return endpoint && bucket && region && accessKeyId && secretAccessKey
    ? { s3: { endpoint: endpoint.origin, bucket, region, accessKeyId, secretAccessKey } }
    : {}
}

/** Error messages omit the address of the mail server: it may contain a password. */
const readMail = (settings: SettingsReader, productName: string) => {
  const smtpUrl = settings.text('SMTP_URL')
  const from = settings.text('MAIL_FROM')
  settings.demand(
    smtpUrl === undefined || isSmtpAddress(smtpUrl),
    'SMTP_URL must look like smtp://user:password@mail.example:587, or begin with smtps://; in a user name or password, write / @ : % as %2F %40 %3A %25.',
  )
  settings.demand(
    from === undefined || isSender(from),
    `MAIL_FROM must be an email address, alone or as in Voltleaf <no-reply@mail.example>, not "${from}".`,
  )
  settings.demand(
    smtpUrl === undefined || from !== undefined,
    'MAIL_FROM is missing; SMTP_URL needs it.',
  )
  const ownName = productName.replaceAll(/["\\\r\n]/g, '')
  return {
    ...(smtpUrl && { smtpUrl }),
    mailFrom: from ?? `"${ownName}" <no-reply@localhost.localdomain>`,
  }
}

const readAnalytics = (settings: SettingsReader) => {
  const host = settings.webAddress('ANALYTICS_HOST')
  const analyticsAppKey = settings.text('ANALYTICS_APP_KEY') ?? ''
  settings.demand(
    (settings.text('ANALYTICS_HOST') === undefined) === (analyticsAppKey === ''),
    'ANALYTICS_HOST and ANALYTICS_APP_KEY must both be set, or neither.',
  )
  return { analyticsHost: host?.href.replace(/\/$/, '') ?? '', analyticsAppKey }
}

const readMaps = (settings: SettingsReader) => ({
  mapStyleUrl: settings.addressOrNone(
    'MAP_STYLE_URL',
    'https://tiles.openfreemap.org/styles/liberty',
  ),
  geocoderUrl: settings.addressOrNone('GEOCODER_URL', 'https://photon.komoot.io/api/'),
  mapLinks:
    (settings.text('MAP_LINKS') ?? 'direct') === 'direct'
      ? 'direct'
      : settings.addressOrNone('MAP_LINKS', 'none'),
})

const readLinks = (settings: SettingsReader): Config['links'] =>
  Object.fromEntries(
    LINKS.map((link) => [link, settings.webAddress(`${link.toUpperCase()}_URL`)?.href ?? '']),
  ) as Record<Link, string>

const readCorsOrigins = (settings: SettingsReader): readonly string[] => {
  const origins = (settings.text('CORS_ORIGINS') ?? '').split(/[\s,]+/).filter(Boolean)
  for (const origin of origins)
    settings.demand(
      URL.canParse(origin) && new URL(origin).origin === origin,
      `CORS_ORIGINS must list origins such as https://www.example.org, not "${origin}".`,
    )
  return origins
}

const readLogLevel = (settings: SettingsReader, production: boolean): LogLevel => {
  const level = settings.text('LOG_LEVEL') ?? (production ? 'info' : 'warn')
  if (isLogLevel(level)) return level
  settings.problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${level}".`)
  return 'warn'
}

const readMetricsToken = (settings: SettingsReader) => {
  const metricsToken = settings.text('METRICS_TOKEN')
  settings.demand(
    metricsToken === undefined || /^[\x21-\x7e]{16,}$/.test(metricsToken),
    'METRICS_TOKEN must have at least 16 visible characters; generate one with "openssl rand -hex 32".',
  )
  return { ...(metricsToken && { metricsToken }) }
}

/**
 * The zeros in `.env.example`, meant for a local computer, and the placeholders in `deploy/kubernetes.yaml` are public.
 */
const demandSecrets = (settings: SettingsReader, publicUrl: string): void => {
  if (isLoopback(new URL(publicUrl).hostname)) return
  for (const name of ['TOKEN_SECRET', 'METRICS_TOKEN'])
    settings.demand(
      !/^(?:0+$|CHANGE)/.test(settings.text(name) ?? ''),
      `${name} must not be the example value; generate one with "openssl rand -hex 32".`,
    )
}

const isLogLevel = (value: string): value is LogLevel => LOG_LEVELS.some((level) => level === value)

const isSmtpAddress = (value: string): boolean => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return (
    url !== undefined &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    [url.username, url.password].every(isDecodable)
  )
}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const isSender = (value: string): boolean =>
  isEmail(/^[^<>\r\n]*<([^<>]+)>$/.exec(value)?.[1] ?? value)

/**
 * Replaces port 0 in the settings, and in the public address, with the real port. Returns settings with another port
 * unchanged.
 */
export const withListeningPort = (config: Config, port: number): Config => {
  if (config.port !== 0) return config
  const url = new URL(config.publicUrl)
  if (url.port === '0') url.port = String(port)
  return { ...config, port, ...publicPlaces(url) }
}

/** Whether a host name or address is reachable only from the same computer. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

/** The public address, and the settings derived from it. */
const publicPlaces = (url: URL): Pick<Config, 'publicUrl' | 'origins' | 'basePath'> => {
  const basePath = url.pathname.replace(/\/$/, '')
  const origins = new Set([url.origin])
  if (isLoopback(url.hostname)) {
    for (const name of ['127.0.0.1', 'localhost']) {
      origins.add(`${url.protocol}//${name}${url.port && `:${url.port}`}`)
    }
  }
  return { publicUrl: url.origin + basePath, origins: [...origins], basePath }
}

/** A host as written in a URL. The wildcard addresses are reached by loopback. */
const urlHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
