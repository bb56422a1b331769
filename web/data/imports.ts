import type PocketBase from 'pocketbase'
import type { SendOptions } from 'pocketbase'

import { FEEDS, IMPORT_ROWS, IMPORTS } from '#domain/collection.ts'
import { importRows, type ImportedStation } from '#domain/import.ts'
import type { DuplicatesAnswer } from '#domain/duplicate.ts'
import { IMPORT_API } from '#domain/import-paths.ts'
import { API } from '#domain/paths.ts'
import { requestedFields } from '#domain/record.ts'

import { Failure, isTransient } from './client.ts'
import type { Core } from './core.ts'
import type { Answer, FeedView, Imports, ImportRowView, ImportSource, ImportView } from './state.ts'
import { upload } from './upload.ts'

/** Maximum number of imports and feeds that the lists show. */
const LISTED = 100

/** Number of plan rows per page. */
const ROWS_PER_PAGE = 100

const LIST_FIELDS =
  'id,source,format,state,counts,total,done,problem,feed,started,finished,created,updated'
/** All fields except the imported record itself, which is most of a row. */
const ROW_FIELDS = requestedFields(importRows, {
  first: ['id'],
  without: ['collectionName', 'station', 'records'],
}).join()

type Send = <T>(path: string, method: string, options?: SendOptions) => Promise<Answer<T>>

/** Creates the calls for imports and feeds. */
export const createImports = (core: Core): Imports => {
  const ask = async <T>(work: (client: PocketBase) => Promise<T>): Promise<Answer<T>> => {
    try {
      const client = await core.client()
      // The session may have ended while this module and the client were loading.
      if (!core.session.isValid()) throw new Failure('signedOut')
      return { value: await work(client) }
    } catch (error) {
      return { problem: await core.explain(error) }
    }
  }
  /** Calls a custom endpoint. Requests of the same kind do not cancel one another. */
  const send: Send = <T>(path: string, method: string, options: SendOptions = {}) =>
    ask((client) => client.send<T>(path, { method, requestKey: null, ...options }))

  /** For the changes of plans and their runs: a run must not overtake a change. */
  const sendInOrder = inOrder(send)
  const create = onceCreated(core, send)

  return {
    begin: (source, watch) =>
      create<ImportView>(IMPORT_API.imports, source, {
        body: bodyOf(source),
        fetch: upload(core, watch),
      }),
    list: () =>
      ask(async (client) => {
        const { items } = await client.collection(IMPORTS).getList<ImportView>(1, LISTED, {
          sort: '-created,-id',
          skipTotal: true,
          fields: LIST_FIELDS,
          requestKey: null,
        })
        return items
      }),
    read: (id) =>
      ask((client) => client.collection(IMPORTS).getOne<ImportView>(id, { requestKey: null })),
    subscribe: (id, listener) => subscribe(core, id, listener),
    rows: ({ id, filter, after }) =>
      ask(async (client) => {
        const own = client.filter('import = {:id} && number > {:after}', { id, after })
        const { items } = await client
          .collection(IMPORT_ROWS)
          .getList<ImportRowView>(1, ROWS_PER_PAGE, {
            filter: filter === '' ? own : `${own} && (${filter})`,
            sort: 'number',
            skipTotal: true,
            fields: ROW_FIELDS,
            requestKey: null,
          })
        return { items, isLast: items.length < ROWS_PER_PAGE }
      }),
    station: (rowId) =>
      ask(async (client) => {
        const { station } = await client
          .collection(IMPORT_ROWS)
          .getOne<{ station: ImportedStation | null }>(rowId, {
            fields: 'station',
            requestKey: null,
          })
        return station
      }),
    map: (id, mapping) => send(IMPORT_API.importMapping(id), 'POST', { body: { mapping } }),
    change: (id, patch) => sendInOrder(IMPORT_API.import(id), 'PATCH', { body: patch }),
    changeRow: (id, number, patch) =>
      sendInOrder(IMPORT_API.importRow(id, String(number)), 'PATCH', { body: patch }),
    run: (id) => sendInOrder(IMPORT_API.importRun(id), 'POST'),
    undo: (id) => send(IMPORT_API.importUndo(id), 'POST'),
    remove: (id) => ask((client) => client.collection(IMPORTS).delete(id, { requestKey: null })),
    duplicates: ({ latitude, longitude, ...query }) =>
      ask(async (client) => {
        const { items } = await client.send<DuplicatesAnswer>(API.duplicates, {
          query: { lat: latitude, lng: longitude, ...query },
          requestKey: null,
        })
        return items
      }),
    feeds: () =>
      ask(async (client) => {
        const { items } = await client
          .collection(FEEDS)
          .getList<FeedView>(1, LISTED, { sort: 'created,id', skipTotal: true, requestKey: null })
        return items
      }),
    addFeed: (input) => create(IMPORT_API.feeds, input, { body: input }),
    changeFeed: (id, changes) =>
      ask((client) => client.collection(FEEDS).update<FeedView>(id, changes, { requestKey: null })),
    setFeedToken: (id, token) => send(IMPORT_API.feedToken(id), 'PUT', { body: { token } }),
    readFeed: (id) => send(IMPORT_API.feedRead(id), 'POST'),
    removeFeed: (id) => ask((client) => client.collection(FEEDS).delete(id, { requestKey: null })),
  }
}

/** Reuses the idempotency key if the same input is sent again after a lost response, so that only one is created. */
const onceCreated = (core: Core, send: Send) => {
  let unanswered: { readonly asked: string; readonly key: string } | undefined
  return async <T>(
    path: string,
    input: ImportSource | Parameters<Imports['addFeed']>[0],
    options: SendOptions,
  ): Promise<Answer<T>> => {
    const asked = JSON.stringify([path, input], nameFile)
    const key = unanswered?.asked === asked ? unanswered.key : core.env.newId()
    const answer = await send<T>(path, 'POST', { headers: { 'Idempotency-Key': key }, ...options })
    const isOpen = answer.problem !== undefined && isTransient(answer.problem)
    unanswered = isOpen ? { asked, key } : undefined
    return answer
  }
}

/** Calls a function one call after the other. */
const inOrder = (send: Send): Send => {
  let sent: Promise<unknown> = Promise.resolve()
  return <T>(...call: Parameters<Send>) => {
    const answer = sent.then(() => send<T>(...call))
    sent = answer
    return answer
  }
}

/** Serialises a file, for which JSON has no form, as the properties that identify it. */
const nameFile = (_name: string, value: unknown): unknown =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value

const bodyOf = (source: ImportSource): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(source)) form.append(name, value as string | File)
  return form
}

/** Events are only a convenience: callers also poll the import. */
const subscribe = (
  core: Core,
  id: string,
  listener: (changed: ImportView) => void,
): (() => void) => {
  let isOver = false
  let end = (): void => {}
  const open = async (): Promise<void> => {
    if (!('EventSource' in globalThis)) return
    const client = await core.client()
    const stop = await client
      .collection(IMPORTS)
      .subscribe<ImportView>(id, ({ action, record }) => {
        if (!isOver && action !== 'delete') listener(record)
      })
    end = () => void stop().catch(() => undefined)
    if (isOver) end()
  }
  void open().catch(() => undefined)
  return () => {
    isOver = true
    end()
  }
}
