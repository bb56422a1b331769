import {
  CONNECTOR_DETAILS,
  CONNECTOR_IDS,
  CONNECTOR_TRAITS,
  connectors,
  groupConnectors,
  inDisplayOrder,
  type Connector,
} from '#domain/connector.ts'
import { FIELD_SECTIONS, type Field, type FieldSection } from '#domain/field.ts'
import { inputNames, type InputName } from '#domain/record.ts'
import { findErrors } from '#domain/schema.ts'
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

type ConnectorTexts = TextsOf<typeof connectors>
type TraitTexts = Pick<ConnectorTexts, (typeof CONNECTOR_TRAITS)[number]>
export type DetailName = (typeof CONNECTOR_DETAILS)[number]
/** Returns whether a field can differ between the connectors of a row. */
export const isDetail = (name: string): name is DetailName =>
  CONNECTOR_DETAILS.some((each) => each === name)
type DetailTexts = Pick<ConnectorTexts, DetailName>

/** The values of a row. */
export interface ConnectorRow extends TraitTexts {
  /** The ids of its records, one per connector. Never empty. */
  ids: string[]
  /** The details by record id, if known (decision 0023). */
  details: Readonly<Record<string, DetailTexts>>
}

/** The texts of some fields. */
export const pick = <N extends string>(texts: Readonly<Record<N, string>>, names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, texts[name]])) as Record<N, string>

const BLANK_CONNECTOR = blankTexts(connectors)
export const BLANK_DETAILS: DetailTexts = pick(BLANK_CONNECTOR, CONNECTOR_DETAILS)

/** A row with a blank connector. */
export const blankRow = (id: string): ConnectorRow => ({
  ...pick(BLANK_CONNECTOR, CONNECTOR_TRAITS),
  ids: [id],
  details: {},
})

/** The details that the connectors of a row usually share, such as price and voltage. */
export const SHARED_DETAILS = CONNECTOR_DETAILS.filter(
  (name): name is Exclude<DetailName, 'evse' | (typeof CONNECTOR_IDS)[number]> =>
    name !== 'evse' && !CONNECTOR_IDS.some((id) => id === name),
)

/** The value of a detail of one connector. */
export const detailOf = ({ details }: ConnectorRow, id: string, name: DetailName): string =>
  (details[id] ?? BLANK_DETAILS)[name]

/** The common value of a detail in a row; undefined if its connectors differ. */
export const commonDetail = (row: ConnectorRow, name: DetailName): string | undefined => {
  const [first, ...others] = new Set(row.ids.map((id) => detailOf(row, id, name)))
  return others.length === 0 ? first : undefined
}

/** The details of a row after some changes. */
export const withDetails = (
  { details }: ConnectorRow,
  changes: Readonly<Record<string, Partial<DetailTexts>>>,
): ConnectorRow['details'] => ({
  ...details,
  ...Object.fromEntries(
    Object.entries(changes).map(([id, texts]) => [
      id,
      { ...(details[id] ?? BLANK_DETAILS), ...texts },
    ]),
  ),
})

/** The first connector of a row with the same value in a field: a shared error is shown once. */
export const firstAlike = (row: ConnectorRow, id: string, name: DetailName): string =>
  row.ids.find((other) => detailOf(row, other, name) === detailOf(row, id, name)) ?? id

/** A connector as text. */
export type ConnectorText = ConnectorTexts & { readonly id: string }

/** The connectors of a row, each with its details. */
export const connectorTexts = ({ ids, details, ...traits }: ConnectorRow): ConnectorText[] =>
  ids.map((id) => ({ ...traits, ...(details[id] ?? BLANK_DETAILS), id }))

/** Groups equal connectors into rows. */
export const rowsOfTexts = (all: readonly ConnectorText[]): ConnectorRow[] =>
  groupConnectors(all).map((group) => ({
    ...pick(group.first, CONNECTOR_TRAITS),
    ids: group.all.map(({ id }) => id),
    details: Object.fromEntries(
      group.all
        .filter((each) => CONNECTOR_DETAILS.some((name) => each[name] !== ''))
        .map((each) => [each.id, pick(each, CONNECTOR_DETAILS)]),
    ),
  }))

/** The values of the form's fields. */
export interface SiteText extends TextsOf<typeof sites> {
  connectors: ConnectorRow[]
}

/** The declared fields of the form: of a site and of its connectors. */
export const SITE_FORM_FIELDS: Readonly<Record<string, Field>> = {
  ...sites.fields,
  ...connectors.fields,
}

export type SiteFieldName = InputName<typeof sites>

/** The fields with a fixed place in the form, by section. */
const WHERE = ['address', 'latitude', 'longitude'] as const
const DETAILS = ['name', 'status', 'vehicle_capacity', 'cost'] as const
const CONTACT = ['contact_email', 'contact_phone'] as const
const PLACED: readonly string[] = [...WHERE, ...DETAILS, ...CONTACT]

/**
 * The other declared fields: in the collapsed section that they name, or at the end of Details. Dates have no field.
 */
export const fieldsIn = (section: FieldSection | undefined): readonly SiteFieldName[] =>
  inputNames(sites).filter((name) => {
    const field: Field = sites.fields[name]
    return !PLACED.includes(name) && field.kind !== 'date' && field.section === section
  })

/** In page order, which is also that of the error summary. */
export const SITE_TEXT_FIELDS = [
  ...WHERE,
  ...DETAILS,
  ...fieldsIn(undefined),
  ...CONTACT,
  ...FIELD_SECTIONS.flatMap(fieldsIn),
  'confirmed' as const,
]

/** The errors of a site and of the connectors of each row. */
export const findSiteErrors = (values: SiteText) => [
  ...findErrors(sites, SITE_TEXT_FIELDS, schemaInput(sites, values)),
  ...values.connectors.flatMap((row, index) => [
    ...findErrors(
      connectors,
      CONNECTOR_TRAITS,
      schemaInput(connectors, { ...row, ...BLANK_DETAILS }),
    ).map(([name, error]) => [`connectors.${index}.${name}`, error] as const),
    ...connectorTexts(row).flatMap((texts) =>
      findErrors(connectors, CONNECTOR_DETAILS, schemaInput(connectors, texts))
        .filter(([name]) => firstAlike(row, texts.id, name as DetailName) === texts.id)
        .map(([name, error]) => [detailPath(index, texts.id, name as DetailName), error] as const),
    ),
  ]),
  ...findRepeated(values.connectors),
]

/** The errors of values that must be unique among connectors. */
const findRepeated = (rows: readonly ConnectorRow[]) =>
  UNIQUE_DETAILS.flatMap((name) => {
    const all = rows.flatMap((row, index) =>
      row.ids.map((id) => ({
        path: detailPath(index, firstAlike(row, id, name), name),
        text: detailOf(row, id, name).trim(),
      })),
    )
    return [...Map.groupBy(all, ({ text }) => text)]
      .filter(([text, alike]) => text !== '' && alike.length > 1)
      .flatMap(([, alike]) => alike)
      .map(({ path }) => [path, { code: 'validation_not_unique' }] as const)
  })

const UNIQUE_DETAILS = CONNECTOR_DETAILS.filter((name) => {
  const field: Field = connectors.fields[name]
  return field.unique !== undefined
})

/** The path of a field of one connector of a row. */
export const detailPath = <N extends DetailName>(index: number, id: string, name: N) =>
  `connectors.${index}.details.${id}.${name}` as const

/** Parses a typed power, "7,4" or "7.4 kW"; undefined if invalid. */
export const parseKw = (text: string): number | undefined =>
  parseNumber(connectors.fields.kw_rating, text)

/** Parses the site of a valid form. */
export const readSite = (values: SiteText) => readTexts(sites, values)

/** Parses the connectors of a valid form: one record per connector. */
export const readConnectors = (values: SiteText): ConnectorInput[] =>
  values.connectors
    .flatMap(connectorTexts)
    .map((texts) => ({ ...readTexts(connectors, texts), id: texts.id }))

/** Formats a stored site as the texts of its form, numbers by locale. */
export const siteText = (site: SiteView, locale: string): SiteText => ({
  ...textsOf(sites, site, locale),
  connectors: connectorRows(site.connectors, locale),
})

/** The form of a blank site. */
export const BLANK_SITE: SiteText = { ...blankTexts(sites), connectors: [] }

/**
 * The values of a deleted site for a new one: with new connector ids, and without a status that only charge points set.
 */
export const asNew = (text: SiteText, newId: () => string): SiteText => {
  const mine: readonly string[] = OWNER_STATUSES
  return {
    ...text,
    status: mine.includes(text.status) ? text.status : DEFAULT_STATUS,
    connectors: text.connectors.map((row) => asNewRow(row, newId)),
  }
}

const asNewRow = (row: ConnectorRow, newId: () => string): ConnectorRow => {
  const ids = new Map(row.ids.map((id) => [id, newId()]))
  return {
    ...row,
    ids: [...ids.values()],
    details: Object.fromEntries(
      Object.entries(row.details).flatMap(([id, texts]) => {
        const fresh = ids.get(id)
        return fresh === undefined ? [] : [[fresh, texts]]
      }),
    ),
  }
}

/** The values of an existing site for a copy, without unique fields. */
export const copySite = (text: SiteText, newId: () => string): SiteText => {
  const copy = asNew(text, newId)
  return {
    ...copy,
    ...pick(blankTexts(sites), UNIQUE),
    connectors: copy.connectors.map((row) => withoutDetails(row, CONNECTOR_IDS)),
  }
}

/** The unique fields of a site, and its confirmation. */
const UNIQUE = inputNames(sites).filter((name) => {
  const field: Field = sites.fields[name]
  return field.unique !== undefined || name === 'confirmed'
})

/** A copy of a row in the same site, with its own charge points. */
export const copyRow = (row: ConnectorRow, newId: () => string): ConnectorRow =>
  withoutDetails(asNewRow(row, newId), ['evse', ...CONNECTOR_IDS])

const withoutDetails = (row: ConnectorRow, names: readonly DetailName[]): ConnectorRow => ({
  ...row,
  details: withDetails(
    row,
    Object.fromEntries(Object.keys(row.details).map((id) => [id, pick(BLANK_DETAILS, names)])),
  ),
})

/** Stored connectors as rows. */
export const connectorRows = (stored: readonly Connector[], locale: string): ConnectorRow[] =>
  rowsOfTexts(
    inDisplayOrder(stored).map((each) => ({ ...textsOf(connectors, each, locale), id: each.id })),
  )

/**
 * The details of a row after a change of its quantity. An added connector gets the values that all others share; a
 * restored one gets its former values.
 */
export const resizeDetails = (
  row: ConnectorRow,
  { ids, kept }: ReturnType<typeof resize>,
): ConnectorRow['details'] => {
  const common = Object.fromEntries(
    SHARED_DETAILS.map((name) => [name, commonDetail(row, name) ?? '']),
  )
  const added = ids.filter((id) => !row.ids.includes(id) && row.details[id] === undefined)
  return withDetails(row, {
    ...Object.fromEntries(kept.map((id) => [id, {}])),
    ...Object.fromEntries(added.map((id) => [id, common])),
  })
}

interface ResizeOptions {
  /** Records dropped by an earlier, lower quantity. */
  readonly kept: readonly string[]
  readonly isFailed: (id: string) => boolean
  readonly newId: () => string
}

/**
 * Changes the number of records. Those that failed to save are dropped first; dropped ones are restored first, so that
 * lowering and raising the quantity changes nothing.
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
