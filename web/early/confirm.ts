import { API } from '#domain/paths.ts'
import { settingMetaName } from '#domain/settings.ts'

import { readMailLink } from '../data/mail-links.ts'

// Confirms the address whose link the page was opened with, while the app itself is still on its way; the
// app finds the answer when it sends the same (`mail-links.ts`). Whatever runs no script uses up no link.

const link = readMailLink(location.pathname.split('/').at(-1) ?? '', Date.now())
if (link !== undefined && !link.expired) {
  const { token, collectionId } = link
  const basePath =
    document.querySelector<HTMLMetaElement>(`meta[name="${settingMetaName('base-path')}"]`)
      ?.content ?? ''
  const answer = fetch(basePath + API.confirmVerification(encodeURIComponent(collectionId)), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  // The app hears of it, if it comes.
  answer.catch(() => undefined)
  Object.assign(globalThis, { earlyConfirmation: { token, answer } })
}
