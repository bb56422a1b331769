import type { TextStorage } from './browser.ts'
import type { ConnectorInput, SiteInput } from './state.ts'

/** A new site whose saving was begun and is not known to be finished. */
export interface UnfinishedSave {
  readonly id: string
  readonly input: SiteInput
  /** The connectors that are not known to be saved. */
  readonly connectors: readonly ConnectorInput[]
  readonly photoCount: number
  /** The person saw the site itself fail: it is theirs to send again. */
  readonly failed: boolean
}

/** A site that left the screen and is deleted on the server from `until` on. */
export interface PendingDelete {
  readonly id: string
  readonly name: string
  readonly until: number
}

interface Work {
  readonly saves: readonly UnfinishedSave[]
  readonly deletes: readonly PendingDelete[]
}

/** Work of one user that outlives the page. It is read anew each time: other tabs share it. */
export interface Outbox {
  readonly saves: () => readonly UnfinishedSave[]
  readonly putSave: (save: UnfinishedSave) => void
  /** Notes that a connector of an unfinished save needs no more work. */
  readonly settleConnector: (siteId: string, connectorId: string) => void
  readonly removeSave: (id: string) => void
  readonly deletes: () => readonly PendingDelete[]
  readonly putDelete: (pending: PendingDelete) => void
  readonly removeDelete: (id: string) => void
  readonly clear: () => void
}

/** Opens the outbox of a user. */
export const openOutbox = (storage: TextStorage, userId: string): Outbox => {
  const key = `voltleaf:work:${userId}`
  const read = (): Work => parse(storage.get(key))
  const write = (change: (work: Work) => Work): void => {
    const work = change(read())
    if (work.saves.length + work.deletes.length === 0) storage.remove(key)
    else storage.set(key, JSON.stringify(work))
  }
  const omit = <T extends { id: string }>(list: readonly T[], id: string): readonly T[] =>
    list.filter((each) => each.id !== id)

  return {
    saves: () => read().saves,
    putSave: (save) => write((work) => ({ ...work, saves: [...omit(work.saves, save.id), save] })),
    settleConnector: (siteId, connectorId) =>
      write((work) => ({
        ...work,
        saves: work.saves.map((save) =>
          save.id === siteId ? { ...save, connectors: omit(save.connectors, connectorId) } : save,
        ),
      })),
    removeSave: (id) => write((work) => ({ ...work, saves: omit(work.saves, id) })),
    deletes: () => read().deletes,
    putDelete: (pending) =>
      write((work) => ({ ...work, deletes: [...omit(work.deletes, pending.id), pending] })),
    removeDelete: (id) => write((work) => ({ ...work, deletes: omit(work.deletes, id) })),
    clear: () => storage.remove(key),
  }
}

const parse = (text: string | null): Work => {
  try {
    const work = JSON.parse(text ?? '{}') as Partial<Work> | null
    return { saves: work?.saves ?? [], deletes: work?.deletes ?? [] }
  } catch {
    return { saves: [], deletes: [] }
  }
}
