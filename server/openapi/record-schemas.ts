import * as z from 'zod/mini'

import { SUPERUSERS, type Collection } from '#domain/collection.ts'
import { fileFields, isList, type Field } from '#domain/field.ts'

import {
  DATE,
  ID,
  OPTIONAL_DATE,
  OPTIONAL_ID,
  SENT_DATE,
  type Schema,
  anyObject,
  bool,
  object,
  ref,
  text,
} from './components.ts'

/** The schema name of a record: "Site" for `sites`. */
export const schemaName = ({ name }: Collection): string => {
  const singular = name.replace(/^_/, '').replace(/(ss)es$|s$/, '$1')
  return singular.charAt(0).toUpperCase() + singular.slice(1)
}

/** The schemas of a collection's records, in responses and in requests. */
export const recordSchemas = (collection: Collection): Schema => ({
  ...answeredSchema(collection),
  ...Object.fromEntries(
    (['create', 'change'] as const)
      .filter((action) => collection.access[action] !== 'nobody')
      .flatMap((action) =>
        formsOf(collection).map((form) => [
          bodyName(collection, action, form),
          sentSchema(collection, action, form),
        ]),
      ),
  ),
})

type Write = 'create' | 'change'
/** Files can only be sent as multipart; in JSON, only updates have them, by their stored names. */
type Form = 'json' | 'multipart'

/** The forms in which a record of the collection can be sent. */
export const formsOf = (collection: Collection): readonly Form[] =>
  fileFields(collection).length > 0 ? ['json', 'multipart'] : ['json']

/** The schema name of a body: "SiteInput" and "SiteUpdate" in JSON, "SiteForm" and "SiteUpdateForm" in multipart. */
export const bodyName = (collection: Collection, write: Write, form: Form): string =>
  schemaName(collection) + BODY_NAMES[write][form]

const BODY_NAMES = {
  create: { json: 'Input', multipart: 'Form' },
  change: { json: 'Update', multipart: 'UpdateForm' },
} as const

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
        expand: { ...anyObject, description: 'The records requested with `expand`.' },
      },
      // Responses omit hidden emails.
      ['id', 'collectionId', 'collectionName', ...Object.keys(answered)].filter(
        (key) => key !== 'email',
      ),
    ),
  }
}

/** The schema name of a JSON field: "SiteOpeningHours" for `opening_hours` of a site. */
export const shapeName = (collection: Collection, name: string): string =>
  schemaName(collection) +
  name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The schemas of a collection's JSON fields. */
export const jsonSchemas = async (collection: Collection): Promise<Schema> => {
  const shapes = Object.entries(collection.fields).map(async ([name, field]) => {
    if (field.kind !== 'json' || field.schema === undefined) return []
    // Only the document declares the JSON Schema dialect.
    const { $schema: _, ...described } = z.toJSONSchema(await field.schema(), { io: 'input' })
    return [[shapeName(collection, name), described as Schema]]
  })
  return Object.fromEntries((await Promise.all(shapes)).flat()) as Schema
}

const sentSchema = (collection: Collection, write: Write, form: Form): Schema => {
  const hasFiles = write === 'change' || form === 'multipart'
  const sent = Object.entries(collection.fields).filter(
    ([, { kind }]) => kind !== 'autodate' && (kind !== 'files' || hasFiles),
  )
  const input = Object.fromEntries(
    sent.map(([name, field]) => {
      const { default: onCreate, ...schema } = sentField(
        field,
        shapeName(collection, name),
        form === 'multipart',
      )
      // An update without the field must not change it, as generated clients would that send the default.
      return [
        name,
        { ...schema, ...(write === 'create' && onCreate !== undefined && { default: onCreate }) },
      ]
    }),
  )
  const modified = Object.fromEntries(
    sent.flatMap(([name, field]) => modifiers(name, field, write, form)),
  )
  const required = sent.flatMap(([name, field]) => {
    const isFilled = field.kind === 'select' && field.default !== undefined
    return field.required && !isFilled ? [name] : []
  })
  // A user may sign in at a provider only.
  if (collection.name === SUPERUSERS) required.push('password', 'passwordConfirm')
  return {
    type: 'object',
    properties: {
      id: write === 'create' ? { ...ID, description: 'An id of your choice.' } : ID,
      ...input,
      ...passwordInput(collection, write),
    },
    ...(write === 'create' && { required }),
    ...(Object.keys(modified).length > 0 && { patternProperties: modified }),
    additionalProperties: true,
    description: `${write === 'create' ? 'A new record.' : 'Changes only the fields that are sent.'} Other keys are ignored, except a field with a modifier (\`+\` or \`-\`).`,
  }
}

const passwordInput = (collection: Collection, write: Write): Schema =>
  collection.auth
    ? { password: text, passwordConfirm: text, ...(write === 'change' && { oldPassword: text }) }
    : {}

/** The schema of a field in a response; `shape` is the name of the schema of its JSON. */
export const answeredField = (field: Field, shape: string): Schema => {
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
      return OPTIONAL_DATE
    case 'json':
      if (field.schema === undefined)
        return { type: ['object', 'array', 'null'], items: {}, additionalProperties: true }
      return field.required ? ref(shape) : { anyOf: [{ type: 'null' }, ref(shape)] }
    case 'relation':
      return field.required ? ID : OPTIONAL_ID
    default:
      return text
  }
}

/** What a client may send for a field. An optional field may be empty, as it is returned (record interface 1.2). */
export const sentField = (field: Field, shape: string, isForm = false): Schema => {
  const alias: Schema =
    field.alias === undefined ? {} : { description: `Also accepted as \`${field.alias}\`.` }
  switch (field.kind) {
    case 'number': {
      const value: Schema = {
        type: field.integer ? 'integer' : 'number',
        ...(field.min !== undefined && { minimum: field.min }),
        ...(field.max !== undefined && { maximum: field.max }),
        ...(field.above !== undefined && { exclusiveMinimum: field.above }),
      }
      const hasEmpty = !field.required && field.above !== undefined
      return { ...(hasEmpty ? { anyOf: [{ const: 0 }, value] } : value), ...alias }
    }
    case 'select':
      if (field.maxCount !== undefined)
        return { type: 'array', items: { enum: [...field.values] }, maxItems: field.maxCount }
      return {
        enum: [
          ...(field.required || field.default !== undefined ? [] : ['']),
          ...(field.ownerValues ?? field.values),
        ],
        ...(field.default !== undefined && { default: field.default }),
      }
    case 'bool':
      return { ...bool, ...(field.default !== undefined && { default: field.default }) }
    case 'date':
      return SENT_DATE
    case 'text':
      return {
        type: 'string',
        ...(field.required && { minLength: 1 }),
        maxLength: field.max,
        ...(field.format && {
          ...(isPortable(field.format.pattern) && {
            pattern: (field.required ? '' : '^$|') + field.format.pattern.source,
          }),
          examples: [field.format.example],
        }),
      }
    case 'email':
    case 'url':
      return { type: 'string', maxLength: field.max }
    case 'files': {
      const file = isForm ? FILE : text
      const description = isForm
        ? `Images, each at most ${field.maxBytes} bytes.`
        : 'Names of stored files.'
      return field.single
        ? { ...file, description }
        : { type: 'array', items: file, maxItems: field.maxCount, description }
    }
    case 'relation': {
      const { maxDistinct: limit } = field
      return {
        ...answeredField(field, shape),
        ...(limit && {
          description: `At most ${limit.max} different ones among the records with the same \`${limit.of}\`.`,
        }),
      }
    }
    default:
      return answeredField(field, shape)
  }
}

/** Whether programs in any language can compile a pattern: JSON Schema has no place for flags. */
const isPortable = ({ flags }: RegExp): boolean => flags === ''

/**
 * Fields with a modifier, such as "kw_rating+", as patterns of keys: in most languages, properties "kw_rating+" and
 * "kw_rating-" would have the same name, and generators then leave out the type and all operations that take it.
 */
const modifiers = (name: string, field: Field, write: Write, form: Form): [string, Schema][] => {
  if (field.kind === 'number') return [[`^${name}[+-]$`, { type: 'number' }]]
  if (field.kind === 'select' && isList(field))
    return [[`^(\\+${name}|${name}[+-])$`, { type: 'array', items: { enum: [...field.values] } }]]
  if (field.kind === 'json' && field.keyedBy !== undefined)
    return [
      [
        `^${name}\\+$`,
        {
          type: 'object',
          additionalProperties: text,
          description: `Sets entries by the names of \`${field.keyedBy}\`; \`""\` removes one.`,
        },
      ],
    ]
  if (field.kind !== 'files') return []
  const added: [string, Schema][] =
    form === 'multipart' ? [[`^(\\+${name}|${name}\\+)$`, { type: 'array', items: FILE }]] : []
  const removed: [string, Schema][] =
    write === 'change'
      ? [
          [
            `^${name}-$`,
            { type: 'array', items: text, description: 'Names of stored files to remove.' },
          ],
        ]
      : []
  return [...added, ...removed]
}

const FILE: Schema = { type: 'string', format: 'binary' }
