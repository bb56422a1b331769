import { OPEN } from '#domain/open-data.ts'
import { API } from '#domain/paths.ts'
import { SITES } from '#domain/collection.ts'
import { en } from '../support/english.ts'
import { openBalancer } from '../support/balancer.ts'
import { openFaultyProxy } from '../support/faulty-proxy.ts'
import { makePhoto } from '../support/images.ts'
import { expect, test, type Owner } from './driver.ts'
import { prepareBusiness, prepareSites } from './prepare.ts'
import { readStored } from './stored.ts'

test.use({ serviceWorkers: 'allow' })

const CHADEMO = { plug: 'CHAdeMO', format: 'Cable attached', current: 'DC', kw: '50' }
const CCS = { plug: 'CCS2 (Combo 2)', format: 'Cable attached', current: 'DC', kw: '175' }
const PIER = {
  address: '1 Pier Road, Portrush',
  latitude: '55.2',
  longitude: '-6.6',
  name: 'Pier',
}

/** The cache is written with a delay. */
const expectDataKept = (owner: Owner) =>
  expect
    .poll(() =>
      owner.page.evaluate(async () => {
        const open = indexedDB.open('voltleaf')
        await new Promise((resolve) => open.addEventListener('success', resolve))
        const store = open.result.transaction('objects').objectStore('objects').getAllKeys()
        await new Promise((resolve) => store.addEventListener('success', resolve))
        open.result.close()
        return store.result.filter((key) => typeof key === 'string' && key.startsWith('data:'))
          .length
      }),
    )
    .toBe(1)

test('offline, the app opens, queues saves, and later sends them once @once', async ({
  owner,
  stack,
}) => {
  const stored = readStored(stack, owner.person.email)
  const [quay] = await prepareSites(await owner.comeSignedIn(), 'Quay')
  await owner.visit('/dashboard')
  await expect(owner.site('Quay')).toBeVisible()
  await owner.expectKeptOffline()
  await expectDataKept(owner)

  await owner.goOffline()
  await owner.visit(`/site/edit/${quay?.id}`)
  await owner.expectTitle('Edit site details')
  await expect(owner.page.getByText('You are offline.')).toBeVisible()
  await owner.fillSite({ name: 'North Quay', photos: [await makePhoto('front.jpg')] })
  await owner.expectNoViolations()
  await owner.page.getByRole('button', { name: 'Save to send later' }).click()
  await expect(owner.site('North Quay')).toBeVisible()
  await owner.visit('/site/add')
  await owner.fillSite({
    ...PIER,
    connectors: [CHADEMO, CCS],
    photos: [await makePhoto('pier.jpg')],
  })
  await owner.page.getByRole('button', { name: 'Save to send later' }).click()
  await expect(owner.site('Pier')).toBeVisible()
  // Its photo is queued, so the app does not ask for one.
  await owner.expectPicture('Photo of Pier')
  await expect(owner.site('Pier').getByRole('link', { name: /Add a photo/ })).toHaveCount(0)
  await owner.expectNoViolations()
  await owner.logOut()
  await expect(owner.dialog).toContainText('2 changes have not reached the server yet.')
  await owner.dialog.getByRole('button', { name: 'Stay signed in' }).click()

  // The tab is closed; two others open, still offline.
  await owner.page.close()
  const tab = await owner.openTab()
  await tab.visit('/dashboard')
  await expect(tab.site('North Quay')).toBeVisible()
  await expect(tab.site('Pier')).toBeVisible()
  const other = await tab.openTab()
  await other.visit('/dashboard')
  await expect(other.site('Pier')).toBeVisible()
  expect(await stored.sites()).toMatchObject([{ name: 'Quay' }])

  // The first response is lost.
  await tab.failNext('POST', API.records(SITES), 'answer lost')
  await other.failNext('POST', API.records(SITES), 'answer lost')
  tab.expectFailureAt(API.records(SITES))
  await tab.goOnline()
  await expect
    .poll(async () => (await stored.connectors()).map(({ kw_rating }) => kw_rating))
    .toEqual([50, 150, 175])
  await expect
    .poll(async () => (await stored.sites()).map(({ name, photos }) => [name, photos.length]))
    .toEqual([
      ['North Quay', 1],
      ['Pier', 1],
    ])
  await expect(tab.site('Pier')).toHaveCount(1)
  await expect(other.site('Pier')).toHaveCount(1)
  await tab.logOut()
  await tab.expectPath('/login')
  expect(await stored.sites()).toHaveLength(2)
})

test('offline, a screen that was never loaded opens once there is a connection @once', async ({
  owner,
}) => {
  await owner.neverIdle()
  await owner.page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Quay')
  await owner.visit(`/site/edit/${site?.id}`)
  await owner.field(en.fields.sites.contact_phone).fill('+44 28 7082 0000')
  owner.watch.expectUncaught('dynamically imported module')
  await owner.goOffline()
  await owner.page.getByRole('button', { name: en.drafts.sendLater }).click()
  await expect(owner.alert).toContainText(en.crash.offline)
  await owner.goOnline()
  await expect(owner.page.getByRole('link', { name: 'Quay' })).toBeVisible()
  await expect
    .poll(async () => (await client.collection(SITES).getOne(site?.id ?? ''))['contact_phone'])
    .toBe('+44 28 7082 0000')
})

test('with an unreachable server, the app opens with cached data @once', async ({
  owner: person,
  openStack,
}) => {
  const balancer = await openBalancer()
  const { config, provider } = await openStack({ PUBLIC_URL: balancer.url })
  const line = await openFaultyProxy({ host: config.host, port: config.port })
  balancer.serve([`http://127.0.0.1:${line.port}`], () => 0)
  const owner = person.at(balancer.url, provider.issuer)
  await prepareSites(await owner.comeSignedIn(), 'Quay')
  await owner.visit('/dashboard')
  await expect(owner.site('Quay')).toBeVisible()
  await owner.expectKeptOffline()
  await expectDataKept(owner)
  await owner.leave()
  await line.fail('silent')
  await owner.visit('/dashboard')
  await expect(owner.site('Quay')).toBeVisible()
  await owner.page.close()
  await line.close()
  await balancer.close()
})

test('offline, a guest has Home and Login, and no owner screens are cached @once', async ({
  owner,
  stack,
}) => {
  const { page } = owner
  const kept = () =>
    page.evaluate(async () => {
      const names = await caches.keys()
      const keys = await Promise.all(
        names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
      )
      return keys.flat().map((url) => new URL(url).pathname)
    })
  const ofOwners = (paths: readonly string[]) =>
    paths.filter((path) => /owners|dashboard|sites|forms/.test(path))
  await owner.visit('/')
  await owner.expectKeptOffline()
  expect((await kept()).filter((path) => path.includes('/base-'))).not.toEqual([])
  expect(ofOwners(await kept())).toEqual([])

  await owner.goOffline()
  await owner.visit('/')
  await expect(page.getByRole('heading', { name: en.home.headline })).toBeVisible()
  // A file of open data is not a screen, so the service worker must not serve the app for it.
  const another = await page.context().newPage()
  const opened = another.goto(stack.url + OPEN.catalogue())
  await expect(opened).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
  await another.close()
  await owner.visit('/dashboard')
  await owner.expectPath('/login')
  await expect(page.getByText(en.login.offline)).toBeVisible()
  await owner.expectTitle(en.titles.login('Voltleaf'))

  await owner.goOnline()
  await owner.signIn()
  await expect.poll(async () => ofOwners(await kept()).length).toBeGreaterThan(1)
})

test('offline changes that conflict with others return to their form @once', async ({
  owner,
  stack,
}) => {
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay')
  await owner.visit(`/site/edit/${quay?.id}`)
  await expect(owner.field('Site name')).toHaveValue('Quay')
  await owner.expectKeptOffline()
  await owner.goOffline()
  await owner.fillSite({ name: 'North Quay', cost: 'Free' })
  await owner.page.getByRole('button', { name: 'Save to send later' }).click()
  await expect(owner.site('North Quay')).toBeVisible()
  await client.collection(SITES).update(quay?.id ?? '', { name: 'South Quay' })
  await owner.goOnline()
  await expect(owner.alert).toBeVisible()
  await expect(owner.page.getByText(en.many.sent(1))).toHaveCount(0)
  await owner.alert.getByRole('link', { name: 'Edit' }).click()
  await expect(owner.field('Site name')).toHaveValue('North Quay')
  await owner.page.getByRole('button', { name: 'Keep this version' }).click()
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  expect(await readStored(stack, owner.person.email).sites()).toMatchObject([
    { name: 'North Quay', cost: 'Free' },
  ])
})

test('a new version is offered, but not while a form has changes @once', async ({ owner }) => {
  const [quay] = await prepareSites(await owner.comeSignedIn(), 'Quay')
  await owner.visit(`/site/edit/${quay?.id}`)
  await expect(owner.field('Site name')).toHaveValue('Quay')
  await owner.expectKeptOffline()
  await owner.fillSite({ name: 'North Quay' })
  await owner.page.evaluate(() => {
    const data = { entry: 'assets/index-of-tomorrow.js' }
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data }))
  })
  const offer = owner.page.getByText('A new version is ready.')
  await expect(owner.page.locator('.save-bar')).toContainText('1 change')
  await expect(offer).toHaveCount(0)
  await owner.page.getByRole('button', { name: 'Discard' }).click()
  await expect(offer).toBeVisible()
  await owner.page.getByRole('button', { name: 'Reload' }).click()
  await expect(offer).toHaveCount(0)
  await expect(owner.field('Site name')).toHaveValue('Quay')
})

test('the app opens offline below a base path, too @once', async ({ owner: person, openStack }) => {
  const stack = await openStack({ PUBLIC_URL: 'http://127.0.0.1:0/ev' })
  const owner = person.at(stack.url, stack.provider.issuer)
  await prepareSites(await owner.comeSignedIn(), 'Quay')
  await owner.visit('/dashboard')
  await expect(owner.site('Quay')).toBeVisible()
  await owner.expectKeptOffline()
  const requested = await owner.page.evaluate(async () => {
    const names = await caches.keys()
    const kept = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    )
    return kept.flat().map((url) => new URL(url).pathname)
  })
  expect(requested).toContain('/ev/')
  // One cached page serves all screens, so it contains no prerendered screen.
  const page = await owner.page.evaluate(async () => (await caches.match('/ev/'))?.text())
  expect([page?.includes('id="start"'), page?.includes('<h1')]).toEqual([true, false])
  expect(requested.filter((path) => !path.startsWith('/ev/'))).toEqual([])
  expect(requested.filter((path) => path.includes('/api/'))).toEqual([])
  await owner.goOffline()
  await owner.visit('/business/edit')
  await expect(owner.page.locator('meta[name$="base-path"]')).toHaveAttribute('content', '/ev')
  await owner.expectTitle('Edit your business details')
})

test('viewing a queued site creates no draft, and its photo is stored once @once', async ({
  owner,
  stack,
}) => {
  const stored = readStored(stack, owner.person.email)
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit('/dashboard')
  await owner.expectKeptOffline()
  await owner.goOffline()
  await owner.visit('/site/add')
  await owner.fillSite({ ...PIER, photos: [await makePhoto('pier.jpg')] })
  await owner.page.getByRole('button', { name: en.drafts.sendLater }).click()
  await owner.site('Pier').getByRole('link', { name: 'Pier', exact: true }).click()
  await expect(owner.photos).toHaveCount(1)
  await owner.link(en.actions.cancel).click()
  await expect(owner.site('Pier')).toBeVisible()
  await owner.goOnline()
  await expect
    .poll(async () => (await stored.sites()).map(({ photos }) => photos.length))
    .toEqual([1])
  // Also announced to users who do not see that the mark of the site disappears.
  const news = owner.page.getByRole('region', { name: en.shell.notifications })
  await expect(news).toContainText(en.many.sent(1))
  await expect(owner.page.getByRole('region', { name: en.dashboard.unfinished })).toHaveCount(0)
})

test('a queued change can be reverted in its form @once', async ({ owner, stack }) => {
  const stored = readStored(stack, owner.person.email)
  const [quay] = await prepareSites(await owner.comeSignedIn(), 'Quay')
  await owner.visit(`/site/edit/${quay?.id}`)
  await owner.expectKeptOffline()
  await owner.goOffline()
  const sendLater = owner.page.getByRole('button', { name: en.drafts.sendLater })
  await owner.fillSite({ name: 'Wrong' })
  await sendLater.click()
  await owner.openSite('Wrong')
  await owner.fillSite({ name: 'Quay' })
  await sendLater.click()
  await expect(owner.site('Quay')).toBeVisible()
  await owner.goOnline()
  await expect(owner.page.getByText(en.drafts.waiting)).toHaveCount(0)
  expect(await stored.sites()).toMatchObject([{ name: 'Quay' }])
})
