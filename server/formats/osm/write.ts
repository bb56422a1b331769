import type { PublicConnector, PublicSite } from '#domain/public-site.ts'

import { electricsOf } from '../electrics.ts'
import { areExactInOsm, osmHours } from '../hours.ts'
import {
  COMMON_FIELDS,
  fitted,
  type About,
  type SupportedFields,
  type ReportLoss,
  type Output,
} from '../output.ts'
import { escapeXml, XML_HEAD } from '../xml.ts'
import { ACCESS, PARKING, PAYMENTS, SOCKETS, WHEELCHAIR } from './values.ts'

/** The maximum length of a tag value, in characters. */
const MAX_VALUE_LENGTH = 255

const SUPPORTED: SupportedFields = {
  sites: [
    ...COMMON_FIELDS,
    'state',
    'status',
    'vehicle_capacity',
    'cost',
    'access',
    'payment',
    'parking_type',
    'max_height_m',
    'wheelchair',
    'two_wheelers',
    'contact_email',
    'contact_phone',
    'reference',
    'confirmed',
  ],
  connectors: ['standard', 'format', 'kw_rating', 'voltage', 'amperage', 'evse_id'],
  tariffs: [],
  businesses: ['name', 'website', 'licence'],
}

type Tag = readonly [key: string, value: string]

/** The tags of a site. The main key of a planned station has a lifecycle prefix. */
export const osmTags = (site: PublicSite, reportLoss: ReportLoss): readonly Tag[] => {
  const { business } = site
  const tags = {
    [site.status === 'PLANNED' ? 'planned:amenity' : 'amenity']: 'charging_station',
    name: site.name,
    operator: business.name,
    website: business.website,
    ref: site.reference,
    'addr:full': site.address,
    'addr:city': site.city,
    'addr:postcode': site.postal_code,
    'addr:state': site.state,
    capacity: site.vehicle_capacity === 0 ? '' : String(site.vehicle_capacity),
    opening_hours: osmHours(site),
    access: ACCESS.toFormat(site.access) ?? '',
    wheelchair: WHEELCHAIR.toFormat(site.wheelchair) ?? '',
    parking: PARKING.toFormat(site.parking_type) ?? '',
    maxheight: site.max_height_m ? String(site.max_height_m) : '',
    ...(site.two_wheelers && { motorcycle: 'designated', motorcar: 'no' }),
    ...(!site.two_wheelers && { motorcar: 'yes' }),
    email: site.contact_email,
    phone: site.contact_phone,
    ...paymentTags(site, reportLoss),
    ...socketTags(site.connectors, reportLoss),
    'ref:EU:EVSE': [...new Set(site.connectors.map(({ evse_id }) => evse_id))]
      .filter((id) => id !== '')
      .join(';'),
    check_date: site.confirmed.slice(0, 10),
  }
  reportValueLosses(site, reportLoss)
  return Object.entries(tags).flatMap(([key, value]) =>
    value === ''
      ? []
      : [
          [
            key,
            fitted(value, MAX_VALUE_LENGTH, () =>
              reportLoss('sites', FIELDS[key] ?? key, 'shortened'),
            ),
          ] as const,
        ],
  )
}

/** The fields whose values may be too long, by key. */
const FIELDS: Readonly<Record<string, string>> = {
  'addr:full': 'address',
  charge: 'cost',
  'ref:EU:EVSE': 'evse_id',
}

const reportValueLosses = (site: PublicSite, reportLoss: ReportLoss): void => {
  if (!areExactInOsm(site)) reportLoss('sites', 'opening_hours', 'generalized')
  if (site.parking_type !== '' && PARKING.toFormat(site.parking_type) === undefined)
    reportLoss('sites', 'parking_type', 'no_value')
  if (site.status !== 'PLANNED' && site.status !== 'AVAILABLE')
    reportLoss('sites', 'status', 'no_value')
}

const paymentTags = (
  { payment, cost }: PublicSite,
  reportLoss: ReportLoss,
): Record<string, string> => {
  const isFree = payment.includes('FREE_OF_CHARGE')
  const paid = payment.filter((each) => each !== 'FREE_OF_CHARGE')
  if (paid.some((each) => PAYMENTS.toFormat(each) === undefined))
    reportLoss('sites', 'payment', 'no_value')
  return {
    fee: payment.length === 0 ? '' : isFree ? 'no' : 'yes',
    charge: cost,
    ...Object.fromEntries(
      paid.flatMap((each) => {
        const key = PAYMENTS.toFormat(each)
        return key === undefined ? [] : [[key, 'yes']]
      }),
    ),
  }
}

/** The tags with the number of sockets of each type, and their power, voltage and current. */
const socketTags = (
  connectors: readonly PublicConnector[],
  reportLoss: ReportLoss,
): Record<string, string> => {
  const kinds = Map.groupBy(connectors, ({ standard, format }) =>
    SOCKETS.toFormat(`${standard} ${format}`),
  )
  const tags: Record<string, string> = {}
  for (const [kind, all] of kinds) {
    if (kind === undefined) {
      for (const _ of all) reportLoss('connectors', 'standard', 'no_value')
      continue
    }
    const outputs = [...new Set(all.map(({ kw_rating }) => kw_rating))]
    if (outputs.length > 1) reportLoss('connectors', 'kw_rating', 'generalized')
    const electrics = all.map((each) => electricsOf(each, reportLoss))
    const key = `socket:${kind}`
    tags[key] = String(all.length)
    tags[`${key}:output`] = outputs.map((kw) => `${kw} kW`).join(';')
    tags[`${key}:voltage`] = [...new Set(electrics.map(({ lineVolts }) => lineVolts))].join(';')
    tags[`${key}:current`] = [...new Set(electrics.map(({ amps }) => amps))].join(';')
  }
  return tags
}

/** OSM XML 0.6, with each site as a new node. */
export const OSM: Output = {
  supports: SUPPORTED,
  begin: ({ publisher, licence, changed }: About) =>
    `${XML_HEAD}<osm version="0.6" generator="${escapeXml(publisher)}"${
      changed === '' ? '' : ` timestamp="${escapeXml(changed)}"`
    }${licence === undefined ? '' : ` license="${escapeXml(licence)}"`}>\n`,
  site: (site, { reportLoss }) => {
    const tags = [
      ...osmTags(site, reportLoss),
      ['source:license', site.business.licence] as const,
    ].map(([key, value]) => `    <tag k="${escapeXml(key)}" v="${escapeXml(value)}"/>\n`)
    // New nodes have unique negative IDs.
    return `  <node id="${nodeId(site.id)}" visible="true" lat="${site.latitude}" lon="${site.longitude}">\n${tags.join('')}  </node>\n`
  },
  separator: '',
  end: '</osm>\n',
}

/** A stable negative number for a site, from 47 bits of its ID, so that collisions are rare. */
const nodeId = (id: string): string => {
  let number = 0
  for (const character of id) number = (number * 36 + Number.parseInt(character, 36)) % NODE_IDS
  return `-${number + 1}`
}
const NODE_IDS = 2 ** 47
