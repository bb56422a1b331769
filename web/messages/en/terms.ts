import { counts, plurals } from '../format.ts'
import type { CurrentType, Format, Standard } from '#domain/connector.ts'
import type { SiteStatus } from '#domain/site.ts'

const plural = plurals('en')
const number = counts('en')

/** What the value sets of sites and connectors are called, in English. */
export default {
  facts: {
    connectors: (count: number) =>
      plural(count, { one: '1 connector', other: `${number(count)} connectors` }),
    power: (kw: string) => `${kw} kW`,
    capacity: (count: number) =>
      plural(count, { one: '1 vehicle at once', other: `${number(count)} vehicles at once` }),
    times: (count: number) => `${count} ×`,
  },
  status: {
    AVAILABLE: 'Open',
    PLANNED: 'Coming soon',
    INOPERATIVE: 'Temporarily closed',
    OUTOFORDER: 'Out of order',
    REMOVED: 'Closed for good',
    UNKNOWN: 'Not known',
    BLOCKED: 'Blocked',
    CHARGING: 'In use',
    RESERVED: 'Reserved',
  } satisfies Record<SiteStatus, string>,
  format: {
    SOCKET: 'Socket: bring your own cable',
    CABLE: 'Cable attached',
  } satisfies Record<Format, string>,
  formatShort: { SOCKET: 'socket', CABLE: 'cable' } satisfies Record<Format, string>,
  currentType: {
    AC_1_PHASE: 'AC, single phase',
    AC_2_PHASE: 'AC, two of three phases',
    AC_2_PHASE_SPLIT: 'AC, split phase (North America)',
    AC_3_PHASE: 'AC, three phase',
    DC: 'DC',
  } satisfies Record<CurrentType, string>,
  currentShort: {
    AC_1_PHASE: 'AC 1-phase',
    AC_2_PHASE: 'AC 2-phase',
    AC_2_PHASE_SPLIT: 'AC split phase',
    AC_3_PHASE: 'AC 3-phase',
    DC: 'DC',
  } satisfies Record<CurrentType, string>,
  /** The plugs with an everyday name that people read in their own language. */
  standard: {
    DOMESTIC_A: 'Household type A',
    DOMESTIC_B: 'NEMA 5-15 (type B)',
    DOMESTIC_C: 'Europlug (type C)',
    DOMESTIC_D: 'Household type D',
    DOMESTIC_E: 'French socket (type E)',
    DOMESTIC_F: 'Schuko (type F)',
    DOMESTIC_G: 'UK 3-pin (type G)',
    DOMESTIC_H: 'Household type H',
    DOMESTIC_I: 'Australian (type I, AS 3112)',
    DOMESTIC_J: 'Swiss (type J, T13)',
    DOMESTIC_K: 'Household type K',
    DOMESTIC_L: 'Household type L',
    DOMESTIC_M: 'Household type M',
    DOMESTIC_N: 'Household type N',
    DOMESTIC_O: 'Household type O',
    IEC_60309_2_single_16: 'Blue CEE 16 A, 1 phase',
    IEC_60309_2_three_16: 'Red CEE 16 A, 3 phase',
    IEC_60309_2_three_32: 'Red CEE 32 A',
    IEC_60309_2_three_64: 'Red CEE 63/64 A',
    PANTOGRAPH_BOTTOM_UP: 'Bus pantograph (up)',
    PANTOGRAPH_TOP_DOWN: 'Bus pantograph (down)',
  } satisfies Partial<Record<Standard, string>>,
}
