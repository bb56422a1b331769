import type { Standard } from '#domain/connector.ts'
import type { WordsOfRecord } from '#domain/labels/labels.ts'
import type { Messages } from './messages.ts'
import { shortPlugName } from './plugs.ts'

/** The messages about records of a plain collection; undefined for other collections. */
export const recordMessages = (messages: Messages, collection = ''): WordsOfRecord | undefined =>
  // Guest screens do not load the area of owners.
  (messages.records as Readonly<Record<string, WordsOfRecord>> | undefined)?.[collection]

/** The message for a failed call. */
export const failureText = (
  messages: Messages,
  action: keyof Messages['failed'],
  collection?: string,
): string => {
  const words = recordMessages(messages, collection)
  if (words === undefined) return messages.failed[action]
  return action === 'removeRecord' ? words.notDeleted : words.notSaved
}

/** The label of a choice; other values are returned unchanged. */
export const choiceLabel = (messages: Messages, name: string, value: string): string => {
  if (value === '') return value
  if (name === 'standard') return shortPlugName(messages, value as Standard)
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    ...messages.choices,
    status: messages.status,
    format: messages.formatShort,
    current_type: messages.currentShort,
  }
  return words[name]?.[value] ?? value
}

/** The label of any value except numbers, including lists and booleans. */
export const valueLabel = (messages: Messages, name: string, value: unknown): string => {
  if (Array.isArray(value))
    return value.map((each) => choiceLabel(messages, name, String(each))).join(', ')
  if (typeof value === 'boolean') return messages.answers[value ? 'yes' : 'no']
  if (typeof value === 'string') return choiceLabel(messages, name, value)
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
