/** The layout of a date that is sent. */
export const DATE_LAYOUT =
  /^(?!0000)\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/

/** A date in the format of the wire, in UTC (record interface 1.2). */
export const wireDate = (date: Date): string => date.toISOString().replace('T', ' ')

/** Parses a date, with or without a time, separated by a space or a `T`; without a zone, UTC is assumed. */
export const parseDate = (text: string): Date | undefined => {
  if (!DATE_LAYOUT.test(text)) return undefined
  const [day = '', time = '00:00:00Z'] = text.split(/[ T]/)
  // `Date` turns 30 February into 2 March.
  if (new Date(day).getUTCDate() !== Number(day.slice(8))) return undefined
  const date = new Date(`${day}T${/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`}`)
  // A zone offset may move the date out of the range of years of the wire.
  return Number.isNaN(date.getTime()) || !DATE_LAYOUT.test(wireDate(date)) ? undefined : date
}
