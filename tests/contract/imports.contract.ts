import { expect, test } from 'vitest'

import { newOwnerWithSite } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'
import { bringIn, fileOf, rowsOf, station } from '../support/imports.ts'

const stack = await withStack()

test('a file is read and planned, and its rows are the owner’s alone', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const stranger = await newOwnerWithSite(stack.url)
  const planned = await bringIn(owner.client, fileOf([station('A'), station('B')]))
  expect(planned).toMatchObject({ state: 'PLANNED', source: 'stations.jsonl', total: 2, done: 2 })
  expect(await rowsOf(owner.client, planned.id)).toMatchObject([
    { number: 1, reference: 'A', name: 'Station A', action: 'NEW', state: 'PENDING' },
    { number: 2, reference: 'B', name: 'Station B', action: 'NEW', state: 'PENDING' },
  ])
  expect(await rowsOf(stranger.client, planned.id)).toEqual([])
})
