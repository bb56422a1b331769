import { BUSINESSES, CONNECTORS, FEEDS } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import { connectorBody, siteBody } from '../support/owner.ts'
import { expect, test, type Owner } from './driver.ts'
import { prepareSites } from './prepare.ts'
import { Wire } from './wire.ts'

const PIER = {
  address: '1 Pier Road, Portrush',
  latitude: '55.2',
  longitude: '-6.6',
  name: 'Pier',
  connectors: [{ plug: 'CHAdeMO', format: 'Cable attached', current: 'DC', kw: '50' }],
}

/** Waits until the page has subscribed to events and has read what it missed before. */
const listening = async (owner: Owner, act: () => Promise<void>): Promise<void> => {
  const subscribed = owner.page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/realtime') && response.request().method() === 'POST',
  )
  let isSubscribed = false
  const awaited = new Set([BUSINESSES, CONNECTORS].map(API.records))
  const caughtUp = owner.page.waitForEvent('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/api/realtime')) isSubscribed ||= request.method() === 'POST'
    for (const path of awaited) if (isSubscribed && pathname.endsWith(path)) awaited.delete(path)
    return awaited.size === 0
  })
  await act()
  expect((await subscribed).status()).toBe(204)
  await caughtUp
}

/** Signs in as an owner with the site Quay, and opens the dashboard with its event stream. */
const listenAtQuay = async (owner: Owner) => {
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay')
  await listening(owner, () => owner.visit('/dashboard'))
  await expect(owner.site('Quay')).toBeVisible()
  return { client, quay }
}

/** Holds subscriptions of the page until `release`; `subscribing` resolves once the page has sent one. */
const holdSubscriptions = async (owner: Owner) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await owner.page.route('**/api/realtime', async (route) => {
    if (route.request().method() === 'POST') await released
    await route.fallback()
  })
  const subscribing = owner.page.waitForRequest(
    (request) => request.url().endsWith('/api/realtime') && request.method() === 'POST',
  )
  return { subscribing, release }
}

test('changes on a phone appear on a desktop @once', async ({ owner }) => {
  const { client, quay } = await listenAtQuay(owner)
  const wire = new Wire(owner)

  const phone = await owner.openTab()
  await phone.addSite(PIER)
  await expect(owner.site('Pier')).toBeVisible()
  await expect(owner.plugsOf(owner.site('Pier'))).toHaveCount(1)

  await client.collection('sites').update(quay?.id ?? '', { name: 'North Quay' })
  await expect(owner.site('North Quay')).toBeVisible()
  await expect(owner.site('Quay')).toHaveCount(0)
  await client
    .collection('connectors')
    .create({ ...connectorBody(quay?.id ?? ''), standard: 'CHADEMO' })
  await expect(owner.plugsOf(owner.site('North Quay'))).toHaveCount(2)
  await client
    .collection('businesses')
    .update(String(quay?.['business']), { description: 'Now with a pier.' })
  await expect(owner.business).toContainText('Now with a pier.')
  await client.collection('sites').delete(quay?.id ?? '')
  await expect(owner.site('North Quay')).toHaveCount(0)

  // All changes arrived as events, without a read; the dashboard only requests its feeds when it is idle.
  const reads = wire.calls('GET').filter(({ page }) => page === owner.page)
  expect(reads.filter(({ path }) => path !== API.records(FEEDS))).toEqual([])
})

test('unchanged data is not transferred again after the subscription @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  await prepareSites(client, 'Quay')
  const wire = new Wire(owner)
  const answers: string[] = []
  owner.page.on('response', (response) => {
    if (/\/(?:businesses|connectors)\/records\?/.test(response.url()))
      answers.push(`${response.request().method()} ${response.status()}`)
  })
  await listening(owner, () => owner.visit('/dashboard'))
  await expect(owner.site('Quay')).toBeVisible()
  await wire.settle()
  expect(answers.toSorted()).toEqual(['GET 200', 'GET 200', 'HEAD 304', 'HEAD 304'])
})

test('a change between the first read and the subscription appears @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay')
  const { subscribing, release } = await holdSubscriptions(owner)
  await owner.visit('/dashboard')
  await expect(owner.site('Quay')).toBeVisible()
  await subscribing
  await client.collection('sites').update(quay?.id ?? '', { name: 'North Quay' })
  release()
  await expect(owner.site('North Quay')).toBeVisible()
})

test('missed changes are read again until a read succeeds @once', async ({
  owner: person,
  openStack,
}) => {
  const stack = await openStack({})
  const owner = person.at(stack.url, stack.provider.issuer)
  const { client, quay } = await listenAtQuay(owner)
  await owner.failNext('GET', /\/businesses\/records$/, 'cut off')
  const wire = new Wire(owner)
  const { subscribing, release } = await holdSubscriptions(owner)
  await stack.sql`select pg_terminate_backend(pid) from listeners`
  await subscribing
  await client.collection('sites').update(quay?.id ?? '', { name: 'North Quay' })
  release()
  await expect(owner.site('North Quay')).toBeVisible()
  expect(wire.calls('GET', /\/businesses\/records$/)).toHaveLength(2)
})

test('a page’s own changes do not flicker @once', async ({ owner }) => {
  const { client, quay } = await listenAtQuay(owner)
  await owner.openSite('Quay')
  // Records the texts of the cards on every change.
  await owner.page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      const cards = [...document.querySelectorAll('article h2, article h3')]
      const text = cards.map((card) => card.textContent).join(', ')
      if (text !== '' && text !== seen.at(-1)) seen.push(text)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await owner.fillSite({ name: 'North Quay' })
  await owner.saveSite()
  await expect(owner.site('North Quay')).toBeVisible()
  // The change of another client arrives after the events of the page's own changes.
  await client.collection('sites').create({ ...siteBody(String(quay?.['business'])), name: 'Pier' })
  await expect(owner.site('Pier')).toBeVisible()
  expect(
    await owner.page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen),
  ).toEqual(['North Quay', 'North Quay, Pier'])
})

test('after an interruption the page reads missed changes once @once', async ({
  owner: person,
  openStack,
}) => {
  // Its own stack, because the server logs the loss.
  const stack = await openStack({})
  const owner = person.at(stack.url, stack.provider.issuer)
  const { client, quay } = await listenAtQuay(owner)
  const wire = new Wire(owner)
  await listening(owner, async () => {
    const { subscribing, release } = await holdSubscriptions(owner)
    await stack.sql`select pg_terminate_backend(pid) from listeners`
    await subscribing
    await client.collection('sites').update(quay?.id ?? '', { name: 'North Quay' })
    release()
  })
  await expect(owner.site('North Quay')).toBeVisible()
  await wire.settle()
  expect(wire.calls('GET', /\/businesses\/records$/)).toHaveLength(1)
  await client.collection('sites').update(quay?.id ?? '', { name: 'South Quay' })
  await expect(owner.site('South Quay')).toBeVisible()
  expect(wire.calls('GET', /\/businesses\/records$/)).toHaveLength(1)
})

test('the app works without an event stream @once', async ({ owner }) => {
  await owner.failNext('GET', '/api/realtime', { status: 503 })
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay')
  await owner.visit('/dashboard')
  await expect(owner.site('Quay')).toBeVisible()
  await expect(owner.page.getByRole('alert')).toHaveCount(0)
  // The app reconnects, and reads missed changes.
  await client.collection('sites').update(quay?.id ?? '', { name: 'North Quay' })
  await expect(owner.site('North Quay')).toBeVisible()
})
