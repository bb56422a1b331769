import {
  CURRENT_TYPES,
  FORMATS,
  STANDARDS,
  type CurrentType,
  type Format,
  type Standard,
} from '#domain/connector.ts'
import { impliedBy } from '#domain/plug.ts'

import { foldText, parseFlag } from './parse-text.ts'

/** Other names of plugs, without case, spaces and punctuation. */
const STANDARD_NAMES: Readonly<Partial<Record<Standard, string>>> = {
  IEC_62196_T2:
    'type2 typ2 typet2 tipo2 t2 mennekes iec62196type2 iec621962type2 iec62196typ2 iec621962 type2socket type2cable type2tethered type2outlet ac type2ac typ2steckdose actyp2steckdose acsteckdosetyp2 acstecker typ2kupplung ackupplungtyp2 ackabeltyp2 prisetype2 t2s t2a acmode3type2 62196type2',
  IEC_62196_T2_COMBO:
    'ccs ccs2 ccstype2 ccstyp2 ccscombo ccscombo2 ccscombotype2 ccs2combo combo combo2 comboccs combot2 combotype2 combotyp2 type2combo typ2combo type2ccs typ2ccs type2comboccs type2ccscombo iec62196type2combo iec62196t2ccs iec62196t2combined dckupplungcombo dcfahrzeugkupplungtypcombo2ccs dcfahrzeugkupplungcombo2ccs fahrzeugkupplungtypcombo2ccs dccombo dcccs prisetypecomboccs eurocombo eucombo combinedchargingsystem',
  IEC_62196_T1: 'type1 typ1 tipo1 t1 j1772 saej1772 yazaki iec62196type1 type1cable type1j1772',
  IEC_62196_T1_COMBO:
    'ccs1 ccstype1 ccstyp1 ccscombo1 combo1 combot1 combotype1 type1combo type1ccs saecombo saej1772combo j1772combo iec62196type1combo',
  IEC_62196_T3A: 'type3a typ3a iec62196type3a scamesingle',
  IEC_62196_T3C: 'type3 typ3 type3c typ3c t3 iec62196type3 iec62196type3c scame type3scame',
  CHADEMO:
    'chademo chademodc dcchademo dckupplungchademo dcfahrzeugkupplungchademo prisetypechademo jevsg105',
  SAE_J3400: 'nacs saej3400 j3400 nacscable teslanacs northamericanchargingstandard',
  TESLA_S:
    'tesla teslas teslamodels teslasupercharger supercharger teslastecker teslaconnector teslaconnectormodel modelsx',
  TESLA_R: 'teslar teslaroadster',
  GBT_AC: 'gbtac gbac gbt202342 gbt2ac gb202342',
  GBT_DC: 'gbt gbtdc gbdc gbt202343 gbt3 gb202343',
  CHAOJI: 'chaoji chadem03 chademo3',
  MCS: 'mcs megawatt megawattchargingsystem',
  DOMESTIC_A: 'nema115 type1a typea',
  DOMESTIC_B: 'nema515 nema515r typeb',
  DOMESTIC_C: 'europlug typec ceeplug716',
  DOMESTIC_E:
    'ef typee typeef prisee priseef prisetypeef prisetypee typeefrench prisedomestique domestique frenchsocket e',
  DOMESTIC_F:
    'schuko schukosteckdose acschuko typef cee74 cee7 steckdose haushaltssteckdose haushalt domestic household householdsocket domestico acsteckdoseschuko schukoeu',
  DOMESTIC_G:
    'bs1363 type13a 3pin 3pinsocket uk3pin uksocket typeg 3pintypeg threepin threepinsquare bs3pin bs13633pin13amp',
  DOMESTIC_I: 'as3112 typei',
  DOMESTIC_J: 't13 sev1011 typej swisst13',
  DOMESTIC_L: 'typel cei2350',
  IEC_60309_2_single_16:
    'ceeblau ceeblue ceebleu ceeazul cee16blau camping commando cee3pin cee3polig cee16a1phase iec60309single16 iec603092single iec60309blue cee230v16a p17mono',
  IEC_60309_2_three_16:
    'cee16 ceerot16 ceerot16a cee16rot cee16a cee5pol16a ceered16 ceered16a cee165pol ceerouge16 iec603093phase16 iec60309three16 ceerot ceered',
  IEC_60309_2_three_32:
    'cee32 ceerot32 ceerot32a cee32rot cee32a cee5pol32a ceered32 ceered32a cee325pol ceerouge32 iec603093phase32 iec60309three32',
  IEC_60309_2_three_64:
    'cee63 cee64 ceerot63 ceerot63a cee63rot cee63a ceered63 ceered63a iec60309three64 iec603092three63 iec60309three63',
  NEMA_5_20: 'nema520r',
  NEMA_14_30: 'nema1430r',
  NEMA_14_50: 'nema1450r',
  PANTOGRAPH_BOTTOM_UP: 'pantographup busbarup',
  PANTOGRAPH_TOP_DOWN: 'pantographdown oppcharge pantograph',
}

const CURRENT_NAMES: Readonly<Partial<Record<CurrentType, string>>> = {
  AC_1_PHASE:
    'ac1 ac1p acsingle acsinglephase acmono acmonophase 1phase 1phasig einphasig singlephase single mono monophase monophase monofasico 1ph 1p',
  AC_2_PHASE: 'ac2 ac2p 2phase 2phasig 2p',
  AC_2_PHASE_SPLIT: 'ac2split splitphase acsplitphase ac2phasesplit',
  AC_3_PHASE:
    'ac3 ac3p acthree acthreephase actri actriphase 3phase 3phasig dreiphasig threephase tri triphase trifasico drehstrom 3ph 3p',
  DC: 'dc gleichstrom directcurrent courantcontinu continu corrientecontinua cc dcfast fast dcfastcharge',
}

const FORMAT_NAMES: Readonly<Record<Format, string>> = {
  SOCKET: 'socket outlet steckdose dose prise prisesansCable enchufe toma base socketoutlet',
  CABLE:
    'cable kabel tethered attached attache angeschlagen festkabel plug stecker kupplung fahrzeugkupplung ladekabel cableattache cableattached conector manguera',
}

const namesOf = <T extends string>(
  values: readonly T[],
  names: Readonly<Partial<Record<T, string>>>,
): ReadonlyMap<string, T> => {
  const all = new Map<string, T>()
  for (const value of values)
    for (const name of (names[value] ?? '').split(' '))
      if (name !== '') all.set(foldText(name), value)
  for (const value of values) all.set(foldText(value), value)
  return all
}

const STANDARDS_BY_NAME = namesOf(STANDARDS, STANDARD_NAMES)
const CURRENTS_BY_NAME = namesOf(CURRENT_TYPES, CURRENT_NAMES)
const FORMATS_BY_NAME = namesOf(FORMATS, FORMAT_NAMES)

/** Names of plugs are short. */
const MAX_NAME_LENGTH = 200

/** The plug that a text names, possibly with other words: "2 x CCS (50 kW)". */
export const standardOf = (name: string): Standard | undefined =>
  standardNamed(name) ??
  CONTAINED.find(([pattern]) => pattern.test(name.slice(0, MAX_NAME_LENGTH)))?.[1]

/** The plug whose name is the whole text, apart from a number, a power or brackets. */
export const standardNamed = (name: string): Standard | undefined => {
  const text = name.slice(0, MAX_NAME_LENGTH)
  const whole = STANDARDS_BY_NAME.get(foldText(text))
  if (whole !== undefined) return whole
  const core = foldText(
    text.replace(/\([^)]*\)/g, ' ').replace(/\b\d+\s*[x×]\s+|\b\d+([.,]\d+)?\s*(kw|a|v)\b/gi, ' '),
  )
  return STANDARDS_BY_NAME.get(core) ?? STANDARDS_BY_NAME.get(foldText(text.replace(/[()]/g, ' ')))
}

/** The words for a charger of any kind, with its number and power. */
const NAMELESS =
  /^(?:[\d\s.,x×à]|kw|je|wallbox(?:en|es)?|ladepunkte?|ladestation(?:en)?|chargers?|bornes?|cargador(?:es)?)*$/i

/** Whether a text names no type of plug, but only chargers: "", "3x 11 kW", "2 Wallboxen à 11 kW". */
export const isNameless = (text: string): boolean =>
  text.length <= MAX_NAME_LENGTH && NAMELESS.test(text)

/** The plugs that a longer text may contain. The first match applies. */
const CONTAINED: readonly (readonly [RegExp, Standard])[] = [
  [/chaoji/i, 'CHAOJI'],
  [/megawatt charging|\bMCS\b/i, 'MCS'],
  [/chademo/i, 'CHADEMO'],
  [/nacs|j-?3400/i, 'SAE_J3400'],
  [/(ccs|combo).{0,12}\b1\b|type? ?1.{0,5}(ccs|combo)/i, 'IEC_62196_T1_COMBO'],
  [/\bccs\d?\b|combo/i, 'IEC_62196_T2_COMBO'],
  [/gb.?t.{0,4}ac/i, 'GBT_AC'],
  [/gb.?t/i, 'GBT_DC'],
  [/supercharger/i, 'TESLA_S'],
  [/j-?1772|\btype? ?1\b/i, 'IEC_62196_T1'],
  [/\btype? ?2\b|mennekes/i, 'IEC_62196_T2'],
  [/schuko|cee 7\/4/i, 'DOMESTIC_F'],
]

export const currentTypeOf = (text: string): CurrentType | undefined =>
  CURRENTS_BY_NAME.get(foldText(text))
export const formatOf = (text: string): Format | undefined => FORMATS_BY_NAME.get(foldText(text))

const SAYS_CABLE = /kupplung|kabel|(?<!\p{L})(?:c[aâ]ble|tethered)/iu
const SAYS_SOCKET = /steckdose|(?<!\p{L})(?:socket|outlet|untethered)/iu

/**
 * The format of an AC plug, from words that need a context: in the type of the plug ("AC Typ 2 Fahrzeugkupplung"), or
 * yes or no below a heading such as "Cable attached".
 */
export const formatInWords = (plug: string, format: string): Format | undefined => {
  const standard = standardOf(plug)
  if (standard === undefined || DC_STANDARDS.includes(standard)) return undefined
  const isAttached = parseFlag(format)
  if (isAttached !== undefined) return isAttached ? 'CABLE' : 'SOCKET'
  const [isCable, isSocket] = [SAYS_CABLE.test(plug), SAYS_SOCKET.test(plug)]
  return isCable === isSocket ? undefined : isCable ? 'CABLE' : 'SOCKET'
}

/** Plugs that carry only direct current. */
export const DC_STANDARDS: readonly string[] = STANDARDS.filter(
  (standard) => impliedBy(standard).current_type === 'DC',
)

/** Plugs that carry only alternating current. IEC 62196 type 2 and Tesla plugs can carry both. */
export const isAcOnly = (standard: string): boolean =>
  /^(DOMESTIC|NEMA|IEC_60309|IEC_62196_T3)/.test(standard) ||
  standard === 'IEC_62196_T1' ||
  standard === 'GBT_AC'

/** Single-phase sockets. */
export const isOnePhase = (standard: string): boolean =>
  /^(DOMESTIC|NEMA)/.test(standard) ||
  standard === 'IEC_62196_T1' ||
  standard === 'IEC_60309_2_single_16'

/** The usual format of a plug: with a cable or as a socket. */
export const usualFormat = (standard: string): Format =>
  DC_STANDARDS.includes(standard) || /^(TESLA|SAE)|^IEC_62196_T1$/.test(standard)
    ? 'CABLE'
    : 'SOCKET'

/** The usual power of a plug in kW. */
export const usualPower = (standard: string, currentType: string): number => {
  if (standard === 'MCS') return 1000
  if (standard.startsWith('DOMESTIC')) return 2.3
  if (currentType === 'DC' || DC_STANDARDS.includes(standard)) return 50
  if (/60309_2_three_16/.test(standard)) return 11
  if (/60309_2_three_64/.test(standard)) return 43
  return isOnePhase(standard) ? (standard === 'IEC_60309_2_single_16' ? 3.7 : 7.4) : 22
}
