import type { Page } from './chromium.ts'

/** The measurements of a page for the bench; see `keepNotes`. */
interface Notes {
  /** When the first real card was painted, in ms since navigation start. */
  cardAt: number | undefined
  /** Tasks of more than 50 ms, in ms. */
  longTasks: number[]
  /** Durations from an input to the next paint, in ms, if longer than a frame. */
  interactions: number[]
  /** Files that were appended to a form. */
  sent: Blob[]
}

declare global {
  interface Window {
    notes: Notes
  }
}

/** Makes every page that is opened in this tab record what the bench needs. */
export const keepNotes = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const notes: Notes = { cardAt: undefined, longTasks: [], interactions: [], sent: [] }
    window.notes = notes
    new PerformanceObserver((list) => {
      notes.longTasks.push(...list.getEntries().map(({ duration }) => duration))
    }).observe({ type: 'longtask' })
    new PerformanceObserver((list) => {
      notes.interactions.push(...list.getEntries().map(({ duration }) => duration))
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
    const look = new MutationObserver(() => {
      if (document.querySelector('[data-site]') === null) return
      look.disconnect()
      // The frame after the one in which it was added.
      requestAnimationFrame(() => setTimeout(() => (notes.cardAt = performance.now())))
    })
    look.observe(document, { childList: true, subtree: true })
    const append: (...args: never[]) => void = Reflect.get(FormData.prototype, 'append')
    FormData.prototype.append = function (this: FormData, ...args: [string, string | Blob]) {
      if (args[1] instanceof Blob) notes.sent.push(args[1])
      Reflect.apply(append, this, args)
    }
  })
}

/** The longest frame during an action, in ms. */
export const longestFrame = async (page: Page, act: () => Promise<unknown>): Promise<number> => {
  await page.evaluate(() => {
    const state = { longest: 0, last: performance.now(), on: true }
    const step = (): void => {
      const now = performance.now()
      state.longest = Math.max(state.longest, now - state.last)
      state.last = now
      if (state.on) requestAnimationFrame(step)
    }
    requestAnimationFrame(() => {
      state.last = performance.now()
      requestAnimationFrame(step)
    })
    Object.assign(window, { frames: state })
  })
  await act()
  return page.evaluate(() => {
    const { frames } = window as unknown as { frames: { longest: number; on: boolean } }
    frames.on = false
    return frames.longest
  })
}

/** The timeout after which something counts as broken, not slow. */
export const TIMEOUT_MS = 60_000

/** At 60 frames a second a frame takes 17 ms; the target allows two. */
const MAX_FRAME_MS = 32

/** The reason why times on this computer are meaningless: even an empty page drops frames. */
export const findDoubt = async (page: Page): Promise<string | undefined> => {
  await page.goto('about:blank')
  const longest = await longestFrame(page, () => page.waitForTimeout(1000))
  return longest > MAX_FRAME_MS
    ? `the computer is busy: a frame of an empty page took ${Math.round(longest)} ms`
    : undefined
}
