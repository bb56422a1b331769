import { connectors } from '#domain/connector.ts'
import { sites } from '#domain/site.ts'
import { tariffs } from '#domain/tariff.ts'

import { readJson } from '../json-stream.ts'
import { isRaw, textOf, type Raw } from '../read-values.ts'
import { SOURCE_LIMITS, SourceError, type Bytes, type Encoding } from '../source.ts'
import type { Part, Unreadable } from '../station.ts'
import { ownValues, toOwnTariff } from './values.ts'

/**
 * Reads a user's export: `data.json`, with one list of records per collection. Keeps the records of the user in memory,
 * since the connectors and prices of a site are in separate lists.
 * @throws {SourceError} if there are too many
 */
export const readExport = async function* (
  bytes: Bytes,
  encoding: Encoding,
): AsyncGenerator<Part | Unreadable> {
  const { siteTexts, plugTexts, priceTexts } = await holdRecords(bytes, encoding)
  for (const [index, text] of siteTexts.entries()) {
    const position = `sites[${index}]`
    const row = parse(text)
    const texts = [text, ...(plugTexts.get(textOf(row['id'])) ?? [])]
    if (!fit(texts)) {
      yield { position, problem: TOO_LARGE }
      continue
    }
    const [{ reference, ...site } = {}, ...own] = texts.map((each, nth) =>
      ownValues(nth === 0 ? sites : connectors, parse(each)),
    )
    const wanted = new Set([site, ...own].map(({ tariff }) => textOf(tariff)))
    const prices = [...wanted].flatMap((id) => priceTexts.get(id) ?? [])
    yield fit([...texts, ...prices])
      ? {
          station: {
            reference: textOf(reference),
            site,
            connectors: own,
            tariffs: prices.map((price) => toOwnTariff(parse(price))),
          },
          position,
        }
      : { position, problem: TOO_LARGE }
  }
}

/** The memory for a record in addition to its text, since a file may contain only empty records. */
const RECORD_BYTES = 100

/** Keeps records as JSON text: as objects, records with very many empty lists would take forty times as much memory. */
const holdRecords = async (bytes: Bytes, encoding: Encoding) => {
  const siteTexts: string[] = []
  const plugTexts = new Map<string, string[]>()
  const priceTexts = new Map<string, string>()
  const lists = [sites, connectors, tariffs].map(({ name }) => name)
  let held = 0
  for await (const { value, list } of readJson(bytes, encoding, lists)) {
    if (!isRaw(value)) continue
    const text = JSON.stringify(value)
    held += text.length + RECORD_BYTES
    if (held > SOURCE_LIMITS.archive)
      throw new SourceError({ code: 'source_too_large', params: { max: SOURCE_LIMITS.archive } })
    if (list === sites.name) siteTexts.push(text)
    else if (list === tariffs.name) priceTexts.set(textOf(value['id']), text)
    else if (list === connectors.name) {
      const site = textOf(value['site'])
      const others = plugTexts.get(site)
      if (others === undefined) plugTexts.set(site, [text])
      else others.push(text)
    }
  }
  return { siteTexts, plugTexts, priceTexts }
}

const parse = (text: string): Raw => JSON.parse(text) as Raw

const TOO_LARGE = { code: 'record_too_large', params: { max: SOURCE_LIMITS.record } } as const

/** Whether the records of one site together are within the limit for a record. */
const fit = (texts: readonly string[]): boolean =>
  texts.reduce((sum, { length }) => sum + length, 0) <= SOURCE_LIMITS.record
