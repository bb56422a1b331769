import { execFileSync } from 'node:child_process'
import { copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../scripts/process.ts'
import { startEmbeddedDatabase } from '../../server/db/embedded.ts'
import { openDatabase } from '../../server/db/open.ts'
import {
  isHealthy,
  isRoot,
  launch,
  postmasterOf,
  signalGroup,
  stateOf,
  testFolder,
} from './launch.ts'
import { copyMigratedData } from './migrated.ts'

test('npm start works in a path with special characters, as an ordinary user and as root, and Ctrl-C ends it with all child processes', async () => {
  const folder = await testFolder("voltleaf start, it's ")
  const project = join(folder, 'my project')
  await copyProject(project)
  await writeFile(join(project, '.env'), 'DATABSE_URL=postgres://x\nOTEL_SERVICE_NAME=x\nPORT=0\n')
  const dataDir = join(folder, 'data')
  const started = launch({ cwd: project, npm: true, env: { DATA_DIR: dataDir } })
  const url = await started.ready()
  expect(await isHealthy(url)).toBe(true)
  expect(started.output()).toContain('Built the web app.')
  expect(started.output()).toContain('.env sets DATABSE_URL, which .env.example does not describe.')
  const lines = started.output().split('\n')
  expect(lines.filter((line) => line.includes('is ready at'))).toHaveLength(1)
  expect(started.output()).not.toMatch(/deprecat|experimental|EBADENGINE|Unsupported/i)
  await rm(join(project, '.env'))
  // The memory of the build was released with its process.
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const [, bytes] = /^process_resident_memory_bytes (\d+)$/m.exec(metrics) ?? []
  expect(Number(bytes)).toBeLessThan(400e6)
  expect(await readFile(join(dataDir, 'postgres/postmaster.opts'), 'utf8')).toContain(project)
  const postmaster = await postmasterOf(dataDir)
  signalGroup(started.child, 'SIGINT')
  expect(await started.ended()).toBe(0)
  expect(stateOf(postmaster)).toContain('ended')
  expect(await postmasterOf(dataDir)).toBeUndefined()
  if (!isRoot) return

  const nobody = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }))
  const own = join(folder, 'of nobody')
  await mkdir(own)
  execFileSync('chown', [String(nobody), own])
  const asNobody = {
    cwd: project,
    uid: nobody,
    program: join(project, 'node_modules/.bin/node'),
  }
  const ordinary = launch({ ...asNobody, env: { DATA_DIR: join(own, 'data') } })
  expect(await isHealthy(await ordinary.ready())).toBe(true)
  expect((await stat(join(own, 'data/postgres'))).uid).toBe(nobody)
  ordinary.child.kill('SIGTERM')
  expect(await ordinary.ended()).toBe(0)

  const foreign = launch({ ...asNobody, env: { DATA_DIR: dataDir } })
  expect(await foreign.ended()).toBe(1)
  expect(foreign.output().trim()).toMatch(
    /^.* belongs to another user: start as that user, or choose another DATA_DIR\.$/,
  )
})

test('a data folder whose path is too long for a socket works', async () => {
  const folder = await testFolder()
  const parent = join(folder, 'long'.repeat(30))
  await mkdir(parent)
  const dataDir = join(parent, 'data')
  copyMigratedData(dataDir)
  const database = await startEmbeddedDatabase({ dataDir })
  onTestFinished(() => database.stop())
  const sql = await openDatabase(database.place)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  await sql.end()
  const socketFolder = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split(
    '\n',
  )[4]
  expect(socketFolder?.startsWith(dataDir)).toBe(false)
  expect((await stat(socketFolder ?? '')).mode & 0o777).toBe(0o700)
})

/** The project without a build; its dependencies are linked instead of copied. */
const copyProject = async (target: string): Promise<void> => {
  await mkdir(target)
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.base.json', '.env.example']) {
    await copyFile(join(root, name), join(target, name))
  }
  const filter = (path: string): boolean => !/node_modules|web\/dist/.test(path)
  for (const name of ['domain', 'scripts', 'server', 'web']) {
    await cp(join(root, name), join(target, name), { recursive: true, filter })
  }
  const modules = join(root, 'node_modules')
  // Other tests write to its caches at the same time.
  const packages = (await readdir(modules)).filter((name) => !/^\.(?:cache|vite)/.test(name))
  const copied = join(target, 'node_modules')
  const copy = async (how: string): Promise<void> => {
    await rm(copied, { recursive: true, force: true })
    await mkdir(copied)
    execFileSync('cp', [how, ...packages.map((name) => join(modules, name)), copied], {
      stdio: 'ignore',
    })
  }
  try {
    await copy(process.platform === 'darwin' ? '-Rc' : '-al')
  } catch {
    // Hard links do not work across disks.
    await copy('-R')
  }
}
