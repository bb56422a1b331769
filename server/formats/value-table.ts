/** Maps Voltleaf's values to those of a format and back. A value without an equivalent has no row. */
export interface ValueTable<Ours, Theirs> {
  /** Undefined if the format has no such value. */
  readonly toFormat: (ours: string) => Theirs | undefined
  /** Undefined if Voltleaf has no such value. */
  readonly fromFormat: (theirs: unknown) => Ours | undefined
  /** Whether a value survives a round trip. */
  readonly roundTrips: (ours: string) => boolean
  readonly rows: readonly (readonly [Ours, Theirs])[]
}

/** Creates a mapping in both directions from one table. If several rows contain a value, the first one applies. */
export const valueTable = <Ours extends string, Theirs extends string | number>(
  rows: readonly (readonly [Ours, Theirs])[],
): ValueTable<Ours, Theirs> => {
  const ordered = rows.toReversed()
  const theirs = new Map<string, Theirs>(ordered)
  const ours = new Map<unknown, Ours>(ordered.map(([one, other]) => [other, one]))
  return {
    toFormat: (value) => theirs.get(value),
    fromFormat: (value) => ours.get(value),
    roundTrips: (value) => ours.get(theirs.get(value)) === value,
    rows,
  }
}
