import type { OpenFormat } from '#domain/open-data.ts'
import type { Messages } from '../../messages/messages.ts'

/** The names of the formats, which are the same in all languages. */
export const FORMAT_NAMES: Readonly<Record<OpenFormat, string>> = {
  'ocpi-2.3.0': 'OCPI 2.3.0',
  'ocpi-2.2.1': 'OCPI 2.2.1',
  irve: 'IRVE 2.3.1 (CSV)',
  datex: 'DATEX II v3 (XML)',
  geojson: 'GeoJSON',
  osm: 'OpenStreetMap (XML)',
  ocm: 'Open Charge Map (JSON)',
  csv: 'CSV',
  xlsx: 'Excel (XLSX)',
}

/** The message key of the purpose of a format; the versions of one standard share it. */
export const wordsOf = (format: OpenFormat): keyof Messages['open']['formats'] =>
  format === 'ocpi-2.3.0' || format === 'ocpi-2.2.1' ? 'ocpi' : format
