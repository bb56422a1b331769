import {
  get,
  useFormContext,
  type FieldPath,
  type FormState,
  type UseFormReturn,
} from 'react-hook-form'

import { CONNECTOR_TRAITS } from '#domain/connector.ts'
import { isOptional } from '#domain/record.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { formatDecimal, parseDecimal } from '../../format/decimal.ts'
import { controlId } from '../../ui/form.ts'
import { SITE_FORM_FIELDS, type SiteText } from './site-values.ts'

/** Connects a control to a field of the site form: value, id, label and error. */
export const useSiteField = () => {
  const { fields } = useMessages()
  const { register, formState } = useFormContext<SiteText>()
  const labels: Readonly<Record<string, string>> = { ...fields.sites, ...fields.connectors }
  return (path: FieldPath<SiteText>, options: Parameters<typeof register>[1] = {}) => {
    const name = path.slice(path.lastIndexOf('.') + 1)
    const declared = SITE_FORM_FIELDS[name]
    return {
      ...register(path, options),
      id: controlId(path),
      label: labels[name] ?? name,
      optional: declared !== undefined && isOptional(declared),
      error: shownError(formState, path),
    }
  }
}

/**
 * The visible error of a field. Adding a row validates the whole list, so the errors of untouched rows and details are
 * hidden.
 */
export const shownError = (
  { errors, touchedFields }: Pick<FormState<SiteText>, 'errors' | 'touchedFields'>,
  path: FieldPath<SiteText>,
): string | undefined => {
  const error: unknown = get(errors, path)
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : ''
  return isHidden(touchedFields, path, type) ? undefined : messageOf(error)
}

/** Returns whether an error is of a row that the user has not filled in yet. */
export const isHidden = (
  touched: FormState<SiteText>['touchedFields'],
  path: string,
  type: unknown,
): boolean =>
  type !== 'server' && /^connectors\.\d+\.\w+$/.test(path) && get(touched, path) !== true

/** Marks a row as touched, which makes its errors visible. */
export const touchRow = (
  { getValues, setValue }: Pick<UseFormReturn<SiteText>, 'getValues' | 'setValue'>,
  index: number,
): void => {
  for (const name of CONNECTOR_TRAITS) {
    const path = `connectors.${index}.${name}` as const
    setValue(path, getValues(path), { shouldTouch: true })
  }
}

type Listener = (event: { readonly target: { readonly value: string } }) => void

interface DecimalOptions {
  readonly read?: (text: string) => number | undefined
  readonly onChange?: Listener
  readonly onBlur?: Listener
}

/**
 * Connects a control to a decimal field. Accepts comma and dot, and formats the parsed number on blur, so that 7.4 and
 * 7,4 become the same.
 */
export const useDecimalField = () => {
  const { locale } = useLanguage()
  const { setValue } = useFormContext<SiteText>()
  const field = useSiteField()
  return (
    path: FieldPath<SiteText>,
    { read = parseDecimal, onChange, onBlur }: DecimalOptions = {},
  ) =>
    field(path, {
      ...(onChange === undefined ? {} : { onChange }),
      onBlur: (event: Parameters<Listener>[0]) => {
        onBlur?.(event)
        const value = read(event.target.value)
        if (value !== undefined) setValue(path, formatDecimal(value, locale))
      },
    })
}

const messageOf = (error: unknown): string | undefined =>
  typeof error === 'object' &&
  error !== null &&
  'message' in error &&
  typeof error.message === 'string'
    ? error.message
    : undefined
