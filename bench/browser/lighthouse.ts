import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { BROWSER_FLAGS } from '../../scripts/testing/browser.ts'
import { root } from '../../scripts/process.ts'
import { beginAnew, findChromium, joinChromium } from './chromium.ts'

/** Lighthouse's figures for one visit. */
export interface Visit {
  /** 0 to 100. */
  readonly performance: number
  readonly accessibility: number
  readonly bestPractices: number
  readonly seo: number
  /** Cumulative layout shift. */
  readonly shift: number
  /** Simulated, for a slow phone on a slow network. */
  readonly firstPaintMs: number
  readonly largestPaintMs: number
  readonly blockedMs: number
  readonly speedIndexMs: number
  /** Lighthouse's own benchmark of this computer; simulated figures depend on it. */
  readonly benchmark: number
  /** Scored audits below 1, with Lighthouse's explanation. */
  readonly complaints: readonly string[]
}

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** The part of Lighthouse's result that is used. */
interface Answer {
  readonly lhr: {
    readonly runtimeError?: { readonly code: string; readonly message: string }
    readonly environment: { readonly benchmarkIndex: number }
    readonly categories: Readonly<
      Record<
        (typeof CATEGORIES)[number],
        { readonly score: number | null; readonly auditRefs: readonly AuditRef[] }
      >
    >
    readonly audits: Readonly<Record<string, Audit>>
  }
}
interface AuditRef {
  readonly id: string
  readonly weight: number
}
interface Audit {
  readonly title: string
  readonly score: number | null
  readonly numericValue?: number
  readonly displayValue?: string
}
type Lighthouse = (url: string, flags: object) => Promise<Answer | undefined>

/** The part of chrome-launcher that is used. */
interface Launcher {
  readonly launch: (options: object) => Promise<{ readonly port: number; kill(): void }>
}

/** A Chromium for Lighthouse. */
export interface Visitor {
  /**
   * Runs Lighthouse with its defaults: a phone, empty cache, no service worker, simulated CPU and network.
   * @param session of the visitor, in the format of the app; undefined for a guest
   * @throws with Lighthouse's message if it failed, or if its trace was incomplete twice
   */
  visit(path: string, session: string | undefined): Promise<Visit>
  close(): void
}

/** Chromium's trace occasionally lacks the beginning of the visit; Lighthouse then asks to be run again. */
const NO_START = 'NO_NAVSTART'

const packages = join(root, 'bench/node_modules')

/**
 * Starts a Chromium like Lighthouse's own command. Nothing else may be attached to its pages: a second debugger takes
 * CPU time, more with each visit, and the simulation multiplies it by four.
 * @param url of the server
 * @param folder holds the profile
 */
export const openVisitor = async (url: string, folder: string): Promise<Visitor> => {
  const load = async (entry: string): Promise<unknown> => {
    const file = join(packages, entry)
    if (!existsSync(file)) throw new Error('Lighthouse is not installed: run "npm run bench".')
    return import(pathToFileURL(file).href)
  }
  const { default: lighthouse } = (await load('lighthouse/core/index.js')) as {
    default: Lighthouse
  }
  const { launch } = (await load('chrome-launcher/dist/index.js')) as Launcher
  const userDataDir = join(folder, 'profile')
  await mkdir(userDataDir, { recursive: true })
  const browser = await launch({
    chromePath: await findChromium(),
    chromeFlags: BROWSER_FLAGS,
    userDataDir,
    logLevel: 'error',
  })
  return {
    visit: async (path, session) => {
      const attempt = async (): Promise<Answer> => {
        const chromium = await joinChromium(browser.port)
        await beginAnew(chromium, url, session)
        await chromium.close()
        const answer = await lighthouse(url + path, {
          port: browser.port,
          output: 'json',
          logLevel: 'error',
          onlyCategories: CATEGORIES,
        })
        if (answer === undefined) throw new Error(`Lighthouse says nothing of ${path}.`)
        return answer
      }
      const first = await attempt()
      return readAnswer(first.lhr.runtimeError?.code === NO_START ? await attempt() : first)
    },
    close: () => browser.kill(),
  }
}

/** Reads the figures from Lighthouse's result. @throws with its message if it failed */
const readAnswer = ({ lhr }: Answer): Visit => {
  if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message)
  const number = (id: string): number => {
    const value = lhr.audits[id]?.numericValue
    if (value === undefined) throw new Error(`Lighthouse did not measure ${id}.`)
    return value
  }
  const score = (name: (typeof CATEGORIES)[number]): number => {
    const { score: value } = lhr.categories[name]
    if (value === null) throw new Error(`Lighthouse did not judge ${name}.`)
    return Math.round(value * 100)
  }
  const counted = [
    ...lhr.categories.performance.auditRefs,
    ...lhr.categories.accessibility.auditRefs,
  ].filter(({ weight }) => weight > 0)
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    shift: number('cumulative-layout-shift'),
    firstPaintMs: number('first-contentful-paint'),
    largestPaintMs: number('largest-contentful-paint'),
    blockedMs: number('total-blocking-time'),
    speedIndexMs: number('speed-index'),
    benchmark: lhr.environment.benchmarkIndex,
    complaints: counted.flatMap(({ id }) => {
      const audit = lhr.audits[id]
      if (audit?.score === undefined || audit.score === null || audit.score === 1) return []
      return [`${audit.title}: ${audit.displayValue ?? 'no'}`]
    }),
  }
}
