import type { LinkedCollection, Schema } from '#domain/collection.ts'
import { fromPosition, namesFromPosition, POSITION } from '#domain/record.ts'

import { identifier } from '../db/columns.ts'
import type { Runner, Sql } from '../db/sql.ts'
import { NOWHERE, placeAt, type Place } from './place.ts'
import { setFilledIn, Statement } from './sql.ts'
import type { Row } from './values.ts'
import type { Values } from './write.ts'

/**
 * Determines the values that the server fills in when a record is written (decision 0079), for the fields that follow
 * from the position. In a new record it fills the empty ones. In an update it replaces those that the write does not
 * set and that still have the value of the former position.
 * @param values the values of the write
 * @returns the filled-in values
 */
export const fillIn = async (
  collection: LinkedCollection,
  values: Values,
  current: Row | undefined,
): Promise<ReadonlyMap<string, string>> => {
  const names = namesFromPosition(collection).filter((name) =>
    current === undefined ? values.get(name) === '' : !values.has(name),
  )
  if (names.length === 0) return NOTHING
  const after = positionOf((name) => values.get(name) ?? current?.[name])
  const before = positionOf((name) => current?.[name])
  if (POSITION.every((_name, index) => after[index] === before[index])) return NOTHING
  const former = current === undefined ? NOWHERE : await placeAt(...before)
  const place = await placeAt(...after)
  return new Map(
    names.flatMap((name) => {
      const held = current?.[name] ?? ''
      const value = valueAt(place, collection, name)
      const isFree = held === valueAt(former, collection, name)
      return isFree && value !== held ? [[name, value]] : []
    }),
  )
}

const NOTHING: ReadonlyMap<string, string> = new Map()

const positionOf = (read: (name: string) => unknown): [latitude: number, longitude: number] => {
  const [latitude, longitude] = POSITION.map((name) => Number(read(name)))
  return [latitude ?? 0, longitude ?? 0]
}

const valueAt = (place: Place, { fields }: LinkedCollection, name: string): string => {
  const what = fromPosition(fields[name])
  return what === undefined ? '' : place[what]
}

/**
 * Fills in records that were written before the server filled in anything, some at a time, until none is left or the
 * server stops. Each record is filled in once: a field that is emptied later stays empty.
 */
export const backfill = async (
  sql: Sql,
  schema: Schema,
  isStopping: () => boolean,
): Promise<void> => {
  for (const collection of schema.collections) {
    if (namesFromPosition(collection).length === 0) continue
    while (!isStopping() && (await backfillBatch(sql, collection)));
  }
}

const BATCH = 100

/** @returns whether there may be more */
const backfillBatch = (sql: Sql, collection: LinkedCollection): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const next = await transaction<{ record: string }[]>`
      delete from unfilled where collection = ${collection.name} and record in (
        select record from unfilled where collection = ${collection.name}
        order by record limit ${BATCH} for update skip locked)
      returning record`
    const ids = next.map(({ record }) => record)
    const rows = await transaction<Row[]>`
      select * from ${transaction(collection.name)} where id = any(${ids})
      order by id for no key update`
    for (const row of rows) await backfillRow(transaction, collection, row)
    return next.length === BATCH
  })

const backfillRow = async (
  runner: Runner,
  collection: LinkedCollection,
  row: Row,
): Promise<void> => {
  const place = await placeAt(...positionOf((name) => row[name]))
  const filled = namesFromPosition(collection).flatMap((name) => {
    const value = valueAt(place, collection, name)
    return row[name] === '' && value !== '' ? [[name, value] as const] : []
  })
  if (filled.length === 0) return
  const statement = new Statement('fixed')
  const assignments = filled.map(
    ([name, value]) => `${identifier(name)} = ${statement.bind(value, 'text')}`,
  )
  await statement.run(
    runner,
    `update ${identifier(collection.name)} set ${assignments.join(', ')},` +
      ` version = nextval('record_version'), updated = now()` +
      ` where id = ${statement.bind(String(row['id']), 'text')}` +
      ` and ${setFilledIn(
        statement,
        filled.map(([name]) => name),
      )} is not null`,
  )
}
