import { createHash } from 'node:crypto'

import { ID_LENGTH } from '#domain/collection.ts'

/** Derives a deterministic id from the parts, so that a repeated operation creates no duplicates. */
export const stableId = (...parts: readonly string[]): string => digest(parts, ID_LENGTH)

/** The number of characters that all ids of one run share, and of those that encode the number of the record. */
const SET_LENGTH = 3
const NUMBER_LENGTH = 5
const PREFIX_LENGTH = SET_LENGTH + NUMBER_LENGTH

/**
 * A deterministic id for the record with this number (at most 60 million) in a set. Ids of one set sort by number, so
 * records that are written one after the other are neighbours in every index.
 */
export const orderedId = (set: string, number: number): string =>
  digest([set], SET_LENGTH) +
  number.toString(36).padStart(NUMBER_LENGTH, '0') +
  digest([set, String(number)], ID_LENGTH - PREFIX_LENGTH)

/** A deterministic id for a record that belongs to another record, beside it in the order of ids. */
export const neighbourId = (id: string, number: number): string =>
  id.slice(0, PREFIX_LENGTH) + digest([id, String(number)], ID_LENGTH - PREFIX_LENGTH)

const digest = (parts: readonly string[], length: number): string => {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return BigInt(`0x${hash}`).toString(36).padStart(length, '0').slice(-length)
}
