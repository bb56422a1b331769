import * as z from 'zod/mini'

import { isReadOnly, type LinkedCollection, type Schema } from '#domain/collection.ts'
import { parseJson } from '#domain/json.ts'

import type { Caller } from '../caller.ts'
import { checkEventQuery, type EventQuery } from '../records/records.ts'

/** The records of a subscription. */
export interface RecordTopic {
  readonly collection: LinkedCollection
  /** The id of one record, or `*` for all. */
  readonly id: string
  readonly query: EventQuery
}

/** The topic of the sign-in provider's response (record interface 5.5). */
export const SIGN_IN_TOPIC = '@oauth2'

/**
 * Parses a subscription: `sites/*`, `sites/ID` or `sites`, optionally with `?options=` (record interface 6.3).
 * Undefined for one that no record will ever match: those are accepted, and silent.
 */
export const parseTopic = (schema: Schema, subscription: string): RecordTopic | undefined => {
  const topic = readTopic(schema, subscription)
  return topic?.query && { ...topic, query: topic.query }
}

/** A subscription to records; without a query if its options cannot be read. */
type ReadTopic = Omit<RecordTopic, 'query'> & { readonly query: EventQuery | undefined }

const readTopic = (schema: Schema, subscription: string): ReadTopic | undefined => {
  // A subscription becomes a line of the stream, so it must not contain a line break.
  if (/[\r\n\0]/.test(subscription)) return undefined
  const [path = '', search = ''] = splitOnce(subscription, '?')
  const [name = '', id = '*'] = splitOnce(path, '/')
  const collection = schema.find(name)
  return collection && { collection, id, query: readOptions(search) }
}

/**
 * Whether a subscription can never receive an event: one to a read-only collection such as the audit log, with options
 * that cannot be read, or with a `filter`, `fields` or `expand` that a list refuses.
 */
export const neverReceives = (schema: Schema, caller: Caller, subscription: string): boolean => {
  const topic = readTopic(schema, subscription)
  return topic !== undefined && (isReadOnly(topic.collection) || !isReadable(topic, caller))
}

/** An event has no request that these could refer to. */
const RULE_NAMES = /@(request|collection)\b/

const isReadable = ({ collection, query }: ReadTopic, caller: Caller): boolean => {
  if (query === undefined || RULE_NAMES.test(query.filter)) return false
  try {
    checkEventQuery(collection, caller, query)
    return true
  } catch {
    return false
  }
}

const splitOnce = (text: string, separator: string): string[] => {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Values of another type are not ignored: without its filter, a subscription would receive too much. */
const OPTIONS = z.nullable(
  z.object({
    query: z.nullish(
      z.object({
        filter: z.nullish(z.string()),
        expand: z.nullish(z.string()),
        fields: z.nullish(z.string()),
      }),
    ),
  }),
)

const readOptions = (search: string): EventQuery | undefined => {
  const { data: options, success } = OPTIONS.safeParse(
    parseJson(new URLSearchParams(search).get('options') || '{}'),
  )
  if (!success) return undefined
  const { filter, expand, fields } = options?.query ?? {}
  return { filter: filter ?? '', expand: expand ?? '', fields: fields ?? '' }
}
