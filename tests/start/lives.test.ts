import { copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  isHealthy,
  launch,
  postmasterOf,
  stateOf,
  testFolder,
  usedDataDir,
  until,
} from './launch.ts'

test('in production every line is JSON, including one about a provider that is down', async () => {
  const started = launch({
    env: {
      DATA_DIR: await usedDataDir(),
      NODE_ENV: 'production',
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'voltleaf',
      OIDC_CLIENT_SECRET: 'secret',
    },
  })
  expect(await isHealthy(await started.ready())).toBe(true)
  await until(() => started.output().includes('the provider cannot sign anybody in'))
  started.child.kill('SIGTERM')
  expect(await started.ended()).toBe(0)
  const lines = started.output().trimEnd().split('\n')
  for (const line of lines)
    expect(JSON.parse(line)).toMatchObject({ time: expect.any(String), msg: expect.any(String) })
  expect(started.output()).toMatch(/"msg":"listening"[^]*is ready at/)
  expect(started.output()).not.toContain('not written for the log')
})

test('a killed server does not prevent the next start', async () => {
  const dataDir = await usedDataDir()
  const first = launch({ env: { DATA_DIR: dataDir } })
  await first.ready()
  const orphan = await postmasterOf(dataDir)
  // On an overloaded computer the database notices the end of the server, and releases its lock, some seconds later.
  const session = process.platform === 'linux' ? await sessionOf(orphan, 'voltleaf postgres') : 0
  if (session) process.kill(session, 'SIGSTOP')
  first.child.kill('SIGKILL')
  await first.ended()
  expect(stateOf(orphan)).toBe('running')

  const second = launch({ env: { DATA_DIR: dataDir } })
  await sleep(4000)
  if (session) process.kill(session, 'SIGCONT')
  expect(await isHealthy(await second.ready())).toBe(true)
  expect(stateOf(orphan)).toContain('ended')
  expect(await postmasterOf(dataDir)).not.toBe(orphan)

  // This time the database is killed, too: its lock file and its socket stay behind.
  const killed = await postmasterOf(dataDir)
  second.child.kill('SIGKILL')
  if (killed) process.kill(killed, 'SIGKILL')
  const third = launch({ env: { DATA_DIR: dataDir } })
  expect(await isHealthy(await third.ready())).toBe(true)
})

/** The process id of the session of a user in a database, from the titles of PostgreSQL's processes. */
const sessionOf = async (
  postmaster: number | undefined,
  userAndDatabase: string,
): Promise<number> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    const [stat, title] = await Promise.all(
      ['stat', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    )
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(stat ?? '')?.[1]
    if (Number(parent) === postmaster && title?.includes(userAndDatabase)) return Number(pid)
  }
  throw new Error(`no session of ${userAndDatabase}`)
}

test('if npm is killed, its server exits', async () => {
  const dataDir = await usedDataDir()
  const started = launch({ npm: true, env: { DATA_DIR: dataDir } })
  const url = await started.ready()
  started.child.kill('SIGKILL')
  await until(async () => !(await isHealthy(url)) && (await postmasterOf(dataDir)) === undefined)
})

test('on another Node it runs the pinned one with the same options, and that process exits with it', async () => {
  const dataDir = await usedDataDir()
  const otherNode = join(await testFolder('voltleaf-node-'), 'node')
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

test('if two servers start on one new folder at the same time, one runs and the other reports it', async () => {
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
