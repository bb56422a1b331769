/** A response to be compared. */
export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: unknown
}

/** Differences that are allowed between the responses of the two sides. */
export interface Allowed {
  /** Keys with random values or times. */
  readonly keys?: readonly string[]
  /** Keys of lists of which only the length is compared, such as random file names. */
  readonly counted?: readonly string[]
  /** Keys of lists whose records have no defined order. */
  readonly unordered?: readonly string[]
  /** Whether to compare only the type, for a body that is not JSON. */
  readonly typeOnly?: boolean
  /** The status of the peer if it lacks the feature; its body is ignored. */
  readonly peerStatus?: number
}

/** Servers number their collections differently. */
const ALWAYS = ['collectionId']

/** The differences that are not allowed, one line each, with the path and both values. Empty if there are none. */
export const differences = (ours: Answer, theirs: Answer, allowed: Allowed = {}): string[] => {
  const wanted = allowed.peerStatus ?? ours.status
  if (theirs.status !== wanted)
    return [`status: ${ours.status} here, ${theirs.status} there instead of ${wanted}`]
  if (allowed.peerStatus !== undefined) return []
  if (ours.type !== theirs.type) return [`content-type: ${ours.type} here, ${theirs.type} there`]
  if (allowed.typeOnly) return []
  return compareValues(reduce(ours.body, allowed), reduce(theirs.body, allowed), 'body')
}

const reduce = (value: unknown, allowed: Allowed): unknown => {
  if (Array.isArray(value)) return value.map((item) => reduce(item, allowed))
  if (typeof value !== 'object' || value === null) return value
  const ignored = new Set([...ALWAYS, ...(allowed.keys ?? [])])
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !ignored.has(key))
      .map(([key, item]: [string, unknown]) => {
        if (!Array.isArray(item)) return [key, reduce(item, allowed)]
        if (allowed.counted?.includes(key)) return [key, item.length]
        const list = item.map((each) => reduce(each, allowed))
        return [key, allowed.unordered?.includes(key) ? sortById(list) : list]
      }),
  )
}

const sortById = (list: readonly unknown[]): readonly unknown[] =>
  list.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))

const idOf = (value: unknown): string => (isBranch(value) ? String(value['id']) : String(value))

const compareValues = (ours: unknown, theirs: unknown, path: string): string[] => {
  if (isBranch(ours) && isBranch(theirs) && Array.isArray(ours) === Array.isArray(theirs)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)])
    return [...keys]
      .toSorted()
      .flatMap((key) => compareValues(ours[key], theirs[key], `${path}.${key}`))
  }
  return Object.is(ours, theirs)
    ? []
    : [`${path}: ${JSON.stringify(ours)} here, ${JSON.stringify(theirs)} there`]
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
