import { IMPORTS } from '#domain/collection.ts'
import type { ImportProblem } from '#domain/import.ts'
import type { Mapping, SourceFormat } from '#domain/import-source.ts'
import { IMPORT_LIMITS, MiB } from '#domain/limits.ts'

import type { Runner, Sql, Transaction } from '../db/sql.ts'
import type { StoredFile } from '../files/files.ts'
import { readParts, detectFormat } from '../formats/formats.ts'
import { joinKey } from '../formats/join.ts'
import type { Part, Unreadable } from '../formats/station.ts'
import { endReading, fail } from './ending.ts'
import type { FetchingDeps } from './fetching.ts'
import { readAhead } from './read-ahead.ts'
import { storable } from './requests.ts'
import { deleteBatch, type NumberedTable } from './sweep.ts'
import { batch, note, type Work } from './work.ts'

/**
 * The number of pieces per batch and their total size. A single piece may be as large as a record
 * (server/formats/source.ts).
 */
const BATCH = { pieces: 1000, bytes: 8 * MiB }
/** The estimated storage per piece in addition to its content. */
const PIECE_BYTES = 500

/**
 * Reads the source of an import and stores its pieces, numbered from 1. An interrupted reading starts again.
 * @returns the import with its format and size; undefined if it has failed, or needs the user
 */
export const readSource = async (
  { sql, files }: Pick<FetchingDeps, 'sql' | 'files'>,
  work: Work,
): Promise<Work | undefined> => {
  await forget(sql, work, ['import_parts', 'import_keys', 'import_rows'])
  await batch(
    sql,
    work,
    (transaction) => transaction`delete from import_tariffs where import = ${work.import}`,
  )
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
  let bytes = 0
  for await (const parts of readAhead(inBatches(readParts(await stored.read(), { mapping })))) {
    const first = number + 1
    number += parts.length
    bytes += bytesOf(parts)
    stations += await batch(sql, work, async (transaction) => {
      const added = await storeParts(transaction, work, first, parts)
      await note(transaction, work, { done: stations + added })
      await noteSize(transaction, work, stations + added, bytes)
      return added
    })
    const problem = excessOf(stations, bytes)
    if (problem === undefined) continue
    await fail(sql, work, problem)
    return undefined
  }
  await batch(sql, work, (transaction) =>
    note(transaction, work, { done: 0, total: stations, position: 0 }),
  )
  return { ...work, format, done: 0, total: stations }
}

/** Records the size of the import, which counts towards the limits of its business. */
const noteSize = async (
  runner: Runner,
  { import: id }: Work,
  stations: number,
  bytes: number,
): Promise<void> => {
  await runner`update import_work set stations = ${stations}, bytes = ${bytes} where import = ${id}`
}

/**
 * Detects the format of a source, and records it.
 * @returns how to read it; undefined if the import has failed, or the user has to map its columns
 */
const recogniseSource = async (
  sql: Sql,
  work: Work,
  stored: StoredFile,
): Promise<{ readonly mapping: Mapping; readonly format: SourceFormat } | undefined> => {
  const recognised = await detectFormat(await stored.read())
  if ('problem' in recognised) {
    await fail(sql, work, recognised.problem)
    return undefined
  }
  const { format, table, isComplete } = recognised
  const mapping = work.mapping ?? table?.mapping ?? []
  const isClear = table === undefined || isComplete || work.mapping !== null
  await batch(sql, work, async (transaction) => {
    await transaction`
      update imports set format = ${format}, updated = now(), version = nextval('record_version')
      where id = ${work.import}`
    await transaction`
      update import_work set columns = ${JSON.stringify(table ? { ...table, mapping } : null)}::jsonb
      where import = ${work.import}`
    if (!isClear) await endReading(transaction, work, 'MAPPING')
  })
  return isClear ? { mapping, format } : undefined
}

const excessOf = (stations: number, bytes: number): ImportProblem | undefined =>
  stations > IMPORT_LIMITS.rows
    ? { code: 'too_many_rows', params: { max: IMPORT_LIMITS.rows } }
    : bytes > IMPORT_LIMITS.contentBytes
      ? { code: 'source_too_large', params: { max: IMPORT_LIMITS.contentBytes } }
      : undefined

/** A piece as stored. */
interface Piece {
  readonly key: string
  readonly position: string
  /** The piece as JSON. */
  readonly part: string | null
  readonly problem: string | null
}

const asPiece = (read: Part | Unreadable): Piece =>
  'station' in read
    ? {
        key: joinKey(read.station),
        position: read.position,
        part: JSON.stringify(read.station),
        problem: null,
      }
    : { key: '', position: read.position, part: null, problem: JSON.stringify(read.problem) }

const bytesOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, { part }) => sum + PIECE_BYTES + (part?.length ?? 0), 0)

const inBatches = async function* (
  all: AsyncIterable<Part | Unreadable>,
): AsyncIterable<readonly Piece[]> {
  let [some, bytes]: [Piece[], number] = [[], 0]
  for await (const read of all) {
    const piece = asPiece(read)
    some.push(piece)
    bytes += piece.part?.length ?? 0
    if (some.length < BATCH.pieces && bytes < BATCH.bytes) continue
    yield some
    ;[some, bytes] = [[], 0]
  }
  if (some.length > 0) yield some
}

/** Stores pieces. @returns the number of new stations */
const storeParts = async (
  transaction: Transaction,
  { import: id }: Work,
  first: number,
  pieces: readonly Piece[],
): Promise<number> => {
  const keyed = pieces.map(({ key }, index) => {
    const number = first + index
    // A piece without a key gets a unique one. Keys of stations never begin with a control character.
    return { number, key: key === '' ? `\u0001${number}` : storable(key) }
  })
  const [{ added } = { added: 0 }] = await transaction<{ added: number }[]>`
    with parts as (
      insert into import_parts (import, number, key, position, part, problem)
      select ${id}, p.number, p.key, p.position, p.part::jsonb, p.problem::jsonb from unnest(
        ${keyed.map(({ number }) => number)}::int[], ${keyed.map(({ key }) => key)}::text[],
        ${pieces.map(({ position }) => position)}::text[],
        ${pieces.map(({ part }) => part)}::text[], ${pieces.map(({ problem }) => problem)}::text[]
      ) as p(number, key, position, part, problem)
      returning number, key),
    keys as (
      insert into import_keys (import, number, key)
      select ${id}, min(number), key from parts group by key
      on conflict do nothing returning 1)
    select count(*)::int as added from keys`
  return added
}

/** Deletes the pieces of an import, which are not needed after its run. */
export const forgetParts = (sql: Sql, work: Work): Promise<void> =>
  forget(sql, work, ['import_parts', 'import_keys'])

const forget = async (sql: Sql, work: Work, tables: readonly NumberedTable[]): Promise<void> => {
  for (const table of tables)
    while (await batch(sql, work, (transaction) => deleteBatch(transaction, table, work.import)));
}
