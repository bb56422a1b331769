import { SaxesParser } from 'saxes'

import { storable } from './read-values.ts'
import {
  SOURCE_LIMITS,
  SourceError,
  decode,
  drainAfter,
  inPieces,
  tooManyValues,
  type Bytes,
  type Encoding,
} from './source.ts'

/** An XML element; names have no namespace prefixes. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** The content in order; texts are children without a name. */
  readonly children: readonly XmlElement[]
  /** The element's own text, without that of nested elements. */
  readonly text: string
}

/** An element that was read completely. */
export interface XmlRecord {
  readonly element: XmlElement
  /** For example `line 12`. */
  readonly position: string
}

/**
 * Reads elements with certain names from an XML document while it arrives, one at a time in memory. Ignores document
 * type declarations, so only the predefined entities of XML are resolved.
 * @param starts names of elements that are reported when they begin, without their content
 * @throws {SourceError} if it is not XML, or an element is too large or too deep
 */
export const readXml = async function* (
  bytes: Bytes,
  encoding: Encoding,
  names: readonly string[],
  starts: readonly string[] = [],
): AsyncGenerator<XmlRecord> {
  const { write, take, end } = createParser(names, starts)
  for await (const text of decode(inPieces(bytes), encoding)) {
    yield* drainAfter(() => write(text), take)
  }
  yield* drainAfter(end, take)
}

/** An element that has not ended yet. */
interface Open {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
}

const createParser = (names: readonly string[], starts: readonly string[]) => {
  const parser = new SaxesParser()
  const open: Open[] = []
  let [depth, elements, length, position] = [0, 0, 0, '']
  let records: XmlRecord[] = []

  parser.on('error', () => {
    throw new SourceError({ code: 'xml_invalid', params: { line: parser.line } })
  })
  parser.on('opentag', (tag) => {
    const name = localName(tag.name)
    if (++depth > SOURCE_LIMITS.depth)
      throw new SourceError({ code: 'json_too_deep', params: { max: SOURCE_LIMITS.depth } })
    if (open.length === 0) position = `line ${parser.line}`
    if (open.length === 0 && starts.includes(name)) {
      const attributes = localNames(tag.attributes)
      records.push({ element: { name, attributes, children: [], text: '' }, position })
    }
    if (open.length === 0 && !names.includes(name)) return
    if (++elements > SOURCE_LIMITS.elements) throw tooManyValues()
    open.push({ name, attributes: localNames(tag.attributes), children: [] })
  })
  const addText = (text: string): void =>
    void open
      .at(-1)
      ?.children.push({ name: '', attributes: {}, children: [], text: storable(text) })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    depth--
    const closed = open.pop()
    if (closed === undefined) return
    const texts = closed.children.filter(({ name }) => name === '').map(({ text }) => text)
    const element = { ...closed, text: texts.join('').trim() }
    const parent = open.at(-1)
    if (parent !== undefined) return void parent.children.push(element)
    records.push({ element, position })
    ;[elements, length] = [0, 0]
  })
  return {
    write: (text: string): void => {
      length += text.length
      if (length > SOURCE_LIMITS.record) throw tooLarge()
      parser.write(text)
    },
    end: (): void => void parser.close(),
    take: (): readonly XmlRecord[] => {
      const taken = records
      records = []
      return taken
    },
  }
}

const tooLarge = (): SourceError =>
  new SourceError({ code: 'record_too_large', params: { max: SOURCE_LIMITS.record } })

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const localNames = (attributes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [localName(name), storable(value)]),
  )

/** The descendants along a path of names. */
export const childrenAt = (
  element: XmlElement,
  ...path: readonly string[]
): readonly XmlElement[] =>
  path.reduce<readonly XmlElement[]>(
    (found, name) =>
      found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  )

/** The text of the first child at a path; otherwise empty. */
export const textAt = (element: XmlElement, ...path: readonly string[]): string =>
  childrenAt(element, ...path)[0]?.text ?? ''

/** The whole text content of an element. */
export const innerText = ({ name, children, text }: XmlElement): string =>
  name === '' ? text : children.map(innerText).join('')
