import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import { codeOf } from '../../problem.ts'
import { SourceError } from '../source.ts'
import type { Row } from './csv.ts'
import type { Workbook } from './workbook-rows.ts'

/** Requests the next rows: of the sheet with index `begin` from its first row, or of the current sheet. */
export interface RowsRequest {
  readonly begin?: number
}

/** The next rows; empty after the last row. If the archive is damaged, the rows before the damage are included. */
export interface Answer {
  readonly rows: readonly Row[]
  readonly isDamaged: boolean
}

export interface OpenWorkbook {
  /**
   * Reads the rows of a worksheet, without empty ones. Only one worksheet can be read at a time. @throws {SourceError}
   */
  readonly rows: (sheet: number) => AsyncGenerator<Row>
  readonly close: () => Promise<void>
}

/**
 * Several times what large workbooks of charging sites need. The timeout applies to a group of rows; the first group
 * waits for the texts and styles of the whole workbook.
 */
const LIMITS = { memoryMb: 1536, rowsMs: 60_000 }

/**
 * Opens a workbook in a separate thread: the library parses the texts, styles and lists of a workbook as a whole, and
 * even a small archive may contain large ones. The thread has a memory limit and a timeout, and does not block the
 * server.
 */
export const openWorkbook = (workbook: Workbook, { memoryMb, rowsMs } = LIMITS): OpenWorkbook => {
  const thread = new Worker(new URL('workbook-thread.ts', import.meta.url), {
    workerData: workbook,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const ask = async (request: RowsRequest): Promise<Answer> => {
    const answer = once(thread, 'message', { signal: AbortSignal.timeout(rowsMs) })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Threads have no origin.
    thread.postMessage(request)
    try {
      const [found] = (await answer) as [Answer]
      return found
    } catch (error) {
      throw isTooCostly(error) ? new SourceError({ code: 'workbook_too_costly' }) : error
    }
  }
  return {
    rows: async function* (sheet) {
      for (let request: RowsRequest = { begin: sheet }; ; request = {}) {
        const { rows, isDamaged } = await ask(request)
        yield* rows
        if (isDamaged) throw new SourceError({ code: 'archive_damaged' })
        if (rows.length === 0) return
      }
    },
    close: async () => void (await thread.terminate()),
  }
}

const isTooCostly = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY')
