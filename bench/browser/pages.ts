import { join } from 'node:path'

import { PATHS, editSitePath } from '../../web/paths.ts'
import { estimate } from '../measure/stats.ts'
import { find, format, type Finding, type Target } from '../measure/verdict.ts'
import type { PartRun, Report } from '../part.ts'
import type { Owner } from '../sides/data.ts'
import { openVisitor, type Visit } from './lighthouse.ts'
import { firstSiteOf, type Cast, type Stage } from './stage.ts'

/** A screen that Lighthouse visits. Without a user it visits as a guest. */
interface Screen {
  readonly name: string
  readonly path: (stage: Stage) => string
  readonly who?: keyof Cast
  readonly figures?: readonly Figure[]
}

interface Figure {
  readonly name: string
  readonly unit: string
  readonly target: Target
  readonly of: (visit: Visit) => number
}

/** Lighthouse's figures that have a target (spec 11). */
const FIGURES: readonly Figure[] = [
  { name: 'performance', unit: '', target: { atLeast: 98 }, of: (seen) => seen.performance },
  { name: 'accessibility', unit: '', target: { atLeast: 100 }, of: (seen) => seen.accessibility },
  { name: 'layout shift', unit: '', target: { atMost: 0 }, of: (seen) => seen.shift },
  {
    name: 'largest paint',
    unit: ' s',
    target: { atMost: 1.8 },
    of: (seen) => seen.largestPaintMs / 1000,
  },
]

/** The page for travellers needs no script. */
const SITE_PAGE_FIGURES: readonly Figure[] = [
  ...FIGURES,
  { name: 'best practices', unit: '', target: { atLeast: 98 }, of: (seen) => seen.bestPractices },
  { name: 'search', unit: '', target: { atLeast: 98 }, of: (seen) => seen.seo },
  {
    name: 'first paint',
    unit: ' s',
    target: { atMost: 0.8 },
    of: (seen) => seen.firstPaintMs / 1000,
  },
]

/** A well-formed link token that no server has issued. */
const LINK = `e30.${btoa(JSON.stringify({ email: 'anna@example.org', exp: 4_000_000_000 }))}.none`

const SCREENS: readonly Screen[] = [
  { name: 'Home', path: () => PATHS.home },
  { name: 'Login', path: () => PATHS.login },
  { name: 'Dashboard', path: () => PATHS.dashboard, who: 'usual' },
  { name: 'Add Site', path: () => PATHS.addSite, who: 'usual' },
  { name: 'Edit Site, which', path: () => PATHS.editSite, who: 'usual' },
  { name: 'Edit Site', path: ({ cast }) => editSitePath(firstSiteOf(cast.usual)), who: 'usual' },
  { name: 'Add Business', path: () => PATHS.addBusiness, who: 'newcomer' },
  { name: 'Edit Business', path: () => PATHS.editBusiness, who: 'usual' },
  { name: 'New password', path: () => `${PATHS.newPassword}/${LINK}` },
  { name: 'Confirm address', path: () => `${PATHS.confirmAddress}/${LINK}` },
  { name: 'Page of a site', path: ({ sitePath }) => sitePath, figures: SITE_PAGE_FIGURES },
]

/** Below this benchmark of Lighthouse the simulated figures are meaningless. */
const USUAL_BENCHMARK = 1000

/** Runs Lighthouse on every screen several times, each as a first visit. */
export const measurePages = async (stage: Stage, run: PartRun): Promise<Report> => {
  const { visits } = run.effort
  const visitor = await openVisitor(stage.url, join(run.folder, 'lighthouse'))
  const findings: Finding[] = []
  const details: Record<string, string>[] = []
  try {
    for (const { name, path, who, figures } of SCREENS) {
      const owner: Owner | undefined = who && stage.cast[who]
      const session = owner && (await stage.sessionOf(owner))
      const seen: Visit[] = []
      while (seen.length < visits) seen.push(await visitor.visit(path(stage), session))
      const found = judgeVisits(name, seen, run.doubt, figures)
      run.say(`${name}: ${found.map(({ measured }) => measured).join(', ')}`)
      findings.push(...found)
      details.push(describe(name, seen))
    }
  } finally {
    visitor.close()
  }
  return {
    findings,
    details,
    notes: [
      `Lighthouse, as it comes (a telephone; a slow processor and network are simulated), ${visits} first visits of each screen, with 50 sites and 150 connectors; the service worker and all caches empty.`,
      'In brackets: what the median lies between with 95 % confidence. What Lighthouse simulates starts from what it saw, so that whatever else the computer does makes it slower: the table behind names how fast Lighthouse found it.',
    ],
  }
}

/** Compares the visits of one screen with the targets. */
export const judgeVisits = (
  name: string,
  seen: readonly Visit[],
  doubt: string | undefined,
  figures = FIGURES,
): readonly Finding[] =>
  figures.map(({ name: what, unit, target, of }) => {
    const values = seen.map(of)
    const isSame = new Set(values).size === 1
    return find({
      part: 'browser',
      what: `${name}: ${what}`,
      // Deterministic figures also count on a slow computer.
      estimate: isSame
        ? { value: values[0] ?? 0, low: values[0] ?? 0, high: values[0] ?? 0 }
        : estimate(values),
      target,
      unit,
      doubt: doubt ?? (isSame ? undefined : doubtOf(seen)),
    })
  })

/** The reason why simulated figures on this computer are meaningless; undefined if they are not. */
const doubtOf = (seen: readonly Visit[]): string | undefined => {
  const slowest = Math.min(...seen.map(({ benchmark }) => benchmark))
  return slowest < USUAL_BENCHMARK
    ? `Lighthouse found the computer too slow or too busy (${format(slowest)}, at least ${USUAL_BENCHMARK})`
    : undefined
}

const describe = (name: string, seen: readonly Visit[]): Record<string, string> => {
  const middle = (of: (visit: Visit) => number) => estimate(seen.map(of)).value
  const complaints = new Set(
    seen.flatMap((each) => each.complaints.map((said) => said.replace(/:.*/, ''))),
  )
  return {
    screen: name,
    'first paint': `${format(middle((each) => each.firstPaintMs))} ms`,
    'speed index': `${format(middle((each) => each.speedIndexMs))} ms`,
    blocked: `${format(middle((each) => each.blockedMs))} ms`,
    computer: format(middle((each) => each.benchmark)),
    'less than perfect': [...complaints].join(', '),
  }
}
