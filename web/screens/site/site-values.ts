import * as z from 'zod/mini'

import {
  CONNECTOR_TRAITS,
  connectors,
  groupConnectors,
  inShownOrder,
  type Connector,
} from '#domain/connector.ts'
import { formSchema } from '#domain/schema.ts'
import { DEFAULT_STATUS, OWNER_STATUSES, sites } from '#domain/site.ts'
import type { ConnectorChanges, ConnectorInput, SiteInput, SiteView } from '../../data/state.ts'
import { formatDecimal, parseDecimal } from '../../format/decimal.ts'

/** What stands in the fields of a row: text, whatever it will become. */
export interface ConnectorRow {
  /** The records behind the row: as many as there are of this connector. Never empty. */
  ids: string[]
  standard: string
  format: string
  current_type: string
  kw_rating: string
}

/** What stands in the fields of the form. */
export interface SiteText {
  name: string
  address: string
  latitude: string
  longitude: string
  status: string
  vehicle_capacity: string
  cost: string
  contact_email: string
  contact_phone: string
  connectors: ConnectorRow[]
}

/** In the order of the page, which is also that of the summary of problems. */
export const SITE_TEXT_FIELDS = [
  'address',
  'latitude',
  'longitude',
  'name',
  'status',
  'vehicle_capacity',
  'cost',
  'contact_email',
  'contact_phone',
] as const

/** The rules of the whole form: those of a site, and those of a connector for each row. */
export const siteFormSchema = z.extend(formSchema(sites, SITE_TEXT_FIELDS), {
  connectors: z.array(formSchema(connectors, CONNECTOR_TRAITS)),
})

/** Reads the numbers; what is not one is left to the schema to refuse. */
const number = (text: string): number | string => parseDecimal(text) ?? text

/** Reads a power as it is typed, "7,4" or "7.4 kW"; undefined when it is none. */
export const parseKw = (text: string): number | undefined =>
  parseDecimal(text.replace(/\s*kw\s*$/i, ''))

/** What the schema reads. */
export const toSchemaInput = (values: SiteText) => ({
  ...values,
  latitude: number(values.latitude),
  longitude: number(values.longitude),
  vehicle_capacity: number(values.vehicle_capacity),
  connectors: values.connectors.map((row) => ({
    ...row,
    kw_rating: parseKw(row.kw_rating) ?? row.kw_rating,
  })),
})

/** The site of a form that was found to be right. */
export const readSite = (values: SiteText): Required<SiteInput> => ({
  name: values.name.trim(),
  address: values.address.trim(),
  latitude: parseDecimal(values.latitude) ?? 0,
  longitude: parseDecimal(values.longitude) ?? 0,
  status: values.status as SiteInput['status'],
  vehicle_capacity: parseDecimal(values.vehicle_capacity) ?? 0,
  cost: values.cost.trim(),
  contact_email: values.contact_email.trim(),
  contact_phone: values.contact_phone.trim(),
})

/** The connectors of a form that was found to be right: a record for each one of each row. */
export const readConnectors = (values: SiteText): ConnectorInput[] =>
  values.connectors.flatMap(({ ids, standard, format, current_type, kw_rating }) =>
    ids.map((id) => ({
      id,
      standard: standard as Connector['standard'],
      format: format as Connector['format'],
      current_type: current_type as Connector['current_type'],
      kw_rating: parseKw(kw_rating) ?? 0,
    })),
  )

/** A stored site as text for the fields, numbers as the language writes them. */
export const siteText = (site: SiteView, locale: string): SiteText => ({
  name: site.name,
  address: site.address,
  latitude: formatDecimal(site.latitude, locale),
  longitude: formatDecimal(site.longitude, locale),
  status: site.status,
  vehicle_capacity: String(site.vehicle_capacity),
  cost: site.cost,
  contact_email: site.contact_email,
  contact_phone: site.contact_phone,
  connectors: connectorRows(site.connectors, locale),
})

/**
 * The same as another site: with connectors of its own, and without a status that only machines set.
 */
export const asNew = (text: SiteText, newId: () => string): SiteText => {
  const mine: readonly string[] = OWNER_STATUSES
  return {
    ...text,
    status: mine.includes(text.status) ? text.status : DEFAULT_STATUS,
    connectors: text.connectors.map((row) => ({ ...row, ids: row.ids.map(() => newId()) })),
  }
}

/** Stored connectors as rows: equal ones share one. */
export const connectorRows = (stored: readonly Connector[], locale: string): ConnectorRow[] =>
  groupConnectors(inShownOrder(stored)).map(({ first, all }) => ({
    ids: all.map(({ id }) => id),
    standard: first.standard,
    format: first.format,
    current_type: first.current_type,
    kw_rating: formatDecimal(first.kw_rating, locale),
  }))

interface ResizeOptions {
  /** Records that an earlier, lower quantity let go of. */
  readonly kept: readonly string[]
  readonly isFailed: (id: string) => boolean
  readonly newId: () => string
}

/**
 * As many records as wanted. Those that could not be saved go first; those that were let go of
 * come back first, so that going down and up again changes nothing.
 */
export const resize = (ids: readonly string[], wanted: number, options: ResizeOptions) => {
  const { kept, isFailed, newId } = options
  const lasting = [...ids.filter((id) => !isFailed(id)), ...ids.filter(isFailed)]
  const all = wanted < ids.length ? [...lasting, ...kept] : [...ids, ...kept]
  const missing = Math.max(wanted - all.length, 0)
  return {
    ids: [...all.slice(0, wanted), ...Array.from({ length: missing }, newId)],
    kept: all.slice(wanted),
  }
}

/** Only what differs from the stored site. */
export const changesOf = (stored: SiteView, wanted: Required<SiteInput>): Partial<SiteInput> =>
  Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => stored[name as keyof SiteInput] !== value),
  )

/** What to do so that the stored connectors become the wanted ones. */
export const connectorChangesOf = (
  stored: readonly Connector[],
  wanted: readonly ConnectorInput[],
): ConnectorChanges => {
  const before = new Map(stored.map((connector) => [connector.id, connector]))
  const kept = new Set(wanted.map(({ id }) => id))
  const differs = (connector: ConnectorInput): boolean => {
    const old = before.get(connector.id)
    return old !== undefined && CONNECTOR_TRAITS.some((name) => old[name] !== connector[name])
  }
  return {
    create: wanted.filter(({ id }) => !before.has(id)),
    update: wanted.filter(differs),
    remove: stored.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
  }
}

export const isEmptyChange = ({ create, update, remove }: ConnectorChanges): boolean =>
  create.length + update.length + remove.length === 0
