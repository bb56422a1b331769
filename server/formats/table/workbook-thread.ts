import { parentPort, workerData } from 'node:worker_threads'

import type { Row } from './csv.ts'
import { rowsOf, type Workbook } from './workbook-rows.ts'
import type { Answer, RowsRequest } from './workbook.ts'

/** The maximum number of rows in an answer, and the number of characters after which it ends. */
const MAX_ROWS = 200
const MAX_CHARACTERS = 1_000_000

const nextRows = async (from: AsyncGenerator<Row>): Promise<Answer> => {
  const rows: Row[] = []
  let characters = 0
  try {
    while (rows.length < MAX_ROWS && characters < MAX_CHARACTERS) {
      const { value, done } = await from.next()
      if (done === true) break
      rows.push(value)
      for (const cell of value.cells) characters += cell.length
    }
    return { rows, isDamaged: false }
  } catch {
    return { rows, isDamaged: true }
  }
}

let sheet: AsyncGenerator<Row> | undefined

const answer = async ({ begin }: RowsRequest): Promise<void> => {
  if (begin !== undefined) {
    await sheet?.return(undefined)
    sheet = rowsOf(workerData as Workbook, begin)
  }
  if (sheet === undefined) return
  const found = await nextRows(sheet)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Threads have no origin.
  parentPort?.postMessage(found)
}

parentPort?.on('message', (request: RowsRequest) => void answer(request))
