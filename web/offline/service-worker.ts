/**
 * Opens the app without a connection: keeps the page and the files of one build. It never touches
 * the API. The build replaces the names that are declared; see `plugin.ts`.
 */
declare const FILES: readonly string[]
/** Those of the screens of guests. */
declare const GUEST_FILES: readonly string[]
declare const VERSION: string

const worker = self as unknown as ServiceWorkerGlobalScope
/** Where the installation lives: `https://host/` or `https://host/ev/`. */
const BASE = worker.registration.scope
const PREFIX = 'voltleaf-'
const CACHE = PREFIX + VERSION
/** The page that starts the app is known by this file. */
const ENTRY = FILES[0] ?? ''
const UNREACHABLE = [502, 503, 504]

worker.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE)
      const files = worker.location.search === '?guest' ? GUEST_FILES : FILES
      await cache.addAll(files.map((file) => BASE + file))
      // The page names the files of its own build, so it must be no older one.
      const page = await fetch(BASE, { cache: 'reload' })
      if (!page.ok) throw new Error(`The page was answered ${page.status}`)
      await cache.put(BASE, bare(await page.text(), page))
      await worker.skipWaiting()
    })(),
  )
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const kept = (await caches.keys()).filter((name) => name.startsWith(PREFIX))
      // Pages of the build before may still be open, and fetch parts of theirs.
      const [, ...older] = kept.filter((name) => name !== CACHE).toReversed()
      await Promise.all(older.map((name) => caches.delete(name)))
      await worker.clients.claim()
      for (const client of await worker.clients.matchAll({ type: 'window' }))
        client.postMessage({ entry: ENTRY }, [])
    })(),
  )
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const path = request.url.startsWith(BASE) ? request.url.slice(BASE.length) : undefined
  // A part of a file (206) must never stand for the whole.
  if (path === undefined || request.method !== 'GET' || request.headers.has('range')) return
  if (/^api(\/|\?|$)/i.test(path)) return
  if (path.startsWith('assets/')) event.respondWith(findAsset(request))
  else if (request.mode === 'navigate') event.respondWith(openPage(request))
})

/** Their names change with their content. */
const findAsset = async (request: Request): Promise<Response> => {
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept !== undefined) return kept
  const response = await fetch(request)
  if (response.status === 200) await keep(request, response.clone())
  return response
}

/** The server knows better, as long as it can be reached. */
const openPage = async (request: Request): Promise<Response> => {
  const shell = (): Promise<Response | undefined> => caches.match(BASE, { ignoreVary: true })
  try {
    const response = await fetch(request)
    if (UNREACHABLE.includes(response.status)) return (await shell()) ?? response
    // Settings are written into the page: the newest ones are kept, with the files of this build.
    if (response.status === 200 && !response.redirected) {
      const page = await response.clone().text()
      if (page.includes(ENTRY)) await keep(BASE, bare(page, response))
    }
    return response
  } catch {
    return (await shell()) ?? Response.error()
  }
}

/** A page without the name and the drawing of its screen: it stands in for all of them. */
const bare = (page: string, { headers }: Response): Response =>
  new Response(
    page
      .replace(/<!--frame-->[^]*<!--\/frame-->/, '')
      .replace(/<title>[^<]*<\/title>|<link rel="canonical"[^>]*>/g, ''),
    { headers },
  )

/** A full device keeps less; the app works all the same. */
const keep = async (key: string | Request, response: Response): Promise<void> => {
  try {
    await (await caches.open(CACHE)).put(key, response)
  } catch {
    // Nothing depends on it while there is a connection.
  }
}
