import type { ImportCounts, ImportPatch, ImportState, RowAction, RowState } from '#domain/import.ts'
import type { ImportView } from '../../data/state.ts'

interface FilterOfRows {
  /** The filter in the filter language of the API; empty for all rows. */
  readonly filter: string
  readonly count: (counts: ImportCounts) => number
  /** The same rows as the target of a patch; undefined if they cannot be excluded together. */
  readonly where?: NonNullable<ImportPatch['where']>
}

const ofAction = (action: Exclude<RowAction, 'REFUSED'>) => ({
  filter: `action = "${action}"`,
  count: (counts: ImportCounts) => counts[action],
  ...(['NEW', 'CHANGED', 'MISSING'].includes(action) && { where: { action } }),
})

const ofState = (state: Exclude<RowState, 'PENDING'>) => ({
  filter: `state = "${state}"`,
  count: (counts: ImportCounts) => counts[state] ?? 0,
})

const FILTERS = {
  all: {
    filter: '',
    count: ({ NEW, CHANGED, UNCHANGED, MISSING, REFUSED }) =>
      NEW + CHANGED + UNCHANGED + MISSING + REFUSED,
  },
  NEW: ofAction('NEW'),
  CHANGED: ofAction('CHANGED'),
  UNCHANGED: ofAction('UNCHANGED'),
  MISSING: ofAction('MISSING'),
  /** Without rows that have open questions, because an answer may make them acceptable. */
  REFUSED: {
    filter: 'action = "REFUSED" && open_questions = 0',
    count: ({ REFUSED, unanswered = 0 }) => REFUSED - unanswered,
  },
  questions: { filter: 'open_questions > 0', count: ({ questions }) => questions },
  doubtful: { filter: 'doubtful = true', count: ({ doubtful }) => doubtful },
  repaired: {
    filter: 'repaired = true',
    count: ({ repaired }) => repaired,
    where: { repaired: true },
  },
  leftOut: {
    filter:
      'included = false && (action = "NEW" || action = "CHANGED" || (action = "MISSING" && import.missing = "REMOVE"))',
    count: ({ left_out }) => left_out,
    where: { included: false },
  },
  APPLIED: ofState('APPLIED'),
  FAILED: ofState('FAILED'),
  SKIPPED: ofState('SKIPPED'),
  UNDONE: ofState('UNDONE'),
  KEPT: ofState('KEPT'),
} as const satisfies Readonly<Record<string, FilterOfRows>>

/** A filter for the rows of an import. */
export type RowFilter = keyof typeof FILTERS
export const ROW_FILTERS: Readonly<Record<RowFilter, FilterOfRows>> = FILTERS

const ASIDE = ['questions', 'doubtful', 'repaired', 'leftOut'] as const

const OF_PLAN = [
  'all',
  'NEW',
  'CHANGED',
  'UNCHANGED',
  'MISSING',
  'REFUSED',
  ...ASIDE,
] as const satisfies readonly RowFilter[]
const OF_END = [
  'all',
  'APPLIED',
  'FAILED',
  'SKIPPED',
  'UNDONE',
  'KEPT',
  'UNCHANGED',
  'REFUSED',
  ...ASIDE,
] as const satisfies readonly RowFilter[]

/** The filters that match rows in a state of an import, and the chosen one. */
export const filtersOf = (
  state: ImportState,
  counts: ImportCounts,
  chosen: RowFilter,
): readonly RowFilter[] => {
  const offered: readonly RowFilter[] = state === 'PLANNED' ? OF_PLAN : OF_END
  return offered.filter(
    (name) => name === 'all' || name === chosen || ROW_FILTERS[name].count(counts) > 0,
  )
}

/** The initial filter of a plan: all rows if none is unchanged, otherwise the changed, new or missing ones. */
export const firstFilterOf = (counts: ImportCounts): RowFilter =>
  counts.UNCHANGED === 0
    ? 'all'
    : ((['CHANGED', 'NEW', 'MISSING'] as const).find((action) => counts[action] > 0) ?? 'all')

/** Returns whether an import waits for a decision of the user. */
export const needsReview = ({ state, counts }: ImportView): boolean =>
  state === 'MAPPING' ||
  (state === 'PLANNED' &&
    counts !== null &&
    counts.included + counts.questions + counts.doubtful > 0)
