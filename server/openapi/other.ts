import { DUPLICATE_INPUT, DUPLICATE_LIMITS } from '#domain/duplicate.ts'
import { GEOCODE_LIMITS } from '#domain/geocode.ts'
import { BATCH_LIMITS } from '#domain/limits.ts'
import { API, REDIRECT_PATHS, SERVICE_API } from '#domain/paths.ts'
import { REPORT_INPUT } from '#domain/report.ts'

import {
  CORRELATION,
  ID,
  KEY,
  NOTHING,
  type Schema,
  answers,
  anyObject,
  bodyOf,
  bool,
  conditional,
  errorOf,
  errorWith,
  errorsBy,
  inHeader,
  inPath,
  object,
  ok,
  query,
  ref,
  share,
  text,
} from './components.ts'
import { sentField } from './record-schemas.ts'

const BINARY: Schema = {
  description: 'The file.',
  content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
}
const PAGE: Schema = {
  '200': {
    description: 'A page that tells the user to close the window.',
    content: { 'text/html': { schema: text } },
  },
}

const SEE_OTHER: Schema = {
  '303': { description: 'A redirect to the address in the `Location` header.' },
}

const HEALTH = object({ message: text, code: { const: 200 }, data: anyObject })

/** The error of the whole list, or those of its items by index. */
const ofList = (item: Schema): Schema => ({ anyOf: [ref('FieldError'), errorsBy(item)] })
const SUBSCRIPTIONS_ERROR = errorWith(errorsBy(ofList(ref('FieldError'))))
/** The response to the request that failed, or the errors of requests that cannot be read. */
const BATCH_ERROR = errorWith(
  errorsBy(
    ofList({ anyOf: [object({ code: text, message: text, response: ref('Error') }), errorsBy()] }),
  ),
)

const METRICS: Schema = {
  '200': {
    description: 'The metrics, in the text format of Prometheus.',
    content: { 'text/plain': { schema: text } },
  },
}

/** Files, batches, realtime, reports, and the operations that belong to no collection. */
export const otherPaths: Schema = {
  [API.file('{collection}', '{id}', '{name}')]: {
    parameters: [inPath('collection'), inPath('id', ID), inPath('name')],
    get: {
      tags: ['files'],
      operationId: 'getFile',
      summary: 'Get a stored file',
      parameters: [
        query(
          'thumb',
          text,
          'A thumbnail size that the field offers: `WxH`, `WxHt`, `WxHb`, `WxHf`, `0xH` or `Wx0`.',
        ),
        query('download', bool, 'Tells the browser to save the file.'),
        query('token', text, 'A file token, for protected files.'),
        inHeader('Range', 'The bytes to get: `bytes=0-99`, also several ranges.'),
        inHeader('If-None-Match', 'The ETag of an earlier response.'),
        inHeader('If-Match', 'The ETag that the file must have.'),
      ],
      ...answers(
        {
          ...conditional({ '200': BINARY }),
          '206': BINARY,
          '416': { description: 'The requested range is not in the file.' },
        },
        404,
        412,
      ),
    },
  },
  [API.fileToken]: {
    post: {
      tags: ['files'],
      operationId: 'createFileToken',
      summary: 'Create a short-lived token for protected files',
      ...answers(ok('The token.', object({ token: text })), 401),
    },
  },
  [API.export]: {
    get: {
      tags: ['other'],
      operationId: 'export',
      summary:
        'Download all data of the account in one archive: `data.json`, the logo and the photos',
      parameters: [query('token', text, 'A file token, if you cannot send a header.')],
      ...answers(
        {
          '200': {
            description: 'A ZIP archive.',
            content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
          },
        },
        401,
        403,
      ),
    },
  },
  [API.batch]: {
    post: {
      tags: ['other'],
      operationId: 'batch',
      summary: `Make up to ${BATCH_LIMITS.requests} writes in one transaction`,
      parameters: [KEY, CORRELATION],
      ...bodyOf(
        object({
          requests: {
            type: 'array',
            minItems: 1,
            maxItems: BATCH_LIMITS.requests,
            items: object(
              {
                method: { enum: ['POST', 'PATCH', 'PUT', 'DELETE'] },
                url: text,
                headers: anyObject,
                body: anyObject,
              },
              ['method', 'url'],
            ),
          },
        }),
        {
          form: {
            ...object({
              '@jsonPayload': { ...text, description: 'The JSON of the body without files.' },
            }),
            additionalProperties: { type: 'string', format: 'binary' },
            description: 'The files are parts `requests.<i>.<field>`.',
          },
        },
      ),
      ...answers(
        {
          ...ok('The responses, in the order of the requests.', {
            type: 'array',
            items: object(
              {
                status: { type: 'integer' },
                body: { anyOf: [anyObject, { type: 'null' }] },
                etag: {
                  ...text,
                  description:
                    'The ETag of the record after the request, for `If-Match`; absent for deletes.',
                },
              },
              ['status', 'body'],
            ),
          }),
          ...errorOf(400, BATCH_ERROR),
        },
        413,
        422,
      ),
    },
  },
  [API.geocode]: {
    get: {
      tags: ['other'],
      operationId: 'geocode',
      summary:
        'Search for an address, find the address of a position, or resolve a map link (signed-in users only)',
      parameters: [
        query(
          'q',
          { type: 'string', maxLength: GEOCODE_LIMITS.queryLength },
          'The address to search for. Required unless you give a position or a link.',
        ),
        query(
          'latitude',
          { type: 'number' },
          'With `longitude`: places near this position come first. Without `q`: finds the address of this position.',
        ),
        query('longitude', { type: 'number' }, 'See `latitude`.'),
        query(
          'link',
          { type: 'string', maxLength: GEOCODE_LIMITS.linkLength },
          'A short link of a map app, such as maps.app.goo.gl; returns its position, without an address.',
        ),
        inHeader('Accept-Language', 'The language of the results, if the geocoder supports it.'),
      ],
      ...answers(
        ok(
          'The most likely places, and the attribution of the data.',
          object(
            {
              items: {
                type: 'array',
                maxItems: GEOCODE_LIMITS.places,
                items: object(
                  {
                    address: text,
                    latitude: { type: 'number' },
                    longitude: { type: 'number' },
                    parts: object({ city: text, postal_code: text, state: text, country: text }),
                  },
                  ['address', 'latitude', 'longitude'],
                ),
              },
              attribution: object({ text, url: text }),
            },
            ['items'],
          ),
        ),
        400,
        401,
        503,
      ),
    },
  },
  [API.duplicates]: {
    get: {
      tags: ['other'],
      operationId: 'findDuplicates',
      summary: 'Find sites that may be duplicates of a site to be added (signed-in users only)',
      parameters: [
        ...(['lat', 'lng', 'name'] as const).map((name) => ({
          ...query(name, sentField(DUPLICATE_INPUT[name], ''), 'The value of the new site.'),
          required: true,
        })),
        query(
          'site',
          ID,
          'The id of the site if it already exists, so that it is not compared with itself.',
        ),
      ],
      ...answers(
        ok(
          'The most probable duplicates first. Sites of other businesses have only their public data.',
          object({
            items: {
              type: 'array',
              maxItems: DUPLICATE_LIMITS.items,
              items: object({
                id: ID,
                is_own: { ...bool, description: 'Whether the site belongs to the caller.' },
                name: text,
                address: text,
                business: { ...text, description: 'The name of the business of the site.' },
                latitude: { type: 'number' },
                longitude: { type: 'number' },
                distance_m: { type: 'integer' },
                likeness: { ...share, description: 'How similar the names are.' },
                score: { ...share, description: 'How probable it is that both are the same site.' },
              }),
            },
          }),
        ),
        400,
        401,
      ),
    },
  },
  [API.publicReports('{id}')]: {
    parameters: [inPath('id', ID)],
    post: {
      tags: ['public'],
      operationId: 'reportSite',
      summary: 'Report a problem to the owner of a public site (no sign-in needed)',
      parameters: [
        inHeader('Accept-Language', 'The language of the email with the owner’s answer.'),
      ],
      ...bodyOf(
        object(
          Object.fromEntries(
            Object.entries(REPORT_INPUT).map(([name, field]) => [name, sentField(field, '')]),
          ),
          ['reason'],
        ),
      ),
      ...answers(NOTHING, 400, 404, 413),
    },
  },
  [API.realtime]: {
    get: {
      tags: ['other'],
      operationId: 'openRealtime',
      summary: 'Open a stream of changes; the first event is PB_CONNECT with the id of the client',
      ...answers({
        '200': {
          description: 'Server-sent events.',
          content: { 'text/event-stream': { schema: text } },
        },
      }),
    },
    post: {
      tags: ['other'],
      operationId: 'subscribeRealtime',
      summary: 'Set the subscriptions of a stream',
      ...bodyOf(
        object({ clientId: text, subscriptions: { type: 'array', items: text } }, ['clientId']),
      ),
      ...answers({ ...NOTHING, ...errorOf(400, SUBSCRIPTIONS_ERROR) }, 403, 404),
    },
  },
  [REDIRECT_PATHS[1]]: {
    get: {
      tags: ['other'],
      operationId: 'oauth2Redirect',
      summary: 'Redirect address for a sign-in in a popup',
      ...answers(PAGE),
    },
    post: {
      tags: ['other'],
      operationId: 'oauth2RedirectPost',
      summary: 'The same for providers that post a form; redirects to the GET',
      ...answers(SEE_OTHER),
    },
  },
  [API.providerSignOut]: {
    post: {
      tags: ['other'],
      operationId: 'providerSignOut',
      summary:
        'Get the address that ends the session at the sign-in provider, after signing out here',
      ...bodyOf(object({ redirectURL: text })),
      ...answers(ok('Empty if the provider does not offer this.', object({ url: text })), 400),
    },
  },
  [SERVICE_API.health]: {
    get: {
      tags: ['other'],
      operationId: 'health',
      summary: 'Check whether the server is up',
      ...answers(ok('The server is up.', HEALTH)),
    },
  },
  [SERVICE_API.ready]: {
    get: {
      tags: ['other'],
      operationId: 'ready',
      summary: 'Check whether the server is ready for requests; `data` names what does not work',
      ...answers(ok('The server is ready.', HEALTH), 503),
    },
  },
  [SERVICE_API.metrics]: {
    get: {
      tags: ['other'],
      operationId: 'metrics',
      summary: 'Get metrics for Prometheus, from this computer or with METRICS_TOKEN',
      ...answers(METRICS, 404),
    },
  },
  [SERVICE_API.openapi]: {
    get: {
      tags: ['other'],
      operationId: 'openapi',
      summary: 'Get this document',
      ...answers(ok('An OpenAPI 3.1 document.', anyObject)),
    },
  },
}
