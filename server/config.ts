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
  /** Days after which somebody has to sign in again, however often the session was prolonged. */
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
  /** Pages of whoever runs the installation; empty where there is none. */
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
  /** What `/metrics` is asked with from other computers; absent: from this one alone. */
  readonly metricsToken?: string
}

/** From what on a line is written to the log; `info` is one line a request. */
const LOG_LEVELS = ['error', 'warn', 'info'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The OpenID Connect provider that people sign in with. */
export interface OidcSettings {
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
export interface S3Settings {
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

/**
 * Reads the settings from environment variables. An empty variable counts as absent; relative
 * folders are taken from the working directory.
 * @throws {ConfigError} naming every variable that cannot be used, all at once.
 */
export const readConfig = (env: Environment): Config => {
  const problems: string[] = []
  const text = (name: string): string | undefined => env[name]?.trim() || undefined

  const port = (name: string): number | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65535) return Number(value)
    problems.push(`${name} must be a port number from 0 to 65535, not "${value}".`)
    return undefined
  }

  const whole = (name: string, fallback: number, { min, max }: { min: number; max: number }) => {
    const value = text(name) ?? String(fallback)
    if (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max)
      return Number(value)
    problems.push(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
    return fallback
  }

  const onOff = (name: string, fallback: boolean): boolean => {
    const value = text(name)?.toLowerCase()
    if (value === undefined) return fallback
    if (['on', 'true', '1', 'yes'].includes(value)) return true
    if (['off', 'false', '0', 'no'].includes(value)) return false
    problems.push(`${name} must be "on" or "off", not "${value}".`)
    return fallback
  }

  const webAddress = (name: string): URL | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (url !== undefined && /^https?:$/.test(url.protocol)) return url
    problems.push(`${name} must be an address with http:// or https://, not "${value}".`)
    return undefined
  }

  const addressOrNone = (name: string, fallback: string): string =>
    text(name) === 'none' ? 'none' : (webAddress(name) && text(name)) || fallback

  const host = text('HOST') ?? '127.0.0.1'
  if (!/^[\w.:-]+$/.test(host)) problems.push(`HOST must be a name or an address, not "${host}".`)
  const listeningPort = port('PORT') ?? 8090
  const publicUrl = webAddress('PUBLIC_URL')
  if (publicUrl && (publicUrl.search || publicUrl.hash || publicUrl.username)) {
    problems.push('PUBLIC_URL may have a path, but no query, fragment or user.')
  }
  if (publicUrl && !/^(\/[\w.~-]+)*\/?$/.test(publicUrl.pathname)) {
    problems.push(
      'The path of PUBLIC_URL may have letters, digits and the signs . _ ~ - between slashes.',
    )
  }

  const databaseUrl = text('DATABASE_URL')
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\/./.test(databaseUrl)) {
    // The value is not repeated: it may hold a password.
    problems.push('DATABASE_URL must begin with postgres:// or postgresql://.')
  }

  const tokenSecret = text('TOKEN_SECRET')
  if (tokenSecret !== undefined && Buffer.byteLength(tokenSecret) < 32) {
    problems.push(
      'TOKEN_SECRET must have at least 32 characters; "openssl rand -hex 32" makes one.',
    )
  }

  const issuer = webAddress('OIDC_ISSUER')
  const clientId = text('OIDC_CLIENT_ID')
  const clientSecret = text('OIDC_CLIENT_SECRET')
  const scopes = text('OIDC_SCOPES')
  const providerName = text('OIDC_NAME') ?? ''
  const signOut = onOff('OIDC_SIGN_OUT', true)
  if (issuer?.protocol === 'http:' && !isLoopback(issuer.hostname)) {
    problems.push('OIDC_ISSUER must begin with https:// unless it is on this computer.')
  }
  if (scopes !== undefined && !scopes.split(/\s+/).includes('openid')) {
    problems.push('OIDC_SCOPES must contain "openid".')
  }
  if (text('OIDC_ISSUER') === undefined) {
    if (clientId ?? clientSecret ?? scopes)
      problems.push('OIDC_ISSUER is missing; the other OIDC_ settings need it.')
  } else {
    if (!clientId) problems.push('OIDC_CLIENT_ID is missing; OIDC_ISSUER needs it.')
    if (!clientSecret)
      problems.push(
        'OIDC_CLIENT_SECRET is missing; OIDC_ISSUER needs it ("none" for a public client).',
      )
  }

  const idpPort = port('IDP_PORT')
  if (idpPort !== undefined && idpPort !== 0 && idpPort === listeningPort) {
    problems.push('IDP_PORT and PORT must differ.')
  }

  const s3 = readS3(text, webAddress('S3_ENDPOINT'), problems)

  const smtpUrl = text('SMTP_URL')
  if (smtpUrl !== undefined && !isSmtpAddress(smtpUrl)) {
    // Not repeated: it may hold a password.
    problems.push(
      'SMTP_URL must be such as smtp://user:password@mail.example:587, or begin with smtps://.',
    )
  }
  const mailFrom = text('MAIL_FROM')
  if (mailFrom !== undefined && !isSender(mailFrom)) {
    problems.push(
      `MAIL_FROM must be an address, or such as Voltleaf <no-reply@mail.example>, not "${mailFrom}".`,
    )
  }
  if (smtpUrl !== undefined && mailFrom === undefined) {
    problems.push('MAIL_FROM is missing; SMTP_URL needs it.')
  }
  const productName = text('PRODUCT_NAME') ?? 'Voltleaf'

  const analyticsHost = webAddress('ANALYTICS_HOST')
  const analyticsAppKey = text('ANALYTICS_APP_KEY') ?? ''
  if ((text('ANALYTICS_HOST') === undefined) !== (analyticsAppKey === '')) {
    problems.push('ANALYTICS_HOST and ANALYTICS_APP_KEY must both be set, or neither.')
  }

  const corsOrigins = (text('CORS_ORIGINS') ?? '').split(/[\s,]+/).filter(Boolean)
  for (const origin of corsOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      problems.push(
        `CORS_ORIGINS must list origins such as https://www.example.org, not "${origin}".`,
      )
    }
  }

  const production = text('NODE_ENV') === 'production'
  const logLevel = text('LOG_LEVEL') ?? (production ? 'info' : 'warn')
  if (!isLogLevel(logLevel))
    problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${logLevel}".`)

  const metricsToken = text('METRICS_TOKEN')
  if (metricsToken !== undefined && !/^[\x21-\x7e]{16,}$/.test(metricsToken)) {
    problems.push(
      'METRICS_TOKEN must have at least 16 visible characters; "openssl rand -hex 32" makes one.',
    )
  }

  const config: Config = {
    host,
    port: listeningPort,
    ...publicPlaces(publicUrl ?? new URL(`http://${urlHost(host)}:${listeningPort}`)),
    dataDir: resolve(text('DATA_DIR') ?? 'data'),
    ...(databaseUrl && { databaseUrl }),
    ...(tokenSecret && { tokenSecret }),
    ...(issuer &&
      clientId &&
      clientSecret && {
        oidc: {
          issuer: text('OIDC_ISSUER') ?? issuer.href,
          clientId,
          ...(clientSecret !== 'none' && { clientSecret }),
          scopes: scopes ?? 'openid email profile',
          name: providerName,
          signOut,
        },
      }),
    ...(idpPort !== undefined && { idpPort }),
    maxSessionDays: whole('MAX_SESSION_DAYS', 30, { min: 1, max: 3650 }),
    ...(s3 && { s3 }),
    rateLimits: onOff('RATE_LIMITS', true),
    ...(smtpUrl && { smtpUrl }),
    mailFrom:
      mailFrom ?? `"${productName.replaceAll(/["\\\r\n]/g, '')}" <no-reply@localhost.localdomain>`,
    analyticsHost: analyticsHost?.href.replace(/\/$/, '') ?? '',
    analyticsAppKey,
    appVersion: text('APP_VERSION') ?? '',
    mapStyleUrl: addressOrNone('MAP_STYLE_URL', 'https://tiles.openfreemap.org/styles/liberty'),
    geocoderUrl: addressOrNone('GEOCODER_URL', 'https://photon.komoot.io/api/'),
    mapLinks:
      text('MAP_LINKS') === undefined || text('MAP_LINKS') === 'direct'
        ? 'direct'
        : addressOrNone('MAP_LINKS', 'none'),
    productName,
    productWebsite: webAddress('PRODUCT_WEBSITE')?.href.replace(/\/$/, '') ?? '',
    links: readLinks(webAddress),
    corsOrigins,
    trustProxy: onOff('TRUST_PROXY', false),
    stopDelayS: whole('STOP_DELAY_SECONDS', 0, { min: 0, max: 300 }),
    production,
    logLevel: isLogLevel(logLevel) ? logLevel : 'warn',
    ...(metricsToken && { metricsToken }),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

const readLinks = (webAddress: (name: string) => URL | undefined): Config['links'] =>
  Object.fromEntries(
    LINKS.map((link) => [link, webAddress(`${link.toUpperCase()}_URL`)?.href ?? '']),
  ) as Record<Link, string>

/** All of the file store's settings or none; what is wrong with them is added to `problems`. */
const readS3 = (
  text: (name: string) => string | undefined,
  endpoint: URL | undefined,
  problems: string[],
): S3Settings | undefined => {
  const values = {
    S3_ENDPOINT: text('S3_ENDPOINT'),
    S3_BUCKET: text('S3_BUCKET'),
    S3_REGION: text('S3_REGION'),
    S3_ACCESS_KEY_ID: text('S3_ACCESS_KEY_ID'),
    S3_SECRET_ACCESS_KEY: text('S3_SECRET_ACCESS_KEY'),
  }
  const missing = Object.entries(values).filter(([, value]) => value === undefined)
  if (missing.length < Object.keys(values).length)
    for (const [name] of missing)
      problems.push(`${name} is missing; the other S3_ settings need it.`)
  // The values are not repeated: people mistake one for another, and one is a secret.
  if (
    endpoint &&
    (endpoint.search || endpoint.hash || endpoint.username || endpoint.pathname !== '/')
  )
    problems.push(
      'S3_ENDPOINT must be an address without path, query or user; the bucket is S3_BUCKET.',
    )
  const { S3_BUCKET: bucket, S3_REGION: region } = values
  if (bucket !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    problems.push('S3_BUCKET must have 3 to 63 small letters, digits, dots and hyphens.')
  if (region !== undefined && !/^[\w-]+$/.test(region))
    problems.push(
      'S3_REGION must be a name such as eu-central-1 ("us-east-1" where there are none).',
    )
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  return endpoint && bucket && region && accessKeyId && secretAccessKey
    ? { endpoint: endpoint.origin, bucket, region, accessKeyId, secretAccessKey }
    : undefined
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

/** A host as it stands in an address. One that means "every interface" is reached by loopback. */
const urlHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
