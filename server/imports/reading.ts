import { IMPORTS } from '#domain/collection.ts'
import type { Mapping, SourceFormat } from '#domain/import-source.ts'
import { IMPORT_LIMITS } from '#domain/limits.ts'

import type { Runner, Sql, Transaction } from '../db/sql.ts'
import type { StoredFile } from '../files/files.ts'
import { readParts, recognise } from '../formats/formats.ts'
import { joinKey } from '../formats/join.ts'
import type { Part, Unreadable } from '../formats/station.ts'
import { fetchFile, type FetchingDeps } from './fetching.ts'
import { batch, fail, moveOn, note, type Work } from './work.ts'

/** Pieces that are stored at once. */
const BATCH = 1000

/**
 * Reads the source of an import into its pieces, in order of their numbers from 1. An interrupted reading starts again.
 * @returns the import with what it is; undefined if it has failed, or waits for a person
 */
export const readSource = async (deps: FetchingDeps, begun: Work): Promise<Work | undefined> => {
  const { sql, files } = deps
  const work = begun.url !== '' && begun.file === '' ? await fetchFile(deps, begun) : begun
  if (work === undefined) return undefined
  await forget(sql, work, ['import_parts', 'import_keys', 'import_rows', 'import_tariffs'])
  const stored = await files.open({ collection: IMPORTS, record: work.import, name: work.file })
  if (stored === undefined) {
    await fail(sql, work, { code: 'file_gone' })
    return undefined
  }
  const source = await recogniseSource(sql, work, stored)
  if (source === undefined) return undefined
  const { mapping, format } = source
  let number = 0
  let stations = 0
  for await (const parts of inBatches(readParts(await stored.read(), { mapping }))) {
    const first = number + 1
    number += parts.length
    stations += await batch(sql, work, async (transaction) => {
      const added = await storeParts(transaction, work, first, parts)
      await note(transaction, work, { done: stations + added })
      return added
    })
    if (stations <= IMPORT_LIMITS.rows) continue
    await fail(sql, work, { code: 'too_many_rows', params: { max: IMPORT_LIMITS.rows } })
    return undefined
  }
  await batch(sql, work, (transaction) =>
    note(transaction, work, { done: 0, total: stations, position: 0 }),
  )
  return { ...work, format, done: 0, total: stations }
}

/**
 * Recognises the format of a source, and notes it.
 * @returns how it is read; undefined if the import has failed, or a person has to say what its columns mean
 */
const recogniseSource = async (
  sql: Sql,
  work: Work,
  stored: StoredFile,
): Promise<{ readonly mapping: Mapping; readonly format: SourceFormat } | undefined> => {
  const recognised = await recognise(await stored.read())
  if ('problem' in recognised) {
    await fail(sql, work, recognised.problem)
    return undefined
  }
  const { format, table, isComplete } = recognised
  const mapping = work.mapping ?? table?.mapping ?? []
  const isClear = table === undefined || isComplete || work.mapping !== null
  await batch(sql, work, async (transaction) => {
    await transaction`
      update imports set format = ${format}, columns = ${JSON.stringify(table ? { ...table, mapping } : null)}::jsonb
      where id = ${work.import}`
    if (!isClear) await moveOn(transaction, work, 'MAPPING')
  })
  return isClear ? { mapping, format } : undefined
}

type Piece = Part | Unreadable

const inBatches = async function* (pieces: AsyncIterable<Piece>): AsyncIterable<readonly Piece[]> {
  let some: Piece[] = []
  for await (const piece of pieces) {
    some.push(piece)
    if (some.length < BATCH) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

/** @returns how many stations were not there before */
const storeParts = async (
  transaction: Transaction,
  { import: id }: Work,
  first: number,
  pieces: readonly Piece[],
): Promise<number> => {
  const keyed = pieces.map((piece, index) => {
    const number = first + index
    const key = 'station' in piece ? joinKey(piece.station) : ''
    // Alone: no other piece has this key. Keys of stations never begin with a control character.
    return { number, key: key === '' ? `\u0001${number}` : storableKey(key) }
  })
  const [{ added } = { added: 0 }] = await transaction<{ added: number }[]>`
    with parts as (
      insert into import_parts (import, number, key, position, part, problem)
      select ${id}, p.number, p.key, p.position, p.part::jsonb, p.problem::jsonb from unnest(
        ${keyed.map(({ number }) => number)}::int[], ${keyed.map(({ key }) => key)}::text[],
        ${pieces.map(({ position }) => position)}::text[],
        ${pieces.map((piece) => ('station' in piece ? JSON.stringify(piece.station) : null))}::text[],
        ${pieces.map((piece) => ('station' in piece ? null : JSON.stringify(piece.problem)))}::text[]
      ) as p(number, key, position, part, problem)
      returning number, key),
    keys as (
      insert into import_keys (import, number, key)
      select ${id}, min(number), key from parts group by key
      on conflict do nothing returning 1)
    select count(*)::int as added from keys`
  return added
}

const MAX_KEY_LENGTH = 500
const storableKey = (key: string): string =>
  key
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, MAX_KEY_LENGTH)

/** Rows that are deleted at once. */
const PORTION = 20_000

/** Deletes the pieces of an import, which nobody needs after its run. */
export const forgetParts = (sql: Sql, work: Work): Promise<void> =>
  forget(sql, work, ['import_parts', 'import_keys'])

const forget = async (sql: Sql, work: Work, tables: readonly string[]): Promise<void> => {
  for (const table of tables)
    while (await batch(sql, work, (transaction) => deleteSome(transaction, table, work)));
}

/** @returns whether there may be more */
const deleteSome = async (
  runner: Runner,
  table: string,
  { import: id }: Work,
): Promise<boolean> => {
  const removed = await runner`
    delete from ${runner(table)} where ctid = any(array(
      select ctid from ${runner(table)} where import = ${id} limit ${PORTION})) returning 1`
  return removed.length === PORTION
}
