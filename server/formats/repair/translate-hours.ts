/** A pattern for one of some words. Letters with accents count as letters. */
const word = (words: string): RegExp => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'giu')

/** The weekdays of four languages with their OpenStreetMap abbreviations. An abbreviation may end with a point. */
const WEEKDAYS: readonly (readonly [RegExp, string])[] = (
  [
    ['montags?|monday|lundi|lunes|lun|lu|mon', 'Mo'],
    ['dienstags?|di|tuesday|mardi|martes|mar|ma|tue|tues', 'Tu'],
    ['mittwochs?|mi|wednesday|mercredi|mi[eé]rcoles|mer|me|mi[eé]|wed', 'We'],
    ['donnerstags?|do|thursday|jeudi|jueves|jeu|je|jue|ju|thu|thur|thurs', 'Th'],
    ['freitags?|friday|vendredi|viernes|ven|ve|vie|vi|fri', 'Fr'],
    ['samstags?|sonnabends?|saturday|samedi|s[aá]bado|sam|s[aá]b|s[aá]|sat', 'Sa'],
    ['sonntags?|so|sunday|dimanche|domingo|dim|dom|sun', 'Su'],
  ] as const
).map(([words, day]) => [new RegExp(`${word(words).source}\\.?`, 'giu'), day])

/** Initials of weekdays in Spanish and French: "L-V 8:00-20:00, S 9:00-14:00". */
const INITIALS: Readonly<Record<string, string>> = { L: 'Mo', V: 'Fr', S: 'Sa', D: 'Su' }
const dayOf = (initial: string): string => INITIALS[initial] ?? initial

/** Two-letter days that are French or Spanish, but not German. */
const ROMANCE_DAY = /\b(?:Lu|Ma|Me|Je|Ju|Ve|Vi)\b/i
/** "di" and "do" mean Sunday next to one of those days, or at the end of a weekend; in German, Tuesday and Thursday. */
const ROMANCE_SUNDAY = /\b(?:di|do)\b\.?/gi
const ROMANCE_WEEKEND = /\bSa(?=\.?\s*-\s*D[io]\b)/i

/** Replaces weekdays of four languages, in full or abbreviated to two or three letters, with those of OpenStreetMap. */
export const translateDays = (text: string): string =>
  WEEKDAYS.reduce(
    (read, [pattern, day]) => read.replace(pattern, day),
    ROMANCE_DAY.test(text) || ROMANCE_WEEKEND.test(text)
      ? text.replace(ROMANCE_SUNDAY, 'Su')
      : text,
  )

const EVERY_DAY = 'täglich|daily|every ?day|tous les jours|todos los d[ií]as|7 ?j? ?/ ?7'

/** "24 hours daily": open all day on every day. */
const ALL_DAY_EVERY_DAY = word(`24 ?(?:h|hours|stunden|heures|horas),? (?:${EVERY_DAY})`)

const DAY = '(?:Mo|Tu|We|Th|Fr|Sa|Su)'
/** Times followed by their days: "9:00-17:00 Mo-Fr". */
const TIMES_OF_DAYS = new RegExp(
  `^(\\d[\\d:.\\s]*(?:-|to|bis|until)[\\d:.\\s]*\\d)\\s+(${DAY}(?:\\s*[-,]\\s*${DAY})*)$`,
)

/** Moves the days before their times if all parts have them after: days alone would mean open all day. */
const daysFirst = (text: string): string => {
  const parts = text.split(/\s*;\s*|(?<=[a-z])\s*,\s*(?=\d)/)
  return parts.every((part) => TIMES_OF_DAYS.test(part))
    ? parts.map((part) => part.replace(TIMES_OF_DAYS, '$2 $1')).join('; ')
    : text
}

/** Translates words and times of other languages to OpenStreetMap syntax. The order of the replacements matters. */
export const translateHours = (text: string): string =>
  daysFirst(translateWords(text))
    .replace(/(?<=\d)\s+(?=(?:Mo|Tu|We|Th|Fr|Sa|Su)\b)/g, '; ')
    .replace(word('bis|to|à|a|au|al|until|till|hasta'), '-')
    .replace(word('du|de|von|from|le|les|el|los'), '')
    .replace(word('und|and|et|y'), ',')
    .replace(/(\d)\.(\d{2})(?=\s*(?:-|$|,|;))/g, '$1:$2')
    // Excludes days of a month: "Dec 24-26".
    .replace(
      /(?<![\d:]|\b[A-Z][a-z]{2}\s)(\d{1,2})(:\d{2})?\s*-\s*(\d{1,2})(:\d{2})?(?![\d:])/g,
      wholeHours,
    )
    .replace(word('geschlossen|closed|ferm[eé]|cerrado'), 'off')

/** Translates days and words to OpenStreetMap syntax. */
const translateWords = (text: string): string =>
  translateDays(text)
    .replace(/[–—]/g, '-')
    .replace(ALL_DAY_EVERY_DAY, '24/7')
    .replace(
      /(?<![\p{L}\d])M\s*-\s*(F|Fr|Sa|Su)(?![\p{L}\d])/gu,
      (_, to: string) => `Mo-${to === 'F' ? 'Fr' : to}`,
    )
    .replace(/(?<=\b(?:Mo|Tu|We|Th|Fr|Sa|Su))\s*[\s/&+]\s*(?=(?:Mo|Tu|We|Th|Fr|Sa|Su)\b)/g, ',')
    .replace(/(?<=\b(?:Mo|Tu|We|Th|Fr|Sa|Su))\./g, '')
    .replace(word(EVERY_DAY), 'Mo-Su')
    .replace(
      /(?<![\p{L}\d])([LSVD])\s*-\s*([VSD])(?![\p{L}\d])/gu,
      (_, from: string, to: string) => `${dayOf(from)}-${dayOf(to)}`,
    )
    .replace(/(?<![\p{L}\d])[SD](?=:?\s*\d)/gu, dayOf)
    .replace(/\b(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?m\b\.?/gi, in24Hours)
    .replace(/\b(\d{1,2})\s*h\s*(\d{2})\b/gi, '$1:$2')
    .replace(/(?<=\d)\s*(?:Uhr|h)(?![\p{L}\d])/giu, '')
    .trim()

/** Adds minutes to hours. "9 to 5" may end in the afternoon, so it stays unchanged. */
const wholeHours = (
  range: string,
  from: string,
  minutes: string | undefined,
  to: string,
  last: string | undefined,
): string => {
  const isUnclear = Number(to) <= Number(from) && Number(from) < 12 && !minutes && !last
  return isUnclear ? range : `${from}${minutes ?? ':00'}-${to}${last ?? ':00'}`
}

const in24Hours = (_: string, hour: string, minutes = '00', half: string): string =>
  `${(Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)}:${minutes}`
