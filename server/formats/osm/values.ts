import type { Format, Standard } from '#domain/connector.ts'
import type { Site } from '#domain/site.ts'

import { valueTable } from '../value-table.ts'

/** A plug with or without a cable, as OpenStreetMap distinguishes them. */
type Plug = `${Standard} ${Format}`

/** The key of a socket after `socket:`. If a key has several rows, it is read as the first one. */
export const SOCKETS = valueTable<Plug, string>([
  ['IEC_62196_T2 SOCKET', 'type2'],
  ['IEC_62196_T2 CABLE', 'type2_cable'],
  ['IEC_62196_T2_COMBO CABLE', 'type2_combo'],
  ['IEC_62196_T2_COMBO SOCKET', 'type2_combo'],
  ['CHADEMO CABLE', 'chademo'],
  ['CHADEMO SOCKET', 'chademo'],
  ['IEC_62196_T1 SOCKET', 'type1'],
  ['IEC_62196_T1 CABLE', 'type1_cable'],
  ['IEC_62196_T1_COMBO CABLE', 'type1_combo'],
  ['IEC_62196_T1_COMBO SOCKET', 'type1_combo'],
  ['IEC_62196_T3A SOCKET', 'type3a'],
  ['IEC_62196_T3C SOCKET', 'type3c'],
  ['SAE_J3400 CABLE', 'nacs'],
  ['SAE_J3400 SOCKET', 'nacs'],
  ['TESLA_S CABLE', 'tesla_supercharger'],
  ['TESLA_S SOCKET', 'tesla_supercharger'],
  ['TESLA_S CABLE', 'tesla_destination'],
  ['TESLA_R CABLE', 'tesla_roadster'],
  ['TESLA_R SOCKET', 'tesla_roadster'],
  ['GBT_AC SOCKET', 'gb_ac'],
  ['GBT_AC CABLE', 'gb_ac'],
  ['GBT_DC CABLE', 'gb_dc'],
  ['GBT_DC SOCKET', 'gb_dc'],
  ['CHAOJI CABLE', 'chaoji'],
  ['CHAOJI SOCKET', 'chaoji'],
  ['MCS CABLE', 'mcs'],
  ['MCS SOCKET', 'mcs'],
  ['DOMESTIC_F SOCKET', 'schuko'],
  ['DOMESTIC_E SOCKET', 'typee'],
  ['DOMESTIC_G SOCKET', 'bs1363'],
  ['DOMESTIC_B SOCKET', 'nema_5_15'],
  ['DOMESTIC_C SOCKET', 'typec'],
  ['DOMESTIC_I SOCKET', 'as3112'],
  ['DOMESTIC_J SOCKET', 'sev1011_t13'],
  ['IEC_60309_2_single_16 SOCKET', 'cee_blue'],
  ['IEC_60309_2_three_16 SOCKET', 'cee_red_16a'],
  ['IEC_60309_2_three_32 SOCKET', 'cee_red_32a'],
  ['IEC_60309_2_three_64 SOCKET', 'cee_red_63a'],
  ['NEMA_5_20 SOCKET', 'nema_5_20'],
  ['NEMA_14_30 SOCKET', 'nema_14_30'],
  ['NEMA_14_50 SOCKET', 'nema_14_50'],
])

/** `access`. */
export const ACCESS = valueTable<Exclude<Site['access'], ''>, string>([
  ['PUBLIC', 'yes'],
  ['CUSTOMERS', 'customers'],
  ['RESIDENTS', 'residents'],
  ['EMPLOYEES', 'employees'],
  ['PRIVATE', 'private'],
  ['PUBLIC', 'permissive'],
  ['PUBLIC', 'public'],
  ['PRIVATE', 'no'],
])

/** Keys with the value `yes`, by payment method. Free charging is `fee=no` instead. */
export const PAYMENTS = valueTable<Site['payment'][number], string>([
  ['APP', 'payment:app'],
  ['RFID_READER', 'authentication:nfc'],
  ['CONTACTLESS_CARD_SUPPORT', 'payment:contactless'],
  ['CREDIT_CARD_PAYABLE', 'payment:credit_cards'],
  ['DEBIT_CARD_PAYABLE', 'payment:debit_cards'],
  ['CASH', 'payment:cash'],
  ['APP', 'authentication:app'],
  ['RFID_READER', 'authentication:membership_card'],
  ['CASH', 'payment:coins'],
])

/** `wheelchair`; unknown accessibility has no tag. */
export const WHEELCHAIR = valueTable<Exclude<Site['wheelchair'], ''>, string>([
  ['RESERVED', 'designated'],
  ['ACCESSIBLE', 'yes'],
  ['NOT_ACCESSIBLE', 'no'],
  ['ACCESSIBLE', 'limited'],
])

/** `parking`. */
export const PARKING = valueTable<Exclude<Site['parking_type'], ''>, string>([
  ['PARKING_GARAGE', 'multi-storey'],
  ['PARKING_LOT', 'surface'],
  ['UNDERGROUND_GARAGE', 'underground'],
  ['ON_STREET', 'street_side'],
  ['ON_STREET', 'lane'],
  ['ALONG_MOTORWAY', 'rest_area'],
])
