/** The controls that can be used before the app has started. */
const CONTROLS = 'a, button, summary, input'

/** Controls that accept text. */
const TEXT_FIELDS = 'input:not([type=checkbox], [type=radio])'

const keyOf = (control: Element): string =>
  [control.getAttribute('href'), control.getAttribute('aria-label'), control.textContent].join()

/**
 * Tracks the state of the prerendered page in `root` until the app has started.
 * @returns the function that the app calls after it has rendered: it restores opened details, typed text and the focus,
 * and repeats a press, or a click whose mouse button is still down
 */
export const trackFrame = (root: Element): (() => void) => {
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
    for (const field of frame?.querySelectorAll<HTMLInputElement>(TEXT_FIELDS) ?? []) {
      const now = find(field)
      if (field.value !== '' && now !== undefined) queueMicrotask(() => type(now, field.value))
    }
    const pressed = find(frame?.querySelector('[data-pressed]'))
    // After React has committed, so that its listeners receive the click.
    if (pressed !== undefined) queueMicrotask(() => pressed.click())
    const held = find(frame?.querySelector('[data-held]'))
    if (held === undefined) return
    const release = (event: MouseEvent): void => {
      if (held.contains(event.target as Node)) held.dispatchEvent(new MouseEvent('click', event))
    }
    addEventListener('mouseup', release, { once: true })
  }
}

/** Sets the value of a field as if it were typed, because React ignores an assignment through its own setter. */
const type = (field: HTMLElement, value: string): void => {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
