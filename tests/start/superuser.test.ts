import { spawn } from 'node:child_process'
import { join } from 'node:path'

import PocketBase from 'pocketbase'
import { expect, test } from 'vitest'

import { SUPERUSERS } from '#domain/collection.ts'

import { root } from '../../scripts/process.ts'
import { launch, postmasterOf, testFolder } from './launch.ts'

const EMAIL = 'root@example.org'

/** Runs the command like a script: the password is read from standard input. "usage.test.ts" runs it through npm. */
const superuser = async (
  dataDir: string,
  args: readonly string[],
  password: string,
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const child = spawn(process.execPath, ['scripts/bootstrap.js', 'superuser', ...args], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: dataDir,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stdin.on('error', () => {})
  child.stdin.end(`${password}\n`)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

const signIn = async (url: string, password: string): Promise<PocketBase> => {
  const client = new PocketBase(url)
  await client.collection(SUPERUSERS).authWithPassword(EMAIL, password)
  return client
}

test('a superuser can be created before the first start, and change the password while the server runs', async () => {
  const dataDir = join(await testFolder(), 'data')
  const made = await superuser(dataDir, [EMAIL], 'the first password')
  expect(made).toEqual({ code: 0, output: `${EMAIL} is now a superuser.\n` })
  // The temporarily started database has been stopped.
  expect(await postmasterOf(dataDir)).toBeUndefined()

  const server = launch({ env: { DATA_DIR: dataDir } })
  const url = await server.ready()
  const first = await signIn(url, 'the first password')
  expect((await first.collection('users').getList()).totalItems).toBe(0)

  const reset = await superuser(dataDir, [EMAIL.toUpperCase()], 'the second password')
  expect(reset).toEqual({
    code: 0,
    output: `${EMAIL.toUpperCase()} has a new password; all existing sessions have ended.\n`,
  })
  await expect(first.collection(SUPERUSERS).authRefresh()).rejects.toMatchObject({ status: 401 })
  await expect(signIn(url, 'the first password')).rejects.toMatchObject({ status: 400 })
  const second = await signIn(url, 'the second password')
  expect((await second.collection(SUPERUSERS).getFullList()).map(({ email }) => email)).toEqual([
    EMAIL,
  ])

  const other = await superuser(dataDir, ['second@example.org'], 'the first password')
  expect(other.output).toBe('second@example.org is now a superuser.\n')
  expect(server.output()).not.toContain('password')
})

test.each([
  ['no address', [], 'long enough', 'Use: npm run superuser -- EMAIL'],
  ['what is no address', ['root'], 'long enough', '"root" is not an email address'],
  [
    'a password as an argument',
    [EMAIL, 'secret'],
    '',
    'other users of this computer can read arguments',
  ],
  ['a password that is too short', [EMAIL], 'short', 'at least 8 characters'],
  ['a password that is too long', [EMAIL], 'x'.repeat(72), 'at most 71 characters'],
  ['an empty password', [EMAIL], '', 'The password is empty'],
])('%s is reported in one sentence', async (_name, args, password, sentence) => {
  const dataDir = join(await testFolder(), 'data')
  const { code, output } = await superuser(dataDir, args, password)
  expect(code).toBe(1)
  expect(output).toContain(sentence)
  expect(output.trim().split('\n').length).toBeLessThan(3)
  expect(output).not.toContain('secret')
})
