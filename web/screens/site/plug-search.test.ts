import { expect, test } from 'vitest'

import { STANDARDS } from '#domain/connector.ts'
import { loadMessages } from '../../messages/messages.ts'
import { plugName } from '../../messages/plugs.ts'
import { meansPlug } from './plug-search.ts'

const messages = await loadMessages('en', ['core', 'owner'])
const german = await loadMessages('de', ['core', 'owner'])
const find = (typed: string, spoken = messages) =>
  STANDARDS.filter((standard) => meansPlug(spoken, standard, typed))

test.each([
  ['mennekes', 'IEC_62196_T2'],
  ['type 2', 'IEC_62196_T2'],
  ['Type2', 'IEC_62196_T2'],
  ['IEC_62196_T2', 'IEC_62196_T2'],
  ['iec 62196 t2 combo', 'IEC_62196_T2_COMBO'],
  ['j1772', 'IEC_62196_T1'],
  ['combo', 'IEC_62196_T2_COMBO'],
  ['ccs 2', 'IEC_62196_T2_COMBO'],
  ['CCS1', 'IEC_62196_T1_COMBO'],
  ['chademo', 'CHADEMO'],
  ['cha de mo', 'CHADEMO'],
  ['nacs', 'SAE_J3400'],
  ['supercharger', 'TESLA_S'],
  ['gb/t', 'GBT_AC'],
  ['gbt dc', 'GBT_DC'],
  ['schuko', 'DOMESTIC_F'],
  ['type f', 'DOMESTIC_F'],
  ['DOMESTIC_F', 'DOMESTIC_F'],
  ['camping', 'IEC_60309_2_single_16'],
  ['iec_60309_2_three_32', 'IEC_60309_2_three_32'],
  ['cee 32', 'IEC_60309_2_three_32'],
  ['scame', 'IEC_62196_T3C'],
  ['camion', 'MCS'],
  ['nema 14-50', 'NEMA_14_50'],
  ['1450', 'NEMA_14_50'],
  ['bs 1363', 'DOMESTIC_G'],
  ['danemark', 'DOMESTIC_K'],
])('%j finds %s', (typed, standard) => {
  expect(find(typed)).toContain(standard)
})

test('every plug matches its name in every language, and its OCPI value', () => {
  for (const standard of STANDARDS) {
    expect(find(standard)).toContain(standard)
    for (const spoken of [messages, german]) {
      const name = plugName(spoken, standard)
      expect(find(name, spoken)).toContain(standard)
      expect(STANDARDS.filter((other) => plugName(spoken, other) === name)).toEqual([standard])
    }
  }
})

test('text inside a word does not match', () => {
  // The Danish plug is not a NEMA one.
  expect(find('nema')).not.toContain('DOMESTIC_K')
})

test('an unknown text matches nothing, and an empty one everything', () => {
  expect(find('xyz')).toEqual([])
  expect(find('mennekes chademo')).toEqual([])
  expect(find(' ')).toEqual(STANDARDS)
})
