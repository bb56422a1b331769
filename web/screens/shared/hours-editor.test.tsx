import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import type { OpeningHours } from '#domain/hours.ts'
import { en } from '../../../tests/support/english.ts'
import { LanguageContext } from '../../messages/messages.ts'
import { HoursEditor } from './hours-editor.tsx'

const draw = (value: OpeningHours | undefined, error?: string): string =>
  renderToStaticMarkup(
    <LanguageContext value={{ language: 'en', locale: 'en-GB', messages: en, choose: () => {} }}>
      <HoursEditor
        id="hours"
        value={value}
        onChange={() => {}}
        error={error}
        timeZone="Europe/Paris"
        mayLackWeek={false}
        saysNow
        country="FRA"
      />
    </LanguageContext>,
  )
const spans = (...times: [begin: string, end: string][]): OpeningHours => ({
  twentyfourseven: false,
  regular_hours: times.map(([period_begin, period_end], index) => ({
    weekday: index + 1,
    period_begin,
    period_end,
  })),
})

test('describes complete opening hours', () => {
  expect(draw(spans(['08:00', '18:00'], ['08:00', '18:00']))).toContain('Mon and Tue 08:00–18:00')
  expect(draw(spans(['08:00', '']))).not.toContain('<strong>')
  expect(draw(undefined)).not.toContain('<strong>')
})

test('reports an overlap immediately, and missing times on validation', () => {
  const overnight = spans(['20:00', '10:00'], ['08:00', '18:00'])
  expect(draw(overnight)).toContain(en.hoursEditor.overlap)
  const missing = spans(['08:00', ''])
  expect(draw(missing)).not.toContain(en.hoursEditor.missingTime)
  expect(draw(missing, 'wrong')).toContain(en.hoursEditor.missingTime)
})

test('asks for a day if there are only exceptions', () => {
  const closing = { period_begin: '2026-12-24T23:00:00Z', period_end: '2026-12-25T23:00:00Z' }
  const hours = { twentyfourseven: false, regular_hours: [], exceptional_closings: [closing] }
  expect(draw(hours)).not.toContain(en.hoursEditor.noDay)
  expect(draw(hours, 'wrong')).toContain(en.hoursEditor.noDay)
})

test('hides the week for 24/7, but not the exceptions', () => {
  const html = draw({
    twentyfourseven: true,
    exceptional_closings: [
      { period_begin: '2026-12-24T23:00:00Z', period_end: '2026-12-25T23:00:00Z' },
      { period_begin: '2026-12-31T17:00:00Z', period_end: '2026-12-31T19:00:00Z' },
    ],
  })
  expect(html).not.toContain('type="time"')
  expect(html).toContain('Closed 25 Dec 2026')
  expect(html).toContain('closed 31 Dec 2026, 18:00')
})
