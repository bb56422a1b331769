import { join } from 'node:path'

import en from '../../web/messages/en/owner.ts'
import { PATHS } from '../../web/paths.ts'
import { estimate, exactly } from '../measure/stats.ts'
import { find, type Figure } from '../measure/verdict.ts'
import type { PartRun, Report } from '../part.ts'
import { beginAnew, openChromium, type Chromium } from './chromium.ts'
import { findDoubt, keepNotes, TIMEOUT_MS, longestFrame } from './probe.ts'
import type { Stage } from './stage.ts'

/** CPU throttling that simulates a phone. */
const SLOWER = 4
/** A desktop viewport: on a phone the first card is below the fold, and is not rendered before it is near. */
const SCREEN = { width: 1440, height: 900 }
const SCROLL_PX = 12_000

/** The measurements of one visit to the dashboard with 10,000 sites. */
interface Visit {
  readonly cardAfterMs: number
  readonly nodes: number
  readonly frameMs: number
  readonly slowFrameMs: number
  readonly interactionMs: number
  readonly warmCardMs: number
  readonly doubt: string | undefined
}

/**
 * Measures the dashboard with 10,000 sites: first card, size, scrolling, typing, and a later visit.
 */
export const measureCrowd = async (stage: Stage, run: PartRun): Promise<Report> => {
  const visits: Visit[] = []
  const chromium = await openChromium(join(run.folder, 'crowd'))
  try {
    const session = await stage.sessionOf(stage.cast.crowded)
    while (visits.length < run.effort.visits) {
      await beginAnew(chromium, stage.url, session)
      visits.push(await visit(chromium, stage.url))
    }
  } finally {
    await chromium.close()
  }
  const doubt = run.doubt ?? visits.map((each) => each.doubt).find(Boolean)
  const of = (value: (each: Visit) => number) => estimate(visits.map(value))
  const figure = (rest: Omit<Figure, 'part' | 'doubt'>) =>
    find({ part: 'browser', doubt, ...rest, what: `10,000 sites: ${rest.what}` })
  return {
    findings: [
      find({
        part: 'browser',
        what: '10,000 sites: DOM nodes, before and after scrolling, at most',
        estimate: exactly(Math.max(...visits.map(({ nodes }) => nodes))),
        target: { atMost: 1500 },
        unit: '',
      }),
      figure({
        what: 'first card after the data',
        estimate: of(({ cardAfterMs }) => cardAfterMs / 1000),
        target: { atMost: 0.5 },
        unit: ' s',
      }),
      figure({
        what: 'longest frame while scrolling',
        estimate: of(({ frameMs }) => frameMs),
        target: { atMost: 32 },
        unit: ' ms',
      }),
      figure({
        what: `longest frame while scrolling, ${SLOWER}x slower`,
        estimate: of(({ slowFrameMs }) => slowFrameMs),
        target: { atMost: 32 },
        unit: ' ms',
      }),
      figure({
        what: 'slowest interaction of a search',
        estimate: of(({ interactionMs }) => interactionMs),
        unit: ' ms',
      }),
      figure({
        what: 'first card of a later visit, while the server does not answer',
        estimate: of(({ warmCardMs }) => warmCardMs / 1000),
        unit: ' s',
      }),
    ],
    details: [],
    notes: [
      `10,000 sites with 30,000 connectors on the real server, a screen of 1440x900, the processor slowed down ${SLOWER}x; one of the two scrolls and the later visit without that, and the visit with every answer of the server held back until the card is there.`,
    ],
  }
}

const visit = async (chromium: Chromium, url: string): Promise<Visit> => {
  const page = await chromium.context.newPage()
  try {
    await page.setViewportSize(SCREEN)
    const doubt = await findDoubt(page)
    const devtools = await chromium.context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await keepNotes(page)
    await page.goto(url + PATHS.dashboard)
    const cardAt = () =>
      page.waitForFunction(() => window.notes.cardAt, undefined, { timeout: TIMEOUT_MS })
    await cardAt()
    const cardAfterMs = await page.evaluate(() => {
      const answers = performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\/api\/collections\/(businesses|connectors)\/records/.test(name))
      const arrived = answers.map((each) => (each as PerformanceResourceTiming).responseEnd)
      return (window.notes.cardAt ?? 0) - Math.max(...arrived)
    })

    let nodes = 0
    const count = async () => {
      const now = await page.evaluate(() => document.querySelectorAll('*').length)
      nodes = Math.max(nodes, now)
    }
    await count()
    const scroll = async (): Promise<number> => {
      const longest = await longestFrame(page, () =>
        devtools.send('Input.synthesizeScrollGesture', {
          x: 720,
          y: 450,
          yDistance: -SCROLL_PX,
          speed: 2000,
          gestureSourceType: 'mouse',
        }),
      )
      const reached = await page.evaluate(() => scrollY)
      if (reached < SCROLL_PX / 2) throw new Error(`The page was scrolled to ${reached} px only.`)
      await count()
      await page.evaluate(() => window.scrollTo(0, 0))
      return longest
    }
    const slowFrameMs = await scroll()
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    const frameMs = await scroll()
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    const search = page.getByLabel(en.dashboard.searchLabel)
    await page.evaluate(() => (window.notes.interactions.length = 0))
    await search.pressSequentially('Tübingen', { delay: 150 })
    await page.waitForTimeout(500)
    const interactionMs = await page.evaluate(() => Math.max(16, ...window.notes.interactions))

    // A later visit, with cached data.
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await page.goto(url + PATHS.dashboard)
    await cardAt()
    await page.waitForFunction(hasKeptData, undefined, { timeout: TIMEOUT_MS })
    let answer = (): void => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route(/\/api\//, async (route) => {
      await held
      await route.continue().catch(() => undefined)
    })
    await page.goto(url + PATHS.dashboard, { waitUntil: 'commit' })
    await cardAt()
    const warmCardMs = await page.evaluate(() => window.notes.cardAt ?? 0)
    answer()
    return { cardAfterMs, nodes, frameMs, slowFrameMs, interactionMs, warmCardMs, doubt }
  } finally {
    await page.close()
  }
}

/** Runs in the page. @returns whether the cache has the data of a later visit */
const hasKeptData = (): Promise<boolean> =>
  new Promise((resolve) => {
    const opening = indexedDB.open('voltleaf', 1)
    opening.addEventListener('success', () => {
      const names = opening.result.objectStoreNames
      if (!names.contains('objects')) return resolve(false)
      const requested = opening.result.transaction('objects').objectStore('objects').getAllKeys()
      requested.addEventListener('success', () => {
        opening.result.close()
        resolve(requested.result.some((key) => typeof key === 'string' && key.startsWith('data:')))
      })
    })
  })
