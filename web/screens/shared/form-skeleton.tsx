import type { ReactNode } from 'react'

import { Placeholder } from '../../ui/placeholder.tsx'

/** A form while its values load: labels without controls. The children are its sections. */
export const FormSkeleton = ({ children }: { readonly children: ReactNode }) => (
  <Placeholder className="form">{children}</Placeholder>
)

interface FieldProps {
  readonly label: string
  readonly hint?: string
  /**
   * A multi-line field, which the prerendered page can fill with the preloaded description of the business.
   */
  readonly business?: 'description'
}

/** The skeleton of a field. */
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
