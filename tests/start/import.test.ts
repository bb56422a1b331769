import { execFile } from 'node:child_process'
import { chmod, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { root } from '../../scripts/process.ts'
import { isRoot, testFolder } from './launch.ts'

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
  ['is not there', 'nowhere.csv', /^There is no file .*nowhere\.csv\.$/],
  ['is a folder', '.', /^.* is a folder: name a file in it\.$/],
  ['may not be read', 'secret.csv', /^.*secret\.csv cannot be read: .*EACCES.*$/],
  ['leads in a circle', 'circle.csv', /^.*circle\.csv cannot be read: .*ELOOP.*$/],
])('a file that %s is reported in one sentence', async (_, file, sentence) => {
  const folder = await testFolder()
  await writeFile(join(folder, 'secret.csv'), 'name;latitude;longitude')
  await chmod(join(folder, 'secret.csv'), 0)
  await symlink('circle.csv', join(folder, 'circle.csv'))
  const { output, code } = await bringIn(folder, file)
  expect(output.trim()).toMatch(sentence)
  expect(code).toBe(1)
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
