/** An item that is to stay where it is, and its control that has the focus or an open menu. */
interface Place {
  readonly index: number
  /** Its distance from the upper edge of the window, in pixels. */
  readonly top: number
  readonly control: number
}

const CONTROLS = 'a, button, input'
/** For a list that renders the item only after it has scrolled. */
const FRAMES_TO_WAIT = 60

/** The item with the focus, or else the first one that is visible. */
export const findPlace = (list: HTMLElement): Place | undefined => {
  const items = [...list.querySelectorAll<HTMLElement>('[aria-posinset]')]
  const control = list.querySelector(':focus, [aria-haspopup][aria-expanded=true]')
  const topOf = (item: HTMLElement): number => item.getBoundingClientRect().top
  const item =
    items.find((each) => each.contains(control)) ?? items.find((each) => topOf(each) >= 0)
  // At the top of the page, the first items stay in place by themselves.
  if (item === undefined || (control === null && topOf(list) >= 0)) return undefined
  const top = topOf(item)
  return {
    index: Number(item.ariaPosInSet) - 1,
    // What is above the list, or the items themselves, may have pushed the item out of the window.
    top: top >= 0 && top < innerHeight / 2 ? top : innerHeight / 3,
    control: [...item.querySelectorAll(CONTROLS)].findIndex((each) => each === control),
  }
}

/** Gives the focus back to the control, which has been rendered anew. */
export const focusPlace = (
  list: HTMLElement | null,
  place: Place,
  frames = FRAMES_TO_WAIT,
): void => {
  if (place.control < 0 || frames === 0) return
  const item = list?.querySelector(`[aria-posinset="${place.index + 1}"]`)
  const control = item?.querySelectorAll<HTMLElement>(CONTROLS)[place.control]
  control?.focus({ preventScroll: true })
  // The virtualizer hides an item that it has not measured.
  if (control === undefined || document.activeElement !== control)
    requestAnimationFrame(() => focusPlace(list, place, frames - 1))
}
