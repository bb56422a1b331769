import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Plugin, Rolldown } from 'vite'

import type { Language } from '#domain/language.ts'
import type { Page } from './app/page.ts'
import { isListed, NOT_FOUND, ROUTES, type Route } from './app/routes.ts'

/** The part of the bundler's API that is used here. */
interface Modules {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null
}

const idsOf = (names: readonly string[]): string[] =>
  names.map((name) => join(import.meta.dirname, name))

/** The path of a screen's module, as its route imports it. */
const moduleOf = ({ fetch }: Page): string => /screens\/[\w/-]+\.tsx/.exec(String(fetch))?.[0] ?? ''

/** Screens, and the modules that start with them, that are requested at the same time. */
const FIRST = idsOf(['main.tsx', 'messages/format.ts'])
const TRAVELLERS = idsOf(['screens/map/travellers-map.tsx'])
/** The screens of open data, which few visitors read. The first visit of guests does not load them. */
const READERS = idsOf(['screens/open/open.tsx'])
const GUESTS = idsOf(
  [...ROUTES.filter(isListed), NOT_FOUND].map(({ screen }) => moduleOf(screen)),
).filter((id) => !TRAVELLERS.includes(id) && !READERS.includes(id))
/**
 * Modules that the map for travellers needs immediately, and other screens on request: a public site, whether it is
 * open, and how far away it is.
 */
const NEARBY = idsOf([
  'ui/use-open-state.ts',
  'messages/hours.ts',
  'format/metres.ts',
  '../domain/distance.ts',
  '../domain/public-read.ts',
  'screens/shared/use-public-site.ts',
])
const OWNERS = idsOf(['data/owner.ts', 'screens/dashboard/dashboard.tsx'])
/**
 * Modules that the forms of new sites and prices share, but those of stored ones do not need. On their own they would
 * be a small file.
 */
const NEW_RECORDS = idsOf(['screens/shared/use-new-id.ts'])
const SITES = idsOf(['screens/site/add.tsx', 'screens/site/edit.tsx'])
/**
 * Modules that screens loaded on request share. Each would be a small file, and its name would add to the first visit.
 */
const BULK = idsOf(['../domain/currency.ts', '../domain/import.ts', 'browser/save-file.ts'])
const BUSINESSES = idsOf(['screens/business/add.tsx', 'screens/business/edit.tsx'])

/**
 * Names the chunk of a module that screens share; the bundler decides on all others. The result is a few files instead
 * of twenty: small files compress badly, and over HTTP/1.1 they wait for one another.
 */
export const nameChunk = (): ((id: string, modules: Modules) => string | null) => {
  let chunks: ReadonlyMap<string, string> | undefined
  return (id, modules) => (chunks ??= sortModules(modules)).get(id) ?? null
}

const sortModules = (modules: Modules): ReadonlyMap<string, string> => {
  const reach = (entries: readonly string[]): Set<string> => {
    const seen = new Set<string>()
    const visit = (id: string): void => {
      if (seen.has(id)) return
      seen.add(id)
      modules.getModuleInfo(id)?.importedIds.forEach(visit)
    }
    entries.forEach(visit)
    return seen
  }
  const [first, guests, owners] = [reach(FIRST), reach(GUESTS), reach([...OWNERS, ...NEW_RECORDS])]
  const [sites, businesses] = [reach(SITES), reach(BUSINESSES)]
  const [travellers, nearby] = [reach(TRAVELLERS), reach(NEARBY)]
  const readers = reach(READERS)
  const nameOf = (id: string): string | undefined => {
    if (first.has(id)) return 'base'
    // Owners see sites as travellers do. Neither needs the rest of the other's modules.
    if (travellers.has(id)) {
      if (guests.has(id)) return 'base'
      if (owners.has(id)) return 'public'
      // Other screens load these modules on request.
      return nearby.has(id) ? 'nearby' : undefined
    }
    // Guests who read open data neither load nor cache the other modules of owners.
    if (readers.has(id)) return guests.has(id) ? 'base' : owners.has(id) ? 'public' : undefined
    // Modules that guests and owners share would be small files. Every visit needs them.
    if (owners.has(id)) return guests.has(id) ? 'base' : 'owners'
    if (sites.has(id)) return businesses.has(id) ? 'forms' : 'sites'
    return businesses.has(id) ? 'businesses' : undefined
  }

  const entries = new Set([
    ...FIRST.slice(0, 1),
    ...GUESTS,
    ...TRAVELLERS,
    ...OWNERS,
    ...SITES,
    ...BUSINESSES,
  ])
  const chunks = new Map<string, string>()
  for (const id of BULK) chunks.set(id, 'bulk')
  for (const id of new Set([...first, ...travellers, ...owners, ...sites, ...businesses])) {
    const name = entries.has(id) ? undefined : nameOf(id)
    if (name !== undefined) chunks.set(id, name)
  }
  return chunks
}

/** Modules that every screen needs after the sign-in. */
const SIGNED_IN = [...idsOf(['data/owner.ts']), fileURLToPath(import.meta.resolve('pocketbase'))]

/** The files that a first visit of a screen needs: the app itself, the screen, and its messages. */
export const filesOfScreen = (
  bundle: Rolldown.OutputBundle,
  { guarded, screen }: Route,
  language: Language,
): string[] =>
  filesOf(bundle, [
    ...(guarded ? SIGNED_IN : []),
    ...idsOf([
      moduleOf(screen),
      ...['core', ...screen.areas].map((area) => `messages/${language}/${area}.ts`),
    ]),
  ])

/**
 * The scripts and styles of the app's entry, of modules, and of all their static imports.
 * @throws if the build does not contain one of them
 */
const filesOf = (bundle: Rolldown.OutputBundle, ids: readonly string[]): string[] => {
  const files = new Set<string>()
  const visit = (name: string): void => {
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk' || files.has(name)) return
    files.add(name)
    chunk.viteMetadata?.importedCss.forEach((style) => files.add(style))
    chunk.imports.forEach(visit)
  }
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  chunks.filter(({ isEntry }) => isEntry).forEach(({ fileName }) => visit(fileName))
  for (const id of ids) {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === id)
    if (chunk === undefined) throw new Error(`The build has no ${id}: see routes.ts`)
    visit(chunk.fileName)
  }
  return [...files]
}

/**
 * Rejects a build with circular imports between chunks. One of them would be evaluated before its dependencies, and the
 * parts of screens in it would not load.
 */
export const withoutCircles = (): Plugin => ({
  name: 'without-circles',
  apply: 'build',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const circle = findCircle(new Map(chunks.map(({ fileName, imports }) => [fileName, imports])))
    if (circle !== undefined)
      this.error(`Chunks import one another: ${circle.join(' → ')}. See web/chunks.ts.`)
  },
})

/** Finds the first circular import, as the path from a file to itself; undefined if there is none. */
export const findCircle = (
  imports: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined => {
  const done = new Set<string>()
  const search = (file: string, path: readonly string[]): readonly string[] | undefined => {
    const seen = path.indexOf(file)
    if (seen !== -1) return [...path.slice(seen), file]
    if (done.has(file)) return undefined
    for (const next of imports.get(file) ?? []) {
      const circle = search(next, [...path, file])
      if (circle !== undefined) return circle
    }
    done.add(file)
    return undefined
  }
  for (const file of imports.keys()) {
    const circle = search(file, [])
    if (circle !== undefined) return circle
  }
  return undefined
}

const ICONS = fileURLToPath(import.meta.resolve('lucide-react/package.json')).replace(
  'package.json',
  'dist/esm/',
)

/**
 * Imports every icon from its own file. Through the package's index, the first screen would reach all of them and fetch
 * them.
 */
export const iconImports = (): Plugin => {
  let files: ReadonlyMap<string, string> | undefined
  const readList = (): ReadonlyMap<string, string> =>
    new Map(
      [
        ...readFileSync(join(ICONS, 'lucide-react.mjs'), 'utf8').matchAll(
          /^export \{ (.*) \} from '\.\/(icons\/.*)'/gm,
        ),
      ].flatMap(([, names = '', file = '']) =>
        names.split(', ').map((name) => [name.replace('default as ', ''), file] as const),
      ),
    )
  const fileOf = (name: string): string => {
    const file = (files ??= readList()).get(name)
    if (file === undefined) throw new Error(`lucide-react has no icon ${name}`)
    return join(ICONS, file)
  }
  return {
    name: 'icon-imports',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: 'lucide-react' },
      handler: (code) =>
        code.replaceAll(/import \{([^}]*)\} from 'lucide-react'/g, (_, list: string) =>
          list
            .split(',')
            .map((each) => each.trim())
            .filter((each) => each !== '' && !each.startsWith('type '))
            .map((each) => each.split(' as '))
            .map(
              ([name = '', alias = name]) =>
                `import ${alias} from ${JSON.stringify(fileOf(name))};`,
            )
            .join(' '),
        ),
    },
  }
}
