import { parseDate } from '#domain/date.ts'
import { parseOcpi } from '#domain/hours/ocpi.ts'
import { parseOsm } from '#domain/hours/osm.ts'
import type { HoursReading } from '#domain/hours/reading.ts'
import { openingHoursSchema } from '#domain/hours.ts'
import { choices as de } from '#domain/labels/de/choices.ts'
import { choices as en } from '#domain/labels/en/choices.ts'
import { choices as es } from '#domain/labels/es/choices.ts'
import { choices as fr } from '#domain/labels/fr/choices.ts'
import type { Language } from '#domain/language.ts'
import { OWNER_STATUSES } from '#domain/site.ts'

import { numberOf, textOf, textsOf } from '../read-values.ts'
import { translateHours } from './translate-hours.ts'
import { currentTypeOf, formatInWords, formatOf, standardOf } from './plugs.ts'
import { zoneOf } from './position.ts'
import { eachValue, FIELDS, namesOfKind, rules, type Rule } from './rule.ts'
import { foldText, parseFlag, parseNumber } from './parse-text.ts'

const SITE_CHOICES = namesOfKind('site', 'select')

/** Other names for the choices of a site. Labels, and spellings of the values themselves, are recognised anyway. */
const CHOICE_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: {
    AVAILABLE:
      'operational inservice inbetrieb enservice enfonctionnement operativo enservicio active aktiv actif open online free libre frei ok charging occupied inuse belegt occupe ocupado reserved blocked connected geoffnet ouvert abierto',
    PLANNED:
      'inplanung geplant enprojet prevu planificado comingsoon underconstruction construction imbau demnachst bientot proximamente',
    INOPERATIVE:
      'offline inactive inaktiv outofservice fueradeservicio closed temporarilyunavailable unavailable notoperational temporarilyclosed vorubergehendgeschlossen fermetemporairement cerradotemporalmente inwartung wartung undermaintenance enmaintenance enmantenimiento',
    OUTOFORDER:
      'faulted defekt defect broken enpanne panne averiado faulty ausserbetrieb horsservice',
    REMOVED:
      'demontiert decommissioned removeddecommissioned supprime retirado closedforgood endgultiggeschlossen fermedefinitivement cerradodefinitivamente',
  },
  access: {
    PUBLIC:
      'offentlich offentlichzuganglich publicaccess acceslibre libre acceso publico publique open everyone yes tous toutpublic todos alle jeder',
    CUSTOMERS:
      'kunden nurkunden clientele accesreserve reserve semipublic halboffentlich restricted customersonly guests guestsonly hotelguests hotelguestsonly gaste nurgaste hotelgaste nurhotelgaste nurfurgaste nurfurhotelgaste clients clientsuniquement reserveauxclients clientsdelhotel huespedes solohuespedes clientes soloclientes',
    RESIDENTS: 'anwohner tenants mieter',
    EMPLOYEES: 'mitarbeiter employes staff',
    PRIVATE: 'no',
  },
  parking_type: {
    ALONG_MOTORWAY: 'motorway autobahn autoroute autopista raststatte',
    PARKING_GARAGE: 'garage parkingcouvert parkingcubierto multistorey',
    PARKING_LOT: 'parkingpublic surface lot',
    ON_DRIVEWAY: 'driveway einfahrt',
    ON_STREET: 'street strasse straße voirie calle roadside onstreetparking',
    UNDERGROUND_GARAGE: 'underground souterrain subterraneo',
  },
  payment: {
    FREE_OF_CHARGE: 'free',
    APP: 'mobileapp smartphone qr qrcode web online onlinezahlungsverfahren adhoc',
    RFID_READER: 'rfid badge ladekarte nfc',
    CONTACTLESS_CARD_SUPPORT: 'contactless kontaktlos sanscontact sincontacto',
    CREDIT_CARD_PAYABLE: 'cartebancaire cb tarjeta visa mastercard kreditkartenfc',
    DEBIT_CARD_PAYABLE:
      'girocard ec eckarte debit tarjetadebito debitkarte debitkartenfc girokartenfc eckartenfc',
    PED_TERMINAL: 'terminal pos',
    CASH: 'bar coins',
    PLUG_AND_CHARGE: 'plugandcharge pnc autocharge iso15118',
  },
  wheelchair: {
    RESERVED: 'reservepmr reserviert designated reservado',
    ACCESSIBLE: 'true yes ja oui si accessiblemaisnonreservepmr barrierefrei limited',
    NOT_ACCESSIBLE: 'false no nein non',
    UNKNOWN: 'accessibiliteinconnue',
  },
  facilities: {
    HOTEL: 'hebergement',
    CAFE: 'coffee',
    MALL: 'shopping',
    WIFI: 'internet',
  },
}

type LabelsByField = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The labels of choices in each language. */
const LABELS: Readonly<Record<Language, LabelsByField>> = { en, de, fr, es }

const namesOfChoice = (name: string): ReadonlyMap<string, string> => {
  const field = FIELDS.site[name]
  const all = new Map<string, string>()
  if (field?.kind !== 'select') return all
  for (const labels of Object.values(LABELS))
    for (const [value, label] of Object.entries(labels[name] ?? {})) all.set(foldText(label), value)
  for (const [value, names] of Object.entries(CHOICE_NAMES[name] ?? {}))
    for (const each of names.split(' ')) all.set(foldText(each), value)
  for (const value of field.values)
    if (name !== 'status' || OWNER_STATUSES.some((each) => each === value))
      all.set(foldText(value), value)
  return all
}
const CHOICES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  SITE_CHOICES.map((name) => [name, namesOfChoice(name)]),
)

const isListField = (name: string): boolean => {
  const field = FIELDS.site[name]
  return field?.kind === 'select' && field.maxCount !== undefined
}

const spelled = (name: string, text: string): string =>
  CHOICES.get(name)?.get(foldText(text)) ?? text

const choiceSpelling = eachValue(SITE_CHOICES, (value, name) => {
  if (!isListField(name))
    return textOf(value) === '' ? value : keep(value, spelled(name, textOf(value)))
  if (!Array.isArray(value)) return value
  const texts = textsOf(value)
  const after = texts.map((text) => spelled(name, text))
  return after.every((each, index) => each === texts[index]) ? value : [...new Set(after)]
})

const keep = (value: unknown, after: string): unknown => (textOf(value) === after ? value : after)

const choiceUnknown = eachValue(SITE_CHOICES, (value, name) => {
  const isKnown = (text: string): boolean => CHOICES.get(name)?.get(foldText(text)) === text
  if (!isListField(name)) return textOf(value) === '' || isKnown(textOf(value)) ? value : ''
  const texts = textsOf(value)
  const after = texts.filter(isKnown)
  return after.length === texts.length ? value : after
})

const listInText = eachValue(SITE_CHOICES.filter(isListField), (value) => {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '' || (text.startsWith('[') && text.endsWith(']'))) return value
  return text
    .split(/\s*[,;|/\n]\s*|\s+\+\s+|\s+(?:und|et|and|y|oder|ou|or|o)\s+/)
    .filter((part) => part !== '')
})

const flagInWords = eachValue(namesOfKind('site', 'bool'), (value) =>
  typeof value === 'string' && value.trim() !== '' ? parseFlag(value) : value,
)

/** A numeric date, with or without a time: "2025/12/31", "31.12.2025", "12/31/2025 9:30". */
const DATE =
  /^(?:(\d{4})([./-])(\d{1,2})\2(\d{1,2})|(\d{1,2})([./-])(\d{1,2})\6(\d{4}))(?:,?\s+(\d{1,2}:\d{2})(?::\d{2})?)?$/

/** A spreadsheet's serial date, in a cell that lost its format: from 2000 to 2099. */
const SERIAL_DAY = /^(?:3[7-9]|[4-6]\d|7[0-2])\d{3}(?:\.\d+)?$/
const FIRST_DAY_MS = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000

/** Countries where the day precedes the month, whatever the separator. */
const DAY_FIRST: ReadonlySet<string> = new Set(
  'AUS AUT BEL CHE DEU ESP FRA GBR IRL ITA LUX NLD NZL PRT'.split(' '),
)

/**
 * Reads dates in other spellings. The day comes first if the separator is a point or the country writes dates that way.
 * Otherwise the order is clear only if one number is above 12, or in the United States.
 */
const dateSpelling = eachValue(namesOfKind('site', 'date'), (value, _, { country: stated }) => {
  const text = textOf(value)
  if (SERIAL_DAY.test(text))
    return new Date(FIRST_DAY_MS + Math.floor(Number(text)) * DAY_MS).toISOString().slice(0, 10)
  const match = parseDate(text) === undefined ? DATE.exec(text) : null
  if (match === null) return value
  const [, year, , month, day, first = '', sign, second = '', lastYear, time] = match
  const country = textOf(stated)
  const isDayFirst =
    sign === '.' || Number(first) > 12 || first === second || DAY_FIRST.has(country)
  const isMonthFirst = Number(second) > 12 || country === 'USA'
  if (year === undefined && !isDayFirst && !isMonthFirst) return value
  const parts =
    year === undefined
      ? [lastYear, ...(isDayFirst ? [second, first] : [first, second])]
      : [year, month, day]
  const date = parts.map((part = '') => part.padStart(2, '0')).join('-')
  const whole = time === undefined ? date : `${date} ${time.padStart(5, '0')}`
  return parseDate(whole) === undefined ? value : whole
})

/** Factors that convert a unit to that of the field. */
const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  kw_rating: { '': 1, kw: 1, kva: 1, kwh: 1, w: 0.001, va: 0.001, mw: 1000 },
  voltage: { '': 1, v: 1, volt: 1, volts: 1, vac: 1, vdc: 1, kv: 1000 },
  amperage: { '': 1, a: 1, amp: 1, amps: 1, ampere: 1, ka: 1000 },
  max_height_m: { '': 1, m: 1, meter: 1, metres: 1, meters: 1, metre: 1, cm: 0.01, mm: 0.001 },
  vehicle_capacity: { '': 1 },
}

/** The only power in a text with other words: "22 kW AC", "up to 150 kW shared", "2 x 150 kW", "22kW/32A/400V". */
const powerAmongWords = (text: string): string | undefined => {
  const [power, ...others] = text.match(/\d+(?:[.,]\d+)?\s*kW\b/gi) ?? []
  const rest = text.replace(/\d+(?:[.,]\d+)?\s*(?:kW|A|V)\b|^\s*\d{1,2}\s*[x×]/gi, '')
  return others.length === 0 && !/\d/.test(rest) ? power : undefined
}

const inNumber = (names: readonly string[]): Rule['apply'] =>
  eachValue(names, (value, name) => {
    if (typeof value !== 'string' || value.trim() === '' || numberOf(value) !== undefined)
      return value
    const power = name === 'kw_rating' ? powerAmongWords(value) : undefined
    const written = parseNumber(value) ?? (power === undefined ? undefined : parseNumber(power))
    const factor = written && UNITS[name]?.[written.unit]
    return written === undefined || factor === undefined
      ? value
      : Number((written.number * factor).toFixed(6))
  })

const isValid = (value: unknown): boolean => openingHoursSchema.safeParse(value).success

/** Reads opening hours in any format, with the parts that were lost. */
const readHours = (value: unknown, zone: string | undefined): HoursReading => {
  if (typeof value !== 'string') return parseOcpi(value)
  const text = value.trim()
  if (/^[[{]/.test(text)) {
    try {
      return parseOcpi(JSON.parse(text))
    } catch {
      return { hours: undefined, losses: [{ text, reason: 'not_understood' }] }
    }
  }
  const always =
    /^(24\s*[/x]?\s*7|rund um die uhr|24\s*h?\s*\/\s*24\s*h?(([\s,;-]|et)*7\s*j?\s*\/\s*7\s*(j|jours)?)?|24 ?h(ours|eures|oras)?|24 stunden|jederzeit|always|7\s*j?\s*\/\s*7\s*j?([\s,;:-]|et)*24\s*h?(\s*\/\s*24\s*h?)?)$/i
  // "Open 24 hours, every day", as in the dashboard's file.
  const bareText = text.replace(
    /^(?:open|ouvert|abierto(?: las)?)\s+|\s+geöffnet$|,\s*(?:every day|todos los d[ií]as)$/gi,
    '',
  )
  if (always.test(bareText)) return { hours: { twentyfourseven: true }, losses: [] }
  const plain = parseOsm(timesOfDays(text), zone)
  // Translated only if the text is not understood unchanged, since the same abbreviation may be a day in one language
  // and a month in another.
  const translated =
    plain.losses.length > 0 ? parseOsm(timesOfDays(translateHours(text)), zone) : plain
  return translated.losses.length < plain.losses.length ? translated : plain
}

/** Reads "Mo-Fr, 8:00-18:00" as intended: by the grammar, the days have no times and the times apply to every day. */
const timesOfDays = (text: string): string =>
  text.replace(/(?<=\b(?:Mo|Tu|We|Th|Fr|Sa|Su))\s*,\s*(?=\d{1,2}:)/g, ' ')

const hoursIn =
  (isWhole: boolean): Rule['apply'] =>
  (values) => {
    const value = values['opening_hours']
    if (value === undefined || value === '' || isValid(value)) return {}
    const { hours, losses } = readHours(value, textOf(values['time_zone']) || zoneOf(values))
    const fits = hours !== undefined && isValid(hours)
    const isRead = fits && losses.length === 0
    if (isWhole) return isRead ? { opening_hours: hours } : {}
    return isRead ? {} : { opening_hours: fits ? hours : undefined }
  }

const PLUG_WORDS: Readonly<Record<string, (text: string) => string | undefined>> = {
  standard: standardOf,
  format: formatOf,
  current_type: currentTypeOf,
}

const plugSpelling = eachValue(Object.keys(PLUG_WORDS), (value, name) => {
  const text = textOf(value)
  return text === '' ? value : keep(value, PLUG_WORDS[name]?.(text) ?? text)
})

/** Reads the plug, and the format from other words than its own. */
const plugWords: Rule['apply'] = (values, context) => {
  const stated = textOf(values['format'])
  const format =
    formatOf(stated) === undefined ? formatInWords(textOf(values['standard']), stated) : undefined
  return { ...plugSpelling(values, context), ...(format !== undefined && { format }) }
}

/** The rules for choices, flags, numbers and hours of a site. */
export const CHOICE_RULES = rules('site', [
  {
    name: 'list_in_text',
    example: {
      before: { payment: 'RFID_READER; APP' },
      after: { payment: ['RFID_READER', 'APP'] },
    },
    apply: listInText,
  },
  {
    name: 'value_spelling',
    example: {
      before: { parking_type: 'parking lot', access: 'öffentlich' },
      after: { parking_type: 'PARKING_LOT', access: 'PUBLIC' },
    },
    apply: choiceSpelling,
  },
  {
    name: 'value_unknown',
    example: {
      before: { facilities: ['HOTEL', 'SAUNA'], status: 'HAUNTED' },
      after: { facilities: ['HOTEL'], status: '' },
    },
    apply: choiceUnknown,
  },
  {
    name: 'date_spelling',
    example: { before: { confirmed: '31.12.2025' }, after: { confirmed: '2025-12-31' } },
    apply: dateSpelling,
  },
  {
    name: 'flag_in_words',
    example: { before: { two_wheelers: 'oui' }, after: { two_wheelers: true } },
    apply: flagInWords,
  },
  {
    name: 'number_in_words',
    example: { before: { max_height_m: '2,10 m' }, after: { max_height_m: 2.1 } },
    apply: inNumber(namesOfKind('site', 'number').filter((name) => name in UNITS)),
  },
  {
    name: 'hours_read',
    example: {
      before: { opening_hours: 'Mo-Fr 08:00-18:00' },
      after: {
        opening_hours: {
          twentyfourseven: false,
          regular_hours: [1, 2, 3, 4, 5].map((weekday) => ({
            weekday,
            period_begin: '08:00',
            period_end: '18:00',
          })),
        },
      },
    },
    apply: hoursIn(true),
  },
  {
    name: 'hours_partly_read',
    example: {
      before: { opening_hours: 'nur während der Messe' },
      after: { opening_hours: undefined },
    },
    apply: hoursIn(false),
  },
])

/** The rules for choices and numbers of a connector, to be applied before those for its power. */
export const PLUG_RULES = rules('connector', [
  {
    name: 'number_in_words',
    example: {
      before: { kw_rating: '22,5 kW', voltage: '400V' },
      after: { kw_rating: 22.5, voltage: 400 },
    },
    apply: inNumber(namesOfKind('connector', 'number')),
  },
  {
    name: 'value_spelling',
    example: {
      before: { standard: 'CCS', format: 'cable', current_type: 'AC_3_Phase' },
      after: { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'AC_3_PHASE' },
    },
    apply: plugWords,
  },
])
