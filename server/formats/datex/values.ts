import type { Standard } from '#domain/connector.ts'
import type { Site } from '#domain/site.ts'

import { valueTable } from '../value-table.ts'

/** ConnectorTypeEnum; all other plugs become `other`. */
export const CONNECTOR_TYPES = valueTable<Standard, string>([
  ['CHADEMO', 'chademo'],
  ['DOMESTIC_A', 'domesticA'],
  ['DOMESTIC_B', 'domesticB'],
  ['DOMESTIC_C', 'domesticC'],
  ['DOMESTIC_D', 'domesticD'],
  ['DOMESTIC_E', 'domesticE'],
  ['DOMESTIC_F', 'domesticF'],
  ['DOMESTIC_G', 'domesticG'],
  ['DOMESTIC_H', 'domesticH'],
  ['DOMESTIC_I', 'domesticI'],
  ['DOMESTIC_J', 'domesticJ'],
  ['DOMESTIC_K', 'domesticK'],
  ['DOMESTIC_L', 'domesticL'],
  ['DOMESTIC_M', 'domesticM'],
  ['DOMESTIC_N', 'domesticN'],
  ['DOMESTIC_O', 'domesticO'],
  ['IEC_60309_2_single_16', 'iec60309x2single16'],
  ['IEC_60309_2_three_16', 'iec60309x2three16'],
  ['IEC_60309_2_three_32', 'iec60309x2three32'],
  ['IEC_60309_2_three_64', 'iec60309x2three64'],
  ['IEC_62196_T1', 'iec62196T1'],
  ['IEC_62196_T1_COMBO', 'iec62196T1COMBO'],
  ['IEC_62196_T2', 'iec62196T2'],
  ['IEC_62196_T2_COMBO', 'iec62196T2COMBO'],
  ['IEC_62196_T3A', 'iec62196T3A'],
  ['IEC_62196_T3C', 'iec62196T3C'],
  ['MCS', 'mcs'],
  ['PANTOGRAPH_BOTTOM_UP', 'pantographBottomUp'],
  ['PANTOGRAPH_TOP_DOWN', 'pantographTopDown'],
  ['TESLA_R', 'teslaR'],
  ['TESLA_S', 'teslaS'],
])

/** AuthenticationAndIdentificationEnum. */
export const AUTHENTICATIONS = valueTable<Site['payment'][number], string>([
  ['APP', 'apps'],
  ['RFID_READER', 'rfid'],
  ['CONTACTLESS_CARD_SUPPORT', 'nfc'],
  ['CREDIT_CARD_PAYABLE', 'creditCard'],
  ['DEBIT_CARD_PAYABLE', 'debitCard'],
  ['PED_TERMINAL', 'pinpad'],
  ['CASH', 'cashPayment'],
  ['PLUG_AND_CHARGE', 'plc'],
  ['FREE_OF_CHARGE', 'unlimitedAccess'],
])

/** UserTypeEnum: the only users who may charge. */
export const USERS = valueTable<Exclude<Site['access'], ''>, string>([
  ['PUBLIC', 'allUsers'],
  ['CUSTOMERS', 'customers'],
  ['RESIDENTS', 'residents'],
  ['EMPLOYEES', 'employees'],
  ['PRIVATE', 'other'],
])

/** EnergyInfrastructureSiteTypeEnum. */
export const SITE_TYPES = valueTable<Exclude<Site['parking_type'], ''>, string>([
  ['PARKING_GARAGE', 'inBuilding'],
  ['UNDERGROUND_GARAGE', 'inBuilding'],
  ['PARKING_LOT', 'openSpace'],
  ['ALONG_MOTORWAY', 'openSpace'],
  ['ON_STREET', 'onstreet'],
  ['ON_DRIVEWAY', 'other'],
])

/** AccessibilityEnum. */
export const ACCESSIBILITIES = valueTable<Exclude<Site['wheelchair'], ''>, string>([
  ['ACCESSIBLE', 'wheelChairAccessible'],
  ['RESERVED', 'wheelChairAccessible'],
  ['NOT_ACCESSIBLE', 'none'],
  ['UNKNOWN', 'unknown'],
])
