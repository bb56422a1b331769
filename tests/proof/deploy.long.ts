import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'

import { onTestFinished, expect, test } from 'vitest'

import { needProgram } from '../../scripts/testing/programs.ts'
import { root } from '../../scripts/process.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { makePhoto } from '../support/images.ts'
import { freePort } from '../support/ports.ts'
import { settingsBeside, startStack } from '../support/stack.ts'

// The files in deploy/, validated by the programs that read them.

const deploy = join(root, 'deploy')

const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'voltleaf-deploy-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

/** The output of a program that must succeed. */
const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: deploy,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (error !== undefined) throw error
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
  return stdout + stderr
}

test('the reference implementation of Compose accepts compose.yaml', () => {
  const read = run(needProgram('compose-go'), ['-no-interpolation', 'compose.yaml'])
  expect(read).toContain('voltleaf-b:')
})

test('setup.sh creates passwords and a certificate once, readable only by their owner', async () => {
  const place = await folder()
  execFileSync('cp', [join(deploy, 'setup.sh'), join(deploy, 'example.env'), place])
  run(join(place, 'setup.sh'), [])
  const env = readFileSync(join(place, '.env'), 'utf8')
  expect(env).toMatch(/^DATABASE_PASSWORD=[0-9a-f]{64}$/m)
  const certificate = execFileSync('openssl', [
    'x509',
    '-noout',
    '-text',
    '-in',
    join(place, 'tls/cert.pem'),
  ])
  expect(certificate.toString()).toContain('DNS:voltleaf.localhost, DNS:login.voltleaf.localhost')
  for (const file of ['.env', 'tls/key.pem'])
    expect(execFileSync('stat', ['-c', '%a', join(place, file)], { encoding: 'utf8' })).toBe(
      '600\n',
    )
  run(join(place, 'setup.sh'), [])
  expect(readFileSync(join(place, '.env'), 'utf8')).toBe(env)
})

test('the schemas of Kubernetes accept kubernetes.yaml, without unknown fields', () => {
  const said = run(needProgram('kubernetes-validate'), ['--strict', 'kubernetes.yaml'])
  expect(said.match(/ passed for resource /g)).toHaveLength(7)
})

test('systemd accepts the service, and finds few further restrictions for it', async () => {
  const systemd = needProgram('systemd-analyze')
  const unit = join(await folder(), 'voltleaf@8090.service')
  const text = readFileSync(join(deploy, 'voltleaf@.service'), 'utf8')
  await writeFile(unit, text.replace('/opt/voltleaf/node_modules/.bin/node', process.execPath))
  expect(run(systemd, ['verify', unit])).toBe('')
  // A scale from 0 to 10, given in tenths here.
  run(systemd, ['security', '--offline=true', '--threshold=20', unit])
})

test('the service listens on the port in its name, whatever the settings file contains', async () => {
  const stack = await startStack()
  onTestFinished(() => stack.close())
  const port = await freePort()
  const place = await folder()
  const unit = readFileSync(join(deploy, 'voltleaf@.service'), 'utf8')
  const command = (/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '')
    .replaceAll('%i', String(port))
    .replaceAll('/var/lib/voltleaf', place)
    .replaceAll('/opt/voltleaf', root)
  const file = parseEnv(readFileSync(join(root, '.env.example'), 'utf8'))
  expect(file['PORT']).toBe('8090')
  const [program = '', ...args] = command.split(' ')
  const { DATA_DIR: _, ...settings } = settingsBeside(stack)
  const server = spawn(program, args, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...file, ...settings, PORT: '8090' },
    stdio: 'ignore',
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  const ready = `http://127.0.0.1:${port}/api/ready`
  await expect
    .poll(
      () =>
        fetch(ready).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 20_000 },
    )
    .toBe(200)
  expect(readdirSync(place)).toEqual([String(port)])
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
})

test('the store of compose.yaml uses a folder as its bucket, and stores photos', async () => {
  const program = needProgram('versitygw')
  const files = await folder()
  const port = await freePort()
  execFileSync('mkdir', [join(files, 'voltleaf')])
  const store = spawn(program, ['posix', files], {
    stdio: 'ignore',
    env: {
      ROOT_ACCESS_KEY: 'voltleaf',
      ROOT_SECRET_KEY: 'a secret of the store',
      VGW_PORT: `127.0.0.1:${port}`,
      VGW_REGION: 'us-east-1',
      VGW_HEALTH: '/health',
    },
  })
  onTestFinished(async () => {
    store.kill()
    await once(store, 'exit')
  })
  const endpoint = `http://127.0.0.1:${port}`
  while (!(await fetch(`${endpoint}/health`).catch(() => undefined))?.ok) await sleep(50)
  const stack = await startStack({
    env: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: 'voltleaf',
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'voltleaf',
      S3_SECRET_ACCESS_KEY: 'a secret of the store',
    },
  })
  onTestFinished(() => stack.close())
  const { client, site } = await newOwnerWithSite(stack.url)
  const body = new FormData()
  body.append('photos', await makePhoto('a.jpg'))
  const { photos } = await client.collection('sites').update<{ photos: string[] }>(site.id, body)
  const answer = await fetch(`${stack.url}/api/files/sites/${site.id}/${photos[0]}`)
  expect(answer.status).toBe(200)
  expect(stack.logged).toEqual([])
})
