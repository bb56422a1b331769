import type { Readable, Writable } from 'node:stream'

import type { Runner } from './sql.ts'

/** A statement of the driver, as far as it streams. */
interface Streaming {
  unsafe(text: string): { readable(): Promise<Readable>; writable(): Promise<Writable> }
}

/** Runs `copy ... to stdout`; answers the rows as PostgreSQL writes them. */
export const copyOut = (runner: Runner, text: string): Promise<Readable> =>
  (runner as unknown as Streaming).unsafe(text).readable()

/** Runs `copy ... from stdin`; the rows are there when what it answers has finished. */
export const copyIn = (runner: Runner, text: string): Promise<Writable> =>
  (runner as unknown as Streaming).unsafe(text).writable()
