import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { en } from '../../../tests/support/english.ts'
import { LanguageContext } from '../../messages/messages.ts'
import { PriceChips } from './price-chips.tsx'

test.each([
  ['en-GB', ['£0.45 / kWh', '£3.00 / h']],
  ['de-DE', ['0,45 € / kWh', '3,00 € / h']],
  ['fr-FR', ['0,45 € / kWh', '3,00 € / h']],
  ['es-ES', ['0,45 € / kWh', '3,00 € / h']],
  ['de-CH', ['CHF 0.45 / kWh', 'CHF 3.00 / h']],
] as const)('the prices offered in %s are text with plain spaces', (locale, prices) => {
  const offered: string[] = []
  renderToStaticMarkup(
    <LanguageContext value={{ language: 'en', locale, messages: en, choose: () => {} }}>
      <PriceChips
        place={undefined}
        chip={(text) => {
          offered.push(text)
          return text
        }}
      />
    </LanguageContext>,
  )
  expect(offered).toEqual(prices)
})
