import { numberOf, textOf } from '../read-values.ts'
import type { Values } from '../station.ts'
import { countryThere } from './position.ts'
import {
  DC_STANDARDS,
  currentTypeOf,
  formatOf,
  isAcOnly,
  isNameless,
  isOnePhase,
  standardOf,
  usualFormat,
  usualPower,
} from './plugs.ts'
import { rules, type Rule } from './rule.ts'

const MAX_KW = 4000
/** No plug has less power; a smaller value was divided by 1,000 once too often. */
const MIN_KW = 0.8
/** The maximum power of an AC plug: 63 A on three phases. */
const MAX_AC_KW = 50
const ONE_PHASE_MAX_KW = 7.4
/** The grid voltage between phase and neutral. */
const PHASE_V = 230
/** Voltages above this are between two phases. */
const BETWEEN_PHASES_V = 340
const MAX_AC_V = 500
const MIN_V = 90

const kwOf = (values: Values): number | undefined => {
  const kw = numberOf(values['kw_rating'])
  return kw !== undefined && kw > 0 ? kw : undefined
}
const positive = (value: unknown): number | undefined => {
  const number = numberOf(value)
  return number !== undefined && number > 0 ? number : undefined
}
const standardIn = (values: Values): string => textOf(values['standard'])
const isAc = (values: Values): boolean => textOf(values['current_type']).startsWith('AC')

/** The usual AC power ratings. A power within 4 % of one is rounded to it. */
const AC_STEPS_KW = [2.3, 3.7, 7.4, 11, 22, 43]
const MAX_STEP_KW = Math.max(...AC_STEPS_KW)

const rounded = (kw: number, isAlternating: boolean): number => {
  const step = isAlternating && AC_STEPS_KW.find((each) => Math.abs(kw - each) / each < 0.04)
  return step || Number(kw.toFixed(kw < 10 ? 1 : 0))
}

/**
 * The power for a voltage and an amperage. Feeds state the voltage between phases as often as the voltage to neutral,
 * which OCPI uses.
 */
const powerOf = (currentType: string, voltage: number, amperage: number): number => {
  if (currentType === 'DC' || currentType === 'AC_1_PHASE') return (voltage * amperage) / 1000
  const phases = currentType === 'AC_3_PHASE' ? 3 : 2
  const phase = voltage > BETWEEN_PHASES_V ? voltage / Math.sqrt(3) : voltage
  return (phases * phase * amperage) / 1000
}

const isPossible = (kw: number, values: Values): boolean =>
  kw >= MIN_KW && kw <= (isAc(values) ? MAX_AC_KW : MAX_KW)

const powerFromCurrent: Rule['apply'] = (values) => {
  const [amperage, currentType] = [positive(values['amperage']), textOf(values['current_type'])]
  const stated = positive(values['voltage']) ?? 0
  const voltage = stated >= MIN_V ? stated : isAc(values) ? PHASE_V : undefined
  if (kwOf(values) !== undefined || amperage === undefined || voltage === undefined) return {}
  const kw = powerOf(currentType, voltage, amperage)
  return isPossible(kw, values) ? { kw_rating: rounded(kw, isAc(values)) } : {}
}

const powerInWatts: Rule['apply'] = (values) => {
  const kw = kwOf(values)
  if (kw === undefined) return {}
  const isTooMuch = kw > MAX_KW || (isAc(values) && kw > 1000)
  return isTooMuch && isPossible(kw / 1000, values) ? { kw_rating: kw / 1000 } : {}
}

const powerInMegawatts: Rule['apply'] = (values) => {
  const kw = kwOf(values)
  if (kw === undefined || kw >= MIN_KW) return {}
  const meant = Number((kw * 1000).toFixed(6))
  return isPossible(meant, values) ? { kw_rating: meant } : {}
}

/** Grid voltages, which feeds state without knowing the power, even for direct current. */
const GRID_V: readonly number[] = [220, 230, 240, 380, 400]

/** Whether no plug has this voltage. */
const isNoVoltage = (voltage: number, values: Values): boolean =>
  isAc(values) ? voltage < MIN_V : voltage < 400 && !GRID_V.includes(voltage)

const powerInVoltage = (values: Values): Values => {
  const voltage = positive(values['voltage'])
  const isMissing = kwOf(values) === undefined && positive(values['amperage']) === undefined
  if (!isMissing || voltage === undefined || !isNoVoltage(voltage, values)) return {}
  return { kw_rating: voltage, voltage: undefined }
}

/** Countries with other plugs than Europe. */
const OTHER_PLUGS: ReadonlySet<string> = new Set('CAN CHN JPN KOR MEX TWN USA'.split(' '))

const plugUsual: Rule['apply'] = (values, { site }) => {
  const kw = kwOf(values)
  if (kw === undefined || !isNameless(standardIn(values))) return {}
  if (OTHER_PLUGS.has(countryThere(site) ?? '')) return {}
  if (kw >= 50) return { standard: 'IEC_62196_T2_COMBO' }
  return kw >= MIN_NAMED_KW && kw <= MAX_STEP_KW ? { standard: 'IEC_62196_T2' } : {}
}

/** Below it, a household socket is as probable. */
const MIN_NAMED_KW = 7

const powerUsual: Rule['apply'] = (values) => {
  const standard = standardOf(standardIn(values))
  const isAskedAlready = Object.keys(powerInVoltage(values)).length > 0
  if (kwOf(values) !== undefined || standard === undefined || isAskedAlready) return {}
  return { kw_rating: usualPower(standard, textOf(values['current_type'])) }
}

const currentFromStandard: Rule['apply'] = (values) => {
  const [standard, stated] = [standardIn(values), textOf(values['current_type'])]
  if (DC_STANDARDS.includes(standard)) return stated === 'DC' ? {} : { current_type: 'DC' }
  const isDc = stated === 'DC'
  if (isDc && (isAcOnly(standard) || (standard === 'IEC_62196_T2' && powerOrLess(values))))
    return { current_type: isOnePhase(standard) ? 'AC_1_PHASE' : 'AC_3_PHASE' }
  return {}
}

/** Whether the power of a type 2 plug with stated direct current is possible with alternating current. */
const powerOrLess = (values: Values): boolean => {
  const kw = kwOf(values)
  const [voltage, amperage] = [positive(values['voltage']) ?? 0, positive(values['amperage']) ?? 0]
  return kw === undefined ? powerOf('AC_3_PHASE', voltage, amperage) <= MAX_AC_KW : kw <= MAX_AC_KW
}

/** Programs often state only "AC". */
const currentFromPower: Rule['apply'] = (values) => {
  const stated = textOf(values['current_type'])
  const standard = standardIn(values)
  if (currentTypeOf(stated) !== undefined || standard === '') return {}
  if (isOnePhase(standard)) return { current_type: 'AC_1_PHASE' }
  const kw = kwOf(values)
  if (kw === undefined) return { current_type: 'AC_3_PHASE' }
  if (kw > MAX_AC_KW && kw <= 1000) return { current_type: 'DC' }
  return { current_type: kw <= ONE_PHASE_MAX_KW ? 'AC_1_PHASE' : 'AC_3_PHASE' }
}

const formatFromStandard: Rule['apply'] = (values) => {
  const standard = standardIn(values)
  if (standard === '' || formatOf(textOf(values['format'])) !== undefined) return {}
  const isAttached = standard === 'IEC_62196_T2' && (kwOf(values) ?? 0) > 22
  return { format: isAttached ? 'CABLE' : usualFormat(standard) }
}

/** Nominal grid voltages between phases, with those to neutral. */
const NEUTRAL_V: ReadonlyMap<number, number> = new Map([
  [380, 220],
  [400, 230],
  [415, 240],
])

const voltageBetweenPhases: Rule['apply'] = (values) => {
  const voltage = positive(values['voltage']) ?? 0
  const isBetween = textOf(values['current_type']) === 'AC_3_PHASE' && voltage > BETWEEN_PHASES_V
  if (!isBetween || voltage > MAX_AC_V) return {}
  return { voltage: NEUTRAL_V.get(voltage) ?? Math.round(voltage / Math.sqrt(3)) }
}

const electricalValues: Rule['apply'] = (values) => {
  const [voltage, amperage] = [numberOf(values['voltage']), numberOf(values['amperage'])]
  const changed: Record<string, undefined> = {}
  if (voltage !== undefined && voltage !== 0)
    if (voltage < MIN_V || voltage > (isAc(values) ? MAX_AC_V : 2000))
      changed['voltage'] = undefined
  if (amperage !== undefined && amperage !== 0)
    if (amperage < 0 || amperage > (isAc(values) ? 100 : 5000)) changed['amperage'] = undefined
  return changed
}

/**
 * The rules for current, power and values that follow from the plug. To be applied after the spelling of choices and
 * numbers.
 */
export const POWER_RULES = rules('connector', [
  {
    name: 'plug_usual',
    isCertain: false,
    example: {
      before: { standard: '3x 11kW', kw_rating: 11 },
      after: { standard: 'IEC_62196_T2' },
    },
    apply: plugUsual,
  },
  {
    name: 'current_type_from_standard',
    example: {
      before: { standard: 'IEC_62196_T2_COMBO', current_type: 'AC_3_PHASE' },
      after: { current_type: 'DC' },
    },
    apply: currentFromStandard,
  },
  {
    name: 'power_in_watts',
    example: { before: { current_type: 'AC_3_PHASE', kw_rating: 22000 }, after: { kw_rating: 22 } },
    apply: powerInWatts,
  },
  {
    name: 'power_in_megawatts',
    example: { before: { current_type: 'DC', kw_rating: 0.15 }, after: { kw_rating: 150 } },
    apply: powerInMegawatts,
  },
  {
    name: 'current_type_from_power',
    example: {
      before: { standard: 'IEC_62196_T2', current_type: 'AC', kw_rating: 22 },
      after: { current_type: 'AC_3_PHASE' },
    },
    apply: currentFromPower,
  },
  {
    name: 'power_from_current',
    example: {
      before: { current_type: 'AC_3_PHASE', voltage: 400, amperage: 32 },
      after: { kw_rating: 22 },
    },
    apply: powerFromCurrent,
  },
  {
    name: 'power_in_voltage',
    isCertain: false,
    example: {
      before: { current_type: 'AC_3_PHASE', voltage: 22, amperage: 0 },
      after: { kw_rating: 22, voltage: undefined },
    },
    apply: powerInVoltage,
  },
  {
    name: 'power_usual',
    isCertain: false,
    example: {
      before: { standard: 'DOMESTIC_F', current_type: 'AC_1_PHASE' },
      after: { kw_rating: 2.3 },
    },
    apply: powerUsual,
  },
  {
    name: 'format_from_standard',
    example: { before: { standard: 'CHADEMO' }, after: { format: 'CABLE' } },
    apply: formatFromStandard,
  },
  {
    name: 'voltage_between_phases',
    example: {
      before: { current_type: 'AC_3_PHASE', voltage: 400 },
      after: { voltage: 230 },
    },
    apply: voltageBetweenPhases,
  },
  {
    name: 'electrical_value_removed',
    example: {
      before: { current_type: 'AC_3_PHASE', voltage: 688, amperage: 32 },
      after: { voltage: undefined },
    },
    apply: electricalValues,
  },
])
