import { BUSINESSES, CONNECTORS, SITES } from '#domain/collection.ts'
import type { OpeningHours } from '#domain/hours.ts'

const HOURS: OpeningHours = {
  twentyfourseven: false,
  regular_hours: [{ weekday: 1, period_begin: '08:00', period_end: '18:00' }],
}

/** Values for all newer fields of a site, a connector and a business. */
export const OPTIONAL_VALUES = {
  [SITES]: {
    published: false,
    opening_hours: HOURS,
    time_zone: 'Europe/Paris',
    city: 'Lyon',
    postal_code: '69003',
    state: 'Rhône',
    country: 'FRA',
    access: 'PUBLIC',
    payment: ['CONTACTLESS_CARD_SUPPORT', 'APP'],
    facilities: ['HOTEL', 'WIFI'],
    parking_type: 'UNDERGROUND_GARAGE',
    parking_restrictions: ['EV_ONLY', 'PLUGGED'],
    max_height_m: 1.9,
    wheelchair: 'ACCESSIBLE',
    two_wheelers: true,
    drive_through: true,
    reference: 'FRABCP69003',
    confirmed: '2026-11-01 00:00:00.000Z',
  },
  [CONNECTORS]: {
    reference: 'A-1',
    evse: '1',
    evse_id: 'FR*ABC*E123',
    voltage: 400,
    amperage: 32,
  },
  [BUSINESSES]: {
    legal_name: 'Quay SAS',
    phone: '+33 4 72 00 00 00',
    country_code: 'FR',
    party_id: 'ABC',
    licence: 'etalab-2.0',
  },
} as const
