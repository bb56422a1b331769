import type { BrowserContext } from '@playwright/test'

import { API } from '#domain/paths.ts'

/** The errors and requests of the pages of a browser. */
export interface Watch {
  readonly complaints: () => readonly string[]
  /** Expects a console error about this URL, or about this whole origin. */
  readonly expectFailure: (url: string) => void
  /** Expects console errors about a missing connection. */
  readonly expectOffline: () => void
  /** Expects an uncaught error with this text. */
  readonly expectUncaught: (text: string) => void
  /** Allows requests to this origin. */
  readonly allow: (url: string) => void
  /** All requested URLs so far. */
  readonly requested: () => readonly string[]
}

/**
 * Watches every page of a browser for violations of the content security policy, console errors and warnings, uncaught
 * errors, and requests to other origins.
 */
export const watch = async (context: BrowserContext, own: readonly string[]): Promise<Watch> => {
  const complaints: string[] = []
  const failures = new Set<string>()
  const origins = new Set(own.flatMap(originsOf))
  const requested: string[] = []
  const planted = new Set<string>()
  let isOfflineExpected = false

  await context.exposeFunction('reportViolation', (text: string) => complaints.push(text))
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      const { reportViolation } = window as unknown as Record<string, (text: string) => void>
      reportViolation?.(`violates ${violatedDirective}: ${blockedURI} in ${sourceFile}`)
    })
  })
  context.on('console', (message) => {
    if (!['error', 'warning', 'assert'].includes(message.type())) return
    if (message.text() === 'Service Worker registration blocked by Playwright') return
    // Maps are rendered in software, which the driver warns about.
    if (message.text().includes('GL Driver Message')) return
    if (isOfflineExpected && /ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(message.text())) return
    const { url } = message.location()
    if (
      message.text().startsWith('Failed to load resource') &&
      // An interrupted stream is reopened.
      (failures.has(url.replace(/\?.*/, '')) ||
        (URL.canParse(url) && failures.has(new URL(url).origin)) ||
        url.endsWith(API.realtime))
    )
      return
    complaints.push(`console.${message.type()}: ${message.text()} (${url})`)
  })
  context.on('weberror', (error) => {
    complaints.push(`uncaught: ${error.error().stack ?? error.error().message}`)
  })
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    requested.push(request.url())
    if (protocol.startsWith('http') && !origins.has(origin)) {
      complaints.push(`foreign request: ${request.url()}`)
    }
  })

  return {
    complaints: () =>
      complaints.filter((text) => ![...planted].some((each) => text.includes(each))),
    expectFailure: (url) => void failures.add(url.replace(/\?.*/, '')),
    expectUncaught: (text) => void planted.add(text),
    expectOffline: () => {
      isOfflineExpected = true
    },
    allow: (url) => originsOf(url).forEach((origin) => origins.add(origin)),
    requested: () => requested,
  }
}

/** Both loopback names denote the same host. */
const originsOf = (url: string): string[] => {
  const { origin } = new URL(url)
  return [
    origin,
    origin.replace('127.0.0.1', 'localhost'),
    origin.replace('localhost', '127.0.0.1'),
  ]
}
