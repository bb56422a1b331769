import { join } from 'node:path'

import { chromium, type BrowserContext, type Page } from '@playwright/test'

import { BROWSER_FLAGS, findBrowser } from '../../scripts/testing/browser.ts'
import { StartupError } from '../../server/problem.ts'
import { SESSION_KEY } from '../../web/data/session.ts'

export type { Page }

/** A Chromium with a new profile. */
export interface Chromium {
  readonly context: BrowserContext
  close(): Promise<void>
}

/** The viewport of a phone. */
const PHONE = { width: 390, height: 844 }

/**
 * The executable of a local Chromium; nothing is downloaded.
 * @throws {StartupError} if there is none
 */
export const findChromium = async (): Promise<string> => {
  const program = await findBrowser()
  if (program === undefined)
    throw new StartupError(
      'The bench needs a Chromium: install one ("sudo apt-get install chromium"), or set VOLTLEAF_CHROMIUM to its program.',
    )
  return program
}

/**
 * Starts a Chromium.
 * @param folder holds the profile; an empty one is a new user
 * @throws {StartupError} if there is none
 */
export const openChromium = async (folder: string): Promise<Chromium> => {
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: await findChromium(),
    args: [...BROWSER_FLAGS],
    viewport: PHONE,
    locale: 'en-GB',
  })
  return { context, close: () => context.close() }
}

/**
 * Connects to a running Chromium; closing it only disconnects.
 * @param debuggingPort of the browser
 */
export const joinChromium = async (debuggingPort: number): Promise<Chromium> => {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${debuggingPort}`)
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('The Chromium has no profile.')
  return { context, close: () => browser.close() }
}

/**
 * Clears the profile and stores a session in it.
 * @param session in the format of the app; undefined for a guest
 */
export const beginAnew = async (
  { context }: Chromium,
  url: string,
  session: string | undefined,
): Promise<void> => {
  const page = await context.newPage()
  // Any document of the origin without scripts.
  await page.goto(`${url}/assets/favicon.svg`)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin: url, storageTypes: 'all' })
  await devtools.send('Network.clearBrowserCache')
  await page.evaluate(
    ([key, value]) => {
      localStorage.clear()
      if (value !== undefined) localStorage.setItem(key, value)
    },
    [SESSION_KEY, session] as const,
  )
  await page.close()
}
