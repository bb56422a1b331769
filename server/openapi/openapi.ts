import type { Collection } from '#domain/collection.ts'

import { authPaths } from './auth.ts'
import { ERROR, FIELD_ERROR, errorsOf, type Json, type Schema } from './components.ts'
import { importPaths } from './imports.ts'
import { LOSS, openPaths } from './open.ts'
import { otherPaths } from './other.ts'
import { LINE, publicPaths, publicSite } from './public.ts'
import { jsonSchemas, recordSchemas } from './record-schemas.ts'
import { recordPaths } from './records.ts'

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
    { name: 'open data' },
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
      LineString: LINE,
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
        : { ...(operation as Schema), responses: { ...errorsOf([400, 401, 413]), ...responses } }
    }),
  )

const mapValues = (value: Schema, change: (value: Json) => Json): Schema =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, change(each)]))
