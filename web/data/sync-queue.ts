import type PocketBase from 'pocketbase'

import { Failure, isCancelled, isTransient, StepFailed } from './client.ts'
import { outdated, type Core, type SessionScope } from './core.ts'
import type { Environment } from './environment.ts'
import type { Files } from './files.ts'
import type { Op } from './log.ts'
import {
  changeOf,
  formOf,
  isCreation,
  isDelete,
  mutationsKey,
  openMutations,
  type Mutation,
  type MutationList,
} from './mutations.ts'
import type {
  Action,
  Notice,
  PhotoWatch,
  Problem,
  Refusal,
  Result,
  SavedWrite,
  QueuedWrite,
  WriteOptions,
} from './state.ts'

/** Maximum wait of a save for its files to be stored on the device, in milliseconds. */
const STORE_TIMEOUT_MS = 2000
/** Maximum time from the start of a navigation until the next page, in milliseconds. */
const NAVIGATION_TIMEOUT_MS = 20_000
/** Retry delays in milliseconds; the last one repeats. */
const RETRY_MS = [2000, 5000, 15_000, 60_000, 300_000]

/** One attempt to send a mutation. */
export interface Run<M extends Mutation = Mutation> {
  readonly client: PocketBase
  readonly scope: SessionScope
  /** The mutation at the start of the attempt. */
  readonly mutation: M
  /** Its files that are not uploaded yet and still on the device. */
  readonly files: readonly File[]
  readonly watch: PhotoWatch
  /** True right after the commit on this page: its base is what the owner has seen. */
  readonly isFirst: boolean
  /** Records progress in the mutation. */
  note(this: void, change: (mutation: M) => M): void
}

interface Callbacks {
  /** Sends a mutation once; rejects with the cause, or with `StepFailed` if a part has succeeded. */
  readonly send: (run: Run) => Promise<SavedWrite>
  /** Ensures that the data is up to date with the server; returns whether it is. */
  readonly refresh: () => Promise<boolean>
  /** Reads the data again; returns whether it could. */
  readonly reload: () => Promise<boolean>
  /** Returns a refused mutation to its form. */
  readonly returnDraft: (mutation: Mutation, isNew: boolean) => void
  /** Removes the draft of a mutation unless its form was changed since. */
  readonly dropDraft: (mutation: Mutation) => void
  /** Removes files that nothing refers to. */
  readonly sweep: () => void
}

/** The state of a commit while this page sends it. */
interface Commit extends WriteOptions {
  /** Repeats the write, if a notice offers to; called with the keys of the remaining files. */
  readonly retry: (left: ReadonlySet<string>) => void
}

/** The single queue of writes: stores them on the device, shows them as optimistic updates, and sends each once. */
export class SyncQueue {
  readonly #core: Core
  readonly #files: Files
  readonly #callbacks: Callbacks
  /** The mutations that this page is sending. */
  readonly #running = new Map<string, Mutation>()
  /** Mutations that the device could not store: they live as long as the page. */
  readonly #unstored = new Map<string, Mutation>()
  readonly #shown = new Map<string, { readonly op: Op; readonly scope: SessionScope }>()
  #queuedWrites: readonly QueuedWrite[] = []
  #failures = 0
  #cancelRetry = (): void => {}
  #flushing: Promise<void> | undefined
  #again = false
  /** Mutations that another tab has finished. They stay shown until their results are read. */
  readonly #unread = new Set<string>()
  #isReading = false
  /** Failed mutations of a page that may be about to end. */
  readonly #leaving = new Set<string>()

  constructor(core: Core, files: Files, callbacks: Callbacks) {
    this.#core = core
    this.#files = files
    this.#callbacks = callbacks
    core.env.on('storage', (key) => this.#followOtherTab(key))
  }

  /** All unanswered mutations, in the order of their commits. */
  all(): readonly Mutation[] {
    const stored = this.#stored()?.all() ?? []
    const known = new Set(stored.map(({ id }) => id))
    return [...stored, ...[...this.#unstored.values()].filter(({ id }) => !known.has(id))]
  }

  /** The first mutation of this kind for this record. */
  about<K extends Mutation['kind']>(
    kind: K,
    subject: string,
  ): Extract<Mutation, { kind: K }> | undefined {
    return this.all().find(
      (each): each is Extract<Mutation, { kind: K }> =>
        each.kind === kind && each.subject === subject,
    )
  }

  #find(id: string): Mutation | undefined {
    return this.all().find((each) => each.id === id)
  }

  put(mutation: Mutation): boolean {
    const isStored = this.#stored()?.put(mutation) ?? false
    if (isStored) this.#unstored.delete(mutation.id)
    else this.#unstored.set(mutation.id, mutation)
    return isStored
  }

  remove(id: string): void {
    this.#unstored.delete(id)
    this.#stored()?.remove(id)
  }

  clear(): void {
    this.#unstored.clear()
    this.#stored()?.clear()
  }

  /**
   * Stores a mutation with its files, shows it and sends it. With `queue`, resolves as soon as it is stored;
   * otherwise once it is answered.
   */
  commit(mutation: Mutation, files: readonly File[], how: Commit): Promise<Result<SavedWrite>> {
    const { kind, subject } = mutation
    for (const action of [kind, ...STEPS]) this.#core.clearNotice({ action, subject })
    return mutation.isKept ? this.#enqueue(mutation, files) : this.#sendFirst(mutation, files, how)
  }

  /**
   * Shows a mutation until it is answered, and sends it with what the owner has just seen as its base. If the device
   * cannot store it, it lives as long as the page.
   */
  async run(mutation: Mutation): Promise<void> {
    this.put(mutation)
    this.show()
    const isAlone = this.all().every(({ id, isKept }) => !isKept || id === mutation.id)
    if (!isAlone || !this.#canSend()) return this.flush()
    const problem = await this.#sendInBackground(mutation)
    if (problem !== undefined && isTransient(problem)) this.#retryLater()
  }

  async #sendFirst(mutation: Mutation, files: readonly File[], how: Commit) {
    const { env } = this.#core
    const scope = this.#core.scope()
    const { id } = mutation
    this.#running.set(id, mutation)
    if (files.length === 0) this.#replace(mutation)
    else this.#unstored.set(id, mutation)
    this.show()
    const navigation = watchNavigation(env)
    let result: Result<SavedWrite> = outdated(mutation.kind)
    try {
      await env.lock(lockOf(mutation), async () => {
        if (files.length > 0) await this.#storeWithFiles(mutation, files, scope)
        result = await this.#attempt(mutation, files, how, scope, navigation)
      })
    } finally {
      navigation.stop()
    }
    return result
  }

  /**
   * Stores a mutation after its files; without them it would be sent incomplete. A slow device does not delay the save.
   */
  async #storeWithFiles(
    { id }: Mutation,
    files: readonly File[],
    scope: SessionScope,
  ): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const cancel = this.#core.env.after(STORE_TIMEOUT_MS, resolve)
    const stored = this.#files.store(scope.user.id, files).then(
      () => {
        const now = this.#unstored.get(id)
        if (scope.isCurrent() && now !== undefined) this.#replace(now)
      },
      () => undefined,
    )
    await Promise.race([stored, late])
    cancel()
  }

  /** Stores the files first, then the mutation that refers to them. */
  async #enqueue(mutation: Mutation, files: readonly File[]): Promise<Result<SavedWrite>> {
    const scope = this.#core.scope()
    const refusal: Refusal = { problem: new Failure('unexpected').problem, action: 'queue' }
    try {
      await this.#files.store(scope.user.id, files)
    } catch {
      return refusal
    }
    if (!scope.isCurrent()) return outdated(mutation.kind)
    if (!this.#replace(mutation)) {
      this.remove(mutation.id)
      return refusal
    }
    this.show()
    void this.flush()
    return { value: { isQueued: true } }
  }

  /**
   * Stores a mutation in place of the queued or held ones for the same record. Returns whether it was stored.
   */
  #replace(mutation: Mutation): boolean {
    const { kind, subject } = mutation
    const former = this.all().filter(
      (each) =>
        each.kind === kind &&
        each.subject === subject &&
        each.id !== mutation.id &&
        (((each.isKept || each.isHeld) && !this.#running.has(each.id)) ||
          this.#leaving.has(each.id)),
    )
    const isStored = this.put(mutation)
    if (isStored || !mutation.isKept) for (const { id } of former) this.remove(id)
    return isStored
  }

  /**
   * Shows mutations in flight or queued as optimistic updates. A new site or record that is in flight appears once
   * it is stored: until then it cannot be used.
   */
  show(): void {
    const all = this.all()
    const isShown = (mutation: Mutation): boolean =>
      mutation.isKept ||
      isDelete(mutation) ||
      (this.#running.has(mutation.id) && !isCreation(mutation))
    const wanted = new Map(all.filter(isShown).map((each) => [each.id, each]))
    for (const [id, { op, scope }] of this.#shown) {
      if (wanted.has(id) || this.#unread.has(id)) continue
      this.#shown.delete(id)
      scope.dispatch({ type: 'drop', op })
    }
    for (const [id, mutation] of wanted) {
      if (this.#shown.has(id)) continue
      const scope = this.#core.scope()
      const op: Op = { apply: changeOf(mutation) }
      this.#shown.set(id, { op, scope })
      scope.dispatch({ type: 'begin', op })
    }
    const queued = all.flatMap(({ isKept, subject, kind, at }) =>
      isKept && kind !== 'updateSites' ? [{ id: subject, action: kind, at }] : [],
    )
    if (queued.length === 0 && this.#queuedWrites.length === 0) return
    this.#queuedWrites = queued
    this.#core.changed()
  }

  /** The writes that wait for a connection, in the order of sending. */
  queuedWrites = (): readonly QueuedWrite[] => this.#queuedWrites

  /** Removes the optimistic updates: the session is over. */
  forget(): void {
    this.#cancelRetry()
    this.#failures = 0
    this.#shown.clear()
    this.#unread.clear()
    this.#running.clear()
    this.#leaving.clear()
    this.#unstored.clear()
    this.#queuedWrites = []
    this.#core.changed()
  }

  /** Finishes what earlier pages have begun, then sends the queue. */
  async resume(): Promise<void> {
    for (const mutation of this.all()) {
      if (isDelete(mutation) || mutation.isKept || this.#running.has(mutation.id)) continue
      const isBegun =
        mutation.kind === 'createSite' &&
        this.#core.base()?.sites.some(({ id }) => id === mutation.subject) === true
      // A business that may have been created is found by its id.
      if (mutation.isHeld && mutation.kind === 'createBusiness' && this.#core.base() === null)
        continue
      // A failure that the owner has seen is retried only by the owner, from the draft of its form.
      if (mutation.isHeld && !isBegun) this.remove(mutation.id)
      // oxlint-disable-next-line no-await-in-loop -- in the order of commits
      else if (this.#canSend()) await this.#sendInBackground(mutation)
    }
    await this.flush()
  }

  /** Sends the queue, one mutation at a time, if online and signed in. */
  flush(): Promise<void> {
    this.#again = this.#flushing !== undefined
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = undefined
      if (this.#again) void this.flush()
      this.#again = false
    })
    return this.#flushing
  }

  async #flushAll(): Promise<void> {
    this.#cancelRetry()
    const scope = this.#core.scope()
    const tried = new Set<string>()
    const next = (): Mutation | undefined => {
      const all = this.all()
      const deleted = all.filter(isDelete).map(({ subject }) => subject)
      return all.find(
        ({ id, isKept, subject }) => isKept && !deleted.includes(subject) && !tried.has(id),
      )
    }
    if (next() === undefined || !this.#canSend()) return
    if (!(await this.#callbacks.refresh())) return this.#retryLater()
    for (let mutation = next(); mutation !== undefined && this.#canSend(); mutation = next()) {
      tried.add(mutation.id)
      const problem = await this.#sendInBackground(mutation)
      if (!scope.isCurrent()) return
      if (problem !== undefined && isTransient(problem)) return this.#retryLater()
      this.#failures = 0
    }
    if (scope.isCurrent()) this.show()
  }

  /** Sends a mutation in the background; one tab sends it, and the others find it answered. */
  async #sendInBackground(known: Mutation): Promise<Problem | undefined> {
    const { id } = known
    const scope = this.#core.scope()
    let problem: Problem | undefined
    await this.#core.env.lock(lockOf(known), async () => {
      const mutation = this.#find(id)
      if (mutation === undefined || this.#running.has(id) || !scope.isCurrent()) return
      const keys = mutation.files.map(({ key }) => key)
      const files = await this.#files.fetch(scope.user.id, keys)
      this.#running.set(id, mutation)
      this.show()
      problem = (await this.#attempt(mutation, files, undefined, scope)).problem
    })
    if (scope.isCurrent()) this.#callbacks.sweep()
    return problem
  }

  /** Sends a mutation once, and handles the outcome. The caller holds its lock. */
  async #attempt(
    mutation: Mutation,
    files: readonly File[],
    commit: Commit | undefined,
    scope: SessionScope,
    navigation?: Navigation,
  ): Promise<Result<SavedWrite>> {
    const core = this.#core
    const { id, kind } = mutation
    const note = (change: (mutation: Mutation) => Mutation): void => {
      const now = this.#find(id)
      if (!scope.isCurrent() || now === undefined) return
      if (this.#unstored.has(id)) this.#unstored.set(id, change(now))
      else this.put(change(now))
    }
    const watch = commit?.watch ?? UNWATCHED
    try {
      if (!core.session.isValid()) throw new Failure('signedOut')
      const client = await core.client()
      scope.check()
      const isFirst = commit !== undefined
      const value = await this.#callbacks.send({
        client,
        scope,
        mutation,
        files,
        watch,
        isFirst,
        note,
      })
      if (!scope.isCurrent()) return outdated(kind)
      this.#end(mutation)
      // Also after a retry of a notice, when the form that wrote the draft has gone.
      if (mutation.values !== null) this.#callbacks.dropDraft(mutation)
      return { value }
    } catch (error) {
      if (!scope.isCurrent()) return outdated(kind)
      const cause = error instanceof StepFailed ? error.cause : error
      const problem = isCancelled(cause)
        ? new Failure('cancelled').problem
        : await core.explain(cause)
      if (navigation !== undefined && problem.status === 0 && isTransient(problem)) {
        this.#leaving.add(id)
        await navigation.end()
        this.#leaving.delete(id)
        // Meanwhile a newer write has replaced it, or another page has sent it.
        if (scope.isCurrent() && this.#find(id) === undefined) {
          this.#end(mutation)
          return outdated(kind)
        }
      }
      if (!scope.isCurrent()) return outdated(kind)
      const refusal: Refusal = {
        action: kind,
        ...collectionOf(mutation),
        ...(error instanceof StepFailed ? error.details : {}),
        problem,
      }
      if (commit === undefined) this.#handleBackgroundFailure(mutation, refusal)
      else this.#handleFailure(mutation, refusal, commit)
      return refusal
    }
  }

  /** Removes a mutation that was answered or undone. */
  #end({ id }: Mutation): void {
    this.#running.delete(id)
    this.remove(id)
    this.show()
  }

  /** Leaves a mutation in the list; it is shown only if queued. */
  #retain(mutation: Mutation, change: Partial<Mutation>): void {
    const now = this.#find(mutation.id)
    this.#running.delete(mutation.id)
    if (now !== undefined) this.put({ ...now, ...change } as Mutation)
    this.show()
  }

  /** Handles a failed write that the owner waits for. The values are still in the form, and the owner decides. */
  #handleFailure(mutation: Mutation, refusal: Refusal, commit: Commit): void {
    const { kind, subject } = mutation
    const { problem, failures } = refusal
    const files = this.#find(mutation.id)?.files ?? []
    // Without a response the record may exist: its connectors and photos still have to be sent.
    const mayExist =
      isTransient(problem) ||
      problem.kind === 'unexpected' ||
      refusal.hasBegun === true ||
      this.#isStored(subject)
    const isNew = kind === 'createSite' || kind === 'createBusiness'
    if (isNew && mayExist) this.#retain(mutation, { isHeld: true })
    else this.#end(mutation)
    if (problem.kind === 'cancelled') return
    // The list of sites reports missing connectors, even if the form has shown them.
    const isOfForm = failures !== undefined && commit.values !== undefined
    if (!isOfForm && commit.isAwaited?.() === true) return
    const retry = (): void => commit.retry(new Set(files.map(({ key }) => key)))
    const call = { action: actionOf(refusal, kind), subject, retry, ...collectionOf(mutation) }
    this.#core.notify(call, problem, failures)
  }

  /** Handles a failed write that was sent in the background. */
  #handleBackgroundFailure(mutation: Mutation, refusal: Refusal): void {
    const { kind, subject, isKept } = mutation
    const { problem, failures } = refusal
    if (problem.kind === 'cancelled') return this.#retain(mutation, {})
    if (kind === 'createSite' && !isKept && failures !== undefined) {
      this.#retain(mutation, { isHeld: true })
      const retry = (): void => void this.#sendInBackground(mutation)
      this.#core.notify({ action: 'saveConnectors', subject, retry }, problem, failures)
      return
    }
    if (isTransient(problem)) {
      this.#retain(mutation, { isKept: true })
      if (!isKept) this.#retryLater()
      return
    }
    // A permanently refused mutation returns to its form, unless it was replaced in the meantime.
    const now = this.#find(mutation.id)
    const isNew = isCreation(mutation) && !this.#isStored(subject)
    if (now !== undefined) {
      this.#callbacks.returnDraft(now, isNew)
      const form = { name: formOf(now), isNew }
      this.#core.notify({ action: kind, subject, form, ...collectionOf(now) }, problem)
    }
    this.#end(mutation)
  }

  #isStored(siteId: string): boolean {
    return this.#core.base()?.sites.some(({ id }) => id === siteId) === true
  }

  #retryLater(): void {
    const delayMs = RETRY_MS[this.#failures] ?? RETRY_MS.at(-1) ?? 0
    this.#failures++
    this.#cancelRetry()
    this.#cancelRetry = this.#core.env.after(delayMs, () => void this.flush())
  }

  #canSend(): boolean {
    const { session, env } = this.#core
    return this.#core.getState().user !== null && session.isValid() && env.isOnline()
  }

  #stored(): MutationList | undefined {
    const { user } = this.#core.getState()
    const { env } = this.#core
    return user === null ? undefined : openMutations(env.localStorage, user.id)
  }

  #followOtherTab(key: string | null): void {
    const { user } = this.#core.getState()
    if (user === null || key !== mutationsKey(user.id)) return
    const left = new Set(this.all().map(({ id }) => id))
    if (this.#core.session.isValid())
      for (const id of this.#shown.keys()) if (!left.has(id)) this.#unread.add(id)
    this.show()
    void this.#readResults()
  }

  /** Reads the results of mutations that another tab has finished, one read at a time. */
  async #readResults(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    while (this.#unread.size > 0) {
      // Those that are finished during the read may not be in it.
      const ids = [...this.#unread]
      await this.#callbacks.reload()
      for (const id of ids) this.#unread.delete(id)
      this.show()
    }
    this.#isReading = false
  }
}

interface Navigation {
  readonly stop: () => void
  readonly end: () => Promise<void>
}

/**
 * Browsers abort the requests of a page that is left, and run its code until the next page arrives. Until `end`
 * resolves, their failure is not handled: the mutation stays in the list, and the next page sends it. `end` resolves
 * immediately if no navigation has begun, and after a timeout if the page stays, for example after a download.
 */
const watchNavigation = (env: Environment): Navigation => {
  let leftAtMs = -Infinity
  const stop = env.onLeave(() => {
    leftAtMs = env.now()
  })
  const end = async (): Promise<void> => {
    const elapsedMs = env.now() - leftAtMs
    if (elapsedMs < 0 || elapsedMs >= NAVIGATION_TIMEOUT_MS) return
    await new Promise<void>((resolve) => env.after(NAVIGATION_TIMEOUT_MS - elapsedMs, resolve))
  }
  return { stop, end }
}

const collectionOf = (mutation: Mutation): Pick<Notice, 'collection'> =>
  'collection' in mutation ? { collection: mutation.collection } : {}

const actionOf = ({ action }: Refusal, kind: Mutation['kind']): Action =>
  action === 'queue' ? kind : action

/** Writes of one plain record are sent sequentially; those of a site may overlap. */
const lockOf = (mutation: Mutation): string =>
  `voltleaf:mutation:${'collection' in mutation ? mutation.subject : mutation.id}`

/** The steps of a write that can fail separately. */
const STEPS = ['savePhotos', 'orderPhotos', 'removePhoto', 'saveConnectors'] as const

const UNWATCHED: PhotoWatch = () => {}
