import { join } from 'node:path'

import PocketBase from 'pocketbase'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { build, type Plugin, type Rolldown } from 'vite'

import type { Route } from '../app/routes.ts'
import { fetchData, fetchSiteRecord } from '../data/wire.ts'
import { FRAMES_FILE, SITE, USER } from './files.ts'
import { Frame } from './frame.tsx'

const ORIGIN = 'http://app'

/** Emits what is seen of screens before the app has come. */
export const frames = (): Plugin => ({
  name: 'frames',
  apply: 'build',
  generateBundle() {
    const html = (start: Route['start']): string =>
      renderToStaticMarkup(createElement(Frame, { start }))
    this.emitFile({
      type: 'asset',
      fileName: FRAMES_FILE,
      source: JSON.stringify({ logo: html('logo'), back: html('back') }),
    })
  },
})

/**
 * Emits the script that asks for the data before the app has come. What it asks is found out by
 * letting the app ask, so that both are always the same.
 */
export const earlyReads = (): Plugin => ({
  name: 'early-reads',
  apply: 'build',
  generateBundle: async function () {
    const { output } = (await build({
      configFile: false,
      root: import.meta.dirname,
      logLevel: 'silent',
      define: {
        DATA_READS: JSON.stringify(await recordReads((client) => fetchData(client, USER))),
        SITE_READS: JSON.stringify(
          await recordReads((client, send) => fetchSiteRecord(client, SITE, send)),
        ),
      },
      build: {
        write: false,
        target: 'es2024',
        modulePreload: { polyfill: false },
        rolldownOptions: { input: join(import.meta.dirname, 'early.ts') },
      },
    })) as Rolldown.RolldownOutput
    this.emitFile({ type: 'asset', name: 'early.js', source: output[0].code })
  },
})

/** The addresses, below the base path, of what a part of the app asks for. */
const recordReads = async (
  ask: (client: PocketBase, send: typeof fetch) => Promise<unknown>,
): Promise<readonly string[]> => {
  const reads: string[] = []
  const answer: typeof fetch = async (target) => {
    reads.push(new Request(target).url.slice(ORIGIN.length))
    return Response.json({ page: 1, perPage: 1, totalItems: 1, totalPages: 1, items: [{}] })
  }
  const client = new PocketBase(ORIGIN)
  client.beforeSend = (url, options) => {
    options.fetch ??= answer
    return { url, options }
  }
  await ask(client, answer)
  return reads
}
