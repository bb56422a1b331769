import { expect, test, vi } from 'vitest'

import { CHANGES, SITES } from '#domain/collection.ts'

import { provideEventSource } from '../support/event-source.ts'
import { withStack } from '../support/fixtures.ts'
import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'

// Decision 0080: the categories of the photos of a site.

const stack = await withStack()

/** A site with three photos. */
const newPhotos = async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  const sites = client.collection(SITES)
  const photos = await Promise.all(['a.jpg', 'b.jpg', 'c.jpg'].map((name) => makePhoto(name)))
  const { id, photos: names } = await sites.update(site.id, { photos })
  const [a, b, c] = names as [string, string, string]
  const read = async () => (await sites.getOne(id))['photo_categories'] as unknown
  return { client, sites, id, a, b, c, read }
}

test('photos have categories, set as a whole or one by one', async () => {
  const { sites, id, a, b, c, read } = await newPhotos()
  expect(await read()).toBe(null)
  const whole = { [a]: 'ENTRANCE', [b]: 'CHARGER' }
  expect(await sites.update(id, { photo_categories: whole })).toMatchObject({
    photo_categories: whole,
  })
  await sites.update(id, { 'photo_categories+': { [c]: 'LOCATION', [b]: 'OTHER', [a]: '' } })
  expect(await read()).toEqual({ [b]: 'OTHER', [c]: 'LOCATION' })
  await sites.update(id, { 'photo_categories+': {} })
  await sites.update(id, { 'photo_categories+': null })
  expect(await read()).toEqual({ [b]: 'OTHER', [c]: 'LOCATION' })
  await sites.update(id, { 'photo_categories+': { [b]: '', [c]: '' } })
  expect(await read()).toBe(null)
  await sites.update(id, { photo_categories: whole })
  await sites.update(id, { photo_categories: null })
  expect(await read()).toBe(null)
})

test('concurrent changes of single entries do not overwrite one another', async () => {
  const { sites, id, a, b, c, read } = await newPhotos()
  await Promise.all(
    [a, b, c].map((name) => sites.update(id, { 'photo_categories+': { [name]: 'CHARGER' } })),
  )
  expect(await read()).toEqual({ [a]: 'CHARGER', [b]: 'CHARGER', [c]: 'CHARGER' })
})

test.each([
  [{ photo_categories: { x: 'NETWORK' } }, 'x', /^Must be one of CHARGER, /],
  [{ photo_categories: ['ENTRANCE'] }, '', /^Must be an object /],
  [{ photo_categories: { x: 1 } }, 'x', /^Must be one of CHARGER, /],
  [{ photo_categories: 7 }, '', /^Must be an object /],
  [{ photo_categories: 7, 'photo_categories+': {} }, '', /^Must be an object /],
  [{ 'photo_categories+': 7 }, '', /^Must be an object /],
  [{ 'photo_categories+': true }, '', /^Must be an object /],
  [{ 'photo_categories+': '"CHARGER"' }, '', /^Must be an object /],
  [{ 'photo_categories+': { x: 'NETWORK' } }, 'x', /^Must be one of CHARGER, /],
])('%j is refused', async (body, path, reason) => {
  const { sites, id } = await newPhotos()
  await expect(sites.update(id, body)).rejects.toMatchObject({
    response: {
      data: {
        photo_categories: {
          code: 'validation_json_shape',
          params: { path, reason: expect.stringMatching(reason) },
        },
      },
    },
  })
})

test.each([{ photo_categories: '{' }, { 'photo_categories+': '{' }])(
  '%j cannot be parsed',
  async (body) => {
    const { sites, id } = await newPhotos()
    await expect(sites.update(id, body)).rejects.toMatchObject({
      response: { data: { photo_categories: { code: 'validation_invalid_json' } } },
    })
  },
)

test('an entry is removed with its photo, and an entry without a photo is dropped', async () => {
  const { sites, id, a, b, c, read } = await newPhotos()
  await sites.update(id, {
    photo_categories: { [a]: 'ENTRANCE', [b]: 'CHARGER', 'gone.jpg': 'OTHER' },
  })
  expect(await read()).toEqual({ [a]: 'ENTRANCE', [b]: 'CHARGER' })
  // A client that does not know categories reorders, adds and removes photos.
  await sites.update(id, { photos: [c, b, a] })
  await sites.update(id, { photos: [await makePhoto('d.jpg')] })
  await sites.update(id, { name: 'Mole' })
  expect(await read()).toEqual({ [a]: 'ENTRANCE', [b]: 'CHARGER' })
  expect(await sites.update(id, { 'photos-': [a] })).toMatchObject({
    photo_categories: { [b]: 'CHARGER' },
  })
  await sites.update(id, { photos: [c] })
  expect(await read()).toBe(null)
  await sites.update(id, { 'photo_categories+': { [b]: 'CHARGER', [c]: 'LOCATION' } })
  expect(await read()).toEqual({ [c]: 'LOCATION' })
  // In one request with a removal, as JSON in a form and in a batch.
  const form = new FormData()
  form.append('photos-', c)
  form.append('photo_categories+', JSON.stringify({ [c]: 'ENTRANCE' }))
  await sites.update(id, form)
  expect(await read()).toBe(null)
})

test('a retried write counts once, a stale one is refused, and events, batches and the audit log contain categories', async () => {
  provideEventSource()
  const { client, sites, id, a, b, read } = await newPhotos()
  const events: unknown[] = []
  await sites.subscribe(id, (event) => events.push(event))
  const entrance = { 'photo_categories+': { [a]: 'ENTRANCE' } }
  const headers = { 'Idempotency-Key': 'entrance' }
  const first = await sites.update(id, entrance, { headers })
  await sites.update(id, { 'photo_categories+': { [a]: '' } })
  expect(await sites.update(id, entrance, { headers })).toEqual(first)
  expect(await read()).toBe(null)
  await expect(
    sites.update(id, entrance, { headers: { 'If-Match': '"1-0"' } }),
  ).rejects.toMatchObject({ status: 412 })
  const batch = client.createBatch()
  batch.collection(SITES).update(id, entrance)
  batch.collection(SITES).update(id, { 'photo_categories+': { [b]: 'CHARGER' } })
  await batch.send()
  const both = { [a]: 'ENTRANCE', [b]: 'CHARGER' }
  expect(await read()).toEqual(both)
  expect(await sites.getFullList({ filter: 'photo_categories ~ "CHARGER"' })).toHaveLength(1)
  const changes = await client
    .collection(CHANGES)
    .getFullList({ filter: `record = "${id}" && action = "update"`, sort: '-id' })
  expect(changes[0]).toMatchObject({
    before: { photo_categories: { [a]: 'ENTRANCE' } },
    after: { photo_categories: both },
  })
  await vi.waitUntil(() => events.length === 4, 10_000)
  expect(events.at(-1)).toMatchObject({ record: { photo_categories: both } })
  await sites.unsubscribe()
})
