import type { BrowserContext } from '@playwright/test'

import { API } from '#domain/paths.ts'

/** What the pages of a browser complained of, and what they asked of whom. */
export interface Watch {
  readonly complaints: () => readonly string[]
  /** The browser says on its console that this address, or this whole origin, failed; the test wants that. */
  readonly expectFailure: (url: string) => void
  /** The browser says on its console that there is no connection; the test takes it away. */
  readonly expectOffline: () => void
  /** An uncaught error with this text is planted by the test. */
  readonly expectUncaught: (text: string) => void
  /** Requests to this origin are wanted. */
  readonly allow: (url: string) => void
  /** Every address that was asked for so far. */
  readonly asked: () => readonly string[]
}

/**
 * Listens to every page of a browser: violations of the content security policy, errors and
 * warnings on the console, uncaught errors, and requests to anybody but the product.
 */
export const watch = async (context: BrowserContext, own: readonly string[]): Promise<Watch> => {
  const complaints: string[] = []
  const failures = new Set<string>()
  const origins = new Set(own.flatMap(originsOf))
  const asked: string[] = []
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
    // Software draws the maps of tests, and says that this is slow.
    if (message.text().includes('GL Driver Message')) return
    if (isOfflineExpected && /ERR_INTERNET_DISCONNECTED|ERR_FAILED/.test(message.text())) return
    const { url } = message.location()
    if (
      message.text().startsWith('Failed to load resource') &&
      // A stream that is cut off is opened again.
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
    asked.push(request.url())
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
    asked: () => asked,
  }
}

/** The two loopback names are one place. */
const originsOf = (url: string): string[] => {
  const { origin } = new URL(url)
  return [
    origin,
    origin.replace('127.0.0.1', 'localhost'),
    origin.replace('localhost', '127.0.0.1'),
  ]
}
