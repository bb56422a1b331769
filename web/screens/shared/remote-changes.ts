import type { Conflict, Merged } from '../../data/merge.ts'
import type { Choice } from './conflict-banner.tsx'

/** A conflict, and how the person decided it. */
export interface Decided {
  readonly conflict: Conflict
  readonly chosen: Choice['chosen']
}

/** What another device changed under an open form. */
export interface Elsewhere {
  /** When it was noticed, in milliseconds. */
  readonly at: number
  readonly conflicts: readonly Decided[]
  readonly mergedFields: readonly string[]
  readonly takenRows: number
  readonly takenPhotos: number
}

/** What there is to tell about a merge; nothing when nothing was changed elsewhere. */
export const elsewhereOf = (
  { conflicts, mergedFields, takenRows }: Merged,
  takenPhotos = 0,
): Elsewhere | undefined =>
  conflicts.length + mergedFields.length + takenRows + takenPhotos === 0
    ? undefined
    : {
        at: Date.now(),
        conflicts: conflicts.map((conflict) => ({ conflict, chosen: undefined })),
        mergedFields,
        takenRows,
        takenPhotos,
      }

/** What was told before, and what there is to tell now. A conflict stays until it is decided. */
export const joinElsewhere = (
  before: Elsewhere | undefined,
  now: Elsewhere | undefined,
): Elsewhere | undefined => {
  if (before === undefined || now === undefined) return now ?? before
  const told = new Set(now.conflicts.map(({ conflict }) => keyOf(conflict)))
  return {
    at: now.at,
    conflicts: [
      ...before.conflicts.filter(({ conflict }) => !told.has(keyOf(conflict))),
      ...now.conflicts,
    ],
    mergedFields: [...new Set([...before.mergedFields, ...now.mergedFields])],
    takenRows: before.takenRows + now.takenRows,
    takenPhotos: before.takenPhotos + now.takenPhotos,
  }
}

export const keyOf = (conflict: Conflict): string =>
  conflict.kind === 'field' ? conflict.name : `row ${conflict.id}`

/** Is there a conflict that was not decided? */
export const isUndecided = ({ conflicts }: Elsewhere): boolean =>
  conflicts.some(({ chosen }) => chosen === undefined)

export const withChoice = (
  elsewhere: Elsewhere,
  key: string,
  chosen: 'mine' | 'theirs',
): Elsewhere => ({
  ...elsewhere,
  conflicts: elsewhere.conflicts.map((each) =>
    keyOf(each.conflict) === key ? { ...each, chosen } : each,
  ),
})

/** A conflict about a field, in words. */
export const choiceOf = (
  { conflict, chosen }: Decided,
  labels: Readonly<Record<string, string>>,
): Choice => ({
  keys: [keyOf(conflict)],
  label: conflict.kind === 'field' ? (labels[conflict.name] ?? conflict.name) : conflict.id,
  mine: conflict.kind === 'field' ? String(conflict.mine) : '',
  theirs: conflict.kind === 'field' ? String(conflict.theirs) : '',
  chosen,
})
