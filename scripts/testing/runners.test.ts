import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../process.ts'
import { countPlaywright, judge, summarize, type Outcome } from './runners.ts'

const all = { passed: 3, failed: 0, complaints: [] }

test('in Vitest, a skipped test, a broken module and an unhandled error are failures', async () => {
  const cache = join(root, '.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'reporter-'))
  const report = join(folder, 'report.json')
  try {
    await writeFile(join(folder, 'vitest.config.js'), 'export default {}')
    await writeFile(
      join(folder, 'some.test.js'),
      `import { expect, test } from 'vitest'
       test('passes', () => {})
       test('fails', () => expect(['A long line of the log'.repeat(9)]).toEqual([]))
       test('fails late', () => {
         throw new Error('It ended:\\n' + 'a line\\n'.repeat(200) + 'the reason\\n')
       })
       test.skip('is skipped', () => {})
       test.todo('is a note')
       test('leaves an error behind', () => void Promise.reject(new Error('left behind')))`,
    )
    await writeFile(join(folder, 'broken.test.js'), "import './nowhere.js'")
    const { status } = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--root',
        folder,
        `--reporter=${join(root, 'scripts/testing/vitest-reporter.ts')}`,
      ],
      { env: { ...process.env, VOLTLEAF_REPORT: report } },
    )
    expect(status).toBe(1)
    const { passed, failed, complaints } = JSON.parse(await readFile(report, 'utf8')) as Outcome
    expect({ passed, failed }).toEqual({ passed: 2, failed: 6 })
    const text = complaints.join('\n')
    for (const word of [
      '> fails (failed): expected [ Array(1) ] to deeply equal []',
      '"A long line of the log',
      ', line 3',
      '> fails late (failed): It ended: | a line | a line | ',
      ' | a line | the reason, line 5',
      '> is skipped',
      '> is a note',
      'broken.test.js',
      'left behind',
    ])
      expect(text).toContain(word)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('in Playwright, a skipped test and one that passed on a retry are failures', () => {
  const spec = (title: string, status: string, error?: { message: string }) => ({
    title,
    tests: [{ projectName: 'phone', status, results: error ? [{ error }] : [] }],
  })
  const found = countPlaywright({
    stats: { expected: 5 },
    suites: [
      {
        title: 'a.spec.ts',
        specs: [spec('works', 'expected'), spec('is skipped', 'skipped')],
        suites: [
          {
            title: 'group',
            specs: [spec('wavers', 'flaky', { message: '\u001B[31mno row\u001B[39m\nfound' })],
          },
        ],
      },
    ],
    errors: [{ message: 'no browser' }],
  })
  expect(found).toEqual({
    passed: 5,
    failed: 3,
    complaints: [
      '[phone] a.spec.ts > is skipped (skipped)',
      '[phone] a.spec.ts > group > wavers (flaky): no row | found',
      'no browser',
    ],
  })
})

test.each([
  ['all is well', 0, all, all],
  ['some failed', 1, { ...all, failed: 1, complaints: ['x'] }, { failed: 1, complaints: ['x'] }],
  ['nothing was run', 0, { ...all, passed: 0 }, { failed: 1 }],
  ['there is no report', 1, undefined, { failed: 1 }],
  ['the runner complains of something else', 1, all, { passed: 3, failed: 1 }],
])('%s', (_, status, counted, expected) => {
  expect(judge('Tests', status, counted)).toMatchObject(expected)
})

test('the summary names failures, adds up, and fails on a single failure', () => {
  expect(summarize([all, all])).toEqual({ text: '6 passed, 0 failed', exitCode: 0 })
  expect(summarize([all, { passed: 0, failed: 1, complaints: ['Lint: oxlint'] }])).toEqual({
    text: 'Lint: oxlint\n3 passed, 1 failed',
    exitCode: 1,
  })
})
