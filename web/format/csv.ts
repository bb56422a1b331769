/** The CSV dialect of a language, which spreadsheets derive from the user's locale. */
export interface CsvStyle {
  readonly separator: ',' | ';'
  readonly decimalMark: '.' | ','
}

/** With a decimal comma, the separator is a semicolon. */
export const csvStyle = (locale: string): CsvStyle =>
  new Intl.NumberFormat(locale).format(0.5).includes(',')
    ? { separator: ';', decimalMark: ',' }
    : { separator: ',', decimalMark: '.' }

/**
 * Formats a table as CSV (RFC 4180, UTF-8 with a byte order mark, because some spreadsheets would guess the encoding).
 * A text that a spreadsheet would interpret as a formula is prefixed with an apostrophe, to prevent CSV injection.
 * Numbers stay numbers.
 */
export const csv = (
  rows: readonly (readonly (string | number)[])[],
  { separator, decimalMark }: CsvStyle,
): string => {
  const cell = (value: string | number): string =>
    typeof value === 'number'
      ? String(value).replace('.', decimalMark)
      : `"${disarm(value).replaceAll('"', '""')}"`
  return `\uFEFF${rows.map((row) => row.map(cell).join(separator)).join('\r\n')}\r\n`
}

const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

const disarm = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)
