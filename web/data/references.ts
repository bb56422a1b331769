import { CONNECTORS, SITES, type Collection } from '#domain/collection.ts'
import { connectors } from '#domain/connector.ts'
import { inputNames } from '#domain/record.ts'
import { sites } from '#domain/site.ts'

import type { Data } from './log.ts'
import type { BusinessView } from './state.ts'

/** A field of a site or of a connector that refers to a record of a plain collection. */
export interface Reference {
  readonly collection: typeof SITES | typeof CONNECTORS
  readonly id: string
  readonly name: string
}

/** Returns the references to a record of a plain collection. */
export const referencesTo = (data: Data, collection: string, id: string): readonly Reference[] => {
  const ofSites = referringNames(sites, collection)
  const ofConnectors = referringNames(connectors, collection)
  const find = (of: Reference['collection'], names: readonly string[], record: Referring) =>
    names.flatMap((name) => (record[name] === id ? [{ collection: of, id: record.id, name }] : []))
  return (data?.sites ?? []).flatMap((site) => [
    ...find(SITES, ofSites, { ...site }),
    ...site.connectors.flatMap((connector) => find(CONNECTORS, ofConnectors, { ...connector })),
  ])
}

type Referring = Readonly<Record<string, unknown>> & { readonly id: string }

const referringNames = (declared: Collection, collection: string): readonly string[] =>
  inputNames(declared).filter((name) => {
    const field = declared.fields[name]
    return field?.kind === 'relation' && field.to === collection
  })

/** Replaces references; an empty `instead` clears them. */
export const replaceReferences = (
  references: readonly Reference[],
  instead: string,
): ((data: BusinessView) => BusinessView) => {
  const changes = Map.groupBy(references, ({ collection, id }) => `${collection} ${id}`)
  const change = <R extends { readonly id: string }>(
    collection: Reference['collection'],
    record: R,
  ): R => {
    const found = changes.get(`${collection} ${record.id}`)
    if (found === undefined) return record
    return { ...record, ...Object.fromEntries(found.map(({ name }) => [name, instead])) }
  }
  return (data) => ({
    ...data,
    sites: data.sites.map((site) => {
      const all = site.connectors.map((connector) => change(CONNECTORS, connector))
      const isSame = all.every((connector, at) => connector === site.connectors[at])
      const changed = change(SITES, site)
      return isSame ? changed : { ...changed, connectors: all }
    }),
  })
}
