/** Where the build keeps what is seen of a screen before the app has come, by what its bar begins with. */
export const FRAMES_FILE = '.vite/frames.json'

/** Stand in recorded addresses for the ids of whoever has signed in, and of the site that is edited. */
export const USER = 'USER_ID'
export const SITE = 'SITE_ID'
