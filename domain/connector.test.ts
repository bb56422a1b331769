import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  connectors as declared,
  groupConnectors,
  inDisplayOrder,
  type Connector,
} from './connector.ts'
import { inputOf } from './record.ts'

const make = (
  id: string,
  standard: Connector['standard'],
  kw_rating: number,
  current_type: Connector['current_type'] = 'DC',
): Connector => ({
  ...inputOf(declared, { standard, format: 'CABLE', current_type, kw_rating }),
  id,
  site: 's',
})

test('connectors are shown in the same order, whichever was stored first', () => {
  const entered = [
    make('a', 'IEC_62196_T2', 22, 'AC_3_PHASE'),
    make('b', 'IEC_62196_T2', 7.4, 'AC_1_PHASE'),
    make('c', 'IEC_62196_T2_COMBO', 50),
    make('d', 'IEC_62196_T2_COMBO', 150),
    make('e', 'CHADEMO', 50),
  ]
  const stored = fc.shuffledSubarray(entered, { minLength: entered.length })
  fc.assert(
    fc.property(stored, (connectors) => {
      const shown = groupConnectors(inDisplayOrder(connectors)).map(({ first }) => first.id)
      expect(shown).toEqual(['d', 'c', 'e', 'a', 'b'])
    }),
  )
})
