import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { check } from '@placemarkio/check-geojson'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

import { OCPI_VERSIONS, type OcpiVersion } from '#domain/open-data.ts'

import { IRVE_SCHEMA } from './irve-schema.ts'
import { locationSchema, tariffSchema } from './ocpi-schema.ts'

// Validators of the outputs: third-party programs where they exist, otherwise rules written from the specifications.

const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 6 })
const VALIDATORS = new Map<string, ValidateFunction>(
  OCPI_VERSIONS.flatMap((version) => [
    [`location ${version}`, ajv.compile(locationSchema(version))] as const,
    [`tariff ${version}`, ajv.compile(tariffSchema(version))] as const,
  ]),
)

/** The validation errors of an OCPI object. */
export const judgeOcpi = (
  kind: 'location' | 'tariff',
  version: OcpiVersion,
  value: unknown,
): string[] => {
  const validate = VALIDATORS.get(`${kind} ${version}`)
  if (validate === undefined) throw new Error(`no schema of ${kind} ${version}`)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

interface TableSchema {
  castRow(cells: readonly string[]): unknown
}
const { Schema } = createRequire(import.meta.url)('tableschema') as {
  Schema: { load(descriptor: object, options: object): Promise<TableSchema> }
}
const irve = await Schema.load(IRVE_SCHEMA, { strict: true })

/** The validation errors of IRVE records from the library `tableschema`; the first record is the heading. */
export const judgeIrve = ([heading = [], ...rows]: readonly (readonly string[])[]): string[] => {
  const names = IRVE_SCHEMA.fields.map(({ name }) => name)
  const wrong = heading.join() === names.join() ? [] : ['the columns are others']
  for (const [index, row] of rows.entries())
    try {
      irve.castRow(row)
    } catch (error) {
      const { errors = [error] } = error as { errors?: readonly unknown[] }
      wrong.push(...errors.map((each) => `row ${index}: ${String(each)}`))
    }
  return wrong
}

/** The validation errors from `check-geojson`. */
export const judgeGeoJson = (text: string): string[] => {
  try {
    check(text)
    return []
  } catch (error) {
    return [String(error)]
  }
}

/** Returns a validator against an XML Schema. @param schema its file, which may import others */
export const createXsdJudge = async (schema: string): Promise<(text: string) => string[]> => {
  const { XmlDocument, XsdValidator } = await import('libxml2-wasm')
  const { xmlRegisterFsInputProviders } = await import('libxml2-wasm/lib/nodejs.mjs')
  xmlRegisterFsInputProviders()
  using source = XmlDocument.fromBuffer(readFileSync(schema), { url: schema })
  const validator = XsdValidator.fromDoc(source)
  return (text) => {
    try {
      using document = XmlDocument.fromString(text)
      validator.validate(document)
      return []
    } catch (error) {
      const { details = [] } = error as { details?: readonly { readonly message: string }[] }
      return [String(error), ...details.map(({ message }) => message)]
    }
  }
}

/** The part of DATEX II that the output uses. */
export const DATEX_SCHEMA = fileURLToPath(new URL('datex/d2Payload.xsd', import.meta.url))

interface OsmField {
  readonly key?: string
  readonly keys?: readonly string[]
  readonly type: string
  readonly options?: readonly string[]
}
const osmModel = (name: string): unknown =>
  createRequire(import.meta.url)(`@openstreetmap/id-tagging-schema/dist/${name}.json`)
const OSM_FIELDS = Object.values(osmModel('fields') as Record<string, OsmField>)
const OSM_DEPRECATED = osmModel('deprecated') as {
  readonly old: Readonly<Record<string, string>>
}[]
/** Keys that OpenStreetMap documents but that the editor's model has no field for. */
const OSM_DOCUMENTED =
  /^(socket:[a-z0-9_]+(:(output|voltage|current))?|ref(:EU:EVSE)?|addr:full|source:license|planned:amenity|charge|check_date|motorcar|motorcycle|payment:[a-z_]+|authentication:[a-z_]+)$/

/**
 * The errors of tags according to the tagging model of OpenStreetMap's editor: unknown or deprecated keys, and values
 * that a field does not offer.
 */
export const judgeOsm = (tags: Readonly<Record<string, string>>): string[] =>
  Object.entries(tags).flatMap(([key, value]) => {
    const wrong = []
    const fields = OSM_FIELDS.filter((field) => field.key === key || field.keys?.includes(key))
    if (fields.length === 0 && !OSM_DOCUMENTED.test(key) && key !== 'amenity')
      wrong.push(`${key} is no key`)
    const closed = fields.filter(({ type, options }) => type === 'radio' && options !== undefined)
    if (closed.length > 0 && !closed.some(({ options }) => options?.includes(value)))
      wrong.push(`${key}=${value} is no choice`)
    const old = OSM_DEPRECATED.find(
      (each) =>
        Object.keys(each.old).length === 1 && (each.old[key] === value || each.old[key] === '*'),
    )
    if (old !== undefined) wrong.push(`${key}=${value} is deprecated`)
    if (value === '' || Array.from(value).length > 255) wrong.push(`${key} has a bad length`)
    return wrong
  })
