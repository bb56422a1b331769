import { createGzip } from 'node:zlib'
import { Readable } from 'node:stream'

import { readParts } from '../../server/formats/formats.ts'
import { repairStation } from '../../server/formats/repair/repair.ts'

// Runs as a separate process with limited memory: reads and repairs a source that is generated while it is read.

const [, , kind = 'ocpi', mebibytes = '1024'] = process.argv
const MAX_BYTES = Number(mebibytes) * 1024 * 1024

const location = (id: number) => ({
  id: `LOC${id}`,
  name: `Station ${id}`,
  address: `Street ${id}`,
  country: 'DEU',
  coordinates: { latitude: '50.9375', longitude: '6.9603' },
  evses: Array.from({ length: 4 }, (_, index) => ({
    uid: `${id}-${index}`,
    status: 'AVAILABLE',
    connectors: [
      {
        id: '1',
        standard: 'IEC_62196_T2',
        format: 'SOCKET',
        power_type: 'AC_3_PHASE',
        max_electric_power: 22000,
        tariff_ids: [`T${id % 50}`],
      },
    ],
  })),
})
const row = (id: number): string =>
  `${id};"Station ${id}";Street ${id};50,9375;6,9603;Typ 2;22 kW;"Mo-Fr 08:00-18:00"\n`

const KINDS: Readonly<
  Record<string, { first: string; each: (id: number) => string; last: string }>
> = {
  ocpi: {
    first: '{"data":[',
    each: (id) => `${id === 0 ? '' : ','}${JSON.stringify(location(id))}`,
    last: ']}',
  },
  geojson: {
    first: '{"type":"FeatureCollection","features":[',
    each: (id) =>
      `${id === 0 ? '' : ','}${JSON.stringify({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [6.96, 50.93] },
        properties: { name: `Station ${id}`, address: `Street ${id}` },
      })}`,
    last: ']}',
  },
  osm: {
    first: '<osm version="0.6">\n',
    each: (id) =>
      `<node id="${id + 1}" lat="50.93" lon="6.96"><tag k="amenity" v="charging_station"/><tag k="name" v="Station ${id}"/><tag k="socket:type2" v="2"/><tag k="socket:type2:output" v="22 kW"/></node>\n`,
    last: '</osm>',
  },
  csv: {
    first: 'id;name;Straße;Breitengrad;Längengrad;Steckertyp;Leistung;Öffnungszeiten\n',
    each: row,
    last: '',
  },
}

async function* generate(): AsyncGenerator<Buffer> {
  const { first, each, last } = KINDS[kind.replace('.gz', '')] ?? { first: '', each: row, last: '' }
  let [text, bytes, id] = [first, 0, 0]
  while (bytes < MAX_BYTES) {
    while (text.length < 64 * 1024) text += each(id++)
    const chunk = Buffer.from(text)
    bytes += chunk.length
    yield chunk
    text = ''
  }
  if (last !== '') yield Buffer.from(last)
}

const source = Readable.from(generate())
const counts = { stations: 0, refused: 0, problems: [] as string[] }
for await (const part of readParts(kind.endsWith('.gz') ? source.pipe(createGzip()) : source)) {
  if ('problem' in part) {
    counts.problems.push(part.problem.code)
    continue
  }
  counts.stations++
  // Repairs only some of them: the proof is about the memory of the reader.
  if (counts.stations % 50 === 0 && repairStation(part.station).refusal) counts.refused++
}
console.log(JSON.stringify({ ...counts, rss: process.resourceUsage().maxRSS * 1024 }))
