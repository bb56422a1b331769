/** The values of a format beside ours; a value that the other side lacks has no row. */
export interface ValueTable<Ours, Theirs> {
  /** Undefined if the format has no such value. */
  readonly toTheirs: (ours: string) => Theirs | undefined
  /** Undefined if we have no such value. */
  readonly toOurs: (theirs: unknown) => Ours | undefined
  /** Whether a value comes back as it was. */
  readonly keeps: (ours: string) => boolean
  readonly rows: readonly (readonly [Ours, Theirs])[]
}

/** Both directions of one table. If several rows have a value, the first one says what it becomes. */
export const valueTable = <Ours extends string, Theirs extends string | number>(
  rows: readonly (readonly [Ours, Theirs])[],
): ValueTable<Ours, Theirs> => {
  const ordered = rows.toReversed()
  const theirs = new Map<string, Theirs>(ordered)
  const ours = new Map<unknown, Ours>(ordered.map(([one, other]) => [other, one]))
  return {
    toTheirs: (value) => theirs.get(value),
    toOurs: (value) => ours.get(value),
    keeps: (value) => ours.get(theirs.get(value)) === value,
    rows,
  }
}
