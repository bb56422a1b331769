import type { CurrentType, Format, Standard } from './connector.ts'

/** Minimum and maximum power in kW, both inclusive. */
interface KwRange {
  readonly min: number
  readonly max: number
}

/** The usual values of a plug: currents, power and format. */
export interface UsualPlug {
  readonly currents: Readonly<Partial<Record<CurrentType, KwRange>>>
  readonly formats: readonly Format[]
  /** The most common values, if there are several. */
  readonly typical?: { readonly format: Format; readonly current_type: CurrentType }
}

/** A power outside this range is probably a typo, for any plug. */
const USUAL_KW: KwRange = { min: 1, max: 400 }

const BOTH = ['SOCKET', 'CABLE'] as const
/** 32 A at 230 V; a higher power needs a second or third phase. */
const ONE_PHASE: KwRange = { min: 1, max: 7.4 }
const THREE_PHASE: KwRange = { min: 8, max: 44 }
const MEGAWATT: KwRange = { min: 1, max: 4000 }

const dcCable = (kw: KwRange = USUAL_KW): UsualPlug => ({
  currents: { DC: kw },
  formats: ['CABLE'],
})
const onePhaseSocket = (max: number): UsualPlug => ({
  currents: { AC_1_PHASE: { min: 1, max } },
  formats: ['SOCKET'],
})
const threePhaseSocket = (max: number): UsualPlug => ({
  currents: { AC_3_PHASE: { min: 1, max } },
  formats: ['SOCKET'],
})
/** In North America, the two live wires count as one phase or as split phase. */
const nema = (max: number): UsualPlug => ({
  currents: { AC_1_PHASE: { min: 1, max }, AC_2_PHASE_SPLIT: { min: 1, max } },
  formats: ['SOCKET'],
})

/** Usual values of each plug. There are exceptions: the form warns and never refuses. */
export const USUAL_PLUGS: Readonly<Record<Standard, UsualPlug>> = {
  IEC_62196_T2: {
    currents: {
      AC_1_PHASE: ONE_PHASE,
      AC_2_PHASE: { min: 1, max: 14.8 },
      AC_3_PHASE: THREE_PHASE,
    },
    formats: BOTH,
    typical: { format: 'SOCKET', current_type: 'AC_3_PHASE' },
  },
  IEC_62196_T2_COMBO: dcCable(),
  CHADEMO: dcCable(),
  IEC_62196_T1: {
    currents: { AC_1_PHASE: { min: 1, max: 19.2 }, AC_2_PHASE_SPLIT: { min: 1, max: 19.2 } },
    formats: BOTH,
    typical: { format: 'CABLE', current_type: 'AC_1_PHASE' },
  },
  IEC_62196_T1_COMBO: dcCable(),
  SAE_J3400: {
    currents: {
      AC_1_PHASE: { min: 1, max: 22 },
      AC_2_PHASE_SPLIT: { min: 1, max: 22 },
      DC: USUAL_KW,
    },
    formats: ['CABLE'],
  },
  TESLA_S: {
    currents: {
      AC_1_PHASE: { min: 1, max: 22 },
      AC_2_PHASE_SPLIT: { min: 1, max: 22 },
      AC_3_PHASE: THREE_PHASE,
      DC: USUAL_KW,
    },
    formats: ['CABLE'],
  },
  TESLA_R: {
    currents: { AC_1_PHASE: { min: 1, max: 16.8 }, AC_2_PHASE_SPLIT: { min: 1, max: 16.8 } },
    formats: ['CABLE'],
  },
  GBT_AC: { currents: { AC_1_PHASE: ONE_PHASE, AC_3_PHASE: THREE_PHASE }, formats: BOTH },
  GBT_DC: dcCable(),
  CHAOJI: dcCable({ min: 1, max: 900 }),
  MCS: dcCable(MEGAWATT),
  PANTOGRAPH_BOTTOM_UP: { currents: { DC: MEGAWATT }, formats: BOTH },
  PANTOGRAPH_TOP_DOWN: { currents: { DC: MEGAWATT }, formats: BOTH },
  IEC_62196_T3A: onePhaseSocket(3.7),
  IEC_62196_T3C: {
    currents: { AC_1_PHASE: ONE_PHASE, AC_3_PHASE: THREE_PHASE },
    formats: ['SOCKET'],
  },
  IEC_60309_2_single_16: onePhaseSocket(3.7),
  IEC_60309_2_three_16: threePhaseSocket(11.1),
  IEC_60309_2_three_32: threePhaseSocket(22.2),
  IEC_60309_2_three_64: threePhaseSocket(44.4),
  DOMESTIC_A: nema(1.8),
  DOMESTIC_B: nema(1.8),
  DOMESTIC_C: onePhaseSocket(3.7),
  DOMESTIC_D: onePhaseSocket(3.7),
  DOMESTIC_E: onePhaseSocket(3.7),
  DOMESTIC_F: onePhaseSocket(3.7),
  DOMESTIC_G: onePhaseSocket(3.7),
  DOMESTIC_H: onePhaseSocket(3.7),
  DOMESTIC_I: onePhaseSocket(3.7),
  DOMESTIC_J: onePhaseSocket(3.7),
  DOMESTIC_K: onePhaseSocket(3.7),
  DOMESTIC_L: onePhaseSocket(3.7),
  DOMESTIC_M: onePhaseSocket(3.7),
  DOMESTIC_N: onePhaseSocket(4.4),
  DOMESTIC_O: onePhaseSocket(3.7),
  NEMA_5_20: nema(2.4),
  NEMA_6_30: nema(7.2),
  NEMA_6_50: nema(12),
  NEMA_10_30: nema(7.2),
  NEMA_10_50: nema(12),
  NEMA_14_30: nema(7.2),
  NEMA_14_50: nema(12),
}

/** A probable mistake in a connector: the form warns but does not refuse. */
export type Warning =
  /** Hardly any charger has this power. */
  | { readonly about: 'power' }
  /** The power is higher than the plug supports. */
  | { readonly about: 'powerOfPlug'; readonly maxKw: number }
  /** The plug is used with other currents. */
  | { readonly about: 'currentOfPlug'; readonly usual: readonly CurrentType[] }
  /** At this power, the plug is used with another current. */
  | { readonly about: 'currentOfPower'; readonly usual: readonly CurrentType[] }
  | { readonly about: 'format'; readonly usual: Format }

/** A connector that is being entered. */
export interface Described {
  readonly standard?: Standard | undefined
  readonly format?: Format | undefined
  readonly current_type?: CurrentType | undefined
  readonly kw_rating?: number | undefined
}

/** The warnings about a connector. Empty and invalid fields cause none. */
export const warningsOf = (connector: Described): readonly Warning[] => {
  const { standard, format, current_type: current, kw_rating: kw } = connector
  const plug = standard === undefined ? undefined : USUAL_PLUGS[standard]
  const warnings: Warning[] = []
  const range = current === undefined ? undefined : plug?.currents[current]
  if (plug !== undefined && current !== undefined && range === undefined)
    warnings.push({ about: 'currentOfPlug', usual: currentsOf(plug) })
  if (kw !== undefined && kw > 0) {
    const max = Math.max(USUAL_KW.max, range?.max ?? 0)
    if (kw < USUAL_KW.min || kw > max) warnings.push({ about: 'power' })
    else if (plug !== undefined && range !== undefined && !holds(range, kw))
      warnings.push(...powerWarnings(plug, range, kw))
  }
  const [usual, ...others] = plug?.formats ?? []
  if (format !== undefined && usual !== undefined && others.length === 0 && format !== usual)
    warnings.push({ about: 'format', usual })
  return warnings
}

const powerWarnings = (plug: UsualPlug, range: KwRange, kw: number): readonly Warning[] => {
  const usual = currentsOf(plug).filter((current) => holds(plug.currents[current], kw))
  if (usual.length > 0) return [{ about: 'currentOfPower', usual }]
  return kw > range.max ? [{ about: 'powerOfPlug', maxKw: range.max }] : []
}

const holds = (range: KwRange | undefined, kw: number): boolean =>
  range !== undefined && kw >= range.min && kw <= range.max

const currentsOf = (plug: UsualPlug): readonly CurrentType[] =>
  Object.keys(plug.currents) as CurrentType[]

/** The values that follow from the plug. */
export const impliedBy = (standard: Standard): Pick<Described, 'format' | 'current_type'> => {
  const plug = USUAL_PLUGS[standard]
  const [current, ...otherCurrents] = currentsOf(plug)
  const [format, ...otherFormats] = plug.formats
  return {
    ...plug.typical,
    ...(otherCurrents.length === 0 ? { current_type: current } : {}),
    ...(otherFormats.length === 0 ? { format } : {}),
  }
}

/** Maximum number of plugs per parked vehicle: a charger with every standard has three. */
const MAX_PLUGS_A_VEHICLE = 3

/**
 * Whether the number of vehicles that can charge at the same time is doubtful. `kinds` has the number of plugs of each
 * kind: equal plugs belong to different parking spaces. A charge point charges one vehicle at a time.
 */
export const isCapacityDoubtful = (
  capacity: number,
  kinds: readonly number[],
  chargePoints: number,
): boolean => {
  const plugs = kinds.reduce((sum, count) => sum + count, 0)
  const least = Math.min(chargePoints, Math.max(...kinds, Math.ceil(plugs / MAX_PLUGS_A_VEHICLE)))
  return plugs > 0 && (capacity > chargePoints || capacity < least)
}
