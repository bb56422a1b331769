import { setTimeout as sleep } from 'node:timers/promises'

import { connect, type DatabasePlace } from './db.ts'
import { LOCKS } from './locks.ts'

/** Whether a process is the only one that writes to its database. */
export interface Ownership {
  /** True while nobody else can be connected; false from before somebody else has come in. */
  isSole(): boolean
  /** Calls `listener` when somebody else asks to come in, before they may. */
  onShared(listener: () => void): void
  close(): Promise<void>
}

export interface OwnershipDeps {
  /** An embedded database: its own server, in a folder of this process alone. */
  readonly place: DatabasePlace
  /** Every connection of this process has it as `voltleaf.process`. */
  readonly token: string
}

const LOCK = LOCKS.ownership
/** How long somebody else waits at the door, at most, while this process lives. */
const LOOK_MS = 1000
/** After they have gone. */
const AGAIN_MS = 5000
/** Whoever is not let in by then is told so: the process is stuck. */
const DOOR_MS = 30_000

/**
 * Keeps the door of a database. Whoever connects without the token of this process has to share a lock, which the
 * process holds alone until it has been told, and has stopped relying on what it knows (decision 0033). PostgreSQL
 * itself makes them wait (an event trigger on login, so 17 or newer), psql and other programs too.
 */
export const ownDatabase = async ({ place, token }: OwnershipDeps): Promise<Ownership> => {
  const stopping = new AbortController()
  let isSole = false
  const listeners: (() => void)[] = []
  const share = (): void => {
    isSole = false
    for (const listener of listeners) listener()
  }
  const door = connect(place, {
    max: 1,
    keepOpen: true,
    process: token,
    statementMs: 0,
    onClosed: share,
  })
  await door.begin(async (transaction) => {
    await transaction.unsafe(`
      create or replace function share_database() returns event_trigger language plpgsql as $$
      begin
        if current_setting('voltleaf.process', true) is distinct from '${token}' then
          perform set_config('lock_timeout', '${DOOR_MS}', true);
          perform pg_advisory_lock_shared(${LOCK});
        end if;
      end
      $$`)
    await transaction.unsafe('drop event trigger if exists share_database')
    await transaction.unsafe(
      'create event trigger share_database on login execute function share_database()',
    )
    await transaction.unsafe('alter event trigger share_database enable always')
  })

  const take = async (): Promise<void> => {
    const [row] = await door<[{ taken: boolean }]>`select pg_try_advisory_lock(${LOCK}) as taken`
    isSole = row.taken
  }
  const letIn = async (): Promise<void> => {
    const [row] = await door<[{ waiting: boolean }]>`
      select exists (select 1 from pg_locks where locktype = 'advisory' and objid = ${LOCK}
        and not granted) as waiting`
    if (!row.waiting) return
    share()
    await door`select pg_advisory_unlock_all()`
  }
  const keep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await sleep(isSole ? LOOK_MS : AGAIN_MS, undefined, { signal: stopping.signal, ref: false })
      await (isSole ? letIn() : take())
    }
  }
  await take()
  // Without the connection nothing is relied on, and nothing is lost but speed.
  const keeping = keep().catch(share)
  return {
    isSole: () => isSole,
    onShared: (listener) => void listeners.push(listener),
    close: async () => {
      stopping.abort()
      share()
      await door.end({ timeout: 1 })
      await keeping
    },
  }
}
