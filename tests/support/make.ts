import { businesses, type Business } from '#domain/business.ts'
import type { Collection } from '#domain/collection.ts'
import { connectors, type Connector } from '#domain/connector.ts'
import { initialValue } from '#domain/field.ts'
import { sites, type Site } from '#domain/site.ts'

// Records for tests. Declared fields that a test does not set are empty.

const empty = ({ name, fields }: Collection) => ({
  collectionName: name,
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([field, declared]) =>
      declared.kind === 'autodate' || (declared.kind === 'relation' && declared.required)
        ? []
        : [[field, initialValue(declared)]],
    ),
  ),
})

export const makeBusiness = (changes: Partial<Business> = {}): Business => ({
  ...(empty(businesses) as Business),
  id: 'business0000000',
  name: 'Harbour Lane',
  ...changes,
})

export const makeSite = (id: string, changes: Partial<Site> = {}): Site => ({
  ...(empty(sites) as Site),
  id,
  name: `Site ${id}`,
  address: '12 Quay Street',
  latitude: 55.2,
  longitude: -6.65,
  vehicle_capacity: 2,
  status: 'AVAILABLE',
  ...changes,
})

export const makeConnector = (
  id: string,
  site: string,
  changes: Partial<Connector> = {},
): Connector => {
  const { collectionName: _, ...fields } = empty(connectors)
  return {
    ...(fields as Omit<Connector, 'id' | 'site'>),
    id,
    site,
    standard: 'IEC_62196_T2',
    format: 'SOCKET',
    current_type: 'AC_3_PHASE',
    kw_rating: 22,
    ...changes,
  }
}
