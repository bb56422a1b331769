import type { Environment } from '../../web/data/environment.ts'
import { createOwner } from '../../web/data/owner.ts'
import { SESSION_KEY } from '../../web/data/session.ts'
import { createStore } from '../../web/data/store.ts'
import type { Store } from '../../web/data/state.ts'
import type { Collection } from '#domain/collection.ts'
import { users, type User } from '#domain/user.ts'

/** A request of the page without a response yet. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  /** JSON bodies are parsed; multipart bodies are lists of their parts. */
  readonly body: Record<string, unknown>
  readonly multipart: boolean
  readonly keepalive: boolean
  aborted: boolean
  readonly answer: (
    status: number,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<void>
  /** Reports upload progress, from 0 to 1. */
  readonly progress: (fraction: number) => void
  /** Fails the request with a network error. */
  readonly fail: () => Promise<void>
}

/** The storage that the tabs of one browser share. */
export interface Device {
  now: number
  readonly storage: Map<string, string>
  /** Object storage. */
  readonly objects: Map<string, unknown>
  /** Whether the storage is full. */
  isFull: boolean
  isOnline: boolean
  readonly pages: FakePage[]
  readonly locks: Map<string, Promise<unknown>>
  readonly lockedNames: Set<string>
}

export const newDevice = (): Device => ({
  now: Date.UTC(2026, 0, 1),
  storage: new Map(),
  objects: new Map(),
  isFull: false,
  isOnline: true,
  pages: [],
  locks: new Map(),
  lockedNames: new Set(),
})

interface PageOptions {
  /** The plain collections; by default, those of the product. */
  readonly plain?: readonly Collection[]
  /** The origin of a server that responds instead of the test. */
  readonly server?: string
}

/** A page with the real store and the real SDK, whose network and clock the test controls. */
export class FakePage {
  readonly store: Store
  readonly device: Device
  /** Every request of the page, in order. */
  readonly sent: Request[] = []
  /** The responses of a server, as `METHOD path`. */
  readonly answered: string[] = []
  /** The URL that the page has navigated to. */
  left: string | undefined
  readonly sessionStorage: Map<string, string>
  #timers = new Map<number, { at: number; task: () => void }>()
  #timerCount = 0
  #idCount = 0
  #taken = new Set<Request>()
  #listeners: { event: string; listener: (key: string | null) => void }[] = []

  readonly #server: string | undefined

  constructor(
    device: Device = newDevice(),
    sessionStorage = new Map<string, string>(),
    { plain, server }: PageOptions = {},
  ) {
    this.device = device
    this.#server = server
    this.sessionStorage = sessionStorage
    device.pages.push(this)
    this.store = createStore(this.environment(), async (...args) => createOwner(...args, plain))
  }

  /** The next unhandled request with this method and path. */
  async next(method: string, path: string | RegExp): Promise<Request> {
    for (let round = 0; round < 50; round++) {
      const found = this.waiting(method, path)[0]
      if (found !== undefined) {
        this.#taken.add(found)
        return found
      }
      await settle()
    }
    const seen = this.sent.map((request) => `${request.method} ${request.path}`).join('\n  ')
    throw new Error(`No request ${method} ${String(path)} among\n  ${seen}`)
  }

  waiting(method: string, path: string | RegExp): Request[] {
    return this.sent.filter(
      (request) =>
        !this.#taken.has(request) &&
        request.method === method &&
        (typeof path === 'string' ? request.path === path : path.test(request.path)),
    )
  }

  /** The sent requests, as `METHOD path`. */
  log(): string[] {
    return this.sent.map(({ method, path }) => `${method} ${path}`)
  }

  async advance(ms: number): Promise<void> {
    this.device.now += ms
    for (const page of this.device.pages) page.#runTimers()
    await settle()
  }

  emit(event: 'visible' | 'hidden' | 'leave' | 'hide' | 'restore' | 'online'): void {
    this.#emit(event, null)
  }

  /** Ends the page immediately: none of its code runs any more, and its locks are released. */
  crash(): void {
    const { pages, locks } = this.device
    pages.splice(pages.indexOf(this), 1)
    locks.clear()
  }

  #runTimers(): void {
    for (const [id, timer] of [...this.#timers].sort(([, a], [, b]) => a.at - b.at))
      if (timer.at <= this.device.now && this.#timers.delete(id)) timer.task()
  }

  #emit(event: string, key: string | null): void {
    for (const each of this.#listeners) if (each.event === event) each.listener(key)
  }

  #tellOthers(key: string): void {
    for (const page of this.device.pages) if (page !== this) page.#emit('storage', key)
  }

  /** The environment of a data core in this page. */
  environment(): Environment {
    const { device, sessionStorage } = this
    const local = device.storage
    return {
      origin: this.#server ?? 'http://app.test',
      basePath: '',
      language: () => 'de',
      localStorage: {
        get: (key) => local.get(key) ?? null,
        set: (key, value) => {
          if (device.isFull) return false
          const changed = local.get(key) !== value
          local.set(key, value)
          if (changed) this.#tellOthers(key)
          return true
        },
        remove: (key) => {
          if (local.delete(key)) this.#tellOthers(key)
        },
      },
      sessionStorage: {
        get: (key) => sessionStorage.get(key) ?? null,
        set: (key, value) => sessionStorage.set(key, value) !== undefined,
        remove: (key) => void sessionStorage.delete(key),
      },
      objects: {
        get: (key) => Promise.resolve(device.objects.get(key)),
        set: (key, value) => {
          if (device.isFull) return Promise.reject(new Error('QuotaExceededError'))
          device.objects.set(key, value)
          return Promise.resolve()
        },
        remove: (keys) => {
          for (const key of keys) device.objects.delete(key)
          return Promise.resolve()
        },
        keys: (prefix) =>
          Promise.resolve([...device.objects.keys()].filter((key) => key.startsWith(prefix))),
      },
      lock: (name, task) => {
        const before = device.locks.get(name) ?? Promise.resolve()
        const mine = before.catch(() => undefined).then(task)
        device.locks.set(name, mine)
        return mine
      },
      tryLock: (name) => {
        if (device.lockedNames.has(name)) return Promise.resolve(undefined)
        device.lockedNames.add(name)
        return Promise.resolve(() => void device.lockedNames.delete(name))
      },
      isOnline: () => device.isOnline,
      fetch: (url, init) => this.#fetch(url, init),
      upload: (watch) => (url, init) => this.#fetch(url, init, watch),
      now: () => device.now,
      after: (delayMs, task) => {
        const id = ++this.#timerCount
        this.#timers.set(id, { at: device.now + delayMs, task })
        return () => void this.#timers.delete(id)
      },
      redirect: (url) => {
        this.left = url
      },
      report: (error) => {
        throw error
      },
      newId: () =>
        `new${String(device.pages.indexOf(this))}${String(++this.#idCount)}`.padEnd(15, '0'),
      onLeave: (listener) => {
        const added = { event: 'leave', listener }
        this.#listeners.push(added)
        return () => void this.#listeners.splice(this.#listeners.indexOf(added), 1)
      },
      on: (event: string, listener: (key: string | null) => void) =>
        void this.#listeners.push({ event, listener }),
    }
  }

  #fetch(
    target: RequestInfo | URL,
    init: RequestInit = {},
    progress: (fraction: number) => void = () => {},
  ): Promise<Response> {
    const url = target instanceof globalThis.Request ? target.url : target
    const { pathname, searchParams } = new URL(url)
    if (this.#server !== undefined)
      return fetch(target, init).finally(() => this.answered.push(`${init.method} ${pathname}`))
    return new Promise((resolve, reject) => {
      const request: Request = {
        method: init.method ?? 'GET',
        path: pathname,
        query: searchParams,
        headers: new Headers(init.headers),
        body: readBody(init.body),
        multipart: init.body instanceof FormData,
        keepalive: init.keepalive === true,
        aborted: false,
        progress,
        answer: (status, body, headers) => {
          const text = body === undefined ? null : JSON.stringify(body)
          resolve(new Response(text, { status, ...(headers === undefined ? {} : { headers }) }))
          return settle()
        },
        fail: () => {
          reject(new TypeError('Failed to fetch'))
          return settle()
        },
      }
      init.signal?.addEventListener('abort', () => {
        request.aborted = true
        reject(new DOMException('Aborted', 'AbortError'))
      })
      this.sent.push(request)
    })
  }
}

const readBody = (body: unknown): Record<string, unknown> => {
  if (typeof body === 'string') return JSON.parse(body) as Record<string, unknown>
  if (!(body instanceof FormData)) return {}
  return Object.fromEntries([...new Set(body.keys())].map((name) => [name, body.getAll(name)]))
}

/** Runs all pending microtasks. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** A token that expires at `expiresAt`, in milliseconds. */
export const makeToken = (userId: string, expiresAt: number, mark = ''): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [part({ alg: 'HS256' }), part({ id: userId, exp: expiresAt / 1000 }), `sig${mark}`].join(
    '.',
  )
}

export const makeUser = (id: string, changes: Partial<User> = {}): User => ({
  id,
  collectionId: users.id,
  collectionName: 'users',
  name: 'Ada',
  username: '',
  email: `${id}@example.com`,
  emailVisibility: false,
  verified: true,
  onboarded: true,
  created: '2026-01-01 00:00:00.000Z',
  updated: '2026-01-01 00:00:00.000Z',
  ...changes,
})

const FIVE_DAYS_MS = 5 * 24 * 60 * 60 * 1000

/** Stores a session, as if left by an earlier visit. */
export const storeSession = (
  device: Device,
  user: User,
  lifetimeMs = FIVE_DAYS_MS,
  token = makeToken(user.id, device.now + lifetimeMs),
): void => {
  device.storage.set(SESSION_KEY, JSON.stringify({ token, record: user }))
}
