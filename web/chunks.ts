import { join } from 'node:path'

/** What the bundler tells of a module. */
interface Modules {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null
}

const idsOf = (names: readonly string[]): string[] =>
  names.map((name) => join(import.meta.dirname, name))

const FIRST = idsOf(['main.tsx'])
const GUESTS = idsOf(['screens/home.tsx', 'screens/login.tsx', 'screens/not-found.tsx'])
const OWNERS = idsOf(['data/owner.ts', 'screens/dashboard/dashboard.tsx'])
const FORMS = idsOf([
  'screens/site/add.tsx',
  'screens/site/edit.tsx',
  'screens/business/add.tsx',
  'screens/business/edit.tsx',
])

/**
 * Names the chunk of a module that screens share; the bundler decides of all others. One file instead
 * of twenty of a few hundred bytes each: small ones are compressed badly, and asked for one by one.
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
  const first = reach(FIRST)
  const ofGuests = reach(GUESTS)
  const ofForms = reach(FORMS)
  const [store, dashboard] = [reach(OWNERS.slice(0, 1)), reach(OWNERS.slice(1))]
  const entries = new Set([...FIRST, ...GUESTS, ...OWNERS, ...FORMS])

  const chunks = new Map<string, string>()
  for (const id of new Set([...store, ...dashboard])) {
    if (first.has(id) || entries.has(id)) continue
    const isShared = Number(store.has(id)) + Number(dashboard.has(id)) + Number(ofForms.has(id)) > 1
    if (ofGuests.has(id)) chunks.set(id, 'shown')
    else if (isShared) chunks.set(id, 'shared')
  }
  return chunks
}
