import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { LANGUAGES, type Language } from '#domain/language.ts'
import { PRELOAD_FILE, type Preloads } from '#domain/preload.ts'
import { FRAMES_FILE } from '../web/early/files.ts'
import { beginsWithData, FIRST_VISITS, type FirstVisit } from '../web/app/first-visits.ts'

/** A part of the build, as Vite lists it in its manifest. */
interface Chunk {
  readonly file: string
  /** Other parts that come with it. */
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}
/** What is seen of a screen before the app has come, by what its bar begins with. */
type Frames = Readonly<Record<FirstVisit['start'], string>>
export type Manifest = Readonly<Record<string, Chunk>>

/** What every page begins with. */
export const ENTRY = 'index.html'

/** The list of the parts of a build, which Vite wrote beside it. */
export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest

/** The modules that a first visit asks for in a language. */
export const modulesOf = ({ modules, areas }: FirstVisit, language: Language): string[] => [
  ...modules,
  ...areas.map((area) => `messages/${language}/${area}.ts`),
]

/**
 * The files that modules consist of, with all that they import statically: scripts and styles.
 * @throws when the build does not know one of them.
 */
export const filesOf = (manifest: Manifest, modules: readonly string[]): string[] => {
  const seen = new Set<string>()
  const files = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`The build has no ${name}: see first-visits.ts`)
    files.add(chunk.file)
    chunk.css?.forEach((file) => files.add(file))
    chunk.imports?.forEach(visit)
  }
  modules.forEach(visit)
  return [...files]
}

/** Writes beside a build what the first visit of each screen needs, which the server names in the page. */
export const writePreloads = async (folder: string): Promise<void> => {
  const frames = JSON.parse(await readFile(join(folder, FRAMES_FILE), 'utf8')) as Frames
  const preloads = listPreloads(await readManifest(folder), frames, await findEarly(folder))
  await writeFile(join(folder, PRELOAD_FILE), JSON.stringify(preloads))
}

/** The script of a build that asks for the data of an owner before the app has come. */
export const findEarly = async (folder: string): Promise<string> => {
  const found = glob('assets/early-*.js', { cwd: folder })
  const { value: name } = await found.next()
  if (name === undefined) throw new Error('The build has no assets/early-*.js: see web/early')
  return name
}

/** What is needed beyond that with which every page begins. */
export const listPreloads = (manifest: Manifest, frames: Frames, early: string): Preloads => {
  const known = new Set(filesOf(manifest, [ENTRY]))
  return Object.fromEntries(
    Object.entries<FirstVisit>(FIRST_VISITS).map(([path, visit]) => {
      const languages = LANGUAGES.map((language): [Language, string[]] => [
        language,
        filesOf(manifest, modulesOf(visit, language)).filter((file) => !known.has(file)),
      ])
      const files = Object.fromEntries(languages) as Record<Language, string[]>
      const frame = frames[visit.start]
      return [path, { frame, files, ...(beginsWithData(visit) && { early }) }]
    }),
  )
}
