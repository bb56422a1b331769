import type { Standard } from '#domain/connector.ts'
import type { Messages } from './messages.ts'

/** Names that are equal in every language. */
const NAMES: Partial<Record<Standard, string>> = {
  IEC_62196_T2_COMBO: 'CCS2 (Combo 2)',
  CHADEMO: 'CHAdeMO',
  IEC_62196_T1_COMBO: 'CCS1 (Combo 1)',
  SAE_J3400: 'NACS (SAE J3400)',
  TESLA_S: 'Tesla (Model S/X)',
  TESLA_R: 'Tesla Roadster',
  GBT_AC: 'GB/T AC',
  GBT_DC: 'GB/T DC',
  CHAOJI: 'ChaoJi',
  MCS: 'Megawatt Charging System',
  NEMA_5_20: 'NEMA 5-20',
  NEMA_6_30: 'NEMA 6-30',
  NEMA_6_50: 'NEMA 6-50',
  NEMA_10_30: 'NEMA 10-30',
  NEMA_10_50: 'NEMA 10-50',
  NEMA_14_30: 'NEMA 14-30',
  NEMA_14_50: 'NEMA 14-50',
}

/** The name of a plug in a list of choices. An unknown standard is returned unchanged. */
export const plugName = (messages: Messages, standard: Standard): string => {
  const common: Partial<Record<Standard, string>> = messages.standard
  // Loaded with the screens of owners; Home needs only the common plugs.
  const other: Partial<Record<Standard, string>> | undefined = messages.otherStandard
  return common[standard] ?? NAMES[standard] ?? other?.[standard] ?? standard
}

/** The name without the part in brackets, for a line in a card. */
export const shortPlugName = (messages: Messages, standard: Standard): string =>
  plugName(messages, standard).replace(/ \(.*\)$/, '')
