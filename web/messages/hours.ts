import type { OpeningHours } from '#domain/hours.ts'
import { sayHours, type HoursSpeech } from '#domain/hours/sentence.ts'
import { isTimeZone } from '#domain/hours/zone.ts'
import type { Language } from './messages.ts'

type Words = Pick<Language, 'messages' | 'locale'>

/** The time zone of a site; the one of the device if that of the site is not known. */
export const zoneOrOwn = (timeZone: string): string =>
  isTimeZone(timeZone) ? timeZone : new Intl.DateTimeFormat().resolvedOptions().timeZone

/** How the hours of a site are said. The area `hours` has to be loaded. */
export const hoursSpeech = ({ messages, locale }: Words, timeZone: string): HoursSpeech => ({
  words: messages.hours,
  locale,
  zone: zoneOrOwn(timeZone),
})

/** What hours say, special days included; a span of which a time is missing says nothing yet. */
export const wordHours = (
  language: Words,
  hours: OpeningHours | null | undefined,
  timeZone: string,
): string => {
  if (!hours) return ''
  const regular_hours = hours.regular_hours?.filter(
    ({ period_begin, period_end }) => period_begin !== '' && period_end !== '',
  )
  return sayHours({ ...hours, regular_hours }, hoursSpeech(language, timeZone))
}
