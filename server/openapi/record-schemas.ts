import * as z from 'zod/mini'

import type { Collection } from '#domain/collection.ts'
import { isList, type Field } from '#domain/field.ts'

import { DATE, ID, type Schema, bool, object, ref, text } from './components.ts'

/** The schema name of a record: "Site" for `sites`. */
export const schemaName = ({ name }: Collection): string => {
  const singular = name.replace(/^_/, '').replace(/(ss)es$|s$/, '$1')
  return singular.charAt(0).toUpperCase() + singular.slice(1)
}

/** The schemas of a collection's records, in responses and in requests. */
export const recordSchemas = (collection: Collection): Schema => ({
  ...answeredSchema(collection),
  ...(isSent(collection) && sentSchema(collection)),
})

const isSent = ({ access }: Collection): boolean =>
  access.create !== 'nobody' || access.change !== 'nobody'

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
        expand: { type: 'object', description: 'The records requested with `expand`.' },
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
        id: { ...ID, description: 'On create: an id of your choice.' },
        ...input,
        ...passwordInput(collection),
      },
      description: `Required on create: ${required.join(', ') || 'nothing'}. An update changes only the fields that are sent.`,
    },
  }
}

const passwordInput = (collection: Collection): Schema =>
  collection.auth ? { password: text, passwordConfirm: text, oldPassword: text } : {}

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

/** What a client may send for a field. An optional field may be empty, as it is returned (record interface 1.2). */
export const sentField = (field: Field, shape: string): Schema => {
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
      return {
        ...text,
        description: 'A date, with or without a time; in UTC unless it has an offset.',
      }
    case 'text':
      return {
        type: 'string',
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
      const file: Schema = { type: 'string', format: 'binary' }
      const description = `Images, each at most ${field.maxBytes} bytes; in JSON, names of stored files.`
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
  const removed: Schema = {
    type: 'array',
    items: text,
    description: 'Names of stored files to remove.',
  }
  return [
    [`${name}+`, file],
    [`+${name}`, file],
    [`${name}-`, removed],
  ]
}
