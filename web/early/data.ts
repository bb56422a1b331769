import { settingMetaName } from '#domain/settings.ts'

import { expiryOf, parseSession, SESSION_KEY } from '../data/session.ts'
import { pickLocale } from '../messages/locale.ts'
import { PATHS } from '../paths.ts'
import { SITE, USER } from './files.ts'

// Asks for what the screens of an owner begin with, while the app itself is still on its way. The
// answers wait in the page until the app asks the same; see `take.ts`.

/** What the app asks for first: paths with queries, below the base path; see `plugin.ts`. */
declare const DATA_READS: readonly string[]
declare const SITE_READS: readonly string[]

const stored = (): string | null => {
  try {
    return localStorage.getItem(SESSION_KEY)
  } catch {
    // Private windows of some browsers refuse storage: nobody has signed in.
    return null
  }
}

/** Puts words of a record where the frame has a place for them: they are here before the app is. */
const show = (kind: 'user' | 'business', record: object): void => {
  for (const place of document.querySelectorAll<HTMLElement>(`[data-frame] [data-${kind}]`)) {
    const text = (record as Record<string, unknown>)[place.dataset[kind] ?? '']
    if (typeof text !== 'string' || text === '') continue
    place.textContent = text
    place.classList.remove('skeleton')
  }
}

const showBusiness = async (answer: Response): Promise<void> => {
  if (!answer.ok) return
  const { items } = (await answer.clone().json()) as { items: Record<string, unknown>[] }
  show('business', items[0] ?? {})
}

const session = parseSession(stored())
if (session !== null && expiryOf(session.token) > Date.now()) {
  const basePath =
    document.querySelector<HTMLMetaElement>(`meta[name="${settingMetaName('base-path')}"]`)
      ?.content ?? ''
  const [, site = ''] = location.pathname.split(`${basePath}${PATHS.editSite}/`)
  const reads = [...DATA_READS, ...(/^\w+$/.test(site) ? SITE_READS : [])]
  const headers = { Authorization: session.token, 'Accept-Language': pickLocale() }
  const asked = reads.map((read): [string, Promise<Response>] => {
    const path = read.replace(USER, encodeURIComponent(session.record.id)).replace(SITE, site)
    const url = location.origin + basePath + path
    const answer = fetch(url, { headers })
    // Nobody may come for it; whoever does is told.
    answer.catch(() => undefined)
    return [url, answer]
  })
  Object.assign(globalThis, {
    earlyReads: { userId: session.record.id, at: Date.now(), answers: new Map(asked) },
  })
  show('user', session.record)
  asked[0]?.[1].then(showBusiness).catch(() => undefined)
} else {
  // What is drawn is for owners, and whoever is none is led to another screen.
  document.documentElement.dataset['elsewhere'] = ''
}
