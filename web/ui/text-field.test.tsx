import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { en } from '../../tests/support/english.ts'
import { LanguageContext } from '../messages/messages.ts'
import { TextField } from './text-field.tsx'

const draw = (notes: { readonly error?: string; readonly warning?: string }): string =>
  renderToStaticMarkup(
    <LanguageContext value={{ language: 'en', locale: 'en-GB', messages: en, choose: () => {} }}>
      <TextField id="cars" label="Cars" hint="At a time." {...notes} />
    </LanguageContext>,
  )
const describedBy = (html: string) => /aria-describedby="([^"]*)"/.exec(html)?.[1]

test('a value that is refused has no warning beside its error', () => {
  const doubtful = draw({ warning: '9 cars. Is that right?' })
  expect(doubtful).toContain('9 cars. Is that right?')
  expect(describedBy(doubtful)).toBe('cars-hint cars-warning')
  const refused = draw({ error: 'Enter 0 or more', warning: '1 car. Is that right?' })
  expect(refused).toContain('Enter 0 or more')
  expect(refused).not.toContain('Is that right?')
  expect(describedBy(refused)).toBe('cars-hint cars-error')
})
