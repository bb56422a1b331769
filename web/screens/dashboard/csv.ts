/** How a language writes a table: spreadsheets read the file by the language of their owner. */
export interface CsvStyle {
  readonly separator: ',' | ';'
  readonly decimalMark: '.' | ','
}

/** Where the comma is in the numbers, it cannot stand between them. */
export const csvStyle = (locale: string): CsvStyle =>
  new Intl.NumberFormat(locale).format(0.5).includes(',')
    ? { separator: ';', decimalMark: ',' }
    : { separator: ',', decimalMark: '.' }

/**
 * A table as a CSV file (RFC 4180, UTF-8 with a byte order mark, for spreadsheets that would else
 * guess). A text that a spreadsheet would take for a formula gets an apostrophe in front: an address
 * must not become a command on the computer of whoever opens the file. Numbers are numbers.
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
