import type { CurrentType, Format, Standard } from '#domain/connector.ts'
import type { Site } from '#domain/site.ts'
import type { SiteStatus } from '#domain/site-values.ts'

import { valueTable } from '../value-table.ts'

/** A plug with or without a cable; Open Charge Map distinguishes them for some types. */
type Plug = `${Standard} ${Format}`

const either = (standard: Standard, usual: Format, id: number): readonly [Plug, number][] => [
  [`${standard} ${usual}`, id],
  [`${standard} ${usual === 'CABLE' ? 'SOCKET' : 'CABLE'}`, id],
]

/** `ConnectionTypeID`. If an ID has several rows, it is read as the first one. */
export const CONNECTION_TYPES = valueTable<Plug, number>([
  ['IEC_62196_T2 SOCKET', 25],
  ['IEC_62196_T2 CABLE', 1036],
  ...either('IEC_62196_T2_COMBO', 'CABLE', 33),
  ...either('CHADEMO', 'CABLE', 2),
  ...either('IEC_62196_T1', 'CABLE', 1),
  ...either('IEC_62196_T1_COMBO', 'CABLE', 32),
  ...either('SAE_J3400', 'CABLE', 27),
  ...either('TESLA_S', 'CABLE', 30),
  ...either('TESLA_R', 'CABLE', 8),
  ['GBT_AC SOCKET', 1038],
  ['GBT_AC CABLE', 1039],
  ...either('GBT_DC', 'CABLE', 1040),
  ...either('CHAOJI', 'CABLE', 1044),
  ...either('IEC_62196_T3A', 'SOCKET', 36),
  ...either('IEC_62196_T3C', 'SOCKET', 26),
  ...either('DOMESTIC_F', 'SOCKET', 28),
  ...either('DOMESTIC_E', 'SOCKET', 23),
  ...either('DOMESTIC_G', 'SOCKET', 3),
  ...either('DOMESTIC_B', 'SOCKET', 22),
  ...either('DOMESTIC_C', 'SOCKET', 13),
  ...either('DOMESTIC_I', 'SOCKET', 29),
  ...either('DOMESTIC_J', 'SOCKET', 1037),
  ...either('IEC_60309_2_single_16', 'SOCKET', 34),
  ...either('IEC_60309_2_three_16', 'SOCKET', 35),
  ...either('IEC_60309_2_three_32', 'SOCKET', 35),
  ...either('IEC_60309_2_three_64', 'SOCKET', 35),
  ...either('NEMA_5_20', 'SOCKET', 9),
  ...either('NEMA_14_30', 'SOCKET', 10),
  ...either('NEMA_14_50', 'SOCKET', 11),
  ['IEC_60309_2_single_16 SOCKET', 16],
  ['IEC_60309_2_three_16 SOCKET', 17],
])

/** `ConnectionTypeID` of a plug that is not in the list. */
export const UNKNOWN_CONNECTION_TYPE = 0

/** `CurrentTypeID`. */
export const CURRENT_TYPES = valueTable<CurrentType, number>([
  ['AC_1_PHASE', 10],
  ['AC_3_PHASE', 20],
  ['DC', 30],
  ['AC_2_PHASE', 20],
  ['AC_2_PHASE_SPLIT', 10],
])

/** `StatusTypeID`. */
export const STATUSES = valueTable<SiteStatus, number>([
  ['AVAILABLE', 50],
  ['AVAILABLE', 10],
  ['PLANNED', 150],
  ['INOPERATIVE', 30],
  ['OUTOFORDER', 100],
  ['CHARGING', 20],
  ['RESERVED', 20],
  ['BLOCKED', 30],
  ['UNKNOWN', 0],
  ['REMOVED', 200],
  ['REMOVED', 210],
  ['AVAILABLE', 75],
])

/** `UsageTypeID`. */
export const USAGE_TYPES = valueTable<Exclude<Site['access'], ''>, number>([
  ['PUBLIC', 1],
  ['CUSTOMERS', 6],
  ['EMPLOYEES', 6],
  ['PRIVATE', 2],
  ['RESIDENTS', 2],
  ['PUBLIC', 4],
  ['PUBLIC', 5],
  ['PUBLIC', 7],
  ['PRIVATE', 3],
])

/** `LevelID` by the power in kW; DC and more than 40 kW are level 3. */
export const levelOf = (kw: number, current: CurrentType): number =>
  current === 'DC' || kw > 40 ? 3 : kw > 2 ? 2 : 1
