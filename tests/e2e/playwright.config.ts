import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { BROWSER_FLAGS, findTestBrowser } from '../../scripts/testing/browser.ts'
import { root } from '../../scripts/process.ts'
import { DESKTOP_ONLY, SCREENS } from './screens.ts'

const executablePath = await findTestBrowser()
const cache = join(root, '.cache')

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '**/*.spec.ts',
  globalSetup: '../support/postgres.ts',
  outputDir: join(cache, 'e2e'),
  fullyParallel: true,
  // For two cores: tests wait for a third of their time.
  workers: 4,
  // Only upper bounds; a slow machine must not fail the tests.
  timeout: 180_000,
  // Below the timeouts of the product, whose fallbacks a test must not need.
  expect: { timeout: 28_000 },
  forbidOnly: true,
  // If everything hangs, the rest would take hours.
  maxFailures: 25,
  reporter: [['list'], ['json', { outputFile: join(cache, 'reports/e2e.json') }]],
  use: {
    actionTimeout: 28_000,
    browserName: 'chromium',
    // Requests of a service worker cannot be intercepted; "offline.spec.ts" allows workers.
    serviceWorkers: 'block',
    // No test depends on animations, which software rendering draws slowly.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      args: [...BROWSER_FLAGS],
      ...(executablePath !== undefined && { executablePath }),
    },
    // Tracing takes as long as the tests themselves, and it also takes screenshots of passing tests. Use "npm run
    // test:e2e -- --trace on" to investigate a failure.
    trace: 'off',
    screenshot: 'off',
  },
  projects: [
    {
      name: 'phone',
      testIgnore: DESKTOP_ONLY,
      // Tests tagged `@once` run on the desktop only; axe still checks both widths.
      grepInvert: /@once/,
      // They are few, and each worker needs its own stack and browser.
      workers: 1,
      use: { viewport: SCREENS.phone, hasTouch: true },
    },
    {
      name: 'desktop',
      // "origins.spec.ts" does the whole job on a desktop.
      testIgnore: /whole-job\.spec\.ts$/,
      use: { viewport: SCREENS.desktop },
    },
  ],
})
