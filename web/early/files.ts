import type { Preloads } from '#domain/preload.ts'

/** Where the build keeps the scripts that stand in a page; below the folder of the build. */
export const SCRIPTS_FILE = '.vite/scripts.json'
export type Scripts = Preloads['scripts']

/** Where it keeps what is seen of screens before the app has come. */
export const FRAMES_FILE = '.vite/frames.json'

/** Stand in recorded addresses for the ids of whoever has signed in, and of the site that is edited. */
export const USER = 'USER_ID'
export const SITE = 'SITE_ID'
