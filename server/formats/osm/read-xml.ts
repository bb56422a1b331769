import type { Bytes, Encoding } from '../source.ts'
import type { Part } from '../station.ts'
import { childrenAt, readXml, type XmlElement } from '../xml-stream.ts'
import { isOsmStation, osmIdOf, toOsmStation } from './read.ts'

/**
 * Reads the charging stations of OSM XML. Ignores other elements. Ways and relations have a position only if the source
 * adds it, as Overpass does with `out center`.
 */
export const readOsmXml = async function* (bytes: Bytes, encoding: Encoding): AsyncGenerator<Part> {
  for await (const { element, position } of readXml(bytes, encoding, ['node', 'way', 'relation'])) {
    const tags = Object.fromEntries(
      childrenAt(element, 'tag').map(({ attributes }) => [attributes['k'] ?? '', attributes['v']]),
    )
    if (!isDeleted(element) && isOsmStation(tags))
      yield {
        station: toOsmStation(
          { '@id': osmIdOf(element.name, element.attributes['id'] ?? ''), ...tags },
          placeOf(element),
        ),
        position,
      }
  }
}

const isDeleted = ({ attributes }: XmlElement): boolean =>
  attributes['visible'] === 'false' || attributes['action'] === 'delete'

const placeOf = (element: XmlElement): { latitude?: string; longitude?: string } => {
  const { lat, lon } = (childrenAt(element, 'center')[0] ?? element).attributes
  return {
    ...(lat !== undefined && { latitude: lat }),
    ...(lon !== undefined && { longitude: lon }),
  }
}
