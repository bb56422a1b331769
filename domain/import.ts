import {
  AUTODATES,
  BUSINESSES,
  FEEDS,
  ID_LENGTH,
  IMPORT_ROWS,
  IMPORTS,
  type Collection,
} from './collection.ts'
import { IMPORT_LIMITS } from './limits.ts'
import type { RecordOf } from './record.ts'
import type { PriceLimit, Prices } from './tariff-element.ts'
import type { Answers, Problem, ProblemCode, Question } from './repair.ts'

/**
 * The states of an import. `READING` leads to `PLANNED`, or to `MAPPING` if a person has to map the columns of a table;
 * `RUNNING` leads to `DONE`, `UNDOING` to `UNDONE`. If it is `FAILED`, `problem` has the reason.
 */
const IMPORT_STATES = [
  'READING',
  'MAPPING',
  'PLANNED',
  'RUNNING',
  'DONE',
  'UNDOING',
  'UNDONE',
  'FAILED',
] as const
export type ImportState = (typeof IMPORT_STATES)[number]

/** The states in which a process works on an import. */
export const WORKED_ON = ['READING', 'RUNNING', 'UNDOING'] as const satisfies readonly ImportState[]

/** Whether a process works on an import in this state. */
export const isWorkedOn = (state: ImportState): boolean => WORKED_ON.some((each) => each === state)

/** The states in which an import is over. */
export const ENDED = ['DONE', 'UNDONE', 'FAILED'] as const satisfies readonly ImportState[]

/**
 * What an import does with a site. `MISSING` sites were imported from the same source, which no longer contains them.
 */
export const ROW_ACTIONS = ['NEW', 'CHANGED', 'UNCHANGED', 'MISSING', 'REFUSED'] as const
export type RowAction = (typeof ROW_ACTIONS)[number]

/**
 * The outcome of a row. `SKIPPED`: it was left out, or the owner has changed the site since the plan. `KEPT`: the undo
 * left it or a part of it unchanged, for the reason in `problem`.
 */
const ROW_STATES = ['PENDING', 'APPLIED', 'FAILED', 'SKIPPED', 'UNDONE', 'KEPT'] as const
export type RowState = (typeof ROW_STATES)[number]

/**
 * How the site of a row was found: by its id, at the same point, within 25 m, by its name within 100 m, by the base of
 * its station in the feed, or by choice of a person.
 */
const MATCHED_BY = ['REFERENCE', 'POSITION', 'NEAR', 'NAME', 'FEED', 'CHOICE'] as const
export type MatchedBy = (typeof MATCHED_BY)[number]

/** What happens to sites that the source no longer contains. */
export const MISSING_CHOICES = ['KEEP', 'REMOVE'] as const
export type MissingChoice = (typeof MISSING_CHOICES)[number]

const FEED_STATES = ['OK', 'NEEDS_REVIEW', 'FAILING', 'DEAD'] as const
export type FeedState = (typeof FEED_STATES)[number]

/** The actions that a feed may apply without confirmation. */
export const FEED_ACTIONS = ['NEW', 'CHANGED', 'MISSING'] as const satisfies readonly RowAction[]

/** Problems of a row or an import, besides the problems of content in `domain/repair.ts`. */
export const PLAN_PROBLEMS = {
  match_doubtful: 'It may be one of your sites: choose it, or say that it is new.',
  unchanged_in_feed:
    'The feed had this before. It was changed, deleted or left out since, and stays that way unless you select it.',
  perhaps_left_out:
    'It may be a site that was deleted or left out, under another ID. It is imported only if you select it.',
  site_taken: 'Another row of the file is about the same site.',
  changed_since_plan: 'The site was changed after this preview was made, so it was skipped.',
  changed_since_run: 'It was changed after the import, so it was not undone.',
  partly_changed_since_run:
    'Part of it was changed after the import and stays as it is; the rest was undone.',
  site_gone: 'The site no longer exists.',
  tariff_gone: 'Its price was deleted after this preview was made; import it again.',
  tariffs_too_many: 'Its connectors have more than <max> different prices.',
  fields_invalid: 'Some values cannot be saved.',
  many_missing:
    'It lacks <count> of the <total> sites of this feed. That many are closed only if you confirm it in the preview.',
  too_many_rows: 'It has more than <max> charging sites.',
  file_gone: 'The file is no longer available; upload it again.',
  interrupted: 'It stopped <count> times in a row; try again later.',
} as const satisfies Readonly<Record<string, string>>
export type PlanProblemCode = keyof typeof PLAN_PROBLEMS

/** A problem of an import, a feed or a row. */
export interface ImportProblem extends Omit<Problem, 'code'> {
  readonly code: PlanProblemCode | ProblemCode
}

/** An imported file or feed: first a plan, then one run, which can be undone. */
export const imports = {
  id: 'pbc_3922105078',
  name: IMPORTS,
  owner: 'business.user',
  access: { read: 'owner', create: 'nobody', change: 'nobody', remove: 'owner' },
  audited: false,
  // Without its record, nobody could see or undo what a run has written so far.
  undeletable: { field: 'state', values: ['RUNNING', 'UNDOING'] satisfies ImportState[] },
  cascades: true,
  fields: {
    business: { kind: 'relation', to: BUSINESSES, required: true, fixed: true },
    /** The name of the file or of the feed, or else the address without its secrets. */
    source: { kind: 'text', max: 500 },
    format: { kind: 'text', max: 40 },
    state: { kind: 'select', values: IMPORT_STATES, default: 'READING', required: true },
    /** The uploaded file, until the import is over. */
    file: {
      kind: 'files',
      single: true,
      maxCount: 1,
      maxBytes: IMPORT_LIMITS.fileBytes,
      protected: true,
    },
    /** The columns of a table that waits for a person: a `TableColumns` (domain/import-source.ts). */
    columns: { kind: 'json' },
    missing: { kind: 'select', values: MISSING_CHOICES, default: 'KEEP', required: true },
    /** See `ImportCounts`. */
    counts: { kind: 'json' },
    /** Number of stations to read, or of rows to apply or to undo; 0 while it is unknown. */
    total: { kind: 'number' },
    done: { kind: 'number' },
    /** See `ImportProblem`. */
    problem: { kind: 'json' },
    /** The feed that it was read from; empty if a person uploaded it. */
    feed: { kind: 'text', max: ID_LENGTH },
    /** When the run began, and when it ended. */
    started: { kind: 'date' },
    finished: { kind: 'date' },
    ...AUTODATES,
  },
} as const satisfies Collection

/** A station of an import, and the plan for it. */
export const importRows = {
  id: 'pbc_391526741',
  name: IMPORT_ROWS,
  owner: 'import.business.user',
  access: { read: 'owner', create: 'nobody', change: 'nobody', remove: 'nobody' },
  maxPerPage: 100,
  fields: {
    import: { kind: 'relation', to: IMPORTS, required: true },
    /** The position in the source, from 1. */
    number: { kind: 'number' },
    /** The location in the source, for people: `line 12`. */
    position: { kind: 'text', max: 100 },
    reference: { kind: 'text', max: 200 },
    name: { kind: 'text', max: 200 },
    action: { kind: 'select', values: ROW_ACTIONS },
    included: { kind: 'bool' },
    matched_by: { kind: 'select', values: MATCHED_BY },
    /** Several sites match: a person has to choose. */
    doubtful: { kind: 'bool' },
    /** The matching sites, best first: a list of `ImportCandidate`. */
    candidates: { kind: 'json' },
    /** Sites of other businesses that may be the same: a list of `Duplicate` (domain/duplicate.ts). */
    duplicates: { kind: 'json' },
    /** The id of the row's site; a new site has one once it is created. */
    site: { kind: 'text', max: ID_LENGTH },
    /** The values to write: see `ImportedStation`. */
    station: { kind: 'json' },
    connectors: { kind: 'number' },
    new_connectors: { kind: 'number' },
    /** Connectors of the site that the source does not contain. */
    missing_connectors: { kind: 'number' },
    /** The changes of the run to existing records: a list of `ImportChange`. */
    changes: { kind: 'json' },
    /** The prices that the row refers to and the run creates: a list of `ImportedPrice`. */
    prices: { kind: 'json' },
    repaired: { kind: 'bool' },
    /** The applied repairs: a list of `Repair` (domain/repair.ts). */
    repairs: { kind: 'json' },
    /** Number of unanswered questions. */
    open_questions: { kind: 'number' },
    /** The doubtful repairs, each with its answer: a list of `ImportQuestion`. */
    questions: { kind: 'json' },
    /** See `ImportProblem`. */
    problem: { kind: 'json' },
    state: { kind: 'select', values: ROW_STATES },
    /** The versions of the records by id: those that the plan is based on, later those that the run has written. */
    records: { kind: 'json' },
    ...AUTODATES,
  },
} as const satisfies Collection

/** An address that is imported every night. Its token is stored separately and never returned. */
export const feeds = {
  id: 'pbc_2439990212',
  name: FEEDS,
  owner: 'business.user',
  access: { read: 'owner', create: 'nobody', change: 'owner', remove: 'owner' },
  audited: false,
  fields: {
    business: { kind: 'relation', to: BUSINESSES, required: true, fixed: true },
    name: { kind: 'text', max: 200 },
    /** Never changes: the token must not be sent to another address. */
    url: { kind: 'url', max: 2048, required: true, fixed: true },
    has_token: { kind: 'bool', managed: true },
    is_active: { kind: 'bool', default: true },
    missing: { kind: 'select', values: MISSING_CHOICES, default: 'KEEP', required: true },
    /** The actions that are applied without confirmation; the rest waits for a person. */
    apply: { kind: 'select', values: FEED_ACTIONS, maxCount: FEED_ACTIONS.length },
    state: { kind: 'select', values: FEED_STATES, default: 'OK', required: true, managed: true },
    last_read: { kind: 'date', managed: true },
    /** When its content last differed from the content before. */
    last_changed: { kind: 'date', managed: true },
    /** See `ImportProblem`. */
    problem: { kind: 'json' },
    ...AUTODATES,
  },
} as const satisfies Collection

export type Import = RecordOf<typeof imports>
export type ImportRow = RecordOf<typeof importRows>
export type Feed = RecordOf<typeof feeds>

/** The number of rows by action and by outcome. */
export type ImportCounts = Readonly<
  Record<RowAction, number> & {
    /** Rows with a repair, and rows with an unanswered question. */
    readonly repaired: number
    readonly questions: number
    /** Rows that are refused unless a question is answered; absent in older plans. */
    readonly unanswered?: number
    /** Rows that need a choice among candidates. */
    readonly doubtful: number
    /** Rows that the run writes. */
    readonly included: number
    /** Of these, rows that close a missing site; absent in older plans. */
    readonly closing?: number
    /** Rows of sites to write that were left out. */
    readonly left_out: number
    /** Connectors of the stations that are not refused. */
    readonly connectors: number
    readonly new_connectors: number
    /** Connectors of matched sites that the source does not contain; absent in older plans. */
    readonly missing_connectors?: number
  } & Partial<Record<Exclude<RowState, 'PENDING'>, number>>
>

/** A site that a row may stand for. */
export interface ImportCandidate {
  readonly id: string
  readonly name: string
  readonly address: string
  readonly distance_m: number
  /** Confidence, from 0 to 1. */
  readonly score: number
}

/** Stands for a whole connector in an `ImportChange`. */
export const WHOLE = '*'

/** One value that a run changes. */
export interface ImportChange {
  /** The id of the site or of its connector. */
  readonly record: string
  /** `WHOLE` if the connector is added (`before` is null) or removed (`after` is null). */
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** Whether a change removes a connector. */
export const isRemoval = ({ field, after }: ImportChange): boolean =>
  field === WHOLE && after === null

/** The changes of a row that its run makes: without `REMOVE`, missing sites and connectors stay as they are. */
export const changesOfRun = (
  {
    action,
    changes,
  }: Pick<ImportRow, 'action'> & { readonly changes: readonly ImportChange[] | null },
  { missing }: { readonly missing: MissingChoice },
): readonly ImportChange[] =>
  (changes ?? []).filter(
    (change) => missing === 'REMOVE' || !(action === 'MISSING' || isRemoval(change)),
  )

/** A price that a run creates, under the id that it will have. */
export interface ImportedPrice extends Omit<Prices, 'min_price' | 'max_price'> {
  readonly id: string
  readonly name: string
  readonly currency: string
  readonly min_price: PriceLimit | null
  readonly max_price: PriceLimit | null
}

/** A site and its connectors as they will be written: values of our fields. */
export interface ImportedStation {
  readonly site: Readonly<Record<string, unknown>>
  readonly connectors: readonly Readonly<Record<string, unknown>>[]
}

/** A doubtful repair of a station. */
export interface ImportQuestion extends Question {
  /** Absent until a person has answered. */
  readonly answer?: boolean
}

/**
 * The body of `PATCH /api/imports/{id}`: what happens to missing sites, which rows are left out, and answers for all
 * rows.
 */
export interface ImportPatch {
  /** Answers to the questions that are still unanswered, by rule. */
  readonly answers?: Answers | undefined
  readonly missing?: MissingChoice | undefined
  readonly included?: boolean | undefined
  /** The rows that `included` applies to; absent: all. */
  readonly where?: ImportRowFilter | undefined
}

/** All given conditions must match; `name` is a part of the name. */
interface ImportRowFilter {
  readonly action?: RowAction | undefined
  readonly doubtful?: boolean | undefined
  readonly repaired?: boolean | undefined
  readonly included?: boolean | undefined
  readonly name?: string | undefined
}

/** The body of `PATCH /api/imports/{id}/rows/{number}`. */
export interface ImportRowPatch {
  readonly included?: boolean | undefined
  /** A candidate; empty for a new site. */
  readonly site?: string | undefined
  /** Answers to its questions. */
  readonly answers?: Answers | undefined
}
