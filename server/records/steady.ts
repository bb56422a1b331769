import { parseFilter, type Filter, type Operand } from '#domain/filter.ts'

/**
 * Whether a filter finds other records at another time, though nothing was written: it names a moment
 * (`@now`), or asks `strftime` for the present one. What cannot be read is taken for one that does.
 */
export const dependsOnTime = (text: string): boolean => asks(text, isPresent)

/** Whether a filter looks at a field by this name, of whatever record. */
export const looksAt = (text: string, name: string): boolean =>
  asks(text, (operand) => operand.kind === 'path' && operand.path.includes(name))

const isPresent = (operand: Operand): boolean => {
  if (operand.kind === 'macro') return true
  if (operand.kind !== 'call' || operand.name !== 'strftime') return false
  const value = operand.args[1]
  return value === undefined || (value.kind === 'text' && value.value === 'now')
}

const asks = (text: string, is: (operand: Operand) => boolean): boolean => {
  const operandAsks = (operand: Operand): boolean =>
    is(operand) || (operand.kind === 'call' && operand.args.some(operandAsks))
  const filterAsks = (filter: Filter): boolean =>
    filter.kind === 'term'
      ? operandAsks(filter.left) || operandAsks(filter.right)
      : filter.items.some(filterAsks)
  try {
    const filter = parseFilter(text)
    return filter !== undefined && filterAsks(filter)
  } catch {
    return true
  }
}
