import { setImmediate as turn } from 'node:timers/promises'

import type { OpeningHours } from '#domain/hours.ts'
import { openState } from '#domain/hours/open.ts'

import type { KnownHours, Parameters } from './filter.ts'

/** Opening hours as the database stores them. */
export interface StoredHours {
  readonly id: string
  readonly hours: OpeningHours
  readonly time_zone: string
}

interface Entry extends Omit<StoredHours, 'id'> {
  isOpen: boolean
  /** `isOpen` is valid until this time. */
  until: number
}

/**
 * The distinct opening hours of all sites, and whether they are open. There are few of them. The process learns them
 * from the database on demand: a query for open sites sends the known hours, and its result includes the unknown ones.
 * Hours never change under the same ID, so known ones stay valid.
 */
export class OpenHours {
  readonly #entries = new Map<string, Entry>()
  #forgotten = 0

  /**
   * Returns the known hours at an instant. Computing thousands of hours with many exceptions takes seconds, so it
   * yields to other requests.
   */
  async at(now: number): Promise<KnownHours> {
    // Clears the cache occasionally, since it also contains hours that are no longer used.
    if (now >= this.#forgotten + FORGOTTEN_AFTER_MS) {
      this.#entries.clear()
      this.#forgotten = now
    }
    let began = performance.now()
    for (const entry of this.#entries.values()) {
      if (now < entry.until) continue
      Object.assign(entry, stateOf(entry, now))
      if (performance.now() - began < MAX_TURN_MS) continue
      await turn()
      began = performance.now()
    }
    // Copied without yielding, since other requests may have learned or cleared hours meanwhile.
    const all = [...this.#entries]
    return {
      known: all.filter(([, { until }]) => now < until).map(([id]) => id),
      open: all.filter(([, { until, isOpen }]) => isOpen && now < until).map(([id]) => id),
    }
  }

  learn(unknown: readonly StoredHours[]): void {
    for (const { id, hours, time_zone } of unknown) {
      // Other requests may have learned the same hours meanwhile. The hours of an ID never change, and their state may
      // already be computed.
      if (this.#entries.has(id)) continue
      this.#entries.set(id, { hours, time_zone, isOpen: false, until: 0 })
    }
  }
}

/** How long hours are computed before yielding. */
const MAX_TURN_MS = 10
const FORGOTTEN_AFTER_MS = 60 * 60 * 1000
/** Maximum number of unknown hours in a query result. */
const MAX_LEARNED = 1000

const stateOf = ({ hours, time_zone }: Entry, now: number): Pick<Entry, 'isOpen' | 'until'> => {
  try {
    const { isOpen, changesAt } = openState(hours, time_zone, now)
    return { isOpen, until: changesAt ?? now + UNCHANGED_MS }
  } catch (error) {
    // Without a time zone, for example at sea, the state is unknown.
    if (error instanceof RangeError) return { isOpen: false, until: Infinity }
    throw error
  }
}

/** Hours that do not change within a year are computed again after a day. */
const UNCHANGED_MS = 24 * 60 * 60 * 1000

/** SQL for the hours that the process does not know, as JSON; null if there are none. */
export const unknownHours = ({ bind }: Parameters, hours: KnownHours): string => {
  const known = bind(hours.known, 'uuid[]')
  return `(select json_agg(h) from (
    select distinct on (h.id) h.id, h.hours, h.time_zone from place_hours h
    where not exists (select from unnest(${known}) k (id) where k.id = h.id)
    limit ${MAX_LEARNED}) h)`
}
