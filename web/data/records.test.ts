import PocketBase from 'pocketbase'
import { expect, test } from 'vitest'

import { BUSINESSES } from '#domain/collection.ts'

import { fetchData } from './records.ts'

const SITES = [
  { id: 'site1', photos: [] },
  { id: 'site2', photos: [] },
]
const PAGES = [
  [
    { id: 'a', site: 'site1' },
    { id: 'b', site: 'site2' },
  ],
  [
    { id: 'b', site: 'site2' },
    { id: 'c', site: 'site1' },
  ],
  [{ id: 'd', site: 'site1' }],
]

/** The result of reading three pages of connectors, each answered when `turn` resolves. */
const fetchPages = async (turn: (page: number) => Promise<Response | undefined>) => {
  const client = new PocketBase('http://app')
  client.beforeSend = (url, options) => ({
    url,
    options: {
      ...options,
      fetch: async (target: RequestInfo | URL) => {
        const { pathname, searchParams } = new URL(new Request(target).url)
        if (pathname.includes(BUSINESSES)) {
          const business = { id: 'business', logo: '', expand: { 'sites(business)': SITES } }
          return Response.json({ totalPages: 1, items: [business] })
        }
        const page = Number(searchParams.get('page'))
        const refusal = await turn(page)
        return refusal ?? Response.json({ totalPages: PAGES.length, items: PAGES[page - 1] })
      },
    },
  })
  return fetchData(client, 'user')
}

test('connectors keep their order and are unique, in any order of pages', async () => {
  const third = Promise.withResolvers<undefined>()
  const data = await fetchPages(async (page) => {
    if (page === 2) await third.promise
    if (page === 3) setTimeout(() => third.resolve(undefined))
    return undefined
  })
  const ids = data?.sites.map(({ connectors }) => connectors.map(({ id }) => id))
  expect(ids).toEqual([['a', 'c', 'd'], ['b']])
})

test('a failed page is reported immediately, even if another is never answered', async () => {
  const refused = async (page: number) => {
    if (page === 2) await new Promise(() => {})
    return page === 3 ? Response.json({ message: 'No.' }, { status: 403 }) : undefined
  }
  await expect(fetchPages(refused)).rejects.toMatchObject({ status: 403 })
})
