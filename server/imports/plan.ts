import { setImmediate as turn } from 'node:timers/promises'

import { MAX_TARIFFS_PER_SITE } from '#domain/connector.ts'
import {
  isRemoval,
  type RowAction,
  type ImportCandidate,
  type ImportChange,
  type ImportedPrice,
  type ImportedStation,
  type ImportProblem,
  type ImportQuestion,
  type MatchedBy,
} from '#domain/import.ts'
import { MiB } from '#domain/limits.ts'
import { isSameValue } from '#domain/record.ts'
import type { Answers, Problem, Repair, RuleName } from '#domain/repair.ts'

import type { Runner, Sql, Transaction } from '../db/sql.ts'
import { orderedId, stableId } from '../db/stable-id.ts'
import { contradictionOf, joinParts } from '../formats/join.ts'
import { repairStation } from '../formats/repair/repair.ts'
import type { Repaired, Station } from '../formats/station.ts'
import type { Row } from '../records/records.ts'
import {
  compareStation,
  pairConnectors,
  type CompareOptions,
  type StoredStation,
} from './compare.ts'
import { noteCounts } from './counts.ts'
import { endReading } from './ending.ts'
import { findMatches, type Match } from './match.ts'
import { readBases, type Bases } from './feed-base.ts'
import { isRepeated, mergeStation, recordsAfter, type Base } from './merge.ts'
import { readAhead } from './read-ahead.ts'
import { isDashboardFile, noteSources, sourceKey } from './sources.ts'
import { asImported, newConnectorIds, referenceOf } from './station.ts'
import { planTariffs, tariffsOf } from './tariffs.ts'
import { batch, note, type Work } from './work.ts'

/** Stations per batch, and the total size of their pieces. */
const BATCH = 500
const MAX_BATCH_BYTES = 8 * MiB
/** What a connector of a piece counts in a batch: its repairs and questions take more than its few letters. */
const CONNECTOR_BYTES = 1024
/** The maximum size of the pieces of one station; a larger station is refused unread. */
const MAX_STATION_BYTES = 8 * MiB

/** Plans the action for each station, in batches. An interrupted plan continues where it stopped. */
export const makePlan = async (sql: Sql, work: Work): Promise<void> => {
  let { done } = work
  for await (const stations of readAhead(readRepaired(sql, work))) {
    await batch(sql, work, async (transaction) => {
      await storeRows(transaction, work.import, await planAll(transaction, work, stations))
      await note(transaction, work, {
        position: stations.at(-1)?.read.number ?? work.position,
        done: done + stations.length,
      })
    })
    done += stations.length
  }
  if (await isWhole(sql, work)) await planMissing(sql, work)
  if (work.feed !== '') await noteSources(sql, work)
  await batch(sql, work, async (transaction) => {
    await noteCounts(transaction, work.import)
    await endReading(transaction, work, 'PLANNED')
  })
}

/** The import that a plan belongs to. */
export type Planned = Pick<Work, 'import' | 'business' | 'owner' | 'missing' | 'feed' | 'isReview'>

/** A station as read from the source, with the user's decisions. */
export interface ReadStation {
  readonly number: number
  readonly position: string
  readonly parts: readonly Station[]
  readonly problem: Problem | null
  readonly answers?: Answers
  /** The site that the user has chosen; empty for a new one. */
  readonly choice?: string
  /** The sites that the user chose from. */
  readonly candidates?: readonly ImportCandidate[]
}

const TOO_LARGE: Problem = { code: 'record_too_large', params: { max: MAX_STATION_BYTES } }

/**
 * Reads stations of an import in the order of their numbers, with their pieces: up to `limit` and up to a total size,
 * but at least one. One statement.
 */
export const readStations = (
  runner: Runner,
  id: string,
  after: number,
  limit: number,
): Promise<ReadStation[]> =>
  runner<ReadStation[]>`
    with sized as (
      select k.number, k.key, coalesce(sum(octet_length(p.part::text)), 0) as bytes,
        coalesce(sum(jsonb_array_length(p.part -> 'connectors')), 0) * ${CONNECTOR_BYTES} as added
      from (select * from import_keys where import = ${id} and number > ${after} order by number limit ${limit}) k
      join import_parts p on p.import = ${id} and p.key = k.key
      group by k.number, k.key),
    due as (
      select *, bytes <= ${MAX_STATION_BYTES} as fits, sum(bytes + added) over (order by number) - bytes - added as before from sized)
    select d.number, (array_agg(p.position order by p.number))[1] as position,
      coalesce(jsonb_agg(p.part order by p.number) filter (where d.fits), '[]') as parts,
      case when d.fits then (array_agg(p.problem order by p.number))[1]
        else ${JSON.stringify(TOO_LARGE)}::jsonb end as problem
    from due d join import_parts p on p.import = ${id} and p.key = d.key
    where d.before < ${MAX_BATCH_BYTES}
    group by d.number, d.fits order by d.number`

/** A row of the plan. */
export interface PlannedRow {
  readonly number: number
  readonly position: string
  readonly reference: string
  readonly name: string
  readonly action: RowAction
  readonly included: boolean
  readonly matched_by: MatchedBy | ''
  readonly doubtful: boolean
  readonly candidates: readonly ImportCandidate[] | null
  readonly duplicates: readonly object[] | null
  readonly site: string
  readonly station: ImportedStation | null
  readonly connectors: number
  readonly new_connectors: number
  readonly missing_connectors: number
  readonly changes: readonly ImportChange[] | null
  readonly prices: readonly ImportedPrice[] | null
  readonly repaired: boolean
  readonly repairs: readonly Repair[] | null
  readonly open_questions: number
  readonly questions: readonly ImportQuestion[] | null
  readonly problem: ImportProblem | null
  readonly records: Readonly<Record<string, string>> | null
  /** What a feed says of the station, if that differs from the base. */
  readonly nextBase: Base | null
  /** The station was in the feed before, and was merged. */
  readonly hasBase: boolean
  /** The feed says the same of it as before. */
  readonly isRepeated: boolean
  /** The key of a station without a site that the feed has renamed or moved; otherwise null. */
  readonly formerKey: string | null
}

/** Plans some stations. Reads the database, and writes only the tariffs that they need. */
export const planStations = async (
  transaction: Transaction,
  planned: Planned,
  stations: readonly ReadStation[],
): Promise<readonly PlannedRow[]> => planAll(transaction, planned, await repairAll(stations))

/** More questions of a station are asked again: 2³ answers are tried. */
const MAX_REMEMBERED = 3

/**
 * Plans stations. A question is not asked if the site already has what one of its answers gives, as after an earlier
 * import of the same source, or if a person has answered it for the feed.
 */
const planAll = async (
  transaction: Transaction,
  planned: Planned,
  repaired: readonly RepairedStation[],
): Promise<readonly PlannedRow[]> => {
  const rows = new Map(
    (await planRepaired(transaction, planned, repaired)).map((row) => [row.number, row]),
  )
  // Most stations with questions are new, and are tried only once.
  const known = new Set(
    [...rows.values()]
      .filter(({ site, hasBase }) => site !== '' || hasBase)
      .map(({ number }) => number),
  )
  for (let nth = 0; nth < 2 ** MAX_REMEMBERED; nth++) {
    const tried = repaired.flatMap(({ read, questions }): ReadStation[] => {
      const answers = nthAnswers(nth, openRules(read, questions))
      const isOpen = rows.get(read.number)?.open_questions !== 0
      return answers === undefined || !isOpen || (nth > 0 && !known.has(read.number))
        ? []
        : [{ ...read, answers: { ...read.answers, ...answers } }]
    })
    if (tried.length === 0) break
    for (const row of await planRepaired(transaction, planned, await repairAll(tried))) {
      if (row.site !== '') known.add(row.number)
      if ((row.action === 'UNCHANGED' || row.isRepeated) && row.open_questions === 0)
        rows.set(row.number, row)
    }
  }
  return [...rows.values()]
}

/** The open questions of a station: one for each rule, however many values it concerns. */
const openRules = (
  { answers = {} }: ReadStation,
  questions: RepairedStation['questions'],
): readonly RuleName[] => [
  ...new Set(questions.map(({ rule }) => rule).filter((rule) => answers[rule] === undefined)),
]

/** The combination of answers with this number, from all yes to all no; undefined if there is none. */
const nthAnswers = (nth: number, rules: readonly RuleName[]): Answers | undefined =>
  rules.length === 0 || rules.length > MAX_REMEMBERED || nth >= 2 ** rules.length
    ? undefined
    : Object.fromEntries(rules.map((rule, index) => [rule, (nth & (2 ** index)) === 0]))

const planRepaired = async (
  transaction: Transaction,
  planned: Planned,
  repaired: readonly RepairedStation[],
): Promise<readonly PlannedRow[]> => {
  const tariffs = await planTariffs(
    transaction,
    planned,
    repaired.map(({ station }) => station),
  )
  const prepared = repaired.map((one) => {
    const imported = asImported(one.station, tariffs.ids)
    return { ...one, imported, refusal: one.refusal ?? tooManyPrices(imported) }
  })
  const matches = await findSites(transaction, planned, prepared)
  const stored = await readStored(transaction, planned, [...matches.values()])
  const numbers = repaired.map(({ read }) => read.number)
  const bases = await readBases(transaction, planned, numbers, [...stored.keys()])
  return prepared.map((one) => {
    const row = planOne(planned, one, matches.get(one.read.number), { stored, bases })
    const prices = [...new Set(tariffsOf(row))].flatMap((id) => tariffs.created.get(id) ?? [])
    return prices.length > 0 ? { ...row, prices } : row
  })
}

interface RepairedStation extends Repaired {
  readonly read: ReadStation
}

/** Reads and repairs the stations that are not planned yet, in batches. */
const readRepaired = async function* (
  sql: Sql,
  { import: id, position }: Work,
): AsyncGenerator<readonly RepairedStation[]> {
  for (let after: number | undefined = position; after !== undefined;) {
    const read: readonly ReadStation[] = await readStations(sql, id, after, BATCH)
    if (read.length > 0) yield await repairAll(read)
    after = read.at(-1)?.number
  }
}

const repairAll = async (stations: readonly ReadStation[]): Promise<readonly RepairedStation[]> => {
  const repaired: RepairedStation[] = []
  for (const read of stations) {
    // Yields to requests between stations, since one station may take a second.
    await turn()
    const { repairs, questions, ...others } =
      read.problem === null
        ? repairPieces(read)
        : { station: NO_STATION, repairs: [], questions: [], refusal: read.problem }
    repaired.push({ read, ...others, repairs: repairs.map(shown), questions: questions.map(shown) })
  }
  return repaired
}

const repairPieces = ({ parts, answers }: ReadStation): Repaired => {
  const repaired = repairStation(joinParts(parts), answers)
  const problem = contradictionOf(parts)
  return problem === undefined ? repaired : { ...repaired, questions: [], refusal: problem }
}

const MAX_SHOWN_LENGTH = 1000

/** A finding as stored for display: long values are truncated. */
const shown = <F extends Repair>(finding: F): F => {
  const text = JSON.stringify(finding.before ?? null)
  return text.length <= MAX_SHOWN_LENGTH
    ? finding
    : { ...finding, before: `${text.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` }
}

const NO_STATION: Station = { reference: '', site: {}, connectors: [], tariffs: [] }

interface Prepared extends Omit<RepairedStation, 'refusal'> {
  readonly imported: ImportedStation
  readonly refusal: ImportProblem | undefined
}

const tooManyPrices = ({ connectors }: ImportedStation): ImportProblem | undefined => {
  const prices = new Set(connectors.flatMap(({ tariff }) => tariff ?? []))
  return prices.size > MAX_TARIFFS_PER_SITE
    ? { code: 'tariffs_too_many', params: { max: MAX_TARIFFS_PER_SITE } }
    : undefined
}

type Found = Match & {
  /** Another row of the file already matches the site. */
  readonly isTaken?: boolean
}

/** Finds the site of each station. The first row that matches a site keeps it. */
const findSites = async (
  transaction: Transaction,
  planned: Planned,
  prepared: readonly Prepared[],
): Promise<ReadonlyMap<number, Found>> => {
  const stations = prepared
    .filter(({ read, refusal }) => refusal === undefined && read.choice === undefined)
    .map(({ read, station, imported }) => ({
      number: read.number,
      reference: station.reference,
      imported,
    }))
  const matches = new Map<number, Found>(await findMatches(transaction, planned, stations))
  for (const { read } of prepared)
    if (read.choice !== undefined)
      matches.set(read.number, {
        ...(read.choice !== '' && { site: read.choice }),
        matchedBy: 'CHOICE',
        candidates: read.candidates ?? [],
        duplicates: [],
      })
  const sites = [...matches.values()].flatMap(({ site }) => site ?? [])
  const rows = await transaction<{ site: string; number: number }[]>`
    select site, number from import_rows where import = ${planned.import} and site = any(${sites})
      and action in ('CHANGED', 'UNCHANGED')`
  const taken = new Map(rows.map(({ site, number }) => [site, number]))
  for (const [number, match] of matches) {
    if (match.site === undefined) continue
    const other = taken.get(match.site)
    if (other === undefined) taken.set(match.site, number)
    else if (other !== number) matches.set(number, { ...match, isTaken: true })
  }
  return matches
}

const readStored = async (
  runner: Runner,
  { business, import: imported }: Planned,
  matches: readonly Match[],
): Promise<ReadonlyMap<string, FoundStation>> => {
  const ids = matches.flatMap(({ site }) => site ?? [])
  if (ids.length === 0) return new Map()
  const sites = await runner<Row[]>`
    select * from sites where id = any(${ids}) and business = ${business}`
  const connectors = await runner<Row[]>`
    select * from connectors where site = any(${ids}) order by site, created, id`
  const removed = await runner<{ id: string; status: string }[]>`
    select s.id, o.former_status as status from sites s join site_sources o on o.site = s.id
    where s.id = any(${ids}) and s.status = 'REMOVED' and o.former_status <> ''
      and not ${isDashboardFile(runner, imported)}`
  const formerStatuses = new Map(removed.map(({ id, status }) => [id, status]))
  const bySite = Map.groupBy(connectors, ({ site }) => site)
  return new Map(
    sites.map((site) => {
      const id = String(site['id'])
      const formerStatus = formerStatuses.get(id)
      return [id, { site, connectors: bySite.get(id) ?? [], formerStatus }]
    }),
  )
}

interface FoundStation extends StoredStation {
  /**
   * The status of a site before an import marked it as removed. The site returns to it, unless the source states
   * another.
   */
  readonly formerStatus: string | undefined
}

/** The values of a refused row. */
const NOTHING_PLANNED = {
  action: 'REFUSED',
  included: false,
  doubtful: false,
  candidates: null,
  duplicates: null,
  site: '',
  station: null,
  new_connectors: 0,
  missing_connectors: 0,
  changes: null,
  prices: null,
  records: null,
} satisfies Partial<PlannedRow>

interface Known {
  readonly stored: ReadonlyMap<string, FoundStation>
  readonly bases: Bases
}

const planOne = (
  planned: Planned,
  prepared: Prepared,
  match: Found | undefined,
  { stored, bases }: Known,
): PlannedRow => {
  const { read, station, imported, repairs, refusal } = prepared
  const found = match?.site === undefined ? undefined : stored.get(match.site)
  const base = baseOf(prepared, match, bases)
  const { missing, isReview } = planned
  // A station that is found by its key has the ID of that.
  const hasSameIds =
    match?.matchedBy === 'REFERENCE' || (match?.matchedBy === 'FEED' && station.reference !== '')
  const newId = (index: number): string =>
    stableId(planned.import, String(read.number), String(index))
  const merge =
    base === undefined || found === undefined
      ? undefined
      : mergeStation(prepared, base, found, { hasSameIds, missing, isReview, newId })
  // A station that is refused stays merged as it was.
  const stays = refusal !== undefined && base !== undefined && !bases.withoutSite.has(read.number)
  const next = stays ? { ...base, refused: station } : (merge?.next ?? station)
  const row = beginRow(planned, prepared, match, { base, next })
  if (refusal !== undefined) return row
  if (match?.isTaken)
    return { ...row, ...choicesOf(match), nextBase: null, problem: { code: 'site_taken' } }
  if (found === undefined) {
    const ids = newConnectorIds(orderedId(planned.import, read.number), imported)
    return planNew(withRecords(planned, row, { ...next, records: ids }), imported, match)
  }
  const planFound = (values: ImportedStation, compare: CompareOptions): PlannedRow =>
    planExisting(planned, { ...row, ...choicesOf(match) }, prepared, { values, found, compare })
  if (merge === undefined) {
    const pairing = pairConnectors(imported.connectors, found.connectors, { hasSameIds })
    const indexes = [...imported.connectors.keys()]
    const records = recordsAfter(indexes, pairing, found.connectors, newId)
    return withRecords(planned, planFound(imported, { pairing, newId, repairs }), {
      ...next,
      records,
    })
  }
  const { changed, pairing, wholePairing, hasChanged } = merge
  const merged = planFound(changed, { pairing, newId, repairs, mayChange: hasChanged })
  if (!isReview || merged.action !== 'UNCHANGED') return merged
  const whole = planFound(imported, { pairing: wholePairing, newId, repairs })
  return whole.action === 'UNCHANGED' ? merged : asLeftOut(whole)
}

/** The base of a station, unless it has had no site and the feed has changed that since. */
const baseOf = (
  { read: { number }, station, refusal }: Prepared,
  match: Found | undefined,
  { bySite, byNumber, withoutSite, awaitingChange }: Bases,
): Station | undefined => {
  if (match?.site !== undefined) return bySite.get(match.site)
  // Several answers may be needed until it is as in the base.
  if (refusal !== undefined) return byNumber.get(number)
  const base = withoutSite.get(number)
  return awaitingChange.has(number) && !isRepeated(asStored(station), base) ? undefined : base
}

const asStored = (base: Base): Base => JSON.parse(JSON.stringify(base)) as Base

/** Notes the records that the run will create for a station without a base, or whose site is gone. */
const withRecords = ({ feed }: Planned, row: PlannedRow, next: Base): PlannedRow =>
  feed === '' ? row : { ...row, nextBase: asStored(next) }

/** Without a person, what a feed only repeats changes nothing. */
const asLeftOut = (row: PlannedRow): PlannedRow =>
  row.action === 'UNCHANGED'
    ? row
    : { ...row, included: false, problem: { code: 'unchanged_in_feed' } }

/** The row of a station before it is known what it changes. */
const beginRow = (
  { feed }: Planned,
  { read, imported, repairs, questions, refusal }: Prepared,
  match: Found | undefined,
  { base, next }: { readonly base: Base | undefined; readonly next: Base },
): PlannedRow => {
  const answers = read.answers ?? {}
  const name = imported.site['name']
  const stated = read.problem === null ? asStored(next) : null
  return {
    number: read.number,
    position: read.position,
    reference: referenceOf(imported),
    name: typeof name === 'string' ? name : '',
    ...NOTHING_PLANNED,
    matched_by: match?.matchedBy ?? '',
    connectors: imported.connectors.length,
    repaired: repairs.length > 0,
    repairs: repairs.length > 0 ? repairs : null,
    open_questions: openRules(read, questions).length,
    questions:
      questions.length > 0
        ? questions.map((question) => {
            const answer = answers[question.rule]
            return answer === undefined ? question : { ...question, answer }
          })
        : null,
    problem: refusal ?? null,
    nextBase: feed === '' || isSameValue(stated, base) ? null : stated,
    hasBase: base !== undefined || match?.formerKey !== undefined,
    isRepeated: stated !== null && isRepeated(stated, base),
    formerKey: match?.formerKey ?? null,
  }
}

interface Comparison {
  readonly values: ImportedStation
  readonly found: FoundStation
  readonly compare: CompareOptions
}

/** Plans the changes that the values make to the site of a row. */
const planExisting = (
  planned: Planned,
  row: PlannedRow,
  { imported }: Prepared,
  { values: { site, connectors }, found, compare }: Comparison,
): PlannedRow => {
  const { formerStatus } = found
  const back = formerStatus === undefined ? {} : { status: imported.site['status'] ?? formerStatus }
  const station = { site: { ...site, ...back }, connectors }
  const { changes, records } = compareStation(station, found, compare)
  const kept = changes.filter((one) => !isRemoval(one))
  const counted = planned.missing === 'REMOVE' ? changes : kept
  return {
    ...row,
    action: counted.length > 0 ? 'CHANGED' : 'UNCHANGED',
    included: counted.length > 0,
    site: String(found.site['id']),
    new_connectors: changes.filter(({ before }) => before === null).length,
    missing_connectors: changes.length - kept.length,
    changes: changes.length > 0 ? changes : null,
    records,
  }
}

/** The candidates to choose from, kept after the choice. */
const choicesOf = (match: Match | undefined): Pick<PlannedRow, 'candidates'> => ({
  candidates: match === undefined || match.candidates.length === 0 ? null : match.candidates,
})

const planNew = (
  row: PlannedRow,
  station: ImportedStation,
  match: Match = { candidates: [], duplicates: [] },
): PlannedRow => {
  const { candidates, duplicates, matchedBy } = match
  const isChosen = matchedBy === 'CHOICE'
  const isLeftOut = row.hasBase && !isChosen
  const doubtful = candidates.length > 0 && !isChosen && !isLeftOut
  const isAsked = match.mayBeLeftOut === true && !isLeftOut && !doubtful
  const planned: PlannedRow = {
    ...row,
    action: 'NEW',
    included: !doubtful && !isAsked,
    doubtful,
    ...choicesOf(match),
    duplicates: duplicates.length > 0 ? duplicates : null,
    station,
    new_connectors: station.connectors.length,
    problem: doubtful ? { code: 'match_doubtful' } : isAsked ? { code: 'perhaps_left_out' } : null,
  }
  return isLeftOut ? asLeftOut(planned) : planned
}

/** The maximum size of a row as JSON, which bounds the size of a page of rows. */
const MAX_ROW_BYTES = MiB

/** Serialises a row as JSON; a row that is too large becomes a refused one. */
const rowText = ({
  nextBase: _nextBase,
  hasBase: _hasBase,
  isRepeated: _isRepeated,
  formerKey: _formerKey,
  ...row
}: PlannedRow): string => {
  // The prices of a row are only shown.
  for (const each of [row, { ...row, prices: null }]) {
    const text = JSON.stringify(each)
    if (Buffer.byteLength(text) <= MAX_ROW_BYTES) return text
  }
  return JSON.stringify({
    ...row,
    ...NOTHING_PLANNED,
    repairs: null,
    open_questions: 0,
    questions: null,
    problem: { code: 'record_too_large', params: { max: MAX_ROW_BYTES } },
  } satisfies Omit<PlannedRow, 'nextBase' | 'hasBase' | 'isRepeated' | 'formerKey'>)
}

/** Inserts rows, or replaces existing rows with the same numbers. */
export const storeRows = async (
  runner: Runner,
  id: string,
  rows: readonly PlannedRow[],
): Promise<void> => {
  if (rows.length === 0) return
  await runner`
    insert into import_rows (id, import, number, position, reference, name, action, included, matched_by, doubtful,
      candidates, duplicates, site, station, connectors, new_connectors, missing_connectors, changes, prices, repaired, repairs,
      open_questions, questions, problem, records)
    select lpad(to_hex(nextval('record_version')), 15, '0'), ${id}, r.number, r.position, r.reference, r.name, r.action,
      r.included, r.matched_by, r.doubtful, coalesce(r.candidates, 'null'), coalesce(r.duplicates, 'null'), r.site,
      coalesce(r.station, 'null'), r.connectors, r.new_connectors, r.missing_connectors, coalesce(r.changes, 'null'),
      coalesce(r.prices, 'null'), r.repaired,
      coalesce(r.repairs, 'null'), r.open_questions, coalesce(r.questions, 'null'), coalesce(r.problem, 'null'),
      coalesce(r.records, 'null')
    from jsonb_to_recordset(${`[${rows.map(rowText).join()}]`}::jsonb) as r(number int, position text, reference text, name text,
      action text, included boolean, matched_by text, doubtful boolean, candidates jsonb, duplicates jsonb, site text,
      station jsonb, connectors int, new_connectors int, missing_connectors int, changes jsonb, prices jsonb, repaired boolean, repairs jsonb,
      open_questions int, questions jsonb, problem jsonb, records jsonb)
    on conflict (import, number) do update set (action, included, matched_by, doubtful, candidates, duplicates, site,
        station, connectors, new_connectors, missing_connectors, changes, prices, repaired, repairs, open_questions, questions,
        problem, records, updated, version)
      = (excluded.action, excluded.included, excluded.matched_by, excluded.doubtful, excluded.candidates,
        excluded.duplicates, excluded.site, excluded.station, excluded.connectors, excluded.new_connectors, excluded.missing_connectors,
        excluded.changes, excluded.prices, excluded.repaired, excluded.repairs, excluded.open_questions, excluded.questions,
        excluded.problem, excluded.records, now(), nextval('record_version'))`
  if (!rows.some(({ nextBase, hasBase }) => nextBase !== null || hasBase)) return
  const stations = rows.map(({ number, nextBase, formerKey }) => ({ number, nextBase, formerKey }))
  await runner`
    update import_keys k set next_base = r."nextBase", former_key = r."formerKey"
    from jsonb_to_recordset(${JSON.stringify(stations)}::jsonb) as r(number int, "nextBase" jsonb, "formerKey" text)
    where k.import = ${id} and k.number = r.number
      and (k.next_base, k.former_key) is distinct from (r."nextBase", r."formerKey")`
}

/**
 * Problems of single records without a site. After any other problem, such as a record that is too large, sites of the
 * source are unknown.
 */
const OF_RECORDS = ['record_not_object', 'row_too_wide']

/** Whether the source was read completely and contains usable rows. Otherwise no site counts as missing. */
const isWhole = async (runner: Runner, { import: id }: Work): Promise<boolean> => {
  const [row] = await runner<[{ isWhole: boolean }]>`
    select exists (select from import_rows r where r.import = ${id} and r.action <> 'REFUSED')
      and not exists (select from import_parts p where p.import = ${id} and p.problem is not null
        and p.problem ->> 'code' <> all(${OF_RECORDS})) as "isWhole"`
  return row.isWhole
}

/** Adds rows for sites that came from this source and are no longer in it. */
const planMissing = async (sql: Sql, work: Work): Promise<void> => {
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after
    after = await batch(sql, work, async (transaction) => {
      const gone = await transaction<{ id: string }[]>`
        with gone as materialized (
          select s.id, s.name, s.reference, s.status, s.version from site_sources o join sites s on s.id = o.site
          where o.source = ${sourceKey(work)} and s.business = ${work.business} and s.id > ${from}
            and s.status <> 'REMOVED'
            -- Somebody has opened the site again, or left it open.
            and not (o.former_status <> '' and ${work.feed} <> '')
            and not exists (select from import_rows r where r.import = ${work.import} and r.site = s.id)
            -- What is refused, or waits for an answer, is in the source all the same. Without a reference, the name tells.
            -- A reference that has passed to another site is not that of this one.
            and not exists (
              select from import_keys k left join import_rows r on r.import = k.import and r.number = k.number
              where k.import = ${work.import} and k.key in (s.id, nullif(s.reference, '')) and coalesce(r.site, '') = '')
            and not exists (
              select from feed_stations f join import_keys k on k.import = ${work.import} and k.key = f.key
              left join import_rows r on r.import = k.import and r.number = k.number
              where f.feed = ${work.feed} and f.site <> '' and f.site = s.id and coalesce(r.site, '') = '')
            and not exists (select from import_rows r
              where r.import = ${work.import} and r.action = 'REFUSED' and r.name <> '' and r.name = s.name)
            and not exists (select from import_rows r where r.import = ${work.import} and r.doubtful
              and r.candidates @> jsonb_build_array(jsonb_build_object('id', s.id)))
          order by s.id limit ${BATCH}),
        passed as (
          select distinct g.id from gone g join import_rows r on r.reference = g.reference
          where r.import = ${work.import} and r.reference <> '' and r.action in ('NEW', 'CHANGED')),
        last as (select coalesce(max(number), 0) as number from import_rows where import = ${work.import}),
        added as (
          insert into import_rows (id, import, number, reference, name, action, included, site, changes, records)
          select lpad(to_hex(nextval('record_version')), 15, '0'), ${work.import},
            l.number + row_number() over (order by g.id), left(g.reference, 200), g.name, 'MISSING', true, g.id,
            jsonb_build_array(jsonb_build_object(
              'record', g.id, 'field', 'status', 'before', g.status, 'after', 'REMOVED')) ||
              case when g.id in (select id from passed) then jsonb_build_array(jsonb_build_object(
                'record', g.id, 'field', 'reference', 'before', g.reference, 'after', '')) else '[]' end,
            jsonb_build_object(g.id, g.version::text)
          from gone g, last l)
        select id from gone order by id`
      return gone.at(-1)?.id
    })
  }
}
