import { expect, test } from 'vitest'

import { openState } from '#domain/hours/open.ts'
import { sayHours, sayOpenState, type HoursWords } from '#domain/hours/sentence.ts'
import { parseOsm } from '#domain/hours/osm.ts'

const words = async (language: string): Promise<HoursWords> => {
  const catalogue = (await import(`./${language}/hours.ts`)) as { default: { hours: HoursWords } }
  return catalogue.default.hours
}
const zone = 'Europe/Paris'

/** Replaces non-breaking spaces by spaces. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ')

const say = async (locale: string, text: string): Promise<string> => {
  const { hours } = parseOsm(text, zone)
  if (!hours) throw new Error(`no hours: ${text}`)
  return plain(sayHours(hours, { words: await words(locale.slice(0, 2)), locale, zone }))
}

test.each([
  ['en-GB', 'Mo-Fr 08:00-18:00; Sa 09:00-13:00', 'Mon–Fri 08:00–18:00, Sat 09:00–13:00'],
  ['en-US', 'Mo-Fr 08:00-18:00; Sa 09:00-13:00', 'Mon–Fri 8:00 AM–6:00 PM, Sat 9:00 AM–1:00 PM'],
  ['de-DE', 'Mo-Fr 08:00-18:00; Sa 09:00-13:00', 'Mo–Fr 08:00–18:00, Sa 09:00–13:00'],
  ['fr-FR', 'Mo-Fr 08:00-18:00; Sa 09:00-13:00', 'Lun.–ven. 08:00–18:00, sam. 09:00–13:00'],
  ['es-ES', 'Mo-Fr 08:00-18:00; Sa 09:00-13:00', 'Lun–vie 8:00–18:00, sáb 9:00–13:00'],
  ['en-GB', '24/7', 'Open 24 hours, every day'],
  ['en-GB', 'Mo-Su 06:00-01:00', 'Every day 06:00–01:00'],
  ['en-GB', 'Mo,We 08:00-12:00,14:00-18:00', 'Mon and Wed 08:00–12:00 and 14:00–18:00'],
  ['de-DE', 'Mo,We 08:00-12:00,14:00-18:00', 'Mo und Mi 08:00–12:00 und 14:00–18:00'],
  ['en-GB', 'Sa-Su 00:00-24:00', 'Sat and Sun 24 hours'],
  ['en-GB', '24/7; 2026 Dec 25-26 off', 'Open 24 hours, every day · Closed 25 – 26 Dec 2026'],
  [
    'fr-FR',
    '24/7; 2026 Dec 25 off; 2027 Jan 01 off; 2026 Dec 24 08:00-12:00',
    'Ouvert 24 h/24, 7 j/7 · 24 déc. 2026 08:00–12:00 · Fermé 25 déc. 2026 et 1er janv. 2027',
  ],
  ['de-DE', '24/7; 2026 Dec 24 08:00-12:00', 'Rund um die Uhr geöffnet · 24.12.2026 08:00–12:00'],
  ['fr-FR', '24/7; 2027 Jan 01-2027 Jan 03 off', 'Ouvert 24 h/24, 7 j/7 · Fermé 1er–3 janv. 2027'],
  ['fr-FR', 'Mo-Sa 00:00-24:00; 2026 Dec 25 off', 'Lun.–sam. 24 h/24 · Fermé 25 déc. 2026'],
])('in %s, describes %s', async (locale, text, sentence) => {
  expect(await say(locale, text)).toBe(sentence)
})

test('describes exceptions for a part of a day with all hours of that day', async () => {
  const hours = {
    twentyfourseven: false,
    regular_hours: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      weekday,
      period_begin: '08:00',
      period_end: '18:00',
    })),
    exceptional_openings: [
      { period_begin: '2026-12-31T18:00:00Z', period_end: '2026-12-31T22:00:00Z' },
    ],
    exceptional_closings: [
      { period_begin: '2026-12-24T12:00:00Z', period_end: '2026-12-24T18:00:00Z' },
    ],
  }
  const speech = { words: await words('en'), locale: 'en-GB', zone: 'Europe/London' }
  expect(plain(sayHours(hours, speech))).toBe(
    'Every day 08:00–18:00 · 24 Dec 2026 08:00–12:00 · 31 Dec 2026 08:00–22:00',
  )
})

test.each([
  ['en-GB', 'Mo-Fr 08:00-18:00', '2026-06-01T08:00Z', 'Open now until 18:00'],
  ['en-US', 'Mo-Fr 08:00-18:00', '2026-06-01T08:00Z', 'Open now until 6:00 PM'],
  ['de-DE', 'Mo-Fr 08:00-18:00', '2026-06-01T08:00Z', 'Jetzt geöffnet bis 18:00 Uhr'],
  ['fr-FR', 'Mo-Fr 08:00-18:00', '2026-06-01T08:00Z', 'Ouvert jusqu’à 18:00'],
  ['es-ES', 'Mo-Fr 08:00-18:00', '2026-06-01T08:00Z', 'Abierto ahora hasta las 18:00'],
  ['en-GB', 'Mo-Fr 08:00-18:00', '2026-06-05T18:00Z', 'Closed now, opens Monday at 08:00'],
  [
    'de-DE',
    'Mo-Fr 08:00-18:00',
    '2026-06-05T18:00Z',
    'Jetzt geschlossen, öffnet am Montag um 08:00 Uhr',
  ],
  ['fr-FR', 'Mo-Fr 08:00-18:00', '2026-06-05T18:00Z', 'Fermé, ouvre lundi à 08:00'],
  ['es-ES', 'Mo-Fr 08:00-18:00', '2026-06-05T18:00Z', 'Cerrado ahora, abre el lunes a las 8:00'],
  ['en-GB', 'Fr 20:00-02:00', '2026-06-05T20:00Z', 'Open now until 02:00'],
  ['en-GB', 'Sa-Su 00:00-24:00', '2026-06-05T22:30Z', 'Open now until Monday at 00:00'],
  [
    'en-GB',
    '24/7; 2026 Jul 01-2026 Jul 31 off',
    '2026-07-01T12:00Z',
    'Closed now, opens on 1 Aug 2026 at 00:00',
  ],
  ...[
    ['de-DE', 'Jetzt geschlossen, öffnet am 01.08.2026 um 00:00 Uhr'],
    ['fr-FR', 'Fermé, ouvre le 1er août 2026 à 00:00'],
    ['es-ES', 'Cerrado ahora, abre el 1 ago 2026 a las 0:00'],
  ].map(([locale = '', sentence = '']): [string, string, string, string] => [
    locale,
    '24/7; 2026 Jul 01-2026 Jul 31 off',
    '2026-07-01T12:00Z',
    sentence,
  ]),
  ['en-GB', '24/7; 2026 Jul 31 off', '2026-07-01T12:00Z', 'Open now until 31 Jul 2026 at 00:00'],
  [
    'de-DE',
    '24/7; 2026 Jul 31 off',
    '2026-07-01T12:00Z',
    'Jetzt geöffnet bis 31.07.2026, 00:00 Uhr',
  ],
  ['fr-FR', '24/7; 2026 Jul 31 off', '2026-07-01T12:00Z', 'Ouvert jusqu’au 31 juil. 2026 à 00:00'],
  [
    'es-ES',
    '24/7; 2026 Jul 31 off',
    '2026-07-01T12:00Z',
    'Abierto ahora hasta el 31 jul 2026 a las 0:00',
  ],
  ['es-ES', 'Mo 08:00-13:00', '2026-06-01T08:00Z', 'Abierto ahora hasta las 13:00'],
  ['es-ES', 'Fr 20:00-01:00', '2026-06-05T20:00Z', 'Abierto ahora hasta la 1:00'],
  // In spring the clock goes from 02:00 to 03:00, in autumn from 03:00 back to 02:00.
  ['en-GB', 'Su 00:00-02:30', '2026-03-29T00:30Z', 'Open now until 03:00'],
  ['en-GB', 'Su 02:30-06:00', '2026-03-29T00:30Z', 'Closed now, opens at 03:00'],
  ['en-GB', 'Su 00:00-02:30', '2026-10-25T00:15Z', 'Open now until 02:30'],
  ['en-GB', 'Su 00:00-02:30', '2026-10-25T00:45Z', 'Closed now, opens at 02:00'],
  ['en-GB', 'Su 00:00-02:30', '2026-10-25T01:15Z', 'Open now until 02:30'],
  ['en-GB', '24/7', '2026-07-01T12:00Z', 'Open now'],
])('in %s, describes %s at %s as %s', async (locale, text, at, sentence) => {
  const { hours } = parseOsm(text, zone)
  if (!hours) throw new Error(`no hours: ${text}`)
  const speech = { words: await words(locale.slice(0, 2)), locale, zone }
  const now = Date.parse(at)
  expect(plain(sayOpenState(openState(hours, zone, now), now, speech))).toBe(sentence)
})
