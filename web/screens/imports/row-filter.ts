import type { ImportCounts, ImportPatch, ImportState } from '#domain/import.ts'

/** Which rows are shown. */
export type RowFilter =
  | 'all'
  | 'NEW'
  | 'CHANGED'
  | 'UNCHANGED'
  | 'MISSING'
  | 'REFUSED'
  | 'repaired'
  | 'questions'
  | 'doubtful'
  | 'leftOut'
  | 'APPLIED'
  | 'FAILED'
  | 'SKIPPED'
  | 'UNDONE'
  | 'KEPT'

interface FilterOfRows {
  /** In the filter language of the API; empty for all. */
  readonly filter: string
  readonly count: (counts: ImportCounts) => number
  /** The same rows for a change of all of them; undefined if they cannot be left out together. */
  readonly where?: NonNullable<ImportPatch['where']>
}

const ofAction = (action: 'NEW' | 'CHANGED' | 'UNCHANGED' | 'MISSING') => ({
  filter: `action = "${action}"`,
  count: (counts: ImportCounts) => counts[action],
  ...(['NEW', 'CHANGED', 'MISSING'].includes(action) && { where: { action } }),
})

const ofState = (state: 'APPLIED' | 'FAILED' | 'SKIPPED' | 'UNDONE' | 'KEPT') => ({
  filter: `state = "${state}"`,
  count: (counts: ImportCounts) => counts[state] ?? 0,
})

/** The filters, in the order of the screen. */
export const ROW_FILTERS: Readonly<Record<RowFilter, FilterOfRows>> = {
  all: {
    filter: '',
    count: ({ NEW, CHANGED, UNCHANGED, MISSING, REFUSED }) =>
      NEW + CHANGED + UNCHANGED + MISSING + REFUSED,
  },
  NEW: ofAction('NEW'),
  CHANGED: ofAction('CHANGED'),
  UNCHANGED: ofAction('UNCHANGED'),
  MISSING: ofAction('MISSING'),
  /** An answer may make the others acceptable. */
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
    filter: 'included = false && (action = "NEW" || action = "CHANGED")',
    count: ({ left_out }) => left_out,
    where: { included: false },
  },
  APPLIED: ofState('APPLIED'),
  FAILED: ofState('FAILED'),
  SKIPPED: ofState('SKIPPED'),
  UNDONE: ofState('UNDONE'),
  KEPT: ofState('KEPT'),
}

const OF_PLAN = [
  'all',
  'NEW',
  'CHANGED',
  'UNCHANGED',
  'MISSING',
  'REFUSED',
  'questions',
  'doubtful',
  'repaired',
  'leftOut',
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
  'questions',
  'doubtful',
  'repaired',
  'leftOut',
] as const satisfies readonly RowFilter[]

/** The filters that show something in a state of an import, and the one that is chosen. */
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

/** What a plan shows first: what it changes, if most of it changes nothing. */
export const firstFilterOf = ({ UNCHANGED, CHANGED, NEW }: ImportCounts): RowFilter =>
  UNCHANGED === 0 ? 'all' : CHANGED > 0 ? 'CHANGED' : NEW > 0 ? 'NEW' : 'all'
