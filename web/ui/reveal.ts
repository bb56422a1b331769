import { controlId } from './form.ts'

/** Maximum time for the controls of a section to appear. */
const TIMEOUT_MS = 5000

/** Focuses the control of a field, and opens the section of the form that contains it. */
export const revealField = async (path: string): Promise<void> => {
  const name = path.slice(path.lastIndexOf('.') + 1)
  document
    .querySelector<HTMLElement>(
      `[data-fields~="${name}"] .disclosure-button[aria-expanded="false"]`,
    )
    ?.click()
  const until = performance.now() + TIMEOUT_MS
  while (performance.now() < until) {
    const control = document.getElementById(controlId(path))
    if (control !== null) {
      control.scrollIntoView({ block: 'center' })
      control.focus({ preventScroll: true })
      return
    }
    // oxlint-disable-next-line no-await-in-loop -- one iteration per frame
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
