// Values of a site that travellers see and filter by, separate from the declaration of its fields.

/** OCPI 2.3.0 Status. */
export const SITE_STATUSES = [
  'AVAILABLE',
  'PLANNED',
  'INOPERATIVE',
  'OUTOFORDER',
  'REMOVED',
  'UNKNOWN',
  'BLOCKED',
  'CHARGING',
  'RESERVED',
] as const
export type SiteStatus = (typeof SITE_STATUSES)[number]

/** The statuses in which opening hours apply: in the others nobody can charge, whatever the hours. */
export const STATUSES_WITH_HOURS: readonly SiteStatus[] = [
  'AVAILABLE',
  'UNKNOWN',
  'BLOCKED',
  'CHARGING',
  'RESERVED',
]

/** Who may charge: OpenStreetMap `access`, and the register of France. */
export const SITE_ACCESS = ['PUBLIC', 'CUSTOMERS', 'RESIDENTS', 'EMPLOYEES', 'PRIVATE'] as const
