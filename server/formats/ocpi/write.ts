import { createHash } from 'node:crypto'

import { BUSINESSES, SITES } from '#domain/collection.ts'
import { printOcpi } from '#domain/hours/ocpi.ts'
import { API } from '#domain/paths.ts'
import type { OcpiVersion } from '#domain/open-data.ts'
import type { PublicBusiness, PublicConnector, PublicSite } from '#domain/public-site.ts'

import { electricsOf } from '../electrics.ts'
import {
  COMMON_FIELDS,
  isoDate,
  chargePointsOf,
  fitted,
  tariffOf,
  type About,
  type SupportedFields,
  type ReportLoss,
} from '../output.ts'
import { isExpressible, tariffIdOf } from './tariff.ts'
import { CAPABILITIES, CONNECTOR_CAPABILITIES, NEW_IN_2_3_0 } from './values.ts'

/** The fields that an OCPI Location can contain in both versions. */
const OCPI_COMMON_FIELDS: SupportedFields = {
  sites: [
    ...COMMON_FIELDS,
    'state',
    'country',
    'time_zone',
    'status',
    'photos',
    'photo_categories',
    'tariff',
    'payment',
    'facilities',
    'parking_type',
    'parking_restrictions',
  ],
  connectors: [
    'standard',
    'format',
    'current_type',
    'kw_rating',
    'evse',
    'evse_id',
    'voltage',
    'amperage',
    'tariff',
  ],
  tariffs: ['currency', 'tax_included', 'elements', 'min_price', 'max_price', 'url'],
  businesses: ['name', 'logo', 'website', 'legal_name', 'country_code', 'party_id'],
}

export const OCPI_FIELDS: Readonly<Record<OcpiVersion, SupportedFields>> = {
  '2.2.1': OCPI_COMMON_FIELDS,
  '2.3.0': {
    ...OCPI_COMMON_FIELDS,
    sites: [
      ...OCPI_COMMON_FIELDS.sites,
      'contact_phone',
      'max_height_m',
      'two_wheelers',
      'drive_through',
    ],
  },
}

/** Writes a site as an OCPI Location. The site must have all fields that REGISTERS requires for OCPI. */
export const writeLocation = (
  site: PublicSite,
  version: OcpiVersion,
  { publicUrl, reportLoss }: Pick<About, 'publicUrl' | 'reportLoss'>,
): object => {
  const { business } = site
  const shorten = (
    field: 'name' | 'address' | 'city' | 'postal_code' | 'state',
    max: number,
  ): string => fitted(site[field], max, () => reportLoss('sites', field, 'shortened'))
  const parking = version === '2.3.0' ? parkingOf(site) : undefined
  return {
    country_code: business.country_code,
    party_id: business.party_id,
    id: site.id,
    publish: true,
    name: shorten('name', 255),
    address: shorten('address', ADDRESS_LENGTH[version]),
    city: shorten('city', 45),
    ...(site.postal_code !== '' && { postal_code: shorten('postal_code', 10) }),
    ...(site.state !== '' && { state: shorten('state', STATE_LENGTH[version]) }),
    country: site.country,
    coordinates: coordinatesOf(site, reportLoss),
    ...(site.parking_type !== '' && { parking_type: site.parking_type }),
    evses: evsesOf(site, version, parking?.id, reportLoss),
    ...(parking !== undefined && { parking_places: [parking] }),
    operator: operatorOf(business, publicUrl, reportLoss),
    ...(business.legal_name !== '' && {
      owner: {
        name: fitted(business.legal_name, 100, () =>
          reportLoss('businesses', 'legal_name', 'shortened'),
        ),
      },
    }),
    ...(site.facilities.length > 0 && { facilities: site.facilities }),
    time_zone: site.time_zone,
    ...(site.opening_hours !== null && { opening_times: printOcpi(site.opening_hours) }),
    ...(site.photos.length > 0 && { images: imagesOf(site, publicUrl, reportLoss) }),
    ...(version === '2.3.0' && isPhone(site.contact_phone) && { help_phone: site.contact_phone }),
    last_updated: isoDate(site.updated),
  }
}

/** OCPI 2.2.1-d2 allowed 45 and 20 characters; 2.3.0 ed. 2 states that the older limits were a mistake. */
const ADDRESS_LENGTH: Readonly<Record<OcpiVersion, number>> = { '2.2.1': 45, '2.3.0': 255 }
const STATE_LENGTH: Readonly<Record<OcpiVersion, number>> = { '2.2.1': 20, '2.3.0': 45 }

/** A CiString(25). */
const isPhone = (text: string): boolean => /^[\x20-\x7e]{1,25}$/.test(text)

/** The remaining data of a removed site, which `rest_of` in the database extracts from a PublicSite. */
export type RestOfSite = Pick<
  PublicSite,
  'id' | 'city' | 'country' | 'time_zone' | 'latitude' | 'longitude'
> & {
  readonly business: Pick<PublicBusiness, 'id' | 'country_code' | 'party_id'>
  /** `uid` identifies the charge point, see `evseUid`. */
  readonly connectors: readonly (Pick<
    PublicConnector,
    'id' | 'standard' | 'format' | 'current_type' | 'kw_rating' | 'voltage' | 'amperage'
  > & { readonly uid: string })[]
}

/** Writes a removed Location: "the status of all its EVSEs is REMOVED" (OCPI, mod_locations, flow and lifecycle). */
export const writeRemovedLocation = (
  rest: RestOfSite,
  version: OcpiVersion,
  updated: string,
): object => {
  const last_updated = isoDate(updated)
  const connectors = rest.connectors.filter(({ standard }) => isKnown(standard, version))
  return {
    country_code: rest.business.country_code,
    party_id: rest.business.party_id,
    id: rest.id,
    publish: false,
    address: 'Removed',
    city: fitted(rest.city, 45, nothing),
    country: rest.country,
    coordinates: coordinatesOf(rest, nothing),
    evses: [...Map.groupBy(connectors, ({ uid }) => uid)].map(([uid, all]) => ({
      uid,
      status: 'REMOVED',
      connectors: all.map((connector) => ({ ...plugOf(connector, nothing), last_updated })),
      last_updated,
    })),
    time_zone: rest.time_zone,
    last_updated,
  }
}
const nothing = (): void => {}

/** OCPI allows seven decimals, but only 11 characters: -122.1234567 is too long. Six decimals are precise to 11 cm. */
const COORDINATE_DECIMALS = { min: 5, max: 6 }

const coordinatesOf = (
  at: { readonly latitude: number; readonly longitude: number },
  reportLoss: ReportLoss,
): object => {
  const text = (field: 'latitude' | 'longitude'): string => {
    const { min, max } = COORDINATE_DECIMALS
    const fixed = at[field].toFixed(max)
    if (Number(fixed) !== at[field]) reportLoss('sites', field, 'rounded')
    return fixed.replace(new RegExp(`0{1,${max - min}}$`), '')
  }
  return { latitude: text('latitude'), longitude: text('longitude') }
}

const evsesOf = (
  site: PublicSite,
  version: OcpiVersion,
  parking: string | undefined,
  reportLoss: ReportLoss,
): object[] => {
  const capabilities = knownValues(site.payment, CAPABILITIES.toFormat)
  const isKnownMeans = (means: string): boolean =>
    CAPABILITIES.toFormat(means) !== undefined ||
    (version === '2.3.0' && CONNECTOR_CAPABILITIES.toFormat(means) !== undefined)
  if (!site.payment.every(isKnownMeans)) reportLoss('sites', 'payment', 'no_value')
  const restrictions = site.parking_restrictions.filter((each) => isKnown(each, version))
  if (restrictions.length < site.parking_restrictions.length)
    reportLoss('sites', 'parking_restrictions', 'no_value')
  return chargePointsOf(site).flatMap((all) => {
    const connectors = all.filter(({ standard }) => isKnown(standard, version))
    for (const _ of all.slice(connectors.length)) reportLoss('connectors', 'standard', 'no_value')
    const [first] = connectors
    if (first === undefined) return []
    const uid = evseUid(site.id, first)
    if (new Set(all.map(({ evse_id }) => evse_id)).size > 1)
      reportLoss('connectors', 'evse_id', 'generalized')
    if (first.evse.length > PHYSICAL_REFERENCE_LENGTH)
      reportLoss('connectors', 'evse', 'generalized')
    const evseId = connectors.find(({ evse_id }) => evse_id !== '')?.evse_id
    return [
      {
        uid,
        ...(evseId !== undefined && { evse_id: evseId }),
        status: site.status,
        ...(capabilities.length > 0 && { capabilities }),
        connectors: connectors.map((each) => writeConnector(each, site, version, reportLoss)),
        ...(first.evse !== '' &&
          first.evse.length <= PHYSICAL_REFERENCE_LENGTH && { physical_reference: first.evse }),
        ...(restrictions.length > 0 && { parking_restrictions: restrictions }),
        ...(parking !== undefined && { parking: [{ parking_id: parking }] }),
        last_updated: isoDate(site.updated),
      },
    ]
  })
}

const PHYSICAL_REFERENCE_LENGTH = 16

/**
 * The `uid` of a charge point, which depends only on the name of the charge point: "this field can never be changed".
 */
export const evseUid = (site: string, { id, evse }: Pick<PublicConnector, 'id' | 'evse'>): string =>
  evse === ''
    ? id
    : `${site}-${createHash('sha256').update(evse).digest('hex').slice(0, EVSE_HASH_LENGTH)}`
const EVSE_HASH_LENGTH = 16

const isKnown = (value: string, version: OcpiVersion): boolean =>
  version !== '2.2.1' || !NEW_IN_2_3_0.includes(value)

const knownValues = (
  values: readonly string[],
  toFormat: (value: string) => string | undefined,
): string[] => [...new Set(values.flatMap((value) => toFormat(value) ?? []))]

/** The required fields of an OCPI connector, except for the time of its last change. */
const plugOf = (
  connector: RestOfSite['connectors'][number] | PublicConnector,
  reportLoss: ReportLoss,
) => {
  const { volts, amps } = electricsOf(connector, reportLoss)
  for (const [field, value, written] of [
    ['voltage', connector.voltage, volts],
    ['amperage', connector.amperage, amps],
  ] as const)
    if (value && value !== written) reportLoss('connectors', field, 'rounded')
  return {
    id: connector.id,
    standard: connector.standard,
    format: connector.format,
    power_type: connector.current_type,
    max_voltage: volts,
    max_amperage: amps,
  }
}

const writeConnector = (
  connector: PublicConnector,
  site: PublicSite,
  version: OcpiVersion,
  reportLoss: ReportLoss,
): object => {
  const watts = Math.round(connector.kw_rating * 1000)
  if (connector.kw_rating !== watts / 1000) reportLoss('connectors', 'kw_rating', 'rounded')
  const tariff = tariffOf(site, connector)
  const tariffId = tariff && tariffIdOf(tariff, connector, version)
  if (tariff !== undefined && !isExpressible(tariff, version))
    reportLoss('tariffs', 'tax_included', 'no_value')
  const capabilities =
    version === '2.3.0' ? knownValues(site.payment, CONNECTOR_CAPABILITIES.toFormat) : []
  return {
    ...plugOf(connector, reportLoss),
    max_electric_power: watts,
    ...(tariffId !== undefined && { tariff_ids: [tariffId] }),
    ...(capabilities.length > 0 && { capabilities }),
    last_updated: isoDate(site.updated),
  }
}

const operatorOf = (
  { id, name, website, logo }: PublicBusiness,
  publicUrl: string,
  reportLoss: ReportLoss,
): object => ({
  name: fitted(name, 100, () => reportLoss('businesses', 'name', 'shortened')),
  ...(website !== '' && { website }),
  ...(logo !== '' && {
    logo: {
      url: publicUrl + API.file(BUSINESSES, id, logo),
      category: 'OPERATOR',
      type: imageType(logo),
    },
  }),
})

const imagesOf = (
  { id, photos, photo_categories: categories }: PublicSite,
  publicUrl: string,
  reportLoss: ReportLoss,
): object[] =>
  photos.map((name) => {
    const category = categories?.[name]
    if (category === undefined) reportLoss('sites', 'photo_categories', 'assumed')
    return {
      url: publicUrl + API.file(SITES, id, name),
      category: category ?? 'OTHER',
      type: imageType(name),
    }
  })

/** The type of an image: at most four characters. */
const imageType = (name: string): string => /\.(\w{1,4})$/.exec(name)?.[1]?.toLowerCase() ?? 'jpeg'

/** OCPI 2.3.0 Parking, with the fields that are written. */
interface ParkingPlace {
  readonly id: string
  readonly vehicle_types: readonly string[]
  /** In centimetres. */
  readonly max_vehicle_height?: number
  readonly drive_through?: true
  readonly restricted_to_type: boolean
  readonly reservation_required: false
}

/** The OCPI 2.3.0 Parking of a site, if any of its fields is known. */
const parkingOf = ({
  id,
  max_height_m: height,
  drive_through: isDriveThrough,
  two_wheelers: isForTwoWheelers,
}: PublicSite): ParkingPlace | undefined =>
  height || isDriveThrough || isForTwoWheelers
    ? {
        id: `${id}-parking`,
        vehicle_types: [isForTwoWheelers ? 'MOTORCYCLE' : 'PERSONAL_VEHICLE'],
        ...(height && { max_vehicle_height: Math.round(height * 100) }),
        ...(isDriveThrough && { drive_through: true }),
        restricted_to_type: isForTwoWheelers,
        reservation_required: false,
      }
    : undefined
