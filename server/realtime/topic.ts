import { isReadOnly, type LinkedCollection, type Schema } from '#domain/collection.ts'

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
  // A subscription becomes a line of the stream, so it must not contain a line break.
  if (/[\r\n\0]/.test(subscription)) return undefined
  const [path = '', search = ''] = splitOnce(subscription, '?')
  const [name = '', id = '*'] = splitOnce(path, '/')
  const collection = schema.find(name)
  const query = readOptions(search)
  if (collection === undefined || query === undefined) return undefined
  return { collection, id, query }
}

/**
 * Whether a subscription can never receive an event: one to a read-only collection such as the audit log, or with a
 * `filter`, `fields` or `expand` that a list refuses.
 */
export const neverReceives = (schema: Schema, caller: Caller, subscription: string): boolean => {
  const topic = parseTopic(schema, subscription)
  return topic !== undefined && (isReadOnly(topic.collection) || !isReadable(topic, caller))
}

/** An event has no request that these could refer to. */
const RULE_NAMES = /@(request|collection)\b/

const isReadable = ({ collection, query }: RecordTopic, caller: Caller): boolean => {
  if (RULE_NAMES.test(query.filter)) return false
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

const readOptions = (search: string): EventQuery | undefined => {
  const text = new URLSearchParams(search).get('options')
  try {
    const options = JSON.parse(text ?? '{}') as { query?: Record<string, unknown> } | null
    const read = (name: keyof EventQuery): string => {
      const value = options?.query?.[name]
      return typeof value === 'string' ? value : ''
    }
    return { filter: read('filter'), expand: read('expand'), fields: read('fields') }
  } catch {
    return undefined
  }
}
