import { BATCH_LIMITS, DEFAULT_PER_PAGE, MAX_PER_PAGE } from '#domain/limits.ts'
import { IMPORT_API } from '#domain/import-paths.ts'
import {
  API,
  NOT_OFFERED,
  notOfferedPath,
  OAUTH_PROVIDER,
  REDIRECT_PATHS,
  SERVICE_API,
} from '#domain/paths.ts'
import type { Collection } from '#domain/collection.ts'
import { MISCONFIGURED } from '#domain/error.ts'
import { DUPLICATE_INPUT, DUPLICATE_LIMITS } from '#domain/duplicate.ts'
import {
  FEED_ACTIONS,
  feeds,
  importRows,
  imports,
  MISSING_CHOICES,
  ROW_ACTIONS,
} from '#domain/import.ts'
import { COLUMN_TARGETS } from '#domain/import-source.ts'
import { GEOCODE_LIMITS } from '#domain/geocode.ts'
import { REPORT_INPUT } from '#domain/report.ts'
import { fileFields } from '#domain/field.ts'
import { REPAIR_RULES } from '#domain/repair.ts'
import { CORRELATION_ID, IDEMPOTENCY_KEY } from '../caller.ts'

import {
  ERROR,
  FIELD_ERROR,
  ID,
  NOTHING,
  type Json,
  type Schema,
  answers,
  conditional,
  errorsOf,
  bool,
  inHeader,
  inPath,
  object,
  ok,
  query,
  ref,
  share,
  text,
  withVersion,
} from './components.ts'
import { jsonSchemas, recordSchemas, schemaName, sentField } from './record-schemas.ts'
import { publicPaths, publicSite } from './public.ts'
import { LOSS, openPaths } from './open.ts'

/** The values in the document that depend on the installation. */
export interface Installation {
  readonly productName: string
  readonly publicUrl: string
  readonly declarations: readonly Collection[]
}

/**
 * Describes every route of the API in OpenAPI 3.1, generated from the server's own declarations: collections, fields
 * and limits, paths, error codes.
 */
export const describeApi = async ({
  productName,
  publicUrl,
  declarations,
}: Installation): Promise<Schema> => ({
  openapi: '3.1.0',
  info: {
    title: `${productName} record interface`,
    version: '1',
    description:
      'Records of businesses, charging sites and connectors. The wire contract is that of PocketBase, so its public SDKs work. Callers see and change only their own records.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: publicUrl }],
  security: [{ token: [] }, {}],
  tags: [
    ...declarations.map(({ name }) => ({ name })),
    { name: 'files' },
    { name: 'public' },
    { name: 'other' },
  ],
  paths: withBodyErrors({
    ...Object.assign({}, ...declarations.map(recordPaths)),
    ...Object.assign({}, ...declarations.filter(({ auth }) => auth).map(authPaths)),
    ...otherPaths,
    ...publicPaths,
    ...openPaths(),
    ...importPaths,
  }),
  components: {
    securitySchemes: {
      token: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'The token from a sign-in, with or without the prefix "Bearer ".',
      },
    },
    schemas: {
      Error: ERROR,
      FieldError: FIELD_ERROR,
      PublicSite: publicSite(),
      Loss: LOSS,
      ...Object.assign({}, ...declarations.map(recordSchemas)),
      ...Object.assign({}, ...(await Promise.all(declarations.map(jsonSchemas)))),
    },
  },
})

/** Any body can be malformed or too large; a long one needs a session. */
const withBodyErrors = (paths: Schema): Schema =>
  mapValues(paths, (item) =>
    mapValues(item as Schema, (operation) => {
      const { requestBody, responses } = operation as { [key in string]?: Schema }
      return requestBody === undefined
        ? operation
        : { ...(operation as Schema), responses: { ...errorsOf(400, 401, 413), ...responses } }
    }),
  )

const mapValues = (value: Schema, change: (value: Json) => Json): Schema =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, change(each)]))

const VIEW: readonly Schema[] = [
  query(
    'fields',
    text,
    'The keys to return, as comma-separated paths; `*` for all keys of a level, `:excerpt(max,ellipsis)` after a key to shorten its text. Other keys are left out, even if a schema requires them.',
  ),
  query(
    'expand',
    text,
    'Relations to follow, as comma-separated paths, such as `business` or `connectors_via_site`.',
  ),
]
const IF_MATCH = inHeader('If-Match', 'The ETag of the version that you have read.')
const KEY = inHeader(
  'Idempotency-Key',
  'A second request with the same key gets the response of the first.',
  { type: 'string', pattern: IDEMPOTENCY_KEY.source },
)
const CORRELATION = inHeader(
  'Correlation-Id',
  'An id that groups several requests; recorded in `changes` as `correlation_id`. Ignored if it does not match the pattern.',
  { type: 'string', pattern: CORRELATION_ID.source },
)

const bodyOf = (schema: Schema, withFiles = false): Schema => ({
  requestBody: {
    content: {
      'application/json': { schema },
      ...(withFiles && { 'multipart/form-data': { schema } }),
    },
  },
})

const recordPaths = (collection: Collection): Schema => {
  const name = schemaName(collection)
  const tags = [collection.name]
  const withFiles = fileFields(collection).length > 0
  const one = ok('The record.', ref(name))
  const conflicts = collection.undeletable === undefined ? [] : [409]
  const offers = (action: 'create' | 'change' | 'remove'): boolean =>
    collection.access[action] !== 'nobody'
  return {
    [API.records(collection.name)]: {
      get: {
        tags,
        operationId: `list${name}Records`,
        summary: `List ${collection.name}`,
        parameters: [
          query('page', { type: 'integer', default: 1 }, 'The page number, from 1.'),
          query(
            'perPage',
            {
              type: 'integer',
              default: DEFAULT_PER_PAGE,
              maximum: collection.maxPerPage ?? MAX_PER_PAGE,
            },
            'Records per page.',
          ),
          query('filter', text, 'A filter, such as `status = "AVAILABLE" && kw_rating >= 50`.'),
          query('sort', text, 'Comma-separated fields; prefix `-` for descending order.'),
          query('skipTotal', bool, 'Skips the count: `totalItems` and `totalPages` are -1.'),
          ...VIEW,
          inHeader('If-None-Match', 'The ETag of an earlier response.'),
        ],
        ...answers(
          conditional(
            ok(
              'A page of records.',
              object({
                page: { type: 'integer' },
                perPage: { type: 'integer' },
                totalItems: { type: 'integer' },
                totalPages: { type: 'integer' },
                items: { type: 'array', items: ref(name) },
              }),
            ),
          ),
          400,
          403,
        ),
      },
      ...(offers('create') && {
        post: {
          tags,
          operationId: `create${name}`,
          summary: `Create a record in ${collection.name}`,
          parameters: [...VIEW, KEY, CORRELATION],
          ...bodyOf(ref(`${name}Input`), withFiles),
          ...answers(withVersion(one), 400, 403, 413, 422),
        },
      }),
    },
    [API.record(collection.name, '{id}')]: {
      parameters: [inPath('id', ID)],
      get: {
        tags,
        operationId: `get${name}`,
        summary: `Get a record of ${collection.name}`,
        parameters: [...VIEW, inHeader('If-None-Match', 'The ETag of an earlier response.')],
        ...answers(conditional(one), 400, 403, 404),
      },
      ...(offers('change') && {
        patch: {
          tags,
          operationId: `update${name}`,
          summary: `Update a record of ${collection.name}`,
          parameters: [...VIEW, IF_MATCH, KEY, CORRELATION],
          ...bodyOf(ref(`${name}Input`), withFiles),
          ...answers(withVersion(one), 400, 403, 404, 412, 413, 422),
        },
      }),
      ...(offers('remove') && {
        delete: {
          tags,
          operationId: `delete${name}`,
          summary: `Delete a record of ${collection.name} and everything that belongs to it`,
          parameters: [IF_MATCH, KEY, CORRELATION],
          ...answers(NOTHING, 400, 403, 404, ...conflicts, 412, 422),
        },
      }),
    },
  }
}

const PROVIDER = object({
  name: { const: OAUTH_PROVIDER },
  displayName: text,
  logo: text,
  state: text,
  authURL: text,
  authUrl: text,
  codeVerifier: text,
  codeChallenge: text,
  codeChallengeMethod: text,
  issuer: text,
})
const SWITCH = object({ enabled: bool, duration: { type: 'integer' } })

const strings = (...names: string[]): Schema =>
  object(Object.fromEntries(names.map((key) => [key, text])))

/** Describes the POST requests of one collection. */
const postOf =
  (collection: Collection) =>
  (
    operationId: string,
    summary: string,
    body: Schema,
    success: Schema,
    ...statuses: number[]
  ): Schema => ({
    post: {
      tags: [collection.name],
      operationId: operationId + schemaName(collection),
      summary,
      ...body,
      ...answers(success, ...statuses),
    },
  })

const authPaths = (collection: Collection): Schema => ({
  [API.authMethods(collection.name)]: {
    get: {
      tags: [collection.name],
      operationId: `authMethods${schemaName(collection)}`,
      summary: 'List the sign-in methods',
      ...answers(
        ok(
          'The enabled methods.',
          object(
            {
              mfa: SWITCH,
              otp: SWITCH,
              password: object({ enabled: bool, identityFields: { type: 'array', items: text } }),
              oauth2: object(
                {
                  enabled: bool,
                  providers: { type: 'array', items: PROVIDER },
                  problem: { const: MISCONFIGURED },
                },
                ['enabled', 'providers'],
              ),
              authProviders: { type: ['array', 'null'] },
              usernamePassword: bool,
              emailPassword: bool,
            },
            // The SDK requires these; the other fields exist only for its older versions.
            ['mfa', 'otp', 'password', 'oauth2'],
          ),
        ),
      ),
    },
  },
  ...sessionPaths(collection),
  ...mailPaths(collection),
  ...Object.fromEntries(
    NOT_OFFERED.map(({ action, why }) => [
      notOfferedPath(collection.name, action),
      postOf(collection)(camelCase(action), why, {}, {}, 403),
    ]),
  ),
})

const sessionPaths = (collection: Collection): Schema => {
  const { name: self } = collection
  const post = postOf(collection)
  const session = { token: text, record: ref(schemaName(collection)), meta: { type: 'object' } }
  const signIn = ok('A token and the record of its account.', object(session, ['token', 'record']))
  return {
    [API.authWithPassword(self)]: post(
      'authWithPassword',
      'Sign in with a password',
      bodyOf(strings('identity', 'password')),
      signIn,
      400,
    ),
    [API.authWithOAuth2(self)]: post(
      'authWithOAuth2',
      'Sign in with the response of the sign-in provider',
      bodyOf(
        object(
          {
            provider: { const: OAUTH_PROVIDER },
            code: text,
            error: { ...text, description: 'The error of the provider, in place of a code.' },
            codeVerifier: text,
            redirectURL: text,
            createData: { type: 'object' },
          },
          ['provider'],
        ),
      ),
      signIn,
      400,
      403,
    ),
    [API.authRefresh(self)]: post(
      'authRefresh',
      'Refresh the token of a valid session',
      {},
      signIn,
      401,
      403,
    ),
    [API.endSessions(self)]: post(
      'endSessions',
      'End all sessions of the account, including this one',
      {},
      NOTHING,
      401,
      403,
    ),
    [SERVICE_API.impersonate(self, '{id}')]: {
      parameters: [inPath('id', ID)],
      ...post(
        'impersonate',
        'Get a token for another account (superusers only)',
        bodyOf(object({ duration: { type: 'integer', description: 'Seconds.' } }, [])),
        signIn,
        400,
        403,
        404,
      ),
    },
  }
}

const mailPaths = (collection: Collection): Schema => {
  const { name: self } = collection
  const post = postOf(collection)
  return {
    [API.requestPasswordReset(self)]: post(
      'requestPasswordReset',
      'Send an email with a link to set a new password',
      bodyOf(strings('email')),
      NOTHING,
      400,
    ),
    [API.confirmPasswordReset(self)]: post(
      'confirmPasswordReset',
      'Set a new password',
      bodyOf(strings('token', 'password', 'passwordConfirm')),
      NOTHING,
      400,
    ),
    [API.requestVerification(self)]: post(
      'requestVerification',
      'Send an email with a link to confirm the address',
      bodyOf(strings('email')),
      NOTHING,
      400,
    ),
    [API.confirmVerification(self)]: post(
      'confirmVerification',
      'Confirm the address',
      bodyOf(strings('token')),
      NOTHING,
      400,
    ),
  }
}

const camelCase = (words: string): string =>
  words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

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

const METRICS: Schema = {
  '200': {
    description: 'The metrics, in the text format of Prometheus.',
    content: { 'text/plain': { schema: text } },
  },
}

const otherPaths: Schema = {
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
      ],
      ...answers(
        {
          ...conditional({ '200': BINARY }),
          '206': BINARY,
          '416': { description: 'The requested range is not in the file.' },
        },
        404,
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
            maxItems: BATCH_LIMITS.requests,
            items: object(
              {
                method: { enum: ['POST', 'PATCH', 'PUT', 'DELETE'] },
                url: text,
                headers: { type: 'object' },
                body: { type: 'object' },
              },
              ['method', 'url'],
            ),
          },
        }),
        true,
      ),
      ...answers(
        ok('The responses, in the order of the requests.', {
          type: 'array',
          items: object(
            {
              status: { type: 'integer' },
              body: { type: ['object', 'null'] },
              etag: {
                ...text,
                description:
                  'The ETag of the record after the request, for `If-Match`; absent for deletes.',
              },
            },
            ['status', 'body'],
          ),
        }),
        400,
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
      ...answers(NOTHING, 400, 403, 404),
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
      ...answers(
        ok(
          'The server is up.',
          object({ message: text, code: { const: 200 }, data: { type: 'object' } }),
        ),
      ),
    },
  },
  [SERVICE_API.ready]: {
    get: {
      tags: ['other'],
      operationId: 'ready',
      summary: 'Check whether the server is ready for requests; `data` names what does not work',
      ...answers(
        ok(
          'The server is ready.',
          object({ message: text, code: { const: 200 }, data: { type: 'object' } }),
        ),
        503,
      ),
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
      ...answers(ok('An OpenAPI 3.1 document.', { type: 'object' })),
    },
  },
}

const oneImport = ok('The import.', ref(schemaName(imports)))

/** Answers to the questions of an import (`ImportRow`, `questions`). */
const ANSWERS: Schema = {
  type: 'object',
  propertyNames: { enum: Object.keys(REPAIR_RULES) },
  additionalProperties: bool,
}

/** Creation of imports and feeds, and decisions about them. */
const importPaths: Schema = {
  [IMPORT_API.imports]: {
    post: {
      tags: [imports.name],
      operationId: 'takeImport',
      summary:
        'Create an import from a file, a text or an address; it is read and planned in the background',
      parameters: [KEY],
      ...bodyOf(
        object(
          {
            file: { type: 'string', format: 'binary' },
            text,
            url: text,
            token: { ...text, description: 'The token for `url`; never returned.' },
          },
          [],
        ),
        true,
      ),
      ...answers(oneImport, 400, 401, 403, 413, 422),
    },
  },
  [IMPORT_API.import('{id}')]: {
    parameters: [inPath('id', ID)],
    patch: {
      tags: [imports.name],
      operationId: 'changeImport',
      summary:
        'Choose what happens to missing sites, include or leave out rows, and answer all questions of a rule',
      ...bodyOf(
        object(
          {
            answers: { ...ANSWERS, description: 'By rule, for all open questions.' },
            missing: { enum: [...MISSING_CHOICES] },
            included: bool,
            where: object(
              {
                action: { enum: [...ROW_ACTIONS] },
                doubtful: bool,
                repaired: bool,
                included: bool,
                name: text,
              },
              [],
            ),
          },
          [],
        ),
      ),
      ...answers(oneImport, 400, 401, 403, 404, 409),
    },
  },
  [IMPORT_API.importRow('{id}', '{number}')]: {
    parameters: [inPath('id', ID), inPath('number', { type: 'integer' })],
    patch: {
      tags: [importRows.name],
      operationId: 'changeImportRow',
      summary:
        'Decide about one row of a plan: its site, the answers to its questions, whether it is included',
      ...bodyOf(
        object(
          {
            included: bool,
            site: { anyOf: [{ const: '' }, ID], description: 'Empty for a new site.' },
            answers: { ...ANSWERS, description: 'By rule.' },
          },
          [],
        ),
      ),
      ...answers(ok('The row.', ref(schemaName(importRows))), 400, 401, 403, 404, 409),
    },
  },
  [IMPORT_API.importMapping('{id}')]: {
    parameters: [inPath('id', ID)],
    post: {
      tags: [imports.name],
      operationId: 'mapImport',
      summary: 'Set the meaning of the columns of a table, in order, and read the table again',
      ...bodyOf(object({ mapping: { type: 'array', items: { enum: ['', ...COLUMN_TARGETS] } } })),
      ...answers(oneImport, 400, 401, 403, 404, 409),
    },
  },
  [IMPORT_API.feeds]: {
    post: {
      tags: [feeds.name],
      operationId: 'createFeed',
      summary:
        'Create a feed: an address that is read every night; the first plan waits for review',
      parameters: [KEY],
      ...bodyOf(
        object(
          {
            name: text,
            url: text,
            token: { ...text, description: 'Never returned.' },
            missing: { enum: [...MISSING_CHOICES] },
            apply: { type: 'array', items: { enum: [...FEED_ACTIONS] } },
          },
          ['url'],
        ),
      ),
      ...answers(ok('The feed.', ref(schemaName(feeds))), 400, 401, 403, 422),
    },
  },
  [IMPORT_API.feedToken('{id}')]: {
    parameters: [inPath('id', ID)],
    put: {
      tags: [feeds.name],
      operationId: 'setFeedToken',
      summary: 'Replace the token of a feed; an empty one removes it',
      ...bodyOf(strings('token')),
      ...answers(ok('The feed.', ref(schemaName(feeds))), 400, 401, 403, 404),
    },
  },
  [IMPORT_API.feedRead('{id}')]: {
    parameters: [inPath('id', ID)],
    post: {
      tags: [feeds.name],
      operationId: 'readFeed',
      summary: 'Read a feed now; the plan waits for review',
      ...answers(oneImport, 401, 403, 404, 409),
    },
  },
  [IMPORT_API.importRun('{id}')]: {
    parameters: [inPath('id', ID)],
    post: {
      tags: [imports.name],
      operationId: 'runImport',
      summary: 'Start to apply a plan, in batches that are each applied completely or not at all',
      ...answers(oneImport, 401, 403, 404, 409),
    },
  },
  [IMPORT_API.importUndo('{id}')]: {
    parameters: [inPath('id', ID)],
    post: {
      tags: [imports.name],
      operationId: 'undoImport',
      summary: 'Start to undo a run, record by record; anything changed since is left alone',
      ...answers(oneImport, 401, 403, 404, 409),
    },
  },
}
