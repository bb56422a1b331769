import type { Core } from './core.ts'
import type { TextStorage } from './browser.ts'
import type { BusinessView, ConnectorInput, SiteInput, SiteView } from './state.ts'

/** How a form comes back to the screen when what it said is refused later. */
export interface Later {
  /** When it was left to be sent, in milliseconds. */
  readonly at: number
  /** What the form wrote for itself: see `DraftText`. */
  readonly values: unknown
  /** Names of the files that are still to be sent. */
  readonly files: readonly string[]
}

/** A new site whose saving was begun and is not known to be finished. */
export interface UnfinishedSave {
  readonly id: string
  readonly input: SiteInput
  /** The connectors that are not known to be saved. */
  readonly connectors: readonly ConnectorInput[]
  readonly photoCount: number
  /** When its saving was begun, in milliseconds: what a draft holds since then was not sent. */
  readonly begunAt?: number
  /** The person saw the site itself fail: it is theirs to send again. */
  readonly failed: boolean
  /** The person left it to be sent whenever that is possible. */
  readonly later?: Later
}

/** Changes of a stored site that are sent whenever that is possible. */
export interface WaitingEdit {
  readonly id: string
  /** The site that the person saw. */
  readonly base: SiteView
  /** … and what they made of it. */
  readonly site: Required<SiteInput>
  readonly connectors: readonly ConnectorInput[]
  readonly removedPhotos: readonly string[]
  /** All photos by their stored names or the names of their files; nothing when it stays. */
  readonly photoOrder: readonly string[] | null
  readonly later: Later
}

/** Changes of the business that are sent whenever that is possible. */
export interface WaitingBusiness {
  readonly id: string
  readonly base: Pick<BusinessView, BusinessText>
  readonly texts: Partial<Record<BusinessText, string>>
  /** A new logo is the file of `later`. */
  readonly logo: 'same' | 'new' | 'none'
  readonly later: Later
}
type BusinessText = 'name' | 'description' | 'website' | 'contact_email'

/** A site that left the screen and is deleted on the server from `until` on. */
export interface PendingDelete {
  readonly id: string
  readonly name: string
  readonly until: number
}

interface Work {
  readonly business: readonly WaitingBusiness[]
  readonly saves: readonly UnfinishedSave[]
  readonly edits: readonly WaitingEdit[]
  readonly deletes: readonly PendingDelete[]
}

/** Work of one user that outlives the page. It is read anew each time: other tabs share it. */
export interface Outbox {
  readonly business: () => WaitingBusiness | undefined
  readonly putBusiness: (waiting: WaitingBusiness) => boolean
  readonly removeBusiness: () => void
  readonly saves: () => readonly UnfinishedSave[]
  readonly putSave: (save: UnfinishedSave) => boolean
  /** Notes that a connector of an unfinished save needs no more work. */
  readonly settleConnector: (siteId: string, connectorId: string) => void
  readonly removeSave: (id: string) => void
  readonly edits: () => readonly WaitingEdit[]
  readonly putEdit: (edit: WaitingEdit) => boolean
  /** Notes that a file of an edit has arrived. */
  readonly settleFile: (siteId: string, file: string) => void
  readonly removeEdit: (id: string) => void
  readonly deletes: () => readonly PendingDelete[]
  readonly putDelete: (pending: PendingDelete) => void
  readonly removeDelete: (id: string) => void
  readonly clear: () => void
}

/** Where the work of a user is kept. */
export const outboxKey = (userId: string): string => `voltleaf:work:${userId}`

/** Opens the outbox of a user. What is put there tells whether it could be kept. */
export const openOutbox = (storage: TextStorage, userId: string): Outbox => {
  const key = outboxKey(userId)
  const read = (): Work => parse(storage.get(key))
  const write = (change: (work: Work) => Work): boolean => {
    const work = change(read())
    if (Object.values(work).some((list: readonly unknown[]) => list.length > 0))
      return storage.set(key, JSON.stringify(work))
    storage.remove(key)
    return true
  }
  const omit = <T extends { id: string }>(list: readonly T[], id: string): readonly T[] =>
    list.filter((each) => each.id !== id)

  return {
    business: () => read().business[0],
    putBusiness: (waiting) => write((work) => ({ ...work, business: [waiting] })),
    removeBusiness: () => void write((work) => ({ ...work, business: [] })),
    saves: () => read().saves,
    putSave: (save) => write((work) => ({ ...work, saves: [...omit(work.saves, save.id), save] })),
    settleConnector: (siteId, connectorId) =>
      void write((work) => ({
        ...work,
        saves: work.saves.map((save) =>
          save.id === siteId ? { ...save, connectors: omit(save.connectors, connectorId) } : save,
        ),
      })),
    removeSave: (id) => void write((work) => ({ ...work, saves: omit(work.saves, id) })),
    edits: () => read().edits,
    putEdit: (edit) => write((work) => ({ ...work, edits: [...omit(work.edits, edit.id), edit] })),
    settleFile: (siteId, file) =>
      void write((work) => ({
        ...work,
        edits: work.edits.map((edit) =>
          edit.id === siteId
            ? {
                ...edit,
                later: { ...edit.later, files: edit.later.files.filter((each) => each !== file) },
              }
            : edit,
        ),
      })),
    removeEdit: (id) => void write((work) => ({ ...work, edits: omit(work.edits, id) })),
    deletes: () => read().deletes,
    putDelete: (pending) =>
      void write((work) => ({ ...work, deletes: [...omit(work.deletes, pending.id), pending] })),
    removeDelete: (id) => void write((work) => ({ ...work, deletes: omit(work.deletes, id) })),
    clear: () => storage.remove(key),
  }
}

const parse = (text: string | null): Work => {
  const work = readObject(text)
  const list = (name: keyof Work): readonly never[] =>
    Array.isArray(work[name]) ? (work[name] as never[]) : []
  return {
    business: list('business'),
    saves: list('saves'),
    edits: list('edits'),
    deletes: list('deletes'),
  }
}

const readObject = (text: string | null): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    // What cannot be read was not written by us.
    return {}
  }
}

/** What the parts of the store share once somebody is signed in. */
export interface OwnerCore extends Core {
  /** Work of the signed-in user that outlives the page. */
  readonly outbox: () => Outbox | undefined
}
