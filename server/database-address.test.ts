import { expect, test } from 'vitest'

import { readAddress } from './database-address.ts'

test('one host, with and without a port', () => {
  expect(readAddress('postgres://u:p@db.example:6543/app')).toMatchObject({
    hosts: [{ host: 'db.example', port: 6543 }],
    target: 'any',
    shown: 'postgres://u@db.example:6543/app',
  })
  expect(readAddress('postgresql://u:p@[::1]/app').hosts).toEqual([{ host: '::1', port: 5432 }])
})

test('several hosts, each with its own port', () => {
  const { hosts, tls, target, shown, ...session } = readAddress(
    'postgres://u:p%40q@h1:5433,h2,[fe80::1]:5434/app?sslmode=require&target_session_attrs=read-write&application_name=x',
  )
  expect(hosts).toEqual([
    { host: 'h1', port: 5433 },
    { host: 'h2', port: 5432 },
    { host: 'fe80::1', port: 5434 },
  ])
  expect(tls).toMatchObject({ isOptional: false, options: { rejectUnauthorized: false } })
  expect(target).toBe('read-write')
  expect(session).toEqual({
    user: 'u',
    password: 'p@q',
    database: 'app',
    settings: { application_name: 'x' },
  })
  expect(shown).toBe('postgres://u@h1:5433,h2,[fe80::1]:5434/app')
})

test('a password may contain characters that end other parts of an address, as in psql', () => {
  const { user, password, shown } = readAddress('postgres://u:a#b?c:d&e=f@h/app')
  expect({ user, password }).toEqual({ user: 'u', password: 'a#b?c:d&e=f' })
  expect(shown).toBe('postgres://u@h/app')
})

test('account and database in the options take precedence, as in psql', () => {
  const { user, password, database, settings, shown } = readAddress(
    'postgres://u:p@h/db?user=other&password=hush&dbname=app',
  )
  expect({ user, password, database }).toEqual({ user: 'other', password: 'hush', database: 'app' })
  expect(settings).toEqual({})
  expect(shown).not.toContain('hush')
})

test('a socket in a folder', () => {
  const socket = { host: '/run/postgresql', port: 5433 }
  expect(readAddress('postgres://u@localhost:5433/app?host=/run/postgresql').hosts).toEqual([
    socket,
  ])
  expect(readAddress('postgres://u@%2Frun%2Fpostgresql:5433/app').hosts).toEqual([socket])
})

test.each([
  ['prefer', { isOptional: true, options: { rejectUnauthorized: false } }],
  ['verify-full', { isOptional: false, options: { rejectUnauthorized: true } }],
])('sslmode=%s', (mode, tls) => {
  expect(readAddress(`postgres://h/app?sslmode=${mode}`).tls).toMatchObject(tls)
})

test('verify-ca verifies the authority but not the name', () => {
  const { tls } = readAddress('postgres://h/app?sslmode=verify-ca')
  expect(tls?.options.rejectUnauthorized).toBe(true)
  expect(tls?.options.checkServerIdentity).toBeDefined()
})

test.each([
  'postgres://u:p@h:port/app',
  'postgres://u:p@h:99999/app',
  'postgres://u:hidden%@h/app',
  // Would parse as a server "u" and a database named after the password.
  'postgres://u:12/hidden@h/app',
  'postgres://h/app?sslmode=always',
  'postgres://h/app?sslrootcert=/nowhere/root.pem&sslmode=verify-full',
  'postgres://h/app?target_session_attrs=standby',
])('%s is refused with a sentence', (address) => {
  expect(() => readAddress(address)).toThrow(/^(?!.*hidden).*DATABASE_URL.*\.$/)
})

test('options that only libpq has are reported, settings of the session are not', () => {
  const address = 'postgres://app@db.example/voltleaf?sslmode=require&'
  expect(() => readAddress(`${address}channel_binding=require&connect_timeout=10`)).toThrow(
    'DATABASE_URL has libpq options that this server does not support: remove channel_binding, connect_timeout.',
  )
  expect(readAddress(`${address}application_name=voltleaf`).settings).toEqual({
    application_name: 'voltleaf',
  })
})
