import { readJson } from '../json-stream.ts'
import { isRaw, type Raw } from '../read-values.ts'
import type { Bytes, Encoding } from '../source.ts'
import type { Part } from '../station.ts'
import { isOsmStation, osmIdOf, toOsmStation } from './read.ts'

/** Reads the charging stations of OSM JSON, as returned by the Overpass API. Ignores other elements. */
export const readOsmJson = async function* (
  bytes: Bytes,
  encoding: Encoding,
): AsyncGenerator<Part> {
  for await (const { value, position } of readJson(bytes, encoding, ['elements'])) {
    if (!isRaw(value) || !isRaw(value['tags'])) continue
    const { type, id, tags } = value
    if (isOsmStation(tags))
      yield {
        station: toOsmStation(
          { '@id': osmIdOf(String(type), String(id)), ...tags },
          placeOf(value),
        ),
        position,
      }
  }
}

/** Ways and relations have a position only if the query requests it with `out center`. */
const placeOf = (element: Raw): { latitude?: unknown; longitude?: unknown } => {
  const { lat, lon } = isRaw(element['center']) ? element['center'] : element
  return lat === undefined || lon === undefined ? {} : { latitude: lat, longitude: lon }
}
