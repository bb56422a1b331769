import { get, useFormContext, type FieldPath } from 'react-hook-form'

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

const messageOf = (error: unknown): string | undefined =>
  typeof error === 'object' &&
  error !== null &&
  'message' in error &&
  typeof error.message === 'string'
    ? error.message
    : undefined
