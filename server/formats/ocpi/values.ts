import type { Site } from '#domain/site.ts'

import { valueTable } from '../value-table.ts'

// The other values of sites, connectors and tariffs are those of OCPI 2.3.0.

type Payment = Site['payment'][number]

/** OCPI Capability of an EVSE, by what it says about paying. */
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

/** Values of plugs and parking restrictions that came with OCPI 2.3.0: 2.2.1 has nothing like them. */
export const NEW_IN_2_3_0: readonly string[] = ['MCS', 'SAE_J3400', 'EMPLOYEES', 'TAXIS', 'TENANTS']
