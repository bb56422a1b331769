import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { LANGUAGES, type Language } from '#domain/language.ts'
import { PRELOAD_FILE, type Preloads } from '#domain/preload.ts'
import { FRAMES_FILE, SCRIPTS_FILE, type Frames, type Scripts } from '../web/early/files.ts'
import { earlyScriptOf, FIRST_VISITS, type FirstVisit } from '../web/app/first-visits.ts'

/** A chunk in Vite's manifest. */
interface Chunk {
  readonly file: string
  /** Chunks that it imports. */
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}
export type Manifest = Readonly<Record<string, Chunk>>

/** The entry of every page. */
export const ENTRY = 'index.html'

/** Reads the manifest that Vite wrote beside a build. */
export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest

/** The modules of a first visit in a language. */
export const modulesOf = ({ modules, areas }: FirstVisit, language: Language): string[] => [
  ...modules,
  ...areas.map((area) => `messages/${language}/${area}.ts`),
]

/**
 * The files of modules and of everything that they import statically: scripts and styles.
 * @throws if the build does not contain one of them
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

/** Writes, beside a build, what the server puts into the page of each screen. */
export const writePreloads = async (folder: string): Promise<void> => {
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, file), 'utf8'))
  const { screens, ...said } = (await read(FRAMES_FILE)) as Frames
  const preloads: Preloads = {
    scripts: (await read(SCRIPTS_FILE)) as Scripts,
    ...said,
    screens: listScreens(await readManifest(folder), screens),
  }
  await writeFile(join(folder, PRELOAD_FILE), JSON.stringify(preloads))
  await separate(folder)
}

/** The modules of each screen, the app itself first. */
const listScreens = (manifest: Manifest, frames: Frames['screens']): Preloads['screens'] =>
  Object.fromEntries(
    Object.entries<FirstVisit>(FIRST_VISITS).map(([path, visit]) => {
      const filesIn = (language: Language): string[] =>
        filesOf(manifest, [ENTRY, ...modulesOf(visit, language)])
      const isStyle = (file: string): boolean => file.endsWith('.css')
      const modules = LANGUAGES.map((language): [Language, string[]] => [
        language,
        filesIn(language).filter((file) => !isStyle(file)),
      ])
      const frame = frames[path]
      if (frame === undefined) throw new Error(`Nothing was drawn of ${path}: see web/early`)
      return [
        path,
        {
          ...frame,
          early: earlyScriptOf(visit),
          styles: filesIn('en').filter(isStyle),
          modules: Object.fromEntries(modules) as Record<Language, string[]>,
        },
      ]
    }),
  )

/** Removes the bundler's tags from the page: the server writes its own. */
const separate = async (folder: string): Promise<void> => {
  const path = join(folder, ENTRY)
  const html = await readFile(path, 'utf8')
  const named =
    /^\s*<(?:script type="module"|link rel="(?:modulepreload|stylesheet)")[^>]*>(?:<\/script>)?\n/gm
  await writeFile(path, html.replaceAll(named, ''))
}
