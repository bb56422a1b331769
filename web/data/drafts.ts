import type { TextStorage } from './browser.ts'
import type { Files } from './files.ts'
import type { Later, OwnerCore } from './outbox.ts'
import type { Draft, DraftContent, DraftSlot, FormName, Kept, Store } from './state.ts'

/** What stands in a form that was not saved. */
interface DraftText {
  /** When it was kept, in milliseconds. */
  readonly at: number
  /** It is about something that is not on the server yet. */
  readonly isNew: boolean
  /** What the form wrote, for the form to read: JSON. */
  readonly values: unknown
  /** Names of the files that belong to it. */
  readonly files: readonly string[]
}

/** The drafts of one user on this device. They are read anew each time: other tabs share them. */
interface DraftList {
  readonly list: () => readonly NamedDraft[]
  /** Tells whether it could be kept. */
  readonly put: (form: FormName, draft: DraftText) => boolean
  readonly remove: (form: FormName) => void
  readonly clear: () => void
}

type Drafts = Pick<Store, 'draft' | 'drafts'> & {
  /** Gives a form back what was to be sent later and cannot be. */
  readonly returnDraft: (form: FormName, later: Later, isNew: boolean) => void
  /** Forgets the files that neither a draft nor something to be sent names. */
  readonly sweep: () => void
  /** Forgets all drafts and files of the user. */
  readonly clear: () => void
}

/** Keeps on the device what stands in forms. `findWaiting` knows what was left to be sent. */
export const createDrafts = (
  core: OwnerCore,
  files: Files,
  findWaiting: (form: FormName) => (Later & { readonly isNew: boolean }) | undefined,
): Drafts => {
  const { env } = core
  const userNow = (): string | undefined => core.getState().user?.id
  const open = (userId: string): DraftList => openDrafts(env.localStorage, userId)

  const sweep = (): void => {
    const userId = userNow()
    const outbox = core.outbox()
    if (userId === undefined || outbox === undefined) return
    void files.keepOnly(
      userId,
      () =>
        new Set([
          ...open(userId)
            .list()
            .flatMap(({ files: names }) => names),
          ...outbox.saves().flatMap(({ later }) => later?.files ?? []),
          ...outbox.edits().flatMap(({ later }) => later.files),
          ...(outbox.business()?.later.files ?? []),
        ]),
    )
  }

  const draft: Store['draft'] = (form) => {
    const owner = userNow()
    // Somebody else may have signed in since the form was opened.
    const mine = (): DraftList | undefined =>
      owner !== undefined && owner === userNow() ? open(owner) : undefined

    const read = async (): Promise<Draft | undefined> => {
      const kept = mine()
        ?.list()
        .find((each) => each.form === form)
      const waiting = findWaiting(form)
      const found = kept ?? waiting
      if (found === undefined || owner === undefined) return undefined
      const { at, isNew, values } = found
      const there = await files.fetch(owner, found.files)
      return {
        at,
        isNew,
        values,
        files: there,
        lostFiles: found.files.length - there.length,
        waits: kept === undefined,
      }
    }
    const keep = async ({ values, files: wanted }: DraftContent, isNew: boolean): Promise<Kept> => {
      const at = env.now()
      const names = wanted.map(files.keyOf)
      // At once, as the page may be about to go: only the files take their time.
      const put = (): boolean => mine()?.put(form, { at, isNew, values, files: names }) ?? true
      if (owner === undefined || !put()) return { at, text: false, files: false }
      try {
        await files.keep(owner, wanted)
        return { at, text: true, files: true }
      } catch {
        return { at, text: true, files: false }
      }
    }
    const drop = (): void => {
      mine()?.remove(form)
      sweep()
    }
    return { form, read, keep, drop } satisfies DraftSlot
  }

  return {
    draft,
    drafts: () => {
      const userId = userNow()
      if (userId === undefined) return []
      return open(userId)
        .list()
        .map(({ form, at, isNew }) => ({ form, at, isNew }))
        .toSorted((one, other) => other.at - one.at)
    },
    returnDraft: (form, { values, files: names }, isNew) => {
      const userId = userNow()
      if (userId !== undefined)
        open(userId).put(form, { at: env.now(), isNew, values, files: names })
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

/** Raised when drafts are written in another shape; what an older version wrote is not read then. */
const VERSION = 1

/** Opens the drafts of a user. */
const openDrafts = (storage: TextStorage, userId: string): DraftList => {
  const key = `voltleaf:drafts:${userId}`
  const list = (): readonly NamedDraft[] => parse(storage.get(key))
  const write = (drafts: readonly NamedDraft[]): boolean => {
    if (drafts.length > 0) return storage.set(key, JSON.stringify({ version: VERSION, drafts }))
    storage.remove(key)
    return true
  }
  const others = (form: FormName) => list().filter((each) => each.form !== form)
  return {
    list,
    put: (form, draft) => write([...others(form), { ...draft, form }]),
    remove: (form) => void write(others(form)),
    clear: () => storage.remove(key),
  }
}

type NamedDraft = DraftText & { readonly form: FormName }

const parse = (text: string | null): readonly NamedDraft[] => {
  try {
    const kept = JSON.parse(text ?? 'null') as { version?: unknown; drafts?: unknown } | null
    if (kept?.version !== VERSION || !Array.isArray(kept.drafts)) return []
    return (kept.drafts as unknown[]).filter(isDraft)
  } catch {
    return []
  }
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
