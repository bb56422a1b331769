import type { OpeningHours } from '#domain/hours.ts'
import { sayHours, type HoursSpeech } from '#domain/hours/sentence.ts'
import { isTimeZone } from '#domain/hours/zone.ts'
import type { Language } from './messages.ts'

type Words = Pick<Language, 'messages' | 'locale'>

/** The time zone of a site, or the device's if it is unknown. */
export const zoneOrOwn = (timeZone: string): string =>
  isTimeZone(timeZone) ? timeZone : new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The language, locale and zone for describing the hours of a site. Requires the area `hours`. */
export const hoursSpeech = ({ messages, locale }: Words, timeZone: string): HoursSpeech => ({
  words: messages.hours,
  locale,
  zone: zoneOrOwn(timeZone),
})

/** Describes opening hours, including special days; a span without both times is omitted. */
export const describeHours = (
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
