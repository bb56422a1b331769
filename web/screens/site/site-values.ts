import * as z from 'zod/mini'

import {
  CONNECTOR_TRAITS,
  connectors,
  groupConnectors,
  inShownOrder,
  type Connector,
} from '#domain/connector.ts'
import type { Field } from '#domain/field.ts'
import { inputNames } from '#domain/record.ts'
import { formSchema } from '#domain/schema.ts'
import { DEFAULT_STATUS, OWNER_STATUSES, sites } from '#domain/site.ts'
import type { ConnectorInput, SiteView } from '../../data/state.ts'
import {
  blankTexts,
  parseNumber,
  readTexts,
  schemaInput,
  textsOf,
  type TextsOf,
} from '../../format/field-text.ts'

/** What stands in the fields of a row. */
export interface ConnectorRow extends TextsOf<typeof connectors> {
  /** The records behind the row: as many as there are of this connector. Never empty. */
  ids: string[]
}

/** What stands in the fields of the form. */
export interface SiteText extends TextsOf<typeof sites> {
  connectors: ConnectorRow[]
}

/** The declared fields of the form: a site's, and those of its connectors. */
export const SITE_FORM_FIELDS: Readonly<Record<string, Field>> = {
  ...sites.fields,
  ...connectors.fields,
}

/** The fields that have a place of their own in the form, by section. */
const WHERE = ['address', 'latitude', 'longitude'] as const
const DETAILS = ['name', 'status', 'vehicle_capacity', 'cost'] as const
const CONTACT = ['contact_email', 'contact_phone'] as const
const PLACED: readonly string[] = [...WHERE, ...DETAILS, ...CONTACT]

/** What else is declared: it comes at the end of Details. */
export const OTHER_FIELDS = inputNames(sites).filter((name) => !PLACED.includes(name))

/** In the order of the page, which is also that of the summary of problems. */
export const SITE_TEXT_FIELDS = [...WHERE, ...DETAILS, ...OTHER_FIELDS, ...CONTACT]

/** The rules of the whole form: those of a site, and those of a connector for each row. */
export const siteFormSchema = z.extend(formSchema(sites, SITE_TEXT_FIELDS), {
  connectors: z.array(formSchema(connectors, CONNECTOR_TRAITS)),
})

/** Reads a power as it is typed, "7,4" or "7.4 kW"; undefined when it is none. */
export const parseKw = (text: string): number | undefined =>
  parseNumber(connectors.fields.kw_rating, text)

/** What the schema reads. */
export const toSchemaInput = (values: SiteText) => ({
  ...schemaInput(sites, values),
  connectors: values.connectors.map((row) => schemaInput(connectors, row)),
})

/** The site of a form that was found to be right. */
export const readSite = (values: SiteText) => readTexts(sites, values)

/** The connectors of a form that was found to be right: a record for each one of each row. */
export const readConnectors = (values: SiteText): ConnectorInput[] =>
  values.connectors.flatMap((row) => {
    const traits = readTexts(connectors, row)
    return row.ids.map((id) => ({ ...traits, id }))
  })

/** A stored site as text for the fields, numbers as the language writes them. */
export const siteText = (site: SiteView, locale: string): SiteText => ({
  ...textsOf(sites, site, locale),
  connectors: connectorRows(site.connectors, locale),
})

/** The form of a site of which nothing is known. */
export const BLANK_SITE: SiteText = { ...blankTexts(sites), connectors: [] }

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
    ...textsOf(connectors, first, locale),
    ids: all.map(({ id }) => id),
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
