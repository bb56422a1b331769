import { ApiError, fieldError, type FieldError } from '#domain/error.ts'
import { parseDate } from '#domain/date.ts'

import { invalidInput } from '../problem.ts'

/** Parses the value of a parameter. @returns undefined if it is invalid */
type Read<T> = (value: string) => T | undefined

/** Parses a time to a format that PostgreSQL accepts. The plus sign of a time zone may arrive as a space. */
export const timeOf: Read<string> = (value) =>
  parseDate(value.replace(/(?<=[:.]\d+) (?=\d\d:\d\d$)/, '+'))?.toISOString()

/** Parses a whole number. */
export const wholeOf =
  ({ min, max }: { readonly min: number; readonly max: number }): Read<number> =>
  (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN
    return number >= min && number <= max ? number : undefined
  }

/** Parses a token from a link that this server created. */
export const tokenOf: Read<string> = (value) => (/^[\w-]{1,200}$/.test(value) ? value : undefined)

type Declared = Readonly<Record<string, Read<unknown>>>
type Given<D extends Declared> = {
  readonly [K in keyof D]?: Exclude<ReturnType<D[K]>, undefined>
}

/** Reads the parameters of a URL, each at most once. @throws ApiError 400 */
export const readQuery = <D extends Declared>(url: string, declared: D): Given<D> => {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  const errors: Record<string, FieldError> = {}
  const given: Record<string, unknown> = {}
  for (const name of new Set(query.keys())) {
    const [value = '', ...more] = query.getAll(name)
    const read = Object.hasOwn(declared, name) ? declared[name] : undefined
    if (read === undefined)
      throw new ApiError(400, `There is no parameter "${name.slice(0, 40)}".`, {
        [name]: fieldError('validation_in_invalid'),
      })
    if (more.length > 0) errors[name] = fieldError('validation_too_many_values', { maxSelect: 1 })
    else if (value !== '') {
      given[name] = read(value)
      if (given[name] === undefined)
        errors[name] = fieldError('validation_invalid_value', { value })
    }
  }
  if (Object.keys(errors).length > 0) throw invalidInput(errors)
  return given as Given<D>
}
