import { SITES } from '#domain/collection.ts'
import { alpha2Of } from '#domain/country.ts'
import { LICENCE_URLS } from '#domain/open-data.ts'
import { API } from '#domain/paths.ts'
import { sitePage, slugOf } from '#domain/site-address.ts'
import type { PublicConnector, PublicSite } from '#domain/public-site.ts'

import { electricsOf } from '../electrics.ts'
import { osmHours } from '../hours.ts'
import { COMMON_FIELDS, isoDate, type About, type ReportLoss, type Output } from '../output.ts'
import {
  CONNECTION_TYPES,
  CURRENT_TYPES,
  levelOf,
  STATUSES,
  UNKNOWN_CONNECTION_TYPE,
  USAGE_TYPES,
} from './values.ts'

/** Points of interest in the format of the Open Charge Map API (version 3). */
export const OCM: Output = {
  supports: {
    sites: [
      ...COMMON_FIELDS,
      'state',
      'country',
      'status',
      'photos',
      'vehicle_capacity',
      'cost',
      'access',
      'contact_email',
      'contact_phone',
      'reference',
      'confirmed',
    ],
    connectors: [
      'standard',
      'format',
      'current_type',
      'kw_rating',
      'voltage',
      'amperage',
      'reference',
    ],
    tariffs: [],
    businesses: ['name', 'website', 'phone', 'licence'],
  },
  begin: () => '[\n',
  site: (site, about) => JSON.stringify(poiOf(site, about)),
  separator: ',\n',
  end: '\n]\n',
}

const poiOf = (site: PublicSite, { publicUrl, publisher, reportLoss }: About): object => {
  const { business, opening_hours: hours, access } = site
  reportValueLosses(site, reportLoss)
  return {
    DataProvider: {
      Title: publisher,
      WebsiteURL: publicUrl,
      License: `${business.licence} ${LICENCE_URLS[business.licence] ?? ''}`.trim(),
    },
    DataProvidersReference: site.id,
    OperatorInfo: {
      Title: business.name,
      ...(business.website !== '' && { WebsiteURL: business.website }),
      ...(business.phone !== '' && { PhonePrimaryContact: business.phone }),
    },
    ...(site.reference !== '' && { OperatorsReference: site.reference }),
    UsageTypeID: USAGE_TYPES.toFormat(access) ?? UNKNOWN,
    ...(site.cost !== '' && { UsageCost: site.cost }),
    AddressInfo: {
      Title: site.name,
      AddressLine1: site.address,
      Town: site.city,
      StateOrProvince: site.state,
      Postcode: site.postal_code,
      Country: { ISOCode: alpha2Of(site.country) },
      Latitude: site.latitude,
      Longitude: site.longitude,
      ...(site.contact_phone !== '' && { ContactTelephone1: site.contact_phone }),
      ...(site.contact_email !== '' && { ContactEmail: site.contact_email }),
      ...(hours !== null && { AccessComments: osmHours(site) }),
      RelatedURL: publicUrl + sitePage(site.id, slugOf(site.name)),
    },
    Connections: connectionsOf(site, reportLoss),
    ...(site.vehicle_capacity > 0 && { NumberOfPoints: site.vehicle_capacity }),
    StatusTypeID: STATUSES.toFormat(site.status) ?? UNKNOWN,
    ...(site.photos.length > 0 && {
      MediaItems: site.photos.map((name) => ({
        ItemURL: publicUrl + API.file(SITES, site.id, name),
        IsEnabled: true,
        IsVideo: false,
      })),
    }),
    DateLastStatusUpdate: isoDate(site.updated),
    ...(site.confirmed !== '' && { DateLastVerified: isoDate(site.confirmed) }),
    SubmissionStatusTypeID: IMPORTED_AND_PUBLISHED,
  }
}

const UNKNOWN = 0
const IMPORTED_AND_PUBLISHED = 100

const reportValueLosses = (site: PublicSite, reportLoss: ReportLoss): void => {
  const { access, status } = site
  if (access !== '' && !USAGE_TYPES.roundTrips(access)) reportLoss('sites', 'access', 'generalized')
  // Written to the comments on access, as text.
  if (site.opening_hours !== null) reportLoss('sites', 'opening_hours', 'generalized')
  if (!STATUSES.roundTrips(status)) reportLoss('sites', 'status', 'generalized')
}

/** Equal connectors become one connection with a quantity; a connector with its own reference stays separate. */
const connectionsOf = ({ connectors, status }: PublicSite, reportLoss: ReportLoss): object[] => {
  const kinds = Map.groupBy(
    connectors,
    ({ standard, format, current_type, kw_rating, voltage, amperage, reference }) =>
      `${standard} ${format} ${current_type} ${kw_rating} ${voltage} ${amperage} ${reference}`,
  )
  return [...kinds.values()].flatMap((all) => {
    const [first] = all
    return first === undefined ? [] : [connectionOf(first, all.length, status, reportLoss)]
  })
}

/** Reports a loss if the format has one value for several types. */
const reportTypeLoss = (
  { standard, format }: PublicConnector,
  stated: string | undefined,
  reportLoss: ReportLoss,
): void => {
  const [nameStandard, nameFormat] = stated?.split(' ') ?? []
  if (nameStandard !== standard) reportLoss('connectors', 'standard', 'generalized')
  if (nameFormat !== format) reportLoss('connectors', 'format', 'generalized')
}

const connectionOf = (
  connector: PublicConnector,
  quantity: number,
  status: PublicSite['status'],
  reportLoss: ReportLoss,
): object => {
  const { standard, format, current_type, kw_rating, reference } = connector
  const type = CONNECTION_TYPES.toFormat(`${standard} ${format}`) ?? UNKNOWN_CONNECTION_TYPE
  const { lineVolts, amps } = electricsOf(connector, reportLoss)
  if (type === UNKNOWN_CONNECTION_TYPE) reportLoss('connectors', 'standard', 'no_value')
  else reportTypeLoss(connector, CONNECTION_TYPES.fromFormat(type), reportLoss)
  if (connector.amperage && connector.amperage !== amps)
    reportLoss('connectors', 'amperage', 'rounded')
  if (connector.voltage && connector.voltage !== lineVolts)
    reportLoss('connectors', 'voltage', 'generalized')
  if (!CURRENT_TYPES.roundTrips(current_type))
    reportLoss('connectors', 'current_type', 'generalized')
  return {
    ConnectionTypeID: type,
    ...(reference !== '' && { Reference: reference }),
    StatusTypeID: STATUSES.toFormat(status) ?? UNKNOWN,
    LevelID: levelOf(kw_rating, current_type),
    Amps: amps,
    Voltage: lineVolts,
    PowerKW: kw_rating,
    CurrentTypeID: CURRENT_TYPES.toFormat(current_type),
    Quantity: quantity,
  }
}
