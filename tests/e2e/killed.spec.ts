import { SITES } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import { en } from '../support/english.ts'
import { makePhoto } from '../support/images.ts'
import { siteBody } from '../support/owner.ts'
import { expect, test, type Owner, type Stack } from './driver.ts'
import { prepareBusiness } from './prepare.ts'
import { readStored } from './stored.ts'

/** Whether this is the long run. */
const isLong = process.env['PROOF'] === 'long'
const PHOTOS = ['alpha', 'bravo', 'charlie']
const CATEGORIES = ['ENTRANCE', '', 'CHARGER']
const PLACE = { address: '1 Pier Road, Portrush', latitude: '55.2', longitude: '-6.6' }

/**
 * Crashes the page at its n-th write, either before the request leaves, or after the server has answered but before the
 * page has the response. Later writes are not sent either. Resolves when the page has crashed.
 */
const killAtWrite = async (owner: Owner, step: number, when: 'before' | 'after'): Promise<void> => {
  const { page } = owner
  const dead = new Promise<void>((resolve) => page.once('crash', () => resolve()))
  const session = await page.context().newCDPSession(page)
  let writes = 0
  await page.route(/\/api\/collections\/(sites|connectors)\/records/, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    writes += 1
    if (writes < step) return route.fallback()
    if (writes > step) return undefined
    if (when === 'after') await route.fetch()
    // Never settles: the page is gone.
    session.send('Page.crash').catch(() => {})
    return undefined
  })
  await owner.saveSite()
  await dead
  await page.close()
}

/** Opens the next page and waits until it has sent everything that the previous one left. */
const finishIn = async (owner: Owner): Promise<Owner> => {
  const tab = await owner.openTab()
  await tab.visit('/dashboard')
  await expect
    .poll(() =>
      tab.page.evaluate(() =>
        Object.keys(localStorage).filter((key) => /^voltleaf:(mutations|drafts):/.test(key)),
      ),
    )
    .toEqual([])
  return tab
}

const expectOnce = async (owner: Owner, stack: Stack, name: string): Promise<void> => {
  const stored = readStored(stack, owner.person.email)
  const sites = (await stored.sites()).filter((site) => site.name === name)
  expect(sites).toHaveLength(1)
  expect(sites[0]?.photos.map((photo) => photo.split('_')[0])).toEqual(PHOTOS)
  const { photo_categories: categories } = sites[0] ?? {}
  expect(sites[0]?.photos.map((photo) => categories?.[photo] ?? '')).toEqual(CATEGORIES)
  const connectors = await stack.sql`
    select kw_rating from connectors where site = ${sites[0]?.id ?? ''}`
  expect(connectors).toHaveLength(4)
}

/**
 * The steps of a save with this many requests: the first, the middle and the last one; `npm run proof` kills the page
 * at each. Before a request, the server has the same state as after the previous one, so apart from the first request,
 * only `npm run proof` also kills the page there.
 */
const stepsOf = (requests: number) =>
  Array.from({ length: requests }, (_, index) => index + 1)
    .filter((step) => isLong || [1, Math.ceil(requests / 2), requests].includes(step))
    .flatMap((step) => [
      ...(isLong || step === 1 ? [[step, 'before'] as const] : []),
      [step, 'after'] as const,
    ])

const addPhotos = async (owner: Owner): Promise<void> => {
  const small = { width: 64, height: 48 }
  await owner.addPhotos(
    ...(await Promise.all(PHOTOS.map((name) => makePhoto(`${name}.jpg`, small)))),
  )
  for (const [index, name] of PHOTOS.entries()) {
    const label = en.photos.category(en.photos.newPhoto(`${name}.jpg`))
    await owner.page.getByLabel(label).selectOption(CATEGORIES[index] ?? '')
  }
}

test('a page killed at any step of adding a site loses and duplicates nothing @once', async ({
  owner,
  stack,
}) => {
  test.slow()
  await prepareBusiness(await owner.comeSignedIn())
  let tab = owner
  // The site with its photos, four connectors, and the categories of the photos.
  for (const [step, when] of stepsOf(6)) {
    const name = `${when} request ${step}`
    await test.step(name, async () => {
      await tab.visit('/site/add')
      await tab.fillSite({ ...PLACE, name })
      await addPhotos(tab)
      await tab.addPreset('CCS2 · 150 kW')
      await tab.setQuantity(1, 4)
      await killAtWrite(tab, step, when)
      tab = await finishIn(tab)
      await expectOnce(tab, stack, name)
    })
  }
})

test('a page killed at any step of changing a site loses and duplicates nothing @once', async ({
  owner,
  stack,
}) => {
  test.slow()
  const client = await owner.comeSignedIn()
  const business = await prepareBusiness(client)
  let tab = owner
  // The fields with the first photo, two more photos, their categories, and four connectors.
  for (const [step, when] of stepsOf(8)) {
    const name = `${when} request ${step}`
    await test.step(name, async () => {
      const site = await client.collection(SITES).create({ ...siteBody(business.id), name: 'New' })
      // A photo was stored together with the fields; its idempotency key is used, so it is not stored again.
      tab.expectFailureAt(API.record(SITES, site.id))
      await tab.visit(`/site/edit/${site.id}`)
      await expect(tab.field('Site name')).toHaveValue('New')
      await tab.fillSite({ name })
      await addPhotos(tab)
      await tab.addPreset('CCS2 · 150 kW')
      await tab.setQuantity(1, 4)
      await killAtWrite(tab, step, when)
      tab = await finishIn(tab)
      await expectOnce(tab, stack, name)
    })
  }
})
