import { readdirSync } from 'node:fs'

import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { API_ONLY_CODES, FIELD_ERRORS } from '#domain/error.ts'

import { toProblem } from '../data/client.ts'
import type { Problem } from '../data/state.ts'
import { lists } from './format.ts'
import { formattingLocale, LOCALES, type Locale } from './locale.ts'
import { fieldErrorText, type Messages } from './messages.ts'

// Checks that the compiler cannot make: every message exists, is translated, and agrees with its numbers.

const AREAS = readdirSync(new URL('en', import.meta.url)).map((name) => name.replace(/\.ts$/, ''))
const locales = Object.keys(LOCALES) as Locale[]
const others = locales.filter((locale) => locale !== 'en')

type Sentence = string | ((...parameters: unknown[]) => unknown)

const flatten = (value: unknown, path: string): [string, Sentence][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, below]) =>
        flatten(below, path === '' ? key : `${path}.${key}`),
      )
    : [[path, value as Sentence]]

const load = async (locale: Locale): Promise<Messages> => {
  const parts = await Promise.all(
    AREAS.map(async (area) => (await import(`./${locale}/${area}.ts`)) as { default: object }),
  )
  return Object.assign({}, ...parts.map((part) => part.default)) as Messages
}
const catalogues = Object.fromEntries(
  await Promise.all(locales.map(async (locale) => [locale, await load(locale)] as const)),
) as Record<Locale, Messages>
const sentences = Object.fromEntries(
  locales.map((locale) => [locale, new Map(flatten(catalogues[locale], ''))] as const),
) as Record<Locale, Map<string, Sentence>>

const NUMBERS = [0, 1, 2, 3, 7, 1_234_567]
/** A sample of each kind of parameter that a message may take. */
const SAMPLES: readonly unknown[] = [
  ...NUMBERS,
  'Quay',
  { business: 'Quay', sites: 1, connectors: 2, photos: 3 },
  [{ from: 'Quay' }],
]

/** Calls a message with a sample; undefined if it takes another kind of parameter. */
const say = (sentence: Sentence | undefined, sample: unknown): string | undefined => {
  if (typeof sentence !== 'function') return sentence
  try {
    const said = sentence(
      ...(sentence.length === 0 ? [sample] : Array.from({ length: sentence.length }, () => sample)),
    )
    // The message takes another kind of parameter.
    return typeof said === 'string' && !/undefined|NaN|\[object/.test(said) ? said : undefined
  } catch {
    return undefined
  }
}

/** Messages equal to the English ones because they are names, units or words of both languages. */
const SAME_ON_PURPOSE: Readonly<Record<Locale, readonly string[]>> = {
  en: [],
  de: [
    'App',
    'Plug & Charge',
    'OpenStreetMap',
    'Open Charge Map',
    'Hotel',
    'Restaurant',
    'Café',
    'Museum',
    'ID',
    'kW',
    '×',
    'DC',
    'Logo',
    'Website',
    'optional',
    'Status',
    'Name',
  ],
  fr: [
    'Plug & Charge',
    'OpenStreetMap',
    'Open Charge Map',
    'Restaurant',
    'Café',
    'Nature',
    'Wi-Fi',
    'Accessible',
    'ID',
    'image',
    'kW',
    '×',
    'DC',
    'Logo',
    'Description',
    'Latitude',
    'Longitude',
    'Contact',
    'Ctrl',
    'Type',
    'Photo',
    'Photos',
    'Message',
    'Messages',
    'Site',
    'Sites',
    'Distance',
    'Actions',
    'NEMA 5-15 (type B)',
    'Europlug (type C)',
    'Schuko (type F)',
    ', plus',
    'Taxes',
    'minute',
    'Type 1 (J1772)',
    'Type 2 (Mennekes)',
    'Type 3',
    'Type 3A',
    'Type 3C (Scame)',
    'suggestion',
    'suggestions',
    'Suggestions',
  ],
  es: [
    'Plug & Charge',
    'OpenStreetMap',
    'Open Charge Map',
    'Hotel',
    'ID',
    'kW',
    '×',
    'DC',
    'Ctrl',
    'No',
    'cable',
  ],
}

describe('each language', () => {
  test.each(others)('%s has every message, and no extra ones', (locale) => {
    expect([...sentences[locale].keys()].toSorted()).toEqual([...sentences.en.keys()].toSorted())
  })

  test.each(others)('%s uses the same parameters in the problems of imports', (locale) => {
    const put = (of: Locale) =>
      Object.entries(catalogues[of].imports.problems).map(([code, sentence]) => [
        code,
        sentence.match(/<\w+>/g)?.toSorted() ?? [],
      ])
    expect(Object.fromEntries(put(locale))).toEqual(Object.fromEntries(put('en')))
  })

  test.each(locales)('%s has no empty or broken message', (locale) => {
    const wrong = [...sentences[locale]].filter(([path, sentence]) => {
      // Field errors have their own parameters, tested below.
      if (path.startsWith('fieldErrors.')) return false
      const said = SAMPLES.map((sample) => say(sentence, sample)).filter(
        (each) => each !== undefined,
      )
      return said.length === 0 || said.some((each) => each.trim() === '')
    })
    expect(wrong.map(([path]) => path)).toEqual([])
  })

  test.each(others)('%s has no untranslated message', (locale) => {
    const same = [...sentences[locale]].filter(([path, sentence]) => {
      const english = sentences.en.get(path)
      const compared = (typeof sentence === 'string' ? [0] : SAMPLES).filter((sample) => {
        const said = say(sentence, sample)
        return said !== undefined && /\p{L}/u.test(said.replaceAll('Quay', ''))
      })
      return (
        compared.length > 0 &&
        compared.every((sample) => say(sentence, sample) === say(english, sample)) &&
        !SAME_ON_PURPOSE[locale].includes((say(sentence, 'Quay') ?? '').replace('Quay', '').trim())
      )
    })
    expect(
      same.map(([path, sentence]) => `${path}: ${say(sentence, 'Quay') ?? say(sentence, 2)}`),
    ).toEqual([])
  })

  /** The text around a number, with the number replaced. */
  const around = (sentence: Sentence | undefined, count: number): string | undefined =>
    say(sentence, count)?.replaceAll(/\d[\d.,\s\u00a0\u202f]*/g, '# ')

  const isCount = (path: string): boolean =>
    around(sentences.en.get(path), 1) !== around(sentences.en.get(path), 2)

  test.each(others)('%s distinguishes singular and plural where English does', (locale) => {
    const wrong = [...sentences[locale]].filter(
      ([path, sentence]) =>
        isCount(path) &&
        around(sentence, 1) === around(sentence, 2) &&
        !ALIKE_IN_NUMBER[locale]?.includes(path),
    )
    expect(wrong.map(([path]) => path)).toEqual([])
  })

  test('French uses the singular for zero; the others do not', () => {
    const path = 'facts.connectors'
    expect(around(sentences.fr.get(path), 0)).toBe(around(sentences.fr.get(path), 1))
    for (const locale of ['en', 'de', 'es'] as const)
      expect(around(sentences[locale].get(path), 0)).not.toBe(
        around(sentences[locale].get(path), 1),
      )
  })

  test.each([
    [
      'de',
      'Gelöscht wird auch sein Anschluss.',
      'Gelöscht werden auch sein Anschluss und sein Foto.',
    ],
    ['es', 'También se elimina su conector.', 'También se eliminan su conector y su foto.'],
  ] as const)('%s adapts the verb to what a deletion includes', (locale, one, two) => {
    const { deleteText } = catalogues[locale].dashboard
    expect(deleteText(1, 0)).toContain(one)
    expect(deleteText(1, 1)).toContain(two)
  })

  test('Spanish uses the singular for one o’clock', () => {
    const { savedAt } = catalogues.es.drafts
    expect(savedAt('1:05')).toBe('Borrador guardado a la 1:05')
    expect(savedAt('13:05')).toBe('Borrador guardado a las 13:05')
  })

  test.each([
    ['en', '1,234,567'],
    ['de', '1.234.567'],
    ['fr', '1\u202f234\u202f567'],
    ['es', '1.234.567'],
  ] as const)('%s formats large numbers by locale', (locale, number) => {
    const raw = [...sentences[locale]].filter(
      ([path, sentence]) => isCount(path) && say(sentence, 1_234_567)?.includes('1234567'),
    )
    expect(raw.map(([path]) => path)).toEqual([])
    expect(say(sentences[locale].get('facts.connectors'), 1_234_567)).toContain(number)
  })
})

test('French joins no name that travellers read to “de”, which would have to become “d’” or “du”', () => {
  const joined = [...sentences.fr].filter(
    ([path, sentence]) =>
      /^(?:find|open|embed|traveller)\./.test(path) &&
      /\bde Quay/.test(say(sentence, 'Quay') ?? ''),
  )
  // The name of the product is the same everywhere.
  expect(joined.map(([path]) => path)).toEqual(['open.lead'])
})

test.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['de', ['en-US', 'de-CH'], 'de-CH'],
  ['en', ['de-AT', 'de'], 'en-AT'],
  ['es', ['es', 'en-US'], 'es'],
  ['es', ['es-419'], 'es-419'],
  ['fr', [], 'fr'],
  ['de', ['C', 'en-US@posix', 'de-AT'], 'de-AT'],
] as const)('%s in a browser of %j is formatted as %s', (language, browser, locale) => {
  expect(formattingLocale(language, browser)).toBe(locale)
})

test('lists follow the region', () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('navigator', { languages: ['en-GB'] })
  expect(lists('en')(['a', 'b', 'c'])).toBe('a, b and c')
  vi.stubGlobal('navigator', { languages: ['en-US'] })
  expect(lists('en')(['a', 'b', 'c'])).toBe('a, b, and c')
})

describe('no line breaks', () => {
  /** All messages of a language, with every parameter that each takes. */
  const spoken = (locale: Locale): [string, string][] =>
    [...sentences[locale]].flatMap(([path, sentence]) =>
      SAMPLES.map((sample): [string, string] => [path, say(sentence, sample) ?? '']),
    )

  test('before or after punctuation that French separates with a space', () => {
    const loose = spoken('fr').filter(([, said]) => / [;:!?»]|« /.test(said))
    expect(loose.map(([path]) => path)).toEqual([])
    const joined = spoken('fr').filter(([, said]) => /[^\s\d]: /.test(said))
    expect(joined.map(([path]) => path)).toEqual([])
  })

  test.each(locales)('between a number and its unit in %s', (locale) => {
    // A suggested price is data, which is inserted into a field unchanged.
    const loose = spoken(locale).filter(
      ([path, said]) =>
        !path.startsWith('site.costSuggestions') &&
        /\d (kWh?|[MG]B|Mo|k?m|A|€|×|Uhr)(?!\p{L})/u.test(said),
    )
    expect(loose.map(([path]) => path)).toEqual([])
  })
})

/** Messages that are equal in singular and plural. */
const ALIKE_IN_NUMBER: Readonly<Partial<Record<Locale, readonly string[]>>> = {
  de: ['form.remaining', 'form.tooLong', 'open.businesses'],
}

describe('responses of the server', () => {
  const apiOnly = new Set<string>(API_ONLY_CODES)
  const codes = Object.keys(FIELD_ERRORS).filter((code) => !apiOnly.has(code))

  test.each(locales)(
    '%s has a message for every code of a field error that the app can lead to',
    (locale) => {
      const messages = catalogues[locale]
      const params = {
        min: 3,
        max: 9,
        above: 0,
        threshold: 4,
        file: 'a.jpg',
        maxSize: 5_242_880,
        maxSelect: 20,
        maxPixels: 50_000_000,
        invalidFiles: ['b.jpg'],
      }
      const said = codes.map((code) => fieldErrorText(messages, 'other', { code, params }))
      expect(said.filter((text) => text === messages.problems.unexpected)).toEqual([])
      expect(said.filter((text) => /undefined|NaN|^\s*$/.test(text))).toEqual([])
      expect(fieldErrorText(messages, 'other', { code: 'of_another_time' })).toBe(
        messages.problems.unexpected,
      )
    },
  )

  /** Every kind of problem; the compiler checks for completeness. */
  const KINDS: Readonly<Record<Problem['kind'], true>> = {
    offline: true,
    timeout: true,
    signedOut: true,
    notFound: true,
    invalid: true,
    conflict: true,
    tooMany: true,
    tooLarge: true,
    unavailable: true,
    provider: true,
    cancelled: true,
    mismatch: true,
    clock: true,
    storage: true,
    unexpected: true,
  }

  test.each(locales)('%s has a message for every kind of problem', (locale) => {
    const { problems } = catalogues[locale]
    expect(Object.keys(problems).toSorted()).toEqual(Object.keys(KINDS).toSorted())
    expect(new Set(Object.values(problems)).size).toBe(Object.keys(KINDS).length)
  })

  test.each([
    [400, 'unexpected'],
    [401, 'signedOut'],
    [403, 'unexpected'],
    [404, 'notFound'],
    [412, 'conflict'],
    [413, 'tooLarge'],
    [416, 'unexpected'],
    [422, 'unexpected'],
    [429, 'tooMany'],
    [500, 'unexpected'],
    [503, 'unavailable'],
  ] as const)('a response with status %i is explained', (status, kind) => {
    const refusal = Object.assign(new Error('refused'), { isAbort: false, status, response: {} })
    expect(toProblem(refusal).kind).toBe(kind)
  })
})
