const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The time of day: 14:02. */
export const formatTime = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at)

/** A day: 23 Nov 2026. */
export const formatDay = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at)

/** A day and the time of day: 23 Nov 2026, 14:02. */
export const formatDayTime = (at: number, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at)

/** A time relative to today: "14:02 today", "yesterday 18:20", earlier ones with the date. */
export const formatRecentTime = (at: number, now: number, locale: string): string => {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS)
  if (days === 0) return formatTime(at, locale)
  if (days !== 1) return formatDayTime(at, locale)
  const yesterday = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-1, 'day')
  return `${yesterday} ${formatTime(at, locale)}`
}

/** How long ago: "2 min. ago", "3 hr. ago"; undefined for less than a minute. */
export const formatAgo = (at: number, now: number, locale: string): string | undefined => {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  const passedMs = Math.max(now - at, 0)
  if (passedMs < MINUTE_MS) return undefined
  if (passedMs < HOUR_MS) return format.format(-Math.floor(passedMs / MINUTE_MS), 'minute')
  return format.format(-Math.floor(passedMs / HOUR_MS), 'hour')
}

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** A day as a heading: "Today", "Yesterday", earlier ones with the date. */
export const formatDayTitle = (at: number, now: number, locale: string): string => {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS)
  const text =
    days === 0 || days === 1
      ? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day')
      : new Intl.DateTimeFormat(locale, { dateStyle: 'full' }).format(at)
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
}

const RELATIVE_UNITS = [
  ['year', 365],
  ['month', 30],
  ['day', 1],
] as const

/** How many days, months or years ago: "today", "yesterday", "3 days ago", "2 months ago". */
export const formatDaysAgo = (at: number, now: number, locale: string): string => {
  const days = Math.max(0, Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS))
  const [unit, length] = RELATIVE_UNITS.find(([, least]) => days >= least) ?? ['day', 1]
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(
    -Math.floor(days / length),
    unit,
  )
}
