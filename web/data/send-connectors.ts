import { CONNECTORS } from '#domain/collection.ts'
import type { Connector } from '#domain/connector.ts'

import { Failed, Failure, isTransient, isNotUnique, StepFailed, toProblem } from './client.ts'
import type { Core } from './core.ts'
import { dropConnector, onBase, putConnector, siteOf } from './log.ts'
import { connectorChanges, connectorCreateBody, FIELDS } from './records.ts'
import { removeRecord } from './remove.ts'
import type { ConnectorInput, Problem } from './state.ts'
import type { Run } from './sync-queue.ts'

/** The difference between two connector lists: what to create, update and delete. */
export interface ConnectorChanges {
  readonly create: readonly ConnectorInput[]
  readonly update: readonly ConnectorInput[]
  readonly remove: readonly string[]
}

/** Computes the changes that turn the stored connectors into the wanted ones. */
export const diffConnectors = (
  stored: readonly ConnectorInput[],
  wanted: readonly ConnectorInput[],
): ConnectorChanges => {
  const before = new Map(stored.map((connector) => [connector.id, connector]))
  const kept = new Set(wanted.map(({ id }) => id))
  return {
    create: wanted.filter(({ id }) => !before.has(id)),
    update: wanted.filter((connector) => {
      const old = before.get(connector.id)
      return old !== undefined && Object.keys(connectorChanges(old, connector)).length > 0
    }),
    remove: stored.flatMap(({ id }) => (kept.has(id) ? [] : [id])),
  }
}

/**
 * Sends the connectors of a site in parallel, one request each (spec 7).
 * @param stored called with the id of each connector that is finished
 * @throws StepFailed if any failed, with the problem of each
 */
export const sendConnectors = async (
  core: Core,
  run: Run,
  changes: ConnectorChanges,
  stored: (id: string) => void = () => {},
): Promise<void> => {
  const { scope } = run
  const failures = new Map<string, Problem>()
  const one = async (id: string, send: () => Promise<void>): Promise<void> => {
    try {
      await send()
      stored(id)
    } catch (error) {
      failures.set(
        id,
        scope.isCurrent() ? await core.explain(error) : { ...toProblem(error), kind: 'signedOut' },
      )
    }
  }
  await Promise.all([
    ...changes.create.map((each) => one(each.id, () => createConnector(core, run, each))),
    ...changes.update.map((each) => one(each.id, () => updateConnector(core, run, each))),
    ...changes.remove.map((id) =>
      one(id, async () => {
        await removeRecord(core, run.client, CONNECTORS, id)
        scope.confirm(onBase(dropConnector(run.mutation.subject, id)))
      }),
    ),
  ])
  scope.check()
  if (failures.size === 0) return
  throw new StepFailed(new Failed(worstOf(failures)), {
    action: 'saveConnectors',
    failures,
    hasBegun: true,
  })
}

const createConnector = async (core: Core, run: Run, connector: ConnectorInput): Promise<void> => {
  const { client, scope, mutation } = run
  const collection = client.collection(CONNECTORS)
  const options = { fields: FIELDS.connector, requestKey: null }
  try {
    const body = connectorCreateBody(mutation.subject, connector)
    const record = await collection.create<Connector>(body, options)
    scope.confirm(onBase(putConnector(record)))
  } catch (error) {
    if (!isNotUnique(error, 'id')) throw error
    // The connector was stored, but the response was lost.
    const record = await collection.getOne<Connector>(connector.id, options)
    scope.confirm(onBase(putConnector(record)))
    await updateConnector(core, run, connector)
  }
}

const updateConnector = async (core: Core, run: Run, wanted: ConnectorInput): Promise<void> => {
  const { client, scope, mutation } = run
  const site = siteOf(core.base(), mutation.subject)
  const current = site?.connectors.find(({ id }) => id === wanted.id)
  if (current === undefined) throw new Failure('notFound')
  const changes = connectorChanges(current, wanted)
  if (Object.keys(changes).length === 0) return
  const record = await client
    .collection(CONNECTORS)
    .update<Connector>(wanted.id, changes, { fields: FIELDS.connector, requestKey: null })
  scope.confirm(onBase(putConnector(record)))
}

/** A permanent failure takes precedence over one that a retry may resolve. */
const worstOf = (failures: ReadonlyMap<string, Problem>): Problem => {
  const all = [...failures.values()]
  return all.find((problem) => !isTransient(problem)) ?? all[0] ?? new Failure('unexpected').problem
}
