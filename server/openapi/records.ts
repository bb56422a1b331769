import type { Collection } from '#domain/collection.ts'
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '#domain/limits.ts'
import { API } from '#domain/paths.ts'

import {
  CORRELATION,
  ID,
  KEY,
  KNOWN_VERSION,
  NOTHING,
  type Schema,
  answers,
  bodyOf,
  bool,
  conditional,
  inHeader,
  inPath,
  object,
  ok,
  query,
  ref,
  text,
  withVersion,
} from './components.ts'
import { bodyName, formsOf, schemaName } from './record-schemas.ts'

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

const recordBody = (collection: Collection, write: 'create' | 'change'): Schema => {
  const [json, form] = formsOf(collection).map((each) => ref(bodyName(collection, write, each)))
  return bodyOf(json ?? {}, { form, required: write === 'create' })
}

/** The operations on the records of a collection. */
export const recordPaths = (collection: Collection): Schema => {
  const name = schemaName(collection)
  const tags = [collection.name]
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
          KNOWN_VERSION,
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
          ...recordBody(collection, 'create'),
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
        parameters: [...VIEW, KNOWN_VERSION],
        ...answers(conditional(one), 400, 403, 404),
      },
      ...(offers('change') && {
        patch: {
          tags,
          operationId: `update${name}`,
          summary: `Update a record of ${collection.name}`,
          parameters: [...VIEW, IF_MATCH, KEY, CORRELATION],
          ...recordBody(collection, 'change'),
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
