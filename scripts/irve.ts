import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'

import { connectors } from '#domain/connector.ts'
import { parseIrve } from '#domain/hours/osm.ts'
import type { InputOf } from '#domain/record.ts'
import type { Site, sites } from '#domain/site.ts'
import { isEmail } from '#domain/schema.ts'

/** A charge point of the French register (IRVE schema): every value is text or null. */
export type ChargePoint = Readonly<Record<string, string | null | undefined>>

/** A station of the register as a site with connectors. */
export interface Station {
  readonly key: string
  readonly site: InputOf<typeof sites>
  readonly connectors: readonly (InputOf<typeof connectors> & { readonly key: string })[]
}

/**
 * Reads the stations of all operators from such a file.
 * @throws if a line is not a JSON object
 */
export const readStations = async (file: string): Promise<readonly Station[]> =>
  toStations(await groupPoints(file, () => true))

type Grouped = ReadonlyMap<string, readonly ChargePoint[]>

const toStations = (grouped: Grouped): readonly Station[] =>
  [...grouped].map(([key, points]) => toStation(key, points))

/** The charge points that match, by the key of their station. */
const groupPoints = async (
  file: string,
  matches: (point: ChargePoint) => boolean,
): Promise<Grouped> => {
  const raw = createReadStream(file)
  const lines = createInterface({ input: file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw })
  const grouped = new Map<string, ChargePoint[]>()
  // Readline does not forward errors of its input stream.
  raw.on('error', (error) => lines.emit('error', error))
  for await (const line of lines) {
    if (line.trim() === '') continue
    const point = JSON.parse(line) as ChargePoint
    if (!matches(point)) continue
    const key = point['id_station_itinerance'] ?? ''
    grouped.set(key, [...(grouped.get(key) ?? []), point])
  }
  return grouped
}

const toStation = (key: string, points: readonly ChargePoint[]): Station => {
  const text = (name: string) => points.map((point) => point[name]?.trim()).find(Boolean) ?? ''
  const [longitude = Number.NaN, latitude = Number.NaN] = (
    text('coordonneesXY').match(/-?\d+(?:\.\d+)?/g) ?? []
  ).map(Number)
  const email = text('contact_operateur')
  const hours = parseIrve(text('horaires')).hours
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
      reference: key,
      ...addressParts(text('adresse_station')),
      ...(hours && { opening_hours: hours }),
      access: ACCESS[text('condition_acces')] ?? '',
      payment: paymentOf(points),
      parking_type: PARKING[text('implantation_station')] ?? '',
      wheelchair:
        WHEELCHAIR.find(([term]) =>
          points.some((point) => point['accessibilite_pmr']?.trim() === term),
        )?.[1] ?? '',
      two_wheelers: points.some((point) => isTrue(point['station_deux_roues'])),
      max_height_m: heightOf(text('restriction_gabarit')),
    },
    connectors: points.flatMap((point, index) =>
      toConnectors(point).map((connector) => ({
        ...connector,
        evse: pointId(point),
        evse_id: EVSE_ID.test(pointId(point)) ? pointId(point) : '',
        key: `${pointId(point) || index} ${connector.standard}`,
      })),
    ),
  }
}

const EVSE_ID = connectors.fields.evse_id.format.pattern
const pointId = (point: ChargePoint): string => point['id_pdc_itinerance']?.trim() ?? ''

/** `condition_acces`: a reserved station is for customers. */
const ACCESS: Readonly<Record<string, Site['access']>> = {
  'Accès libre': 'PUBLIC',
  'Accès réservé': 'CUSTOMERS',
}
/** `implantation_station`; a dedicated station for fast charging implies nothing about parking. */
const PARKING: Readonly<Record<string, Site['parking_type']>> = {
  Voirie: 'ON_STREET',
  'Parking public': 'PARKING_LOT',
  'Parking privé à usage public': 'PARKING_LOT',
  'Parking privé réservé à la clientèle': 'PARKING_LOT',
}
/** `accessibilite_pmr`: a station is as accessible as the best of its charge points. */
const WHEELCHAIR: readonly (readonly [term: string, value: Site['wheelchair']])[] = [
  ['Réservé PMR', 'RESERVED'],
  ['Accessible mais non réservé PMR', 'ACCESSIBLE'],
  ['Non accessible', 'NOT_ACCESSIBLE'],
  ['Accessibilité inconnue', 'UNKNOWN'],
]

const isTrue = (value: string | null | undefined): boolean => value?.toLowerCase() === 'true'

/** The payment methods of the charge points; "other" than a card is an app or a web page. */
const paymentOf = (points: readonly ChargePoint[]): Site['payment'] => {
  const some = (name: string) => points.some((point) => isTrue(point[name]))
  return [
    ...(some('gratuit') ? (['FREE_OF_CHARGE'] as const) : []),
    ...(some('paiement_acte') && some('paiement_autre') ? (['APP'] as const) : []),
    ...(some('paiement_cb') ? (['CREDIT_CARD_PAYABLE', 'DEBIT_CARD_PAYABLE'] as const) : []),
  ]
}

/** The height in metres in a text such as "hauteur maximale 2,10 m"; otherwise 0. */
const heightOf = (text: string): number =>
  Number(/(\d(?:[.,]\d+)?)\s*m\b/.exec(text)?.[1]?.replace(',', '.') ?? 0)

/** The postal code and the town of an address such as "8 Rue Paul Paray, 67430 Diemeringen, France". */
const addressParts = (address: string) => {
  const [, postal_code = '', city = ''] = /(?:^|[\s,])(\d{5})\s+([^\d,][^,]*)/.exec(address) ?? []
  return { postal_code, city: city.trim(), country: 'FRA' }
}

/** Maximum of a French household socket, whatever the charge point offers (spec 13). */
const HOUSEHOLD_KW = 3.7
const ONE_PHASE_KW = 7.4

const toConnectors = (point: ChargePoint): InputOf<typeof connectors>[] => {
  const kw = Number(point['puissance_nominale'])
  const has = (plug: string) => point[`prise_type_${plug}`]?.toLowerCase() === 'true'
  const found: InputOf<typeof connectors>[] = []
  if (has('2'))
    found.push({
      standard: 'IEC_62196_T2',
      format: point['cable_t2_attache']?.toLowerCase() === 'true' ? 'CABLE' : 'SOCKET',
      current_type: kw <= ONE_PHASE_KW ? 'AC_1_PHASE' : 'AC_3_PHASE',
      kw_rating: kw,
    })
  if (has('combo_ccs'))
    found.push({
      standard: 'IEC_62196_T2_COMBO',
      format: 'CABLE',
      current_type: 'DC',
      kw_rating: kw,
    })
  if (has('chademo'))
    found.push({ standard: 'CHADEMO', format: 'CABLE', current_type: 'DC', kw_rating: kw })
  if (has('ef'))
    found.push({
      standard: 'DOMESTIC_E',
      format: 'SOCKET',
      current_type: 'AC_1_PHASE',
      kw_rating: Math.min(kw, HOUSEHOLD_KW),
    })
  return found
}
