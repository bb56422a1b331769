import { COLLECTIONS } from '#domain/collections.ts'
import type { FieldError } from '#domain/error.ts'
import { initialValue } from '#domain/field.ts'
import type { ImportedPrice, ImportProblem } from '#domain/import.ts'
import { canonicalJson, inputNames, isSameValue } from '#domain/record.ts'
import { tariffs as declared } from '#domain/tariff.ts'

import type { Caller } from '../caller.ts'
import type { Runner } from '../db/sql.ts'
import { stableId } from '../db/stable-id.ts'
import type { Station, Values } from '../formats/station.ts'
import { checkMany, removeMany, writeMany } from '../records/records.ts'
import type { DueRow } from './rows.ts'

/** Two prices are the same if these fields are equal, whatever their names and web pages. */
const CONTENT = inputNames(declared).filter((name) => name !== 'name' && name !== 'url')

/** Maximum number of tariffs of a business that are compared with those of a file. */
const MAX_KNOWN = 2000

interface PlannedTariffs {
  /** Tariff IDs by the references in the file. */
  readonly ids: ReadonlyMap<string, string>
  /** The tariffs that the run has to create, by ID. */
  readonly created: ReadonlyMap<string, ImportedPrice>
}

/**
 * Finds tariffs of the business with the same content as those that the stations refer to, and notes the ones that the
 * run has to create.
 */
export const planTariffs = async (
  runner: Runner,
  { import: id, business }: { readonly import: string; readonly business: string },
  stations: readonly Station[],
): Promise<PlannedTariffs> => {
  const referenced = new Map(
    stations.flatMap(({ tariffs }) => tariffs.map(({ reference, values }) => [reference, values])),
  )
  if (referenced.size === 0) return { ids: new Map(), created: new Map() }
  const known = await runner<(Values & { id: string })[]>`
    select * from tariffs where business = ${business} order by created, id limit ${MAX_KNOWN}`
  const planned = [...referenced].map(([reference, values]) => {
    const same = known.find((tariff) =>
      CONTENT.every((name) => isSameValue(tariff[name], contentOf(values, name))),
    )
    const content = { ...values, name: values['name'] ?? (reference || 'Tariff'), business }
    return {
      reference,
      tariff: same?.id ?? stableId(id, 'tariff', contentText(values)),
      content,
      isNew: same === undefined,
    }
  })
  // Of equal ones with different names, the first counts.
  const created = new Map(
    planned.flatMap((one) => (one.isNew ? [[one.tariff, one] as const] : [])).toReversed(),
  )
  await runner`
    insert into import_tariffs (import, tariff, content)
    select ${id}, t.tariff, t.content
    from jsonb_to_recordset(${JSON.stringify([...created.values()])}::jsonb) as t(tariff text, content jsonb)
    on conflict do nothing`
  return {
    ids: new Map(planned.map(({ reference, tariff }) => [reference, tariff])),
    created: new Map(
      [...created].map(([tariff, { content }]) => [tariff, priceOf(tariff, content)]),
    ),
  }
}

const SHOWN = ['name', 'currency', 'tax_included', 'elements', 'min_price', 'max_price'] as const

const priceOf = (id: string, values: Values): ImportedPrice => ({
  id,
  ...(Object.fromEntries(SHOWN.map((name) => [name, contentOf(values, name)])) as Omit<
    ImportedPrice,
    'id'
  >),
})

const contentOf = (values: Values, name: keyof typeof declared.fields): unknown =>
  values[name] ?? initialValue(declared.fields[name])

const contentText = (values: Values): string =>
  canonicalJson(CONTENT.map((name) => contentOf(values, name)))

/**
 * Creates the missing tariffs that rows refer to.
 * @returns the problems of rows whose tariff is unavailable, by row number
 */
export const createTariffs = async (
  runner: Runner,
  caller: Caller,
  { import: id, business }: { readonly import: string; readonly business: string },
  rows: readonly DueRow[],
): Promise<ReadonlyMap<number, ImportProblem>> => {
  const named = rows.map((row) => ({ number: row.number, tariffs: tariffsOf(row) }))
  const ids = [...new Set(named.flatMap(({ tariffs }) => tariffs))]
  if (ids.length === 0) return new Map()
  const taken = await runner<{ id: string; isOwn: boolean }[]>`
    select id, business = ${business} as "isOwn" from tariffs where id = any(${ids}) for key share`
  const own = new Set(taken.flatMap((tariff) => (tariff.isOwn ? [tariff.id] : [])))
  const lacking = await runner<{ tariff: string; content: Values }[]>`
    select tariff, content from import_tariffs
    where import = ${id} and tariff = any(${ids}) and tariff <> all(${taken.map((each) => each.id)})`
  const outcomes = await writeMany(
    runner,
    caller,
    COLLECTIONS.tariffs,
    await checkMany(
      COLLECTIONS.tariffs,
      lacking.map(({ tariff, content }) => ({ id: tariff, fields: content })),
    ),
  )
  for (const [tariff, outcome] of outcomes)
    if (outcome.errors === undefined) {
      own.add(tariff)
      await runner`
        update import_tariffs set created_version = ${outcome.version}::bigint
        where import = ${id} and tariff = ${tariff}`
    }
  return new Map(
    named.flatMap(({ number, tariffs }) => {
      const gone = tariffs.find((tariff) => !own.has(tariff))
      return gone === undefined ? [] : [[number, problemOf(outcomes.get(gone)?.errors)]]
    }),
  )
}

/** The tariffs that a row assigns to the site or to its connectors. */
export const tariffsOf = ({
  station,
  changes,
}: Pick<DueRow, 'station' | 'changes'>): readonly string[] =>
  [
    station?.site['tariff'],
    ...(station?.connectors ?? []).map(({ tariff }) => tariff),
    ...(changes ?? []).map(({ field, after }) =>
      field === 'tariff' ? after : (after as { tariff?: unknown } | null)?.tariff,
    ),
  ].filter((tariff) => typeof tariff === 'string' && tariff !== '') as string[]

const problemOf = (errors: Readonly<Record<string, FieldError>> = {}): ImportProblem => {
  const [error] = Object.values(errors)
  return error === undefined
    ? { code: 'tariff_gone' }
    : { code: 'fields_invalid', fields: { tariff: error } }
}

/** Deletes the tariffs that a run created, unless they were changed or are in use. */
export const removeTariffs = async (
  runner: Runner,
  caller: Caller,
  { import: id }: { readonly import: string },
): Promise<void> => {
  const created = await runner<{ tariff: string }[]>`
    select i.tariff from import_tariffs i join tariffs t on t.id = i.tariff and t.version = i.created_version
    where i.import = ${id} and not exists (select from sites s where s.tariff = t.id)
      and not exists (select from connectors c where c.tariff = t.id)
    for no key update of t`
  if (created.length > 0)
    await removeMany(
      runner,
      caller,
      COLLECTIONS.tariffs,
      created.map(({ tariff }) => tariff),
    )
}
