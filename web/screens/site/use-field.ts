import { get, useFormContext, type FieldPath } from 'react-hook-form'

import { useLanguage } from '../../messages/messages.ts'
import { formatDecimal, parseDecimal } from '../../ui/decimal.ts'
import { controlId } from '../../ui/form.ts'
import type { SiteText } from './site-values.ts'

/** Ties a control to a field of the site form: its value, its id and what is wrong with it. */
export const useSiteField = () => {
  const { register, formState } = useFormContext<SiteText>()
  return (path: FieldPath<SiteText>, options: Parameters<typeof register>[1] = {}) => {
    const error: unknown = get(formState.errors, path)
    return {
      ...register(path, options),
      id: controlId(path),
      error: messageOf(error),
    }
  }
}

type Listener = (event: { readonly target: { readonly value: string } }) => void

interface DecimalOptions {
  readonly read?: (text: string) => number | undefined
  readonly onChange?: Listener
  readonly onBlur?: Listener
}

/**
 * Ties a control to a field for a decimal number. It takes a comma and a dot alike, and shows how
 * it was understood once it is left: 7.4 and 7,4 become the same.
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
