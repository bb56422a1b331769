import { connectors, MAX_CONNECTORS_PER_SITE } from '#domain/connector.ts'
import type { Collection } from '#domain/collection.ts'
import { withSentence } from '#domain/error.ts'
import { isBlankZero, isList, type JsonField, type ValueField } from '#domain/field.ts'
import type { Answers, Problem, Question, Repair } from '#domain/repair.ts'
import {
  findContradictions,
  isValueField,
  parseShape,
  readValue,
  type Reading,
  type Value,
} from '#domain/schema.ts'
import { sites } from '#domain/site.ts'
import { tariffs } from '#domain/tariff.ts'

import { bounded, boundedValue, isJsonText, omitEmpty, textOf } from '../read-values.ts'
import { type Repaired, type Station, type StationTariff, type Values } from '../station.ts'
import { CHOICE_RULES, PLUG_RULES } from './choices.ts'
import { POSITION_RULES, positionProblem } from './position.ts'
import { POSTAL_CODE_RULE } from './postal-code.ts'
import { POWER_RULES } from './power.ts'
import { FIELDS, NAMES, type Context, type Rule } from './rule.ts'
import { CONNECTOR_TEXT_RULES, LATER_TEXT_RULES, TEXT_RULES } from './texts.ts'

export { filledBy, isFilledIn } from './filled.ts'

type Shapes = ReadonlyMap<string, Awaited<ReturnType<JsonField['schema']>>>

const shapesOf = async ({ fields }: Collection): Promise<Shapes> =>
  new Map(
    await Promise.all(
      Object.entries(fields).flatMap(([name, field]) =>
        field.kind === 'json' && field.schema !== undefined
          ? [field.schema().then((schema) => [name, schema] as const)]
          : [],
      ),
    ),
  )

const SHAPES = {
  site: await shapesOf(sites),
  connector: await shapesOf(connectors),
  tariff: await shapesOf(tariffs),
} as const

const fieldOf = (on: Rule['on'], name: string): ValueField | undefined => {
  const field = FIELDS[on][name]
  return field !== undefined && isValueField(field) ? field : undefined
}

/** Validates a value like a field of a record. Returns the normalised value or the error. */
const read = (on: Rule['on'], name: string, value: unknown): Reading => {
  const field = fieldOf(on, name)
  if (field === undefined) return { value: '' }
  if (isForeign(field, value)) return { error: { code: 'validation_invalid_format' } }
  const reading = readValue(field, value)
  const shape = SHAPES[on].get(name)
  if (shape === undefined || reading.error !== undefined || reading.value === null) return reading
  return parseShape(shape, reading.value)
}

/** Whether validation would treat an object or a list in place of a text as empty, and lose it without a report. */
const isForeign = (field: ValueField, value: unknown): boolean =>
  field.kind !== 'json' &&
  typeof value === 'object' &&
  value !== null &&
  !(isList(field) && Array.isArray(value) && value.every(isPlain))

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Whether a field may be missing: it is not required, or a new record has a default value. */
const isOptional = (on: Rule['on'], name: string): boolean => {
  const field = fieldOf(on, name)
  return field?.required !== true || (field.kind === 'select' && field.default !== undefined)
}

/** Removes invalid values of optional fields. */
const valueRemoved =
  (on: Rule['on']): Rule['apply'] =>
  (values) =>
    Object.fromEntries(
      NAMES[on]
        .filter((name) => values[name] !== undefined && isOptional(on, name))
        .filter((name) => read(on, name, values[name]).error !== undefined)
        .map((name) => [name, undefined]),
    )

const connectorLeftOut: Rule['apply'] = (values) =>
  NAMES.connector.every((name) => read('connector', name, values[name]).error === undefined)
    ? {}
    : null

const tariffMissing: Rule['apply'] = (values, { tariffs: all }) => {
  const tariff = textOf(values['tariff'])
  const isMissing =
    tariff !== '' && all.length > 0 && !all.some(({ reference }) => reference === tariff)
  return isMissing ? { tariff: undefined } : {}
}

const tariffLeftOut: Rule['apply'] = (values) => {
  const isValid = NAMES.tariff.every(
    (name) =>
      (values[name] === undefined && isOptional('tariff', name)) ||
      read('tariff', name, values[name]).error === undefined,
  )
  const given = new Map(Object.entries(values as Record<string, Value>))
  return isValid && findContradictions(tariffs, given).length === 0 ? {} : null
}

const removal = (on: Rule['on'], example: Rule['example']): Rule => ({
  name: 'value_removed',
  on,
  isCertain: true,
  example,
  apply: valueRemoved(on),
})

/** All rules, in the order of application. */
export const RULES: readonly Rule[] = [
  ...TEXT_RULES,
  ...POSITION_RULES,
  POSTAL_CODE_RULE,
  ...CHOICE_RULES,
  ...LATER_TEXT_RULES,
  removal('site', { before: { vehicle_capacity: -2 }, after: { vehicle_capacity: undefined } }),
  ...PLUG_RULES,
  ...POWER_RULES,
  ...CONNECTOR_TEXT_RULES,
  removal('connector', { before: { evse_id: '1' }, after: { evse_id: undefined } }),
  ...(['site', 'connector'] as const).map((on): Rule => ({
    name: 'tariff_missing',
    on,
    isCertain: true,
    example: {
      before: { tariff: 'T9' },
      after: { tariff: undefined },
      tariffs: [{ reference: 'T1', values: {} }],
    },
    apply: tariffMissing,
  })),
  {
    name: 'connector_left_out',
    on: 'connector',
    isCertain: true,
    example: {
      before: { standard: 'Gardena', format: 'CABLE', current_type: 'DC', kw_rating: 50 },
      after: null,
    },
    apply: connectorLeftOut,
  },
  removal('tariff', {
    before: { min_price: { before_taxes: -1 } },
    after: { min_price: undefined },
  }),
  {
    name: 'tariff_left_out',
    on: 'tariff',
    isCertain: true,
    example: { before: { name: 'Night', currency: 'EUR', elements: [] }, after: null },
    apply: tariffLeftOut,
  },
]

const RULES_ON: Readonly<Record<Rule['on'], readonly Rule[]>> = {
  site: RULES.filter(({ on }) => on === 'site'),
  connector: RULES.filter(({ on }) => on === 'connector'),
  tariff: RULES.filter(({ on }) => on === 'tariff'),
}

/** The result for the values of one record. */
interface Outcome {
  /** Null if the record is left out. */
  readonly values: Values | null
  readonly repairs: readonly Repair[]
  readonly questions: readonly Question[]
}

/** Truncates values, since rules take longer for longer values, some quadratically. JSON texts are only parsed. */
const boundedValues = (on: Rule['on'], values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      fieldOf(on, name)?.kind === 'json' ? boundedJson(value) : boundedValue(value),
    ]),
  )

/** JSON that is too long is treated as a text, which is then invalid: each entry of a list takes time. */
const boundedJson = (value: unknown): unknown => {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  return isJsonText(text) ? value : boundedValue(text)
}

/** Applies the rules for one record, in order. */
const repairRecord = (
  on: Rule['on'],
  values: Values,
  context: Context,
  answers: Answers,
  prefix: string,
): Outcome => {
  const repairs: Repair[] = []
  const questions: Question[] = []
  let now = values
  for (const { name: rule, isCertain, apply } of RULES_ON[on]) {
    const changed = apply(now, context)
    if (changed === null) {
      const field = prefix.replace(/\.$/, '')
      return {
        values: null,
        repairs: [...repairs, { rule, field, before: now, after: null }],
        questions,
      }
    }
    const findings = Object.entries(changed).map(([name, after]) => ({
      rule,
      field: `${prefix}${name}`,
      before: now[name] ?? null,
      after: after ?? null,
    }))
    if (findings.length === 0) continue
    if (!isCertain) questions.push(...findings)
    if (isCertain || answers[rule] === true) {
      repairs.push(...findings)
      now = { ...now, ...changed }
    }
  }
  return { values: now, repairs, questions }
}

/** The validated values of a record, without empty ones. */
const readAll = (on: Rule['on'], values: Values): Values =>
  omitEmpty(
    Object.fromEntries(
      NAMES[on].flatMap((name) => {
        const value = values[name]
        if (value === undefined || value === null || value === '') return []
        if (name === 'tariff') return [[name, textOf(value)]]
        const reading = read(on, name, value)
        return reading.error === undefined && !isBlank(on, name, reading.value)
          ? [[name, reading.value]]
          : []
      }),
    ),
  )

/** Whether a value is empty, including 0 where 0 is not a valid value. */
const isBlank = (on: Rule['on'], name: string, value: unknown): boolean => {
  const field = fieldOf(on, name)
  return (
    value === '' || value === null || (value === 0 && field !== undefined && isBlankZero(field))
  )
}

/** The reason why a site cannot be imported after its repair. */
const siteProblem = (values: Values): Problem | undefined => {
  if (textOf(values['name']) === '' && textOf(values['address']) === '')
    return { code: 'name_and_address_missing' }
  const position = positionProblem(values)
  if (position !== undefined) return position
  for (const name of NAMES.site) {
    if (isOptional('site', name)) continue
    const value = values[name]
    if (value === undefined || value === '')
      return { code: 'value_missing', params: { field: name } }
    const { error } = read('site', name, value)
    if (error)
      return {
        code: 'value_invalid',
        params: { field: name },
        fields: { [name]: withSentence(error) },
      }
  }
  return undefined
}

/** The fields that a refusal concerns. */
const fieldsOfProblem = ({ code, params }: Problem): readonly string[] =>
  code.startsWith('position_')
    ? ['latitude', 'longitude', 'country']
    : code === 'connectors_invalid'
      ? ['connectors']
      : [String(params?.['field'] ?? '')]

/** An unanswered question whose answer could prevent the refusal. */
const openQuestion = (
  problem: Problem,
  questions: readonly Question[],
  answers: Answers,
): Problem | undefined => {
  const fields = fieldsOfProblem(problem)
  const question = questions.find(
    ({ rule, field }) =>
      answers[rule] === undefined && fields.includes(field.replace(/\[\d+\].*$/, '')),
  )
  return question && { code: 'answer_needed', params: { field: question.field } }
}

/**
 * Applies all rules to a station. Certain repairs are made and listed. Doubtful ones are always listed as questions,
 * and made only if the answer is yes. Without a refusal, all values of the result are valid; empty and unknown ones are
 * omitted.
 */
export const repairStation = (station: Station, answers: Answers = {}): Repaired => {
  const stated = station.connectors
    .slice(0, MAX_CONNECTORS_PER_SITE + 1)
    .map((values) => boundedValues('connector', values))
  const prices = station.tariffs.map(({ reference, values }) => ({
    reference: bounded(reference),
    values: boundedValues('tariff', values),
  }))
  const context = { site: {}, connectors: stated, before: [], tariffs: prices }
  const siteValues = {
    ...(station.reference !== '' && { reference: station.reference }),
    ...boundedValues('site', station.site),
  }
  const site = repairRecord('site', siteValues, context, answers, '')
  const siteNow = site.values ?? {}
  const outcomes: Outcome[] = []
  const kept: Values[] = []
  for (const [index, values] of stated.slice(0, MAX_CONNECTORS_PER_SITE).entries()) {
    const outcome = repairRecord(
      'connector',
      values,
      { ...context, site: siteNow, before: kept },
      answers,
      `connectors[${index}].`,
    )
    outcomes.push(outcome)
    if (outcome.values) kept.push(outcome.values)
  }
  const priced = prices.map((tariff, index) => ({
    tariff,
    ...repairRecord('tariff', tariff.values, context, answers, `tariffs[${index}].`),
  }))
  const all = [site, ...outcomes, ...priced]
  const questions = all.flatMap((each) => each.questions)
  const problem =
    siteProblem(siteNow) ??
    (stated.length > MAX_CONNECTORS_PER_SITE
      ? ({ code: 'connectors_too_many', params: { max: MAX_CONNECTORS_PER_SITE } } as const)
      : kept.length === 0 && stated.length > 0
        ? ({ code: 'connectors_invalid' } as const)
        : undefined)
  const refusal = problem && (openQuestion(problem, questions, answers) ?? problem)
  return {
    station: {
      ...finished(siteNow, kept, priced),
      ...('reference' in station.site && { reference: station.reference }),
    },
    repairs: all.flatMap((each) => each.repairs),
    questions,
    ...(refusal && { refusal }),
  }
}

/** The station with the repaired values. References to a removed tariff are removed. */
const finished = (
  site: Values,
  kept: readonly Values[],
  prices: readonly { readonly tariff: StationTariff; readonly values: Values | null }[],
): Station => {
  const left = prices.flatMap(({ tariff, values }) =>
    values === null ? [] : [{ reference: tariff.reference, values: readAll('tariff', values) }],
  )
  const references = new Set(left.map(({ reference }) => reference))
  const withPrice = (values: Values): Values => {
    const { tariff, ...others } = values
    return typeof tariff === 'string' && !references.has(tariff) ? others : values
  }
  return {
    reference: textOf(site['reference']),
    site: withPrice(readAll('site', site)),
    connectors: kept.map((values) => withPrice(readAll('connector', values))),
    tariffs: left,
  }
}
