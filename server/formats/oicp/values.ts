import type { Format, Standard } from '#domain/connector.ts'
import type { Site } from '#domain/site.ts'

import { valueTable } from '../value-table.ts'

/** `Plugs`: a plug with or without a cable. */
export const PLUGS = valueTable<`${Standard} ${Format}`, string>([
  ['IEC_62196_T2 SOCKET', 'Type 2 Outlet'],
  ['IEC_62196_T2 CABLE', 'Type 2 Connector (Cable Attached)'],
  ['IEC_62196_T2_COMBO CABLE', 'CCS Combo 2 Plug (Cable Attached)'],
  ['IEC_62196_T1 CABLE', 'Type 1 Connector (Cable Attached)'],
  ['IEC_62196_T1_COMBO CABLE', 'CCS Combo 1 Plug (Cable Attached)'],
  ['IEC_62196_T3C SOCKET', 'Type 3 Outlet'],
  ['CHADEMO CABLE', 'CHAdeMO'],
  ['TESLA_S CABLE', 'Tesla Connector'],
  ['DOMESTIC_E SOCKET', 'Type E French Standard'],
  ['DOMESTIC_F SOCKET', 'Type F Schuko'],
  ['DOMESTIC_G SOCKET', 'Type G British Standard'],
  ['DOMESTIC_J SOCKET', 'Type J Swiss Standard'],
  ['NEMA_5_20 SOCKET', 'NEMA 5-20'],
  ['IEC_60309_2_single_16 SOCKET', 'IEC 60309 Single Phase'],
  ['IEC_60309_2_three_16 SOCKET', 'IEC 60309 Three Phase'],
])

/** `AuthenticationModes`. */
export const PAYMENTS = valueTable<Site['payment'][number], string>([
  ['RFID_READER', 'NFC RFID Classic'],
  ['RFID_READER', 'NFC RFID DESFire'],
  ['APP', 'REMOTE'],
  ['PLUG_AND_CHARGE', 'PnC'],
  ['CREDIT_CARD_PAYABLE', 'Direct Payment'],
])

/** `Accessibility`. */
export const ACCESS = valueTable<Exclude<Site['access'], ''>, string>([
  ['PUBLIC', 'Free publicly accessible'],
  ['PUBLIC', 'Paying publicly accessible'],
  ['CUSTOMERS', 'Restricted access'],
  ['PRIVATE', 'Test Station'],
])

/** `AccessibilityLocation`. */
export const PARKING = valueTable<Exclude<Site['parking_type'], ''>, string>([
  ['ON_STREET', 'OnStreet'],
  ['PARKING_GARAGE', 'ParkingGarage'],
  ['UNDERGROUND_GARAGE', 'UndergroundParkingGarage'],
  ['PARKING_LOT', 'ParkingLot'],
])

/** `on` of the opening times, in OpenStreetMap syntax. */
export const DAYS: Readonly<Record<string, string>> = {
  Everyday: 'Mo-Su',
  Workdays: 'Mo-Fr',
  Weekend: 'Sa-Su',
  Monday: 'Mo',
  Tuesday: 'Tu',
  Wednesday: 'We',
  Thursday: 'Th',
  Friday: 'Fr',
  Saturday: 'Sa',
  Sunday: 'Su',
}
