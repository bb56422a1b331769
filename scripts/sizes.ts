import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { LANGUAGES, type Language } from '#domain/language.ts'
import { earlyScriptOf, FIRST_VISITS, type FirstVisit } from '../web/app/first-visits.ts'
import { ENTRY, filesOf, modulesOf, readManifest, type Manifest } from './manifest.ts'
import { PRELOAD_FILE, type Preloads } from '#domain/preload.ts'
import { root } from './process.ts'
import type { Outcome } from './runners.ts'

/** The size of the scripts of a first visit, as sent, and its budget. */
export interface Visit {
  readonly title: string
  readonly limitBytes: number
  readonly bytes: number
  /** The script files that were counted besides inline ones, relative to the root of the build. */
  readonly files: readonly string[]
}

interface Build {
  readonly folder: string
  readonly inPage: Preloads['scripts']
  readonly manifest: Manifest
  readonly languages: readonly Language[]
}

interface Plan {
  readonly title: string
  readonly limitBytes: number
  /** The path of the screen. */
  readonly path: keyof typeof FIRST_VISITS
  /** The visit follows this one, and counts only what is new. */
  readonly after?: keyof typeof FIRST_VISITS
}

/** The budgets; a kilobyte is 1000 bytes. */
const PLANS: readonly Plan[] = [
  { title: 'Home', limitBytes: 95_000, path: '/' },
  { title: 'Login', limitBytes: 95_000, path: '/login' },
  { title: 'Dashboard', limitBytes: 150_000, path: '/dashboard' },
  {
    title: 'Add Site, after the Dashboard',
    limitBytes: 50_000,
    path: '/site/add',
    after: '/dashboard',
  },
  {
    title: 'Edit Site, after the Dashboard',
    limitBytes: 50_000,
    path: '/site/edit/:id',
    after: '/dashboard',
  },
]

/** Prints the sizes of first visits; each that exceeds its budget is one failure. */
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
 * Adds up the scripts of first visits from the manifest of the build in `folder`: compressed as
 * they are sent, in the language where they are largest.
 * @throws if a budget names a module that the build does not contain
 */
export const weighVisits = async (
  folder = join(root, 'web/dist'),
  languages: readonly Language[] = LANGUAGES,
): Promise<readonly Visit[]> => {
  const manifest = await readManifest(folder)
  const { scripts: inPage } = JSON.parse(
    await readFile(join(folder, PRELOAD_FILE), 'utf8'),
  ) as Preloads
  return Promise.all(PLANS.map((plan) => weigh({ folder, manifest, inPage, languages }, plan)))
}

const weigh = async (
  { folder, manifest, inPage, languages }: Build,
  { title, limitBytes, path, after }: Plan,
): Promise<Visit> => {
  const scriptsOf = (visited: Plan['path'], language: Language): string[] => {
    const visit: FirstVisit = FIRST_VISITS[visited]
    return filesOf(manifest, [ENTRY, ...modulesOf(visit, language)]).filter((file) =>
      file.endsWith('.js'),
    )
  }
  const inLanguages = languages.map(async (language) => {
    const paidFor = new Set(after === undefined ? [] : scriptsOf(after, language))
    const files = scriptsOf(path, language).filter((file) => !paidFor.has(file))
    const sizes = await Promise.all(files.map((file) => sentBytes(join(folder, file))))
    // The page is loaded once; later screens load no page of their own.
    const early = earlyScriptOf(FIRST_VISITS[path])
    const inline = `${early === null ? '' : inPage[early]}${inPage.begin}`
    const own = after === undefined ? brotliCompressSync(inline).length : 0
    return { title, limitBytes, files, bytes: sizes.reduce((sum, size) => sum + size, own) }
  })
  const visits = await Promise.all(inLanguages)
  return visits.reduce((heaviest, visit) => (visit.bytes > heaviest.bytes ? visit : heaviest))
}

/** A file that is too small to be compressed is sent as it is. */
const sentBytes = async (path: string): Promise<number> =>
  (await stat(`${path}.br`).catch(() => stat(path))).size
