import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { transformWithOxc, type Plugin, type Rolldown } from 'vite'

import { LANGUAGES } from '#domain/language.ts'
import { isListed, NOT_FOUND, ROUTES } from '../app/routes.ts'
import { filesOfScreen } from '../chunks.ts'

/** Larger files, mainly the map, are cached on first use. */
const LARGEST_BYTES = 500_000

/** Emits the service worker with the list of the build's files, the entry first. */
export const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler: async function (_options, bundle) {
      const files = Object.values(bundle)
        .filter((file) => /^assets\/.*\.(js|css|svg)$/.test(file.fileName))
        .map((file) => ({
          name: file.fileName,
          isEntry: file.type === 'chunk' && file.isEntry,
          bytes: Buffer.byteLength(file.type === 'chunk' ? file.code : file.source),
        }))
        .filter(({ bytes }) => bytes <= LARGEST_BYTES)
        .toSorted((one, other) =>
          one.isEntry === other.isEntry ? (one.name < other.name ? -1 : 1) : one.isEntry ? -1 : 1,
        )
        .map(({ name }) => name)
      const path = join(import.meta.dirname, 'service-worker.ts')
      const { code: script } = await transformWithOxc(await readFile(path, 'utf8'), path)
      const version = createHash('sha256').update(script).update(files.join()).digest('hex')
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: `const FILES = ${JSON.stringify(files)}
const GUEST_FILES = ${JSON.stringify(listGuestFiles(bundle).filter((name) => files.includes(name)))}
const VERSION = ${JSON.stringify(version.slice(0, 12))}
${script}`,
      })
    },
  },
})

/** The files of the guest screens, in every language. */
const listGuestFiles = (bundle: Rolldown.OutputBundle): string[] => {
  const screens = [...ROUTES.filter(isListed), NOT_FOUND]
  const files = screens.flatMap((route) =>
    LANGUAGES.flatMap((language) => filesOfScreen(bundle, route, language)),
  )
  return [...new Set(files)]
}
