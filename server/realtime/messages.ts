import type { Caller } from '../caller.ts'
import { randomText } from '../db/random.ts'
import type { Sql } from '../db/sql.ts'
import { announce } from './listen.ts'
import type { Peer } from './streams.ts'

/** The parameters of the provider's redirect. */
export interface ProviderAnswer {
  readonly code: string
  /** Empty on success. */
  readonly error: string
}

/** A request concerning a client's stream, which another process may hold. */
export type Message =
  | {
      readonly kind: 'subscribe'
      readonly peer: Peer
      readonly caller: Caller
      readonly subscriptions: readonly string[]
    }
  | { readonly kind: 'answer'; readonly peer: Peer; readonly answer: ProviderAnswer }

/** The result of a message, as an HTTP status. */
export type Outcome = 204 | 400 | 403 | 404 | 429

/** The timeout for the response of another process. */
const TIMEOUT_MS = 2_000

/** Messages between the processes of one database. */
export class Messages {
  readonly #sql: Sql
  readonly #onProblem: (error: unknown) => void
  readonly #awaited = new Map<string, (outcome: Outcome) => void>()

  constructor(sql: Sql, onProblem: (error: unknown) => void) {
    this.#sql = sql
    this.#onProblem = onProblem
  }

  /**
   * Sends a message to the other processes; 404 if none of them holds the client's stream. This process must be
   * listening.
   */
  async ask(clientId: string, message: Message): Promise<Outcome> {
    const sql = this.#sql
    const id = randomText(20)
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.#awaited.set(id, resolve)
    const timer = setTimeout(() => {
      resolve(404)
      sql`delete from realtime_messages where id = ${id}`.catch(this.#onProblem)
    }, TIMEOUT_MS)
    try {
      const [sent] = await sql`
        insert into realtime_messages (id, client, message)
        select ${id}, ${clientId}, ${JSON.stringify(message)}::text::jsonb
        where (select count(*) from listeners) > 1 returning id`
      if (sent === undefined) return 404
      await announce(sql, `message ${id} ${clientId}`)
      return await promise
    } finally {
      clearTimeout(timer)
      this.#awaited.delete(id)
    }
  }

  /** Handles an announced message, and announces its result. */
  async answer(id: string, handle: (message: Message) => Promise<Outcome>): Promise<void> {
    try {
      const [row] = await this.#sql<{ message: Message }[]>`
        delete from realtime_messages where id = ${id} returning message`
      if (row !== undefined) await announce(this.#sql, `outcome ${id} ${await handle(row.message)}`)
    } catch (error) {
      this.#onProblem(error)
    }
  }

  /** Resolves the request of this process that waits for the announced result. */
  settle(id: string, outcome: Outcome): void {
    this.#awaited.get(id)?.(outcome)
  }
}
