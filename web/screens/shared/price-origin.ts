/** The site form from which a new price is added, as the state of the navigation. */
export interface PriceOrigin {
  readonly path: string
  /** The state of its own navigation. */
  readonly state: unknown
  /** The connectors that get the price; empty for the site. */
  readonly connectors: readonly string[]
}

/** The new price to choose in a form. */
interface NewPrice extends Pick<PriceOrigin, 'connectors'> {
  readonly id: string
}

/** The state of a navigation that adds a price for a form. */
export const originState = (origin: PriceOrigin) => ({ priceOrigin: origin })

/** Reads the form that requested a new price; undefined if none did. */
export const readOrigin = (state: unknown): PriceOrigin | undefined =>
  (state as { readonly priceOrigin?: PriceOrigin } | null)?.priceOrigin

/** The navigation back to the form with its new price. It replaces the form of the price in the history. */
export const returnWith = ({ path, state, connectors }: PriceOrigin, id: string) => {
  const newPrice: NewPrice = { connectors, id }
  return { path, options: { replace: true, state: { ...(state as object | null), newPrice } } }
}

/** Reads the new price to choose, and the state without it. */
export const readNewPrice = (state: unknown) => {
  const { newPrice, ...rest } = (state ?? {}) as { readonly newPrice?: NewPrice }
  return { newPrice, rest }
}
