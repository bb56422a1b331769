const LAYOUT = /^(?!0000)\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/

/** A date in the layout of the wire, UTC (record interface 1.2). */
export const wireDate = (date: Date): string => date.toISOString().replace('T', ' ')

/** Parses a date, with or without a time, with a space or a `T` between them; without a zone it is in UTC. */
export const parseDate = (text: string): Date | undefined => {
  if (!LAYOUT.test(text)) return undefined
  const [day = '', time = '00:00:00Z'] = text.split(/[ T]/)
  // `Date` takes the 30th of February for the 2nd of March.
  if (new Date(day).getUTCDate() !== Number(day.slice(8))) return undefined
  const date = new Date(`${day}T${/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`}`)
  // A zone may lead out of the years of the wire.
  return Number.isNaN(date.getTime()) || !LAYOUT.test(wireDate(date)) ? undefined : date
}
