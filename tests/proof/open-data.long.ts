import { createReadStream, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Ajv } from 'ajv'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'

import { connectors } from '#domain/connector.ts'
import { initialValue } from '#domain/field.ts'
import { OCPI_VERSIONS, type OpenFile } from '#domain/open-data.ts'
import {
  PUBLIC_CONNECTOR_FIELDS,
  PUBLIC_SITE_FIELDS,
  PUBLIC_TARIFF_FIELDS,
  type PublicSite,
} from '#domain/public-site.ts'
import { lackingFor } from '#domain/registers.ts'
import { sites } from '#domain/site.ts'
import { tariffs } from '#domain/tariff.ts'

import { readParts } from '../../server/formats/formats.ts'
import { joinKey, joinParts } from '../../server/formats/join.ts'
import { tagsOf, writeFile, writeLocation, type About } from '../../server/formats/outputs.ts'
import { repairStation } from '../../server/formats/repair/repair.ts'
import type { Station, Values } from '../../server/formats/station.ts'
import {
  createXsdJudge,
  DATEX_SCHEMA,
  judgeGeoJson,
  judgeIrve,
  judgeOcpi,
  judgeOsm,
} from '../support/judges/judges.ts'
import { makePublicBusiness } from '../support/public-site.ts'
import { report } from './figures.ts'

// Every output of real stations, checked by its validator. REAL_DATA names a folder with files of registers and OCPI
// feeds. DATEX_XSD and OCPI_SCHEMAS optionally name a d2Payload.xsd and a folder of third-party JSON Schemas, which are
// also used.

const folder = process.env['REAL_DATA'] ?? ''

const ABOUT: About = {
  publicUrl: 'https://voltleaf.example',
  publisher: 'Voltleaf',
  changed: '2026-11-20T09:30:00.000Z',
  licence: undefined,
  reportLoss: () => {},
}

const picked = (
  names: readonly string[],
  fields: Readonly<Record<string, Parameters<typeof initialValue>[0]>>,
  values: Values,
): object =>
  Object.fromEntries(
    names.map((name) => [
      name,
      values[name] ?? (fields[name] === undefined ? '' : initialValue(fields[name])),
    ]),
  )

/** A station that was read and repaired, as a public site. */
const publicSiteOf = (station: Station, index: number): PublicSite => {
  const business = makePublicBusiness({ legal_name: 'Harbour Lane SAS', phone: '+33 1 23' })
  const site = picked(PUBLIC_SITE_FIELDS, sites.fields, station.site)
  return {
    id: `site${String(index).padStart(11, '0')}`,
    ...site,
    reference: station.reference,
    business,
    connectors: station.connectors.map((each, nth) => ({
      id: `plug${String(index).padStart(8, '0')}${String(nth).padStart(3, '0')}`,
      ...picked(PUBLIC_CONNECTOR_FIELDS, connectors.fields, each),
    })),
    tariffs: station.tariffs.map(({ reference, values }) => ({
      id: reference,
      ...picked(PUBLIC_TARIFF_FIELDS, tariffs.fields, values),
    })),
    updated: '2026-11-20 09:30:00.000Z',
  } as unknown as PublicSite
}

const readSites = async (): Promise<PublicSite[]> => {
  const found: PublicSite[] = []
  for (const file of globSync('**/*.{json,csv}{,.gz}', { cwd: folder })) {
    const pieces = new Map<string, Station[]>()
    for await (const part of readParts(createReadStream(join(folder, file)))) {
      if (!('station' in part)) continue
      const key = joinKey(part.station) || part.position
      pieces.set(key, [...(pieces.get(key) ?? []), part.station])
    }
    for (const all of pieces.values()) {
      const { station, refusal } = repairStation(joinParts(all))
      if (refusal === undefined && station.connectors.length > 0)
        found.push(publicSiteOf(station, found.length))
    }
  }
  return found
}

const textOf = async (format: OpenFile, all: readonly PublicSite[]): Promise<string> => {
  const pages = async function* () {
    yield all.map((site) => JSON.stringify(site))
  }
  let text = ''
  for await (const chunk of writeFile(format, pages(), ABOUT)) text += String(chunk)
  return text
}

test('every output of real stations is valid', { timeout: 600_000 }, async () => {
  if (folder === '')
    throw new Error(
      'REAL_DATA must name a folder with stations of registers and feeds: JSON or CSV, also gzipped.',
    )
  const all = await readSites()
  expect(all.length).toBeGreaterThan(0)
  const judged: Record<string, number> = {}

  const roaming = all.filter((site) =>
    lackingFor('ocpi', site, site.business).every(({ isNeeded }) => !isNeeded),
  )
  const schemas = process.env['OCPI_SCHEMAS']
  const theirs = schemas === undefined ? () => [] : otherSchema(schemas)
  for (const version of OCPI_VERSIONS)
    for (const site of roaming) {
      const location = JSON.parse(JSON.stringify(writeLocation(site, version, ABOUT))) as object
      const wrong = [
        ...judgeOcpi('location', version, location),
        ...(version === '2.2.1' ? theirs(location) : []),
      ]
      expect([site.id, wrong]).toEqual([site.id, []])
      judged[`OCPI ${version}`] = (judged[`OCPI ${version}`] ?? 0) + 1
    }

  const irve = parse(await textOf('irve', all))
  expect(judgeIrve(irve)).toEqual([])
  judged['IRVE charge points'] = irve.length - 1
  expect(judgeGeoJson(await textOf('geojson', all))).toEqual([])
  judged['GeoJSON'] = all.length
  for (const site of all) expect([site.id, judgeOsm(tagsOf(site))]).toEqual([site.id, []])
  judged['OSM'] = all.length

  const datex = await textOf('datex', all)
  for (const schema of [DATEX_SCHEMA, process.env['DATEX_XSD'] ?? DATEX_SCHEMA])
    expect((await createXsdJudge(schema))(datex).slice(0, 5)).toEqual([])
  judged['DATEX sites'] = datex.split('<egi:energyInfrastructureSite ').length - 1
  await report('outputs of real stations', { ...judged, failures: 0 })
})

/** The Location of a folder of JSON Schemas (draft 4) that refer to one another by file. */
const otherSchema = (schemas: string): ((location: object) => unknown[]) => {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false, validateSchema: false })
  for (const file of globSync('*.json', { cwd: schemas })) {
    const text = readFileSync(join(schemas, file), 'utf8')
      .replaceAll('"$schema":', '"$comment":')
      .replaceAll(/"\$ref":\s*"[^"#]*\/(\w+\.json)"/g, '"$ref": "$1"')
    ajv.addSchema(JSON.parse(text) as object, file)
  }
  const validate = ajv.getSchema('Location.json')
  if (validate === undefined) throw new Error(`${schemas} has no Location.json`)
  return (location) => {
    void validate(location)
    // A schema of the first 2.2.1 does not have the plugs that 2.2.1-d2 added; ours does.
    const errors = validate.errors ?? []
    const others = errors.filter(({ instancePath }) => !instancePath.endsWith('/standard'))
    return others.map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}
