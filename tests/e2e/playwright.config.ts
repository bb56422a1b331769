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
  workers: 2,
  // Only how long to wait before giving up: a busy machine is no defect.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: join(cache, 'reports/e2e.json') }]],
  use: {
    actionTimeout: 20_000,
    browserName: 'chromium',
    // A page that a worker serves cannot be kept from the network; "offline.spec.ts" allows them.
    serviceWorkers: 'block',
    // Nothing that is tested is a movement, and software draws every frame of one.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      args: [...BROWSER_FLAGS],
      ...(executablePath !== undefined && { executablePath }),
    },
    // Recording costs as much as the tests, and a picture is taken of those that pass as well:
    // "npm run test:e2e -- --trace on" shows what went wrong.
    trace: 'off',
    screenshot: 'off',
  },
  projects: [
    {
      name: 'phone',
      testIgnore: DESKTOP_ONLY,
      // Nor does what is tagged; axe looks at it in both widths all the same.
      grepInvert: /@once/,
      use: { viewport: SCREENS.phone, hasTouch: true },
    },
    { name: 'desktop', use: { viewport: SCREENS.desktop } },
  ],
})
