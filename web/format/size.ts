const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const

/**
 * Formats a size with its unit and two significant digits, such as "240 MB". Units are powers of 1,000, as in file
 * managers.
 */
export const formatSize = (bytes: number, locale: string): string => {
  const step = Math.min(Math.max(Math.floor(Math.log10(bytes) / 3), 1), UNITS.length)
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[step - 1],
    unitDisplay: 'short',
    maximumSignificantDigits: 2,
  })
    .format(bytes / 1000 ** step)
    .replace(' ', '\u00a0')
}
