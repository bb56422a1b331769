import type { Problem, Question, Repair } from '#domain/repair.ts'

/** Values by the names of our fields, as a source says them: not checked yet. Absent means unknown. */
export type Values = Readonly<Record<string, unknown>>

/** Whether a value of a file leaves the field as it is. */
export const saysNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

/** A tariff as another system says it; sites and connectors name its reference in `tariff`. */
export interface StationTariff {
  readonly reference: string
  readonly values: Values
}

/** More plugs of a kind than this are a mistake. */
export const MAX_PLUGS_OF_A_KIND = 100

/** A site as another system says it. */
export interface Station {
  /** The id that the source gives it; empty if it gives none. */
  readonly reference: string
  readonly site: Values
  readonly connectors: readonly Values[]
  readonly tariffs: readonly StationTariff[]
}

/** A piece of a station: a format with one row a plug gives many pieces of one key, see `joinParts`. */
export interface Part {
  readonly station: Station
  /** Where it stands in the source, for people: `line 12`, `data[3]`. */
  readonly position: string
}

/** A part of a source that is no piece of a station. */
export interface Unreadable {
  readonly position: string
  readonly problem: Problem
}

/** A station after its repair. */
export interface Repaired {
  /** With values that our validation accepts, unless there is a refusal. */
  readonly station: Station
  readonly repairs: readonly Repair[]
  readonly questions: readonly Question[]
  /** Why the station cannot be imported as it is. */
  readonly refusal?: Problem
}
