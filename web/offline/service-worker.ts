/**
 * Opens the app offline: caches the page and the files of one build. It never handles requests to the API. The build
 * replaces the declared names; see `plugin.ts`.
 */
declare const FILES: readonly string[]
/** The files of the guest screens. */
declare const GUEST_FILES: readonly string[]
declare const VERSION: string

const worker = self as unknown as ServiceWorkerGlobalScope
/** The base URL of the installation: `https://host/` or `https://host/ev/`. */
const BASE = worker.registration.scope
const PREFIX = 'voltleaf-'
const CACHE = PREFIX + VERSION
/** A page that contains this file starts the app. */
const ENTRY = FILES[0] ?? ''
/** The API, the pages of sites, and the open data: not screens of the app, and some too large for memory. */
const MADE_BY_SERVER = /^((api|at|embed|poster|sitemap)([/?.]|$)|open\/)/i
const UNREACHABLE = [502, 503, 504]
/** Maximum time to load a page from the network before the cached one is shown. */
const PAGE_TIMEOUT_MS = 4000

worker.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE)
      const files = worker.location.search === '?guest' ? GUEST_FILES : FILES
      await cache.addAll(files.map((file) => BASE + file))
      // The page refers to the files of its own build, so it must not be older.
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
      // Pages of the previous build may still be open, and load its files.
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
  // A partial response (206) must never be cached as the whole.
  if (path === undefined || request.method !== 'GET' || request.headers.has('range')) return
  if (MADE_BY_SERVER.test(path)) return
  if (path.startsWith('assets/')) event.respondWith(findAsset(request))
  else if (request.mode === 'navigate') event.respondWith(openPage(event))
})

/** Serves assets from the cache first, because file names change with their content. */
const findAsset = async (request: Request): Promise<Response> => {
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept !== undefined) return kept
  const response = await fetch(request)
  if (response.status === 200) await keep(request, response.clone())
  return response
}

/** Network first, with a timeout: on a very weak network, a request may never fail. */
const openPage = async (event: FetchEvent): Promise<Response> => {
  const answer = fetchPage(event.request).catch(() => Response.error())
  event.waitUntil(answer)
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PAGE_TIMEOUT_MS))
  const response = await Promise.race([answer, late])
  if (response !== undefined && response.type !== 'error' && !UNREACHABLE.includes(response.status))
    return response
  return (await caches.match(BASE, { ignoreVary: true })) ?? answer
}

/** Caches the newest page of this build, because the page contains the settings. */
const fetchPage = async (request: Request): Promise<Response> => {
  const response = await fetch(request)
  if (response.status === 200 && !response.redirected) {
    const page = await response.clone().text()
    if (page.includes(ENTRY)) await keep(BASE, bare(page, response))
  }
  return response
}

/** A page without title and prerendered screen, which serves every path. */
const bare = (page: string, { headers }: Response): Response =>
  new Response(
    page
      .replace(/<!--frame-->[^]*<!--\/frame-->/, '')
      .replace(/<title>[^<]*<\/title>|<link rel="canonical"[^>]*>/g, ''),
    { headers },
  )

/** On a full device, less is cached; the app still works. */
const keep = async (key: string | Request, response: Response): Promise<void> => {
  try {
    await (await caches.open(CACHE)).put(key, response)
  } catch {
    // Not needed while the browser is online.
  }
}
