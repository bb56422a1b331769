import type { Messages } from './messages.ts'

type Labels = Readonly<Record<string, string>>

/** What the form calls the fields of a site, by their names on the wire. */
export const siteLabels = ({ site }: Messages): Labels => ({
  address: site.address,
  latitude: site.latitude,
  longitude: site.longitude,
  name: site.name,
  status: site.status,
  vehicle_capacity: site.capacity,
  cost: site.cost,
  contact_email: site.contactEmail,
  contact_phone: site.contactPhone,
})

/** What the form calls the fields of the business. */
export const businessLabels = ({ business }: Messages): Labels => ({
  name: business.name,
  description: business.description,
  website: business.website,
  contact_email: business.contactEmail,
})

/** What the form calls the fields of a connector. */
export const connectorLabels = ({ connectors }: Messages): Labels => ({
  standard: connectors.standard,
  format: connectors.format,
  current_type: connectors.currentType,
  kw_rating: connectors.kwRating,
})
