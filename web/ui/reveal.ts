import { controlId } from './form.ts'

/** How long the controls of a section may take to appear. */
const TIMEOUT_MS = 5000

/** Puts the focus on the control of a field, and opens the section of the form that holds it. */
export const revealField = async (path: string): Promise<void> => {
  const name = path.slice(path.lastIndexOf('.') + 1)
  document
    .querySelector<HTMLElement>(`[data-holds~="${name}"] .fold-summary[aria-expanded="false"]`)
    ?.click()
  const until = performance.now() + TIMEOUT_MS
  while (performance.now() < until) {
    const control = document.getElementById(controlId(path))
    if (control !== null) {
      control.scrollIntoView({ block: 'center' })
      control.focus({ preventScroll: true })
      return
    }
    // oxlint-disable-next-line no-await-in-loop -- once for each frame
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
