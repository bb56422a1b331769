import { ID_LENGTH } from '#domain/collection.ts'
import { ApiError, fieldError } from '#domain/error.ts'
import {
  ENDED,
  WORKED_ON,
  type FeedState,
  type ImportProblem,
  type MissingChoice,
  type RowAction,
} from '#domain/import.ts'
import { pickLanguage } from '#domain/language.ts'
import { IMPORT_LIMITS } from '#domain/limits.ts'

import type { Caller } from '../caller.ts'
import { randomText } from '../db/random.ts'
import type { Runner, Sql, Transaction } from '../db/sql.ts'
import { RETRY_MINUTES, type Mailer } from '../mail/mail.ts'
import type { PreparedWrite } from '../records/records.ts'
import { noteCounts } from './counts.ts'
import { businessOf, lockBusiness, moveImport, TOO_MANY_OPEN } from './requests.ts'
import { nowText, type Work } from './work.ts'

/** A feed as submitted by its owner. */
export interface FeedInput {
  readonly name?: string | undefined
  readonly url: string
  readonly token?: string | undefined
  readonly missing?: MissingChoice | undefined
  readonly apply?: readonly RowAction[] | undefined
}

/** At night in Europe, at a random time for each feed. */
const NIGHT = `date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '26 hours'
  + random() * interval '2 hours'`
/** After this many consecutive failures a feed is dead, and is read only once a week. */
const MAX_FAILURES = 7

/**
 * Creates a feed and starts to read it, so that its owner can check the result. The token is stored outside the record.
 * The response is the ID of the feed. The write throws ApiError 401, 403; 400 if the business has too many feeds.
 */
export const prepareFeed = (caller: Caller, input: FeedInput): PreparedWrite => ({
  needsTransaction: true,
  mayReleaseFiles: false,
  run: async (transaction) => {
    const id = await createFeed(transaction, caller, input)
    return { status: 200, body: JSON.stringify(id), etag: null }
  },
  cleanUp: async () => {},
})

const createFeed = async (
  transaction: Runner,
  caller: Caller,
  input: FeedInput,
): Promise<string> => {
  const business = await businessOf(transaction, caller)
  const id = randomText(ID_LENGTH)
  const token = input.token ?? ''
  await demandRoom(transaction, business)
  await transaction`
    insert into feeds (id, business, name, url, has_token, missing, apply)
    values (${id}, ${business}, ${input.name ?? ''}, ${input.url}, ${token !== ''}, ${input.missing ?? 'KEEP'},
      ${[...(input.apply ?? [])]}::text[])`
  if (token !== '')
    await transaction`insert into feed_tokens (feed, token) values (${id}, ${token})`
  await transaction.unsafe(`insert into feed_reads (feed, due) values ('${id}', ${NIGHT})`)
  await beginRead(transaction, id, true)
  return id
}

/** Enough for the plans of all feeds and the imports of files. Without it, deleted feeds would leave any number of plans. */
const MAX_OPEN = IMPORT_LIMITS.openPerBusiness + IMPORT_LIMITS.feedsPerBusiness

/** @throws ApiError 400 if the business has too many feeds, or too many unfinished imports */
const demandRoom = async (transaction: Runner, business: string): Promise<void> => {
  await lockBusiness(transaction, business)
  const [count] = await transaction<[{ feeds: number; open: number }]>`
    select (select count(*)::int from feeds f where f.business = ${business}) as feeds,
      (select count(*)::int from imports i
        where i.business = ${business} and i.state <> all(${[...ENDED]})) as open`
  const refuse = (sentence: string, threshold: number): never => {
    throw new ApiError(400, sentence, {
      url: fieldError('validation_max_less_equal_than_required', { threshold }),
    })
  }
  if (count.feeds >= IMPORT_LIMITS.feedsPerBusiness)
    refuse('Too many feeds: delete one of them first.', IMPORT_LIMITS.feedsPerBusiness)
  if (count.open >= MAX_OPEN) refuse(TOO_MANY_OPEN, MAX_OPEN)
}

/** Replaces the token of a feed; an empty one removes it. @throws ApiError 401, 403, 404 */
export const setFeedToken = (sql: Sql, caller: Caller, id: string, token: string): Promise<void> =>
  sql.begin(async (transaction) => {
    await demandFeed(transaction, caller, id)
    if (token === '') await transaction`delete from feed_tokens where feed = ${id}`
    else
      await transaction`
        insert into feed_tokens (feed, token) values (${id}, ${token})
        on conflict (feed) do update set token = excluded.token`
    await transaction`
      update feeds set has_token = ${token !== ''}, updated = now(), version = nextval('record_version')
      where id = ${id}`
  })

/**
 * Starts to read a feed, for its owner to review the plan.
 * @returns the ID of the import
 * @throws ApiError 401, 403, 404; 409 while the feed is being read
 */
export const readFeedNow = (sql: Sql, caller: Caller, id: string): Promise<string> =>
  sql.begin(async (transaction) => {
    await demandFeed(transaction, caller, id)
    const begun = await beginRead(transaction, id, true)
    if (begun === undefined) throw new ApiError(409, 'The feed is being read.')
    return begun
  })

const demandFeed = async (runner: Runner, caller: Caller, id: string): Promise<void> => {
  const business = await businessOf(runner, caller)
  const found = await runner`
    select 1 from feeds where id = ${id} and business = ${business} for no key update`
  if (found.length === 0) throw new ApiError(404)
}

/** Starts to read the feeds that are due, each in one process. If there are none, this takes one statement. */
export const readDueFeeds = async (sql: Sql): Promise<void> => {
  const due = await sql`select from feed_reads where due <= now() limit 1`
  if (due.length > 0) await sql.begin(beginDueReads)
}

const beginDueReads = async (transaction: Transaction): Promise<void> => {
  const due = await transaction.unsafe<{ id: string }[]>(
    `update feed_reads r set due = ${NIGHT} + case when r.failures >= ${MAX_FAILURES} then interval '6 days' else '0' end
       from feeds f where f.id = r.feed and f.is_active and r.feed in (
         select d.feed from feed_reads d where d.due <= now() and not exists (
           select from imports i where i.feed = d.feed and i.state = any($1))
         order by d.due limit 20 for update skip locked)
       returning f.id`,
    [[...WORKED_ON]],
  )
  for (const { id } of due) await beginRead(transaction, id, false)
}

/** Creates an import for the feed. Earlier plans can be viewed and applied until the new one is ready. */
const beginRead = async (
  transaction: Runner,
  feed: string,
  isReview: boolean,
): Promise<string | undefined> => {
  const [begun] = await transaction<{ id: string }[]>`
    with begun as (
      insert into imports (id, business, source, feed, missing)
      select ${randomText(ID_LENGTH)}, f.business,
        coalesce(nullif(f.name, ''), split_part(split_part(f.url, '?', 1), '#', 1)), f.id, f.missing
      from feeds f where f.id = ${feed} and not exists (
        select from imports i where i.feed = f.id and i.state = any(${[...WORKED_ON]}))
      returning id),
    work as (
      insert into import_work (import, url, token, is_review)
      select b.id, f.url, coalesce((select t.token from feed_tokens t where t.feed = f.id), ''), ${isReview}
      from begun b, feeds f where f.id = ${feed})
    select id from begun`
  return begun?.id
}

/** Updates the feed of an import after reading, if it has one, and starts the run if the feed's rules allow it. */
export const settleFeed = async (
  transaction: Transaction,
  work: Work,
  state: 'PLANNED' | 'MAPPING' | 'FAILED',
  problem: ImportProblem | null = null,
): Promise<void> => {
  const [feed] = await transaction<{ apply: readonly RowAction[] }[]>`
    select apply from feeds where id = ${work.feed}`
  if (feed === undefined) return
  await forgetEarlier(transaction, work, state === 'FAILED')
  if (state === 'FAILED') await noteFailure(transaction, work, problem)
  if (state === 'MAPPING') await noteHealth(transaction, work, 'NEEDS_REVIEW')
  if (state === 'PLANNED' && (await applyRules(transaction, work, feed.apply)))
    await runFeed(transaction, work)
}

/** While another import of the business is running, the feed waits for the next night. */
const runFeed = async (transaction: Transaction, { import: id, business }: Work): Promise<void> => {
  const others = await transaction`
    select from imports where business = ${business} and state in ('RUNNING', 'UNDOING')`
  if (others.length > 0) return
  await moveImport(transaction, { id, business, from: ['PLANNED'], to: 'RUNNING' })
}

/**
 * Deletes outdated imports: earlier failures and, once there is a new plan, earlier plans and nightly runs that wrote
 * nothing. Imports that can be undone stay.
 */
const forgetEarlier = async (
  transaction: Transaction,
  { import: id, feed }: Work,
  hasFailed: boolean,
): Promise<void> => {
  await transaction`
    delete from imports i where i.feed = ${feed} and i.id <> ${id}
      and i.state = any(${hasFailed ? ['FAILED'] : ['FAILED', 'PLANNED', 'MAPPING', 'DONE']})
      and not exists (select from import_rows r where r.import = i.id and r.state in ('APPLIED', 'KEPT'))
      and not exists (select from import_work w where w.import = i.id and w.is_review and i.state = 'DONE')`
}

/** The problem of rows that only a person selects. */
const UNSURE = 'perhaps_left_out' satisfies ImportProblem['code']

/** Excludes rows that need a review, and records the state of the feed. @returns whether to run the import */
const applyRules = async (
  transaction: Transaction,
  work: Work,
  rules: readonly RowAction[],
): Promise<boolean> => {
  const manyMissing = rules.includes('MISSING')
    ? await findManyMissing(transaction, work)
    : undefined
  const apply = rules.filter((action) => action !== 'MISSING' || manyMissing === undefined)
  const [left] = await transaction<[{ toApply: number; toReview: number; planned: number }]>`
    with left_out as (
      update import_rows set included = false, updated = now(), version = nextval('record_version')
      where import = ${work.import} and included and action <> all(${[...apply]}) and not ${work.isReview}
      returning action)
    select
      (select count(*) from import_rows r where r.import = ${work.import} and r.included
        and r.action = any(${[...apply]}) and (r.action <> 'MISSING' or ${work.missing} = 'REMOVE'))::int as "toApply",
      (select count(*) from import_rows r where r.import = ${work.import} and r.included
        and (r.action <> 'MISSING' or ${work.missing} = 'REMOVE'))::int as planned,
      (select count(*) from left_out l where l.action <> 'MISSING' or ${work.missing} = 'REMOVE')::int
        + (select count(*) from import_rows r where r.import = ${work.import}
            and (r.doubtful or r.open_questions > 0 or r.problem ->> 'code' = ${UNSURE}))::int as "toReview"`
  const needsPerson = left.toReview > 0 || (work.isReview && left.planned > 0)
  const hasChanged = left.toApply > 0
  const cut = await findCut(transaction, work)
  if (cut !== undefined) await noteFailure(transaction, work, cut, hasChanged)
  else {
    const state = needsPerson ? 'NEEDS_REVIEW' : 'OK'
    await noteHealth(transaction, work, state, hasChanged, manyMissing)
  }
  await noteCounts(transaction, work.import)
  return !work.isReview && hasChanged
}

/**
 * What a feed may lose in a night without confirmation. If more is missing, the file is more likely truncated than the
 * stations closed.
 */
const MAX_MISSING = { sites: 5, share: 0.2 }

const findManyMissing = async (
  runner: Runner,
  { import: id, missing }: Work,
): Promise<ImportProblem | undefined> => {
  if (missing !== 'REMOVE') return undefined
  const [{ gone, known }] = await runner<[{ gone: number; known: number }]>`
    select count(*) filter (where r.action = 'MISSING')::int as gone,
      count(*) filter (where r.action in ('MISSING', 'CHANGED', 'UNCHANGED'))::int as known
    from import_rows r where r.import = ${id}`
  return gone > MAX_MISSING.sites && gone > known * MAX_MISSING.share
    ? { code: 'many_missing', params: { count: gone, total: known } }
    : undefined
}

/**
 * Finds the problem that prevented the rest or all of a feed from being read: the last part read has it. Other problems
 * concern a single record.
 */
const findCut = async (runner: Runner, work: Work): Promise<ImportProblem | undefined> => {
  const [last] = await runner<{ problem: ImportProblem | null }[]>`
    select problem from import_parts where import = ${work.import} order by number desc limit 1`
  const problem = last?.problem ?? undefined
  return problem === undefined || /^(?:record_not|row|sheet)_/.test(problem.code)
    ? undefined
    : problem
}

/**
 * After a user has run a plan, its feed needs no review, unless rows with open questions or doubtful matches remain.
 * After its rules have, it needs one if rows could not be applied.
 */
export const noteRun = async (transaction: Transaction, work: Work): Promise<void> => {
  if (work.feed === '') return
  const open = await transaction`
    select 1 from import_rows where import = ${work.import}
      and case when ${work.isReview} then doubtful or open_questions > 0 else state = 'FAILED' end limit 1`
  const isOpen = open.length > 0
  if (isOpen && work.isReview) return
  await transaction`
    with noted as (
      update feeds set state = ${isOpen ? 'NEEDS_REVIEW' : 'OK'}, problem = 'null', updated = now(), version = nextval('record_version')
      where id = ${work.feed} and state = ${work.isReview ? 'NEEDS_REVIEW' : 'OK'} returning id)
    update feed_reads r set told = '' from noted n where r.feed = n.id and not ${isOpen}`
}

const noteHealth = async (
  transaction: Transaction,
  work: Work,
  state: FeedState,
  hasChanged = false,
  problem: ImportProblem | null = null,
): Promise<void> => {
  await noteState(transaction, work, state, problem, hasChanged)
  await transaction`
    update feed_reads set failures = 0,
      -- The run that follows may still need a person.
      told = case when ${work.isReview} then ${state === 'OK' ? '' : state} when ${state === 'OK' && !hasChanged} then '' else told end
    where feed = ${work.feed}`
}

const noteFailure = async (
  transaction: Transaction,
  work: Work,
  problem: ImportProblem | null,
  hasChanged = false,
): Promise<void> => {
  const [{ failures }] = await transaction<[{ failures: number }]>`
    update feed_reads set failures = failures + 1 where feed = ${work.feed} returning failures`
  const state = failures >= MAX_FAILURES ? 'DEAD' : 'FAILING'
  await noteState(transaction, work, state, problem, hasChanged)
}

const noteState = async (
  transaction: Transaction,
  { feed }: Work,
  state: FeedState,
  problem: ImportProblem | null,
  hasChanged: boolean,
): Promise<void> => {
  await transaction`
    update feeds set state = ${state}, problem = ${JSON.stringify(problem)}::jsonb, last_read = ${nowText(transaction)},
      last_changed = case when ${hasChanged} then ${nowText(transaction)} else last_changed end,
      updated = now(), version = nextval('record_version')
    where id = ${feed}`
}

interface FeedNotice {
  readonly feed: string
  readonly state: 'NEEDS_REVIEW' | 'DEAD'
  readonly email: string
  readonly language: string
}

/**
 * Queues mails about feeds that need a review or are dead: one of each kind until the feed recovers. A mail that could
 * not be sent is retried for a day after the feed was read.
 */
export const sendFeedMails = async (sql: Sql, mailer: Mailer, link: string): Promise<void> => {
  const due = await sql<FeedNotice[]>`
    update feed_reads r set mail_due = now() + ${RETRY_MINUTES} * interval '1 minute'
    from feeds f join businesses b on b.id = f.business join users u on u.id = b."user"
      left join user_languages l on l."user" = u.id
    where f.id = r.feed and f.state in ('NEEDS_REVIEW', 'DEAD') and r.told <> f.state and f.is_active
      and r.mail_due <= now() and f.updated > now() - interval '1 day' and u.email <> '' and u.verified
    returning f.id as feed, f.state, u.email, coalesce(l.language, '') as language`
  for (const { feed, state, email, language } of due)
    mailer.later(
      () =>
        Promise.resolve({
          purpose: state === 'DEAD' ? 'feedDead' : 'feedReview',
          to: email,
          language: pickLanguage(language),
          link,
        }),
      `the feed ${feed}`,
      async () => sql`
        update feed_reads r set told = f.state, mail_due = now() from feeds f
        where f.id = r.feed and f.id = ${feed} and f.state = ${state}`,
    )
}
