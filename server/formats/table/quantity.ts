import { isNameless, standardNamed } from '../repair/plugs.ts'
import { parseFlag } from '../repair/parse-text.ts'
import { MAX_PLUGS_OF_A_KIND } from '../station.ts'
import { plugInHeading } from './headings.ts'

const bounded = (count: number): number => Math.min(count, MAX_PLUGS_OF_A_KIND)

/** Reads a quantity: "2", "2,0", "2 Stück". */
export const quantityIn = (text: string): number | undefined => {
  const count = /^\s*(\d+)(?:[.,]0+)?(?![\d.,])/.exec(text)?.[1]
  return count === undefined ? undefined : bounded(Number(count))
}

/** Reads the number of plugs in a column for their type: "4", "2x", "yes", "-". */
export const countOfCell = (cell: string): number | undefined => {
  const text = cell.trim()
  if (/^[-–—]?$/.test(text)) return 0
  const count = /^(\d{1,3})(?:[.,]0+)?\s*(?:[x×]|\p{L}{2,}\.?)?$/iu.exec(text)
  if (count && !/kw$/i.test(text))
    return Number(count[1]) > MAX_PLUGS_OF_A_KIND ? undefined : Number(count[1])
  const flag = parseFlag(text)
  return flag === undefined ? undefined : Number(flag)
}

/** Reads the quantity before a power: "2 x 150 kW". */
export const countOfPower = (text: string): number | undefined => {
  const count = /^\s*(\d{1,2})\s*[x×]\s*\d/i.exec(text)?.[1]
  return count === undefined ? undefined : bounded(Number(count))
}

/** A quantity after the type of plug: "Type 2: 4", "Type 2 (x4)", "Type 2 (4x)", "CCS × 2". */
const BEHIND =
  /^(.*?\S)\s*(?:[:=]\s*(\d{1,3})|[([]?\s*[x×]\s*(\d{1,3})\s*[)\]]?|[([]\s*(\d{1,3})\s*[x×]\s*[)\]])\s*$/iu

/** Separates a type of plug from a quantity before or after it. */
export const countedKind = (text: string): { readonly kind: string; readonly count?: number } => {
  const [, before] = /^\s*(\d{1,3})\s*[x×]/i.exec(text) ?? []
  if (before !== undefined) return { kind: text, count: bounded(Number(before)) }
  const [, named = '', ...counts] = BEHIND.exec(text) ?? []
  const behind = counts.find((count) => count !== undefined)
  if (behind !== undefined && standardNamed(named) !== undefined)
    return { kind: named, count: bounded(Number(behind)) }
  const [, leading, rest = ''] = /^\s*(\d{1,3})\s+(\D.*)$/su.exec(text) ?? []
  const isOfChargers = /^\p{L}{4}/u.test(rest) && isNameless(rest)
  // The words for several plugs are those of headings: "4 prises T2".
  const kind = isOfChargers || standardNamed(rest) !== undefined ? rest : plugInHeading(rest)
  return leading !== undefined && kind !== undefined && standardNamed(text) === undefined
    ? { kind, count: bounded(Number(leading)) }
    : { kind: text }
}
