import { execFile, spawn } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, onTestFinished, test } from 'vitest'

import { root } from '../../scripts/process.ts'
import { IMPORT_LIMITS } from '#domain/limits.ts'
import { bringIn as bringInOver } from '../support/imports.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { isRoot, launch, testFolder, until, usedDataDir } from './launch.ts'

/** The output of `npm run import` for a user who cannot read all files. */
const bringIn = async (
  folder: string,
  file: string,
  ...more: readonly string[]
): Promise<{ output: string; code: number }> => {
  const owner = ['--owner', 'a@b.example']
  const args = ['scripts/bootstrap.js', 'import', join(folder, file), ...owner, ...more]
  const run = promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data') },
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
  })
  return run.then(
    ({ stdout }) => ({ output: stdout, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => ({
      output: error.stdout + error.stderr,
      code: error.code,
    }),
  )
}

test.each([
  ['is a folder', '.', /^.* is a folder: name a file in it\.$/],
  ['may not be read', 'secret.csv', /^.*secret\.csv cannot be read: .*EACCES.*$/],
])('a file that %s is reported in one sentence', async (_, file, sentence) => {
  const folder = await testFolder()
  await writeFile(join(folder, 'secret.csv'), 'name;latitude;longitude')
  await chmod(join(folder, 'secret.csv'), 0)
  const { output, code } = await bringIn(folder, file)
  expect(output.trim()).toMatch(sentence)
  expect(code).toBe(1)
})

test('the token of a source may be in the environment, and needs a URL', async () => {
  const dataDir = await usedDataDir()
  const url = await launch({ env: { DATA_DIR: dataDir } }).ready()
  const { client } = await newOwnerWithSite(url)
  const owner = ['--owner', String(client.authStore.record?.['email'])]
  const requested: (string | undefined)[] = []
  const source = createServer(({ headers }, response) => {
    requested.push(headers.authorization)
    response.end('Name,Latitude,Longitude,Plug type,Power\nMairie,48.63,-2.46,CCS,150\n')
  })
  onTestFinished(() => void source.close())
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
  const { port } = source.address() as AddressInfo
  const settings = { DATA_DIR: dataDir, IMPORT_PRIVATE_ADDRESSES: 'on', IMPORT_TOKEN: 'secret' }
  const bring = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, ['scripts/bootstrap.js', 'import', ...args, ...owner], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...settings },
    })
  await bring(`http://127.0.0.1:${port}/sites.csv`)
  expect(requested).toEqual(['Token secret'])
  await expect(bring('sites.csv', '--token', 'secret')).rejects.toMatchObject({
    stderr: expect.stringContaining('Use: npm run import'),
  })
})

test.each([
  [
    'a folder that is not there',
    'nowhere/report.csv',
    /^The report cannot be written: .*ENOENT.*$/,
  ],
  ['a folder', '.', /^.* is a folder: name a file in it\.$/],
])('a report to %s is refused before anything is imported', async (_, report, sentence) => {
  const folder = await testFolder()
  await writeFile(join(folder, 'sites.csv'), 'name;latitude;longitude')
  const { output, code } = await bringIn(folder, 'sites.csv', '--report', join(folder, report))
  expect(output.trim()).toMatch(sentence)
  expect(code).toBe(1)
})

test('an import that the server refuses is reported in one sentence, with the page to correct it', async () => {
  const dataDir = await usedDataDir()
  const url = await launch({ env: { DATA_DIR: dataDir } }).ready()
  const { client } = await newOwnerWithSite(url)
  const text = 'Name,Latitude,Longitude,Plug type,Power\nMairie,48.63,-2.46,CCS,150\n'
  const file = join(dataDir, '../sites.csv')
  await writeFile(file, text)
  for (let open = 0; open < IMPORT_LIMITS.openPerBusiness; open += 1)
    await bringInOver(client, new File([text], 'sites.csv'))
  const owner = String(client.authStore.record?.['email'])
  const run = promisify(execFile)(
    process.execPath,
    ['scripts/bootstrap.js', 'import', file, '--owner', owner],
    { cwd: root, env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PUBLIC_URL: url } },
  )
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: `Too many imports are open: run or delete one of them first. See ${url}/import.\n`,
  })
})

test('Ctrl-C at the question applies nothing', async () => {
  const dataDir = await usedDataDir()
  const url = await launch({ env: { DATA_DIR: dataDir } }).ready()
  const { client } = await newOwnerWithSite(url)
  const file = join(dataDir, '../sites.csv')
  await writeFile(file, 'Name,Latitude,Longitude,Plug type,Power\nMairie,48.63,-2.46,CCS,150\n')
  const owner = String(client.authStore.record?.['email'])
  // The question is asked on a terminal only, which `script` provides.
  const command = `node scripts/bootstrap.js import ${file} --owner ${owner}`
  const args =
    process.platform === 'linux'
      ? ['--quiet', '--return', '--command', command, '/dev/null']
      : ['-q', '/dev/null', 'sh', '-c', command]
  const child = spawn('script', args, {
    cwd: root,
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PUBLIC_URL: url },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await until(() => output.includes('Apply to 1 site? (y/N)'))
  child.stdin.write('\u0003')
  expect(await ended).toBe(0)
  expect(output).toContain(`Nothing was applied. Review the plan at ${url}/import/`)
  expect(output).not.toMatch(/\n +at /)
})
