import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

interface Props extends ComponentProps<'button'> {
  /** Further classes: `primary`, `link`, `quiet`, `large`. */
  readonly look?: string
}

/** A button. It submits no form, unless its type is `submit`. */
export const Button = ({ look = '', ...props }: Props) => (
  <button type="button" className={`button ${look}`.trim()} {...props} />
)

interface IconButtonProps extends Props {
  readonly icon: LucideIcon
  /** The name of the button for screen readers. */
  readonly label: string
}

/** A button that shows an icon alone. */
export const IconButton = ({ icon: Icon, label, look = '', ...props }: IconButtonProps) => (
  <Button look={`${look} icon-only`.trim()} aria-label={label} {...props}>
    <Icon className="icon" />
  </Button>
)
