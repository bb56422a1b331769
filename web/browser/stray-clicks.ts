/** Bounds of a double tap. */
const MAX_PAUSE_MS = 350
const MAX_DISTANCE_PX = 12

/** The control that a click acts on; a label acts on its field. */
const controlOf = ({ target }: Event): Element | null =>
  target instanceof Element
    ? (target.closest('label')?.control ??
      target.closest('a, button, input, select, textarea, summary'))
    : null

/**
 * Ignores the second press of a double click or a double tap if the first one has moved another control under the
 * pointer: the next row of a list, or what a dialog covered. Nobody has aimed at that control.
 */
export const ignoreStrayClicks = (): void => {
  let first: { readonly event: MouseEvent; readonly control: Element | null } | undefined
  const isSecond = (event: MouseEvent): boolean => {
    if (event.detail > 1) return true
    if (!(event instanceof PointerEvent) || event.pointerType !== 'touch' || first === undefined)
      return false
    const { timeStamp, clientX, clientY } = first.event
    const distance = Math.hypot(event.clientX - clientX, event.clientY - clientY)
    return event.timeStamp - timeStamp < MAX_PAUSE_MS && distance < MAX_DISTANCE_PX
  }
  addEventListener(
    'click',
    (event) => {
      const control = controlOf(event)
      if (first !== undefined && control !== null && control !== first.control && isSecond(event)) {
        event.preventDefault()
        event.stopImmediatePropagation()
      } else first = { event, control }
    },
    { capture: true },
  )
}
