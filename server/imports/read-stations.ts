import { setImmediate as turn } from 'node:timers/promises'

import type { ImportCandidate } from '#domain/import.ts'
import { MiB } from '#domain/limits.ts'
import type { Answers, Problem, Repair } from '#domain/repair.ts'

import type { Runner, Sql } from '../db/sql.ts'
import { contradictionOf, joinParts } from '../formats/join.ts'
import { repairStation } from '../formats/repair/repair.ts'
import type { Repaired, Station } from '../formats/station.ts'
import type { Work } from './work.ts'

/** Stations per batch, and the total size of their pieces. */
const BATCH = 500
const MAX_BATCH_BYTES = 8 * MiB
/** What a connector of a piece counts in a batch: its repairs and questions take more than its few letters. */
const CONNECTOR_BYTES = 1024
/** The maximum size of the pieces of one station; a larger station is refused unread. */
const MAX_STATION_BYTES = 8 * MiB

/** A station as read from the source, with the user's decisions. */
export interface ReadStation {
  readonly number: number
  readonly position: string
  readonly parts: readonly Station[]
  readonly problem: Problem | null
  readonly answers?: Answers
  /** The site that the user has chosen; empty for a new one. */
  readonly choice?: string
  /** The sites that the user chose from. */
  readonly candidates?: readonly ImportCandidate[]
}

const TOO_LARGE: Problem = { code: 'record_too_large', params: { max: MAX_STATION_BYTES } }

/**
 * Reads stations of an import in the order of their numbers, with their pieces: up to `limit` and up to a total size,
 * but at least one. One statement.
 */
export const readStations = (
  runner: Runner,
  id: string,
  after: number,
  limit: number,
): Promise<ReadStation[]> =>
  runner<ReadStation[]>`
    with sized as (
      select k.number, k.key, coalesce(sum(octet_length(p.part::text)), 0) as bytes,
        coalesce(sum(jsonb_array_length(p.part -> 'connectors')), 0) * ${CONNECTOR_BYTES} as added
      from (select * from import_keys where import = ${id} and number > ${after} order by number limit ${limit}) k
      join import_parts p on p.import = ${id} and p.key = k.key
      group by k.number, k.key),
    due as (
      select *, bytes <= ${MAX_STATION_BYTES} as fits, sum(bytes + added) over (order by number) - bytes - added as before from sized)
    select d.number, (array_agg(p.position order by p.number))[1] as position,
      coalesce(jsonb_agg(p.part order by p.number) filter (where d.fits), '[]') as parts,
      case when d.fits then (array_agg(p.problem order by p.number))[1]
        else ${JSON.stringify(TOO_LARGE)}::jsonb end as problem
    from due d join import_parts p on p.import = ${id} and p.key = d.key
    where d.before < ${MAX_BATCH_BYTES}
    group by d.number, d.fits order by d.number`

/** A station after repair. */
export interface RepairedStation extends Repaired {
  readonly read: ReadStation
}

/** Reads and repairs the stations that are not planned yet, in batches. */
export const readRepaired = async function* (
  sql: Sql,
  { import: id, position }: Work,
): AsyncGenerator<readonly RepairedStation[]> {
  for (let after: number | undefined = position; after !== undefined;) {
    const read: readonly ReadStation[] = await readStations(sql, id, after, BATCH)
    if (read.length > 0) yield await repairAll(read)
    after = read.at(-1)?.number
  }
}

/** Repairs stations. Gives way to requests between them. */
export const repairAll = async (
  stations: readonly ReadStation[],
): Promise<readonly RepairedStation[]> => {
  const repaired: RepairedStation[] = []
  for (const read of stations) {
    // Yields to requests between stations, since one station may take a second.
    await turn()
    const { repairs, questions, ...others } =
      read.problem === null
        ? repairPieces(read)
        : { station: NO_STATION, repairs: [], questions: [], refusal: read.problem }
    repaired.push({ read, ...others, repairs: repairs.map(shown), questions: questions.map(shown) })
  }
  return repaired
}

const repairPieces = ({ parts, answers }: ReadStation): Repaired => {
  const repaired = repairStation(joinParts(parts), answers)
  const problem = contradictionOf(parts)
  return problem === undefined ? repaired : { ...repaired, questions: [], refusal: problem }
}

const MAX_SHOWN_LENGTH = 1000

/** A finding as stored for display: long values are truncated. */
const shown = <F extends Repair>(finding: F): F => {
  const text = JSON.stringify(finding.before ?? null)
  return text.length <= MAX_SHOWN_LENGTH
    ? finding
    : { ...finding, before: `${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` }
}

const NO_STATION: Station = { reference: '', site: {}, connectors: [], tariffs: [] }
