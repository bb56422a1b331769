import { daysOfHeadings } from './headings.ts'

/** A time of day. */
export const TIME = /^\d{1,2}:\d{2}(?::00)?$/

const WEEK = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

/** The days in a heading such as "Mo-Fr" or "Sa,Su". */
export const daysIn = (days: string): readonly string[] =>
  days.split(',').flatMap((part) => {
    const [from = '', to = from] = part.split('-')
    const first = WEEK.indexOf(from)
    const count = ((WEEK.indexOf(to) - first + 7) % 7) + 1
    return Array.from({ length: count }, (_, index) => WEEK[(first + index) % 7] ?? '')
  })

/** Whether the cell of a day means closed. */
export const isClosed = (cell: string): boolean =>
  /^(?:[-–—x/]|off|closed|geschlossen|zu|ruhetag|ferm[ée]e?|cerrado|no)$/iu.test(cell.trim())

const ALL_DAY =
  /^(?:24\s*(?:h|\/\s*7|\/\s*24|hours?|stunden|heures?|horas)?\.?|24\s*h\s*\/\s*24|0?0[:h]00\s*[-–]\s*0?0[:h]00)$/i

/** The hours of a day as an OpenStreetMap rule, from its cells: one time in each of two cells, or spans in one cell. */
const ruleOf = (days: string, cells: readonly string[]): string => {
  if (cells.some(isClosed)) return `${days} off`
  const spans = cells.every((cell) => TIME.test(cell))
    ? cells.map((cell, index) => (index === 0 ? cell : `${index % 2 === 1 ? '-' : ','}${cell}`))
    : [
        cells
          .map((cell) =>
            ALL_DAY.test(cell) ? '00:00-24:00' : cell.replace(/\s*[/|;&\n]\s*/g, ','),
          )
          .join(','),
      ]
  return `${days} ${spans.join('')}`
}

/** The opening hours of a week from the cells of its days; empty if all cells are empty. */
export const hoursOfDays = (cells: readonly (readonly [days: string, cell: string])[]): string => {
  const byDays = Map.groupBy(
    cells.filter(([, cell]) => cell !== ''),
    ([days]) => days,
  )
  const rules = [...byDays].map(([days, group]) =>
    ruleOf(
      days,
      group.map(([, cell]) => cell),
    ),
  )
  const open = rules.filter((rule) => !rule.endsWith(' off'))
  const named = [...byDays.keys()].flatMap(daysIn)
  // A rule after a semicolon, or a closed day, would override the hours after midnight of the day before.
  return open.length > 0 && new Set(named).size === named.length
    ? open.join(', ')
    : rules.join('; ')
}

const SPAN = /^\d{1,2}:\d{2}\s*[-–]\s*\d{1,2}:\d{2}$/

/**
 * The opening hours of a week from two cells, one with days and one with the times of each day, or one time for all
 * days, as in the German register. Empty if there are no such cells. Other cells, such as "restricted", are ignored.
 */
export const hoursOfDaysAndTimes = (cells: readonly string[]): string => {
  const lists = cells.map((cell) => cell.split(/\s*[;,\n]\s*/).filter((part) => part !== ''))
  const times = lists.find((list) => list.length > 0 && list.every((part) => SPAN.test(part)))
  const days = lists
    .filter((list) => list.length > 0)
    .map((list) => daysOfHeadings(list))
    .find((list) => !list.includes(''))
  if (times === undefined || days === undefined) return ''
  if (times.length !== 1 && times.length !== days.length) return ''
  // Sources that cannot express midnight use 23:59.
  const spanOf = (index: number): string =>
    (times[index] ?? times[0] ?? '').replace(/23:59$/, '24:00')
  return hoursOfDays(days.map((day, index) => [day, spanOf(index)]))
}
