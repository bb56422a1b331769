import { API, SERVICE_API } from '#domain/paths.ts'
import type { Collection } from '#domain/collection.ts'
import { businesses } from '#domain/business.ts'
import { connectors } from '#domain/connector.ts'
import {
  BOX_FORM,
  FILTER_PARAMETERS,
  POSITION_FORM,
  PUBLIC_READ_LIMITS,
  TILE_LAYER,
} from '#domain/public-read.ts'
import {
  PUBLIC_BUSINESS_FIELDS,
  PUBLIC_CONNECTOR_FIELDS,
  PUBLIC_SITE_FIELDS,
  PUBLIC_TARIFF_FIELDS,
} from '#domain/public-site.ts'
import { MAX_SEARCH_LENGTH, MIN_SEARCH_LENGTH_CJK } from '#domain/search-words.ts'
import { sites } from '#domain/site.ts'
import { tariffs } from '#domain/tariff.ts'

import {
  DATE,
  ID,
  KNOWN_VERSION,
  type Json,
  type Schema,
  anyObject,
  answers,
  conditional,
  errorOf,
  errorWith,
  inPath,
  number,
  object,
  ok,
  query,
  ref,
  text,
} from './components.ts'
import { answeredField, shapeName } from './record-schemas.ts'

const publicObject = (
  collection: Collection,
  names: readonly string[],
  more: Schema = {},
): Schema => {
  const fields = Object.entries(collection.fields).filter(([name]) => names.includes(name))
  const answered = fields.map(([name, field]) => [
    name,
    answeredField(field, shapeName(collection, name)),
  ])
  return object({ id: ID, ...(Object.fromEntries(answered) as Schema), ...more })
}

/** A site as public reads return it. */
export const publicSite = (): Schema => {
  const { properties, required, ...rest } = publicObject(sites, PUBLIC_SITE_FIELDS, {
    business: publicObject(businesses, PUBLIC_BUSINESS_FIELDS),
    connectors: {
      type: 'array',
      minItems: 1,
      description: 'Most powerful first.',
      items: publicObject(connectors, PUBLIC_CONNECTOR_FIELDS),
    },
    tariffs: {
      type: 'array',
      description: 'The tariffs that the site and its connectors refer to.',
      items: publicObject(tariffs, PUBLIC_TARIFF_FIELDS),
    },
    updated: DATE,
  })
  return {
    ...rest,
    properties: {
      ...(properties as { readonly [key: string]: Json }),
      distance_m: {
        type: 'integer',
        description: 'The distance from the position or line of the request; only in lists.',
      },
      along_m: {
        type: 'integer',
        description:
          'The length of the line up to the point nearest the site; only for lists along a line.',
      },
    },
    required: required ?? [],
  }
}

const repeated = (name: string, values: readonly string[], description: string): Schema => ({
  ...query(name, { type: 'array', items: { enum: [...values] } }, description),
  style: 'form',
  explode: true,
})

const FILTERS: readonly Schema[] = [
  repeated('plug', FILTER_PARAMETERS.plug, 'Has one of these plugs. Can be repeated.'),
  query(
    'min_kw',
    { type: 'number', minimum: 0, maximum: PUBLIC_READ_LIMITS.maxKw },
    'Has a connector, with one of the plugs if given, of at least this power.',
  ),
  query('free', { enum: [...FILTER_PARAMETERS.free] }, 'Charging costs nothing.'),
  query('available', { enum: [...FILTER_PARAMETERS.available] }, 'The status is AVAILABLE.'),
  query(
    'open',
    { enum: [...FILTER_PARAMETERS.open] },
    'The opening hours are known, and the site is open now.',
  ),
  query('business', ID, 'Belongs to this business.'),
  repeated('access', FILTER_PARAMETERS.access, 'Who may charge: one of these. Can be repeated.'),
]

const position = { latitude: number, longitude: number }
const SEARCH: Schema = {
  type: 'string',
  minLength: MIN_SEARCH_LENGTH_CJK,
  maxLength: MAX_SEARCH_LENGTH,
}

/** Describes a public read. */
export const publicRead = (
  operationId: string,
  summary: string,
  parameters: readonly Schema[],
  success: Schema,
  ...statuses: readonly number[]
): Schema => ({
  get: {
    tags: ['public'],
    operationId,
    summary,
    security: [],
    parameters: [...parameters, KNOWN_VERSION],
    ...answers(conditional(success), 400, ...statuses),
  },
})

/** The parameters of a page of a list. */
const LIST_PAGE: readonly Schema[] = [
  query(
    'limit',
    {
      type: 'integer',
      minimum: 1,
      maximum: PUBLIC_READ_LIMITS.maxSites,
      default: PUBLIC_READ_LIMITS.sites,
    },
    'Sites per page.',
  ),
  query('cursor', text, 'The value of `next` from the previous page.'),
  query(
    'format',
    { enum: ['json', 'geojson'], default: 'json' },
    'A list, or a FeatureCollection.',
  ),
]

const PAGE_OF_SITES: Schema = {
  '200': {
    description: 'A page of sites.',
    content: {
      'application/json': {
        schema: object({
          items: { type: 'array', items: ref('PublicSite') },
          next: { type: ['string', 'null'] },
        }),
      },
      'application/geo+json': { schema: anyObject },
    },
  },
}

/** The line of a route, in GeoJSON. */
export const LINE: Schema = object({
  type: { const: 'LineString' },
  coordinates: {
    type: 'array',
    minItems: 1,
    maxItems: PUBLIC_READ_LIMITS.routePoints,
    items: {
      type: 'array',
      minItems: 2,
      items: number,
      description: 'Longitude, latitude.',
    },
  },
})

/** The public reads. */
export const publicPaths: Schema = {
  [API.publicSites]: publicRead(
    'listPublicSites',
    'List public sites near a position, in a box or matching words: give one of `near`, `bbox` and `q`, or only `business`',
    [
      query(
        'near',
        { ...text, examples: [POSITION_FORM.example] },
        `${POSITION_FORM.parts}; nearest first.`,
      ),
      query(
        'bbox',
        { ...text, examples: [BOX_FORM.example] },
        `${BOX_FORM.parts}; the box crosses the 180° meridian if west > east.`,
      ),
      query(
        'q',
        SEARCH,
        'Words of the name, address, town or business; the last word may be incomplete.',
      ),
      ...FILTERS,
      ...LIST_PAGE,
    ],
    PAGE_OF_SITES,
  ),
  [SERVICE_API.publicRoute]: {
    post: {
      tags: ['public'],
      operationId: 'listPublicSitesAlong',
      summary: 'List public sites along a line, in its direction',
      security: [],
      parameters: [
        query(
          'within',
          {
            type: 'number',
            minimum: 1,
            maximum: PUBLIC_READ_LIMITS.maxWithin,
            default: PUBLIC_READ_LIMITS.within,
          },
          'The maximum distance from the line, in metres.',
        ),
        ...FILTERS,
        ...LIST_PAGE,
      ],
      requestBody: {
        required: true,
        description: `A GeoJSON LineString (RFC 7946), at most ${PUBLIC_READ_LIMITS.routeKm} km long.`,
        content: {
          'application/json': { schema: ref('LineString') },
          'application/geo+json': { schema: ref('LineString') },
        },
      },
      ...answers(PAGE_OF_SITES, 400, 413),
    },
  },
  [API.publicSite('{id}')]: {
    parameters: [inPath('id', ID)],
    ...publicRead(
      'getPublicSite',
      'Get a public site',
      [],
      { ...ok('The site.', ref('PublicSite')), ...errorOf(410, errorWith(object(position))) },
      404,
    ),
  },
  [API.publicTile('{z}', '{x}', '{y}')]: {
    parameters: ['z', 'x', 'y'].map((name) => inPath(name, { type: 'integer' })),
    ...publicRead(
      'getPublicTile',
      'Get a map tile with clusters of sites; from zoom 14, with single sites',
      FILTERS,
      {
        '200': {
          description: `A Mapbox Vector Tile with the layer \`${TILE_LAYER}\`. A cluster has \`count\`, \`max_kw\` and \`available\`; a single site \`id\`, \`count\`, \`max_kw\` and \`status\`.`,
          content: {
            'application/vnd.mapbox-vector-tile': { schema: { type: 'string', format: 'binary' } },
          },
        },
      },
      404,
    ),
  },
  [API.publicSuggest]: publicRead(
    'suggestPublic',
    'Suggest towns with sites, and sites, for a search text',
    [{ ...query('q', SEARCH, 'The text typed so far.'), required: true }],
    ok(
      'Towns first, those with the most sites leading, then sites.',
      object({
        items: {
          type: 'array',
          maxItems: 2 * PUBLIC_READ_LIMITS.suggestions,
          items: {
            oneOf: [
              object({
                kind: { const: 'town' },
                name: text,
                region: text,
                country: text,
                ...position,
                count: { type: 'integer' },
              }),
              object({
                kind: { const: 'site' },
                id: ID,
                name: text,
                city: text,
                country: text,
                ...position,
              }),
            ],
          },
        },
      }),
    ),
  ),
}
