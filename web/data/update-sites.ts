import { SITES } from '#domain/collection.ts'
import { bulkNames } from '#domain/record.ts'
import { sites as siteCollection, type Site } from '#domain/site.ts'

import { Failed, Failure, isTransient, refusedRequest } from './client.ts'
import type { Core } from './core.ts'
import { changeSites, onBase } from './log.ts'
import { remainingFields, mutationsKey, type SiteChange, type UpdateSites } from './mutations.ts'
import { differing } from './records.ts'
import type {
  BulkUpdate,
  FieldsOfSites,
  Problem,
  RefusedSite,
  SavedWrite,
  SiteInput,
  SiteView,
  Store,
} from './state.ts'
import type { Run, SyncQueue } from './sync-queue.ts'

/**
 * Number of sites per request, which is atomic. A request takes 200 ms, so that progress is visible and no other
 * write waits for its locks.
 */
const CHUNK_SITES = 100
/** After this many refusals without a success, the rest is refused for the same reason without a request. */
const MAX_REFUSALS_ALONE = 20

type Calls = Pick<Store, 'updateSites' | 'undoUpdateSites' | 'bulkUpdate' | 'dismissBulkUpdate'>

interface BulkUpdates {
  readonly calls: Calls
  /** Sends the rest of a bulk update, chunk by chunk. */
  readonly send: (run: Run<UpdateSites>) => Promise<SavedWrite>
  /** Shows the stored bulk update of the signed-in user. */
  readonly follow: () => void
  /** Clears it on sign-out. */
  readonly clear: () => void
}

/** Local storage key of the last finished bulk update, so that it can be undone. */
const doneKey = (userId: string): string => `voltleaf:bulk-update:${userId}`

/**
 * Creates the bulk updates of sites; `refresh` reloads data older than the given age, and returns whether it is
 * recent.
 */
export const createBulkUpdates = (
  core: Core,
  queue: SyncQueue,
  refresh: (maxAgeMs: number) => Promise<boolean>,
): BulkUpdates => {
  const { env } = core
  const kept = openDone(core)
  let shown: BulkUpdate | undefined
  /** The mutation about to be sent for the first time. */
  let justBegun: string | undefined

  const last = (): UpdateSites | undefined => {
    const queued = queue.all().findLast((each) => each.kind === 'updateSites')
    // It leaves the queue right after it is done.
    return queued === undefined || queued.id === kept.done()?.id ? kept.done() : queued
  }
  const publish = (): void => {
    const mutation = last()
    shown = mutation && viewOf(mutation, mutation === kept.done())
    core.changed()
  }
  const follow = (): void => {
    kept.read()
    publish()
  }
  env.on('storage', (key) => {
    const { user } = core.getState()
    if (user !== null && (key === mutationsKey(user.id) || key === doneKey(user.id))) follow()
  })

  const begin = (payload: readonly SiteChange[], isUndo: boolean): void => {
    kept.set(undefined)
    const id = env.newId()
    justBegun = env.isOnline() ? id : undefined
    void queue.run({ ...NEW, id, subject: id, at: env.now(), payload, isUndo })
    publish()
  }

  const updateSites: Calls['updateSites'] = (ids, wanted) => {
    const chosen = new Set(ids)
    const sites = core.getState().data?.sites ?? []
    const payload = changesOf(
      sites.filter(({ id }) => chosen.has(id)),
      wanted,
    )
    if (payload.length > 0) begin(payload, false)
    return countOf(payload)
  }

  const undoUpdateSites: Calls['undoUpdateSites'] = () => {
    const mutation = last()
    if (mutation === undefined) return
    if (mutation !== kept.done()) queue.put({ ...mutation, isStopped: true })
    begin(invert(mutation), true)
  }

  const send: BulkUpdates['send'] = async (run) => {
    let mutation = run.mutation
    const isFirst = justBegun === mutation.id
    justBegun = undefined
    // The first attempt uses what the owner has just seen; later ones may have missed a change.
    if (!isFirst && !(await refresh(env.now() - mutation.at))) throw new Failure('unavailable')
    const sites = mutation.payload.flatMap((change) => change.ids.map((id) => ({ id, change })))
    const sending: Sending = { core, run, arrived: 0, refused: 0 }
    while (mutation.settled < sites.length && !mutation.isStopped) {
      const settled = mutation.settled + CHUNK_SITES
      const refused = await sendChunk(sending, sites.slice(mutation.settled, settled))
      run.scope.check()
      mutation = { ...mutation, settled, refused: [...mutation.refused, ...refused] }
      run.note((now) => {
        // It may have been undone in the meantime.
        mutation = { ...mutation, isStopped: now.isStopped }
        return mutation
      })
      publish()
    }
    if (!mutation.isStopped) kept.set(mutation)
    publish()
    return { isQueued: false }
  }

  return {
    calls: {
      updateSites,
      undoUpdateSites,
      bulkUpdate: () => shown,
      dismissBulkUpdate: () => {
        kept.set(undefined)
        publish()
      },
    },
    send,
    follow,
    clear: () => {
      kept.set(undefined)
      shown = undefined
    },
  }
}

/** The last finished bulk update, stored on the device so that it can be undone. */
const openDone = ({ env, getState }: Core) => {
  let done: UpdateSites | undefined
  return {
    done: () => done,
    set: (mutation: UpdateSites | undefined): void => {
      const { user } = getState()
      done = mutation
      if (user === null) return
      // Without storage, it can be undone as long as the page lives.
      if (mutation !== undefined) env.localStorage.set(doneKey(user.id), JSON.stringify(mutation))
      else env.localStorage.remove(doneKey(user.id))
    },
    read: (): void => {
      const { user } = getState()
      const text = user && env.localStorage.get(doneKey(user.id))
      done = text === null ? undefined : (JSON.parse(text) as UpdateSites)
    },
  }
}

/** The common fields of a new bulk update. */
const NEW = {
  kind: 'updateSites',
  isKept: true,
  isHeld: false,
  values: null,
  files: [],
  isStopped: false,
  settled: 0,
  refused: [],
} as const satisfies Partial<UpdateSites>

/** The change of the sites that do not have the values yet, grouped by equal former and new values. */
const changesOf = (sites: readonly SiteView[], wanted: FieldsOfSites): readonly SiteChange[] => {
  const changed = sites
    .map((site) => ({ site, fields: typeof wanted === 'function' ? wanted(site) : wanted }))
    .filter(({ site, fields }) => Object.keys(differing(fields, site)).length > 0)
  const alike = Map.groupBy(changed, ({ site, fields }) =>
    JSON.stringify([fields, partOf(site, fields)]),
  )
  return [...alike].map(([key, equal]) => {
    const [fields, was] = JSON.parse(key) as [Partial<SiteInput>, Partial<SiteInput>]
    return { ids: equal.map(({ site }) => site.id), fields, was }
  })
}

/** The inverse of a bulk update, without the refused sites. */
const invert = ({ payload, refused }: UpdateSites): readonly SiteChange[] => {
  const untouched = new Set(refused.map(({ id }) => id))
  return payload.map(({ ids, fields, was }) => ({
    ids: ids.filter((id) => !untouched.has(id)),
    fields: was,
    was: fields,
  }))
}

const countOf = (payload: UpdateSites['payload']): number =>
  payload.reduce((sum, { ids }) => sum + ids.length, 0)

const viewOf = (mutation: UpdateSites, isDone: boolean): BulkUpdate => {
  const { id, payload, isUndo, refused } = mutation
  const total = countOf(payload)
  const changed = payload[0]?.fields ?? {}
  const fields = bulkNames(siteCollection).filter((name) => name in changed)
  return { id, fields, isUndo, total, settled: Math.min(mutation.settled, total), isDone, refused }
}

const partOf = (site: Partial<SiteInput>, names: object): Partial<SiteInput> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, site[name as keyof SiteInput]]))

interface Sending {
  readonly core: Core
  readonly run: Run<UpdateSites>
  /** Number of sites that the server has accepted and refused during this attempt. */
  arrived: number
  refused: number
}

/** A site and the fields left to change. */
interface Row {
  readonly id: string
  readonly name: string
  readonly fields: Partial<SiteInput>
}

/** Sends a chunk; deleted sites are skipped. @returns the sites left unchanged */
const sendChunk = async (
  sending: Sending,
  chunk: readonly { readonly id: string; readonly change: SiteChange }[],
): Promise<readonly RefusedSite[]> => {
  const sites = new Map(sending.core.base()?.sites.map((site) => [site.id, site]))
  const refused: RefusedSite[] = []
  const rows: Row[] = []
  for (const { id, change } of chunk) {
    const site = sites.get(id)
    if (site === undefined) continue
    const fields = remainingFields(site, change)
    const { name } = site
    if (fields === undefined) refused.push({ id, name, problem: CHANGED_ELSEWHERE })
    else if (Object.keys(fields).length > 0) rows.push({ id, name, fields })
  }
  return [...refused, ...(await sendRows(sending, rows))]
}

const CHANGED_ELSEWHERE = new Failure('conflict', 412).problem

/** Sends rows in one batch, and again without those that the server refuses. */
const sendRows = async (
  sending: Sending,
  rows: readonly Row[],
): Promise<readonly RefusedSite[]> => {
  if (rows.length === 0) return []
  try {
    await sendBatch(sending, rows)
    sending.arrived += rows.length
    return []
  } catch (error) {
    const refusal = refusedRequest(error)
    const problem =
      refusal?.problem.kind === 'invalid' ? refusal.problem : await explain(sending, error)
    if (isTransient(problem)) throw new Failed(problem)
    const refuse = ({ id, name }: Row): RefusedSite => ({ id, name, problem })
    sending.refused++
    if (sending.arrived === 0 && sending.refused >= MAX_REFUSALS_ALONE) return rows.map(refuse)
    const index = refusal?.index ?? (rows.length === 1 ? 0 : undefined)
    const row = index === undefined ? undefined : rows[index]
    if (index !== undefined && row !== undefined)
      return [refuse(row), ...(await sendRows(sending, rows.toSpliced(index, 1)))]
    // The response does not name the row: sends the halves to find it.
    const half = Math.ceil(rows.length / 2)
    const first = await sendRows(sending, rows.slice(0, half))
    return [...first, ...(await sendRows(sending, rows.slice(half)))]
  }
}

/** An expired session explains a refusal better than the refused request. */
const explain = async ({ core }: Sending, error: unknown): Promise<Problem> => {
  const problem = await core.explain(error)
  return isTransient(problem) ? problem : (refusedRequest(error)?.problem ?? problem)
}

const sendBatch = async ({ run }: Sending, rows: readonly Row[]): Promise<void> => {
  const { client, scope, mutation } = run
  scope.check()
  const batch = client.createBatch()
  for (const { id, fields } of rows)
    batch.collection(SITES).update(id, fields, { fields: ['id', ...Object.keys(fields)].join() })
  const answers = await batch.send({
    requestKey: `update ${SITES} ${mutation.id}`,
    // The same rows of one mutation have the same key, so the server repeats a lost response.
    headers: {
      'Idempotency-Key': `${mutation.id}-${rows.length}-${hash(rows)}`,
      // The audit log shows them as one change.
      'Correlation-Id': mutation.id,
    },
  })
  const stored = new Map(answers.map(({ body }) => [(body as Site).id, body as Partial<Site>]))
  const sent = new Map(rows.map(({ id, fields }) => [id, fields]))
  scope.confirm(onBase(changeSites(({ id }) => partOf(stored.get(id) ?? {}, sent.get(id) ?? {}))))
}

const hash = (rows: readonly Row[]): string => {
  let sum = 0
  for (const { id } of rows)
    for (const character of id) sum = (Math.imul(31, sum) + (character.codePointAt(0) ?? 0)) | 0
  return (sum >>> 0).toString(36)
}
