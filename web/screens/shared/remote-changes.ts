import type { Conflict, Merged } from '../../data/merge.ts'
import type { Choice } from './conflict-banner.tsx'

/** A conflict, and the chosen side. */
export interface TrackedConflict {
  readonly conflict: Conflict
  readonly chosen: Choice['chosen']
}

/** The changes of another device under an open form. */
export interface RemoteChanges {
  /** The time of detection, in milliseconds. */
  readonly at: number
  readonly conflicts: readonly TrackedConflict[]
  readonly mergedFields: readonly string[]
  readonly mergedRows: number
  readonly mergedPhotos: number
}

/** The changes to report after a merge; undefined if there are none. */
export const remoteChangesOf = (
  { conflicts, mergedFields, mergedRows }: Merged,
  mergedPhotos = 0,
): RemoteChanges | undefined =>
  conflicts.length + mergedFields.length + mergedRows + mergedPhotos === 0
    ? undefined
    : {
        at: Date.now(),
        conflicts: conflicts.map((conflict) => ({ conflict, chosen: undefined })),
        mergedFields,
        mergedRows,
        mergedPhotos,
      }

/** Combines earlier and new changes. A conflict stays until it is resolved. */
export const joinRemoteChanges = (
  before: RemoteChanges | undefined,
  now: RemoteChanges | undefined,
): RemoteChanges | undefined => {
  if (before === undefined || now === undefined) return now ?? before
  const keys = new Set(now.conflicts.map(({ conflict }) => keyOf(conflict)))
  return {
    at: now.at,
    conflicts: [
      ...before.conflicts.filter(({ conflict }) => !keys.has(keyOf(conflict))),
      ...now.conflicts,
    ],
    mergedFields: [...new Set([...before.mergedFields, ...now.mergedFields])],
    mergedRows: before.mergedRows + now.mergedRows,
    mergedPhotos: before.mergedPhotos + now.mergedPhotos,
  }
}

/** Identifies a conflict of a form. */
export const keyOf = (conflict: Conflict): string =>
  conflict.kind === 'field' ? conflict.name : `row ${conflict.id}`

/** Returns whether a conflict is undecided. */
export const hasUnresolvedConflicts = (remote: RemoteChanges | undefined): boolean =>
  remote?.conflicts.some(({ chosen }) => chosen === undefined) === true

export const withChoice = (
  remote: RemoteChanges,
  key: string,
  chosen: 'mine' | 'theirs',
): RemoteChanges => ({
  ...remote,
  conflicts: remote.conflicts.map((each) =>
    keyOf(each.conflict) === key ? { ...each, chosen } : each,
  ),
})

/** The conflict of a field in words. */
export const choiceOf = (
  { conflict, chosen }: TrackedConflict,
  labels: Readonly<Record<string, string>>,
): Choice => {
  const key = keyOf(conflict)
  const textOf = (side: 'mine' | 'theirs') =>
    conflict.kind === 'field' ? String(conflict[side]) : ''
  return {
    keys: [key],
    label: labels[key] ?? key,
    mine: textOf('mine'),
    theirs: textOf('theirs'),
    chosen,
  }
}
