import type PocketBase from 'pocketbase'

import { SITES } from '#domain/collection.ts'

import { Failure, isPassing } from './client.ts'
import type { Scope } from './core.ts'
import type { Files } from './files.ts'
import { changeSite, putSite, type Change, type Op } from './log.ts'
import {
  outboxKey,
  type Later,
  type Outbox,
  type UnfinishedSave,
  type WaitingBusiness,
  type WaitingEdit,
  type OwnerCore,
} from './outbox.ts'
import type { DraftContent, FormName, Problem, SiteInput, SiteView, Store } from './state.ts'
import { siteFieldsOf } from './records.ts'

/** How long to wait before the next attempt, in milliseconds; the last one again and again. */
const RETRY_MS = [2000, 5000, 15_000, 60_000, 300_000]

type Waits = Pick<
  Store,
  'waiting' | 'subscribeWaiting' | 'createSiteLater' | 'updateSiteLater' | 'updateBusinessLater'
> & {
  /** Shows what waits to be sent as if it had been, in the data of whoever is signed in. */
  readonly show: () => void
  /** Sends all that waits, one after the other, if this is possible now. */
  readonly flush: () => Promise<void>
  /** Forgets what is shown: the session is gone. */
  readonly forget: () => void
  /** What waits for a form, in the words of the form. */
  readonly find: (form: FormName) => (Later & { readonly isNew: boolean }) | undefined
}

interface Senders {
  readonly save: (client: PocketBase, scope: Scope, save: UnfinishedSave) => Promise<void>
  readonly edit: (client: PocketBase, scope: Scope, edit: WaitingEdit) => Promise<void>
  readonly business: (client: PocketBase, scope: Scope, business: WaitingBusiness) => Promise<void>
  /** Makes sure that the data is what the server has; tells whether it is. */
  readonly refresh: () => Promise<boolean>
  /** Gives a form back what the server refused. */
  readonly returnDraft: (form: FormName, later: Later, isNew: boolean) => void
  /** Forgets files that nothing names any more. */
  readonly sweep: () => void
}

/** One thing that waits to be sent. */
interface Task {
  readonly id: string
  readonly action: 'createSite' | 'updateSite' | 'updateBusiness'
  readonly form: FormName
  readonly later: Later
  /** How the data looks once it was sent. */
  readonly change: Change
  readonly send: (client: PocketBase, scope: Scope) => Promise<void>
  readonly remove: (outbox: Outbox) => void
}

/** Keeps what was saved without a connection, shows it, and sends it later, once. */
export const createWaits = (core: OwnerCore, files: Files, senders: Senders): Waits => {
  const { env } = core
  const shown = new Map<string, { readonly op: Op; readonly at: number; readonly scope: Scope }>()
  const listeners = new Set<() => void>()
  let snapshot: ReturnType<Store['waiting']> = []
  let failures = 0
  let cancelRetry = (): void => {}

  /** In the order of sending: what others belong to comes first. */
  const list = (outbox: Outbox | undefined): readonly Task[] => {
    if (outbox === undefined) return []
    const business = outbox.business()
    return [
      ...(business === undefined ? [] : [businessTask(business)]),
      ...outbox.saves().flatMap((save) => (save.later === undefined ? [] : [saveTask(save)])),
      ...outbox.edits().map(editTask),
    ]
  }

  const businessTask = (business: WaitingBusiness): Task => ({
    id: business.id,
    action: 'updateBusiness',
    form: 'business',
    later: business.later,
    change: (data) => ({
      ...data,
      ...business.texts,
      ...(business.logo === 'none' ? { logo: '', fileSrc: '' } : {}),
    }),
    send: (client, scope) => senders.business(client, scope, business),
    remove: (outbox) => outbox.removeBusiness(),
  })
  const saveTask = (save: UnfinishedSave): Task => ({
    id: save.id,
    action: 'createSite',
    form: `site:${save.id}`,
    later: save.later ?? { at: 0, values: null, files: [] },
    change: (data) => {
      const stored = data.sites.find(({ id }) => id === save.id)
      return putSite(viewOf(save.id, save.input, save.connectors, stored))(data)
    },
    send: (client, scope) => senders.save(client, scope, save),
    remove: (outbox) => outbox.removeSave(save.id),
  })
  const editTask = (edit: WaitingEdit): Task => ({
    id: edit.id,
    action: 'updateSite',
    form: `site:${edit.id}`,
    later: edit.later,
    change: changeSite(edit.id, (stored) => {
      const view = viewOf(edit.id, edit.site, edit.connectors, stored)
      return {
        ...view,
        photos: view.photos.filter(({ name }) => !edit.removedPhotos.includes(name)),
      }
    }),
    send: (client, scope) => senders.edit(client, scope, edit),
    remove: (outbox) => outbox.removeEdit(edit.id),
  })

  const show = (): void => {
    const tasks = list(core.outbox())
    const wanted = new Map(tasks.map((task) => [keyOf(task), task]))
    for (const [key, { op, at, scope }] of shown) {
      if (wanted.get(key)?.later.at === at) continue
      shown.delete(key)
      scope.dispatch({ type: 'drop', op })
    }
    for (const [key, task] of wanted) {
      if (shown.has(key)) continue
      const scope = core.scope()
      const op: Op = { apply: task.change }
      shown.set(key, { op, at: task.later.at, scope })
      scope.dispatch({ type: 'begin', op })
    }
    if (snapshot.length === 0 && tasks.length === 0) return
    snapshot = tasks.map(({ id, action, later }) => ({ id, action, at: later.at }))
    listeners.forEach((listener) => listener())
  }

  const forget = (): void => {
    cancelRetry()
    failures = 0
    shown.clear()
    snapshot = []
    listeners.forEach((listener) => listener())
  }

  let flushing: Promise<void> | undefined
  let again = false
  const flush = (): Promise<void> => {
    again = flushing !== undefined
    flushing ??= sendAll().finally(() => {
      flushing = undefined
      if (again) void flush()
      again = false
    })
    return flushing
  }

  const sendAll = async (): Promise<void> => {
    cancelRetry()
    const scope = core.scope()
    const outbox = core.outbox()
    const canSend = (): boolean => scope.isCurrent() && core.session.isValid() && env.isOnline()
    if (outbox === undefined || list(outbox).length === 0 || !canSend()) return
    if (!(await senders.refresh())) return retryLater()
    // One tab sends; those that waited for it find nothing left.
    await env.lock(`voltleaf:send:${scope.user.id}`, async () => {
      const refused = new Set<string>()
      for (;;) {
        const deleted = new Set(outbox.deletes().map(({ id }) => id))
        const task = list(outbox).find(
          (each) => !deleted.has(each.id) && !refused.has(keyOf(each) + each.later.at),
        )
        if (task === undefined || !canSend()) break
        const problem = await send(task, scope)
        if (!scope.isCurrent()) return
        if (problem !== undefined && isPassing(problem)) return retryLater()
        failures = 0
        // The person may have changed it again meanwhile: then that is sent, too.
        const isLatest = list(outbox).some(
          (each) => keyOf(each) === keyOf(task) && each.later.at === task.later.at,
        )
        if (isLatest) {
          if (problem !== undefined) refuse(task, problem, outbox)
          task.remove(outbox)
        } else if (problem !== undefined) refused.add(keyOf(task) + task.later.at)
        show()
        senders.sweep()
      }
    })
    if (scope.isCurrent()) show()
  }

  const send = async (task: Task, scope: Scope): Promise<Problem | undefined> => {
    try {
      if (!core.session.isValid()) throw new Failure('signedOut')
      const client = await core.client()
      scope.check()
      await task.send(client, scope)
      return undefined
    } catch (error) {
      return scope.isCurrent() ? core.explain(error) : new Failure('signedOut').problem
    }
  }

  const retryLater = (): void => {
    const delayMs = RETRY_MS[failures] ?? RETRY_MS.at(-1) ?? 0
    failures++
    cancelRetry()
    cancelRetry = env.after(delayMs, () => void flush())
  }

  /** What will never be accepted as it is goes back to its form, and the person is told. */
  const refuse = (task: Task, problem: Problem, outbox: Outbox): void => {
    const isNew =
      task.action === 'createSite' && !core.base()?.sites.some(({ id }) => id === task.id)
    // Some of its files may have arrived.
    const left = list(outbox).find((each) => keyOf(each) === keyOf(task))
    senders.returnDraft(task.form, left?.later ?? task.later, isNew)
    core.notify(
      { action: task.action, subject: task.id, form: { name: task.form, isNew } },
      problem,
    )
  }

  /** Keeps the files first: what names them comes last. */
  const keepLater = async (
    content: DraftContent,
    put: (later: Later, outbox: Outbox) => boolean,
  ): Promise<boolean> => {
    const scope = core.scope()
    const outbox = core.outbox()
    if (outbox === undefined) return false
    try {
      await files.keep(scope.user.id, content.files)
    } catch {
      return false
    }
    if (!scope.isCurrent()) return false
    const later: Later = {
      at: env.now(),
      values: content.values,
      files: content.files.map(files.keyOf),
    }
    if (!put(later, outbox)) return false
    show()
    void flush()
    return true
  }

  env.on('storage', (key) => {
    const { user } = core.getState()
    if (user === null || key !== outboxKey(user.id)) return
    const left = new Set(list(core.outbox()).map(keyOf))
    // Sent by another tab: what it made is read before what stood for it goes.
    if ([...shown.keys()].some((each) => !left.has(each)) && core.session.isValid())
      void senders.refresh().then(show)
    else show()
  })

  return {
    show,
    flush,
    forget,
    find: (form) => {
      const task = list(core.outbox()).find((each) => each.form === form)
      if (task === undefined) return undefined
      return { ...task.later, isNew: task.action === 'createSite' }
    },
    waiting: () => snapshot,
    subscribeWaiting: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    createSiteLater: (id, input, connectors, content) =>
      keepLater(content, (later, outbox) =>
        outbox.putSave({
          id,
          input,
          connectors,
          photoCount: content.files.length,
          failed: false,
          later,
        }),
      ),
    updateSiteLater: (base, edit, content) =>
      keepLater(content, (later, outbox) => {
        const before = outbox.edits().find(({ id }) => id === base.id)
        const { photoOrder = null, ...rest } = edit
        return outbox.putEdit({
          ...rest,
          id: base.id,
          base: before?.base ?? base,
          photoOrder:
            photoOrder?.map((photo) => (typeof photo === 'string' ? photo : files.keyOf(photo))) ??
            null,
          later,
        })
      }),
    updateBusinessLater: (base, { logo, ...texts }, content) =>
      keepLater(content, (later, outbox) => {
        const before = outbox.business()
        const { name, description, website, contact_email } = before?.base ?? base
        return outbox.putBusiness({
          id: base.id,
          base: { name, description, website, contact_email },
          texts: { ...before?.texts, ...texts },
          logo: logo === undefined ? (before?.logo ?? 'same') : logo === null ? 'none' : 'new',
          later,
        })
      }),
  }
}

const keyOf = ({ action, id }: Pick<Task, 'action' | 'id'>): string => `${action} ${id}`

/** A site as it will be. Photos appear once they have arrived. */
const viewOf = (
  id: string,
  input: SiteInput,
  connectors: readonly Omit<SiteView['connectors'][number], 'site'>[],
  stored: SiteView | undefined,
): SiteView => ({
  id,
  collectionName: SITES,
  photos: [],
  ...stored,
  ...siteFieldsOf(input),
  connectors: connectors.map((connector) => ({ ...connector, site: id })),
})
