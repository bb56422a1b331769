import {
  LOSS_REASONS,
  OCPI_VERSIONS,
  ocpiPath,
  OPEN,
  OPEN_FILE_NAMES,
  OPEN_FILES,
  OPEN_FORMATS,
  openLossesPath,
  openPath,
  TIME_EXAMPLE,
} from '#domain/open-data.ts'

import {
  DATE,
  ID,
  KNOWN_VERSION,
  SENT_DATE,
  SENT_DATE_PATTERN,
  type Schema,
  anyObject,
  inPath,
  number,
  object,
  ok,
  query,
  ref,
  text,
  OCPI_PAGE_HEADERS,
  conditional,
  errorsOf,
} from './components.ts'
import { publicRead } from './public.ts'

/** `Loss` of domain/open-data.ts. */
export const LOSS: Schema = {
  ...object(
    {
      on: { enum: ['sites', 'connectors', 'tariffs', 'businesses'] },
      field: text,
      reason: { enum: [...LOSS_REASONS] },
      count: {
        type: 'integer',
        minimum: 2,
        description: 'The number of affected records of the site.',
      },
    },
    ['on', 'field', 'reason'],
  ),
  description: 'A field that an output cannot represent as it is.',
}

const CATALOGUE: Schema = object({
  sites: number,
  connectors: number,
  changed: text,
  formats: {
    type: 'array',
    items: object(
      {
        format: { enum: [...OPEN_FORMATS] },
        path: text,
        type: text,
        bytes: {
          type: 'integer',
          minimum: 0,
          description:
            'The approximate size of the file before compression; absent for paged formats, and without sites.',
        },
        losses: text,
      },
      ['format', 'path', 'type', 'losses'],
    ),
  },
  licences: {
    type: 'array',
    items: object({ licence: text, businesses: number, sites: number }),
  },
})

const openRead = (
  operationId: string,
  summary: string,
  parameters: readonly Schema[],
  success: Schema,
): Schema => {
  const { get } = publicRead(operationId, summary, parameters, success, 404)
  return { get: { ...(get as object), tags: ['open data'] } }
}

/** Open data, for all businesses or for one. */
export const openPaths = (): Schema => ({
  ...openPathsOf(undefined, 'All'),
  ...openPathsOf('{business}', 'Business'),
  [OPEN.businesses]: openRead(
    'listOpenBusinesses',
    'List the businesses with public sites, and the licences of their data',
    [],
    ok('Ordered by id.', {
      type: 'array',
      items: object({ id: ID, name: text, licence: text, sites: number, changed: text }),
    }),
  ),
  [OPEN.osmTags('{site}')]: {
    parameters: [inPath('site', ID)],
    ...openRead(
      'getOsmTags',
      'Get the OpenStreetMap tags of a site',
      [],
      ok('Keys and values.', { type: 'object', additionalProperties: text }),
    ),
  },
  [OPEN.siteLosses('{site}')]: {
    parameters: [inPath('site', ID)],
    ...openRead(
      'getSiteLosses',
      'List what each output cannot represent of a site',
      [],
      ok(
        'By output.',
        object(
          Object.fromEntries(
            OPEN_FORMATS.map((format) => [format, { type: 'array', items: ref('Loss') }]),
          ),
        ),
      ),
    ),
  },
})

/** How times are written in parameters. A plus sign that is not escaped arrives as a space. */
const TIME: Schema = {
  ...SENT_DATE,
  pattern: SENT_DATE_PATTERN.replace('[+-]', '[ +-]'),
  examples: [TIME_EXAMPLE],
}
const SINCE = query('since', TIME, 'Only sites that have changed since this time.')

/** Schemas of JSON files. */
const FILE_SCHEMAS: Readonly<Record<string, Schema>> = {
  'application/json': { type: 'array', items: anyObject },
  'application/geo+json': anyObject,
}

const openPathsOf = (business: string | undefined, suffix: string): Schema => {
  const scoped = (path: Schema): Schema =>
    business === undefined ? path : { parameters: [inPath('business', ID)], ...path }
  const files = OPEN_FILE_NAMES.map((format) => {
    const [type = ''] = OPEN_FILES[format].type.split(';')
    const success = {
      '200': {
        description: 'The file.',
        content: {
          [type]: {
            schema: FILE_SCHEMAS[type] ?? { type: 'string', format: 'binary' },
          },
        },
      },
    }
    const read = openRead(
      `get_${format}_${suffix}`,
      `Get all public sites as ${format}`,
      [SINCE],
      success,
    )
    return [openPath(format, business), scoped(read)]
  })
  const losses = OPEN_FORMATS.map((format) => [
    openLossesPath(format, business),
    scoped(
      openRead(
        `getLosses_${format}_${suffix}`,
        `List what the output ${format} cannot represent`,
        [SINCE],
        ok('The affected sites.', {
          type: 'array',
          items: object({ id: ID, losses: { type: 'array', items: ref('Loss') } }),
        }),
      ),
    ),
  ])
  return {
    ...(Object.fromEntries([...files, ...losses]) as Schema),
    [OPEN.catalogue(business)]: scoped(
      openRead(
        `getCatalogue${suffix}`,
        'Get the catalogue of formats and licences',
        [],
        ok('The catalogue.', CATALOGUE),
      ),
    ),
    [OPEN.withdrawn(business)]: scoped(
      openRead(
        `listWithdrawn${suffix}`,
        'List sites that are no longer public',
        [SINCE],
        ok('In the order of their publication.', {
          type: 'array',
          items: object({ id: ID, business: ID, withdrawn: DATE }),
        }),
      ),
    ),
    ...ocpiPaths(business, suffix, scoped),
  }
}

/** OCPI responses have their own envelope, errors included. */
const envelope = (data: Schema = {}): Schema =>
  object({ data, status_code: { type: 'integer' }, status_message: text, timestamp: text }, [
    'status_code',
    'timestamp',
  ])
const ENVELOPE = envelope()

const OCPI_SUCCESS = ok('Success.', ENVELOPE)
const OCPI_LIST = ok('Success.', envelope({ type: 'array', items: anyObject }))

const ocpiRead = (
  operationId: string,
  summary: string,
  parameters: readonly Schema[],
  success: Schema,
): Schema => ({
  get: {
    tags: ['open data'],
    operationId,
    summary,
    security: [],
    parameters,
    responses: {
      ...success,
      ...errorsOf([400, 404, 429, 503], ENVELOPE),
    },
  },
})

const OCPI_PAGE: readonly Schema[] = [
  query('date_from', TIME, 'Last updated at this time or later.'),
  query('date_to', TIME, 'Last updated before this time.'),
  query('offset', { type: 'integer', minimum: 0 }, 'The number of objects before the page.'),
  query(
    'limit',
    { type: 'integer', minimum: 1 },
    'The maximum number of objects; `X-Limit` is the upper limit.',
  ),
  query('after', text, 'The start of the page, only from the `Link` header of the previous page.'),
  KNOWN_VERSION,
]

const ocpiPaths = (
  business: string | undefined,
  suffix: string,
  scoped: (path: Schema) => Schema,
): Schema => {
  const read = (name: string, summary: string, parameters: readonly Schema[] = []): Schema =>
    scoped(ocpiRead(`${name}_${suffix}`, summary, parameters, OCPI_SUCCESS))
  const list = (name: string, summary: string): Schema => {
    const success = conditional(OCPI_LIST, OCPI_PAGE_HEADERS)
    return scoped(ocpiRead(`${name}_${suffix}`, summary, OCPI_PAGE, success))
  }
  const objects = ['{id}', '{id}/{evse}', '{id}/{evse}/{connector}']
  const inObject = (path: string): Schema[] =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => inPath(name))
  const ofVersion = OCPI_VERSIONS.flatMap((version) => [
    [ocpiPath(version, '', business), read(`ocpi_${version}`, 'List the endpoints of a version')],
    [
      ocpiPath(version, 'locations', business),
      list(`ocpiLocations_${version}`, 'List Locations, oldest first'),
    ],
    [
      ocpiPath(version, 'tariffs', business),
      list(`ocpiTariffs_${version}`, 'List Tariffs, oldest first'),
    ],
    ...objects.map((path, index) => [
      ocpiPath(version, `locations/${path}`, business),
      read(
        `ocpiObject${index}_${version}`,
        'Get a Location, an EVSE or a connector',
        inObject(path),
      ),
    ]),
  ])
  return {
    [OPEN.ocpiVersions(business)]: read('ocpiVersions', 'List the OCPI versions'),
    ...(Object.fromEntries(ofVersion) as Schema),
  }
}
