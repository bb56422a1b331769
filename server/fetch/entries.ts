import { createHash } from 'node:crypto'

import type { Bytes } from '../formats/source.ts'

/** The entries of one page. */
export interface Entries {
  readonly count: number
  /** Identifies the first entry; empty if there is none. */
  readonly first: string
}

const [QUOTE, BACKSLASH, BRACE, END_BRACE, BRACKET, END_BRACKET] = Array.from('"\\{}[]', (sign) =>
  sign.charCodeAt(0),
)

/**
 * Counts the objects of the list that a JSON page consists of, or has as its `data`, while the page is streamed. It
 * ignores their content: the page is parsed as a source later.
 */
export const countEntries = (
  bytes: Bytes,
): { readonly bytes: Bytes; readonly read: () => Entries } => {
  const hash = createHash('sha256')
  const list = createListReader()
  const passing = async function* (): Bytes {
    for await (const chunk of bytes) {
      let start = list.isInFirst() ? 0 : -1
      for (let index = 0; index < chunk.length; index++) {
        list.see(chunk[index] ?? 0)
        if (start < 0 && list.isInFirst()) start = index
        else if (start >= 0 && !list.isInFirst()) {
          hash.update(chunk.subarray(start, index))
          start = -1
        }
      }
      if (start >= 0) hash.update(chunk.subarray(start))
      yield chunk
    }
  }
  return {
    bytes: passing(),
    read: () => ({ count: list.count(), first: list.count() === 0 ? '' : hash.digest('hex') }),
  }
}

/** Tracks the brackets of a document, byte by byte. */
const createListReader = () => {
  let [depth, listDepth, count] = [0, 0, 0]
  let [isInText, isEscaped, isFirstOver] = [false, false, false]
  /** The last string, as far as it can be the name of the list. */
  let text = ''
  const seeText = (sign: number): void => {
    if (isEscaped) isEscaped = false
    else if (sign === BACKSLASH) isEscaped = true
    else if (sign === QUOTE) isInText = false
    if (isInText && text.length <= LIST.length) text += String.fromCharCode(sign)
  }
  const open = (sign: number): void => {
    if (sign === BRACE && listDepth > 0 && depth === listDepth) count += 1
    depth += 1
    const isList = depth === 1 || (depth === 2 && text === LIST)
    if (sign === BRACKET && listDepth === 0 && isList) listDepth = depth
  }
  const close = (): void => {
    depth -= 1
    if (count > 0 && depth === listDepth) isFirstOver = true
    // A page has only one list.
    if (depth < listDepth) listDepth = Number.POSITIVE_INFINITY
  }
  return {
    count: () => count,
    isInFirst: () => count === 1 && !isFirstOver,
    see: (sign: number): void => {
      if (isInText) seeText(sign)
      else if (sign === QUOTE) [isInText, text] = [true, '']
      else if (sign === BRACE || sign === BRACKET) open(sign)
      else if (sign === END_BRACE || sign === END_BRACKET) close()
    },
  }
}

const LIST = 'data'
