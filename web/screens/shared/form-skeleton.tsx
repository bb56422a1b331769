import type { ReactNode } from 'react'

import { useMessages } from '../../messages/messages.ts'

/**
 * The shape of a form whose content is on the way: what is known of it are its words. Its sections are
 * the children.
 */
export const FormSkeleton = ({ children }: { readonly children: ReactNode }) => {
  const { shell } = useMessages()
  return (
    <div className="form late" aria-busy="true">
      <output className="visually-hidden">{shell.loading}</output>
      {children}
    </div>
  )
}

interface FieldProps {
  readonly label: string
  readonly hint?: string
  /** It has several lines, in which what is known of the business may stand before the app has come. */
  readonly business?: 'description'
}

/** A field of it. */
export const FieldSkeleton = ({ label, hint, business }: FieldProps) => (
  <div className="field">
    <span className="label">{label}</span>
    {hint !== undefined && <p className="hint">{hint}</p>}
    {business === undefined ? (
      <span className="skeleton skeleton-field" />
    ) : (
      <p className="skeleton input skeleton-area" data-business={business} />
    )}
  </div>
)
