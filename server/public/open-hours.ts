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

  /** The known hours at an instant. */
  at(now: number): KnownHours {
    // Among them are some that are used no more.
    if (now >= this.#forgotten + FORGOTTEN_AFTER_MS) {
      this.#entries.clear()
      this.#forgotten = now
    }
    const open: string[] = []
    for (const [id, entry] of this.#entries) {
      if (now >= entry.until) Object.assign(entry, stateOf(entry, now))
      if (entry.isOpen) open.push(id)
    }
    return { known: [...this.#entries.keys()], open }
  }

  learn(unknown: readonly StoredHours[]): void {
    for (const { id, hours, time_zone } of unknown)
      this.#entries.set(id, { hours, time_zone, isOpen: false, until: 0 })
  }
}

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
