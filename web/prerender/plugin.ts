import { join } from 'node:path'

import PocketBase from 'pocketbase'
import { runnerImport, type Plugin, type Rolldown } from 'vite'

import { LANGUAGES, type Language } from '#domain/language.ts'
import { PAGES_FILE, type BuiltPages, type ScreenPage } from '#domain/pages.ts'

import { isListed, NOT_FOUND, ROUTES, type Route } from '../app/routes.ts'
import { filesOfScreen } from '../chunks.ts'
import { fetchData, fetchSiteRecord } from '../data/records.ts'
import { PATHS } from '../paths.ts'
import type * as Prerender from './prerender.tsx'
import { SITE, USER } from './preloaded.ts'
import { buildScript } from './script.ts'

/** Emits the prerendered pages of all screens, which the server completes with the settings of the installation. */
export const pages = (): Plugin => ({
  name: 'pages',
  apply: 'build',
  // The server links the files of each screen; the bundler's tags would run the app immediately.
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replaceAll(
        /^\s*<(?:script type="module"|link rel="(?:modulepreload|stylesheet)")[^>]*>(?:<\/script>)?\n/gm,
        '',
      ),
  },
  generateBundle: {
    order: 'post',
    handler: async function (_options, bundle) {
      const { module } = await runnerImport<typeof Prerender>(
        join(import.meta.dirname, 'prerender.tsx'),
        {
          configFile: false,
          logLevel: 'silent',
          plugins: [withoutStyles],
          // The pages are for every region, not for that of the computer that builds them.
          define: { 'navigator.language': '""', 'navigator.languages': '[]' },
        },
      )
      const { description, screens } = module.drawn
      const made = [...ROUTES, NOT_FOUND].map(async (route): Promise<[string, ScreenPage]> => {
        const drawn = screens[route.path]
        if (drawn === undefined) throw new Error(`Nothing was drawn of ${route.path}`)
        const own = {
          isListed: isListed(route) && route !== NOT_FOUND,
          reads: await readsOf(route),
        }
        return [route.path, { ...drawn, ...own, ...namedFiles(bundle, route) }]
      })
      const built: BuiltPages = {
        script: await buildScript(join(import.meta.dirname, 'start.ts')),
        description,
        start: PATHS.dashboard,
        screens: Object.fromEntries(await Promise.all(made)),
      }
      this.emitFile({ type: 'asset', fileName: PAGES_FILE, source: JSON.stringify(built) })
    },
  },
})

/** Prerendered components import styles, which `runnerImport` cannot load. */
const withoutStyles: Plugin = {
  name: 'without-styles',
  enforce: 'pre',
  resolveId: { filter: { id: /\.css$/ }, handler: () => '\0empty' },
  load: { filter: { id: /^\0empty$/ }, handler: () => '' },
}

const namedFiles = (
  bundle: Rolldown.OutputBundle,
  route: Route,
): Pick<ScreenPage, 'styles' | 'modules'> => {
  const isStyle = (file: string): boolean => file.endsWith('.css')
  const modules = LANGUAGES.map((language) => [
    language,
    filesOfScreen(bundle, route, language).filter((file) => !isStyle(file)),
  ])
  return {
    styles: filesOfScreen(bundle, route, 'en').filter(isStyle),
    modules: Object.fromEntries(modules) as Record<Language, string[]>,
  }
}

/**
 * The first requests of a screen. They are recorded by running its load against a fake `fetch`, so that both always
 * agree.
 */
const readsOf = async ({ guarded, path }: Route): Promise<readonly string[]> => {
  const origin = 'http://app'
  const reads: string[] = []
  const answer: typeof fetch = async (target) => {
    reads.push(new Request(target).url.slice(origin.length))
    return Response.json({ page: 1, perPage: 1, totalItems: 1, totalPages: 1, items: [{}] })
  }
  const client = new PocketBase(origin)
  client.beforeSend = (url, options) => {
    options.fetch ??= answer
    return { url, options }
  }
  if (guarded) await fetchData(client, USER)
  if (path.startsWith(`${PATHS.editSite}/`)) await fetchSiteRecord(client, SITE, answer)
  return reads
}
