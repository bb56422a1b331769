import { ApiError, fieldError, type FieldError } from '#domain/error.ts'
import { parseDate } from '#domain/date.ts'
import { TIME_EXAMPLE } from '#domain/open-data.ts'

import { invalidInput, invalidValue, withAccepted } from '../problem.ts'

/** A parameter, and the sentence for its invalid values. */
interface Parameter<T> {
  readonly accepted: string
  /** Parses a value. @returns undefined if it is invalid */
  readonly read: (value: string) => T | undefined
}

/** A time, in a format that PostgreSQL accepts. The plus sign of a time zone may arrive as a space. */
export const TIME: Parameter<string> = {
  accepted: `Must be a date, with or without a time, such as ${TIME_EXAMPLE}.`,
  read: (value) => parseDate(value.replace(/(?<=[:.]\d+) (?=\d\d:\d\d$)/, '+'))?.toISOString(),
}

/** A whole number. */
export const wholeFrom = (min: number, max: number): Parameter<number> => ({
  accepted: `Must be a whole number from ${min} to ${max}.`,
  read: (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN
    return number >= min && number <= max ? number : undefined
  },
})

/** A value of this form, which a client takes from a link of this server. */
export const linkedValue = (form: RegExp): Parameter<string> => ({
  accepted: 'Must be the value in the `Link` header of the previous page.',
  read: (value) => (form.test(value) ? value : undefined),
})

type Declared = Readonly<Record<string, Parameter<unknown>>>
type Given<D extends Declared> = {
  readonly [K in keyof D]?: Exclude<ReturnType<D[K]['read']>, undefined>
}

/** Reads the parameters of a URL, each at most once. @throws ApiError 400 */
export const readQuery = <D extends Declared>(url: string, declared: D): Given<D> => {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  const errors: Record<string, FieldError> = {}
  const given: Record<string, unknown> = {}
  for (const name of new Set(query.keys())) {
    const [value = '', ...more] = query.getAll(name)
    const parameter = Object.hasOwn(declared, name) ? declared[name] : undefined
    if (parameter === undefined)
      throw new ApiError(400, `There is no parameter "${name.slice(0, 40)}".`, {
        [name]: fieldError('validation_in_invalid'),
      })
    if (more.length > 0) errors[name] = fieldError('validation_too_many_values', { maxSelect: 1 })
    else if (value !== '') {
      given[name] = parameter.read(value)
      if (given[name] === undefined)
        errors[name] = withAccepted(invalidValue(value), parameter.accepted)
    }
  }
  if (Object.keys(errors).length > 0) throw invalidInput(errors)
  return given as Given<D>
}
