import { useEffect, useRef, type RefObject } from 'react'
import { get, set, type FieldErrors, type FieldValues, type Resolver } from 'react-hook-form'
import type { CodedError } from '#domain/error.ts'
import { fieldErrorText, type Messages } from '../messages/messages.ts'

/** The validation of a form. */
export interface Validation<T> {
  /** Returns the validation errors that the server would report, by the paths of the fields. */
  readonly check: (values: T) => readonly (readonly [string, CodedError])[]
  /** Fields that the form requires although the server does not. */
  readonly alsoRequired?: readonly string[]
}

/** The list of a native select, for example, receives the release itself. */
const MAX_PRESS_MS = 1000

/** Pending while a pointer is pressed in a form, for at most `MAX_PRESS_MS`. */
let released: Promise<void> | undefined

/**
 * Notes that a pointer is pressed in a form. Validation waits until it is released: the press takes the focus from a
 * field, and an error that appears there would move the pressed button away before the click.
 */
export const notePress = (): void => {
  const { promise, resolve } = Promise.withResolvers<void>()
  released = promise
  const events = new AbortController()
  const release = () => {
    events.abort()
    // After the click.
    setTimeout(resolve)
  }
  for (const type of ['pointerup', 'pointercancel'])
    addEventListener(type, release, { capture: true, signal: events.signal })
  setTimeout(release, MAX_PRESS_MS)
}

/** Creates a resolver that validates a form as the server will. */
export const formResolver =
  <T extends FieldValues>({
    check,
    alsoRequired = [],
    messages,
  }: Validation<T> & { readonly messages: Messages }): Resolver<T> =>
  async (values) => {
    await released
    const errors: FieldErrors<T> = {}
    const add = (path: string, error: CodedError) => {
      if (get(errors, path) !== undefined) return
      const name = path.slice(path.lastIndexOf('.') + 1)
      set(errors, path, { type: error.code, message: fieldErrorText(messages, name, error) })
    }
    for (const name of alsoRequired) {
      const value: unknown = values[name]
      if (typeof value !== 'string' || value.trim() === '')
        add(name, { code: 'validation_required' })
    }
    for (const [path, error] of check(values)) add(path, error)
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors }
  }

/** A validation error of a field; `type` is the code of the error, or `server`. */
export interface ListedError {
  readonly path: string
  readonly type: string
  readonly message: string
}

/** Lists the validation errors in the order of the fields, with the path of each field. */
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

/** Elements that prevent a form from being sent: invalid fields, then unresolved conflicts. */
const BLOCKERS = ['[aria-invalid="true"]', '.conflict:not(:has([aria-pressed=true])) button']

/**
 * Focuses the first element that prevents a form from being sent, once React has rendered the outcome of an attempt.
 * @param attempts the number of attempts to send the form so far
 */
export const useFocusAfterSubmit = (form: RefObject<HTMLElement | null>, attempts: number): void =>
  useEffect(() => {
    if (attempts === 0) return
    BLOCKERS.map((selector) => form.current?.querySelector<HTMLElement>(selector))
      .find(Boolean)
      ?.focus()
  }, [form, attempts])

/**
 * Focuses the first invalid field in a part of a form when it is mounted, unless an invalid field has the focus
 * already. The result is the `ref` of the part.
 */
export const useFocusOnInvalid = (isWrong: boolean): RefObject<HTMLDivElement | null> => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const isElsewhere = document.activeElement?.getAttribute('aria-invalid') === 'true'
    if (isWrong && !isElsewhere)
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- only on mount
  }, [])
  return element
}

/**
 * Asks a control before its form is sent. A form that must not be sent, because the control contains something that is
 * not a value, gets a `submit` event whose default is prevented.
 */
export const useSubmitGuard = (
  control: RefObject<HTMLInputElement | HTMLButtonElement | null>,
  maySend: () => boolean,
): void =>
  useEffect(() => {
    const form = control.current?.form
    const ask = (event: Event) => {
      if (!maySend()) event.preventDefault()
    }
    form?.addEventListener('submit', ask, true)
    return () => form?.removeEventListener('submit', ask, true)
  })

/** Focuses the first field of a form. */
export const focusFirst = (form: HTMLElement | null): void =>
  form?.querySelector<HTMLElement>('input:not([type=file]), select, textarea')?.focus()
