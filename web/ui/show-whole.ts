import type { FocusEvent } from 'react'

/**
 * Scrolls a button that the keyboard has focused in a row that scrolls sideways: browsers leave it where it is once a
 * part of it can be seen. Not for a pointer, whose press would miss it.
 */
export const showWhole = ({ target, currentTarget }: FocusEvent): void => {
  if (target.parentElement === currentTarget && target.matches(':focus-visible'))
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
