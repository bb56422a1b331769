import type { Standard } from '#domain/connector.ts'
import type { WordsOfRecord } from './labels.ts'
import type { Messages } from './messages.ts'
import { shortPlugName } from './plugs.ts'

/** What is said of the records of a collection, if it is plain. */
export const wordsOfRecord = (messages: Messages, collection = ''): WordsOfRecord | undefined =>
  // A guest's screen has no words of an owner.
  (messages.records as Readonly<Record<string, WordsOfRecord>> | undefined)?.[collection]

/** The sentence for a call that failed. */
export const failureText = (
  messages: Messages,
  action: keyof Messages['failed'],
  collection?: string,
): string => {
  const words = wordsOfRecord(messages, collection)
  if (words === undefined) return messages.failed[action]
  return action === 'removeRecord' ? words.notDeleted : words.notSaved
}

/** What a value of a field with choices is called; other values are themselves. */
export const wordChoice = (messages: Messages, name: string, value: string): string => {
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

/** What any value of a field is called, but for numbers: lists and truth values, too. */
export const wordValue = (messages: Messages, name: string, value: unknown): string => {
  if (Array.isArray(value))
    return value.map((each) => wordChoice(messages, name, String(each))).join(', ')
  if (typeof value === 'boolean') return messages.answers[value ? 'yes' : 'no']
  if (typeof value === 'string') return wordChoice(messages, name, value)
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
