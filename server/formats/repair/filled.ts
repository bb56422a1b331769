import type { Repair, RuleName } from '#domain/repair.ts'

import type { Values } from '../station.ts'
import { POWER_RULES } from './power.ts'
import type { Context } from './rule.ts'
import { LATER_TEXT_RULES } from './texts.ts'

/** Rules that fill in required fields that the source lacks. */
const FILLING: ReadonlySet<RuleName> = new Set([
  'name_from_address',
  'address_from_parts',
  'current_type_from_standard',
  'current_type_from_power',
  'power_usual',
  'format_from_standard',
])
const FILLING_RULES = [...LATER_TEXT_RULES, ...POWER_RULES].filter(({ name }) => FILLING.has(name))

/** The filled-in fields of the site, and of each remaining connector by index. */
export interface Filled {
  readonly site: ReadonlySet<string>
  readonly connectors: ReadonlyMap<number, ReadonlySet<string>>
}

const PLACE = /^connectors\[(\d+)\](?:\.(.+))?$/

/** Finds the fields that rules filled in because the source had no value. */
export const filledBy = (repairs: readonly Repair[]): Filled => {
  const site = new Set<string>()
  const connectors = new Map<number, Set<string>>()
  const leftOut: number[] = []
  for (const { rule, field, before } of repairs) {
    const [, place, name] = PLACE.exec(field) ?? []
    const isFilled = FILLING.has(rule) && (before === null || before === '')
    if (place === undefined) {
      if (isFilled) site.add(field)
    } else if (name === undefined) leftOut.push(Number(place))
    else if (isFilled)
      connectors.set(Number(place), new Set([...(connectors.get(Number(place)) ?? []), name]))
  }
  const kept = [...connectors].filter(([place]) => !leftOut.includes(place))
  const placeOf = (place: number): number => place - leftOut.filter((each) => each < place).length
  return { site, connectors: new Map(kept.map(([place, names]) => [placeOf(place), names])) }
}

/** Whether a stored value equals the one that the rules would fill in, so that it may not come from a person. */
export const isFilledIn = (
  on: 'site' | 'connector',
  name: string,
  stored: Values,
  site: Values,
): boolean => {
  const context: Context = { site, connectors: [], before: [], tariffs: [] }
  const { [name]: value, ...others } = stored
  const filled = FILLING_RULES.filter((rule) => rule.on === on).reduce<Values>(
    (values, { apply }) => ({ ...values, ...apply(values, context) }),
    others,
  )
  return filled[name] === value
}
