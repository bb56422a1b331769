import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../server/problem.ts'
import { root } from '../process.ts'
import { findProgram, installPackages } from './programs.ts'

/** Flags of every Chromium in the tests; the first ones make it work as root and in containers. */
export const BROWSER_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Chromium uses only the last such list, so it repeats what Playwright disables.
  `--disable-features=${[
    'AimEnabled',
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsFirstBalancedModeAutoEnable',
    'HttpsUpgrades',
    'LensOverlay',
    'MediaRouter',
    'NetworkTimeServiceQuerying',
    'OptimizationHints',
    'PaintHolding',
    'PreconnectToSearch',
    'ThirdPartyStoragePartitioning',
    // Preloaded pages behind the address bar cost a fifth of a test.
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxFullPopup',
    'WebUIOmniboxPopup',
  ].join(',')}`,
] as const

/** Full browsers. */
const BROWSERS = ['chromium', 'google-chrome-stable', 'google-chrome', 'chromium-browser', 'chrome']
/** The same engine without windows, at two thirds of the CPU time. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const MAC_PROGRAMS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Finds the executable of a full Chromium or Chrome: the one that `VOLTLEAF_CHROMIUM` names, one of the system, or one
 * that Playwright downloaded earlier.
 */
export const findBrowser = async (): Promise<string | undefined> => {
  const chosen = process.env['VOLTLEAF_CHROMIUM']
  if (chosen) return chosen
  const { chromium } = await import('@playwright/test')
  const candidates = [
    ...BROWSERS.map((name) => findProgram(name)),
    ...(process.platform === 'darwin' ? MAC_PROGRAMS : []),
    chromium.executablePath(),
  ]
  // On some systems this is a script that only explains how to install the browser.
  return candidates.find((program) => program && existsSync(program) && works(program))
}

/** The browser of the tests: the headless shell if there is one (decision 0073), otherwise a full browser. */
export const findTestBrowser = async (): Promise<string | undefined> =>
  process.env['VOLTLEAF_CHROMIUM'] || findProgram(HEADLESS_SHELL) || findBrowser()

/**
 * Finds the browser of the tests, or installs one: Debian's headless shell where possible,
 * otherwise Playwright's download if there is no full browser either.
 * @throws {StartupError} if there is none and none can be installed
 */
export const ensureBrowser = async (): Promise<string> => {
  const hasShell = process.env['VOLTLEAF_CHROMIUM'] || findProgram(HEADLESS_SHELL)
  if (!hasShell && isDebian()) installPackages(HEADLESS_SHELL, 'fonts-liberation')
  const found = await findTestBrowser()
  if (found !== undefined) return found
  console.log('Downloading a browser for the tests; this happens once.')
  // As root, also installs the libraries that the browser needs, with apt-get if available.
  const withLibraries =
    process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get') ? ['--with-deps'] : []
  const playwright = join(root, 'node_modules/@playwright/test/cli.js')
  spawnSync(process.execPath, [playwright, 'install', ...withLibraries, 'chromium'], {
    stdio: 'inherit',
  })
  const downloaded = await findBrowser()
  if (downloaded !== undefined) return downloaded
  throw new StartupError(
    'The tests need a browser, and none could be installed: install Chromium or Chrome ("sudo apt-get install chromium"), or set VOLTLEAF_CHROMIUM to the program of one.',
  )
}

/** Ubuntu's package with this name is a snap, which does not run everywhere. */
const isDebian = (): boolean => {
  const file = '/etc/os-release'
  return existsSync(file) && /^ID=debian$/m.test(readFileSync(file, 'utf8'))
}

const works = (program: string): boolean =>
  spawnSync(program, ['--version', '--no-sandbox'], { timeout: 20_000 }).status === 0
