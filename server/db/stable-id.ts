import { createHash } from 'node:crypto'

import { ID_LENGTH } from '#domain/collection.ts'

/** Derives a deterministic id from the parts, so that what is repeated creates no duplicates. */
export const stableId = (...parts: readonly string[]): string => {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return BigInt(`0x${digest}`).toString(36).padStart(ID_LENGTH, '0').slice(-ID_LENGTH)
}
