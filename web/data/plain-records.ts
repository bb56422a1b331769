import type { Collection } from '#domain/collection.ts'
import { inputNames, inputOf, type InputOf } from '#domain/record.ts'

import { Failure, isNotUnique } from './client.ts'
import type { Core } from './core.ts'
import { changeRecord, dropRecord, onBase, putRecord, recordsIn, type Data } from './log.ts'
import { merge, type Version } from './merge.ts'
import type { RecordMutation } from './mutations.ts'
import { answered, differing, pick, plainFields, withValue } from './records.ts'
import { removeRecord } from './remove.ts'
import { newMutation, type WriteContext } from './sites.ts'
import type { PlainRecord, Refusal, Result, SavedWrite, Store, WriteOptions } from './state.ts'
import type { Run } from './sync-queue.ts'

type RecordCalls = Pick<Store, 'createRecord' | 'updateRecord' | 'removeRecord'>
type Fields = Readonly<Record<string, unknown>>

const findRecord = (data: Data, collection: string, id: string): PlainRecord | undefined =>
  recordsIn(data, collection).find((each) => each.id === id)

/** The calls about records of plain collections. */
export const createRecordCalls = (
  writing: WriteContext,
  plain: readonly Collection[],
): RecordCalls => {
  const { core, queue } = writing
  const declared = (collection: string): Collection => {
    const found = plain.find(({ name }) => name === collection)
    if (found === undefined) throw new TypeError(`no plain collection: ${collection}`)
    return found
  }

  const createRecord = (
    collection: string,
    id: string,
    fields: Fields,
    how: WriteOptions = {},
  ): Promise<Result<SavedWrite>> =>
    queue.commit(
      {
        ...newMutation(writing, id, [], how),
        kind: 'createRecord',
        collection,
        payload: inputOf(declared(collection), fields as Partial<InputOf<Collection>>),
      },
      [],
      { ...how, retry: () => void createRecord(collection, id, fields, how) },
    )

  const updateRecord: Store['updateRecord'] = async (collection, id, changes, how = {}) => {
    const shown = findRecord(core.getState().data, collection, id)
    if (shown === undefined) return NOT_FOUND
    const confirmed = findRecord(core.base(), collection, id)
    const created = queue.about('createRecord', id)
    if (created?.isKept === true && confirmed === undefined) {
      // The record is not on the server yet: the update is merged into its creation.
      const fields = { ...created.payload, ...changes }
      return createRecord(collection, id, fields, { values: created.values, ...how, queue: true })
    }
    const wanted = pick(changes as Fields, inputNames(declared(collection)))
    // Compared with both: a shown value may still be refused, and a confirmed one is about to be replaced.
    const payload = { ...differing(wanted, shown), ...differing(wanted, confirmed ?? shown) }
    if (Object.keys(payload).length === 0) return { value: { isQueued: false } }
    // A queued update is merged into this one, and keeps its base.
    const queued = queue.about('updateRecord', id)
    const before = queued?.isKept === true ? queued : undefined
    const isQueued = how.queue === true || before !== undefined
    return queue.commit(
      {
        ...newMutation(writing, id, [], { values: before?.values, ...how, queue: isQueued }),
        kind: 'updateRecord',
        collection,
        payload: { ...before?.payload, ...payload },
        base: before?.base ?? inputOf(declared(collection), shown as Partial<InputOf<Collection>>),
      },
      [],
      { ...how, retry: () => void updateRecord(collection, id, changes, how) },
    )
  }

  return {
    createRecord,
    updateRecord,
    removeRecord: (collection, id) =>
      core.attempt(
        { action: 'removeRecord', collection, subject: id, isAwaited: () => true },
        async (client, scope) => {
          await removeRecord(core, client, collection, id)
          scope.confirm(onBase(dropRecord(collection, id)))
        },
      ),
  }
}

const NOT_FOUND: Refusal = {
  problem: new Failure('notFound').problem,
  action: 'updateRecord',
}

/** Sends a write of a record idempotently; a retry is first merged with the stored record. */
export const sendRecord = async (
  core: Core,
  run: Run<RecordMutation>,
  plain: readonly Collection[],
): Promise<SavedWrite> => {
  const { client, scope, mutation } = run
  const { collection, subject: id } = mutation
  const declared = plain.find(({ name }) => name === collection)
  if (declared === undefined) throw new Failure('notFound')
  const records = client.collection(collection)
  const asked = { fields: plainFields(declared).join(), requestKey: null }

  const update = async (fields: Fields): Promise<void> => {
    if (Object.keys(fields).length === 0) return
    const record = await records.update<PlainRecord>(id, fields, asked)
    scope.confirm(onBase(changeRecord(collection, id, answered(fields, record))))
  }

  if (mutation.kind === 'updateRecord') {
    await update(run.isFirst ? mutation.payload : mergedFields(core, declared, mutation))
  } else {
    const business = core.base()?.id
    if (business === undefined) throw new Failure('notFound')
    const body = { id, ...withValue(declared, mutation.payload), business }
    let isFresh = true
    const record = await records.create<PlainRecord>(body, asked).catch((error: unknown) => {
      if (!isNotUnique(error, 'id')) throw error
      // The record was stored, but the response was lost; the owner may have typed more since.
      isFresh = false
      return records.getOne<PlainRecord>(id, asked)
    })
    scope.confirm(onBase(putRecord(collection, record)))
    if (!isFresh) await update(differing(mutation.payload, record))
  }
  return { isQueued: false }
}

/** The fields that an update still has to send, after a merge with the stored record. */
const mergedFields = (
  core: Core,
  declared: Collection,
  { collection, subject, payload, base }: Extract<RecordMutation, { kind: 'updateRecord' }>,
): Fields => {
  const stored = findRecord(core.base(), collection, subject)
  if (stored === undefined) throw new Failure('notFound')
  const version = (fields: Fields) => ({ fields, rows: [] }) as Version
  const { version: merged, conflicts } = merge(
    version(base),
    version({ ...base, ...payload }),
    version(pick(stored as Fields, inputNames(declared))),
  )
  if (conflicts.length > 0) throw new Failure('conflict', 412)
  return differing(merged.fields, stored)
}
