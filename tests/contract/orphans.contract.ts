import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { chooseFreePort } from '../../server/main.ts'
import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { startStack, type Stack } from '../support/stack.ts'

// A process that ends between storing a file and writing its row leaves the file (decisions 5.5):
// the next start takes it away, and nothing else.

let stack: Stack
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
beforeAll(async () => {
  stack = await startStack()
  owner = await newOwnerWithSite(stack.url)
})
afterAll(() => stack.close())

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const age = async (path: string, minutes: number): Promise<void> => {
  const time = new Date(Date.now() - minutes * 60_000)
  await utimes(path, time, time)
}

test('old files without a row go at the next start, also many; all others stay', async () => {
  const { client, site, business } = owner
  const changed = await client
    .collection('sites')
    .update(site.id, { photos: [await makePhoto('a.jpg'), await makePhoto('b.jpg')] })
  const logo = await makePhoto('logo.png', { type: 'png' })
  const branded = await client.collection('businesses').update(business.id, { logo })
  const [a = '', b = ''] = changed['photos'] as string[]
  await fetch(client.files.getURL(changed, a, { thumb: '100x100' }))
  const store = join(stack.dataDir, 'storage')
  const at = (...parts: string[]): string => join(store, ...parts)
  const put = async (path: string, minutes: number): Promise<string> => {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, 'x')
    await age(path, minutes)
    return path
  }
  const named = [
    at('sites', site.id, a),
    at('sites', site.id, b),
    at('sites', site.id, `thumbs_${a}`, `100x100_${a}`),
    at('businesses', business.id, String(branded['logo'])),
  ]
  for (const path of named) await age(path, 600)
  await age(at('sites', site.id, `thumbs_${a}`), 600)

  const gone = [
    await put(at('sites', site.id, 'never_named_0123456789.jpg'), 61),
    // Of a record that was never written, and one that another record names.
    await put(at('sites', 'norecord0000000', 'lost_0123456789.jpg'), 600),
    await put(at('sites', 'norecord0000000', a), 600),
    await put(at('businesses', business.id, 'old_0123456789.png'), 600),
    await put(at('connectors', owner.connector.id, 'x_0123456789.png'), 600),
    await put(join(stack.dataDir, 'tmp', 'upload'), 61),
  ].filter((path) => !path.includes('connectors'))
  const thumb = await put(at('sites', site.id, 'thumbs_lost.jpg', '100x100_lost.jpg'), 600)
  await age(dirname(thumb), 600)
  for (let i = 0; i < 450; i += 1)
    gone.push(await put(at('sites', site.id, `many_${String(i).padStart(10, '0')}.jpg`), 90))

  const kept = [
    ...named,
    await put(at('sites', site.id, 'just_stored_0123456789.jpg'), 59),
    await put(join(stack.dataDir, 'tmp', 'under-way'), 59),
    // What is of no collection with files is not ours.
    await put(join(store, 'foreign', 'a', 'b.jpg'), 600),
    at('connectors', owner.connector.id, 'x_0123456789.png'),
  ]

  const beside = await startStack({ beside: stack })
  await expect
    .poll(async () => (await Promise.all([...gone, thumb].map(exists))).filter(Boolean).length)
    .toBe(0)
  expect((await Promise.all(kept.map(exists))).every(Boolean)).toBe(true)
  expect(await exists(at('sites', 'norecord0000000'))).toBe(false)
  await beside.close()
  expect(stack.logged).toEqual([])
  expect(beside.logged).toEqual([])
})

test('a server on another database takes nothing from these files, and says so', async () => {
  const folder = join(stack.dataDir, 'storage', 'sites', owner.site.id)
  const before = await readdir(folder)
  for (const name of before) await age(join(folder, name), 600)
  expect(before.length).toBeGreaterThan(2)
  const other = await startStack({ env: { DATA_DIR: stack.dataDir } })
  await expect.poll(() => other.logged.join('\n')).toContain('belong to another database')
  expect(await readdir(folder)).toEqual(before)
  await other.close()
  // To a database that never had files they are not its own either, marked or not.
  const { length } = await readdir(join(stack.dataDir, 'storage', '_database'))
  expect(length).toBe(1)
  await rm(join(stack.dataDir, 'storage', '_database'), { recursive: true })
  const third = await startStack({ env: { DATA_DIR: stack.dataDir } })
  await expect.poll(() => third.logged.join('\n')).toContain('belong to another database')
  expect(await readdir(folder)).toEqual(before)
  await third.close()
  const own = await startStack({ beside: stack })
  await expect
    .poll(() => readdir(join(stack.dataDir, 'storage', '_database')).catch(() => []))
    .toHaveLength(1)
  await own.close()
})

/** A server in a process of its own, on the database and files of the stack. */
const startProcess = async (): Promise<{ url: string; kill: () => Promise<void> }> => {
  const { databaseUrl = '', dataDir } = stack.config
  const webDir = join(dataDir, 'page')
  await mkdir(webDir)
  await writeFile(join(webDir, 'index.html'), '<!doctype html><head><!--settings--></head>')
  const { port } = await chooseFreePort({ ...stack.config, port: 0 })
  const program = `
    import { readConfig } from './server/config.ts'
    import { serve } from './server/main.ts'
    const { url } = await serve(readConfig(process.env), { webDir: process.env.WEB_DIR })
    console.log(url)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: String(port),
      WEB_DIR: webDir,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: line.toString().trim(),
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('a process that is killed between the file and its row leaves no file for long', async () => {
  const { client, site } = owner
  const folder = join(stack.dataDir, 'storage', 'sites', site.id)
  const before = await readdir(folder)
  const server = await startProcess()
  // The row cannot be written while the test holds the table.
  const holder = await stack.sql.reserve()
  await holder`begin`
  await holder`lock table sites in exclusive mode`
  const form = new FormData()
  form.append('photos', await makePhoto('killed.jpg'))
  const attempt = fetch(`${server.url}/api/collections/sites/records/${site.id}`, {
    method: 'PATCH',
    headers: { authorization: client.authStore.token },
    body: form,
  }).then(
    () => 'answered',
    () => 'cut off',
  )
  await expect.poll(() => readdir(folder), { timeout: 10_000 }).toHaveLength(before.length + 1)
  await server.kill()
  await holder`rollback`
  holder.release()
  expect(await attempt).toBe('cut off')
  const left = (await readdir(folder)).find((name) => !before.includes(name)) ?? ''
  expect(left).toMatch(/^killed_/)
  await age(join(folder, left), 61)
  const next = await startStack({ beside: stack })
  await expect.poll(() => readdir(folder)).not.toContain(left)
  await next.close()
  expect((await client.collection('sites').getOne(site.id))['photos']).not.toContain(left)
})

test('a write whose end is not known keeps its files: the row may be there', async () => {
  const { client, site } = owner
  // The connection breaks in the middle of the commit.
  await stack.sql.unsafe(`
    create function break_off() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
    create constraint trigger break_off after update on sites
      deferrable initially deferred for each row execute function break_off()`)
  const folder = join(stack.dataDir, 'storage', 'sites', site.id)
  const before = await readdir(folder)
  await expect(
    client.collection('sites').update(site.id, { photos: [await makePhoto('c.jpg')] }),
  ).rejects.toMatchObject({ status: 503 })
  await stack.sql.unsafe('drop trigger break_off on sites; drop function break_off()')
  expect(await readdir(folder)).toHaveLength(before.length + 1)
  await expect(
    client.collection('sites').update(site.id, { photos: [await makePhoto('d.jpg')], name: '' }),
  ).rejects.toMatchObject({ status: 400 })
  expect(await readdir(folder)).toHaveLength(before.length + 1)
})
