import { expect, test } from 'vitest'

import { MIN_LIKENESS } from './duplicate.ts'
import { likenessOf, mentions } from './likeness.ts'

test.each([
  ['Carrefour Market - Mâcon', 'MACON carrefour market'],
  ['Saint-Étienne Gare', 'St Etienne gare'],
  ['Boulevard Sérurier 54', 'Bd Serurier 54'],
  ['Centre commercial Les Ulis', 'CC Les Ulis'],
  ['Hotel F1 Beauvais', 'hotelF1 - Beauvais'],
  ['Bricomarché Nivillac', 'Bricomarhcé Nivilac'],
  ['Parkplatz Straße', 'parkplatz strasse'],
])('%s is like %s', (one, other) => {
  expect(likenessOf(one, other)).toBeGreaterThan(MIN_LIKENESS)
  expect(likenessOf(other, one)).toBeCloseTo(likenessOf(one, other), 10)
})

test.each([
  ['Paris | Rue Monge 55', 'Paris | Rue Monge 58'],
  ['Aire de Lespignan Nord', 'Aire de Lespignan Sud'],
  ['Jardiland - Tours', 'Norauto - Tours'],
  ['Besançon', 'Belfort'],
  ['Ost', 'West'],
])('%s is not like %s', (one, other) => {
  expect(likenessOf(one, other)).toBeLessThan(MIN_LIKENESS)
})

test('is from 0 to 1', () => {
  expect(likenessOf('Gare', 'GARE')).toBe(1)
  expect(likenessOf('Gare', 'Mairie')).toBe(0)
  expect(likenessOf('Gare', '')).toBe(0)
  expect(likenessOf('…', '!')).toBe(0)
})

test('only the beginning of very long names is compared', () => {
  const name = 'ab cd ef gh ij kl mn op qr st uv wx'
  expect(likenessOf(`${name} yz`, `${name} zy`)).toBe(1)
  expect(likenessOf('a'.repeat(64), 'a'.repeat(63))).toBe(1)
})

test('words of the operator are optional, and words of the town weigh little', () => {
  const [one, other] = ['Kilowatt - Jardiland Tours', 'Jardiland Tours']
  expect(likenessOf(one, other, { optional: 'Kilowatt' })).toBe(1)
  expect(likenessOf(one, other)).toBeLessThan(1)
  const [shop, beside] = ['Jardiland Tours', 'Norauto Tours']
  expect(likenessOf(shop, beside, { common: 'Tours' })).toBeLessThan(likenessOf(shop, beside))
})

test.each([
  ['IONITY Vidauban', 'Ionity GmbH', true],
  ['Relais Total Energies', 'TotalEnergies', true],
  ['Aire de Vidauban', 'Tesla', false],
  ['Aire de Vidauban', '', false],
])('"%s" mentions "%s": %s', (text, name, isMentioned) => {
  expect(mentions(text, name)).toBe(isMentioned)
})
