import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('es')
const number = counts('es')

/** What the value sets of sites and connectors are called, in Spanish. */
export default {
  facts: {
    connectors: (count) =>
      plural(count, { one: '1 conector', other: `${number(count)} conectores` }),
    power: (kw) => `${kw} kW`,
    capacity: (count) =>
      plural(count, { one: '1 vehículo a la vez', other: `${number(count)} vehículos a la vez` }),
    times: (count) => `${count} ×`,
  },
  status: {
    AVAILABLE: 'Abierto',
    PLANNED: 'Próximamente',
    INOPERATIVE: 'Cerrado temporalmente',
    OUTOFORDER: 'Averiado',
    REMOVED: 'Cerrado para siempre',
    UNKNOWN: 'Desconocido',
    BLOCKED: 'Bloqueado',
    CHARGING: 'En uso',
    RESERVED: 'Reservado',
  },
  format: { SOCKET: 'Toma: traiga su cable', CABLE: 'Con cable' },
  formatShort: { SOCKET: 'toma', CABLE: 'cable' },
  currentType: {
    AC_1_PHASE: 'AC, monofásica',
    AC_2_PHASE: 'AC, dos de tres fases',
    AC_2_PHASE_SPLIT: 'AC, fase partida (Norteamérica)',
    AC_3_PHASE: 'AC, trifásica',
    DC: 'DC',
  },
  currentShort: {
    AC_1_PHASE: 'AC monofásica',
    AC_2_PHASE: 'AC bifásica',
    AC_2_PHASE_SPLIT: 'AC fase partida',
    AC_3_PHASE: 'AC trifásica',
    DC: 'DC',
  },
  standard: {
    DOMESTIC_A: 'Doméstico tipo A',
    DOMESTIC_B: 'NEMA 5-15 (tipo B)',
    DOMESTIC_C: 'Europlug (tipo C)',
    DOMESTIC_D: 'Doméstico tipo D',
    DOMESTIC_E: 'Toma francesa (tipo E)',
    DOMESTIC_F: 'Schuko (tipo F)',
    DOMESTIC_G: 'Toma británica (tipo G)',
    DOMESTIC_H: 'Doméstico tipo H',
    DOMESTIC_I: 'Toma australiana (tipo I, AS 3112)',
    DOMESTIC_J: 'Toma suiza (tipo J, T13)',
    DOMESTIC_K: 'Doméstico tipo K',
    DOMESTIC_L: 'Doméstico tipo L',
    DOMESTIC_M: 'Doméstico tipo M',
    DOMESTIC_N: 'Doméstico tipo N',
    DOMESTIC_O: 'Doméstico tipo O',
    IEC_60309_2_single_16: 'CEE azul 16 A, 1 fase',
    IEC_60309_2_three_16: 'CEE rojo 16 A, 3 fases',
    IEC_60309_2_three_32: 'CEE rojo 32 A',
    IEC_60309_2_three_64: 'CEE rojo 63/64 A',
    PANTOGRAPH_BOTTOM_UP: 'Pantógrafo de bus (hacia arriba)',
    PANTOGRAPH_TOP_DOWN: 'Pantógrafo de bus (hacia abajo)',
  },
} satisfies Catalogue['terms']
