import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('fr')
const number = counts('fr')

/** What the value sets of sites and connectors are called, in French. */
export default {
  facts: {
    connectors: (count) =>
      plural(count, { one: `${number(count)} connecteur`, other: `${number(count)} connecteurs` }),
    power: (kw) => `${kw} kW`,
    capacity: (count) =>
      plural(count, {
        one: `${number(count)} véhicule à la fois`,
        other: `${number(count)} véhicules à la fois`,
      }),
    times: (count) => `${count} ×`,
  },
  status: {
    AVAILABLE: 'Ouvert',
    PLANNED: 'Bientôt',
    INOPERATIVE: 'Fermé temporairement',
    OUTOFORDER: 'Hors service',
    REMOVED: 'Fermé définitivement',
    UNKNOWN: 'Inconnu',
    BLOCKED: 'Bloqué',
    CHARGING: 'Occupé',
    RESERVED: 'Réservé',
  },
  format: { SOCKET: 'Prise : apportez votre câble', CABLE: 'Câble attaché' },
  formatShort: { SOCKET: 'prise', CABLE: 'câble' },
  currentType: {
    AC_1_PHASE: 'AC, monophasé',
    AC_2_PHASE: 'AC, deux phases sur trois',
    AC_2_PHASE_SPLIT: 'AC, phase auxiliaire (Amérique du Nord)',
    AC_3_PHASE: 'AC, triphasé',
    DC: 'DC',
  },
  currentShort: {
    AC_1_PHASE: 'AC monophasé',
    AC_2_PHASE: 'AC biphasé',
    AC_2_PHASE_SPLIT: 'AC phase auxiliaire',
    AC_3_PHASE: 'AC triphasé',
    DC: 'DC',
  },
  standard: {
    DOMESTIC_A: 'Domestique type A',
    DOMESTIC_B: 'NEMA 5-15 (type B)',
    DOMESTIC_C: 'Europlug (type C)',
    DOMESTIC_D: 'Domestique type D',
    DOMESTIC_E: 'Prise française (type E)',
    DOMESTIC_F: 'Schuko (type F)',
    DOMESTIC_G: 'Prise britannique (type G)',
    DOMESTIC_H: 'Domestique type H',
    DOMESTIC_I: 'Prise australienne (type I, AS 3112)',
    DOMESTIC_J: 'Prise suisse (type J, T13)',
    DOMESTIC_K: 'Domestique type K',
    DOMESTIC_L: 'Domestique type L',
    DOMESTIC_M: 'Domestique type M',
    DOMESTIC_N: 'Domestique type N',
    DOMESTIC_O: 'Domestique type O',
    IEC_60309_2_single_16: 'CEE bleue 16 A, monophasée',
    IEC_60309_2_three_16: 'CEE rouge 16 A, triphasée',
    IEC_60309_2_three_32: 'CEE rouge 32 A',
    IEC_60309_2_three_64: 'CEE rouge 63/64 A',
    PANTOGRAPH_BOTTOM_UP: 'Pantographe de bus (vers le haut)',
    PANTOGRAPH_TOP_DOWN: 'Pantographe de bus (vers le bas)',
  },
} satisfies Catalogue['terms']
