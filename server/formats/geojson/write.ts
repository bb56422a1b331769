import { LICENCE_URLS } from '#domain/open-data.ts'

import { HOLDS_ALL, type Output } from '../output.ts'

/** A FeatureCollection (RFC 7946) whose properties are public sites as the public API has them. */
export const GEOJSON: Output = {
  holds: HOLDS_ALL,
  begin: ({ publisher, changed, licence }) => {
    const members = {
      name: publisher,
      updated: changed,
      ...(licence !== undefined && { licence, licence_url: LICENCE_URLS[licence] }),
    }
    return `${JSON.stringify({ type: 'FeatureCollection', ...members }).slice(0, -1)},"features":[\n`
  },
  site: (site) =>
    JSON.stringify({
      type: 'Feature',
      id: site.id,
      geometry: { type: 'Point', coordinates: [site.longitude, site.latitude] },
      properties: site,
    }),
  separator: ',\n',
  end: '\n]}\n',
}
