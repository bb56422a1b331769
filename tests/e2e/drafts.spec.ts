import { BUSINESSES, CONNECTORS, SITES } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import { en } from '../support/english.ts'
import { makePhoto } from '../support/images.ts'
import { connectorBody } from '../support/owner.ts'
import { expect, newPerson, test, type Owner } from './driver.ts'
import { prepareBusiness, prepareSites } from './prepare.ts'
import { readStored } from './stored.ts'

const CHADEMO = { plug: 'CHAdeMO', format: 'Cable attached', current: 'DC', kw: '50' }
const QUAY = {
  address: '12 Quay Street, Portrush',
  latitude: '55.2044',
  longitude: '-6.6531',
  name: 'Harbour Lane Quay',
  cost: '£0.62 / kWh',
}

const draftSaved = (owner: Owner) => owner.page.getByText(/^Draft saved \d/)
/** Adds a photo as the first input, so that "Draft saved" means that its file is stored. */
const keepPhoto = async (owner: Owner): Promise<void> => {
  await owner.addPhotos(await makePhoto('front.jpg'))
  await expect(draftSaved(owner)).toBeVisible()
}
const keptBanner = (owner: Owner) =>
  owner.page.getByRole('status').filter({ hasText: 'We kept your draft from' })
const press = (owner: Owner, name: string) =>
  owner.page.getByRole('button', { name, exact: true }).click()

/** Opens the form of a site, and waits until it receives changes of other devices. */
const visitLive = async (owner: Owner, id: string): Promise<void> => {
  const subscribed = owner.page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/realtime') && response.request().method() === 'POST',
  )
  await owner.visit(`/site/edit/${id}`)
  await subscribed
}

test('a draft with photos is restored, for its owner only, until sign-out @once', async ({
  owner,
  stack,
}) => {
  const ada = await owner.comeSignedIn()
  await prepareBusiness(ada)
  // Like a private window of Safari, which stores no `File`.
  await owner.page.context().addInitScript(() => {
    const store = IDBObjectStore.prototype
    const put = Reflect.get(store, 'put') as (...call: unknown[]) => IDBRequest<IDBValidKey>
    store.put = function (value: unknown, key) {
      if (value instanceof Blob) throw new DOMException('no Blob', 'UnknownError')
      return put.call(this, value, key)
    }
  })
  await owner.visit('/site/add')
  await keepPhoto(owner)
  await owner.fillSite({ ...QUAY, connectors: [CHADEMO] })
  const before = await owner.readForm()

  await owner.reload()
  await expect(keptBanner(owner)).toBeVisible()
  await expect(owner.photos).toHaveCount(1)
  // The row is collapsed after the reload; only its content matters.
  await owner.openConnector(1)
  expect(await owner.readForm()).toEqual(before)
  await owner.expectNoViolations()

  // Closes the tab in the middle of a word and opens another one.
  await owner.fillSite({ cost: 'Free for gue' })
  await owner.page.close()
  const tab = await owner.openTab()
  await tab.visit('/site/add')
  await expect(tab.field('Price')).toHaveValue('Free for gue')
  await expect(tab.photos).toHaveCount(1)
  await expect(tab.connectors).toHaveCount(1)
  await press(tab, 'Continue')
  await expect(keptBanner(tab)).toHaveCount(0)
  await expect(tab.field('Address')).toBeFocused()

  // Another person on the same device.
  const bob = await tab.comeLater(newPerson('Bob'))
  await prepareBusiness(bob)
  await tab.hand(bob)
  await tab.visit('/site/add')
  await expect(tab.field('Site name')).toHaveValue('')
  await expect(tab.photos).toHaveCount(0)
  await tab.hand(ada)
  await tab.visit('/site/add')
  await expect(tab.field('Site name')).toHaveValue(QUAY.name)

  await tab.logOut()
  await expect(tab.dialog).toContainText('What you typed in 1 form is kept on this device only.')
  await tab.expectNoViolations()
  await tab.dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(tab.field('Site name')).toHaveValue(QUAY.name)
  await tab.logOut()
  await tab.dialog.getByRole('button', { name: 'Log out' }).click()
  await tab.expectPath('/login')
  await tab.hand(ada)
  await tab.visit('/site/add')
  await expect(tab.field('Site name')).toHaveValue('')
  await expect(tab.photos).toHaveCount(0)
  // Without a draft there is no question.
  await tab.logOut()
  await tab.expectPath('/login')
  expect(await readStored(stack, owner.person.email).sites()).toEqual([])
})

test('a draft opens although the storage of the device does not answer @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  await owner.visit('/site/add')
  await owner.fillSite({ ...QUAY, photos: [await makePhoto('front.jpg')] })
  await expect(draftSaved(owner)).toBeVisible()
  // Like Safari after it left a page that was creating the database.
  await owner.page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
  })
  await owner.takeTheClock()
  await owner.reload()
  // The page stops waiting after ten seconds, counted from some moment of its start.
  await expect(async () => {
    await owner.passTime('00:11')
    await expect(owner.field('Site name')).toHaveValue(QUAY.name, { timeout: 500 })
  }).toPass({ timeout: 28_000 })
  await expect(owner.page.getByText('1 image could not be kept')).toBeVisible()
  await owner.saveSite()
  await owner.expectPath('/dashboard')
})

test('saved and discarded drafts are deleted @once', async ({ owner, stack }) => {
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit('/site/add')
  await owner.fillSite(QUAY)
  await expect(draftSaved(owner)).toBeVisible()
  await owner.reload()
  await press(owner, 'Start fresh')
  await expect(owner.field('Site name')).toHaveValue('')
  await owner.fillSite({ ...QUAY, name: 'Harbour Lane Pier' })
  await expect(draftSaved(owner)).toBeVisible()
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  await owner.visit('/site/add')
  await expect(owner.field('Site name')).toHaveValue('')
  expect(await readStored(stack, owner.person.email).sites()).toMatchObject([
    { name: 'Harbour Lane Pier' },
  ])

  await owner.visit('/business/edit')
  await expect(owner.page.getByRole('button', { name: 'Save business' })).toHaveCount(0)
  await owner.fillBusiness({ description: 'Three hotels.', logo: await makePhoto('logo.png') })
  await expect(owner.page.getByText('2 changes')).toBeVisible()
  await expect(draftSaved(owner)).toBeVisible()
  await owner.reload()
  await expect(owner.field('Description')).toHaveValue('Three hotels.')
  await expect(owner.page.getByRole('img', { name: 'Preview of your logo' })).toBeVisible()
  await press(owner, 'Discard')
  await expect(owner.field('Description')).toHaveValue('')
  await expect(owner.page.getByRole('button', { name: 'Save business' })).toHaveCount(0)
})

test('the save bar counts the changes, and is hidden without any @once', async ({ owner }) => {
  const [site] = await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
  await owner.visit(`/site/edit/${site?.id}`)
  await expect(owner.field('Site name')).toHaveValue('Harbour Lane Quay')
  const bar = owner.page.locator('.save-bar')
  await expect(bar).toHaveCount(0)
  const before = await owner.readForm()
  await owner.fillSite({ name: 'Harbour Lane Pier', cost: 'Free', connectors: [CHADEMO] })
  await expect(bar).toContainText('3 changes')
  await owner.expectNoViolations()
  await owner.fillSite({ name: 'Harbour Lane Quay' })
  await expect(bar).toContainText('2 changes')
  const typed = await owner.readForm()
  await press(owner, 'Discard')
  await expect(bar).toContainText('Changes discarded.')
  expect(await owner.readForm()).toEqual(before)
  await expect(bar.getByRole('button')).toBeFocused()
  await press(owner, 'Undo')
  await expect(bar).toContainText('2 changes')
  expect(await owner.readForm()).toEqual(typed)
  await press(owner, 'Discard')
  await owner.fillSite({ name: 'Harbour Lane Pier' })
  await owner.fillSite({ name: 'Harbour Lane Quay' })
  await expect(bar).toHaveCount(0)
})

test('screen readers announce only the first "Draft saved" @once', async ({ owner }) => {
  await prepareBusiness(await owner.comeSignedIn())
  // Its time changes from AM to PM.
  await owner.takeTheClock(new Date().setHours(11, 58, 0, 0))
  await owner.visit('/site/add')
  const note = owner.page.getByText(/^Draft saved \d/)
  await owner.fillSite({ cost: 'Free' })
  await expect(note).toBeVisible()
  await expect(note).not.toHaveAttribute('aria-live')
  const before = await note.textContent()
  await owner.passTime('03:00')
  await owner.fillSite({ cost: 'Free for guests' })
  await expect(note).not.toHaveText(before ?? '')
  await expect(note).toHaveAttribute('aria-live', 'off')
})

test('conflicts with another device are shown field by field @once', async ({ owner, stack }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const id = site?.id ?? ''
  await client.collection(SITES).update(id, { contact_phone: '1' })
  await owner.loseLiveUpdates()
  await owner.visit(`/site/edit/${id}`)
  await owner.fillSite({ name: 'My name', cost: 'My cost', capacity: '7' })
  await client
    .collection(SITES)
    .update(id, { name: 'Their name', cost: 'Their cost', contact_phone: '2' })
  await client.collection(CONNECTORS).create({ ...connectorBody(id), kw_rating: 43 })
  const connectorsBefore = await owner.connectors.count()
  owner.expectFailureAt(`/api/collections/sites/records/${id}`)
  await owner.saveSite()

  const conflict = (label: string) =>
    owner.page.getByRole('listitem').filter({ has: owner.page.getByText(label, { exact: true }) })
  await expect(conflict('Site name')).toContainText('My name')
  await expect(conflict('Site name')).toContainText('Their name')
  await expect(conflict('Cars at a time')).toHaveCount(0)
  await expect(owner.connectors).toHaveCount(connectorsBefore + 1)
  await expect(owner.field('Contact phone')).toHaveValue('2')
  await owner.expectNoViolations()
  await expect(conflict('Site name').getByRole('button').first()).toBeFocused()
  // Nothing is saved before the owner makes a choice.
  await owner.saveSite()
  await expect(conflict('Site name').getByRole('button').first()).toBeFocused()
  await conflict('Site name').getByRole('button', { name: 'Keep this version' }).click()
  await conflict('Price').getByRole('button', { name: 'Use the other one' }).click()
  await expect(owner.field('Price')).toHaveValue('Their cost')
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  const stored = readStored(stack, owner.person.email)
  expect(await stored.sites()).toMatchObject([
    { name: 'My name', cost: 'Their cost', vehicle_capacity: 7, contact_phone: '2' },
  ])
  expect(await stored.connectors()).toMatchObject([{ kw_rating: 43 }, { kw_rating: 150 }])
})

test('an open form shows changes from elsewhere immediately @once', async ({ owner, stack }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const id = site?.id ?? ''
  await visitLive(owner, id)
  await owner.fillSite({ name: 'My name' })
  await client.collection(SITES).update(id, { cost: 'Their cost' })
  const told = owner.page.getByRole('status').filter({ hasText: 'Changed on another device' })
  await expect(told).toContainText('Updated from the other device: Price.')
  await expect(owner.field('Price')).toHaveValue('Their cost')
  await expect(owner.field('Site name')).toHaveValue('My name')
  await expect(owner.page.locator('.save-bar')).toContainText('1 change')
  await client.collection(SITES).update(id, { name: 'Their name' })
  await expect(told).toContainText('Their name')
  await told.getByRole('button', { name: 'Use the other one' }).click()
  await expect(owner.field('Site name')).toHaveValue('Their name')
  await expect(owner.page.locator('.save-bar')).toHaveCount(0)
  expect(await readStored(stack, owner.person.email).sites()).toMatchObject([
    { name: 'Their name', cost: 'Their cost' },
  ])
})

test('typing in a connector continues while another device adds one @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const id = site?.id ?? ''
  await visitLive(owner, id)
  await owner.openConnector(1)
  const power = owner.connector(1).getByLabel(en.fields.connectors.kw_rating)
  await power.fill('1')
  const before = await owner.connectors.count()
  await client.collection(CONNECTORS).create({ ...connectorBody(id), kw_rating: 43 })
  await expect(owner.connectors).toHaveCount(before + 1)
  await expect(power).toBeFocused()
  await owner.page.keyboard.type('20')
  await expect(power).toHaveValue('120')
})

test('typing in a connector continues while another device removes the one before @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const id = site?.id ?? ''
  await client.collection(CONNECTORS).create({ ...connectorBody(id), kw_rating: 43 })
  await visitLive(owner, id)
  const [first] = await client
    .collection(CONNECTORS)
    .getFullList({ filter: `site = "${id}"`, sort: '-kw_rating' })
  await expect(owner.connectors).toHaveCount(2)
  await owner.openConnector(2)
  const power = (position: number) =>
    owner.connector(position).getByLabel(en.fields.connectors.kw_rating)
  await power(2).fill('15')
  await power(2).press('Home')
  await power(2).press('ArrowRight')
  await client.collection(CONNECTORS).delete(first?.id ?? '')
  await expect(owner.connectors).toHaveCount(1)
  await expect(power(1)).toBeFocused()
  await owner.page.keyboard.type('2')
  await expect(power(1)).toHaveValue('125')
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  expect(
    await client.collection(CONNECTORS).getFullList({ filter: `site = "${id}"` }),
  ).toMatchObject([{ kw_rating: 125 }])
})

test('a position is taken from one device as a whole @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const id = site?.id ?? ''
  await visitLive(owner, id)
  const { latitude, longitude } = en.fields.sites
  await owner.field(latitude).fill('55.21')
  await owner.field(longitude).fill('-6.61')
  await client.collection(SITES).update(id, { latitude: 55.22, longitude: -6.62 })
  const conflict = owner.page.locator('.conflict')
  await expect(conflict).toContainText([`${latitude}, ${longitude}`])
  await expect(conflict).toContainText('55.22; -6.62')
  await conflict.getByRole('button', { name: en.drafts.takeTheirs }).click()
  await expect(owner.field(latitude)).toHaveValue('55.22')
  await expect(owner.field(longitude)).toHaveValue('-6.62')
})

test('a site that was deleted elsewhere can be added again from its open form @once', async ({
  owner,
  stack,
}) => {
  const client = await owner.comeSignedIn()
  const [quay, pier] = await prepareSites(client, 'Harbour Lane Quay', 'Harbour Lane Pier')
  await client.collection(SITES).update(quay?.id ?? '', { photos: [await makePhoto('old.jpg')] })
  const stored = readStored(stack, owner.person.email)
  const bar = owner.page.locator('.save-bar')

  await test.step('as soon as the device receives the event', async () => {
    await visitLive(owner, String(quay?.id))
    await owner.fillSite({
      cost: 'Free',
      connectors: [CHADEMO],
      photos: [await makePhoto('new.jpg')],
    })
    await client.collection(SITES).delete(quay?.id ?? '')
    await expect(owner.alert).toContainText('This site was deleted on another device.')
    await expect(owner.alert).toContainText('The saved photos are gone.')
    await owner.expectNoViolations()
    await bar.getByRole('button', { name: 'Add it again as a new site' }).click()
    await owner.expectTitle('Add a new site')
    await expect(owner.photos).toHaveCount(1)
    await expect(owner.connectors).toHaveCount(2)
    await owner.saveSite()
    await owner.expectPath('/dashboard')
    expect(await stored.sites()).toMatchObject([
      { name: 'Harbour Lane Pier' },
      { name: 'Harbour Lane Quay', cost: 'Free', photos: [expect.stringContaining('new')] },
    ])
    expect(await stored.connectors()).toMatchObject([
      { kw_rating: 50 },
      { kw_rating: 150 },
      { kw_rating: 150 },
    ])
  })

  await test.step('when a save fails because of it', async () => {
    await owner.loseLiveUpdates()
    const read = owner.page.waitForResponse((answer) =>
      answer.url().includes(API.records(BUSINESSES)),
    )
    await owner.visit(`/site/edit/${pier?.id}`)
    await read
    await owner.fillSite({ cost: 'Free' })
    await client.collection(SITES).delete(pier?.id ?? '')
    owner.expectMissing(SITES, pier?.id ?? '')
    await owner.saveSite()
    await expect(owner.alert).toContainText('This site was deleted on another device.')
    // The draft can also be added again later.
    await owner.backArrow.click()
    await owner.visit(`/site/edit/${pier?.id}`)
    await press(owner, 'Add it again as a new site')
    await expect(owner.field('Site name')).toHaveValue('Harbour Lane Pier')
    await press(owner, 'Start fresh')
    await owner.visit('/dashboard')
    await expect(owner.site('Harbour Lane Quay')).toBeVisible()
    await expect(owner.site('Harbour Lane Pier')).toHaveCount(0)
    // No draft of it is left.
    await expect(owner.page.getByRole('region', { name: 'Not finished' })).toHaveCount(0)
  })
})

test('each tab has its own new site, and the dashboard lists drafts @once', async ({ owner }) => {
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit('/site/add')
  await owner.fillSite({ name: 'First' })
  await expect(draftSaved(owner)).toBeVisible()
  const tab = await owner.openTab()
  await tab.visit('/site/add')
  await expect(tab.field('Site name')).toHaveValue('')
  await tab.fillSite({ name: 'Second' })
  await expect(draftSaved(tab)).toBeVisible()
  await owner.reload()
  await expect(owner.field('Site name')).toHaveValue('First')
  await owner.fillSite({ name: 'First of two' })
  await owner.follow('Cancel')
  await expect(owner.page.getByText('We kept your draft.')).toBeVisible()
  const unfinished = owner.page.getByRole('region', { name: 'Not finished' })
  await expect(unfinished).toContainText('Draft: First of two')
  await expect(unfinished).toContainText('Draft: Second')
  await owner.expectNoViolations()
  await press(owner, 'Discard: Second')
  await press(owner, 'Undo: Second')
  await expect(owner.page.getByRole('link', { name: 'Continue: Second' })).toBeFocused()
  await press(owner, 'Discard: First of two')
  await expect(unfinished).toContainText('Draft of First of two discarded.')
  await tab.page.close()
  await owner.follow('Continue: Second')
  await expect(owner.field('Site name')).toHaveValue('Second')
})

test('what two tabs typed about one site is kept @once', async ({ owner }) => {
  const [site] = await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
  const path = `/site/edit/${site?.id ?? ''}`
  await owner.visit(path)
  const tab = await owner.openTab()
  await tab.visit(path)
  await owner.fillSite({ name: 'Name of one tab' })
  await expect(draftSaved(owner)).toBeVisible()
  await tab.fillSite({ cost: 'Price of the other' })
  await expect(draftSaved(tab)).toBeVisible()
  await owner.page.close()

  const name = tab.field('Site name')
  await tab.reload()
  await expect(tab.field('Price')).toHaveValue('Price of the other')
  await expect(name).toHaveValue('Harbour Lane Quay')
  await tab.saveSite()
  await tab.expectPath('/dashboard')
  await tab.follow('Continue: Name of one tab')
  await expect(name).toHaveValue('Name of one tab')
  await expect(tab.field('Price')).toHaveValue('Price of the other')
})

test('a discarded draft of something new can be restored @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const undo = owner.page.getByRole('button', { name: en.actions.undo, exact: true })
  const business = owner.field(en.fields.businesses.name)

  await test.step('of a business', async () => {
    await owner.visit('/business/add')
    await business.fill('Harbour Lane Charging')
    await expect(draftSaved(owner)).toBeVisible()
    await owner.reload()
    await press(owner, en.drafts.startFresh)
    await expect(business).toHaveValue('')
    await undo.click()
    await expect(business).toHaveValue('Harbour Lane Charging')
  })

  await test.step('of a site, with its photos', async () => {
    await prepareBusiness(client)
    await owner.visit('/site/add')
    await keepPhoto(owner)
    await owner.fillSite({ name: 'First' })
    await owner.reload()
    await press(owner, en.drafts.startFresh)
    await expect(owner.field('Site name')).toHaveValue('')
    await expect(owner.photos).toHaveCount(0)
    await expect(owner.page.locator('form input').first()).toBeFocused()
    await owner.fillSite({ name: 'Second' })
    await expect(draftSaved(owner)).toBeVisible()
    await undo.click()
    await expect(owner.field('Site name')).toHaveValue('First')
    await expect(owner.photos).toHaveCount(1)
    await owner.visit('/dashboard')
    const unfinished = owner.page.getByRole('region', { name: en.dashboard.unfinished })
    await expect(unfinished).toContainText('Draft: First')
    await expect(unfinished).toContainText('Draft: Second')
  })
})

test('a new site is saved and duplicated @once', async ({ owner, stack }) => {
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  await owner.visit('/site/add')
  await owner.fillSite({ ...QUAY, contactPhone: '+44 28 7000 0000' })
  // By power, whatever the order of entry.
  for (const preset of ['Type 2 · 22', 'CCS2 · 50', 'CCS2 · 150'])
    await owner.addPreset(`${preset}\u00A0kW`)
  await expect(owner.field(en.fields.sites.vehicle_capacity)).toHaveValue('3')
  await expect(owner.page.getByRole('button', { name: 'Use “' })).toHaveCount(0)
  await owner.field(en.fields.sites.cost).fill('')
  await press(owner, 'Use “£0.45 / kWh”')
  await press(owner, en.site.addAnother)
  await expect(owner.field(en.fields.sites.name)).toHaveValue('')
  await owner.expectPath('/site/add')
  await expect(owner.field(en.fields.sites.latitude)).toHaveValue('')
  await expect(owner.field(en.fields.sites.cost)).toHaveValue('£0.45 / kWh')
  await expect(owner.field(en.fields.sites.contact_phone)).toHaveValue('+44 28 7000 0000')
  await expect(owner.summaries).toContainText(['150', '50', '22'])
  const inLyon = { address: '1 Quai Rambaud, Lyon', latitude: '45.7578', longitude: '4.832' }
  await owner.fillSite({ ...inLyon, name: 'Harbour Lane Pier' })
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  for (const name of [QUAY.name, 'Harbour Lane Pier'])
    await expect(owner.plugsOf(owner.site(name))).toContainText(['150', '50', '22'])
  const stored = readStored(stack, owner.person.email)
  // The second site did not inherit values derived from the first position.
  const zones = await client.collection(SITES).getFullList({ fields: 'time_zone', sort: 'created' })
  expect(zones).toEqual([{ time_zone: 'Europe/London' }, { time_zone: 'Europe/Paris' }])
  expect(await stored.connectors()).toHaveLength(6)
  await owner.openSite('Harbour Lane Pier')
  await expect(owner.page.getByRole('main')).toContainText('Harbour Lane Pier')
})

test('"Keep this version" keeps what was typed after the conflict was found @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Quay')
  const subscribed = owner.page.waitForResponse(
    (response) => response.url().endsWith(API.realtime) && response.request().method() === 'POST',
  )
  await owner.visit(`/site/edit/${site?.id}`)
  await subscribed
  await owner.fillSite({ name: 'North' })
  await client.collection(SITES).update(site?.id ?? '', { name: 'South' })
  const told = owner.page.getByRole('status').filter({ hasText: 'Changed on another device' })
  await expect(told).toContainText('South')
  await owner.fillSite({ name: 'North Quay of Portrush' })
  await told.getByRole('button', { name: en.drafts.keepMine }).click()
  await expect(owner.field('Site name')).toHaveValue('North Quay of Portrush')
})
