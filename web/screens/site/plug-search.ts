import type { Standard } from '#domain/connector.ts'
import type { Messages } from '../../messages/messages.ts'
import { plugName } from '../../messages/plugs.ts'

/** Other names of a plug, in any language. Its own name and its OCPI value are always included. */
const ALSO: Partial<Record<Standard, string>> = {
  IEC_62196_T2: 'typ 2, tipo 2, mennekes, iec 62196-2, type2',
  IEC_62196_T2_COMBO: 'ccs, ccs 2, combo 2, combined charging system, type 2 combo, iec 62196-3',
  CHADEMO: 'cha de mo, chademo',
  IEC_62196_T1: 'typ 1, tipo 1, sae j1772, j plug, yazaki, iec 62196-2',
  IEC_62196_T1_COMBO: 'ccs, ccs 1, combo 1, combined charging system, type 1 combo, j1772 combo',
  SAE_J3400: 'north american charging standard, tesla',
  TESLA_S: 'supercharger, destination charger, model s, model x',
  TESLA_R: 'tesla roadster',
  GBT_AC: 'gb/t 20234.2, china, chinese, gbt',
  GBT_DC: 'gb/t 20234.3, china, chinese, gbt',
  CHAOJI: 'chademo 3.0, china, japan',
  MCS: 'megawatt, truck, lorry, lkw, poids lourd, camión',
  IEC_62196_T3A: 'typ 3, tipo 3, scame, ev plug alliance, prise française',
  IEC_62196_T3C: 'typ 3, tipo 3, scame, ev plug alliance, prise française',
  DOMESTIC_A: 'nema 1-15, usa, japan, household, wall outlet',
  DOMESTIC_B: 'usa, canada, household, wall outlet',
  DOMESTIC_C: 'euro, cee 7/16, household, wall outlet',
  DOMESTIC_D: 'india, bs 546, household, wall outlet',
  DOMESTIC_E: 'cee 7/5, france, belgique, belgium, household, wall outlet',
  DOMESTIC_F:
    'schuko, schutzkontakt, cee 7/4, cee 7/3, germany, deutschland, household, wall outlet',
  DOMESTIC_G: 'bs 1363, britain, england, united kingdom, ireland, household, wall outlet',
  DOMESTIC_H: 'israel, si 32, household, wall outlet',
  DOMESTIC_I: 'as/nzs 3112, australia, new zealand, china, household, wall outlet',
  DOMESTIC_J: 'sev 1011, t13, t23, schweiz, suisse, switzerland, household, wall outlet',
  DOMESTIC_K: 'denmark, danmark, dänemark, household, wall outlet',
  DOMESTIC_L: 'italy, italia, cei 23-50, household, wall outlet',
  DOMESTIC_M: 'south africa, bs 546, household, wall outlet',
  DOMESTIC_N: 'brazil, brasil, nbr 14136, sans 164, household, wall outlet',
  DOMESTIC_O: 'thailand, tis 166, household, wall outlet',
  IEC_60309_2_single_16: 'camping, caravan, commando, p17, iec 60309, blau, bleu, azul',
  IEC_60309_2_three_16: 'commando, p17, iec 60309, drehstrom, starkstrom, rot, rouge, rojo',
  IEC_60309_2_three_32: 'commando, p17, iec 60309, drehstrom, starkstrom, rot, rouge, rojo',
  IEC_60309_2_three_64: 'commando, p17, iec 60309, drehstrom, starkstrom, rot, rouge, rojo, 63 a',
  NEMA_14_50: 'rv, camping, range plug, dryer',
  NEMA_14_30: 'dryer',
  NEMA_10_30: 'dryer',
  PANTOGRAPH_BOTTOM_UP: 'bus, opportunity charging, oppcharge',
  PANTOGRAPH_TOP_DOWN: 'bus, opportunity charging, oppcharge',
}

/** Removes case, accents and word separators. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Returns whether the name, or one of its later words, begins with the typed text, ignoring spaces. */
const beginsWith = (name: string, typed: string): boolean => {
  const words = plain(name).split(' ')
  const squeezed = plain(typed).replaceAll(' ', '')
  return words.some((_, index) => words.slice(index).join('').startsWith(squeezed))
}

/**
 * Returns whether a typed text matches a plug: its name in the current language, another common name, or its OCPI
 * value. Prefixes of the words suffice.
 */
export const meansPlug = (messages: Messages, standard: Standard, typed: string): boolean => {
  const names = [plugName(messages, standard), standard, ...(ALSO[standard] ?? '').split(',')]
  const words = names.flatMap((name) => plain(name).split(' '))
  return (
    plain(typed)
      .split(' ')
      .every((part) => words.some((word) => word.startsWith(part))) ||
    names.some((name) => beginsWith(name, typed))
  )
}
