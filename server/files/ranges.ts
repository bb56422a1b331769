/** The bytes from `start` to `end`, both inclusive. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** More parts than any player requests; a request with more gets the whole file. */
const MAX_PARTS = 10

/**
 * Parses a `Range` header (RFC 9110, 14.2) for a file of `size` bytes. Undefined if the whole file is to be sent:
 * there is no range, it is malformed, or its parts together are at least as long as the file. An empty list if no
 * part is satisfiable.
 */
export const readRanges = (
  header: string | undefined,
  size: number,
): readonly Range[] | undefined => {
  const [, list] = /^bytes=(.+)$/i.exec(header ?? '') ?? []
  const parts = list?.split(',').map((part) => /^\s*(\d*)\s*-\s*(\d*)\s*$/.exec(part))
  if (parts === undefined || parts.length > MAX_PARTS) return undefined
  const ranges: Range[] = []
  for (const part of parts) {
    const [, first = '', last = ''] = part ?? []
    if (first === '' && last === '') return undefined
    if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
    // Without a first byte, the last one is the length of a suffix.
    const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
    const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
    if (start <= end) ranges.push({ start, end })
  }
  const total = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0)
  return ranges.length > 1 && total >= size ? undefined : ranges
}

/** The value of `Content-Range` for a part. */
export const contentRange = ({ start, end }: Range, size: number): string =>
  `bytes ${start}-${end}/${size}`
