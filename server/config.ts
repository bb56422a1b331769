import { resolve } from 'node:path'

import { isEmail } from '#domain/schema.ts'
import { LINKS, type Link } from '#domain/settings.ts'

import { StartupError } from './problem.ts'

/** The settings of one installation, parsed and checked. Spec 12 says what each is for. */
export interface Config {
  /** Address to listen on. */
  readonly host: string
  /** Port to listen on; 0 means any free one, see `withListeningPort`. */
  readonly port: number
  /** Where people find the app, base path included, without a slash at the end. */
  readonly publicUrl: string
  /** Every origin that people may be on. */
  readonly origins: readonly string[]
  /** Path below which everything lives: empty, or such as `/ev`. */
  readonly basePath: string
  /** Absolute. Holds the embedded database, files and generated secrets. */
  readonly dataDir: string
  /** Absent: the embedded database. */
  readonly databaseUrl?: string
  /** Absent: generated once and kept in the database. */
  readonly tokenSecret?: string
  /** Absent: the stand-in provider. */
  readonly oidc?: OidcSettings
  readonly idpPort?: number
  /** The longest life of a session in days, however often it was refreshed. */
  readonly maxSessionDays: number
  /** Absent: files are kept in `dataDir`. */
  readonly s3?: S3Settings
  readonly rateLimits: boolean
  /** Absent: mails are written to files. */
  readonly smtpUrl?: string
  /** The sender of mails, as an address or `Name <address>`. */
  readonly mailFrom: string
  /** Empty when usage analytics are off. */
  readonly analyticsHost: string
  readonly analyticsAppKey: string
  /** Empty when not set. */
  readonly appVersion: string
  /** Style of the street map, or `none`. */
  readonly mapStyleUrl: string
  /** Address search in the manner of Photon, or `none`. */
  readonly geocoderUrl: string
  /** How short links of map apps are opened: `direct`, `none`, or by the gateway at an address. */
  readonly mapLinks: string
  readonly productName: string
  /** Empty when the product has none but this installation. */
  readonly productWebsite: string
  /** Pages of the operator; empty where there is none. */
  readonly links: Readonly<Record<Link, string>>
  /** Foreign origins that may call the API from a browser. */
  readonly corsOrigins: readonly string[]
  /** Whether to believe the `X-Forwarded-*` headers of a proxy. */
  readonly trustProxy: boolean
  /** For how long a stopping server still answers everything, and says that it is not ready. */
  readonly stopDelayS: number
  /** Whether `NODE_ENV` says that this is an installation for real people. */
  readonly production: boolean
  readonly logLevel: LogLevel
  /** The token for `/metrics` from other computers; absent: only this computer may read them. */
  readonly metricsToken?: string
}

/** From what on a line is written to the log; `info` is one line a request. */
const LOG_LEVELS = ['error', 'warn', 'info'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The OpenID Connect provider that people sign in with. */
interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  /** Absent: a public client. */
  readonly clientSecret?: string
  /** Separated by spaces. */
  readonly scopes: string
  /** What people call it; empty: they read of single sign-on. */
  readonly name: string
  /** Whether signing out here goes on to the provider, and the next sign-in asks for the account. */
  readonly signOut: boolean
}

/** A store of files that speaks the protocol of Amazon S3. */
interface S3Settings {
  /** Such as `https://s3.eu-central-1.amazonaws.com`, without a slash at the end. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The settings cannot be used; the message lists every problem, one a line. */
export class ConfigError extends StartupError {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `These settings need another value (see .env.example):\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    )
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads single settings, and collects a sentence about each that cannot be used. */
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

  /** Adds the sentence unless the condition holds. */
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

  webAddress(name: string): URL | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (url !== undefined && /^https?:$/.test(url.protocol)) return url
    this.problems.push(`${name} must be an address with http:// or https://, not "${value}".`)
    return undefined
  }

  addressOrNone(name: string, fallback: string): string {
    const value = this.text(name)
    return value === 'none' ? 'none' : (this.webAddress(name) && value) || fallback
  }
}

/**
 * Reads the settings from environment variables. An empty variable counts as absent; relative
 * folders are taken from the working directory.
 * @throws {ConfigError} naming every variable that cannot be used, all at once.
 */
export const readConfig = (env: Environment): Config => {
  const settings = new SettingsReader(env)
  const production = settings.text('NODE_ENV') === 'production'
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
    trustProxy: settings.onOff('TRUST_PROXY', false),
    stopDelayS: settings.whole('STOP_DELAY_SECONDS', 0, { min: 0, max: 300 }),
    production,
    logLevel: readLogLevel(settings, production),
    ...readMetricsToken(settings),
  }
  if (settings.problems.length > 0) throw new ConfigError(settings.problems)
  return config
}

const readListening = (settings: SettingsReader) => {
  const host = settings.text('HOST') ?? '127.0.0.1'
  settings.demand(/^[\w.:-]+$/.test(host), `HOST must be a name or an address, not "${host}".`)
  const port = settings.port('PORT') ?? 8090
  const publicUrl = settings.webAddress('PUBLIC_URL')
  settings.demand(
    !(publicUrl?.search || publicUrl?.hash || publicUrl?.username),
    'PUBLIC_URL may have a path, but no query, fragment or user.',
  )
  settings.demand(
    /^(\/[\w.~-]+)*\/?$/.test(publicUrl?.pathname ?? ''),
    'The path of PUBLIC_URL may have letters, digits and the signs . _ ~ - between slashes.',
  )
  return { host, port, ...publicPlaces(publicUrl ?? new URL(`http://${urlHost(host)}:${port}`)) }
}

/** The values are not repeated: an address may hold a password. */
const readDatabase = (settings: SettingsReader) => {
  const databaseUrl = settings.text('DATABASE_URL')
  const tokenSecret = settings.text('TOKEN_SECRET')
  settings.demand(
    databaseUrl === undefined || /^postgres(ql)?:\/\/./.test(databaseUrl),
    'DATABASE_URL must begin with postgres:// or postgresql://.',
  )
  settings.demand(
    tokenSecret === undefined || Buffer.byteLength(tokenSecret) >= 32,
    'TOKEN_SECRET must have at least 32 characters; "openssl rand -hex 32" makes one.',
  )
  return { ...(databaseUrl && { databaseUrl }), ...(tokenSecret && { tokenSecret }) }
}

/** Without an issuer there is the stand-in provider, which needs no other setting. */
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
  // The values are not repeated: people mistake one for another, and one is a secret.
  settings.demand(
    !(endpoint?.search || endpoint?.hash || endpoint?.username) &&
      (endpoint?.pathname ?? '/') === '/',
    'S3_ENDPOINT must be an address without path, query or user; the bucket is S3_BUCKET.',
  )
  settings.demand(
    bucket === undefined || /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket),
    'S3_BUCKET must have 3 to 63 small letters, digits, dots and hyphens.',
  )
  settings.demand(
    region === undefined || /^[\w-]+$/.test(region),
    'S3_REGION must be a name such as eu-central-1 ("us-east-1" where there are none).',
  )
  return endpoint && bucket && region && accessKeyId && secretAccessKey
    ? { s3: { endpoint: endpoint.origin, bucket, region, accessKeyId, secretAccessKey } }
    : {}
}

/** The address of the mail server is not repeated: it may hold a password. */
const readMail = (settings: SettingsReader, productName: string) => {
  const smtpUrl = settings.text('SMTP_URL')
  const from = settings.text('MAIL_FROM')
  settings.demand(
    smtpUrl === undefined || isSmtpAddress(smtpUrl),
    'SMTP_URL must be such as smtp://user:password@mail.example:587, or begin with smtps://.',
  )
  settings.demand(
    from === undefined || isSender(from),
    `MAIL_FROM must be an address, or such as Voltleaf <no-reply@mail.example>, not "${from}".`,
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
    'METRICS_TOKEN must have at least 16 visible characters; "openssl rand -hex 32" makes one.',
  )
  return { ...(metricsToken && { metricsToken }) }
}

const isLogLevel = (value: string): value is LogLevel => LOG_LEVELS.some((level) => level === value)

const isSmtpAddress = (value: string): boolean => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return /^smtps?:$/.test(url?.protocol ?? '') && url?.hostname !== ''
}

const isSender = (value: string): boolean =>
  isEmail(/^[^<>\r\n]*<([^<>]+)>$/.exec(value)?.[1] ?? value)

/**
 * The same settings with port 0 replaced by the port that is really used, in the public address
 * too. Settings with another port come back unchanged.
 */
export const withListeningPort = (config: Config, port: number): Config => {
  if (config.port !== 0) return config
  const url = new URL(config.publicUrl)
  if (url.port === '0') url.port = String(port)
  return { ...config, port, ...publicPlaces(url) }
}

/** Whether only programs on the same computer can reach this host name or address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

/** The public address and what follows from it. */
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

/** A host as it is written in a URL. The addresses of all interfaces are reached by loopback. */
const urlHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
