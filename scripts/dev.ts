import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import type { Config } from '../server/config.ts'
import { reservePort, serve, type App, type Front } from '../server/main.ts'
import { buildSitePages } from '../web/site-page/build.ts'
import { closeOnSignals, exitWith, loadConfig, root } from './process.ts'
import { withProvider } from './provider/provider.ts'

/** The API, site pages with their styles, and the files for search engines. */
const ANSWERED_BY_SERVER = /^\/(api\/|at\/|open\/.|assets\/site-page-|sitemap|robots\.txt)/

/** Vite in front of the API, in one process, on one port and one origin, without a proxy. */
const openVite = async (app: App, { basePath }: Config): Promise<Front> => {
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: join(root, 'web/vite.config.ts'),
    configLoader: 'native',
    root: join(root, 'web'),
    base: `${basePath}/`,
    appType: 'custom',
    server: { middlewareMode: true, ws: { server: app.server } },
  })
  const sendPage = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    // The server writes the settings into the page; Vite adds scripts that the server's content security policy would
    // refuse.
    const page = await app.inject({ url: `${basePath}/`, headers: { 'accept-encoding': '' } })
    const html = await vite.transformIndexHtml(req.url ?? '/', page.payload)
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    res.end(html)
  }
  return {
    answer: (req, res) => {
      if (ANSWERED_BY_SERVER.test(req.url?.slice(basePath.length) ?? '')) {
        app.routing(req, res)
        return
      }
      vite.middlewares(req, res, () => {
        sendPage(req, res).catch((error: unknown) => {
          console.error(error)
          res.writeHead(500).end()
        })
      })
    },
    close: () => vite.close(),
  }
}

try {
  const closers: (() => Promise<void>)[] = []
  closeOnSignals(async () => {
    for (const close of closers.toReversed()) await close()
  })
  const { config: settings, releasePort } = await reservePort(loadConfig())
  const { config, provider } = await withProvider(settings)
  if (provider) closers.push(() => provider.close())
  // Only the page comes from the server; Vite serves the files that it refers to.
  const webDir = join(root, '.cache/dev-page')
  await mkdir(webDir, { recursive: true })
  await copyFile(join(root, 'web/index.html'), join(webDir, 'index.html'))
  // The server renders site pages; changes of their components take effect after a restart.
  for (const { fileName, source } of await buildSitePages()) {
    const file = join(webDir, fileName)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, source)
  }
  const server = await serve(config, {
    releasePort,
    webDir,
    openFront: (app) => openVite(app, config),
    onLost: exitWith,
  })
  closers.push(() => server.close())
  if (provider) {
    console.log(
      `A stand-in provider for sign-in runs at ${provider.issuer}; use any name and email.`,
    )
  }
  console.log(`${config.productName} is ready for development at ${server.url}`)
} catch (error) {
  exitWith(error)
}
