import type { RuleName } from '#domain/repair.ts'

import type { StationTariff, Values } from '../station.ts'

/** What a rule sees of the rest of the station. */
export interface Context {
  /** Of the site; for a rule of connectors, after its repair. */
  readonly site: Values
  /** As the source says them. */
  readonly connectors: readonly Values[]
  /** The connectors before this one, after their repair. */
  readonly before: readonly Values[]
  readonly tariffs: readonly StationTariff[]
}

/** One repair of the values of a site, a connector or a tariff. */
export interface Rule {
  readonly name: RuleName
  readonly on: 'site' | 'connector' | 'tariff'
  /** Whether it is made unasked. */
  readonly isCertain: boolean
  /** What it does, and all that it does: its test. */
  readonly example: {
    readonly before: Values
    /** The values that change. `null` in place of them: the connector is left out. */
    readonly after: Values | null
    readonly site?: Values
    readonly connectors?: readonly Values[]
    readonly connectorsBefore?: readonly Values[]
    readonly tariffs?: readonly StationTariff[]
  }
  /** The fields that change, with undefined for one that is left out; `null` leaves out the record. */
  readonly apply: (values: Values, context: Context) => Values | null
}

type Declared = Omit<Rule, 'on' | 'isCertain'> & Partial<Rule>

/** Rules, in the order in which they apply; each is certain, and about the same kind of record, unless it says otherwise. */
export const rules = (on: Rule['on'], declared: readonly Declared[]): readonly Rule[] =>
  declared.map((rule) => ({ on, isCertain: true, ...rule }))

/** A rule about single values: `change` answers the new value, or the same one. */
export const eachValue =
  (
    names: readonly string[],
    change: (value: unknown, name: string, values: Values) => unknown,
  ): Rule['apply'] =>
  (values) => {
    const changed: Record<string, unknown> = {}
    for (const name of names) {
      const value = values[name]
      if (value === undefined) continue
      const after = change(value, name, values)
      if (after !== value) changed[name] = after
    }
    return changed
  }
