import { isSameValue, namesFromPosition, POSITION } from '#domain/record.ts'
import { sites } from '#domain/site.ts'

/** The value of a field: text in a form, any value in a record. */
type Value = unknown

/** An entry of a list, identified by its id, such as a connector. */
export type Row = Readonly<Record<string, Value>> & { readonly id: string }

/** Fields and a list of rows: a site as a form or as a record. */
export interface Version {
  readonly fields: Readonly<Record<string, Value>>
  readonly rows: readonly Row[]
}

/** A field or row that both sides changed differently. An undefined row was removed by that side. */
export type Conflict =
  | {
      readonly kind: 'field'
      readonly name: string
      readonly mine: Value
      readonly theirs: Value
    }
  | {
      readonly kind: 'row'
      readonly id: string
      readonly mine: Row | undefined
      readonly theirs: Row | undefined
    }

/** The result of a three-way merge. On a conflict, `version` has my value. */
export interface Merged {
  readonly version: Version
  readonly conflicts: readonly Conflict[]
  /** The fields that only they changed; `mergeSite` omits those derived from the position. */
  readonly mergedFields: readonly string[]
  /** The number of rows that only they added, changed or removed. */
  readonly mergedRows: number
}

/** Returns whether two notations of a field mean the same. */
export type IsSame = (name: string, one: Value, other: Value) => boolean

const isIdentical: IsSame = (_name, one, other) => isSameValue(one, other)

/** Merges my changes and theirs, both based on `base` (a three-way merge). */
export const merge = (
  base: Version,
  mine: Version,
  theirs: Version,
  isSame: IsSame = isIdentical,
): Merged => {
  const { fields, accepted, conflicting } = mergeFields(
    base.fields,
    mine.fields,
    theirs.fields,
    isSame,
  )
  const conflicts: Conflict[] = conflicting.map((name) => ({
    kind: 'field',
    name,
    mine: mine.fields[name] ?? '',
    theirs: theirs.fields[name] ?? '',
  }))
  const before = byId(base.rows)
  const own = byId(mine.rows)
  const other = byId(theirs.rows)
  const rows: Row[] = []
  let mergedRows = 0
  const differ = (one: Row, two: Row): boolean =>
    Object.keys(one).some((name) => !isSame(name, one[name] ?? '', two[name] ?? ''))

  for (const row of mine.rows) {
    const was = before.get(row.id)
    const is = other.get(row.id)
    if (was === undefined) rows.push(row)
    else if (is === undefined) {
      if (differ(row, was)) {
        rows.push(row)
        conflicts.push({ kind: 'row', id: row.id, mine: row, theirs: undefined })
      } else mergedRows++
    } else {
      const both = mergeFields(was, row, is, isSame)
      const merged: Row = { ...row, ...both.fields, id: row.id }
      rows.push(merged)
      if (both.conflicting.length > 0)
        conflicts.push({ kind: 'row', id: row.id, mine: merged, theirs: is })
      else if (both.accepted.length > 0) mergedRows++
    }
  }
  for (const row of theirs.rows) {
    if (own.has(row.id)) continue
    const was = before.get(row.id)
    if (was === undefined) {
      rows.push(row)
      mergedRows++
    } else if (differ(row, was)) {
      conflicts.push({ kind: 'row', id: row.id, mine: undefined, theirs: row })
    }
  }
  return { version: { fields, rows }, conflicts, mergedFields: accepted, mergedRows }
}

/**
 * Merges my changes and theirs of a site. A position is one value: if both changed it differently, each coordinate that
 * differs is a conflict. If they changed it, the fields that the server derives from it are neither reported as merged
 * nor conflicts.
 */
export const mergeSite = (
  base: Version,
  mine: Version,
  theirs: Version,
  isSame: IsSame = isIdentical,
): Merged => {
  const isMoved = ({ fields }: Version): boolean =>
    POSITION.some((name) => !isSame(name, base.fields[name] ?? '', fields[name] ?? ''))
  const hasMoved = isMoved(theirs)
  // Without a common position, whatever differs is a conflict.
  const common = hasMoved && isMoved(mine) ? POSITION.map((name) => [name, '']) : []
  const fields = { ...base.fields, ...Object.fromEntries(common) }
  const merged = merge({ ...base, fields }, mine, theirs, isSame)
  const derived: readonly string[] = hasMoved ? namesFromPosition(sites) : []
  return {
    ...merged,
    conflicts: merged.conflicts.filter(
      (each) => each.kind === 'row' || !derived.includes(each.name),
    ),
    mergedFields: merged.mergedFields.filter((name) => !derived.includes(name)),
  }
}

const mergeFields = (
  base: Readonly<Record<string, Value>>,
  mine: Readonly<Record<string, Value>>,
  theirs: Readonly<Record<string, Value>>,
  isSame: IsSame,
) => {
  const fields: Record<string, Value> = {}
  const accepted: string[] = []
  const conflicting: string[] = []
  for (const [name, value] of Object.entries(mine)) {
    const [was, is] = [base[name] ?? '', theirs[name] ?? '']
    const theyChanged = !isSame(name, was, is) && !isSame(name, value ?? '', is)
    const iChanged = !isSame(name, was, value ?? '')
    fields[name] = theyChanged && !iChanged ? theirs[name] : value
    if (theyChanged && !iChanged) accepted.push(name)
    if (theyChanged && iChanged) conflicting.push(name)
  }
  return { fields, accepted, conflicting }
}

/** Returns the version with the conflict resolved in their favour. */
export const takeTheirs = ({ fields, rows }: Version, conflict: Conflict): Version => {
  if (conflict.kind === 'field')
    return { fields: { ...fields, [conflict.name]: conflict.theirs }, rows }
  const { id, theirs } = conflict
  return { fields, rows: withRow(rows, id, theirs) }
}

/** Returns the version with the conflict resolved in my favour. */
export const keepMine = ({ fields, rows }: Version, conflict: Conflict): Version => {
  if (conflict.kind === 'field')
    return { fields: { ...fields, [conflict.name]: conflict.mine }, rows }
  return { fields, rows: withRow(rows, conflict.id, conflict.mine) }
}

const withRow = (rows: readonly Row[], id: string, row: Row | undefined): readonly Row[] => {
  if (row === undefined) return rows.filter((each) => each.id !== id)
  return rows.some((each) => each.id === id)
    ? rows.map((each) => (each.id === id ? row : each))
    : [...rows, row]
}

const byId = (rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]))
