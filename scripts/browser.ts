import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, delimiter } from 'node:path'
import { StartupError } from '../server/problem.ts'
import { root } from './process.ts'

/** How every Chromium of the tests runs; the first flags make it work as root and in containers. */
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
  // The last list counts, so what Playwright switches off is in it, too.
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
    // Pages behind the address bar, which nobody sees: a fifth of what a test costs.
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxFullPopup',
    'WebUIOmniboxPopup',
  ].join(',')}`,
] as const

const NAMES = ['chromium', 'google-chrome-stable', 'google-chrome', 'chromium-browser', 'chrome']
const MAC_PROGRAMS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * The program of a Chromium or Chrome that works here: what `VOLTLEAF_CHROMIUM` names, else one
 * of the system, else the one that Playwright downloaded before.
 */
export const findBrowser = async (): Promise<string | undefined> => {
  const chosen = process.env['VOLTLEAF_CHROMIUM']
  if (chosen) return chosen
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const { chromium } = await import('@playwright/test')
  const candidates = [
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...(process.platform === 'darwin' ? MAC_PROGRAMS : []),
    chromium.executablePath(),
  ]
  // On some systems the name is there and only says how to install the browser.
  return candidates.find((program) => existsSync(program) && works(program))
}

/**
 * Finds a browser, or installs one: from Debian's packages where that is possible, else by
 * Playwright's download.
 * @throws {StartupError} when there is none and none can be had.
 */
export const ensureBrowser = async (): Promise<string> => {
  const found = await findBrowser()
  if (found !== undefined) return found
  console.log('Installing a browser for the tests; this happens once.')
  const isRoot = process.geteuid?.() === 0
  if (isRoot && isDebian()) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args: string[]): boolean =>
      spawnSync('apt-get', ['-q', ...args], { stdio: 'inherit', env }).status === 0
    const isInstalled =
      apt('update') &&
      apt('install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation')
    const installed = isInstalled ? await findBrowser() : undefined
    if (installed !== undefined) return installed
  }
  // As root it brings the libraries that the browser needs along, by apt-get where there is one.
  const withLibraries = isRoot && existsSync('/usr/bin/apt-get') ? ['--with-deps'] : []
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

/** Ubuntu's package of that name is a snap, which does not run everywhere. */
const isDebian = (): boolean => {
  const file = '/etc/os-release'
  return existsSync(file) && /^ID=debian$/m.test(readFileSync(file, 'utf8'))
}

const works = (program: string): boolean =>
  spawnSync(program, ['--version', '--no-sandbox'], { timeout: 20_000 }).status === 0
