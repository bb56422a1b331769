import { CURRENT_TYPES, STANDARDS } from '#domain/connector.ts'
import { SITE_STATUSES } from '#domain/site-values.ts'
import { sites as siteCollection } from '#domain/site.ts'

import type { Sql } from '../../server/db/sql.ts'

// Writes a network of any size into the tables with a few statements; the triggers maintain the public data.

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export const createRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = () => number

const oneOf = <T>(random: Random, values: readonly T[]): T => {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('nothing to choose from')
  return value
}

const CENTRES = [
  { city: 'Straßburg', latitude: 48.58, longitude: 7.75 },
  { city: 'Saint-Étienne', latitude: 45.43, longitude: 4.39 },
  { city: 'Kraków', latitude: 50.06, longitude: 19.94 },
  { city: 'Suva', latitude: -18.14, longitude: 179.9 },
  { city: 'Taveuni', latitude: -16.8, longitude: -179.95 },
  { city: 'Longyearbyen', latitude: 78.22, longitude: 15.65 },
  { city: 'Amundsen-Scott', latitude: -89.9, longitude: 0 },
  { city: 'Nordpol', latitude: 89.9, longitude: 120 },
  { city: 'Greenwich', latitude: 51.48, longitude: 0 },
]

/** A position near one of the centres, at a pole, at 180°, or anywhere. */
export const anyPosition = (random: Random): { latitude: number; longitude: number } => {
  const kind = random()
  if (kind < 0.05) return { latitude: oneOf(random, [-90, 90]), longitude: random() * 360 - 180 }
  if (kind < 0.1) return { latitude: random() * 180 - 90, longitude: oneOf(random, [-180, 180]) }
  if (kind < 0.4) return { latitude: random() * 180 - 90, longitude: random() * 360 - 180 }
  return near(random, oneOf(random, CENTRES))
}

const near = (random: Random, centre: { latitude: number; longitude: number }) => {
  const spread = oneOf(random, [0, 0.001, 0.1, 1])
  const longitude = centre.longitude + (random() - 0.5) * spread * 2
  return {
    latitude: Math.max(-90, Math.min(90, centre.latitude + (random() - 0.5) * spread)),
    longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude,
  }
}

const HOURS = [
  null,
  { twentyfourseven: true },
  {
    twentyfourseven: true,
    exceptional_closings: [
      { period_begin: '2020-01-01T00:00:00Z', period_end: '2020-01-02T00:00:00Z' },
    ],
  },
  {
    twentyfourseven: false,
    regular_hours: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      weekday,
      period_begin: '08:00',
      period_end: '20:00',
    })),
  },
  {
    twentyfourseven: false,
    regular_hours: [{ weekday: 3, period_begin: '20:00', period_end: '02:00' }],
  },
]

const idOf = (kind: string, index: number): string =>
  kind + String(index).padStart(15 - kind.length, '0')

const isOften = (random: Random, share: number): boolean => random() < share

/** Fills the database with businesses and their sites. */
export const fillNetwork = async (
  sql: Sql,
  { siteCount, random }: { readonly siteCount: number; readonly random: Random },
): Promise<void> => {
  const businessCount = 12
  const businesses = Array.from({ length: businessCount }, (_, index) => ({
    id: idOf('bus', index),
    user: idOf('usr', index),
    name: index === 3 ? '' : oneOf(random, ['Énergie du Rhin', 'Voltwerk', 'Ladepark & Söhne']),
    hidden: index === 4,
    hidden_reason: index === 4 ? 'SECRET hidden' : '',
    description: 'SECRET description',
    contact_email: 'secret-business@example.org',
  }))
  const tariffs = businesses.flatMap(({ id }, index) =>
    [0, 0.5].map((price, nth) => ({
      id: idOf('trf', index * 2 + nth),
      business: id,
      name: 'SECRET name of a price',
      currency: 'EUR',
      elements: [{ price_components: [{ type: 'FLAT', price, step_size: 1 }] }],
    })),
  )
  const tariffFor = (business: number): string | null =>
    isOften(random, 0.5) ? idOf('trf', business * 2 + (isOften(random, 0.5) ? 1 : 0)) : null
  const sites = Array.from({ length: siteCount }, (_, index) => {
    const business = Math.floor(random() * businessCount)
    const centre = oneOf(random, CENTRES)
    return {
      id: idOf('sit', index),
      business: idOf('bus', business),
      name: `${oneOf(random, ['Parking', 'Quai', 'Bahnhof'])} ${index}`,
      address: `${index % 40} Rue de la Gare`,
      ...(isOften(random, 0.8) ? near(random, centre) : anyPosition(random)),
      city: centre.city,
      country: 'FRA',
      status: isOften(random, 0.6) ? 'AVAILABLE' : oneOf(random, SITE_STATUSES),
      published: !isOften(random, 0.1),
      hidden: isOften(random, 0.05),
      hidden_reason: 'SECRET reason',
      reference: `REF-${index}`,
      opening_hours: oneOf(random, HOURS),
      time_zone: oneOf(random, ['Europe/Paris', 'Pacific/Fiji', 'America/New_York']),
      access: oneOf(random, ['', ...siteCollection.fields.access.values]),
      payment: isOften(random, 0.1) ? ['APP', 'FREE_OF_CHARGE'] : [],
      tariff: tariffFor(business),
    }
  })
  const connectors = sites.flatMap(({ id, business }, index) =>
    Array.from({ length: Math.floor(random() * 4) }, (_, nth) => ({
      id: idOf('con', index * 4 + nth),
      site: id,
      standard: isOften(random, 0.8)
        ? oneOf(random, STANDARDS.slice(0, 3))
        : oneOf(random, STANDARDS),
      format: 'CABLE',
      current_type: oneOf(random, CURRENT_TYPES),
      kw_rating: oneOf(random, [3.7, 7, 7.4, 11, 22, 43, 50, 75, 150, 350]),
      reference: `REF-${index}-${nth}`,
      tariff: isOften(random, 0.2) ? tariffFor(Number(business.slice(3))) : null,
    })),
  )
  const users = businesses.map(({ user }) => ({ id: user, email: `${user}-secret@example.org` }))
  await insert(sql, 'users', 'id text, email text', users)
  await insert(
    sql,
    'businesses',
    'id text, "user" text, name text, hidden boolean, hidden_reason text, description text, contact_email text',
    businesses,
  )
  await insert(
    sql,
    'tariffs',
    'id text, business text, name text, currency text, elements jsonb',
    tariffs,
  )
  await insert(
    sql,
    'sites',
    'id text, business text, name text, address text, latitude float8, longitude float8, city text, country text, status text, published boolean, hidden boolean, hidden_reason text, reference text, opening_hours jsonb, time_zone text, access text, payment text[], tariff text',
    sites,
  )
  await insert(
    sql,
    'connectors',
    'id text, site text, standard text, format text, current_type text, kw_rating float8, reference text, tariff text',
    connectors,
  )
}

/** Inserts rows. In `opening_hours`, JSON null is a value and SQL null is none. */
export const insert = async (
  sql: Sql,
  table: string,
  columns: string,
  rows: readonly object[],
): Promise<void> => {
  const names = columns.split(', ').map((column) => column.split(' ')[0] ?? '')
  const values = names.map((name) =>
    name === 'opening_hours' ? `coalesce(${name}, 'null')` : name,
  )
  await sql.unsafe(
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
    from jsonb_to_recordset($1::jsonb) r (${columns})`,
    [JSON.stringify(rows)],
  )
}
