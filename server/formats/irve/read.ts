import { connectors } from '#domain/connector.ts'
import { parseIrve } from '#domain/hours/osm.ts'

import { readJson, readJsonLines, readStations } from '../json-stream.ts'
import { bounded, isRaw, omitEmpty, numberOf, textOf, type Raw } from '../read-values.ts'
import type { Bytes, Encoding } from '../source.ts'
import type { Station, Values } from '../station.ts'
import { ACCESS, PLACEMENTS, WHEELCHAIR } from './values.ts'

/** Whether a record has the columns with which the schema identifies charge points. */
export const isIrve = (names: readonly string[]): boolean =>
  ['id_pdc_itinerance', 'nom_station', 'puissance_nominale'].every((name) => names.includes(name))

/** Reads the French register as JSON, in one document or with one charge point per line. */
export const readIrve = (bytes: Bytes, encoding: Encoding, isLines: boolean) =>
  readStations(
    isLines
      ? readJsonLines(bytes, encoding)
      : readJson(bytes, encoding, ['data', 'results', 'records']),
    toIrvePiece,
  )

/**
 * Reads a charge point of the French register (schema-irve-statique 2.x), whose values are all texts, as a piece of its
 * station, with one connector for each plug.
 */
export const toIrvePiece = (point: Raw): Station => {
  const text = (name: string): string => bounded(textOf(point[name]))
  const id = idOf(text('id_station_itinerance')) || localId(text('id_station_local'))
  const placement = text('implantation_station')
  return {
    reference: id,
    site: omitEmpty({
      name: text('nom_station') || text('nom_enseigne') || id,
      address: text('adresse_station'),
      ...positionOf(point),
      contact_email: text('contact_operateur'),
      contact_phone: text('telephone_operateur').replace(/^tel:/, ''),
      cost: text('tarification') === 'Inconnu' ? '' : text('tarification'),
      vehicle_capacity: numberOf(text('nbre_pdc')),
      ...addressParts(text('adresse_station')),
      country: 'FRA',
      opening_hours: hoursOf(text('horaires')),
      access: ACCESS.fromFormat(text('condition_acces')),
      payment: paymentOf(point),
      // A station for fast charging says nothing about the type of parking.
      parking_type:
        placement === 'Station dédiée à la recharge rapide' ? '' : PLACEMENTS.fromFormat(placement),
      wheelchair: WHEELCHAIR.fromFormat(text('accessibilite_pmr')),
      two_wheelers: isTrue(point['station_deux_roues']),
      max_height_m: heightOf(text('restriction_gabarit')),
    }),
    connectors: toConnectors(point),
    tariffs: [],
  }
}

/** Stations without a number in the register share one placeholder. */
const idOf = (text: string): string => (/^non concern/i.test(text) ? '' : text)

/** The operator's own number of a station. A short number may also be used by another operator. */
const localId = (text: string): string => (text.length >= MIN_LOCAL_ID ? idOf(text) : '')
const MIN_LOCAL_ID = 6

const isTrue = (value: unknown): boolean =>
  value === true || /^(true|vrai|oui|1)$/i.test(textOf(value))

/**
 * Reads `[2.35, 48.85]` as a text or, in JSON, as a list or an object; in older files also from separate columns.
 * Anything else stays unchanged for the repair.
 */
const positionOf = (point: Raw): Values => {
  const { coordonneesXY: coordinates } = point
  if (isRaw(coordinates)) return { longitude: coordinates['lon'], latitude: coordinates['lat'] }
  const text = Array.isArray(coordinates) ? coordinates.join(', ') : textOf(coordinates)
  const numbers = text.match(/-?\d+(?:\.\d+)?/g) ?? []
  if (numbers.length === 2) return { longitude: Number(numbers[0]), latitude: Number(numbers[1]) }
  return {
    longitude: point['consolidated_longitude'] ?? point['Xlongitude'],
    latitude: point['consolidated_latitude'] ?? point['Ylatitude'] ?? text,
  }
}

const hoursOf = (text: string): unknown => {
  const { hours, losses } = parseIrve(text)
  return losses.length === 0 ? hours : text
}

/** Payment methods. A method other than cards is an app or a web page. */
const paymentOf = (point: Raw): readonly string[] => [
  ...(isTrue(point['gratuit']) ? ['FREE_OF_CHARGE'] : []),
  ...(isTrue(point['paiement_acte']) && isTrue(point['paiement_autre']) ? ['APP'] : []),
  ...(isTrue(point['paiement_cb']) ? ['CREDIT_CARD_PAYABLE', 'DEBIT_CARD_PAYABLE'] : []),
]

/** Reads the height in metres from a text such as "hauteur maximale 2,10 m". */
const heightOf = (text: string): number | undefined => {
  const height = /(\d(?:[.,]\d+)?)\s*m\b/.exec(text)?.[1]
  return height === undefined ? undefined : Number(height.replace(',', '.'))
}

/** Reads the postal code and the town from an address such as "8 Rue Paul Paray, 67430 Diemeringen, France". */
const addressParts = (address: string) => {
  const [, postal_code = '', city = ''] = /(?:^|[\s,])(\d{5})\s+([^\d,][^,]*)/.exec(address) ?? []
  return { postal_code, city: city.trim() }
}

/** The maximum power of a French household socket, whatever the charge point offers (spec 13). */
const HOUSEHOLD_KW = 3.7
const ONE_PHASE_KW = 7.4

const toConnectors = (point: Raw): readonly Values[] => {
  const power = textOf(point['puissance_nominale'])
  const kw = numberOf(power)
  const id = textOf(point['id_pdc_itinerance'])
  const common = {
    evse: idOf(id) || textOf(point['id_pdc_local']),
    evse_id: EVSE_ID.test(id) ? id : '',
    kw_rating: kw ?? power,
  }
  const has = (plug: string): boolean => isTrue(point[`prise_type_${plug}`])
  const direct = { format: 'CABLE', current_type: 'DC' }
  return [
    ...(has('2')
      ? [
          {
            standard: 'IEC_62196_T2',
            format: isTrue(point['cable_t2_attache']) ? 'CABLE' : 'SOCKET',
            current_type: kw !== undefined && kw <= ONE_PHASE_KW ? 'AC_1_PHASE' : 'AC_3_PHASE',
          },
        ]
      : []),
    ...(has('combo_ccs') ? [{ standard: 'IEC_62196_T2_COMBO', ...direct }] : []),
    ...(has('chademo') ? [{ standard: 'CHADEMO', ...direct }] : []),
    ...(has('ef')
      ? [
          {
            standard: 'DOMESTIC_E',
            format: 'SOCKET',
            current_type: 'AC_1_PHASE',
            ...(kw !== undefined && { kw_rating: Math.min(kw, HOUSEHOLD_KW) }),
          },
        ]
      : []),
  ].map((plug) => omitEmpty({ ...common, ...plug }))
}

const EVSE_ID = connectors.fields.evse_id.format.pattern
