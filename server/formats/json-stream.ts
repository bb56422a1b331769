import { TokenParser, Tokenizer, TokenType, type ParsedTokenInfo } from '@streamparser/json'

import { storable } from './read-values.ts'
import {
  SOURCE_LIMITS,
  SourceError,
  decode,
  foundBy,
  inPieces,
  linesOf,
  type Bytes,
  type Encoding,
} from './source.ts'

/** A value inside a JSON document. */
export interface JsonRecord {
  readonly value: unknown
  /** Such as `data[3]`. */
  readonly position: string
  /** The name of the list that holds it; empty for the document itself. */
  readonly list: string
}

/**
 * Reads the records of a JSON document while it arrives: the elements of the document if it is a list, else of each
 * list in it whose name is among `lists`, at most three levels down. One record is in memory at a time.
 * @throws {SourceError} if it is no JSON, or a record is too large or too deep
 */
export const readJson = async function* (
  bytes: Bytes,
  encoding: Encoding,
  lists: readonly string[],
): AsyncGenerator<JsonRecord> {
  const { write, take, end } = createParser(lists)
  for await (const piece of encoding === 'utf-8' ? inPieces(bytes) : decode(bytes, encoding)) {
    yield* foundBy(() => write(piece), take)
  }
  yield* foundBy(end, take)
}

/** The levels of a document above its records: `{ data: { locations: [ … ] } }`. */
const MAX_LIST_DEPTH = 3

/** A bracket that is open. */
interface Level {
  readonly isList: boolean
  /** The names that lead to it, such as `data.locations`. */
  readonly path: string
  /** Of a list whose elements are records, how many there were. */
  count: number
  readonly holdsRecords: boolean
  /** The name in front of the next value of an object. */
  key: string
}

const createParser = (lists: readonly string[]) => {
  const tokenizer = new Tokenizer({ stringBufferSize: 64 * 1024 })
  const levels: Level[] = []
  let [bytes, bytesAtRecord, depth, lastText] = [0, 0, 0, '']
  let records: JsonRecord[] = []
  let record: TokenParser | undefined

  const open = (isList: boolean): void => {
    const parent = levels.at(-1)
    const name = parent?.isList === false ? parent.key : ''
    const path = [parent?.path ?? '', name].filter((part) => part !== '').join('.')
    const isAmong = levels.length === 0 || (parent?.isList === false && lists.includes(name))
    const holdsRecords = isList && levels.length < MAX_LIST_DEPTH && isAmong
    levels.push({ isList, path, count: 0, holdsRecords, key: '' })
  }
  const begin = (list: Level): TokenParser => {
    const parser = new TokenParser({ paths: ['$'], keepStack: false })
    parser.onValue = ({ value }) => {
      records.push({ value, position: `${list.path}[${list.count++}]`, list: list.path })
      bytesAtRecord = bytes
      record = undefined
    }
    return parser
  }
  /** Follows what stands around the records. */
  const around = (token: ParsedTokenInfo): void => {
    switch (token.token) {
      case TokenType.LEFT_BRACE:
      case TokenType.LEFT_BRACKET:
        return open(token.token === TokenType.LEFT_BRACKET)
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        levels.pop()
        return
      case TokenType.STRING:
        lastText = String(token.value)
        return
      case TokenType.COLON: {
        const level = levels.at(-1)
        if (level) level.key = lastText
      }
    }
  }
  tokenizer.onToken = (token) => {
    const { token: type } = token
    if (type === TokenType.LEFT_BRACE || type === TokenType.LEFT_BRACKET) {
      if (++depth > SOURCE_LIMITS.depth)
        throw new SourceError({ code: 'json_too_deep', params: { max: SOURCE_LIMITS.depth } })
    } else if (type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET) depth--
    const level = levels.at(-1)
    const isBetween = type === TokenType.COMMA || type === TokenType.RIGHT_BRACKET
    if (record === undefined && level?.holdsRecords === true && !isBetween) record = begin(level)
    const safe =
      type === TokenType.STRING ? { ...token, value: storable(String(token.value)) } : token
    if (record === undefined) around(safe)
    else record.write(safe)
  }
  const guarded = (run: () => void): void => {
    try {
      run()
    } catch (error) {
      throw error instanceof SourceError ? error : invalid(error, bytes)
    }
  }
  return {
    write: (piece: Uint8Array | string): void => {
      guarded(() => tokenizer.write(piece))
      bytes += piece.length
      if (bytes - bytesAtRecord > SOURCE_LIMITS.record)
        throw new SourceError({ code: 'record_too_large', params: { max: SOURCE_LIMITS.record } })
    },
    end: (): void => {
      guarded(() => {
        if (!tokenizer.isEnded) tokenizer.end()
      })
      if (depth !== 0) throw invalid(undefined, bytes)
    },
    take: (): readonly JsonRecord[] => {
      const taken = records
      records = []
      return taken
    },
  }
}

const invalid = (error: unknown, bytes: number): SourceError => {
  const message = error instanceof Error ? error.message : ''
  const position = Number(/absolute position "(\d+)"/.exec(message)?.[1] ?? bytes) + 1
  const found = /^Unexpected "(.)"/su.exec(message)?.[1]
  return new SourceError(
    found === undefined
      ? { code: 'json_cut_off', params: { position: position - 1 } }
      : { code: 'json_unexpected', params: { position, found } },
  )
}

/** Reads one JSON value a line; a line that is none is its own problem. */
export const readJsonLines = async function* (
  bytes: Bytes,
  encoding: Encoding,
): AsyncGenerator<JsonRecord | SourceError> {
  for await (const { line, number } of linesOf(decode(bytes, encoding))) {
    const text = line.trim().replace(/,$/, '')
    if (text !== '') yield parseLine(text, `line ${number}`)
  }
}

const inStorable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? storable(value) : value

const parseLine = (text: string, position: string): JsonRecord | SourceError => {
  try {
    return { value: JSON.parse(text, inStorable), position, list: '' }
  } catch {
    return new SourceError({ code: 'json_invalid', params: { position: 1 } }, position)
  }
}
