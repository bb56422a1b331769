import type { Problem } from '#domain/repair.ts'

import type { Sql, Transaction } from '../db/sql.ts'
import { joinParts } from '../formats/join.ts'
import type { Station } from '../formats/station.ts'
import { batch, moveOn, note, type Work } from './work.ts'

/** Stations that are planned at once. */
const BATCH = 500

/** Plans what is to be done with each station, in batches; an interrupted plan goes on where it was. */
export const makePlan = async (sql: Sql, work: Work): Promise<void> => {
  for (let position = work.position, done = 0; ;) {
    const read = await batch(sql, work, async (transaction) => {
      const stations = await readStations(transaction, work, position)
      await planStations(transaction, work, stations)
      const last = stations.at(-1)?.number
      if (last !== undefined)
        await note(transaction, work, { position: last, done: done + stations.length })
      else await moveOn(transaction, work, 'PLANNED')
      return { last, count: stations.length }
    })
    if (read.last === undefined) return
    position = read.last
    done += read.count
  }
}

/** A station as it was read. */
export interface ReadStation {
  readonly number: number
  readonly position: string
  readonly parts: readonly Station[]
  readonly problem: Problem | null
}

const readStations = (
  transaction: Transaction,
  { import: id }: Work,
  after: number,
): Promise<ReadStation[]> => transaction<ReadStation[]>`
  select k.number, min(p.position) as position, jsonb_agg(p.part order by p.number) as parts,
    (array_agg(p.problem))[1] as problem
  from (select * from import_keys where import = ${id} and number > ${after} order by number limit ${BATCH}) k
  join import_parts p on p.import = ${id} and p.key = k.key
  group by k.number order by k.number`

const planStations = async (
  transaction: Transaction,
  { import: id }: Work,
  stations: readonly ReadStation[],
): Promise<void> => {
  const rows = stations.map(({ number, position, parts, problem }) => {
    const station = problem === null ? joinParts(parts) : undefined
    return {
      number,
      position,
      reference: station?.reference ?? '',
      name: typeof station?.site['name'] === 'string' ? station.site['name'] : '',
      action: problem === null ? 'NEW' : 'REFUSED',
      included: problem === null,
      station: station ?? null,
      problem,
    }
  })
  await transaction`
    insert into import_rows (id, import, number, position, reference, name, action, included, station, problem)
    select lpad(to_hex(nextval('record_version')), 15, '0'), ${id}, r.number, r.position, r.reference, r.name, r.action,
      r.included, coalesce(r.station, 'null'), coalesce(r.problem, 'null')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(number int, position text, reference text, name text,
      action text, included boolean, station jsonb, problem jsonb)`
}
