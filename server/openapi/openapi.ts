import * as z from 'zod/mini'

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
import { ID_LENGTH, ID_PATTERN, isReadOnly, type Collection } from '#domain/collection.ts'
import { FIELD_ERRORS, MISCONFIGURED } from '#domain/error.ts'
import { isList, type Field } from '#domain/field.ts'
import { DUPLICATE_INPUT, DUPLICATE_LIMITS } from '#domain/duplicate.ts'
import {
  FEED_ACTIONS,
  feeds,
  importRows,
  imports,
  MISSING_CHOICES,
  ROW_ACTIONS,
} from '#domain/import.ts'
import { COLUMN_TARGETS, SOURCE_FORMATS } from '#domain/import-source.ts'
import { GEOCODE_LIMITS } from '#domain/geocode.ts'
import { businesses } from '#domain/business.ts'
import { connectors } from '#domain/connector.ts'
import { FILTER_PARAMETERS, PUBLIC_READ_LIMITS, TILE_LAYER } from '#domain/public-read.ts'
import {
  PUBLIC_BUSINESS_FIELDS,
  PUBLIC_CONNECTOR_FIELDS,
  PUBLIC_SITE_FIELDS,
  PUBLIC_TARIFF_FIELDS,
} from '#domain/public-site.ts'
import { MAX_SEARCH_LENGTH, MIN_SEARCH_LENGTH } from '#domain/search-words.ts'
import { sites } from '#domain/site.ts'
import { tariffs } from '#domain/tariff.ts'
import { REPORT_INPUT } from '#domain/report.ts'
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
  openScope,
} from '#domain/open-data.ts'
import { CORRELATION_ID } from '../caller.ts'

/** JSON of the document. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
type Schema = { readonly [key: string]: Json }

/** The parts of the document that differ between installations. */
export interface Installation {
  readonly productName: string
  readonly publicUrl: string
  readonly declarations: readonly Collection[]
}

/**
 * Describes every route of the API in OpenAPI 3.1, from the server's own declarations: the collections, their
 * fields and limits, the paths, the error codes.
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
      'Records of businesses, charging sites and connectors. The wire contract is that of PocketBase, so its public SDKs work. Every caller sees and changes what is his own.',
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
  paths: {
    ...Object.assign({}, ...declarations.map(recordPaths)),
    ...Object.assign({}, ...declarations.filter(({ auth }) => auth).map(authPaths)),
    ...otherPaths,
    ...publicPaths,
    ...openPaths(),
    ...importPaths,
  },
  components: {
    securitySchemes: {
      token: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'The token that a sign-in answered, with or without "Bearer " in front.',
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

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const text: Schema = { type: 'string' }
const bool: Schema = { type: 'boolean' }
const share: Schema = { type: 'number', minimum: 0, maximum: 1 }
const object = (
  properties: Schema,
  required: readonly string[] = Object.keys(properties),
): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const ID: Schema = {
  type: 'string',
  minLength: ID_LENGTH,
  maxLength: ID_LENGTH,
  pattern: ID_PATTERN.source,
}
const DATE: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  examples: ['2026-11-20 09:30:00.000Z'],
}
const FIELD_ERROR: Schema = {
  type: 'object',
  description: 'What is wrong with one field.',
  properties: {
    code: { type: 'string', examples: Object.keys(FIELD_ERRORS) },
    message: text,
    params: { type: 'object' },
  },
  required: ['code', 'message'],
}
const ERROR: Schema = {
  type: 'object',
  description: 'Every answer of status 400 and above. `data` holds the errors of fields by name.',
  properties: { status: { type: 'integer' }, message: text, data: { type: 'object' } },
  required: ['status', 'message', 'data'],
  additionalProperties: false,
}

/** The schema name of a record: "Site" for `sites`. */
const schemaName = ({ name }: Collection): string => {
  const singular = name.replace(/^_/, '').replace(/(ss)es$|s$/, '$1')
  return singular.charAt(0).toUpperCase() + singular.slice(1)
}

const recordSchemas = (collection: Collection): Schema => ({
  ...answeredSchema(collection),
  ...(isWritten(collection) && sentSchema(collection)),
})

const isWritten = (collection: Collection): boolean => !isReadOnly(collection)

const answeredSchema = (collection: Collection): Schema => {
  const answered = Object.fromEntries(
    Object.entries(collection.fields).map(([name, field]) => [
      name,
      answeredField(field, shapeName(collection, name)),
    ]),
  )
  return {
    [schemaName(collection)]: object(
      {
        id: ID,
        collectionId: { const: collection.id },
        collectionName: { const: collection.name },
        ...answered,
        expand: { type: 'object', description: 'The records asked for with `expand`.' },
      },
      // Hidden emails are omitted.
      ['id', 'collectionId', 'collectionName', ...Object.keys(answered)].filter(
        (key) => key !== 'email',
      ),
    ),
  }
}

/** The schema name of a JSON field: "SiteOpeningHours" for `opening_hours` of a site. */
const shapeName = (collection: Collection, name: string): string =>
  schemaName(collection) +
  name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const jsonSchemas = async (collection: Collection): Promise<Schema> => {
  const shapes = Object.entries(collection.fields).map(async ([name, field]) => {
    if (field.kind !== 'json' || field.schema === undefined) return []
    // The whole document declares the dialect.
    const { $schema: _, ...described } = z.toJSONSchema(await field.schema(), { io: 'input' })
    return [[shapeName(collection, name), described as Schema]]
  })
  return Object.fromEntries((await Promise.all(shapes)).flat()) as Schema
}

const sentSchema = (collection: Collection): Schema => {
  const fields = Object.entries(collection.fields)
  const sent = fields.filter(([, field]) => field.kind !== 'autodate')
  const input = Object.fromEntries([
    ...sent.map(([name, field]) => [name, sentField(field, shapeName(collection, name))]),
    ...sent.flatMap(([name, field]) => modifiers(name, field)),
  ])
  const required = sent.flatMap(([name, field]) => {
    const isFilled = field.kind === 'select' && field.default !== undefined
    return field.required && !isFilled ? [name] : []
  })
  return {
    [`${schemaName(collection)}Input`]: {
      type: 'object',
      properties: {
        id: { ...ID, description: 'On a create: an id of your own choice.' },
        ...input,
        ...passwordInput(collection),
      },
      description: `Required on a create: ${required.join(', ') || 'nothing'}. On an update only what is sent is changed.`,
    },
  }
}

const passwordInput = (collection: Collection): Schema =>
  collection.auth ? { password: text, passwordConfirm: text, oldPassword: text } : {}

const answeredField = (field: Field, shape: string): Schema => {
  if (isList(field))
    return { type: 'array', items: field.kind === 'select' ? { enum: [...field.values] } : text }
  switch (field.kind) {
    case 'number':
      return { type: 'number' }
    case 'bool':
      return bool
    case 'select':
      return { enum: [...(field.required ? [] : ['']), ...field.values] }
    case 'autodate':
      return DATE
    case 'date':
      return { anyOf: [{ const: '' }, DATE] }
    case 'json':
      return field.schema === undefined
        ? { type: ['object', 'array', 'null'] }
        : { anyOf: [{ type: 'null' }, ref(shape)] }
    case 'relation':
      return field.required ? ID : { anyOf: [{ const: '' }, ID] }
    default:
      return text
  }
}

const sentField = (field: Field, shape: string): Schema => {
  const alias: Schema =
    field.alias === undefined ? {} : { description: `Also taken as \`${field.alias}\`.` }
  switch (field.kind) {
    case 'number':
      return {
        type: field.integer ? 'integer' : 'number',
        ...(field.min !== undefined && { minimum: field.min }),
        ...(field.max !== undefined && { maximum: field.max }),
        ...(field.above !== undefined && { exclusiveMinimum: field.above }),
        ...alias,
      }
    case 'select':
      if (field.maxCount !== undefined)
        return { type: 'array', items: { enum: [...field.values] }, maxItems: field.maxCount }
      return {
        enum: [...(field.ownerValues ?? field.values)],
        ...(field.default !== undefined && { default: field.default }),
      }
    case 'bool':
      return { ...bool, ...(field.default !== undefined && { default: field.default }) }
    case 'date':
      return {
        ...text,
        description: 'A date, with a time or without; in UTC unless it says otherwise.',
      }
    case 'text':
      return {
        type: 'string',
        maxLength: field.max,
        ...(field.format && {
          pattern: field.format.pattern.source,
          examples: [field.format.example],
        }),
      }
    case 'email':
    case 'url':
      return { type: 'string', maxLength: field.max }
    case 'files': {
      const file: Schema = { type: 'string', format: 'binary' }
      const description = `Images, each at most ${field.maxBytes} bytes; as JSON, names that are stored.`
      return field.single
        ? { ...file, description }
        : { type: 'array', items: file, maxItems: field.maxCount, description }
    }
    default:
      return answeredField(field, shape)
  }
}

const modifiers = (name: string, field: Field): [string, Schema][] => {
  if (field.kind === 'number')
    return [
      [`${name}+`, { type: 'number' }],
      [`${name}-`, { type: 'number' }],
    ]
  if (field.kind === 'select' && isList(field)) {
    const values: Schema = { type: 'array', items: { enum: [...field.values] } }
    return [`${name}+`, `+${name}`, `${name}-`].map((key) => [key, values])
  }
  if (field.kind === 'json' && field.keyedBy !== undefined)
    return [
      [
        `${name}+`,
        {
          type: 'object',
          additionalProperties: text,
          description: `Sets entries by the names of \`${field.keyedBy}\`; \`""\` removes one.`,
        },
      ],
    ]
  if (field.kind !== 'files') return []
  const file: Schema = { type: 'array', items: { type: 'string', format: 'binary' } }
  const removed: Schema = { type: 'array', items: text, description: 'Stored names to remove.' }
  return [
    [`${name}+`, file],
    [`+${name}`, file],
    [`${name}-`, removed],
  ]
}

const query = (name: string, schema: Schema, description: string): Schema => ({
  name,
  in: 'query',
  schema,
  description,
})
const inPath = (name: string, schema: Schema = text): Schema => ({
  name,
  in: 'path',
  required: true,
  schema,
})
const inHeader = (name: string, description: string, schema: Schema = text): Schema => ({
  name,
  in: 'header',
  schema,
  description,
})

const VIEW: readonly Schema[] = [
  query(
    'fields',
    text,
    'The keys to answer, as comma-separated paths; `*` for all at a level, `:excerpt(max,ellipsis)` behind one.',
  ),
  query(
    'expand',
    text,
    'Relations to follow, as comma-separated paths, such as `business` or `connectors_via_site`.',
  ),
]
const KEY = inHeader(
  'Idempotency-Key',
  'A second request with the key gets the first one’s answer.',
)
const CORRELATION = inHeader(
  'Correlation-Id',
  'What several requests have in common; `changes` has it as `correlation_id`. Another form is ignored.',
  { type: 'string', pattern: CORRELATION_ID.source },
)

const json = (schema: Schema): Schema => ({ content: { 'application/json': { schema } } })
const bodyOf = (schema: Schema, withFiles = false): Schema => ({
  requestBody: {
    content: {
      'application/json': { schema },
      ...(withFiles && { 'multipart/form-data': { schema } }),
    },
  },
})

const answers = (success: Schema, ...statuses: readonly number[]): Schema => ({
  responses: {
    ...success,
    ...Object.fromEntries(
      [...new Set([...statuses, 429, 503])].map((status) => [
        String(status),
        { description: REASONS[status] ?? '', ...json(ref('Error')) },
      ]),
    ),
  },
})

const REASONS: Readonly<Record<number, string>> = {
  400: 'What was sent cannot be read or accepted; `data` says why.',
  401: 'There is no live session.',
  403: 'This is for superusers, for another collection, or not offered.',
  404: 'There is no such thing, or it is somebody else’s.',
  409: 'It is in another state, or something else of the business is under way; `message` says which.',
  410: 'It was public until it was removed; `data` has its last position.',
  412: 'The record was changed since the version named in `If-Match`.',
  413: 'The body is too large.',
  422: 'The `Idempotency-Key` was used for another request.',
  429: 'Too many requests; `Retry-After` says when to go on.',
  503: 'There is too much to do, or what this needs cannot be reached; `Retry-After` says when to try again.',
}

const ok = (description: string, schema: Schema): Schema => ({
  '200': { description, ...json(schema) },
})
const NOTHING: Schema = { '204': { description: 'Done.' } }
const NOT_MODIFIED: Schema = {
  '304': { description: 'The version named in `If-None-Match` is the newest.' },
}

const recordPaths = (collection: Collection): Schema => {
  const name = schemaName(collection)
  const tags = [collection.name]
  const withFiles = Object.values(collection.fields).some(({ kind }) => kind === 'files')
  const one = ok('The record.', ref(name))
  return {
    [API.records(collection.name)]: {
      get: {
        tags,
        operationId: `list${name}Records`,
        summary: `List ${collection.name}`,
        parameters: [
          query('page', { type: 'integer', default: 1 }, 'Counted from 1.'),
          query(
            'perPage',
            {
              type: 'integer',
              default: DEFAULT_PER_PAGE,
              maximum: collection.maxPerPage ?? MAX_PER_PAGE,
            },
            'Records a page.',
          ),
          query('filter', text, 'A filter, such as `status = "AVAILABLE" && kw_rating >= 50`.'),
          query('sort', text, 'Fields, comma-separated; `-` in front for descending.'),
          query('skipTotal', bool, 'Leaves out the counts, which are then -1.'),
          ...VIEW,
          inHeader('If-None-Match', 'The ETag of an earlier answer.'),
        ],
        ...answers(
          {
            ...ok(
              'A page of records.',
              object({
                page: { type: 'integer' },
                perPage: { type: 'integer' },
                totalItems: { type: 'integer' },
                totalPages: { type: 'integer' },
                items: { type: 'array', items: ref(name) },
              }),
            ),
            ...NOT_MODIFIED,
          },
          400,
          403,
        ),
      },
      ...(isWritten(collection) && {
        post: {
          tags,
          operationId: `create${name}`,
          summary: `Create one of the ${collection.name}`,
          parameters: [...VIEW, KEY, CORRELATION],
          ...bodyOf(ref(`${name}Input`), withFiles),
          ...answers(one, 400, 403, 413, 422),
        },
      }),
    },
    [API.record(collection.name, '{id}')]: {
      parameters: [inPath('id', ID)],
      get: {
        tags,
        operationId: `get${name}`,
        summary: `Get one of the ${collection.name}`,
        parameters: [...VIEW, inHeader('If-None-Match', 'The ETag of an earlier answer.')],
        ...answers({ ...one, ...NOT_MODIFIED }, 400, 403, 404),
      },
      ...(isWritten(collection) && {
        patch: {
          tags,
          operationId: `update${name}`,
          summary: `Change one of the ${collection.name}`,
          parameters: [
            ...VIEW,
            inHeader('If-Match', 'The ETag of the version that is changed.'),
            KEY,
            CORRELATION,
          ],
          ...bodyOf(ref(`${name}Input`), withFiles),
          ...answers(one, 400, 403, 404, 412, 413, 422),
        },
        delete: {
          tags,
          operationId: `delete${name}`,
          summary: `Delete one of the ${collection.name}, and what belongs to it`,
          parameters: [KEY, CORRELATION],
          ...answers(NOTHING, 400, 403, 404, 422),
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
      summary: 'The ways to sign in',
      ...answers(
        ok(
          'What is enabled.',
          object({
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
          }),
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
  const signIn = ok('A token, and the record that it is for.', object(session, ['token', 'record']))
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
      'Sign in with the answer of the sign-in provider',
      bodyOf(
        object(
          {
            provider: { const: OAUTH_PROVIDER },
            code: text,
            error: { ...text, description: 'In place of a code: what the provider answered.' },
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
      'A new token for a live session',
      {},
      signIn,
      401,
      403,
    ),
    [API.endSessions(self)]: post(
      'endSessions',
      'End every session of the account, the asking one too',
      {},
      NOTHING,
      401,
      403,
    ),
    [SERVICE_API.impersonate(self, '{id}')]: {
      parameters: [inPath('id', ID)],
      ...post(
        'impersonate',
        'A token for somebody else; for superusers',
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
      'Mail a link that sets a new password',
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
      'Mail a link that proves the address',
      bodyOf(strings('email')),
      NOTHING,
      400,
    ),
    [API.confirmVerification(self)]: post(
      'confirmVerification',
      'Prove the address',
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
    description: 'A page that says that the window can be closed.',
    content: { 'text/html': { schema: text } },
  },
}

const METRICS: Schema = {
  '200': {
    description: 'The values, in the text format of Prometheus.',
    content: { 'text/plain': { schema: text } },
  },
}

const otherPaths: Schema = {
  [API.file('{collection}', '{id}', '{name}')]: {
    parameters: [inPath('collection'), inPath('id', ID), inPath('name')],
    get: {
      tags: ['files'],
      operationId: 'getFile',
      summary: 'A stored file',
      parameters: [
        query(
          'thumb',
          text,
          'A size that the field offers: `WxH`, `WxHt`, `WxHb`, `WxHf`, `0xH`, `Wx0`.',
        ),
        query('download', bool, 'Asks the browser to save it.'),
        query('token', text, 'A file token, for files that are protected.'),
      ],
      ...answers(
        {
          '200': BINARY,
          '206': BINARY,
          ...NOT_MODIFIED,
          '416': { description: 'There are no such bytes.' },
        },
        404,
      ),
    },
  },
  [API.fileToken]: {
    post: {
      tags: ['files'],
      operationId: 'createFileToken',
      summary: 'A token that opens protected files for a short time',
      ...answers(ok('The token.', object({ token: text })), 401),
    },
  },
  [API.export]: {
    get: {
      tags: ['other'],
      operationId: 'export',
      summary: 'Everything of the account in one archive: `data.json`, the logo and the photos',
      parameters: [query('token', text, 'A file token, where no header can be sent.')],
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
      summary: `Up to ${BATCH_LIMITS.requests} writes in one transaction`,
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
        ok('The answers, in the order of the requests.', {
          type: 'array',
          items: object({ status: { type: 'integer' }, body: { type: ['object', 'null'] } }),
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
        'Search an address, or find that of a place, or open a map link; for people who are signed in',
      parameters: [
        query(
          'q',
          { type: 'string', maxLength: GEOCODE_LIMITS.queryLength },
          'The address. Required, unless there is a position or a link.',
        ),
        query(
          'latitude',
          { type: 'number' },
          'With `longitude`: places near here come first. Without `q`: the address of this place.',
        ),
        query('longitude', { type: 'number' }, 'See `latitude`.'),
        query(
          'link',
          { type: 'string', maxLength: GEOCODE_LIMITS.linkLength },
          'A short link of a map app, such as maps.app.goo.gl; answers its place, without an address.',
        ),
        inHeader('Accept-Language', 'The language of the answer, where the geocoder speaks it.'),
      ],
      ...answers(
        ok(
          'The likeliest places, and whose data they are.',
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
      summary:
        'Find the sites that may be the same as one that is about to be added; for people who are signed in',
      parameters: [
        ...(['lat', 'lng', 'name'] as const).map((name) => ({
          ...query(name, sentField(DUPLICATE_INPUT[name], ''), 'As of the site.'),
          required: true,
        })),
        query(
          'site',
          ID,
          'Its id, if it is there already, so that it is not compared with itself.',
        ),
      ],
      ...answers(
        ok(
          'The most probable first. Of other businesses there is only what everybody may read.',
          object({
            items: {
              type: 'array',
              maxItems: DUPLICATE_LIMITS.items,
              items: object({
                id: ID,
                is_own: { ...bool, description: 'It is a site of the caller.' },
                name: text,
                address: text,
                business: { ...text, description: 'The name of its business.' },
                latitude: { type: 'number' },
                longitude: { type: 'number' },
                distance_m: { type: 'integer' },
                likeness: { ...share, description: 'How alike the names are.' },
                score: { ...share, description: 'How probable it is that both are one site.' },
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
      summary: 'Tell the owner of a public site that something is wrong; for everybody',
      parameters: [
        inHeader('Accept-Language', 'The language of the mail with the answer of the owner.'),
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
      summary: 'A stream of changes; the first event is PB_CONNECT with the id of the client',
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
      summary: 'Say what a stream should carry',
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
      summary: 'Where the sign-in provider sends a popup to',
      ...answers(PAGE),
    },
    post: {
      tags: ['other'],
      operationId: 'oauth2RedirectPost',
      summary: 'The same, for providers that send a form',
      ...answers(PAGE),
    },
  },
  [API.providerSignOut]: {
    post: {
      tags: ['other'],
      operationId: 'providerSignOut',
      summary: 'Where to end the session at the sign-in provider, once that here is forgotten',
      ...bodyOf(object({ redirectURL: text })),
      ...answers(ok('Empty where the provider offers no such place.', object({ url: text })), 400),
    },
  },
  [SERVICE_API.health]: {
    get: {
      tags: ['other'],
      operationId: 'health',
      summary: 'Is the server up?',
      ...answers(
        ok('It is.', object({ message: text, code: { const: 200 }, data: { type: 'object' } })),
      ),
    },
  },
  [SERVICE_API.ready]: {
    get: {
      tags: ['other'],
      operationId: 'ready',
      summary: 'Had requests better be sent here? `data` names what does not work',
      ...answers(
        ok('They had.', object({ message: text, code: { const: 200 }, data: { type: 'object' } })),
        503,
      ),
    },
  },
  [SERVICE_API.metrics]: {
    get: {
      tags: ['other'],
      operationId: 'metrics',
      summary: 'Measured values for Prometheus, from this computer or with METRICS_TOKEN',
      ...answers(METRICS, 404),
    },
  },
  [SERVICE_API.openapi]: {
    get: {
      tags: ['other'],
      operationId: 'openapi',
      summary: 'This document',
      ...answers(ok('OpenAPI 3.1.', { type: 'object' })),
    },
  },
}

const number: Schema = { type: 'number' }

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

const publicSite = (): Schema => {
  const { properties, required, ...rest } = publicObject(sites, PUBLIC_SITE_FIELDS, {
    business: publicObject(businesses, PUBLIC_BUSINESS_FIELDS),
    connectors: {
      type: 'array',
      minItems: 1,
      description: 'The most powerful first.',
      items: publicObject(connectors, PUBLIC_CONNECTOR_FIELDS),
    },
    tariffs: {
      type: 'array',
      description: 'The prices that the site and its connectors name.',
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
        description: 'From the position or the line that a list is about; only there.',
      },
      along_m: {
        type: 'integer',
        description:
          'The length of the line up to its point nearest to the site; only along a line.',
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

const KNOWN_VERSION = inHeader('If-None-Match', 'The ETag of an earlier answer.')

const FILTERS: readonly Schema[] = [
  repeated('plug', FILTER_PARAMETERS.plug, 'One of these plugs. May be repeated.'),
  query(
    'min_kw',
    { type: 'number', minimum: 0, maximum: PUBLIC_READ_LIMITS.maxKw },
    'A connector, with one of the plugs, has at least this power.',
  ),
  query('free', { enum: [...FILTER_PARAMETERS.free] }, 'Charging costs nothing.'),
  query('available', { enum: [...FILTER_PARAMETERS.available] }, 'Its status is AVAILABLE.'),
  query('open', { enum: [...FILTER_PARAMETERS.open] }, 'Its hours are known, and it is open.'),
  query('business', ID, 'It belongs to this business.'),
  repeated('access', FILTER_PARAMETERS.access, 'Who may charge: one of these. May be repeated.'),
]

const position = { latitude: number, longitude: number }
const SEARCH: Schema = {
  type: 'string',
  minLength: MIN_SEARCH_LENGTH,
  maxLength: MAX_SEARCH_LENGTH,
}

/** Describes a public read. */
const publicRead = (
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
    ...answers({ ...success, ...NOT_MODIFIED }, 400, ...statuses),
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
    'Sites a page.',
  ),
  query('cursor', text, '`next` of the page before.'),
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
      'application/geo+json': { schema: { type: 'object' } },
    },
  },
}

const publicPaths: Schema = {
  [API.publicSites]: publicRead(
    'listPublicSites',
    'Public sites near a position, in a box or with words; exactly one of `near`, `bbox` and `q`',
    [
      query('near', text, '`latitude,longitude`; the nearest first.'),
      query('bbox', text, '`west,south,east,north`; west of 180° and east of it if west > east.'),
      query(
        'q',
        SEARCH,
        'Words of the name, address, town or business; the last may be a beginning.',
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
      summary: 'Public sites along a line, in its order',
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
          'How many metres from the line a site may be.',
        ),
        ...FILTERS,
        ...LIST_PAGE,
      ],
      requestBody: {
        required: true,
        description: `A GeoJSON LineString (RFC 7946), at most ${PUBLIC_READ_LIMITS.routeKm} km long.`,
        content: {
          'application/json': {
            schema: object({
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
            }),
          },
        },
      },
      ...answers(PAGE_OF_SITES, 400, 413),
    },
  },
  [API.publicSite('{id}')]: {
    parameters: [inPath('id', ID)],
    ...publicRead(
      'getPublicSite',
      'A public site',
      [],
      ok('The site.', ref('PublicSite')),
      404,
      410,
    ),
  },
  [API.publicTile('{z}', '{x}', '{y}')]: {
    parameters: ['z', 'x', 'y'].map((name) => inPath(name, { type: 'integer' })),
    ...publicRead(
      'getPublicTile',
      'A tile of the map with clusters of sites, and single ones from zoom 14',
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
    'Towns with sites, and sites, that a text may mean',
    [{ ...query('q', SEARCH, 'What was typed so far.'), required: true }],
    ok(
      'Towns with most sites first, then sites.',
      object({
        items: {
          type: 'array',
          maxItems: 2 * PUBLIC_READ_LIMITS.suggestions,
          items: {
            oneOf: [
              object({
                kind: { const: 'town' },
                name: text,
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

const oneImport = ok('The import.', ref(schemaName(imports)))

/** What owners bring in, and what they decide about it. */
const importPaths: Schema = {
  [IMPORT_API.imports]: {
    post: {
      tags: [imports.name],
      operationId: 'takeImport',
      summary: 'Bring in a file, a text or an address; it is read and planned in the background',
      ...bodyOf(
        object(
          {
            file: { type: 'string', format: 'binary' },
            text,
            url: text,
            token: { ...text, description: 'For `url`; it is never answered.' },
            format: { enum: [...SOURCE_FORMATS] },
          },
          [],
        ),
        true,
      ),
      ...answers(oneImport, 400, 401, 403, 413),
    },
  },
  [IMPORT_API.import('{id}')]: {
    parameters: [inPath('id', ID)],
    patch: {
      tags: [imports.name],
      operationId: 'changeImport',
      summary: 'Say what happens to missing sites, and which rows are left out',
      ...bodyOf(
        object(
          {
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
        'Decide about one row of a plan: its site, the answers to its questions, or to leave it out',
      ...bodyOf(
        object(
          {
            included: bool,
            site: { anyOf: [{ const: '' }, ID], description: 'Empty: a new site.' },
            answers: { type: 'object', additionalProperties: bool, description: 'By rule.' },
          },
          [],
        ),
      ),
      ...answers(ok('The row.', ref(schemaName(importRows))), 400, 401, 403, 404, 409),
    },
  },
  [IMPORT_API.importReport('{id}')]: {
    parameters: [inPath('id', ID)],
    get: {
      tags: [imports.name],
      operationId: 'getImportReport',
      summary: 'What was planned for each row, and what has become of it',
      ...answers(
        { '200': { description: 'A table.', content: { 'text/csv': { schema: text } } } },
        401,
        403,
        404,
      ),
    },
  },
  [IMPORT_API.importMapping('{id}')]: {
    parameters: [inPath('id', ID)],
    post: {
      tags: [imports.name],
      operationId: 'mapImport',
      summary: 'Say what the columns of a table mean, in their order; it is read again',
      ...bodyOf(object({ mapping: { type: 'array', items: { enum: ['', ...COLUMN_TARGETS] } } })),
      ...answers(oneImport, 400, 401, 403, 404, 409),
    },
  },
  [IMPORT_API.feeds]: {
    post: {
      tags: [feeds.name],
      operationId: 'createFeed',
      summary: 'Read an address every night; the first time, its plan waits for a person',
      ...bodyOf(
        object(
          {
            name: text,
            url: text,
            token: { ...text, description: 'It is never answered.' },
            format: { enum: [...SOURCE_FORMATS] },
            missing: { enum: [...MISSING_CHOICES] },
            apply: { type: 'array', items: { enum: [...FEED_ACTIONS] } },
          },
          ['url'],
        ),
      ),
      ...answers(ok('The feed.', ref(schemaName(feeds))), 400, 401, 403),
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
      summary: 'Read a feed now; its plan waits for a person',
      ...answers(oneImport, 401, 403, 404, 409),
    },
  },
  [IMPORT_API.importRun('{id}')]: {
    parameters: [inPath('id', ID)],
    post: {
      tags: [imports.name],
      operationId: 'runImport',
      summary: 'Begin to apply a plan, in batches that are whole or not at all',
      ...answers(oneImport, 401, 403, 404, 409),
    },
  },
  [IMPORT_API.importUndo('{id}')]: {
    parameters: [inPath('id', ID)],
    post: {
      tags: [imports.name],
      operationId: 'undoImport',
      summary: 'Begin to undo a run; what was changed since is left alone',
      ...answers(oneImport, 401, 403, 404, 409),
    },
  },
}

const LOSS: Schema = {
  ...object(
    {
      on: { enum: ['sites', 'connectors', 'tariffs', 'businesses'] },
      field: text,
      reason: { enum: [...LOSS_REASONS] },
      count: { type: 'integer', minimum: 2, description: 'Of how many records of the site.' },
    },
    ['on', 'field', 'reason'],
  ),
  description: 'A field that an output cannot hold as it is.',
}

const CATALOGUE: Schema = object({
  sites: number,
  connectors: number,
  changed: text,
  formats: {
    type: 'array',
    items: object({ format: { enum: [...OPEN_FORMATS] }, path: text, type: text, losses: text }),
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

/** Open data, of all or of a business. */
const openPaths = (): Schema => ({
  ...openPathsOf(undefined, 'All'),
  ...openPathsOf('{business}', 'Business'),
  [OPEN.businesses]: openRead(
    'listOpenBusinesses',
    'The businesses with public sites, and under which licence they publish',
    [],
    ok('By their ids.', {
      type: 'array',
      items: object({ id: ID, name: text, licence: text, sites: number, changed: text }),
    }),
  ),
  [OPEN.osmTags('{site}')]: {
    parameters: [inPath('site', ID)],
    ...openRead(
      'getOsmTags',
      'The tags of a site for OpenStreetMap',
      [],
      ok('Keys and values.', { type: 'object', additionalProperties: text }),
    ),
  },
  [OPEN.siteLosses('{site}')]: {
    parameters: [inPath('site', ID)],
    ...openRead(
      'getSiteLosses',
      'What each output cannot hold of a site',
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

const SINCE = query('since', text, 'Only sites that changed since this time.')

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
            schema:
              type === 'application/json'
                ? { type: 'array' }
                : { type: 'string', format: 'binary' },
          },
        },
      },
    }
    const read = openRead(
      `get_${format}_${suffix}`,
      `All public sites as ${format}`,
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
        `What the output ${format} cannot hold`,
        [SINCE],
        ok('The sites of which there is something.', {
          type: 'array',
          items: object({ id: ID, losses: { type: 'array', items: ref('Loss') } }),
        }),
      ),
    ),
  ])
  return {
    ...(Object.fromEntries([...files, ...losses]) as Schema),
    [`${openScope(business)}/catalogue.json`]: scoped(
      openRead(`getCatalogue${suffix}`, 'What there is', [], ok('The catalogue.', CATALOGUE)),
    ),
    [OPEN.withdrawn(business)]: scoped(
      openRead(
        `listWithdrawn${suffix}`,
        'Sites that were public',
        [SINCE],
        ok('In the order in which they became public.', {
          type: 'array',
          items: object({ id: ID, business: ID, withdrawn: DATE }),
        }),
      ),
    ),
    ...ocpiPaths(business, suffix, scoped),
  }
}

/** OCPI has a shape of its own for every answer, errors among them. */
const ENVELOPE: Schema = object(
  { data: {}, status_code: { type: 'integer' }, status_message: text, timestamp: text },
  ['status_code', 'timestamp'],
)

const ocpiRead = (operationId: string, summary: string, parameters: readonly Schema[]): Schema => ({
  get: {
    tags: ['open data'],
    operationId,
    summary,
    security: [],
    parameters: [...parameters, KNOWN_VERSION],
    responses: {
      ...ok('Success.', ENVELOPE),
      ...NOT_MODIFIED,
      ...Object.fromEntries(
        [400, 404, 429, 503].map((status) => [
          String(status),
          { description: REASONS[status] ?? '', ...json(ENVELOPE) },
        ]),
      ),
    },
  },
})

const OCPI_PAGE: readonly Schema[] = [
  query('date_from', text, 'Last updated at this time or later.'),
  query('date_to', text, 'Last updated before this time.'),
  query('offset', { type: 'integer', minimum: 0 }, 'How many are before the page.'),
  query('limit', { type: 'integer', minimum: 1 }, 'At most as many; `X-Limit` is the most.'),
  query('after', text, 'Where the page begins, in the address of the header `Link`.'),
]

const ocpiPaths = (
  business: string | undefined,
  suffix: string,
  scoped: (path: Schema) => Schema,
): Schema => {
  const read = (name: string, summary: string, parameters: readonly Schema[] = []): Schema =>
    scoped(ocpiRead(`${name}_${suffix}`, summary, parameters))
  const objects = ['{id}', '{id}/{evse}', '{id}/{evse}/{connector}']
  const inObject = (path: string): Schema[] =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => inPath(name))
  const ofVersion = OCPI_VERSIONS.flatMap((version) => [
    [ocpiPath(version, '', business), read(`ocpi_${version}`, 'The endpoints of a version')],
    [
      ocpiPath(version, 'locations', business),
      read(`ocpiLocations_${version}`, 'Locations, the oldest first', OCPI_PAGE),
    ],
    [
      ocpiPath(version, 'tariffs', business),
      read(`ocpiTariffs_${version}`, 'Tariffs, the oldest first', OCPI_PAGE),
    ],
    ...objects.map((path, index) => [
      ocpiPath(version, `locations/${path}`, business),
      read(`ocpiObject${index}_${version}`, 'A Location, an EVSE or a connector', inObject(path)),
    ]),
  ])
  return {
    [OPEN.ocpiVersions(business)]: read('ocpiVersions', 'The versions of OCPI'),
    ...(Object.fromEntries(ofVersion) as Schema),
  }
}
