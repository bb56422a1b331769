import type { Site } from '#domain/site.ts'

import { valueTable } from '../value-table.ts'

// Sites, connectors and tariffs use the values of OCPI 2.3.0 directly, except for these.

type Payment = Site['payment'][number]

/** OCPI Capabilities of an EVSE that concern payment. */
export const CAPABILITIES = valueTable<Payment, string>([
  ['RFID_READER', 'RFID_READER'],
  ['CONTACTLESS_CARD_SUPPORT', 'CONTACTLESS_CARD_SUPPORT'],
  ['CREDIT_CARD_PAYABLE', 'CREDIT_CARD_PAYABLE'],
  ['DEBIT_CARD_PAYABLE', 'DEBIT_CARD_PAYABLE'],
  ['PED_TERMINAL', 'PED_TERMINAL'],
  ['APP', 'REMOTE_START_STOP_CAPABLE'],
  ['CREDIT_CARD_PAYABLE', 'CHIP_CARD_SUPPORT'],
])

/** OCPI 2.3.0 ConnectorCapability. */
export const CONNECTOR_CAPABILITIES = valueTable<Payment, string>([
  ['PLUG_AND_CHARGE', 'ISO_15118_2_PLUG_AND_CHARGE'],
  ['PLUG_AND_CHARGE', 'ISO_15118_20_PLUG_AND_CHARGE'],
])

/** Values of plugs and parking restrictions that are new in OCPI 2.3.0, without an equivalent in 2.2.1. */
export const NEW_IN_2_3_0: readonly string[] = ['MCS', 'SAE_J3400', 'EMPLOYEES', 'TAXIS', 'TENANTS']
