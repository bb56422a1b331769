import type { Language } from './language.ts'

/** Where the build says, for the server, what screens need at once; below the folder of the build. */
export const PRELOAD_FILE = '.vite/preload.json'

/** What a screen needs at once: files below the base path, and what is seen until they are there. */
export interface Preload {
  /** HTML, in the place of the app. */
  readonly frame: string
  /** The script that asks for the data of an owner, where the screen begins with it. */
  readonly early?: string
  /** Modules and styles, by the language of the visitor. */
  readonly files: Readonly<Record<Language, readonly string[]>>
}

/** By the path of a screen; `:id` stands for anything, `:token?` also for nothing. */
export type Preloads = Readonly<Record<string, Preload>>
