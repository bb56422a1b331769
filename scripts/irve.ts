import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'

import { ID_LENGTH } from '#domain/collection.ts'
import type { Connector } from '#domain/connector.ts'
import type { InputOf } from '#domain/record.ts'
import type { sites } from '#domain/site.ts'
import { isEmail } from '#domain/schema.ts'

/** A charge point of the French register (IRVE schema): every value is text or null. */
export type ChargePoint = Readonly<Record<string, string | null | undefined>>

/** A station of the register as a site with connectors. */
export interface Station {
  readonly key: string
  readonly site: InputOf<typeof sites>
  readonly connectors: readonly (Omit<Connector, 'id' | 'site'> & { readonly key: string })[]
}

/** The stations of one operator in a file. */
export interface Operator {
  readonly stations: readonly Station[]
  readonly email: string
  /** Number of charge points without a plug, or with only plugs that the register does not name. */
  readonly withoutPlug: number
}

/**
 * Reads one operator's charge points from a file of the register, one JSON object a line, gzipped
 * or not.
 * @throws if a line is not a JSON object
 */
export const readOperator = async (file: string, operator: string): Promise<Operator> => {
  const raw = createReadStream(file)
  const lines = createInterface({ input: file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw })
  const stations = new Map<string, ChargePoint[]>()
  // Readline does not forward errors of its input stream.
  raw.on('error', (error) => lines.emit('error', error))
  for await (const line of lines) {
    if (line.trim() === '') continue
    const point = JSON.parse(line) as ChargePoint
    if (point['nom_operateur'] !== operator) continue
    const key = point['id_station_itinerance'] ?? ''
    stations.set(key, [...(stations.get(key) ?? []), point])
  }
  const points = [...stations.values()].flat()
  return {
    stations: [...stations].map(([key, group]) => toStation(key, group)),
    email: points.map((point) => point['contact_operateur'] ?? '').find(isEmail) ?? '',
    withoutPlug: points.filter((point) => toConnectors(point).length === 0).length,
  }
}

/** A deterministic id for the same parts, so that a second run creates nothing twice. */
export const stableId = (...parts: readonly string[]): string => {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return BigInt(`0x${digest}`).toString(36).padStart(ID_LENGTH, '0').slice(-ID_LENGTH)
}

const toStation = (key: string, points: readonly ChargePoint[]): Station => {
  const text = (name: string) => points.map((point) => point[name]?.trim()).find(Boolean) ?? ''
  const [longitude = Number.NaN, latitude = Number.NaN] = (
    text('coordonneesXY').match(/-?\d+(?:\.\d+)?/g) ?? []
  ).map(Number)
  const email = text('contact_operateur')
  return {
    key,
    site: {
      name: text('nom_station') || text('nom_enseigne') || key,
      address: text('adresse_station'),
      latitude,
      longitude,
      contact_email: isEmail(email) ? email : '',
      contact_phone: text('telephone_operateur').replace(/^tel:/, ''),
      cost: text('tarification') === 'Inconnu' ? '' : text('tarification'),
      vehicle_capacity: Number(text('nbre_pdc')) || points.length,
      status: 'AVAILABLE',
    },
    connectors: points.flatMap((point, index) =>
      toConnectors(point).map((connector) => ({
        ...connector,
        key: `${point['id_pdc_itinerance'] ?? index} ${connector.standard}`,
      })),
    ),
  }
}

/** Maximum of a French household socket, whatever the charge point offers (spec 13). */
const HOUSEHOLD_KW = 3.7
const ONE_PHASE_KW = 7.4

const toConnectors = (point: ChargePoint): Omit<Connector, 'id' | 'site'>[] => {
  const kw = Number(point['puissance_nominale'])
  const has = (plug: string) => point[`prise_type_${plug}`]?.toLowerCase() === 'true'
  const connectors: Omit<Connector, 'id' | 'site'>[] = []
  if (has('2'))
    connectors.push({
      standard: 'IEC_62196_T2',
      format: point['cable_t2_attache']?.toLowerCase() === 'true' ? 'CABLE' : 'SOCKET',
      current_type: kw <= ONE_PHASE_KW ? 'AC_1_PHASE' : 'AC_3_PHASE',
      kw_rating: kw,
    })
  if (has('combo_ccs'))
    connectors.push({
      standard: 'IEC_62196_T2_COMBO',
      format: 'CABLE',
      current_type: 'DC',
      kw_rating: kw,
    })
  if (has('chademo'))
    connectors.push({ standard: 'CHADEMO', format: 'CABLE', current_type: 'DC', kw_rating: kw })
  if (has('ef'))
    connectors.push({
      standard: 'DOMESTIC_E',
      format: 'SOCKET',
      current_type: 'AC_1_PHASE',
      kw_rating: Math.min(kw, HOUSEHOLD_KW),
    })
  return connectors
}
