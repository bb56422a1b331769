import { LICENCE_URLS } from '#domain/open-data.ts'

import { ALL_FIELDS, type Output } from '../output.ts'

/** The text of a member of the site itself. The same name within a string has escaped quotation marks. */
const memberOf = (json: string, name: string): string => {
  const start = json.indexOf(`,"${name}":`) + name.length + 4
  return json.slice(start, json.indexOf(',', start))
}

/** A Feature; its properties are the unchanged JSON of the site. */
const featureOf = (json: string): string => {
  const id = json.slice(ID_START.length, json.indexOf('"', ID_START.length))
  const position = `${memberOf(json, 'longitude')},${memberOf(json, 'latitude')}`
  return `{"type":"Feature","id":"${id}","geometry":{"type":"Point","coordinates":[${position}]},"properties":${json}}`
}
const ID_START = '{"id":"'

/** A FeatureCollection (RFC 7946) whose properties are public sites as in the public API. */
export const GEOJSON: Output = {
  supports: ALL_FIELDS,
  begin: ({ publisher, changed, licence }) => {
    const members = {
      name: publisher,
      updated: changed,
      ...(licence !== undefined && { licence, licence_url: LICENCE_URLS[licence] }),
    }
    return `${JSON.stringify({ type: 'FeatureCollection', ...members }).slice(0, -1)},"features":[\n`
  },
  site: (site) => featureOf(JSON.stringify(site)),
  json: featureOf,
  separator: ',\n',
  end: '\n]}\n',
}
