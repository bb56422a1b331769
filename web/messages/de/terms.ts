import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')

/** What the value sets of sites and connectors are called, in German. */
export default {
  facts: {
    connectors: (count) =>
      plural(count, { one: '1 Anschluss', other: `${number(count)} Anschlüsse` }),
    power: (kw) => `${kw} kW`,
    capacity: (count) =>
      plural(count, { one: '1 Fahrzeug zugleich', other: `${number(count)} Fahrzeuge zugleich` }),
    times: (count) => `${count} ×`,
  },
  status: {
    AVAILABLE: 'Offen',
    PLANNED: 'Demnächst',
    INOPERATIVE: 'Vorübergehend geschlossen',
    OUTOFORDER: 'Außer Betrieb',
    REMOVED: 'Endgültig geschlossen',
    UNKNOWN: 'Unbekannt',
    BLOCKED: 'Blockiert',
    CHARGING: 'Belegt',
    RESERVED: 'Reserviert',
  },
  format: { SOCKET: 'Steckdose: eigenes Kabel mitbringen', CABLE: 'Kabel vorhanden' },
  formatShort: { SOCKET: 'Steckdose', CABLE: 'Kabel' },
  currentType: {
    AC_1_PHASE: 'AC, einphasig',
    AC_2_PHASE: 'AC, zwei von drei Phasen',
    AC_2_PHASE_SPLIT: 'AC, Split-Phase (Nordamerika)',
    AC_3_PHASE: 'AC, dreiphasig',
    DC: 'DC',
  },
  currentShort: {
    AC_1_PHASE: 'AC 1-phasig',
    AC_2_PHASE: 'AC 2-phasig',
    AC_2_PHASE_SPLIT: 'AC Split-Phase',
    AC_3_PHASE: 'AC 3-phasig',
    DC: 'DC',
  },
  standard: {
    DOMESTIC_A: 'Haushalt Typ A',
    DOMESTIC_B: 'NEMA 5-15 (Typ B)',
    DOMESTIC_C: 'Eurostecker (Typ C)',
    DOMESTIC_D: 'Haushalt Typ D',
    DOMESTIC_E: 'Französische Steckdose (Typ E)',
    DOMESTIC_F: 'Schuko (Typ F)',
    DOMESTIC_G: 'Britische Steckdose (Typ G)',
    DOMESTIC_H: 'Haushalt Typ H',
    DOMESTIC_I: 'Australische Steckdose (Typ I, AS 3112)',
    DOMESTIC_J: 'Schweizer Steckdose (Typ J, T13)',
    DOMESTIC_K: 'Haushalt Typ K',
    DOMESTIC_L: 'Haushalt Typ L',
    DOMESTIC_M: 'Haushalt Typ M',
    DOMESTIC_N: 'Haushalt Typ N',
    DOMESTIC_O: 'Haushalt Typ O',
    IEC_60309_2_single_16: 'CEE blau 16 A, 1 Phase',
    IEC_60309_2_three_16: 'CEE rot 16 A, 3 Phasen',
    IEC_60309_2_three_32: 'CEE rot 32 A',
    IEC_60309_2_three_64: 'CEE rot 63/64 A',
    PANTOGRAPH_BOTTOM_UP: 'Bus-Pantograf (nach oben)',
    PANTOGRAPH_TOP_DOWN: 'Bus-Pantograf (nach unten)',
  },
} satisfies Catalogue['terms']
