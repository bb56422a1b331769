import { setTimeout as sleep } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

import type { ApiError } from '#domain/error.ts'

import type { Sql } from './db/sql.ts'
import type { Connections } from './http/connections.ts'
import { sweepWithdrawn } from './open/open.ts'
import { createPlaceSweep, renewSummary } from './public/upkeep.ts'
import { sweepRateCounts } from './rate-limit/rate-limit.ts'
import { OperatorError } from './problem.ts'
import type { Services } from './services.ts'

export interface LifecycleDeps {
  readonly sql: Sql
  readonly services: Services
  readonly connections: Connections
  /** Interval at which mails about reports are sent. */
  readonly reportMailsMs: number
  /** Interval at which the process looks for pending imports. */
  readonly importsMs: number
  /** The delay before the server stops, in seconds. Meanwhile it serves requests and reports that it is not ready. */
  readonly stopDelayS: number
  /** Called at the very end, once the server has stopped. */
  readonly onClosed: () => void
}

/** The state of the server. */
export interface Lifecycle {
  readonly isStopping: () => boolean
}

const SWEEP_MS = 10 * 60 * 1000
/** The maximum age of the summary that travellers see of a large network. */
const SUMMARY_MS = 30 * 1000
const ORPHANS_MS = 60 * 60 * 1000

/** Runs the tasks of the server: when it is ready, periodically, and when it is closed. */
export const manageLifecycle = (app: FastifyInstance, deps: LifecycleDeps): Lifecycle => {
  const { services, connections } = deps
  let isStopping = false
  let sweeping: Promise<unknown> = Promise.resolve()
  const sweepPlaces = createPlaceSweep(deps.sql)
  const sweepNext = (): void => void (sweeping = sweep(deps, sweepPlaces, () => isStopping))
  const reportSummary = services.reportProblem('the summary of places could not be updated')
  const closing = new AbortController()
  let renewing: Promise<unknown> | undefined
  const summarize = (): void => {
    renewing ??= renewSummary(deps.sql, closing.signal)
      .catch(reportSummary)
      .finally(() => (renewing = undefined))
  }
  let mailing: Promise<unknown> = Promise.resolve()
  const mailNext = (): void => {
    const { reports, reportProblem } = services
    mailing = mailing.then(() =>
      reports.sendMails().catch(reportProblem('mails about reports were not sent')),
    )
  }
  const timers = [
    setInterval(sweepNext, SWEEP_MS),
    setInterval(summarize, SUMMARY_MS),
    setInterval(() => services.orphans.collect(), ORPHANS_MS),
    setInterval(mailNext, deps.reportMailsMs),
    setInterval(() => services.imports.workOn(), deps.importsMs),
  ].map((timer) => timer.unref())

  app.addHook('onReady', async () => {
    sweepNext()
    services.orphans.collect()
    // Only logged: signed-in users need no provider, and it may recover meanwhile.
    void checkProvider(app, services)
  })
  // Event streams do not end until the server closes them.
  app.addHook('preClose', async () => {
    isStopping = true
    // Load balancers must see that the server is not ready before it refuses connections.
    await sleep(deps.stopDelayS * 1000)
    await connections.leave()
    await services.realtime.close()
    await connections.settled()
  })
  app.addHook('onClose', async () => {
    for (const timer of timers) clearInterval(timer)
    closing.abort()
    await services.imports.stop()
    await Promise.all([sweeping, renewing, mailing])
    await services.removed.settled()
    await services.orphans.stop()
    await services.mailer.settled()
    deps.onClosed()
  })
  return { isStopping: () => isStopping }
}

/** Deletes expired data and fills in old records. Failures are logged, and the next sweep tries again. */
const sweep = async (
  { sql, services }: LifecycleDeps,
  sweepPlaces: () => Promise<void>,
  isStopping: () => boolean,
): Promise<void> => {
  const { removed, realtime, auth, records, reports, imports, reportProblem } = services
  removed.collect()
  await Promise.all([
    realtime.sweep().catch(reportProblem('old realtime data could not be deleted')),
    auth.sweep().catch(reportProblem('expired sessions could not be deleted')),
    records.sweep().catch(reportProblem('expired answers could not be deleted')),
    reports.sweep().catch(reportProblem('old reports could not be deleted')),
    imports
      .sweep()
      .then(() => removed.collect())
      .catch(reportProblem('old imports could not be deleted')),
    records.backfill(isStopping).catch(reportProblem('earlier records could not be backfilled')),
    sweepPlaces().catch(reportProblem('unused opening hours and words could not be deleted')),
    sweepWithdrawn(sql).catch(reportProblem('old withdrawn sites could not be deleted')),
    sweepRateCounts(sql).catch(reportProblem('old rate counts could not be deleted')),
  ])
}

const checkProvider = async (app: FastifyInstance, { oidc }: Services): Promise<void> => {
  const warn = (err: unknown) => app.log.warn({ err }, 'the provider cannot sign anybody in')
  const problems = await oidc?.check().catch(({ cause }: ApiError) => warn(cause))
  for (const problem of problems ?? [])
    warn(new OperatorError(`The provider at OIDC_ISSUER does not fit: ${problem}.`))
}
