import type { Preload, Preloads } from '#domain/preload.ts'

/** Where the build keeps the scripts that stand in a page; below the folder of the build. */
export const SCRIPTS_FILE = '.vite/scripts.json'
export type Scripts = Preloads['scripts']

/** Where it keeps what the pages of the screens say and show before the app has come. */
export const FRAMES_FILE = '.vite/frames.json'
export interface Frames {
  readonly description: Preloads['description']
  readonly start: Preloads['start']
  /** By the paths of the screens. */
  readonly screens: Readonly<Record<string, Pick<Preload, 'title' | 'isListed' | 'frame'>>>
}

/** Stand in recorded addresses for the ids of whoever has signed in, and of the site that is edited. */
export const USER = 'USER_ID'
export const SITE = 'SITE_ID'
