import { execFileSync } from 'node:child_process'
import { copyFile, cp, mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIfStale } from '../../scripts/build.ts'
import { root } from '../../scripts/process.ts'
import {
  isHealthy,
  isRoot,
  launch,
  postmasterOf,
  signalGroup,
  stateOf,
  testFolder,
  until,
} from './launch.ts'

test('npm start works, Ctrl-C ends it with all it started, and it starts again', async () => {
  const dataDir = join(await testFolder(), 'data')
  const first = launch({ npm: true, env: { DATA_DIR: dataDir } })
  expect(await isHealthy(await first.ready())).toBe(true)
  const postmaster = await postmasterOf(dataDir)
  signalGroup(first.child, 'SIGINT')
  expect(await first.ended()).toBe(0)
  expect(stateOf(postmaster)).toContain('ended')
  expect(await postmasterOf(dataDir)).toBeUndefined()

  const second = launch({ npm: true, env: { DATA_DIR: dataDir } })
  expect(await isHealthy(await second.ready())).toBe(true)
  const lines = second.output().split('\n')
  expect(lines.filter((line) => line.includes('is ready at'))).toHaveLength(1)
  expect(second.output()).not.toMatch(/deprecat|experimental|EBADENGINE|Unsupported/i)
})

test('a server that was killed leaves nothing that keeps the next one from starting', async () => {
  const dataDir = join(await testFolder(), 'data')
  const first = launch({ env: { DATA_DIR: dataDir } })
  await first.ready()
  const orphan = await postmasterOf(dataDir)
  first.child.kill('SIGKILL')
  await first.ended()
  expect(stateOf(orphan)).toBe('running')

  const second = launch({ env: { DATA_DIR: dataDir } })
  expect(await isHealthy(await second.ready())).toBe(true)
  expect(stateOf(orphan)).toContain('ended')
  expect(await postmasterOf(dataDir)).not.toBe(orphan)

  // This time the database is killed along with it: its notes and its socket stay behind.
  const killed = await postmasterOf(dataDir)
  second.child.kill('SIGKILL')
  if (killed) process.kill(killed, 'SIGKILL')
  const third = launch({ env: { DATA_DIR: dataDir } })
  expect(await isHealthy(await third.ready())).toBe(true)
})

test('when npm is killed, the server under it ends by itself', async () => {
  const dataDir = join(await testFolder(), 'data')
  const started = launch({ npm: true, env: { DATA_DIR: dataDir } })
  const url = await started.ready()
  started.child.kill('SIGKILL')
  await until(async () => !(await isHealthy(url)) && (await postmasterOf(dataDir)) === undefined)
})

test('on another Node it hands over to its own, options included, which ends with it', async () => {
  const folder = await testFolder()
  const dataDir = join(folder, 'data')
  const otherNode = join(folder, 'node')
  await copyFile(process.execPath, otherNode)
  const flags = ['--import=data:text/javascript,console.log("Begun with options.")']
  const started = launch({ program: otherNode, flags, env: { DATA_DIR: dataDir } })
  const url = await started.ready()
  expect(await isHealthy(url)).toBe(true)
  expect(
    started
      .output()
      .split('\n')
      .filter((line) => line === 'Begun with options.'),
  ).toHaveLength(2)
  started.child.kill('SIGKILL')
  await until(async () => !(await isHealthy(url)) && (await postmasterOf(dataDir)) === undefined)

  const again = launch({ program: otherNode, env: { DATA_DIR: dataDir } })
  await again.ready()
  again.child.kill('SIGTERM')
  expect(await again.ended()).toBe(0)
})

test('two servers run side by side', async () => {
  const folder = await testFolder()
  const other = await testFolder()
  const servers = [folder, other].map((path) => launch({ env: { DATA_DIR: join(path, 'data') } }))
  const urls = await Promise.all(servers.map((server) => server.ready()))
  expect(new Set(urls).size).toBe(2)
  expect(await Promise.all(urls.map(isHealthy))).toEqual([true, true])
})

test('of two that start on one new folder at the same time, one runs and one says so', async () => {
  const dataDir = join(await testFolder(), 'data')
  const servers = [1, 2].map(() => launch({ env: { DATA_DIR: dataDir } }))
  const results = await Promise.all(
    servers.map((server) =>
      server.ready().then(
        () => 'ready',
        () => server.output(),
      ),
    ),
  )
  expect(results.filter((result) => result === 'ready')).toHaveLength(1)
  expect(results.filter((result) => result !== 'ready').join()).toContain(dataDir)
})

test('a path with spaces and more works, as an ordinary user and as root', async () => {
  const folder = await testFolder("voltleaf start, it's ")
  const project = join(folder, 'my project')
  await buildIfStale()
  await copyProject(project)
  const dataDir = join(folder, 'data')
  const started = launch({ cwd: project, npm: true, env: { DATA_DIR: dataDir } })
  expect(await isHealthy(await started.ready())).toBe(true)
  expect(await readFile(join(dataDir, 'postgres/postmaster.opts'), 'utf8')).toContain(project)
  signalGroup(started.child, 'SIGINT')
  expect(await started.ended()).toBe(0)
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

test('a data folder whose name is too long for a socket works', async () => {
  const folder = await testFolder()
  const dataDir = join(folder, 'long'.repeat(30), 'data')
  const started = launch({ env: { DATA_DIR: dataDir } })
  expect(await isHealthy(await started.ready())).toBe(true)
  const socketFolder = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split(
    '\n',
  )[4]
  expect(socketFolder?.startsWith(dataDir)).toBe(false)
  expect((await stat(socketFolder ?? '')).mode & 0o777).toBe(0o700)
  started.child.kill('SIGTERM')
  expect(await started.ended()).toBe(0)
})

test('what it makes secret is readable for its owner only', async () => {
  const dataDir = join(await testFolder(), 'data')
  const started = launch({ env: { DATA_DIR: dataDir } })
  await started.ready()
  for (const name of ['stand-in-provider.json', 'server.json', 'postgres.log']) {
    expect([name, (await stat(join(dataDir, name))).mode & 0o777]).toEqual([name, 0o600])
  }
})

/** The project as it lies here, dependencies and build included, without copying their bytes. */
const copyProject = async (target: string): Promise<void> => {
  await mkdir(target)
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.base.json']) {
    await copyFile(join(root, name), join(target, name))
  }
  const filter = (path: string): boolean => !path.includes('node_modules')
  for (const name of ['domain', 'scripts', 'server', 'web']) {
    await cp(join(root, name), join(target, name), { recursive: true, filter })
  }
  const modules = join(root, 'node_modules')
  const sharing = process.platform === 'darwin' ? '-Rc' : '-al'
  try {
    execFileSync('cp', [sharing, modules, target], { stdio: 'ignore' })
  } catch {
    // Another disk cannot share them.
    execFileSync('cp', ['-R', modules, target])
  }
}
