import { expect, test } from 'vitest'
import { ConfigError, isLoopback, readConfig, withListeningPort } from './config.ts'

test('every setting has a default that works on this computer', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8090,
    publicUrl: 'http://127.0.0.1:8090',
    origins: ['http://127.0.0.1:8090', 'http://localhost:8090'],
    basePath: '',
    rateLimits: true,
    trustProxy: false,
    production: false,
  })
  expect(config.dataDir).toMatch(/^\/.*\/data$/)
  expect(config).not.toHaveProperty('oidc')
  expect(config).not.toHaveProperty('databaseUrl')
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ PORT: '', PUBLIC_URL: ' ', OIDC_ISSUER: '' })).toEqual(readConfig({}))
})

test('the path of PUBLIC_URL is the base path', () => {
  const config = readConfig({ PUBLIC_URL: 'https://x.example/ev/' })
  expect(config).toMatchObject({
    publicUrl: 'https://x.example/ev',
    basePath: '/ev',
    origins: ['https://x.example'],
  })
})

test('a port of 0 is replaced by the real one, also in the public URL', () => {
  const config = readConfig({ PORT: '0', PUBLIC_URL: 'http://localhost:0/ev' })
  expect(withListeningPort(config, 4321)).toMatchObject({
    port: 4321,
    publicUrl: 'http://localhost:4321/ev',
    origins: ['http://localhost:4321', 'http://127.0.0.1:4321'],
  })
})

test('a public URL other than the listening address keeps its port', () => {
  const config = readConfig({ PORT: '0', PUBLIC_URL: 'https://x.example' })
  expect(withListeningPort(config, 4321).publicUrl).toBe('https://x.example')
  expect(withListeningPort(readConfig({ PORT: '80' }), 4321)).toEqual(readConfig({ PORT: '80' }))
})

const S3 = {
  S3_ENDPOINT: 'https://s3.example/',
  S3_BUCKET: 'photos',
  S3_REGION: 'eu-central-1',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'planted',
}

test('the S3 settings are all set or none', () => {
  expect(readConfig(S3).s3).toEqual({
    endpoint: 'https://s3.example',
    bucket: 'photos',
    region: 'eu-central-1',
    accessKeyId: 'id',
    secretAccessKey: 'planted',
  })
  expect(readConfig({})).not.toHaveProperty('s3')
  const said = (): void => {
    readConfig({ S3_SECRET_ACCESS_KEY: 'planted', S3_REGION: 'a b' })
  }
  for (const name of ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID'])
    expect(said).toThrow(name)
  expect(said).not.toThrow('planted')
})

test('with NODE_ENV=production every request is logged', () => {
  expect(readConfig({}).logLevel).toBe('warn')
  expect(readConfig({ NODE_ENV: 'production' }).logLevel).toBe('info')
  expect(readConfig({ NODE_ENV: 'production', LOG_LEVEL: 'error' }).logLevel).toBe('error')
})

test('a configured provider', () => {
  const { oidc } = readConfig({
    OIDC_ISSUER: 'https://accounts.example',
    OIDC_CLIENT_ID: 'a',
    OIDC_CLIENT_SECRET: 'b',
  })
  expect(oidc).toEqual({
    issuer: 'https://accounts.example',
    clientId: 'a',
    clientSecret: 'b',
    scopes: 'openid email profile',
    name: '',
    signOut: true,
  })
})

test.each([
  [{ HOST: 'localhost:8090' }, 'HOST'],
  [{ HOST: 'http://localhost' }, 'HOST'],
  [{ HOST: '[::1]' }, 'HOST'],
  [{ PORT: '65536' }, 'PORT'],
  [{ PORT: '-1' }, 'PORT'],
  [{ PUBLIC_URL: 'x.example' }, 'PUBLIC_URL'],
  [{ PUBLIC_URL: 'https://x.example/?a' }, 'PUBLIC_URL'],
  [{ DATABASE_URL: 'mysql://a' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://a', DATABASE_DIRECT_URL: 'mysql://a' }, 'DATABASE_DIRECT_URL'],
  [{ DATABASE_DIRECT_URL: 'postgres://a' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://a:99999/b' }, 'in DATABASE_URL '],
  [
    { DATABASE_URL: 'postgres://a', DATABASE_DIRECT_URL: 'postgres://%' },
    'in DATABASE_DIRECT_URL ',
  ],
  [
    { DATABASE_URL: 'postgres://a', DATABASE_REPLICA_URLS: 'postgres://b postgres://c?sslmode=on' },
    'sslmode in DATABASE_REPLICA_URLS ',
  ],
  [
    { DATABASE_URL: 'postgres://a', DATABASE_REPLICA_URLS: 'postgres://b,postgres://c' },
    'DATABASE_REPLICA_URLS must be separated by spaces',
  ],
  [{ SMTP_URL: 'smtp://a:b%zz@c.example', MAIL_FROM: 'a@b.example' }, 'SMTP_URL'],
  [{ TOKEN_SECRET: 'short' }, 'TOKEN_SECRET'],
  [{ PUBLIC_URL: 'https://x.example', TOKEN_SECRET: '0'.repeat(64) }, 'TOKEN_SECRET'],
  [{ PUBLIC_URL: 'https://x.example', METRICS_TOKEN: '0'.repeat(64) }, 'METRICS_TOKEN'],
  [
    { PUBLIC_URL: 'https://x.example', METRICS_TOKEN: 'CHANGE-to-16-or-more-characters' },
    'METRICS_TOKEN',
  ],
  [{ NODE_ENV: 'Production' }, 'NODE_ENV'],
  [{ OIDC_ISSUER: 'https://a.example' }, 'OIDC_CLIENT_ID'],
  [{ OIDC_CLIENT_ID: 'a' }, 'OIDC_ISSUER'],
  [
    { OIDC_ISSUER: 'http://a.example', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' },
    'OIDC_ISSUER',
  ],
  [{ IDP_PORT: '8090' }, 'IDP_PORT'],
  [{ S3_ENDPOINT: 'http://127.0.0.1:9000' }, 'S3_SECRET_ACCESS_KEY'],
  [{ S3_SECRET_ACCESS_KEY: 'planted' }, 'S3_ENDPOINT'],
  [{ ...S3, S3_ENDPOINT: 'http://127.0.0.1:9000/bucket' }, 'S3_ENDPOINT'],
  [{ ...S3, S3_BUCKET: 'My_Bucket' }, 'S3_BUCKET'],
  [{ ...S3, S3_REGION: 'a b' }, 'S3_REGION'],
  [{ RATE_LIMITS: 'maybe' }, 'RATE_LIMITS'],
  [{ ANALYTICS_HOST: 'http://a.example' }, 'ANALYTICS_APP_KEY'],
  [{ CORS_ORIGINS: 'https://a.example/path' }, 'CORS_ORIGINS'],
  [{ MAP_STYLE_URL: 'liberty' }, 'MAP_STYLE_URL'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN'],
])('%o is refused', (env: Record<string, string>, name) => {
  expect(() => readConfig(env)).toThrow(name)
})

test('all problems are reported together, without secrets', () => {
  const error = problemOf({ PORT: 'x', TOKEN_SECRET: 'hush', DATABASE_URL: 'mysql://a:hush@b' })
  expect(error?.problems).toHaveLength(3)
  expect(error?.message).not.toContain('hush')
  const other = problemOf({ PORT: 'x', DATABASE_URL: 'postgres://a:hush%@b' })
  expect(other?.problems).toHaveLength(2)
  expect(other?.message).not.toContain('hush')
})

test('HOST takes an IPv6 address without brackets', () => {
  expect(readConfig({ HOST: '::1' })).toMatchObject({
    host: '::1',
    publicUrl: 'http://[::1]:8090',
  })
})

const problemOf = (env: Record<string, string>): ConfigError | undefined => {
  try {
    readConfig(env)
    return undefined
  } catch (error) {
    return error instanceof ConfigError ? error : undefined
  }
}

test.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['127.0.0.1.example', false],
])('%s is on this computer: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})
