import { CONNECTORS, SITES, TARIFFS } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import { en } from '../support/english.ts'
import { connectorBody, siteBody, tariffBody } from '../support/owner.ts'
import { expect, test, type Locator } from './driver.ts'
import { prepareBusiness, prepareSites } from './prepare.ts'

// Optional data of a site: collapsible sections, charge points, publication.

const SECTIONS = en.site.sections
const CCS = { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'DC', kw_rating: 150 }
const CHADEMO = { standard: 'CHADEMO', format: 'CABLE', current_type: 'DC', kw_rating: 50 }

test('a section summarises its content, and opens if it has an error @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const more = owner.page.getByRole('button', { name: SECTIONS.more.title })
  const height = owner.page.getByLabel(en.fields.sites.max_height_m)

  await test.step('it is closed until it is opened', async () => {
    await owner.visit(`/site/edit/${site?.id}`)
    await expect(more).toContainText(SECTIONS.more.hint)
    await expect(more).toHaveAttribute('aria-expanded', 'false')
    await more.focus()
    await owner.page.keyboard.press('Enter')
    await expect(height).toBeVisible()
    await owner.page.getByLabel(en.fields.sites.access).selectOption('PUBLIC')
    await owner.page.getByLabel(en.choices.facilities.WIFI).check()
    await height.fill('2,1')
    await expect(more).toContainText(/Everybody .* 2,1\u00a0m/)
  })

  await test.step('an error opens it', async () => {
    await height.fill('99')
    // The draft is restored into a closed section.
    await owner.reload()
    await expect(more).toContainText(/Everybody .* 99/)
    await expect(height).toBeHidden()
    await owner.saveSite()
    await expect(height).toBeFocused()
    await height.fill('2.1')
    await owner.saveSite()
    await owner.expectPath('/dashboard')
    const stored = await client.collection(SITES).getOne(site?.id ?? '')
    expect(stored).toMatchObject({ access: 'PUBLIC', facilities: ['WIFI'], max_height_m: 2.1 })
  })
})

test('a closed section opens for an error of the server and for a conflict @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const id = site?.id ?? ''
  const { page } = owner
  const heading = (section: keyof typeof SECTIONS) =>
    page.getByRole('button', { name: SECTIONS[section].title })
  const draftIsKept = () => expect(page.getByText(/^Draft saved \d/)).toBeVisible()
  await owner.loseLiveUpdates()
  await owner.visit(`/site/edit/${id}`)

  await test.step('hours that lack a time, which only the server refuses', async () => {
    await heading('hours').click()
    const monday = page.getByRole('group', { name: 'Monday', exact: true })
    await monday.getByRole('button', { name: en.hoursEditor.addHours }).click()
    const end = monday.getByLabel(en.hoursEditor.end('Monday'))
    await end.fill('')
    await draftIsKept()
    // The draft is restored into a closed section.
    await owner.reload()
    await expect(heading('hours')).toHaveAttribute('aria-expanded', 'false')
    owner.expectFailureAt(API.record(SITES, id))
    await owner.saveSite()
    await expect(heading('hours')).toHaveAttribute('aria-expanded', 'true')
    await expect(monday.getByLabel(en.hoursEditor.begin('Monday'))).toBeFocused()
    await expect(monday.getByText(en.hoursEditor.missingTime)).toBeVisible()
    await end.fill('18:00')
  })

  await test.step('a choice that differs from another device’s', async () => {
    const access = owner.field(en.fields.sites.access)
    await heading('more').click()
    await access.selectOption('PUBLIC')
    await draftIsKept()
    await owner.reload()
    await expect(page.getByText(en.drafts.keptText)).toBeVisible()
    await expect(heading('more')).toHaveAttribute('aria-expanded', 'false')
    await client.collection(SITES).update(id, { access: 'CUSTOMERS' })
    owner.expectFailureAt(API.record(SITES, id))
    await owner.saveSite()
    await expect(heading('more')).toHaveAttribute('aria-expanded', 'true')
    const keep = en.about(en.drafts.keepMine, en.fields.sites.access)
    await expect(page.getByRole('button', { name: keep })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(access).toHaveValue('PUBLIC')
  })

  await owner.saveSite()
  await owner.expectPath('/dashboard')
  expect(await client.collection(SITES).getOne(id)).toMatchObject({
    access: 'PUBLIC',
    opening_hours: { regular_hours: [{ period_begin: '08:00', period_end: '18:00' }] },
  })
})

test('connectors share a charge point, by keyboard, and get their own again @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  const business = await prepareBusiness(client)
  const site = await client.collection(SITES).create({ ...siteBody(business.id), name: 'Quay' })
  for (const plug of [CCS, CHADEMO, CCS, CHADEMO])
    await client.collection(CONNECTORS).create({ ...plug, site: site.id })
  const evses = async () => {
    const all = await client.collection(CONNECTORS).getFullList({ sort: 'evse,standard' })
    return all.map(({ evse, standard }) => `${String(evse)} ${String(standard)}`.trim())
  }
  const points = owner.page.getByRole('list', { name: en.connectors.chargePointsTitle })
  await owner.visit(`/site/edit/${site.id}`)
  await expect(owner.connectors).toHaveCount(2)

  await test.step('equal numbers of both kinds make pairs', async () => {
    await owner.summaryOf(2).press('Enter')
    const point = owner.page.getByLabel(en.fields.connectors.evse, { exact: true })
    await point.focus()
    await point.selectOption({ label: 'Shared with connector 1: 2 × CCS2 150 kW' })
    await expect(points).toContainText(
      '2 charge points: CCS2 150 kW + CHAdeMO 50 kW, one at a time',
    )
    await expect(point).toBeFocused()
    await expect(owner.connectors).toHaveCount(2)
  })

  await test.step('four vehicles at two charge points cause a question', async () => {
    await owner.field(en.fields.sites.vehicle_capacity).fill('4')
    await expect(owner.page.getByText(/with 2 charge points. Is that right/)).toBeVisible()
    await owner.field(en.fields.sites.vehicle_capacity).fill('2')
    await expect(owner.page.getByText(/Is that right/)).toBeHidden()
    await owner.saveSite()
    await owner.expectPath('/dashboard')
    expect(await evses()).toEqual([
      '1 CHADEMO',
      '1 IEC_62196_T2_COMBO',
      '2 CHADEMO',
      '2 IEC_62196_T2_COMBO',
    ])
  })

  await test.step('each connector has its own charge point again', async () => {
    await owner.openSite('Quay')
    await points.getByRole('button').press('Enter')
    await expect(points).toBeHidden()
    await owner.saveSite()
    await owner.expectPath('/dashboard')
    expect((await evses()).filter((each) => /^\d/.test(each))).toEqual([])
  })
})

test('a site shows whether it is public and how travellers see it, and can be confirmed @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const { id: tariff } = await client
    .collection(TARIFFS)
    .create(tariffBody(String(site?.['business'])))
  await client.collection(SITES).update(site?.id ?? '', { tariff })
  await owner.visit('/dashboard')
  await expect(owner.site('Harbour Lane Quay')).toContainText(en.publication.public)
  await owner.openSite('Harbour Lane Quay')
  await expect(owner.page.getByText(en.publication.public, { exact: true })).toBeVisible()

  const opened = owner.page.waitForEvent('popup')
  await owner.page.getByRole('link', { name: en.site.preview }).click()
  const page = await opened
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour Lane Quay')
  await expect(page.getByRole('main')).toContainText('per kWh')
  await page.close()

  await owner.page.getByRole('button', { name: en.site.confirm }).click()
  await expect(owner.page.getByText(/^Confirmed by you on/)).toBeVisible()
  await expect
    .poll(async () => (await client.collection(SITES).getOne(site?.id ?? ''))['confirmed'])
    .toMatch(/^20\d\d-/)
  // A confirmation counts neither as a change of the form nor as a conflict.
  await expect(owner.page.getByText(en.drafts.choose)).toBeHidden()

  await owner.page.getByRole('button', { name: SECTIONS.more.title }).click()
  await owner.page.getByRole('switch', { name: en.fields.sites.published }).uncheck()
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  await expect(owner.site('Harbour Lane Quay')).toContainText(en.publication.unpublished)

  await owner.openSite('Harbour Lane Quay')
  await owner.page.getByRole('button', { name: en.site.preview }).click()
  const preview = owner.page.getByRole('dialog')
  await expect(preview.getByRole('heading', { level: 3 })).toHaveText('Harbour Lane Quay')
  await expect(preview).toContainText('150 kW')
  await owner.page.keyboard.press('Escape')
  await expect(preview).toBeHidden()
})

test.describe('hours and price', () => {
  // Times of the day in the form 22:00.
  test.use({ locale: 'en-GB' })

  test('the card of a site updates when it opens and closes, and shows what charging costs @once', async ({
    owner,
  }) => {
    const client = await owner.comeSignedIn()
    const [site] = await prepareSites(client, 'Harbour Lane Quay')
    const id = site?.id ?? ''
    const { id: tariff } = await client
      .collection(TARIFFS)
      .create(tariffBody(String(site?.['business'])))
    const daily = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      weekday,
      period_begin: '06:00',
      period_end: '22:00',
    }))
    await client.collection(SITES).update(id, {
      tariff,
      published: false,
      time_zone: 'Asia/Tokyo',
      opening_hours: { twentyfourseven: false, regular_hours: daily },
    })
    // 21:50 in Tokyo.
    await owner.takeTheClock(new Date().setUTCHours(12, 50, 0, 0))
    await owner.visit(`/site/edit/${id}`)
    await owner.page.getByRole('button', { name: en.site.preview }).click()
    const card = owner.page.getByRole('dialog').getByRole('article')
    await expect(card).toContainText('Open now until 22:00')
    // It replaces a status with the same meaning.
    await expect(card.getByText(en.status.AVAILABLE, { exact: true })).toHaveCount(0)
    await expect(card).toContainText('€0.59 per kWh')
    await expect(card).toContainText('20 kWh in 40 minutes: €11.80')
    await owner.passTime('15:00')
    await expect(card).toContainText('Closed now, opens at 06:00')
    await owner.passTime('08:00:00')
    await expect(card).toContainText('Open now until 22:00')

    const night = await client.collection(TARIFFS).create({
      ...tariffBody(String(site?.['business'])),
      name: 'Slow',
      elements: [{ price_components: [{ type: 'ENERGY', price: 0.39, step_size: 1 }] }],
    })
    await client.collection(CONNECTORS).create({
      ...connectorBody(id),
      standard: 'IEC_62196_T2',
      current_type: 'AC_3_PHASE',
      kw_rating: 22,
      tariff: night.id,
    })
    await expect(card).toContainText(
      'CCS2 150 kW€0.59 per kWhFor example 20 kWh in 40 minutes: €11.80',
    )
    await expect(card).toContainText(
      'Type 2 22 kW€0.39 per kWhFor example 20 kWh in 60 minutes: €7.80',
    )

    await client.collection(SITES).update(id, { status: 'OUTOFORDER' })
    await expect(card).toContainText(en.status.OUTOFORDER)
    await expect(card).not.toContainText('Open now')
  })
})

test('the owner of four plugs adds a site with opening hours and a price in a few taps', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  await owner.standAt({ latitude: 55.2044, longitude: -6.6531 })
  await owner.visit('/site/add')
  let taps = 0
  const tap = async (target: Locator): Promise<void> => {
    taps += 1
    await target.click()
  }
  const type = async (target: Locator, text: string): Promise<void> => {
    await tap(target)
    await target.fill(text)
  }
  const labels = en.fields.sites
  const button = (name: string) => owner.page.getByRole('button', { name })

  await type(owner.field(labels.address), '12 Quay Street, Portrush')
  await tap(button(en.site.useLocation))
  await expect(owner.field(labels.latitude)).toHaveValue('55.2044')
  await type(owner.field(labels.name), 'Harbour Lane Quay')
  for (let plugs = 0; plugs < 4; plugs += 1)
    await tap(button(en.connectors.presetLabel('CCS2 · 150 kW')))
  await type(owner.field(labels.cost), '£0.59 / kWh')
  await tap(button(SECTIONS.hours.title))
  await tap(owner.page.getByRole('switch', { name: en.hoursEditor.always }))
  await expect(button(SECTIONS.hours.title)).toContainText(en.hours.always)
  await tap(button(en.site.add))
  await owner.expectPath('/dashboard')

  console.log(`A site with four plugs, opening hours and a price: ${taps} taps, 3 texts`)
  expect(taps).toBeLessThanOrEqual(12)
  const [site] = await client.collection(SITES).getFullList()
  expect(site).toMatchObject({ cost: '£0.59 / kWh', opening_hours: { twentyfourseven: true } })
  expect(await client.collection(CONNECTORS).getFullList()).toHaveLength(4)
})
