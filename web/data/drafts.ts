import { parseJson } from '#domain/json.ts'

import type { TextStorage } from '../storage.ts'
import type { Core } from './core.ts'
import type { Files } from './files.ts'
import { recordsIn, type Data } from './log.ts'
import { formOf, isCreation, type Mutation } from './mutations.ts'
import type { DraftSlot, FormName, ListedDraft, Store } from './state.ts'

/** An unsaved form as stored. */
interface DraftText {
  /** Time of the last write, in milliseconds. */
  readonly at: number
  /** The record is not on the server yet. */
  readonly isNew: boolean
  /** The values of the form as JSON, in the form's own format. */
  readonly values: unknown
  /** Keys of the files of the form. */
  readonly files: readonly string[]
}

/**
 * The drafts of one user on this device. Read from storage on each call, because tabs share them. A form that is open
 * in several tabs can have several drafts, so a write names the content of the draft that it replaces.
 */
interface DraftList {
  /** Newest first. */
  readonly list: () => readonly NamedDraft[]
  /** Stores a draft in place of the one with the content `replaced`; returns false if there was no room. */
  readonly put: (draft: NamedDraft, replaced: string | undefined) => boolean
  readonly remove: (isRemoved: (draft: NamedDraft) => boolean) => void
  readonly clear: () => void
}

type Drafts = Pick<Store, 'draft' | 'drafts' | 'openNew'> & {
  /** Restores the refused values to their form, unless the form has newer ones. */
  readonly returnDraft: (mutation: Mutation, isNew: boolean) => void
  /** Removes the draft of a mutation unless its form was changed since. */
  readonly dropSent: (mutation: Mutation) => void
  /** Removes files that neither a draft nor a queued mutation refers to. */
  readonly sweep: () => void
  /** Removes all drafts and files of the user. */
  readonly clear: () => void
}

/** Stores drafts of forms on the device. */
export const createDrafts = (
  core: Core,
  files: Files,
  mutations: () => readonly Mutation[],
): Drafts => {
  const { env } = core
  const userNow = (): string | undefined => core.getState().user?.id
  const open = (userId: string): DraftList => openDrafts(env.localStorage, userId, core.changed)
  env.on('storage', (key) => {
    if (key === null || key === draftsKey(userNow() ?? '')) core.changed()
  })

  const sweep = (): void => {
    const userId = userNow()
    if (userId === undefined) return
    void files.keepOnly(
      userId,
      () =>
        new Set([
          ...open(userId)
            .list()
            .flatMap(({ files: names }) => names),
          ...mutations().flatMap(({ files: queued }) => queued.map(({ key }) => key)),
        ]),
    )
  }

  const draft: Store['draft'] = (form) => {
    const owner = userNow()
    // Another user may have signed in since the form was opened.
    const mine = (): DraftList | undefined =>
      owner !== undefined && owner === userNow() ? open(owner) : undefined
    return openSlot(core, { form, owner, mine, files, mutations, sweep })
  }

  let listed: { readonly text: string | null; readonly drafts: readonly ListedDraft[] } | undefined
  const listDrafts: Store['drafts'] = () => {
    const userId = userNow()
    if (userId === undefined) return NO_DRAFTS
    const text = env.localStorage.get(draftsKey(userId))
    if (listed === undefined || listed.text !== text) {
      const drafts = parse(text)
        .filter(({ form }, index, all) => index === all.findIndex((each) => each.form === form))
        .map(({ form, at, isNew, values }) => ({ form, at, isNew, values }))
      listed = { text, drafts }
    }
    return listed.drafts
  }

  return {
    draft,
    drafts: listDrafts,
    openNew: (kind, wanted) => {
      const isQueued = mutations().some(({ isKept, subject }) => isKept && subject === wanted)
      const isDone = !isQueued && idsOf(core.getState().data, kind).has(wanted)
      return openNew(core, listDrafts(), kind, isDone ? undefined : wanted)
    },
    dropSent: (mutation) => {
      const userId = userNow()
      if (userId === undefined) return
      const form = formOf(mutation)
      const sent = JSON.stringify(mutation.values)
      open(userId).remove((each) => each.form === form && JSON.stringify(each.values) === sent)
      sweep()
    },
    returnDraft: (mutation, isNew) => {
      const userId = userNow()
      const form = formOf(mutation)
      const { at, values, files: queued } = mutation
      const isNewer = listDrafts().some((each) => each.form === form && each.at > at)
      if (userId === undefined || values === null || isNewer) return
      const names = queued.map(({ key }) => key)
      open(userId).put({ form, at: env.now(), isNew, values, files: names }, undefined)
    },
    sweep,
    clear: () => {
      const userId = userNow()
      if (userId === undefined) return
      open(userId).clear()
      void files.keepOnly(userId, () => new Set())
    },
  }
}

interface SlotOptions {
  readonly form: FormName
  /** The user who was signed in when the form was opened … */
  readonly owner: string | undefined
  /** … and their drafts, while that user is signed in. */
  readonly mine: () => DraftList | undefined
  readonly files: Files
  readonly mutations: () => readonly Mutation[]
  readonly sweep: () => void
}

const openSlot = (
  { env }: Core,
  { form, owner, mine, files, mutations, sweep }: SlotOptions,
): DraftSlot => {
  const newest = (): NamedDraft | undefined =>
    mine()
      ?.list()
      .find((each) => each.form === form)
  /** The content of the stored draft that this form continues. */
  let continued = contentOf(newest())
  return {
    form,
    read: async () => {
      const kept = newest()
      const found = kept ?? findQueued(mutations(), form)
      continued = contentOf(found)
      if (found === undefined || owner === undefined) return undefined
      const { at, isNew, values } = found
      const there = await files.fetch(owner, found.files)
      const lostFiles = found.files.length - there.length
      return { at, isNew, values, files: there, lostFiles, isQueued: kept === undefined }
    },
    save: async ({ values, files: wanted }, isNew) => {
      const draft = { form, at: env.now(), isNew, values, files: wanted.map(files.keyOf) }
      // Synchronous, because the page may be about to close; only the files are stored asynchronously.
      const isStored = mine()?.put(draft, continued) ?? true
      if (owner === undefined || !isStored) return { at: draft.at, text: false, files: false }
      continued = contentOf(draft)
      try {
        await files.store(owner, wanted)
        return { at: draft.at, text: true, files: true }
      } catch {
        return { at: draft.at, text: true, files: false }
      }
    },
    drop: () => {
      mine()?.remove((each) => each.form === form && contentOf(each) === continued)
      continued = undefined
      sweep()
    },
  }
}

/** What a user would lose if another draft replaced this one. */
const contentOf = (draft: DraftText | undefined): string | undefined =>
  draft && JSON.stringify([draft.values, draft.files])

/** The ids of the records whose forms are of this kind. */
const idsOf = (data: Data, kind: string): ReadonlySet<string | undefined> =>
  new Set((kind === 'site' ? data?.sites : recordsIn(data, kind))?.map(({ id }) => id))

const openNew = async (
  { env, base }: Core,
  drafts: readonly ListedDraft[],
  kind: string,
  wanted: string | undefined,
): ReturnType<Store['openNew']> => {
  const saved = idsOf(base(), kind)
  const begun = drafts.flatMap(({ form, isNew }) => {
    const [formKind, id = ''] = form.split(':')
    return isNew && formKind === kind && !saved.has(id) ? [id] : []
  })
  // The new record that this tab last had open.
  const ownKey = `voltleaf:new-${kind}`
  const own = (id: string): boolean => id === env.sessionStorage.get(ownKey)
  const lock = (id: string) => env.tryLock(`${ownKey}:${id}`)
  const take = (id: string, release = (): void => {}) => {
    env.sessionStorage.set(ownKey, id)
    return { id, release }
  }
  if (wanted !== undefined) return take(wanted, await lock(wanted))
  for (const id of [...begun.filter(own), ...begun]) {
    // oxlint-disable-next-line no-await-in-loop -- takes the first free one
    const release = await lock(id)
    if (release !== undefined) return take(id, release)
  }
  const id = env.newId()
  return take(id, await lock(id))
}

/** Raised when the format of drafts changes; drafts of other versions are ignored. */
const VERSION = 1

const NO_DRAFTS: readonly never[] = []

const draftsKey = (userId: string): string => `voltleaf:drafts:${userId}`

/** The queued mutation of a form, as a draft. */
const findQueued = (mutations: readonly Mutation[], form: FormName): DraftText | undefined => {
  const found = mutations.find(
    (each) => each.isKept && each.values !== null && formOf(each) === form,
  )
  if (found === undefined) return undefined
  const { at, values, files } = found
  return { at, values, files: files.map(({ key }) => key), isNew: isCreation(found) }
}

const openDrafts = (storage: TextStorage, userId: string, changed: () => void): DraftList => {
  const key = draftsKey(userId)
  const list = (): readonly NamedDraft[] => parse(storage.get(key))
  const clear = (): void => {
    storage.remove(key)
    changed()
  }
  const write = (drafts: readonly NamedDraft[]): boolean => {
    if (drafts.length === 0) {
      clear()
      return true
    }
    const done = storage.set(key, JSON.stringify({ version: VERSION, drafts }))
    changed()
    return done
  }
  return {
    list,
    put: (draft, replaced) => {
      const gone = [replaced, contentOf(draft)]
      const kept = list().filter(
        (each) => each.form !== draft.form || !gone.includes(contentOf(each)),
      )
      return write([draft, ...kept])
    },
    remove: (isRemoved) => {
      const all = list()
      const kept = all.filter((each) => !isRemoved(each))
      if (kept.length < all.length) write(kept)
    },
    clear,
  }
}

type NamedDraft = DraftText & { readonly form: FormName }

/** Newest first. */
const parse = (text: string | null): readonly NamedDraft[] => {
  const kept = parseJson(text) as { version?: unknown; drafts?: unknown } | null | undefined
  if (kept?.version !== VERSION || !Array.isArray(kept.drafts)) return []
  return (kept.drafts as unknown[]).filter(isDraft).toSorted((one, other) => other.at - one.at)
}

const isDraft = (value: unknown): value is NamedDraft => {
  const { form, at, isNew, files } = (value ?? {}) as Partial<NamedDraft>
  return (
    typeof form === 'string' &&
    typeof at === 'number' &&
    typeof isNew === 'boolean' &&
    Array.isArray(files)
  )
}
