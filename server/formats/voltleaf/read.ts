import { connectors } from '#domain/connector.ts'
import type { Collection } from '#domain/collection.ts'
import { sites } from '#domain/site.ts'
import { tariffs } from '#domain/tariff.ts'

import { readJson } from '../json-stream.ts'
import { isRaw, textOf, type Raw } from '../read-values.ts'
import { SOURCE_LIMITS, SourceError, type Bytes, type Encoding } from '../source.ts'
import type { Part } from '../station.ts'
import { ownValues, toOwnTariff } from './values.ts'

/**
 * Reads what a user has exported: `data.json`, in which the records of each collection are a list. The records of one
 * user are held in memory, since the connectors and prices of a site stand apart from it.
 * @throws {SourceError} if it is too large
 */
export const readExport = async function* (bytes: Bytes, encoding: Encoding): AsyncGenerator<Part> {
  const lists = new Map<string, Raw[]>(
    [sites, connectors, tariffs].map(({ name }) => [name, []] as const),
  )
  for await (const { value, list } of readJson(bounded(bytes), encoding, [...lists.keys()]))
    if (isRaw(value)) lists.get(list)?.push(value)

  const rowsOf = ({ name }: Collection): readonly Raw[] => lists.get(name) ?? []
  const plugs = Map.groupBy(rowsOf(connectors), (row) => textOf(row['site']))
  const prices = new Map(rowsOf(tariffs).map((row) => [textOf(row['id']), row]))
  for (const [index, row] of rowsOf(sites).entries()) {
    const { reference, ...site } = ownValues(sites, row)
    const own = (plugs.get(textOf(row['id'])) ?? []).map((plug) => ownValues(connectors, plug))
    const wanted = new Set([site, ...own].map(({ tariff }) => textOf(tariff)))
    yield {
      station: {
        reference: textOf(reference),
        site,
        connectors: own,
        tariffs: [...wanted].flatMap((id) => {
          const price = prices.get(id)
          return price ? [toOwnTariff(price)] : []
        }),
      },
      position: `sites[${index}]`,
    }
  }
}

const bounded = async function* (bytes: Bytes): Bytes {
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > SOURCE_LIMITS.archive)
      throw new SourceError({ code: 'source_too_large', params: { max: SOURCE_LIMITS.archive } })
    yield chunk
  }
}
