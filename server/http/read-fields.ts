import { ApiError, withSentence, type FieldError } from '#domain/error.ts'
import type { ValueField } from '#domain/field.ts'
import type { ValueOf } from '#domain/record.ts'
import { readValue, type Reading } from '#domain/schema.ts'

/** Replaces the line ends of forms (CRLF) and of old systems (CR) by LF. */
export const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/** Reads a submitted value, with the line ends of any client. */
export const readSent = (field: ValueField, sent: unknown): Reading =>
  readValue(
    field,
    typeof sent === 'string' && field.kind === 'text' && field.hasLines === true
      ? withLineFeeds(sent)
      : sent,
  )

/**
 * Reads the parameters of a request according to the declarations of its fields.
 * @param sent the submitted value of a name
 * @throws ApiError 400 with the errors of the fields
 */
export const readFields = <Fields extends Readonly<Record<string, ValueField>>>(
  fields: Fields,
  sent: (name: string) => unknown,
  message: string,
): { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> } => {
  const errors: Record<string, FieldError> = {}
  const values = Object.entries(fields).map(([name, field]) => {
    const { value, error } = readSent(field, sent(name))
    if (error !== undefined) errors[name] = withSentence(error)
    return [name, value]
  })
  if (Object.keys(errors).length > 0) throw new ApiError(400, message, errors)
  return Object.fromEntries(values) as { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }
}
