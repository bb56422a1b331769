import { ApiError, fieldError, type FieldError } from '#domain/error.ts'

import { invalidInput, invalidValue, withAccepted } from '../problem.ts'

/** Parses the values of a parameter. @throws {Refusal} */
export type Read<T> = (values: readonly string[]) => T

/** A parameter value that is not accepted. */
export class Refusal extends Error {
  readonly error: FieldError

  constructor(error: FieldError) {
    super()
    this.error = error
  }
}

export const refusal = (...problem: Parameters<typeof fieldError>): Refusal =>
  new Refusal(fieldError(...problem))

export const invalid = (value: string): Refusal => new Refusal(invalidValue(value))

/** Reads a value; its refusal also says what is accepted. */
export const accepting =
  <T>(accepted: string, read: (value: string) => T) =>
  (value: string): T => {
    try {
      return read(value)
    } catch (error) {
      throw error instanceof Refusal ? new Refusal(withAccepted(error.error, accepted)) : error
    }
  }

/** A parameter that may occur once; `fallback` is its value if it is absent. */
export const once =
  <T, F>(read: (value: string) => T, fallback: F): Read<T | F> =>
  ([value, ...more]) => {
    if (value === undefined) return fallback
    if (more.length > 0) throw refusal('validation_too_many_values', { maxSelect: 1 })
    return read(value)
  }

type Declared = Readonly<Record<string, Read<unknown>>>
export type Given<D extends Declared> = { readonly [Name in keyof D]: ReturnType<D[Name]> }

/** The query of a URL. */
export const queryOf = (url: string): URLSearchParams =>
  new URLSearchParams(url.replace(/^[^?]*/, ''))

/** Parses the parameters of a URL. @throws ApiError 400 with all unknown and invalid parameters */
export const readParameters = <D extends Declared>(url: string, declared: D): Given<D> =>
  readQuery(queryOf(url), declared)

/** Parses the parameters of a query. @throws ApiError 400 with all unknown and invalid parameters */
export const readQuery = <D extends Declared>(query: URLSearchParams, declared: D): Given<D> => {
  const errors: Record<string, FieldError> = {}
  const given: Record<string, unknown> = {}
  for (const name of new Set(query.keys()))
    if (!Object.hasOwn(declared, name)) errors[name] = fieldError('validation_in_invalid')
  const [unknown] = Object.keys(errors)
  for (const [name, read] of Object.entries(declared))
    try {
      given[name] = read(query.getAll(name))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      errors[name] = error.error
    }
  if (unknown !== undefined)
    throw new ApiError(400, `There is no parameter "${unknown.slice(0, 40)}".`, errors)
  if (Object.keys(errors).length > 0) throw invalidInput(errors)
  return given as Given<D>
}

/**
 * The query of an HTML page without unknown, empty and invalid parameters. People who pass on a link may add parameters
 * (`fbclid`) or truncate it, and a form sends its empty fields. The form on the page shows the effective values.
 */
export const pageQuery = (url: string, declared: Declared): URLSearchParams => {
  const given = queryOf(url)
  const query = new URLSearchParams()
  for (const [name, read] of Object.entries(declared)) {
    const values = given.getAll(name).filter((value) => value.trim() !== '')
    if (isReadable(read, values)) for (const value of values) query.append(name, value)
  }
  return query
}

const isReadable = (read: Read<unknown>, values: readonly string[]): boolean => {
  try {
    read(values)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
