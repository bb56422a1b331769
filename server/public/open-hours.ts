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
  /** Until this time, `isOpen` holds. */
  until: number
}

/**
 * The distinct opening hours of all sites, and which of them are open. There are few, and the process learns them
 * from the database as they come up: a statement that asks for open sites names those that are known, and its
 * response has the others. Hours are only ever added, so what is known stays right.
 */
export class OpenHours {
  readonly #entries = new Map<string, Entry>()
  #forgotten = 0

  /** The known hours at an instant. To compute thousands with many exceptions takes seconds, in which others have their turn. */
  async at(now: number): Promise<KnownHours> {
    // Among them are some that are used no more.
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
    // At once, for others may have learned or forgotten some meanwhile.
    const all = [...this.#entries]
    return {
      known: all.filter(([, { until }]) => now < until).map(([id]) => id),
      open: all.filter(([, { until, isOpen }]) => isOpen && now < until).map(([id]) => id),
    }
  }

  learn(unknown: readonly StoredHours[]): void {
    for (const { id, hours, time_zone } of unknown) {
      // Others may have learned them meanwhile: the hours of an id never change, and may be computed already.
      if (this.#entries.has(id)) continue
      this.#entries.set(id, { hours, time_zone, isOpen: false, until: 0 })
    }
  }
}

/** How long hours are computed before others have a turn. */
const MAX_TURN_MS = 10
const FORGOTTEN_AFTER_MS = 60 * 60 * 1000
/** Maximum number of hours in a response of the database. */
const MAX_LEARNED = 1000

const stateOf = ({ hours, time_zone }: Entry, now: number): Pick<Entry, 'isOpen' | 'until'> => {
  try {
    const { isOpen, changesAt } = openState(hours, time_zone, now)
    return { isOpen, until: changesAt ?? now + UNCHANGED_MS }
  } catch (error) {
    // Without a time zone, at sea, nobody knows.
    if (error instanceof RangeError) return { isOpen: false, until: Infinity }
    throw error
  }
}

/** Hours that never change within a year are computed again after a day. */
const UNCHANGED_MS = 24 * 60 * 60 * 1000

/** SQL for the hours that the process does not know, as JSON; null if it knows all. */
export const unknownHours = ({ bind }: Parameters, hours: KnownHours): string => {
  const known = bind(hours.known, 'uuid[]')
  return `(select json_agg(h) from (
    select distinct on (h.id) h.id, h.hours, h.time_zone from place_hours h
    where not exists (select from unnest(${known}) k (id) where k.id = h.id)
    limit ${MAX_LEARNED}) h)`
}
