import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { build, type Plugin, type Rolldown } from 'vite'

import { SITE_PAGES, type SitePageFiles } from '#domain/site-pages.ts'
import { iconImports } from '../chunks.ts'
import { buildScript } from '../prerender/script.ts'

/** The chunk of the map library. */
const MAP_LIBRARY = 'maplibre'

interface BuiltFile {
  /** The path below the folder of the build. */
  readonly fileName: string
  readonly source: string | Uint8Array
}

/** Emits the files with which the server renders the pages about sites. */
export const sitePages = (): Plugin => ({
  name: 'site-pages',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler: async function () {
      for (const file of await buildSitePages()) this.emitFile({ type: 'asset', ...file })
    },
  },
})

/** Builds the module that renders pages about sites, for the server, with the styles and the script of the pages. */
export const buildSitePages = async (): Promise<readonly BuiltFile[]> => {
  const { module, css } = await buildModule()
  const hash = createHash('sha256').update(css).digest('hex').slice(0, 8)
  const styles = `assets/site-page-${hash}.css`
  const map = await buildMap()
  const html = await readFile(join(import.meta.dirname, '../index.html'), 'utf8')
  const files: SitePageFiles = {
    template: html.replace(/\s*<script type="module".*?<\/script>/, ''),
    styles: [styles],
    script: await buildScript(join(import.meta.dirname, 'start.ts')),
    mapScripts: map.scripts,
  }
  return [
    { fileName: SITE_PAGES.module, source: module },
    { fileName: SITE_PAGES.files, source: JSON.stringify(files) },
    { fileName: styles, source: css },
    ...map.files,
  ]
}

const buildModule = async (): Promise<{ readonly module: string; readonly css: string }> => {
  const { output } = (await build({
    configFile: false,
    root: join(import.meta.dirname, '..'),
    publicDir: false,
    logLevel: 'silent',
    plugins: [iconImports()],
    define: {
      'process.env.NODE_ENV': JSON.stringify('production'),
      // Formats follow the language of the page, not the locale of the server.
      'navigator.languages': '[]',
    },
    // The server does not have the dependencies of the app.
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, 'render.tsx'),
      ssrEmitAssets: true,
      write: false,
      target: 'es2024',
      cssCodeSplit: false,
      cssMinify: true,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput
  const css = output.find(({ fileName }) => fileName.endsWith('.css'))
  if (css?.type !== 'asset') throw new Error('The pages about sites have no styles.')
  return { module: output[0].code, css: String(css.source) }
}

/**
 * Builds the script of the map of a business separately from the app. Otherwise, the map would load all modules in the
 * chunks that it shares with the app's first scripts.
 */
const buildMap = async (): Promise<{
  readonly scripts: SitePageFiles['mapScripts']
  readonly files: readonly BuiltFile[]
}> => {
  const { output } = (await build({
    configFile: false,
    root: join(import.meta.dirname, '..'),
    base: './',
    publicDir: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2024',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(import.meta.dirname, 'map-start.ts'),
        output: {
          entryFileNames: 'assets/embed/[name]-[hash:7].js',
          chunkFileNames: 'assets/embed/[name]-[hash:7].js',
          assetFileNames: 'assets/embed/[name]-[hash:7][extname]',
          codeSplitting: { groups: [{ name: MAP_LIBRARY, test: /node_modules\/maplibre-gl/ }] },
        },
      },
    },
    worker: { format: 'es' },
  })) as Rolldown.RolldownOutput
  const [entry, ...chunks] = output
  const others = chunks.filter((file) => file.type === 'chunk' && file.name !== MAP_LIBRARY)
  return {
    scripts: [entry.fileName, ...others.map(({ fileName }) => fileName)],
    files: output.map((file) => ({
      fileName: file.fileName,
      source: file.type === 'chunk' ? file.code : file.source,
    })),
  }
}
