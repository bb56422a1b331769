import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { API, SERVICE_API } from '#domain/paths.ts'
import { SITES, USERS } from '#domain/collection.ts'
import { MiB } from '#domain/limits.ts'

import { makeImage, type Image } from '../support/image.ts'
import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { startPooler } from '../support/pooler.ts'
import { freePort } from '../support/ports.ts'
import { settingsBeside, startStack, type Stack } from '../support/stack.ts'
import { countFailures, report } from './figures.ts'

// Executes the steps of the Dockerfile in an empty folder as another user, and tests the resulting image: it runs as
// its own user on a read-only root.

const { failures } = countFailures()
let image: Image
let stack: Stack
beforeAll(async () => {
  image = await makeImage()
  stack = await startStack()
}, 600_000)
afterAll(async () => {
  const du = execFileSync('du', ['-sb', image.folder], { encoding: 'utf8' })
  const packed = execFileSync('sh', ['-c', `tar -C '${image.folder}' -c . | gzip | wc -c`], {
    encoding: 'utf8',
  })
  await report('image', {
    failures: failures(),
    'MiB unpacked': Math.round(Number.parseInt(du) / MiB),
    'MiB packed': Math.round(Number.parseInt(packed) / MiB),
  })
  await stack.close()
  await image.remove()
})

/** The settings of a container next to the stack, whose database it accesses over TCP. */
const settings = async (): Promise<Record<string, string>> => {
  const pooler = await startPooler('session')
  onTestFinished(() => pooler.close())
  const database = new URL(stack.config.databaseUrl ?? '').pathname.slice(1)
  const { DATA_DIR: _, ...beside } = settingsBeside(stack)
  return {
    ...beside,
    DATABASE_URL: pooler.url(database),
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
  }
}

const ended = async (
  child: ChildProcess,
): Promise<{ code: number | null; said: string; complained: string }> => {
  if (child.stdout === null || child.stderr === null) throw new Error('no pipes')
  const [said, complained, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, said, complained }
}

test('it serves the app, finds the provider, stores a photo, reports its health, and stops on a signal', async () => {
  const env = await settings()
  const server = image.run([...image.entrypoint, ...image.command], env)
  const end = ended(server)
  onTestFinished(() => void server.kill('SIGKILL'))
  const url = `http://127.0.0.1:${env['PORT']}`
  const isReady = async (): Promise<boolean> =>
    (await fetch(url + SERVICE_API.ready).catch(() => undefined))?.status === 200
  const early = end.then((outcome) => {
    throw new Error(JSON.stringify(outcome))
  })
  early.catch(() => {})
  while (!(await isReady())) await Promise.race([sleep(50), early])

  expect(await (await fetch(url)).text()).toContain('<title>')
  const methods = (await (await fetch(url + API.authMethods(USERS))).json()) as object
  expect(methods).toMatchObject({ oauth2: { enabled: true } })
  // The stand-in provider only knows the address of the stack; sessions of the stack are valid here, too.
  const { client, site } = await newOwnerWithSite(stack.url)
  client.baseURL = url
  const body = new FormData()
  body.append('photos', await makePhoto('a.jpg'))
  const changed = await client.collection(SITES).update(site.id, body)
  expect((await fetch(`${url}/api/files/sites/${site.id}/${changed['photos'][0]}`)).status).toBe(
    200,
  )
  expect((await fetch(url + API.record(SITES, site.id))).status).toBe(404)

  expect(await ended(image.run(image.healthCheck, env))).toMatchObject({ code: 0 })
  server.kill('SIGTERM')
  expect(await end).toMatchObject({ code: 0, complained: '' })
  expect(await ended(image.run(image.healthCheck, env))).toMatchObject({ code: 1 })
})

test('it does not run as root, and can only write to its volume', async () => {
  expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  const script = `
    const { writeFileSync } = require('node:fs')
    const tried = ['/data/a', '/tmp/a', '/app/a', '/a', '/usr/a'].map((file) => {
      try { writeFileSync(file, ''); return 'written' } catch ({ code }) { return code }
    })
    console.log(JSON.stringify([process.getuid(), ...tried]))`
  const { said } = await ended(image.run(['node', '-e', script]))
  expect(JSON.parse(said)).toEqual([65532, 'written', 'written', 'EROFS', 'EROFS', 'EROFS'])
})

test('it has one program, no tests, and no package that only builds need', () => {
  const found = globSync(
    [
      '**/bin/{sh,bash,npm,npx,apt,apt-get,dpkg,gcc,cc,git,python3}',
      'app/{domain,server,scripts,web}/**/*.test.ts*',
      'app/node_modules/{vite,vitest,typescript,@playwright,oidc-provider}/*',
    ],
    { cwd: image.folder },
  )
  expect(found).toEqual([])
  const programs = globSync('{.,usr,usr/local,app}/{bin,sbin}/*', { cwd: image.folder })
  expect(programs).toEqual(['app/bin/node'])
})

test('the commands for operators work in it', async () => {
  const made = image.run(
    [...image.entrypoint, 'scripts/superuser.ts', 'root@example.org'],
    await settings(),
  )
  made.stdin?.end('a long enough password\n')
  expect(await ended(made)).toMatchObject({
    code: 0,
    said: expect.stringContaining('root@example.org is now a superuser.') as string,
  })
})

test('without a database or a provider it reports which setting is missing', async () => {
  const { OIDC_ISSUER: _, OIDC_CLIENT_ID: __, OIDC_CLIENT_SECRET: ___, ...none } = await settings()
  const run = (env: Record<string, string>) =>
    ended(image.run([...image.entrypoint, ...image.command], env))
  expect(await run(none)).toMatchObject({
    code: 1,
    complained: expect.stringContaining('set OIDC_ISSUER') as string,
  })
  const { DATABASE_URL: ____, ...homeless } = await settings()
  expect(await run(homeless)).toMatchObject({
    code: 1,
    complained: expect.stringContaining('set DATABASE_URL') as string,
  })
})
