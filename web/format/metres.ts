/** Formats a distance in metres up to a kilometre, then in kilometres. A non-breaking space joins number and unit. */
export const formatDistance = (metres: number, locale: string): string => {
  const [value, unit] =
    metres < 1000 ? [Math.max(1, metres), 'meter'] : [metres / 1000, 'kilometer']
  const maximumFractionDigits = unit === 'kilometer' && value < 10 ? 1 : 0
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits })
    .format(value)
    .replace(' ', '\u00a0')
}
