import type { Finding } from './verdict.ts'

/** Formats findings as a Markdown table, one line each, with the reason if one is inconclusive. */
export const findingsTable = (findings: readonly Finding[]): string =>
  table(
    findings.map(({ part, what, target, measured, verdict, reason }) => ({
      part,
      what,
      target,
      measured,
      verdict: reason === undefined ? verdict : `${verdict}: ${reason}`,
    })),
  )

/** Formats rows with the same keys as an aligned Markdown table. */
export const table = (rows: readonly Readonly<Record<string, string>>[]): string => {
  const names = Object.keys(rows[0] ?? {})
  const widths = names.map((name) =>
    Math.max(name.length, ...rows.map((row) => (row[name] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`
  return [
    line(names),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map((row) => line(names.map((name) => row[name] ?? ''))),
  ].join('\n')
}
