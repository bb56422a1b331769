import { connectors } from '#domain/connector.ts'
import type { Field } from '#domain/field.ts'
import { inputNames } from '#domain/record.ts'
import type { RuleName } from '#domain/repair.ts'
import { sites } from '#domain/site.ts'
import { tariffs } from '#domain/tariff.ts'

import type { StationTariff, Values } from '../station.ts'

/** The rest of the station, as visible to a rule. */
export interface Context {
  /** The values of the site; for rules of connectors, after its repair. */
  readonly site: Values
  /** As in the source. */
  readonly connectors: readonly Values[]
  /** The preceding connectors, after their repair. */
  readonly before: readonly Values[]
  readonly tariffs: readonly StationTariff[]
}

/** One repair of the values of a site, a connector or a tariff. */
export interface Rule {
  readonly name: RuleName
  readonly on: 'site' | 'connector' | 'tariff'
  /** Whether the repair is made without a question. */
  readonly isCertain: boolean
  /** The complete effect of the rule, which is also its test. */
  readonly example: {
    readonly before: Values
    /** The values that change, or `null` if the connector is left out. */
    readonly after: Values | null
    readonly site?: Values
    readonly connectors?: readonly Values[]
    readonly connectorsBefore?: readonly Values[]
    readonly tariffs?: readonly StationTariff[]
  }
  /** Returns the fields that change, undefined for a removed one, or `null` to leave out the record. */
  readonly apply: (values: Values, context: Context) => Values | null
}

/** The fields of the records that rules concern. */
export const FIELDS: Readonly<Record<Rule['on'], Readonly<Record<string, Field>>>> = {
  site: sites.fields,
  connector: connectors.fields,
  tariff: tariffs.fields,
}

/** The fields that a source can have: not `business`, which the import sets. `tariff` is a reference in the source. */
export const NAMES: Readonly<Record<Rule['on'], readonly string[]>> = {
  site: inputNames(sites),
  connector: inputNames(connectors),
  tariff: inputNames(tariffs),
}

/** Those of these fields that are of certain kinds. */
export const namesOfKind = (on: Rule['on'], ...kinds: readonly Field['kind'][]) =>
  NAMES[on].filter((name) => kinds.some((kind) => FIELDS[on][name]?.kind === kind))

type Declared = Omit<Rule, 'on' | 'isCertain'> & Partial<Rule>

/** Declares rules in the order of application. By default, they are certain and concern this kind of record. */
export const rules = (on: Rule['on'], declared: readonly Declared[]): readonly Rule[] =>
  declared.map((rule) => ({ on, isCertain: true, ...rule }))

/** A rule for single values: `change` returns the new value, or the same one if it stays. */
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
