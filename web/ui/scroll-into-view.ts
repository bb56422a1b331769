import type { FocusEvent } from 'react'

/**
 * Scrolls a button that the keyboard has focused into view in a row that scrolls horizontally, because browsers do not
 * scroll if a part of it is visible. Does nothing for a pointer, whose press would miss the button.
 */
export const scrollFocusedIntoView = ({ target, currentTarget }: FocusEvent): void => {
  if (target.parentElement === currentTarget && target.matches(':focus-visible'))
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Scrolls such a row so that its pressed button is in the middle; for a row that appears with one. */
export const scrollPressedIntoView = (row: HTMLElement | null): void => {
  const pressed = row?.querySelector('[aria-pressed=true]')
  if (!row || !pressed) return
  const part = pressed.getBoundingClientRect()
  const whole = row.getBoundingClientRect()
  row.scrollLeft += part.left - whole.left - (whole.width - part.width) / 2
}
