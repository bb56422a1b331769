import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import { codeOf } from '../../problem.ts'
import { SourceError } from '../source.ts'
import type { Row } from './csv.ts'
import type { Workbook } from './workbook-rows.ts'

/** Asks for the next rows: of the sheet with this index from the first one on, or of the same as before. */
export interface Asked {
  readonly begin?: number
}

/** The next rows, none behind the last; the archive may be damaged behind them. */
export interface Answer {
  readonly rows: readonly Row[]
  readonly isDamaged: boolean
}

export interface OpenWorkbook {
  /** Reads the rows of a worksheet, without empty ones; one worksheet is read at a time. @throws {SourceError} */
  readonly rows: (sheet: number) => AsyncGenerator<Row>
  readonly close: () => Promise<void>
}

/**
 * Several times as much as large workbooks of charging sites need. The timeout is that of some rows, of which the first ones wait for the
 * texts and styles of the whole workbook.
 */
const LIMITS = { memoryMb: 1536, rowsMs: 60_000 }

/**
 * Opens a workbook in a thread of its own: the library parses texts, styles and lists of a workbook as a whole, and a small archive may
 * have large ones. The thread has a limit of memory, and a timeout; the server goes on meanwhile.
 */
export const openWorkbook = (workbook: Workbook, { memoryMb, rowsMs } = LIMITS): OpenWorkbook => {
  const thread = new Worker(new URL('workbook-thread.ts', import.meta.url), {
    workerData: workbook,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  })
  const ask = async (asked: Asked): Promise<Answer> => {
    const answer = once(thread, 'message', { signal: AbortSignal.timeout(rowsMs) })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Threads have no origin.
    thread.postMessage(asked)
    try {
      const [found] = (await answer) as [Answer]
      return found
    } catch (error) {
      throw isTooCostly(error) ? new SourceError({ code: 'workbook_too_costly' }) : error
    }
  }
  return {
    rows: async function* (sheet) {
      for (let asked: Asked = { begin: sheet }; ; asked = {}) {
        const { rows, isDamaged } = await ask(asked)
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
