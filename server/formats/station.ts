import type { Problem, Question, Repair } from '#domain/repair.ts'

/** Values from a source by the names of Voltleaf's fields, not validated yet. Absent means unknown. */
export type Values = Readonly<Record<string, unknown>>

/** Whether a value in a file leaves the field unchanged. */
export const isEmptyInput = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

/** A tariff from another system. Sites and connectors refer to it in `tariff`. */
export interface StationTariff {
  readonly reference: string
  readonly values: Values
}

/** More plugs of one type than this are a mistake. */
export const MAX_PLUGS_OF_A_KIND = 100

/** A site from another system. */
export interface Station {
  /** The ID in the source; empty if it has none. */
  readonly reference: string
  /** Contains a `reference` only if that of the owner is not the ID. */
  readonly site: Values
  readonly connectors: readonly Values[]
  readonly tariffs: readonly StationTariff[]
  /**
   * The ID of the record that it was read from: an equal piece with the same ID repeats it. Absent if records have no
   * IDs of their own: two equal rows of a table are two plugs.
   */
  readonly record?: string
}

/** The ID of a record as a part of its station; an empty one is none. */
export const recordOf = (id: string): Pick<Station, 'record'> => (id === '' ? {} : { record: id })

/**
 * A piece of a station: in formats with one row per plug, a station consists of many pieces with one key, see
 * `joinParts`.
 */
export interface Part {
  readonly station: Station
  /** The place in the source, for people: `line 12`, `data[3]`. */
  readonly position: string
}

/** A part of a source that is not a piece of a station. */
export interface Unreadable {
  readonly position: string
  readonly problem: Problem
}

/** A station after its repair. */
export interface Repaired {
  /** All values are valid, unless there is a refusal. */
  readonly station: Station
  readonly repairs: readonly Repair[]
  readonly questions: readonly Question[]
  /** The reason why the station cannot be imported. */
  readonly refusal?: Problem
}
