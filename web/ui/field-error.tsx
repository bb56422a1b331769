import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** The error of a field: an icon and a sentence, not colour alone. */
export const FieldErrorText = ({
  id,
  children,
}: {
  readonly id?: string
  readonly children: ReactNode
}) => (
  <span className="field-error" id={id}>
    <CircleAlert className="icon" />
    <span>{children}</span>
  </span>
)
