import type { Language } from './language.ts'

/** Where the build says, for the server, what screens need at once; below the folder of the build. */
export const PRELOAD_FILE = '.vite/preload.json'

/** By the path of a screen (`:id` stands for anything) and the language: files below the base path. */
export type Preloads = Readonly<Record<string, Readonly<Record<Language, readonly string[]>>>>
