import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { LANGUAGES, type Language } from '#domain/language.ts'
import { PAGES_FILE, type BuiltPages } from '#domain/pages.ts'
import { SITE_PAGES, type SitePageFiles } from '#domain/site-pages.ts'
import { PATHS } from '../../web/paths.ts'
import { root } from '../process.ts'
import type { Outcome } from '../testing/runners.ts'

/** The size of the scripts of a first visit, as sent, and its budget. */
export interface Visit {
  readonly title: string
  readonly limitBytes: number
  readonly bytes: number
  /** The counted script files, in addition to inline scripts, relative to the root of the build. */
  readonly files: readonly string[]
}

interface Build {
  readonly folder: string
  readonly pages: BuiltPages
  readonly languages: readonly Language[]
}

interface Plan {
  readonly title: string
  readonly limitBytes: number
  /** The path of the screen. */
  readonly path: string
  /** The visit follows this one, and only counts new files. */
  readonly after?: string
}

/** The budgets; a kilobyte is 1000 bytes. */
const PLANS: readonly Plan[] = [
  { title: 'Home', limitBytes: 95_000, path: PATHS.home },
  { title: 'Login', limitBytes: 95_000, path: PATHS.login },
  { title: 'Map', limitBytes: 120_000, path: PATHS.map },
  { title: 'Dashboard', limitBytes: 150_000, path: PATHS.dashboard },
  {
    title: 'Add Site, after the Dashboard',
    limitBytes: 50_000,
    path: PATHS.addSite,
    after: PATHS.dashboard,
  },
  {
    title: 'Edit Site, after the Dashboard',
    limitBytes: 50_000,
    path: `${PATHS.editSite}/:id`,
    after: PATHS.dashboard,
  },
]

/** The embedded map of a business, without the map library. */
const FRAMED_MAP = { title: 'Map of a business, framed', limitBytes: 40_000 }

/** Prints the sizes of first visits; each one above its budget is a failure. */
export const checkSizes = async (): Promise<Outcome> => {
  console.log('\n== Scripts of a first visit')
  const visits = await weighVisits()
  const title = Math.max(...visits.map((visit) => visit.title.length))
  const complaints: string[] = []
  for (const { title: name, bytes, limitBytes } of visits) {
    const verdict = bytes > limitBytes ? 'too much' : 'within'
    const line = `${name.padEnd(title)}  ${kB(bytes)} kB, ${verdict} ${kB(limitBytes)} kB`
    console.log(line)
    if (bytes > limitBytes) complaints.push(line)
  }
  return { passed: 0, failed: complaints.length, complaints }
}

const kB = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(6)

/**
 * Adds up the scripts of first visits, using the pages of the build in `folder`: compressed as they are sent, in the
 * language with the largest scripts.
 * @throws if a budget names a screen that the build does not contain
 */
export const weighVisits = async (
  folder = join(root, 'web/dist'),
  languages: readonly Language[] = LANGUAGES,
): Promise<readonly Visit[]> => {
  const pages = JSON.parse(await readFile(join(folder, PAGES_FILE), 'utf8')) as BuiltPages
  const { mapScripts } = JSON.parse(
    await readFile(join(folder, SITE_PAGES.files), 'utf8'),
  ) as SitePageFiles
  const sizes = await Promise.all(mapScripts.map((file) => sentBytes(join(folder, file))))
  return [
    ...(await Promise.all(PLANS.map((plan) => weigh({ folder, pages, languages }, plan)))),
    {
      ...FRAMED_MAP,
      files: mapScripts,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
    },
  ]
}

const weigh = async (
  { folder, pages, languages }: Build,
  { title, limitBytes, path, after }: Plan,
): Promise<Visit> => {
  const scriptsOf = (visited: string, language: Language): readonly string[] => {
    const screen = pages.screens[visited]
    if (screen === undefined) throw new Error(`The build has no screen ${visited}`)
    return screen.modules[language]
  }
  const inLanguages = languages.map(async (language) => {
    const paidFor = new Set(after === undefined ? [] : scriptsOf(after, language))
    const files = scriptsOf(path, language).filter((file) => !paidFor.has(file))
    const sizes = await Promise.all(files.map((file) => sentBytes(join(folder, file))))
    // The page is loaded once; later screens load no page.
    const own = after === undefined ? brotliCompressSync(pages.script).length : 0
    return { title, limitBytes, files, bytes: sizes.reduce((sum, size) => sum + size, own) }
  })
  const visits = await Promise.all(inLanguages)
  return visits.reduce((heaviest, visit) => (visit.bytes > heaviest.bytes ? visit : heaviest))
}

/** A file that is too small to be compressed is sent as it is. */
const sentBytes = async (path: string): Promise<number> =>
  (await stat(`${path}.br`).catch(() => stat(path))).size
