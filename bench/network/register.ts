import { createReadStream } from 'node:fs'

import type { connectors } from '../../domain/connector.ts'
import type { InputOf } from '../../domain/record.ts'
import type { sites } from '../../domain/site.ts'

import { readParts } from '../../server/formats/formats.ts'
import { joinKey, joinParts } from '../../server/formats/join.ts'
import { repairStation } from '../../server/formats/repair/repair.ts'
import type { Station as Piece } from '../../server/formats/station.ts'

/** A station of the register as a site with connectors. */
export interface Station {
  readonly site: InputOf<typeof sites>
  readonly connectors: readonly InputOf<typeof connectors>[]
}

/**
 * Reads the stations of a register like an import; stations that the import would refuse and stations without a plug
 * are left out.
 */
export const readStations = async (file: string): Promise<readonly Station[]> => {
  const pieces = new Map<string, Piece[]>()
  for await (const part of readParts(createReadStream(file))) {
    if ('problem' in part) continue
    const key = joinKey(part.station)
    pieces.set(key, [...(pieces.get(key) ?? []), part.station])
  }
  return [...pieces.values()].flatMap((all) => {
    const { station, refusal } = repairStation(joinParts(all))
    // Our own validation has accepted every value.
    return refusal === undefined && station.connectors.length > 0
      ? [station as unknown as Station]
      : []
  })
}
