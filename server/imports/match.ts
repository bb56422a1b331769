import type { ImportCandidate, MatchedBy } from '#domain/import.ts'

import type { Runner } from '../db/sql.ts'

/** A station that looks for its site. */
export interface Sought {
  readonly number: number
  readonly reference: string
  readonly site: Readonly<Record<string, unknown>>
}

/** The site that a station is about, or those that it may be. */
export interface Match {
  readonly site?: string
  readonly matchedBy?: MatchedBy
  readonly candidates: readonly ImportCandidate[]
}

/** Finds the sites of a business for stations, by their references. One statement. */
export const matchByReference = async (
  runner: Runner,
  business: string,
  sought: readonly Sought[],
): Promise<ReadonlyMap<number, Match>> => {
  const references = sought
    .map(({ reference }) => reference)
    .filter((reference) => reference !== '')
  if (references.length === 0) return new Map()
  const rows = await runner<{ id: string; reference: string }[]>`
    select s.id, s.reference from sites s
    where s.reference = any(${references}) and s.reference <> '' and s.business = ${business}`
  const byReference = new Map(rows.map(({ id, reference }) => [reference, id]))
  return new Map(
    sought.flatMap(({ number, reference }) => {
      const site = byReference.get(reference)
      return site === undefined
        ? []
        : [[number, { site, matchedBy: 'REFERENCE' as const, candidates: [] }] as const]
    }),
  )
}
