import type {
  AutomotiveBusiness,
  DayOfWeek,
  LocationFeatureSpecification,
  OpeningHoursSpecification,
  WithContext,
} from 'schema-dts'

import { alpha2Of } from '#domain/country.ts'
import { groupConnectors, inDisplayOrder } from '#domain/connector.ts'
import type { OpeningHours } from '#domain/hours.ts'
import { dateOfWall, specialDays, type SpecialDays } from '#domain/hours/exceptions.ts'
import { normalHours, timeOf } from '#domain/hours/week.ts'
import { isTimeZone, wallMs } from '#domain/hours/zone.ts'
import { webAddress } from '../format/web-address.ts'
import { mapLinks } from '../map/map-link.ts'
import { choiceLabel } from '../messages/fields.ts'
import type { Messages } from '../messages/messages.ts'
import { shortPlugName } from '../messages/plugs.ts'
import type { ShownSite } from '../traveller/shown-site.ts'

/**
 * A site in the vocabulary of schema.org. That has no charging station, so the site is an AutomotiveBusiness with its
 * plugs as amenities (decision 0092). Unknown values are left out.
 */
export const structuredData = (
  site: ShownSite,
  url: string,
  messages: Messages,
): WithContext<AutomotiveBusiness> => {
  const { business, opening_hours: hours, time_zone } = site
  return {
    '@context': 'https://schema.org',
    '@type': 'AutomotiveBusiness',
    '@id': url,
    url,
    name: site.name,
    address: {
      '@type': 'PostalAddress',
      streetAddress: site.address,
      ...known('postalCode', site.postal_code),
      ...known('addressLocality', site.city),
      ...known('addressRegion', site.state),
      ...known('addressCountry', alpha2Of(site.country)),
    },
    geo: { '@type': 'GeoCoordinates', latitude: site.latitude, longitude: site.longitude },
    hasMap: mapLinks(site)['OpenStreetMap'] ?? '',
    amenityFeature: [...plugsOf(site, messages), ...facilitiesOf(site, messages)],
    ...(site.photos.length > 0 && { image: site.photos.map(({ src }) => src) }),
    ...(hours !== null && { openingHoursSpecification: weekOf(hours) }),
    ...(hours !== null &&
      isTimeZone(time_zone) && {
        specialOpeningHoursSpecification: exceptionsOf(hours, time_zone),
      }),
    ...known('telephone', site.contact_phone),
    ...known('email', site.contact_email),
    ...(site.access !== '' && { publicAccess: site.access === 'PUBLIC' }),
    ...(site.payment.length > 0 && {
      paymentAccepted: site.payment
        .map((each) => choiceLabel(messages, 'payment', each))
        .join(', '),
    }),
    parentOrganization: {
      '@type': 'Organization',
      name: business.name,
      ...(business.website !== '' && { url: webAddress(business.website) }),
      ...known('logo', business.logo),
    },
  }
}

const known = <K extends string>(name: K, text: string): { readonly [N in K]?: string } =>
  text === '' ? {} : ({ [name]: text } as { readonly [N in K]: string })

const plugsOf = ({ connectors }: ShownSite, messages: Messages): LocationFeatureSpecification[] =>
  groupConnectors(inDisplayOrder(connectors)).map(({ first, all }) => ({
    '@type': 'LocationFeatureSpecification',
    name: `${shortPlugName(messages, first.standard)} ${first.kw_rating} kW`,
    value: all.length,
  }))

const facilitiesOf = (
  { facilities }: ShownSite,
  messages: Messages,
): LocationFeatureSpecification[] =>
  facilities.map((facility) => ({
    '@type': 'LocationFeatureSpecification',
    name: choiceLabel(messages, 'facilities', facility),
    value: true,
  }))

/** In the order of OCPI, which numbers them from Monday, 1. */
const DAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const satisfies readonly DayOfWeek[]

const weekOf = (hours: OpeningHours): OpeningHoursSpecification[] => {
  const { twentyfourseven, regular_hours = [] } = normalHours(hours)
  if (twentyfourseven)
    return [
      { '@type': 'OpeningHoursSpecification', dayOfWeek: DAYS, opens: '00:00', closes: '23:59' },
    ]
  return regular_hours.map(({ weekday, period_begin, period_end }) => ({
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: DAYS[weekday - 1] ?? 'Monday',
    opens: period_begin,
    closes: lastMinute(period_end),
  }))
}

/** Midnight at the end of a day would be read as its start. */
const lastMinute = (time: string): string => (time === '00:00' ? '23:59' : time)

/** The upcoming exceptions. A closed day has the same opening and closing time. */
const exceptionsOf = (hours: OpeningHours, zone: string): OpeningHoursSpecification[] => {
  const today = dateOfWall(wallMs(zone, Date.now()))
  const coming = specialDays(hours, zone).filter(({ to }) => to >= today)
  return coming.flatMap(({ from, to, spans }: SpecialDays) =>
    (spans.length === 0 ? [{ begin: 0, end: 0 }] : spans).map(({ begin, end }) => ({
      '@type': 'OpeningHoursSpecification' as const,
      validFrom: from,
      validThrough: to,
      opens: timeOf(begin),
      closes: end === begin ? timeOf(end) : lastMinute(timeOf(end)),
    })),
  )
}
