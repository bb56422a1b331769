import { toNestErrors } from '@hookform/resolvers'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type * as z from 'zod/mini'

import { fieldErrorText, type Messages } from '../messages/messages.ts'

interface Options<T> {
  readonly schema: z.ZodMiniType
  /** Turns what stands in the fields into what the schema reads: texts into numbers, above all. */
  readonly toInput: (values: T) => Readonly<Record<string, unknown>>
  /** Fields that the form asks for although the server would do without. */
  readonly alsoRequired?: readonly string[]
  readonly messages: Messages
}

/**
 * Checks a form with a schema of the domain, as the server will. Unlike the resolver that comes
 * with the library it keeps the parameters of an error, because the sentences need them.
 */
export const formResolver =
  <T extends FieldValues>({
    schema,
    toInput,
    alsoRequired = [],
    messages,
  }: Options<T>): Resolver<T> =>
  (values, _context, options) => {
    const input = toInput(values)
    const errors: Record<string, { type: string; message: string }> = {}
    const add = (path: readonly PropertyKey[], code: string, params?: Record<string, unknown>) => {
      errors[path.join('.')] ??= {
        type: code,
        message: fieldErrorText(messages, String(path.at(-1)), { code, params }),
      }
    }
    for (const name of alsoRequired) {
      const value = input[name]
      if (typeof value !== 'string' || value.trim() === '') add([name], 'validation_required')
    }
    for (const issue of schema.safeParse(input).error?.issues ?? []) {
      const details = issue.code === 'custom' ? issue.params : undefined
      add(
        issue.path,
        typeof details?.['code'] === 'string' ? details['code'] : issue.code,
        details?.['params'] as Record<string, unknown> | undefined,
      )
    }
    return Object.keys(errors).length === 0
      ? { values, errors: {} }
      : { values: {}, errors: toNestErrors(errors as FieldErrors<T>, options) }
  }

/** What is wrong with a field; `type` is the code of the error, or `server`. */
export interface ListedError {
  readonly path: string
  readonly type: string
  readonly message: string
}

/** What is wrong, in the order of the fields, with the path of each field. */
export const listErrors = (errors: object, path = ''): ListedError[] =>
  Object.entries(errors).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null || name === 'ref') return []
    const here = path === '' ? name : `${path}.${name}`
    return 'message' in value && typeof value.message === 'string'
      ? [{ path: here, message: value.message, type: 'type' in value ? String(value.type) : '' }]
      : listErrors(value, here)
  })

/** The id of the control for a field, derived from its path so that a list of errors can link to it. */
export const controlId = (path: string): string => `field-${path.replaceAll('.', '-')}`

/** How many frames React is given to mark what is wrong; a busy phone needs more than one. */
const TIMEOUT_FRAMES = 20

/** Puts the focus on the first control that is marked as wrong, once React has marked it. */
export const focusFirstError = (form: HTMLElement | null, frames = TIMEOUT_FRAMES): void => {
  requestAnimationFrame(() => {
    const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong) wrong.focus()
    else if (frames > 1) focusFirstError(form, frames - 1)
  })
}

/** Puts the focus on the first field of a form. */
export const focusFirst = (form: HTMLElement | null): void =>
  form?.querySelector<HTMLElement>('input:not([type=file]), textarea')?.focus()
