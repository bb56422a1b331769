import { MAX_TARIFFS_PER_SITE } from '#domain/connector.ts'
import { isRemoval, type ImportedStation, type ImportProblem } from '#domain/import.ts'
import { isSameValue } from '#domain/record.ts'
import type { Answers, RuleName } from '#domain/repair.ts'

import type { Runner, Sql, Transaction } from '../db/sql.ts'
import { orderedId, stableId } from '../db/stable-id.ts'
import type { Station } from '../formats/station.ts'
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
import { isWhole, planMissing } from './missing.ts'
import { NOTHING_PLANNED, storeRows, type PlannedRow } from './plan-rows.ts'
import { readAhead } from './read-ahead.ts'
import { isDashboardFile, noteSources } from './sources.ts'
import { asImported, newConnectorIds, referenceOf } from './station.ts'
import { readRepaired, repairAll, type ReadStation, type RepairedStation } from './read-stations.ts'
import { planTariffs, tariffsOf } from './tariffs.ts'
import { batch, note, type Work } from './work.ts'

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

/** Excludes what the feed only repeats: unless a person selects it, it changes nothing. */
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
