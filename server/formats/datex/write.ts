import { BUSINESSES, SITES } from '#domain/collection.ts'
import { alpha2Of } from '#domain/country.ts'
import type { OpeningHours } from '#domain/hours.ts'
import { API } from '#domain/paths.ts'
import type { PublicConnector, PublicSite } from '#domain/public-site.ts'

import { electricsOf } from '../electrics.ts'
import {
  COMMON_FIELDS,
  isoDate,
  reportExceptionLoss,
  chargePointsOf,
  fitted,
  type About,
  type ReportLoss,
  type Output,
} from '../output.ts'
import { evseUid } from '../ocpi/write.ts'
import { escapeXml, XML_HEAD } from '../xml.ts'
import { ACCESSIBILITIES, AUTHENTICATIONS, CONNECTOR_TYPES, SITE_TYPES, USERS } from './values.ts'

/** An EnergyInfrastructureTablePublication (DATEX II 3.5) in the profile of the European access points. */
export const DATEX: Output = {
  supports: {
    sites: [
      ...COMMON_FIELDS,
      'country',
      'photos',
      'vehicle_capacity',
      'access',
      'payment',
      'parking_type',
      'wheelchair',
      'contact_email',
      'contact_phone',
      'reference',
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
    ],
    tariffs: [],
    businesses: ['name', 'logo', 'website', 'legal_name', 'phone', 'party_id'],
  },
  begin: ({ publisher, changed }) => `${XML_HEAD}<d2:payload${NAMESPACES}
 xsi:type="egi:EnergyInfrastructureTablePublication" lang="en" modelBaseVersion="3">
${one('com:publicationTime', changed || NEVER)}<com:publicationCreator>${one('com:country', PUBLISHED_IN)}${one(
    'com:nationalIdentifier',
    publisher,
  )}</com:publicationCreator>
<egi:headerInformation>${one('com:informationStatus', 'real')}</egi:headerInformation>
<egi:energyInfrastructureTable id="sites" version="1">
`,
  site: (site, about) => siteOf(site, about),
  separator: '\n',
  end: '\n</egi:energyInfrastructureTable>\n</d2:payload>\n',
}

const NAMESPACES = Object.entries({
  d2: 'd2Payload',
  com: 'common',
  locx: 'locationExtension',
  loc: 'locationReferencing',
  egi: 'energyInfrastructure',
  fac: 'facilities',
})
  .map(([prefix, name]) => ` xmlns:${prefix}="http://datex2.eu/schema/3/${name}"`)
  .join('')
  .concat(' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"')

/** The publication time if there are no sites. */
const NEVER = '1970-01-01T00:00:00Z'
/** The country of a publication that covers several countries. */
const PUBLISHED_IN = 'EU'
const MAX_TEXT_LENGTH = 1024

/** An element with a text; empty without a text. */
const one = (name: string, text: string): string =>
  text === '' ? '' : `<${name}>${escapeXml(text)}</${name}>`

/** A text without a stated language. */
const multilingual = (name: string, text: string): string =>
  text === ''
    ? ''
    : `<${name}><com:values>${one(
        'com:value',
        fitted(text, MAX_TEXT_LENGTH, () => {}),
      )}</com:values></${name}>`

const within = (name: string, ...parts: readonly string[]): string =>
  parts.every((part) => part === '') ? '' : `<${name}>${parts.join('')}</${name}>`

const opened = (name: string, id: string, version: string, type = ''): string =>
  `<${name}${type === '' ? '' : ` xsi:type="${type}"`} id="${escapeXml(id)}" version="${version}">`

/** The version of all elements of a site: its last change in milliseconds. */
const versionOf = ({ updated }: PublicSite): string => String(Date.parse(isoDate(updated)))

const siteOf = (site: PublicSite, about: About): string => {
  const version = versionOf(site)
  const location = locationOf(site)
  const type = SITE_TYPES.toFormat(site.parking_type) ?? ''
  const users = USERS.toFormat(site.access) ?? ''
  reportValueLosses(site, about.reportLoss)
  return [
    opened('egi:energyInfrastructureSite', site.id, version),
    multilingual('fac:name', site.name),
    one('fac:externalIdentifier', site.reference),
    one('fac:lastUpdated', isoDate(site.updated)),
    one('fac:accessibility', ACCESSIBILITIES.toFormat(site.wheelchair) ?? ''),
    ...site.photos.map((name) =>
      within(
        'fac:photoUrl',
        one('com:urlLinkAddress', about.publicUrl + API.file(SITES, site.id, name)),
      ),
    ),
    hoursOf(site, version),
    location,
    operatorOf(site, version, about),
    helpdeskOf(site, version, about.reportLoss),
    site.vehicle_capacity === 0
      ? ''
      : `${opened('fac:dedicatedParkingSpaces', `${site.id}-parking`, version)}${one(
          'egi:numberOfSpaces',
          String(site.vehicle_capacity),
        )}</fac:dedicatedParkingSpaces>`,
    one('egi:typeOfSite', type),
    multilingual('egi:brand', site.business.name),
    one('egi:exclusiveUsers', users),
    stationOf(site, { version, location, reportLoss: about.reportLoss }),
    '</egi:energyInfrastructureSite>',
  ].join('')
}

const reportValueLosses = (site: PublicSite, reportLoss: ReportLoss): void => {
  reportExceptionLoss(site, reportLoss)
  const tables = { access: USERS, parking_type: SITE_TYPES, wheelchair: ACCESSIBILITIES }
  for (const field of ['access', 'parking_type', 'wheelchair'] as const)
    if (site[field] !== '' && !tables[field].roundTrips(site[field]))
      reportLoss('sites', field, 'generalized')
  if (site.payment.length === 0) reportLoss('sites', 'payment', 'assumed')
}

const locationOf = ({
  latitude,
  longitude,
  address,
  postal_code,
  city,
  country,
}: PublicSite): string => {
  const at = one('loc:latitude', String(latitude)) + one('loc:longitude', String(longitude))
  const line =
    address === ''
      ? ''
      : `<locx:addressLine order="0">${one('locx:type', 'generalTextLine')}${multilingual('locx:text', address)}</locx:addressLine>`
  return `<fac:locationReference xsi:type="loc:PointLocation">${within('loc:coordinatesForDisplay', at)}${within(
    'loc:facilityLocation',
    within(
      'locx:address',
      one('locx:postcode', postal_code),
      multilingual('locx:city', city),
      one('locx:countryCode', alpha2Of(country)),
      line,
    ),
  )}${within('loc:pointByCoordinates', within('loc:pointCoordinates', at))}</fac:locationReference>`
}

const operatorOf = (site: PublicSite, version: string, { publicUrl }: About): string => {
  const { business } = site
  const { id, logo } = business
  return [
    opened('fac:operator', `${site.id}-operator`, version, 'fac:OrganisationSpecification'),
    one('fac:operatorId', business.party_id),
    multilingual('fac:name', business.name),
    multilingual('fac:legalName', business.legal_name),
    one('fac:linkToGeneralInformation', business.website),
    one('fac:linkToLogo', logo === '' ? '' : publicUrl + API.file(BUSINESSES, id, logo)),
    '</fac:operator>',
  ].join('')
}

const helpdeskOf = (site: PublicSite, version: string, reportLoss: ReportLoss): string => {
  if (site.contact_phone === '' && site.business.phone !== '')
    reportLoss('sites', 'contact_phone', 'assumed')
  const contact = within(
    'fac:contactInformation',
    one('fac:telephoneNumber', site.contact_phone || site.business.phone),
    one('fac:eMail', site.contact_email),
  )
  if (contact === '') return ''
  return [
    opened('fac:helpdesk', `${site.id}-helpdesk`, version, 'fac:OrganisationSpecification'),
    multilingual('fac:name', site.business.name),
    within('fac:organisationUnit', contact),
    '</fac:helpdesk>',
  ].join('')
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const hoursOf = (site: PublicSite, version: string): string => {
  const { opening_hours: hours } = site
  if (hours === null) return ''
  if (hours.twentyfourseven) return '<fac:operatingHours xsi:type="fac:OpenAllHours"/>'
  return [
    opened('fac:operatingHours', `${site.id}-hours`, version, 'fac:OperatingHoursSpecification'),
    within(
      'fac:overallPeriod',
      one('com:overallStartTime', isoDate(site.updated)),
      ...validPeriods(hours),
    ),
    '</fac:operatingHours>',
  ].join('')
}

/** One period per time span of the week. */
const validPeriods = ({ regular_hours: spans = [] }: OpeningHours): string[] =>
  spans.map(({ weekday, period_begin, period_end }) =>
    within(
      'com:validPeriod',
      within(
        'com:recurringTimePeriodOfDay',
        one('com:startTimeOfPeriod', `${period_begin}:00`),
        one('com:endTimeOfPeriod', period_end === '00:00' ? '23:59:59' : `${period_end}:00`),
      ),
      within('com:recurringDayWeekMonthPeriod', one('com:applicableDay', DAYS[weekday - 1] ?? '')),
    ),
  )

/** A value that the enumeration in the schema lacks. */
const extended = (name: string, value: string): string =>
  `<${name} _extendedValue="${value}">_extended</${name}>`

/** The values that a station and its charge points take from their site. */
interface Shared {
  readonly version: string
  readonly location: string
  readonly reportLoss: ReportLoss
}

const stationOf = (site: PublicSite, shared: Shared): string => {
  const points = chargePointsOf(site)
  const kw = points.reduce((sum, all) => sum + Math.max(...all.map((each) => each.kw_rating)), 0)
  const ways = site.payment.map((each) => AUTHENTICATIONS.toFormat(each) ?? '')
  return [
    opened('egi:energyInfrastructureStation', `${site.id}-station`, shared.version),
    shared.location,
    // Only the German register assigns this ID.
    one('egi:stationIdBNetzA', 'unknown'),
    one('egi:totalMaximumPower', watts(kw)),
    ...(ways.length === 0
      ? [extended('egi:authenticationAndIdentificationMethods', 'unknown')]
      : ways.map((way) => one('egi:authenticationAndIdentificationMethods', way))),
    one('egi:numberOfRefillPoints', String(points.length)),
    one('egi:userInterfaceLanguage', 'en'),
    // An unknown service type is written as unattended.
    within('egi:serviceType', one('egi:serviceType', 'unattended')),
    ...points.map((connectors) => pointOf(site, connectors, shared)),
    '</egi:energyInfrastructureStation>',
  ].join('')
}

const watts = (kw: number): string => String(Math.round(kw * 1000))

const pointOf = (
  site: PublicSite,
  connectors: readonly PublicConnector[],
  { version, reportLoss }: Shared,
): string => {
  const [first] = connectors
  if (first === undefined) return ''
  const strongest = Math.max(...connectors.map(({ kw_rating }) => kw_rating))
  if (new Set(connectors.map(({ evse_id }) => evse_id)).size > 1)
    reportLoss('connectors', 'evse_id', 'generalized')
  return [
    opened('egi:refillPoint', evseUid(site.id, first), version, 'egi:ElectricChargingPoint'),
    one('fac:externalIdentifier', first.evse),
    one('egi:deliveryUnit', 'kWh'),
    one('egi:evseId', connectors.find(({ evse_id }) => evse_id !== '')?.evse_id ?? ''),
    one('egi:usageType', site.two_wheelers ? 'electricMotorcycle' : 'electricVehicle'),
    one('egi:numberOfConnectors', String(connectors.length)),
    one('egi:availableChargingPower', watts(strongest)),
    ...connectors.map((connector) => connectorOf(connector, reportLoss)),
    '</egi:refillPoint>',
  ].join('')
}

const connectorOf = (connector: PublicConnector, reportLoss: ReportLoss): string => {
  const { standard, format, current_type, kw_rating } = connector
  const type = CONNECTOR_TYPES.toFormat(standard)
  if (type === undefined) reportLoss('connectors', 'standard', 'generalized')
  if (current_type !== 'DC' && current_type !== 'AC_3_PHASE')
    reportLoss('connectors', 'current_type', 'no_value')
  const { lineVolts, amps } = electricsOf(connector, reportLoss)
  const cable = current_type === 'DC' ? 'otherCable' : 'cableMode3'
  const mode = { DC: 'mode4DC', AC_3_PHASE: 'mode3AC3p' }[current_type as 'DC' | 'AC_3_PHASE'] ?? ''
  return within(
    'egi:connector',
    one('egi:connectorType', type ?? 'other'),
    one('egi:otherConnector', type === undefined ? standard : ''),
    one('egi:chargingMode', mode),
    one('egi:connectorFormat', format === 'CABLE' ? cable : 'socket'),
    one('egi:maxPowerAtSocket', watts(kw_rating)),
    one('egi:voltage', String(lineVolts)),
    one('egi:maximumCurrent', String(amps)),
  )
}
