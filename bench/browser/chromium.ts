import { join } from 'node:path'

import { chromium, type BrowserContext, type CDPSession, type Page } from '@playwright/test'

import { BROWSER_FLAGS, findBrowser } from '../../scripts/browser.ts'
import { StartProblem } from '../../server/problem.ts'
import { SESSION_KEY } from '../../web/data/session.ts'
import { freePort } from '../sides/ports.ts'

export type { BrowserContext, CDPSession, Page }

/** A Chromium with a profile of its own, as somebody has it who was never here. */
export interface Chromium {
  readonly context: BrowserContext
  /** Where it lets itself be driven by others, such as Lighthouse. */
  readonly debuggingPort: number
  close(): Promise<void>
}

/** The screen of a telephone. */
const PHONE = { width: 390, height: 844 }

/**
 * Starts the Chromium of this computer; nothing is ever downloaded.
 * @param folder holds the profile; empty for somebody new
 * @throws {StartProblem} when there is none
 */
export const openChromium = async (folder: string): Promise<Chromium> => {
  const executablePath = await findBrowser()
  if (executablePath === undefined)
    throw new StartProblem(
      'The bench needs a Chromium: install one ("sudo apt-get install chromium"), or set VOLTLEAF_CHROMIUM to its program.',
    )
  const debuggingPort = await freePort()
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath,
    args: [...BROWSER_FLAGS, `--remote-debugging-port=${debuggingPort}`],
    viewport: PHONE,
    locale: 'en-GB',
  })
  return { context, debuggingPort, close: () => context.close() }
}

/**
 * Makes the profile that of somebody who comes for the first time, but for a session.
 * @param session as the app keeps it; undefined for a guest
 */
export const beginAnew = async (
  { context }: Chromium,
  url: string,
  session: string | undefined,
): Promise<void> => {
  const page = await context.newPage()
  // Anything of that origin that runs no script.
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
