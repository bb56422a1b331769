/** What somebody may have touched before the app came. */
const CONTROLS = 'a, button, summary'

const keyOf = (control: Element): string =>
  [control.getAttribute('href'), control.getAttribute('aria-label'), control.textContent].join()

/**
 * Looks after what the server has drawn in `root` until the app is there.
 * @returns what the app calls when it stands in its place: what was opened is opened again, what had the
 *   focus has it, and a button that was pressed is pressed.
 */
export const keepFrame = (root: Element): (() => void) => {
  const frame = root.querySelector('[data-frame]')
  let focused = document.activeElement
  frame?.addEventListener('focusin', ({ target }) => (focused = target as Element))
  return () => {
    const controls = [...root.querySelectorAll<HTMLElement>(CONTROLS)]
    const find = (old: Element | null | undefined): HTMLElement | undefined =>
      old ? controls.find((control) => keyOf(control) === keyOf(old)) : undefined
    for (const summary of frame?.querySelectorAll('[open] > summary') ?? [])
      find(summary)?.parentElement?.setAttribute('open', '')
    find(focused)?.focus({ preventScroll: true })
    const pressed = find(frame?.querySelector('[data-pressed]'))
    // React hears of it when what it has put there is in use.
    if (pressed !== undefined) queueMicrotask(() => pressed.click())
  }
}
