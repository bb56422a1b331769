import { expect, test } from 'vitest'

import { COLLECTIONS } from '../../domain/collections.ts'
import { peerCollections } from './peer-schema.ts'

interface Described {
  readonly name: string
  readonly listRule: string
  readonly createRule: string | null
  readonly schema?: readonly { name: string; required: boolean; options: object }[]
  readonly fields?: readonly { name: string; required?: boolean; max?: number }[]
}

test('the peer has our fields, their constraints, and the path to their owner, in both dialects', () => {
  const [users, businesses, sites, connectors] = peerCollections('schema') as Described[]
  expect([users, businesses, sites, connectors].map((each) => each?.listRule)).toEqual([
    'id = @request.auth.id',
    'user = @request.auth.id',
    'business.user = @request.auth.id',
    'site.business.user = @request.auth.id',
  ])
  expect(users?.createRule).toBeNull()
  expect(sites?.createRule).toBe(sites?.listRule)
  const own = Object.keys(COLLECTIONS.sites.fields)
  expect(sites?.schema?.map(({ name }) => name)).toEqual(
    own.filter((name) => !['created', 'updated'].includes(name)),
  )
  const flat = (peerCollections('fields') as Described[])[2]
  expect(flat?.fields?.map(({ name }) => name).toSorted()).toEqual(own.toSorted())
  expect(flat?.fields?.find(({ name }) => name === 'name')).toMatchObject({
    required: true,
    max: 200,
  })
  expect(sites?.schema?.find(({ name }) => name === 'name')).toMatchObject({
    required: true,
    options: { max: 200 },
  })
})
