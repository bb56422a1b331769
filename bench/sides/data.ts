import {
  COMMON_STANDARDS_COUNT,
  CURRENT_TYPES,
  FORMATS,
  STANDARDS,
} from '../../domain/connector.ts'
import { OWNER_STATUSES } from '../../domain/site.ts'

/** A number of owners with a number of sites each. */
export interface Group {
  readonly owners: number
  readonly sitesEach: number
  readonly connectorsPerSite: number
}

/** A user with a business; sites and connectors are numbered across all owners. */
export interface Owner {
  readonly number: number
  readonly id: string
  readonly email: string
  readonly business: string
  readonly firstSite: number
  readonly sites: number
  readonly firstConnector: number
  readonly connectorsPerSite: number
}

/** The columns of the rows, in order. They have the same names on both sides. */
export const COLUMNS = {
  businesses: [
    'id',
    'name',
    'description',
    'website',
    'contact_email',
    'logo',
    'licence',
    'user',
    'created',
    'updated',
  ],
  sites: [
    'id',
    'name',
    'address',
    'latitude',
    'longitude',
    'contact_email',
    'contact_phone',
    'cost',
    'vehicle_capacity',
    'status',
    'published',
    'time_zone',
    'country',
    'business',
    'created',
    'updated',
  ],
  connectors: [
    'id',
    'standard',
    'format',
    'current_type',
    'kw_rating',
    'site',
    'created',
    'updated',
  ],
} as const satisfies Record<string, readonly string[]>

/** If these are left out, our server fills them in and the peer does not. */
export const SAID = {
  licence: 'CC-BY-4.0',
  published: true,
  time_zone: 'Europe/Dublin',
  country: 'IRL',
} as const

export type Table = keyof typeof COLUMNS
export type Row = readonly (string | number)[]

/** The columns and rows of each table. */
export type Rows = Readonly<
  Record<Table, { readonly columns: readonly string[]; readonly rows: () => Iterable<Row> }>
>

/** The rows that the generator makes for owners. */
export const rowsOf = (owners: readonly Owner[]): Rows => {
  const of = (table: Table) => ({ columns: COLUMNS[table], rows: () => makeRows(table, owners) })
  return { businesses: of('businesses'), sites: of('sites'), connectors: of('connectors') }
}

/** The owners of groups, one group after the other. */
export const makeOwners = (groups: readonly Group[]): readonly Owner[] => {
  const owners: Owner[] = []
  let firstSite = 0
  let firstConnector = 0
  for (const { owners: count, sitesEach, connectorsPerSite } of groups) {
    for (let i = 0; i < count; i += 1) {
      const number = owners.length
      owners.push({
        number,
        id: idOf('user', number),
        email: `owner-${number}@example.org`,
        business: idOf('business', number),
        firstSite,
        sites: sitesEach,
        firstConnector,
        connectorsPerSite,
      })
      firstSite += sitesEach
      firstConnector += sitesEach * connectorsPerSite
    }
  }
  return owners
}

export const siteIdOf = (owner: Owner, index: number): string =>
  idOf('site', owner.firstSite + index)

/** Yields the rows of a table, possibly millions. The same owners yield the same rows. */
export function* makeRows(table: Table, owners: readonly Owner[]): Generator<Row> {
  for (const owner of owners) yield* ROWS[table](owner)
}

const ROWS: Readonly<Record<Table, (owner: Owner) => Iterable<Row>>> = {
  businesses: function* ({ number, id, business }) {
    const { of } = dice('business', number)
    yield [
      business,
      `${of(PLACES)} Charging ${number}`,
      'Charging for everybody who comes by, day and night, without a card.',
      `https://operator-${number}.example`,
      `hello@operator-${number}.example`,
      '',
      SAID.licence,
      id,
      timeOf(number),
      timeOf(number),
    ]
  },
  sites: function* ({ firstSite, sites, business }) {
    for (let number = firstSite; number < firstSite + sites; number += 1) {
      const { upTo, of } = dice('site', number)
      yield [
        idOf('site', number),
        `${of(PLACES)} ${of(KINDS)} ${number}`,
        `${1 + upTo(200)} ${of(STREETS)}, ${of(PLACES)}`,
        // Never 0, which the peer treats as a missing value.
        (1 + upTo(8_900_000)) / 100_000,
        (1 + upTo(17_900_000)) / 100_000,
        `site-${number}@operator.example`,
        `+353 1 ${1_000_000 + upTo(9_000_000)}`,
        of(COSTS),
        1 + upTo(24),
        of(OWNER_STATUSES),
        Number(SAID.published),
        SAID.time_zone,
        SAID.country,
        business,
        timeOf(number),
        timeOf(number),
      ]
    }
  },
  connectors: function* ({ firstSite, sites, firstConnector, connectorsPerSite }) {
    for (let index = 0; index < sites * connectorsPerSite; index += 1) {
      const number = firstConnector + index
      const { upTo, of } = dice('connector', number)
      yield [
        idOf('connector', number),
        of(STANDARDS.slice(0, COMMON_STANDARDS_COUNT)),
        of(FORMATS),
        of(CURRENT_TYPES),
        (1 + upTo(3500)) / 10,
        idOf('site', firstSite + Math.floor(index / connectorsPerSite)),
        timeOf(number),
        timeOf(number),
      ]
    }
  },
}

const PLACES = ['Portrush', 'Saint-Malo', 'Tübingen', 'Cádiz', 'Galway', 'Łódź', 'Brest', 'Aarhus']
const KINDS = ['Harbour', 'Station Square', 'Town Hall', 'Market', 'Retail Park', 'Hotel']
const STREETS = ['Quay Street', 'Rue du Port', 'Neckarhalde', 'Calle Ancha', 'Ringvej']
const COSTS = ['€0.45 / kWh', 'Free', '€0.79 / kWh, €0.10 / min after an hour', '']

/** The time of the first record; each further record is a second later. */
const FIRST_MS = Date.UTC(2026, 0, 1)

/** Formats a time as both sides do on the wire; PostgreSQL can parse it, too. */
export const timeOf = (number: number): string =>
  new Date(FIRST_MS + number * 1000).toISOString().replace('T', ' ')

/** The id of the n-th connector. */
export const connectorIdOf = (number: number): string => idOf('connector', number)

/** The id of a record: deterministic by kind and number, unique, and unordered like random ids. */
const idOf = (kind: 'user' | 'business' | 'site' | 'connector', number: number): string =>
  `${kind.charAt(0)}${digits(hash(1, number))}${digits(hash(kind.length, number))}`

/** 32 bits as seven letters and digits. */
const digits = (bits: number): string => bits.toString(36).padStart(7, '0')

/** A deterministic pseudo-random number. */
const dice = (kind: string, number: number) => {
  let thrown = 0
  const upTo = (limit: number): number => hash(kind.length + ++thrown * 31, number) % limit
  return { upTo, of: <T>(values: readonly T[]): T => values[upTo(values.length)] as T }
}

/** A bijection of 32-bit numbers for each seed: every step can be inverted. */
const hash = (seed: number, number: number): number => {
  let mixed = Math.imul(Math.imul(seed, 0x9e3779b1) ^ number, 0xcc9e2d51)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
