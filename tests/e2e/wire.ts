import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

import { expect, type Owner } from './driver.ts'

type Page = Owner['page']
type BrowserContext = ReturnType<Page['context']>
type BrowserRequest = Awaited<ReturnType<Page['waitForRequest']>>
type Json = Record<string, unknown>

/** A part of a multipart body. */
interface Part {
  readonly name: string
  /** The content of a text part. */
  readonly text?: string
  /** The name, type and size of a file part. */
  readonly file?: string
  readonly type?: string
  readonly bytes?: number
  readonly content?: Buffer
}

/** An API request, as it left the browser. */
export interface Call {
  readonly page: Page
  readonly method: string
  /** Below the base path: `/api/collections/…`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Position of the request in the sequence of events on the wire. */
  readonly began: number
  /** Position of the start of the response, or of the failure. */
  readonly ended: number
  readonly isOver: boolean
  readonly status: number | undefined
  /** The reason for a failed request. */
  readonly failure: string | undefined
  readonly isMultipart: boolean
  /** The JSON body; undefined without one. */
  readonly body: Json | undefined
  /** The multipart body as the server received it; available once the call is over. */
  readonly parts: readonly Part[]
  readonly answer: () => Promise<Json>
  /** The ETag of the response. */
  readonly etag: () => Promise<string | undefined>
}

/** Held requests. */
export interface Hold {
  /** Waits for a number of held requests. */
  readonly arrived: (count: number) => Promise<readonly Call[]>
  /** Releases these and all later requests. */
  readonly release: () => void
}

const API_PREFIX = '/api/collections/'
const NEVER = Number.POSITIVE_INFINITY
const TIMEOUT_MS = 15_000

/** Records every API request of a browser's pages; can hold, drop or refuse some. */
export class Wire {
  readonly #owner: Owner
  readonly #base: string
  readonly #records = new Map<BrowserRequest, RecordedCall>()
  readonly #forgotten: RecordedCall[] = []
  readonly #waiting = new Set<() => void>()
  #moment = 0

  constructor(owner: Owner) {
    this.#owner = owner
    this.#base = owner.url
    const context = this.#context
    context.on('request', (request) => {
      if (!this.#pathOf(request.url()).startsWith(API_PREFIX)) return
      this.#records.set(
        request,
        new RecordedCall(request, this.#pathOf(request.url()), this.#tick()),
      )
      this.#tell()
    })
    context.on('response', (response) => {
      const record = this.#records.get(response.request())
      if (record === undefined) return
      record.status = response.status()
      record.ended = this.#tick()
    })
    const end = (request: BrowserRequest): void => {
      const record = this.#records.get(request)
      if (record === undefined) return
      record.failure = request.failure()?.errorText
      if (record.ended === NEVER) record.ended = this.#tick()
      record.isOver = true
      this.#tell()
    }
    context.on('requestfinished', (request) => {
      // Read immediately, because leaving the page discards its responses.
      this.#records.get(request)?.readAnswer()
      end(request)
    })
    context.on('requestfailed', end)
  }

  /** All calls so far in the order of sending, or those of a method and a path. */
  calls(method?: string, path?: string | RegExp): readonly Call[] {
    return [...this.#records.values()].filter(
      (call) =>
        (method === undefined || call.method === method) &&
        (path === undefined || matches(call.path, path)),
    )
  }

  /** Writes, without the sign-in and its refresh. */
  get writes(): readonly Call[] {
    return this.calls().filter(
      ({ method, path }) => method !== 'GET' && method !== 'HEAD' && !path.includes('/users/auth-'),
    )
  }

  /** Forgets everything recorded so far, except for `everything`. */
  forget(): void {
    this.#forgotten.push(...this.#records.values())
    this.#records.clear()
  }

  /** All calls since the start, including forgotten ones. */
  get everything(): readonly Call[] {
    return [...this.#forgotten, ...this.#records.values()]
  }

  /** Waits until the only call of this kind is answered. */
  async one(method: string, path: string | RegExp): Promise<Call> {
    const [call] = await this.several(1, method, path)
    return call as Call
  }

  /** Waits until a number of calls are answered. */
  async several(count: number, method: string, path: string | RegExp): Promise<readonly Call[]> {
    const ended = (): readonly Call[] => this.calls(method, path).filter((call) => call.isOver)
    await this.#until(`${count} × ${method} ${String(path)}`, () => ended().length >= count)
    expect(this.calls(method, path), `${method} ${String(path)}`).toHaveLength(count)
    return ended()
  }

  /** Waits until the page has sent pending requests and received all responses. */
  async settle(page: Page = this.#owner.page): Promise<void> {
    const isIdle = (): boolean => this.calls().every((call) => call.page !== page || call.isOver)
    for (let count = -1; count !== this.#records.size || !isIdle();) {
      count = this.#records.size
      await this.quiet(page)
      await this.#until('answers to all calls', isIdle)
    }
  }

  /** Waits until the page has sent the requests that follow from its current tasks. */
  async quiet(page: Page = this.#owner.page): Promise<void> {
    // Requests caused by those tasks are recorded before this one.
    await page.evaluate(async (url) => {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      await fetch(url)
    }, `${this.#base}/api/health`)
  }

  /** Holds requests of this kind before they reach the server. */
  async hold(method: string, path: string | RegExp): Promise<Hold> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let released = false
    const held: Call[] = []
    await this.#context.route(this.#matcher(path), async (route) => {
      const request = route.request()
      if (released || request.method() !== method) return route.fallback()
      const call = this.#records.get(request)
      if (call !== undefined) held.push(call)
      this.#tell()
      await promise
      // A cancelled request cannot continue.
      await route.fallback().catch(() => undefined)
    })
    return {
      arrived: async (count) => {
        await this.#until(`${count} held × ${method} ${String(path)}`, () => held.length >= count)
        return held
      },
      release: () => {
        released = true
        resolve()
      },
    }
  }

  get #context(): BrowserContext {
    return this.#owner.page.context()
  }

  #matcher(path: string | RegExp): (url: URL) => boolean {
    return ({ href }) => matches(this.#pathOf(href), path)
  }

  #pathOf(url: string): string {
    return url.startsWith(this.#base) ? new URL(url).pathname.slice(this.#basePath.length) : ''
  }

  get #basePath(): string {
    return new URL(this.#base).pathname.replace(/\/$/, '')
  }

  #tick(): number {
    this.#moment += 1
    return this.#moment
  }

  #tell(): void {
    for (const wake of this.#waiting) wake()
  }

  async #until(what: string, isSo: () => boolean): Promise<void> {
    if (isSo()) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const wake = (): void => {
      if (isSo()) resolve()
    }
    const timer = setTimeout(() => {
      const seen = this.calls().map(
        ({ method, path, status, failure }) =>
          `  ${method} ${path}: ${status ?? failure ?? 'no answer yet'}`,
      )
      reject(new Error(`Waited in vain for ${what} among\n${seen.join('\n')}`))
    }, TIMEOUT_MS)
    this.#waiting.add(wake)
    await promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(wake)
    })
  }
}

class RecordedCall implements Call {
  readonly method: string
  readonly path: string
  readonly began: number
  ended = NEVER
  isOver = false
  status: number | undefined
  failure: string | undefined
  #answer: Promise<Json> | undefined
  readonly #request: BrowserRequest

  constructor(request: BrowserRequest, path: string, began: number) {
    this.#request = request
    this.method = request.method()
    this.path = path
    this.began = began
  }

  get page(): Page {
    return this.#request.frame().page()
  }

  get query(): Readonly<Record<string, string>> {
    return Object.fromEntries(new URL(this.#request.url()).searchParams)
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#request.headers()
  }

  get isMultipart(): boolean {
    return dependencyOf(this.headers['content-type']) !== undefined
  }

  get body(): Json | undefined {
    const text = this.#request.postData()
    return text === null || text === '' ? undefined : (JSON.parse(text) as Json)
  }

  get parts(): readonly Part[] {
    const boundary = dependencyOf(this.headers['content-type']) ?? ''
    return readParts(Buffer.concat(bodies.get(boundary) ?? []), boundary)
  }

  readAnswer(): void {
    this.#answer = this.#request.response().then((response) => response?.json() as Promise<Json>)
    // Most responses are never read, and not all are JSON.
    this.#answer.catch(() => {})
  }

  async answer(): Promise<Json> {
    await this.#request.response()
    if (this.#answer === undefined) this.readAnswer()
    return this.#answer as Promise<Json>
  }

  async etag(): Promise<string | undefined> {
    const response = await this.#request.response()
    return (await response?.allHeaders())?.['etag']
  }
}

const matches = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text === wanted : wanted.test(text)

/**
 * Multipart bodies by boundary, as received by the server in this process. The browser does not expose the content of
 * uploaded files.
 */
const bodies = new Map<string, Buffer[]>()

subscribe('http.server.request.start', (message) => {
  const { request } = message as { readonly request: IncomingMessage }
  const boundary = dependencyOf(request.headers['content-type'])
  if (boundary === undefined) return
  const chunks: Buffer[] = []
  bodies.set(boundary, chunks)
  // A listener would start the stream before the server is ready for it.
  const push = request.push.bind(request)
  request.push = (chunk: Buffer | null, ...rest) => {
    if (chunk !== null) chunks.push(chunk)
    return push(chunk, ...rest)
  }
})

const dependencyOf = (contentType: string | undefined): string | undefined =>
  /^multipart\/form-data; boundary=(.+)$/.exec(contentType ?? '')?.[1]

const readParts = (body: Buffer, boundary: string): readonly Part[] =>
  body
    .toString('latin1')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const end = part.indexOf('\r\n\r\n')
      const head = utf8(part.slice(0, end))
      const content = part.slice(end + 4, -2)
      const name = /\bname="([^"]*)"/.exec(head)?.[1] ?? ''
      const file = /\bfilename="([^"]*)"/.exec(head)?.[1]
      if (file === undefined) return { name, text: utf8(content) }
      const type = /^content-type: (.+)$/im.exec(head)?.[1] ?? ''
      return {
        name,
        file,
        type,
        bytes: content.length,
        content: Buffer.from(content, 'latin1'),
      }
    })

const utf8 = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8')
