import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { root } from '../../scripts/process.ts'

/** What Lighthouse says of one visit. */
export interface Visit {
  /** 0 to 100. */
  readonly performance: number
  readonly accessibility: number
  /** Cumulative layout shift. */
  readonly shift: number
  /** Simulated, for a slow telephone on a slow network. */
  readonly firstPaintMs: number
  readonly largestPaintMs: number
  readonly blockedMs: number
  readonly speedIndexMs: number
  /** As Lighthouse compares this computer with others; what is simulated depends on it. */
  readonly benchmark: number
  /** Audits of what counts that are less than perfect, with what Lighthouse says. */
  readonly complaints: readonly string[]
}

/** The part of the answer of Lighthouse that is used. */
interface Answer {
  readonly lhr: {
    readonly runtimeError?: { readonly message: string }
    readonly environment: { readonly benchmarkIndex: number }
    readonly categories: Readonly<
      Record<
        'performance' | 'accessibility',
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

const folder = join(root, 'bench/node_modules/lighthouse')

/**
 * Lets Lighthouse visit an address as it does by itself: a telephone, its cache and service worker
 * empty, what its simulation makes of a slow processor and network. Storage stays, with the session.
 * @throws with what Lighthouse says when it could not
 */
export const visit = async (url: string, debuggingPort: number): Promise<Visit> => {
  if (!existsSync(folder)) throw new Error('Lighthouse is not installed: run "npm run bench".')
  const entry = pathToFileURL(join(folder, 'core/index.js')).href
  const { default: lighthouse } = (await import(entry)) as { default: Lighthouse }
  const answer = await lighthouse(url, {
    port: debuggingPort,
    output: 'json',
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility'],
  })
  if (answer === undefined) throw new Error(`Lighthouse says nothing of ${url}.`)
  return readAnswer(answer)
}

/** What counts of an answer of Lighthouse. @throws with what it says when it could not measure */
export const readAnswer = ({ lhr }: Answer): Visit => {
  if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message)
  const number = (id: string): number => {
    const value = lhr.audits[id]?.numericValue
    if (value === undefined) throw new Error(`Lighthouse did not measure ${id}.`)
    return value
  }
  const score = (name: 'performance' | 'accessibility'): number => {
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
