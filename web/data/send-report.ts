import { API } from '#domain/paths.ts'
import type { ReportInput } from '#domain/report.ts'

import { problemOf } from './client.ts'
import type { Problem } from './state.ts'

const TIMEOUT_MS = 30_000

/** Sends a traveller's report to the owner of a site; resolves to the problem if it failed. */
export const sendReport = async (
  basePath: string,
  site: string,
  report: ReportInput,
  language: string,
): Promise<Problem | undefined> => {
  try {
    const response = await fetch(basePath + API.publicReports(site), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Accept-Language': language },
      body: JSON.stringify(report),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (response.ok) return undefined
    const body: unknown = await response.json().catch(() => undefined)
    const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
    return problemOf(response.status, data)
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    return { kind: isTimeout ? 'timeout' : 'offline', status: 0, fields: {} }
  }
}
