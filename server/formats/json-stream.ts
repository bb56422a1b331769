import { TokenParser, Tokenizer, TokenType, type ParsedTokenInfo } from '@streamparser/json'

import { isRaw, storable, type Raw } from './read-values.ts'
import {
  SOURCE_LIMITS,
  SourceError,
  decode,
  drainAfter,
  inPieces,
  linesOf,
  tooManyValues,
  type Bytes,
  type Encoding,
} from './source.ts'
import type { Part, Station, Unreadable } from './station.ts'

/** A value inside a JSON document. */
export interface JsonRecord {
  readonly value: unknown
  /** For example `data[3]`. */
  readonly position: string
  /** The name of the list that contains the record; empty for the document itself. */
  readonly list: string
  /** The name of the record in an object that replaces a list; empty in a list. */
  readonly name: string
}

/** Decides whether an object is a record, by one of its names and the type of its value. */
export type IsRecordBy = (name: string, value: 'object' | 'list') => boolean

/**
 * Reads the records of a JSON document while it arrives: its elements if it is a list, otherwise the elements of each
 * list in it whose name is in `lists`, at most five levels deep. An object in place of a list may be a record itself or
 * contain records, as decided by `isRecordBy`. Only one record at a time is in memory.
 * @throws {SourceError} if it is not JSON, or a record is too large or too deep
 */
export const readJson = async function* (
  bytes: Bytes,
  encoding: Encoding,
  lists: readonly string[],
  isRecordBy?: IsRecordBy,
): AsyncGenerator<JsonRecord> {
  const { write, take, end } = createParser(lists, isRecordBy)
  for await (const piece of encoding === 'utf-8' ? inPieces(bytes) : decode(bytes, encoding)) {
    yield* drainAfter(() => write(piece), take)
  }
  yield* drainAfter(end, take)
}

/** The levels of a document above its records: `{ data: { operators: [ { locations: [ … ] } ] } }`. */
const MAX_LIST_DEPTH = 5

/** The maximum number of tokens in an object before the name that identifies it as a record. */
const MAX_TOKENS_BEFORE = 10_000

/** An open bracket. */
interface Level {
  readonly isList: boolean
  /** The path of names to it, such as `data.locations`. */
  readonly path: string
  /** The number of elements so far, if they are records. */
  count: number
  readonly holdsRecords: boolean
  /** The name of the next value of an object. */
  key: string
  /** All tokens so far of an object that may still be a record. */
  tokens: ParsedTokenInfo[] | undefined
}

/** The start of a record: its place, and the tokens already read. */
interface Beginning {
  readonly place: Omit<JsonRecord, 'value'>
  readonly tokens: readonly ParsedTokenInfo[]
}

const isOpening = ({ token }: ParsedTokenInfo): boolean =>
  token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET
const isClosing = ({ token }: ParsedTokenInfo): boolean =>
  token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET

/** Tracks the structure around the records, and detects where they begin. */
const createSurroundings = (lists: readonly string[], isRecordBy?: IsRecordBy) => {
  const levels: Level[] = []
  let lastText = ''
  const open = (isList: boolean): void => {
    const parent = levels.at(-1)
    const name = parent?.isList === false ? parent.key : ''
    const path = [parent?.path ?? '', name].filter((part) => part !== '').join('.')
    const isAmong = levels.length === 0 || (parent?.isList === false && lists.includes(name))
    const isNear = levels.length < MAX_LIST_DEPTH
    const holdsRecords = isList && isNear && isAmong
    if (holdsRecords) forgetTokens()
    const mayBeRecord = isRecordBy !== undefined && isNear && !isList && !levels.some(isListLevel)
    levels.push({
      isList,
      path,
      count: 0,
      holdsRecords,
      key: '',
      tokens: mayBeRecord ? [] : undefined,
    })
  }
  const isListLevel = ({ isList }: Level): boolean => isList
  /** An object that contains records is not a record itself. */
  const forgetTokens = (): void => {
    for (const level of levels) level.tokens = undefined
  }
  return {
    follow: (token: ParsedTokenInfo): void => {
      const level = levels.at(-1)
      if (isOpening(token)) open(token.token === TokenType.LEFT_BRACKET)
      else if (isClosing(token)) levels.pop()
      else if (token.token === TokenType.STRING) lastText = String(token.value)
      else if (token.token === TokenType.COLON && level) level.key = lastText
      for (const each of levels)
        if (each.tokens !== undefined && each.tokens.push(token) > MAX_TOKENS_BEFORE)
          each.tokens = undefined
    },
    beginning: (token: ParsedTokenInfo): Beginning | undefined => {
      const level = levels.at(-1)
      if (level?.holdsRecords === true) {
        if (token.token === TokenType.COMMA || token.token === TokenType.RIGHT_BRACKET) return
        const position = `${level.path}[${level.count++}]`
        return { place: { position, list: level.path, name: '' }, tokens: [] }
      }
      if (level?.tokens === undefined || !isOpening(token)) return
      const kind = token.token === TokenType.LEFT_BRACE ? 'object' : 'list'
      if (isRecordBy?.(level.key, kind) !== true) return
      // The record parser, not this one, sees the closing brace.
      levels.pop()
      forgetTokens()
      const { path = '', key = '' } = levels.at(-1) ?? {}
      const name = lists.includes(key) ? '' : key
      return { place: { position: level.path, list: path, name }, tokens: level.tokens }
    },
  }
}

const createParser = (lists: readonly string[], isRecordBy?: IsRecordBy) => {
  const tokenizer = new Tokenizer({ stringBufferSize: 64 * 1024 })
  const { follow, beginning } = createSurroundings(lists, isRecordBy)
  let [bytes, bytesAtRecord, depth, values] = [0, 0, 0, 0]
  let records: JsonRecord[] = []
  let record: TokenParser | undefined
  let position = ''

  const begin = ({ place, tokens }: Beginning): void => {
    position = place.position
    const parser = new TokenParser({ paths: ['$'], keepStack: false })
    parser.onValue = ({ value }) => {
      records.push({ value, ...place })
      bytesAtRecord = bytes
      values = 0
      record = undefined
    }
    for (const token of tokens) parser.write(token)
    record = parser
  }
  tokenizer.onToken = (token) => {
    if (isOpening(token)) {
      if (++depth > SOURCE_LIMITS.depth)
        throw new SourceError({ code: 'json_too_deep', params: { max: SOURCE_LIMITS.depth } })
    } else if (isClosing(token)) depth--
    const safe =
      token.token === TokenType.STRING ? { ...token, value: storable(String(token.value)) } : token
    const found = record === undefined ? beginning(safe) : undefined
    if (found !== undefined) begin(found)
    if (record === undefined) follow(safe)
    else {
      // Counts values by the tokens that precede them; names are not values.
      if (isOpening(token) || token.token === TokenType.COMMA) values++
      if (values > SOURCE_LIMITS.elements) throw tooManyValues(position)
      record.write(safe)
    }
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

/** Reads one JSON value per line; an invalid line is a problem of its own. */
export const readJsonLines = async function* (
  bytes: Bytes,
  encoding: Encoding,
): AsyncGenerator<JsonRecord | SourceError> {
  for await (const { line, number } of linesOf(decode(bytes, encoding))) {
    const text = line.trim().replace(/,$/, '')
    if (text !== '') yield parseLine(text, `line ${number}`)
  }
}

/**
 * Converts records to stations, or pieces of them.
 * @param toStation returns undefined for a record that is not a location, and `ignored` for one that does not count
 */
export const readStations = async function* (
  records: AsyncIterable<JsonRecord | SourceError>,
  toStation: (record: Raw) => Station | 'ignored' | undefined,
): AsyncGenerator<Part | Unreadable> {
  for await (const record of records) {
    if (record instanceof SourceError) {
      yield record
      continue
    }
    const { value, position } = record
    const station = isRaw(value) ? toStation(value) : undefined
    if (station === 'ignored') continue
    const code = isRaw(value) ? 'record_not_location' : 'record_not_object'
    yield station === undefined ? { position, problem: { code } } : { station, position }
  }
}

const parseLine = (text: string, position: string): JsonRecord | SourceError => {
  let values = 0
  const inStorable = (_: string, value: unknown): unknown => {
    if (++values > SOURCE_LIMITS.elements) throw tooManyValues(position)
    return typeof value === 'string' ? storable(value) : value
  }
  try {
    return { value: JSON.parse(text, inStorable), position, list: '', name: '' }
  } catch (error) {
    if (error instanceof SourceError) return error
    return new SourceError({ code: 'json_invalid', params: { position: 1 } }, position)
  }
}
