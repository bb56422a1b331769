import { expect, test } from 'vitest'

import { COLLECTIONS } from '../../domain/collections.ts'
import { peerCollections } from './peer-schema.ts'

interface Described {
  readonly name: string
  readonly listRule: string
  readonly createRule: string | null
  readonly fields: readonly { name: string; required?: boolean; max?: number }[]
}

test('the peer has our fields, their validation, and the path to their owner', () => {
  const described = peerCollections() as Described[]
  expect(Object.fromEntries(described.map(({ name, listRule }) => [name, listRule]))).toEqual({
    users: 'id = @request.auth.id',
    businesses: 'user = @request.auth.id',
    tariffs: 'business.user = @request.auth.id',
    sites: 'business.user = @request.auth.id',
    connectors: 'site.business.user = @request.auth.id',
    reports: 'site.business.user = @request.auth.id',
  })
  const find = (wanted: string) => described.find(({ name }) => name === wanted)
  const sites = find('sites')
  expect(find('users')?.createRule).toBeNull()
  expect(sites?.createRule).toBe(sites?.listRule)
  expect(sites?.fields.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(COLLECTIONS.sites.fields).toSorted(),
  )
  expect(sites?.fields.find(({ name }) => name === 'name')).toMatchObject({
    required: true,
    max: 200,
  })
})
