import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'
import { freePort } from '../support/ports.ts'
import { directUrlOf, fileSettings, startStack } from '../support/stack.ts'

// If a process ends after it has stored a file and before it writes the row, it leaves an orphan (record interface
// 9.5). The next start removes it, and no other file.

const stack = await withStack({ agesFiles: true })
const owner = await newOwnerWithSite(stack.url)

/** Returns the paths whose files exist. */
const present = async (paths: readonly string[]): Promise<string[]> => {
  const folders = [...Map.groupBy(paths, dirname)]
  const found = folders.map(async ([folder, all]) => {
    const names = new Set(await stack.stored.names(folder))
    return all.filter((path) => names.has(basename(path)))
  })
  return (await Promise.all(found)).flat().toSorted()
}

const folderOf = (site: { id: string }): string => `sites/${site.id}`

test('old files without a row are removed at the next start, however many there are; others stay', async () => {
  const { client, site, business } = owner
  const { stored, dataDir } = stack
  const changed = await client
    .collection('sites')
    .update(site.id, { photos: [await makePhoto('a.jpg'), await makePhoto('b.jpg')] })
  const logo = await makePhoto('logo.png', { type: 'png' })
  const branded = await client.collection('businesses').update(business.id, { logo })
  const [a = '', b = ''] = changed['photos'] as string[]
  await fetch(client.files.getURL(changed, a, { thumb: '100x100' }))
  const put = async (path: string, minutes: number): Promise<string> => {
    await stored.write(path, 'x')
    await stored.age(path, minutes)
    return path
  }
  const temporary = async (name: string, minutes: number): Promise<string> => {
    const path = join(dataDir, 'tmp', name)
    await writeFile(path, 'x')
    const time = new Date(Date.now() - minutes * 60_000)
    await utimes(path, time, time)
    return name
  }
  const named = [
    `sites/${site.id}/${a}`,
    `sites/${site.id}/${b}`,
    `sites/${site.id}/thumbs_${a}/100x100_${a}`,
    `businesses/${business.id}/${String(branded['logo'])}`,
  ]
  for (const path of named) await stored.age(path, 600)
  await stored.age(`sites/${site.id}/thumbs_${a}`, 600)

  const gone = [
    await put(`sites/${site.id}/never_named_0123456789.jpg`, 61),
    // A file of a record that was never written, and one that another record references.
    await put('sites/norecord0000000/lost_0123456789.jpg', 600),
    await put(`sites/norecord0000000/${a}`, 600),
    await put(`businesses/${business.id}/old_0123456789.png`, 600),
    await put(`sites/${site.id}/thumbs_lost.jpg/100x100_lost.jpg`, 600),
  ]
  await stored.age(`sites/${site.id}/thumbs_lost.jpg`, 600)
  for (let i = 0; i < 450; i += 1)
    gone.push(await put(`sites/${site.id}/many_${String(i).padStart(10, '0')}.jpg`, 90))
  await temporary('upload', 61)

  const kept = [
    ...named,
    await put(`sites/${site.id}/just_stored_0123456789.jpg`, 59),
    // Files outside of collections with files are left alone.
    await put('foreign/a/b.jpg', 600),
    await put(`connectors/${owner.connector.id}/x_0123456789.png`, 600),
  ]
  const underWay = await temporary('under-way', 59)

  const beside = await startStack({ beside: stack })
  // Some hundred requests to the store, on a machine that may be busy.
  await expect.poll(() => present(gone), { timeout: 90_000 }).toEqual([])
  expect(await present(kept)).toEqual(kept.toSorted())
  expect(await readdir(join(dataDir, 'tmp'))).toEqual([underWay])
  expect(await stored.names('sites')).not.toContain('norecord0000000')
  await beside.close()
  expect(stack.logged).toEqual([])
  expect(beside.logged).toEqual([])
})

test('a server on another database removes none of these files and logs that', async () => {
  const { stored, dataDir, config } = stack
  const folder = folderOf(owner.site)
  const before = await stored.names(folder)
  await stored.age(folder, 600)
  expect(before).toContainEqual(expect.stringMatching(/^just_stored_/))
  const foreign = { env: { ...fileSettings(config), DATA_DIR: dataDir } }
  const other = await startStack(foreign)
  await expect.poll(() => other.logged.join('\n')).toContain('belong to another database')
  expect(await stored.names(folder)).toEqual(before)
  await other.close()
  // A database that never had files does not own the store either, whether the store is marked or not.
  expect(await stored.names('_database')).toHaveLength(1)
  await stored.remove('_database')
  const third = await startStack(foreign)
  await expect.poll(() => third.logged.join('\n')).toContain('belong to another database')
  expect(await stored.names(folder)).toEqual(before)
  await third.close()
  const own = await startStack({ beside: stack })
  await expect.poll(() => stored.names('_database')).toHaveLength(1)
  // It removes orphans and completes: an aborted pass is repeated at the next start.
  const unnamed = expect.stringMatching(/^just_stored_/)
  await expect.poll(() => stored.names(folder)).not.toContainEqual(unnamed)
  await own.close()
})

/** A server in its own process, with the database and files of the stack. */
const startProcess = async (): Promise<{ url: string; kill: () => Promise<void> }> => {
  const { dataDir } = stack.config
  const webDir = join(dataDir, 'page')
  await mkdir(webDir)
  await writeFile(join(webDir, 'index.html'), '<!doctype html><head><!--settings--></head>')
  const port = await freePort()
  const program = `
    import { readConfig } from './server/config.ts'
    import { serve } from './server/main.ts'
    const { url } = await serve(readConfig(process.env), { webDir: process.env.WEB_DIR })
    console.log(url)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: directUrlOf(stack),
      DATA_DIR: dataDir,
      ...fileSettings(stack.config),
      PORT: String(port),
      WEB_DIR: webDir,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: line.toString().trim(),
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('the file of a process that was killed before it wrote the row is removed', async () => {
  const { client, site } = owner
  const { stored } = stack
  const folder = folderOf(site)
  const before = await stored.names(folder)
  const server = await startProcess()
  // The row cannot be written while the test locks the table.
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
  await expect.poll(() => stored.names(folder)).toHaveLength(before.length + 1)
  await server.kill()
  await holder`rollback`
  holder.release()
  expect(await attempt).toBe('cut off')
  const left = (await stored.names(folder)).find((name) => !before.includes(name)) ?? ''
  expect(left).toMatch(/^killed_/)
  await stored.age(`${folder}/${left}`, 61)
  const next = await startStack({ beside: stack })
  await expect.poll(() => stored.names(folder)).not.toContain(left)
  await next.close()
  expect((await client.collection('sites').getOne(site.id))['photos']).not.toContain(left)
})

test('a write with an unknown outcome keeps its files, because the row may exist', async () => {
  const { client, site } = owner
  // The connection breaks during the commit.
  await stack.sql.unsafe(`
    create function break_off() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
    create constraint trigger break_off after update on sites
      deferrable initially deferred for each row execute function break_off()`)
  const { stored } = stack
  const folder = folderOf(site)
  const before = await stored.names(folder)
  await expect(
    client.collection('sites').update(site.id, { photos: [await makePhoto('c.jpg')] }),
  ).rejects.toMatchObject({ status: 503 })
  await stack.sql.unsafe('drop trigger break_off on sites; drop function break_off()')
  expect(await stored.names(folder)).toHaveLength(before.length + 1)
  await expect(
    client.collection('sites').update(site.id, { photos: [await makePhoto('d.jpg')], name: '' }),
  ).rejects.toMatchObject({ status: 400 })
  expect(await stored.names(folder)).toHaveLength(before.length + 1)
})
