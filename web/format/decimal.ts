/**
 * Parses a decimal number with a comma or a dot in any language, because phones offer one or the other by region. A
 * single separator is never a thousands separator, or 7.4 kW would become 74. Undefined if the text is not a number.
 */
export const parseDecimal = (input: string): number | undefined => {
  const text = input
    .trim()
    .replace(/[−–]/g, '-')
    .replace(/[\s'’_]/g, '')
  if (!/^[+-]?[\d.,]*\d[\d.,]*$/.test(text)) return undefined
  const separators = text.match(/[.,]/g) ?? []
  if (separators.length <= 1) return toNumber(text.replace(',', '.'))
  const last = separators.at(-1) ?? ''
  const others = separators.slice(0, -1)
  // 1.234,5 and 1,234.5: the last mark is the decimal mark, the others group thousands.
  if (others.every((mark) => mark !== last)) {
    const whole = text.slice(0, text.lastIndexOf(last))
    const fraction = text.slice(text.lastIndexOf(last) + 1)
    return isGrouped(whole) ? toNumber(`${whole.replace(/[.,]/g, '')}.${fraction}`) : undefined
  }
  // 1.234.567: the same mark twice can only group.
  return others.every((mark) => mark === last) && isGrouped(text)
    ? toNumber(text.replace(/[.,]/g, ''))
    : undefined
}

const isGrouped = (text: string): boolean => /^[+-]?\d{1,3}([.,]\d{3})+$/.test(text)

const toNumber = (text: string): number | undefined => {
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** Formats a number for a field: as short as possible without losing precision, and ungrouped. */
export const formatDecimal = (value: number, locale: string): string =>
  new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 }).format(value)
