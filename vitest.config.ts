import { defineConfig } from 'vitest/config'

import { LongestFirst } from './scripts/testing/longest-first.ts'

const exclude = ['**/node_modules/**', 'web/dist*/**', '.cache/**']
/** One PostgreSQL for the whole run; every stack has its own database in it. */
const globalSetup = ['tests/support/postgres.ts']

/**
 * The files of a worker share the modules of the product, which have no state: loading them again for each file takes a
 * quarter of the processor time.
 */
const shared = { isolate: false }

/** In the long run, the number of attempts bounds a test, not the timeout. */
const timeoutMs = (shortMs: number): number =>
  process.env['PROOF'] === 'long' ? 3_600_000 : shortMs

/** The contract without the tests that act as the superuser of the database or inspect the plans of one version. */
const hosted = (setUp: string) => ({
  include: ['tests/contract/**/*.contract.ts'],
  exclude: [...exclude, 'tests/contract/{pooler,logs,backup,statements}.contract.ts'],
  globalSetup: [...globalSetup, setUp],
  env: { VOLTLEAF_TEST_IS_HOSTED: 'on' },
  testTimeout: timeoutMs(120_000),
  hookTimeout: 60_000,
})

export default defineConfig({
  test: {
    // An upper bound for slow machines, below the timeouts of the product, whose fallbacks a test must not need.
    expect: { poll: { timeout: 28_000 } },
    // For two cores: workers whose tests wait for a server or a lock leave the cores to the others.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          ...shared,
          setupFiles: ['tests/support/no-region.ts'],
          include: ['{domain,server,web,scripts,bench}/**/*.test.{ts,tsx}', 'tests/*.test.ts'],
          exclude: [...exclude, '**/*.db.test.ts'],
          // Password hashing is slow on purpose, and slower on a busy machine, which must not fail a test.
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
          // Only an upper bound; a slow machine must not fail a test.
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
          testTimeout: timeoutMs(120_000),
          hookTimeout: 60_000,
        },
      },
      {
        // The file tests also run against S3: a server of the tests, or the one in S3_ENDPOINT and the other settings
        // of the environment.
        test: {
          name: 's3',
          ...shared,
          include: ['tests/contract/{files,thumbs,ranges,orphans,backup}.contract.ts'],
          exclude,
          globalSetup,
          env: { VOLTLEAF_TEST_STORE: 's3' },
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The contract behind a pooler in transaction mode, without the tests that inspect sessions: those of poolers
        // themselves, of the server's prepared statements in each session, and of logs, which change a setting of the
        // database.
        test: {
          name: 'pooled',
          include: ['tests/contract/**/*.contract.ts'],
          exclude: [...exclude, 'tests/contract/{pooler,logs}.contract.ts'],
          globalSetup: [...globalSetup, 'tests/support/pooled.ts'],
          env: { VOLTLEAF_TEST_POOLED: 'on' },
          testTimeout: timeoutMs(120_000),
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
            // Third-party data are not part of the project; where they exist, the test checks every output of them.
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
          // Each test installs, builds and starts several times.
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
