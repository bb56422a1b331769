import type { Standard } from './connector.ts'

/** The plugs that drivers distinguish, each with its standards. */
export const PLUG_GROUPS = {
  TYPE_2: ['IEC_62196_T2'],
  CCS_2: ['IEC_62196_T2_COMBO'],
  CHADEMO: ['CHADEMO'],
  TYPE_1: ['IEC_62196_T1'],
  CCS_1: ['IEC_62196_T1_COMBO'],
  NACS: ['SAE_J3400'],
  TESLA: ['TESLA_S', 'TESLA_R'],
  GBT_AC: ['GBT_AC'],
  GBT_DC: ['GBT_DC', 'CHAOJI'],
  TYPE_3: ['IEC_62196_T3A', 'IEC_62196_T3C'],
  SOCKET: [
    'DOMESTIC_A',
    'DOMESTIC_B',
    'DOMESTIC_C',
    'DOMESTIC_D',
    'DOMESTIC_E',
    'DOMESTIC_F',
    'DOMESTIC_G',
    'DOMESTIC_H',
    'DOMESTIC_I',
    'DOMESTIC_J',
    'DOMESTIC_K',
    'DOMESTIC_L',
    'DOMESTIC_M',
    'DOMESTIC_N',
    'DOMESTIC_O',
    'IEC_60309_2_single_16',
    'IEC_60309_2_three_16',
    'IEC_60309_2_three_32',
    'IEC_60309_2_three_64',
    'NEMA_5_20',
    'NEMA_6_30',
    'NEMA_6_50',
    'NEMA_10_30',
    'NEMA_10_50',
    'NEMA_14_30',
    'NEMA_14_50',
  ],
  TRUCK: ['MCS', 'PANTOGRAPH_BOTTOM_UP', 'PANTOGRAPH_TOP_DOWN'],
} as const satisfies Readonly<Record<string, readonly Standard[]>>
export type PlugGroup = keyof typeof PLUG_GROUPS

/** In the order of their bits in a mask. */
export const PLUG_GROUP_NAMES = Object.keys(PLUG_GROUPS) as readonly PlugGroup[]

/** The minimum power of each class, in kW. A filter by one of these values is exact without reading the connectors. */
export const POWER_CLASSES_KW = [0, 7, 22, 50, 150] as const

/** The bits of a mask above the bits of plugs. */
export const MASK_BITS = { free: 60, alwaysOpen: 61 } as const

/** The bit of connectors of a group and a power class, counted from 0. */
export const plugBit = (group: number, powerClass: number): number =>
  group * POWER_CLASSES_KW.length + powerClass

/** The bits of all connectors that may have at least this power, in the given groups; without groups, in all. */
export const plugMask = (groups: readonly PlugGroup[], minKw: number): bigint => {
  const first = POWER_CLASSES_KW.findLastIndex((kw) => kw <= minKw)
  let mask = 0n
  for (const [index, name] of PLUG_GROUP_NAMES.entries()) {
    if (groups.length > 0 && !groups.includes(name)) continue
    for (let each = Math.max(first, 0); each < POWER_CLASSES_KW.length; each += 1)
      mask |= 1n << BigInt(plugBit(index, each))
  }
  return mask
}

/** Whether the mask alone is enough to filter by this power. */
export const isPowerClass = (minKw: number): boolean => POWER_CLASSES_KW.some((kw) => kw === minKw)
