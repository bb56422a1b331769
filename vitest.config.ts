import { defineConfig } from 'vitest/config'

import { LongestFirst } from './scripts/testing/longest-first.ts'

const exclude = ['**/node_modules/**', 'web/dist*/**', '.cache/**']
/** One PostgreSQL for a whole run; every stack has a database of its own in it. */
const globalSetup = ['tests/support/postgres.ts']

/**
 * The files of a worker share the modules of the server, which hold no state of their own: loading them again for each file
 * takes a quarter of the processor time.
 */
const shared = { isolate: false }

/** The long form of a test is bounded by how much it tries. */
const timeoutMs = (shortMs: number): number =>
  process.env['PROOF'] === 'long' ? 3_600_000 : shortMs

/** The contract without the tests that act as the superuser of the database, or look into the plans of one version. */
const hosted = (setUp: string) => ({
  include: ['tests/contract/**/*.contract.ts'],
  exclude: [...exclude, 'tests/contract/{pooler,logs,backup,statements}.contract.ts'],
  globalSetup: [...globalSetup, setUp],
  env: { VOLTLEAF_TEST_IS_HOSTED: 'on' },
  testTimeout: timeoutMs(60_000),
  hookTimeout: 60_000,
})

export default defineConfig({
  test: {
    // Only how long to wait before giving up: a busy machine is no defect.
    expect: { poll: { timeout: 20_000 } },
    // For two cores: a worker whose test waits for a server or a lock leaves its core to the third.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{domain,server,web,scripts,bench}/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          exclude: [...exclude, '**/*.db.test.ts'],
          // Hashing a password is slow on purpose, and slower on a busy machine, which is no defect.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'db',
          ...shared,
          include: ['**/*.db.test.ts'],
          exclude,
          globalSetup,
          // Only how long to wait before giving up: a busy machine is no defect.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'contract',
          ...shared,
          include: ['tests/contract/**/*.contract.ts'],
          exclude,
          globalSetup,
          testTimeout: timeoutMs(60_000),
          hookTimeout: 60_000,
        },
      },
      {
        // What is said of files holds for S3 as well: a server of the tests' own, or the one that
        // S3_ENDPOINT and the other settings in the environment name.
        test: {
          name: 's3',
          ...shared,
          include: ['tests/contract/{files,thumbs,ranges,orphans,backup}.contract.ts'],
          exclude,
          globalSetup,
          env: { VOLTLEAF_TEST_STORE: 's3' },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The contract behind a pooler in transaction mode; without the tests that look into sessions: of poolers
        // themselves, of what the server keeps prepared in each, and of logs, which change a setting of the database.
        test: {
          name: 'pooled',
          include: ['tests/contract/**/*.contract.ts'],
          exclude: [...exclude, 'tests/contract/{pooler,logs}.contract.ts'],
          globalSetup: [...globalSetup, 'tests/support/pooled.ts'],
          env: { VOLTLEAF_TEST_POOLED: 'on' },
          testTimeout: timeoutMs(60_000),
          hookTimeout: 60_000,
        },
      },
      {
        // The contract on another PostgreSQL, see tests/support/hosted-postgres.ts.
        test: { name: 'hosted', ...hosted('tests/support/hosted-postgres.ts') },
      },
      {
        // The contract on three nodes of Citus, see tests/support/citus-postgres.ts.
        test: { name: 'citus', ...hosted('tests/support/citus-postgres.ts') },
      },
      {
        test: {
          name: 'proof',
          include: [
            'tests/proof/**/*.test.ts',
            ...(process.env['PROOF'] === 'long' ? ['tests/proof/**/*.long.ts'] : []),
            // Nothing of other people's data is part of the project: where there is some, every output of it is judged.
            ...(process.env['REAL_DATA'] ? ['tests/proof/open-data.long.ts'] : []),
          ],
          exclude,
          globalSetup,
          testTimeout: timeoutMs(120_000),
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'start',
          include: ['tests/start/**/*.test.ts'],
          exclude,
          globalSetup: ['tests/start/migrated.ts'],
          // A test installs, builds and starts several times.
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
