import { join } from 'node:path'

import PocketBase from 'pocketbase'
import { build, createServer, type Plugin, type Rolldown } from 'vite'

import { fetchData, fetchSiteRecord } from '../data/records.ts'
import { FRAMES_FILE, SCRIPTS_FILE, SITE, USER, type Scripts } from './files.ts'
import type * as Drawing from './frame.tsx'

const ORIGIN = 'http://app'

/** Emits what is seen of screens before the app has come, drawn by the app's own parts. */
export const frames = (): Plugin => ({
  name: 'frames',
  apply: 'build',
  generateBundle: async function () {
    const server = await createServer({
      configFile: false,
      root: join(import.meta.dirname, '..'),
      logLevel: 'silent',
      appType: 'custom',
      server: { middlewareMode: true, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
    })
    try {
      const { drawFrames } = (await server.ssrLoadModule('/early/frame.tsx')) as typeof Drawing
      this.emitFile({
        type: 'asset',
        fileName: FRAMES_FILE,
        source: JSON.stringify(await drawFrames()),
      })
    } finally {
      await server.close()
    }
  },
})

/**
 * Emits the scripts that stand in the page. What the one asks that asks for the data is found out by
 * letting the app ask, so that both are always the same.
 */
export const scripts = (): Plugin => ({
  name: 'scripts',
  apply: 'build',
  generateBundle: async function () {
    const reads = {
      DATA_READS: JSON.stringify(await recordReads((client) => fetchData(client, USER))),
      SITE_READS: JSON.stringify(
        await recordReads((client, send) => fetchSiteRecord(client, SITE, send)),
      ),
    }
    const built: Scripts = {
      data: await buildScript('data.ts', reads),
      confirm: await buildScript('confirm.ts'),
      begin: await buildScript('begin.ts'),
    }
    this.emitFile({ type: 'asset', fileName: SCRIPTS_FILE, source: JSON.stringify(built) })
  },
})

const buildScript = async (
  name: string,
  define: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { output } = (await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'silent',
    define,
    build: {
      write: false,
      target: 'es2024',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(import.meta.dirname, name),
        // It is no module, and leaves nothing behind in the page.
        output: { format: 'iife' },
      },
    },
  })) as Rolldown.RolldownOutput
  return output[0].code.trim()
}

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
