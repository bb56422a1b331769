import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { LANGUAGES, type Language } from '#domain/language.ts'
import { earlyScriptOf, FIRST_VISITS, type FirstVisit } from '../web/app/first-visits.ts'
import { ENTRY, filesOf, modulesOf, readManifest, type Manifest } from './manifest.ts'
import { PRELOAD_FILE, type Preloads } from '#domain/preload.ts'
import { root } from './process.ts'
import type { Outcome } from './runners.ts'

/** What the script of a first visit may weigh, as sent, and what it weighs. */
export interface Visit {
  readonly title: string
  readonly limitBytes: number
  readonly bytes: number
  /** The scripts that were counted beside those in the page, as they are named below the root of the build. */
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
  /** That of the screen. */
  readonly path: keyof typeof FIRST_VISITS
  /** The visit comes after this one, and pays only for what is new. */
  readonly after?: keyof typeof FIRST_VISITS
}

/** The budgets; a kilobyte has 1000 bytes. */
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

/** Prints what first visits weigh, and counts each that is over its budget as one failed. */
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
 * Weighs the scripts of first visits in the build in `folder`, from the manifest that the build
 * wrote: compressed as they are sent, in that of the languages that weighs most.
 * @throws when a budget names a module that the build does not know.
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
    // A page comes once; what is visited after it is no page of its own.
    const early = earlyScriptOf(FIRST_VISITS[path])
    const inline = `${early === null ? '' : inPage[early]}${inPage.begin}`
    const own = after === undefined ? brotliCompressSync(inline).length : 0
    return { title, limitBytes, files, bytes: sizes.reduce((sum, size) => sum + size, own) }
  })
  const visits = await Promise.all(inLanguages)
  return visits.reduce((heaviest, visit) => (visit.bytes > heaviest.bytes ? visit : heaviest))
}

/** A file too small to be worth compressing is sent as it is. */
const sentBytes = async (path: string): Promise<number> =>
  (await stat(`${path}.br`).catch(() => stat(path))).size
