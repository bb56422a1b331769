import { CHANGES_PER_PAGE } from '#domain/change.ts'
import { CHANGES, CONNECTORS, SITES, TARIFFS } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import { en } from '../support/english.ts'
import { connectorBody, tariffBody } from '../support/owner.ts'
import { PATHS } from '../../web/paths.ts'
import { prepareChain } from './chain.ts'
import { expect, test } from './driver.ts'
import { prepareMany, prepareSites } from './prepare.ts'

const { history } = en

test('the history of a site: authors, changes, and reverting them @once', async ({ owner }) => {
  const client = await owner.comeSignedIn({ name: 'Ada Byron' })
  const [site] = await prepareChain(client)
  const id = site?.id ?? ''
  const sites = client.collection(SITES)
  await sites.update(id, { contact_phone: '+44 1', cost: 'Free' })
  const { page } = owner
  const phoneOf = async () => (await sites.getOne(id))['contact_phone'] as string

  await owner.visit('/dashboard')
  await owner.openMenu('Harbour Lane Quay')
  await page.getByRole('menuitem', { name: en.titles.changes }).click()
  await owner.expectTitle(en.titles.changes)
  const updated = history.site.update('Ada Byron', 'Harbour Lane Quay')
  // The oldest one, because reverting adds rows above it.
  const row = page.getByRole('listitem').filter({ hasText: updated }).last()
  await expect(row).toContainText('+44 28 7000 0000')
  await expect(row).toContainText('+44 1')
  await expect(row).toContainText(en.fields.sites.contact_phone)
  const added = history.site.create('Ada Byron', 'Harbour Lane Quay')
  await expect(page.getByText(added)).toBeVisible()
  await expect(page.getByText(history.site.create('Ada Byron', 'Strand Rooms'))).toHaveCount(0)

  await test.step('reverts to the former values, and undoes the revert', async () => {
    // The sentence is the same for all changes of the site: the buttons also name the fields and the time.
    const ownName = new RegExp(`${updated}, .*${en.fields.sites.contact_phone}.*, \\d+:\\d\\d`)
    const putBack = row.getByRole('button', { name: history.putBack })
    await expect(putBack).toHaveAccessibleName(ownName)
    await putBack.click()
    await expect(row).toContainText(history.done)
    expect(await phoneOf()).toBe('+44 28 7000 0000')
    // Each button replaces the one that was pressed, also for the keyboard.
    const undo = row.getByRole('button', { name: en.actions.undo })
    await expect(undo).toBeFocused()
    await expect(undo).toHaveAccessibleName(ownName)
    await page.keyboard.press('Enter')
    await expect.poll(phoneOf).toBe('+44 1')
    await expect(row.getByRole('button', { name: history.putBack })).toBeFocused()
    // The newest row is the undo; the row below it is the reverted change.
    await expect(page.getByRole('listitem').filter({ hasText: updated })).toHaveCount(3)
  })

  await test.step('asks for confirmation if the value has changed since', async () => {
    await sites.update(id, { contact_phone: '+44 3' })
    await row.getByRole('button', { name: history.putBack }).click()
    await expect(owner.dialog).toContainText(history.conflictTitle)
    await expect(owner.dialog).toContainText('+44 3')
    expect(await phoneOf()).toBe('+44 3')
    await owner.dialog.getByRole('button', { name: history.putBack }).click()
    await expect(row).toContainText(history.done)
    expect(await phoneOf()).toBe('+44 28 7000 0000')
  })

  await test.step('restores a deleted site with its connectors', async () => {
    const before = await sites.getOne(id)
    for (const { id: connector } of await client
      .collection(CONNECTORS)
      .getFullList({ filter: `site = "${id}"` }))
      await client.collection(CONNECTORS).delete(connector)
    await sites.delete(id)
    await owner.visit(`/changes?site=${id}`)
    const deleted = history.site.delete('Ada Byron', 'Harbour Lane Quay')
    const gone = page.getByRole('listitem').filter({ hasText: deleted })
    await gone.getByRole('button', { name: history.putBack }).click()
    // Screen readers read the text of the dialog, not only its title.
    await expect(owner.dialog).toHaveAccessibleDescription(history.restore)
    await owner.dialog.getByRole('button', { name: history.putBack }).click()
    await expect(gone).toContainText(history.done)
    const { name, address, cost, vehicle_capacity: capacity } = await sites.getOne(id)
    expect({ name, address, cost, capacity }).toEqual({
      name: before['name'] as string,
      address: before['address'] as string,
      cost: before['cost'] as string,
      capacity: before['vehicle_capacity'] as number,
    })
    const connectors = await client.collection(CONNECTORS).getFullList({ filter: `site = "${id}"` })
    expect(connectors).toHaveLength(6)

    // Undone and put back again, it is not deleted later. Leaving the page would send a pending delete.
    await gone.getByRole('button', { name: en.actions.undo }).click()
    await gone.getByRole('button', { name: history.putBack }).click()
    await owner.dialog.getByRole('button', { name: history.putBack }).click()
    await expect(gone).toContainText(history.done)
    await owner.visit('/account')
    await owner.visit('/dashboard')
    await expect(page.getByRole('link', { name: 'Harbour Lane Quay' }).first()).toBeVisible()
    expect((await sites.getOne(id)).id).toBe(id)
  })
})

test('on a slow connection the history can be requested again, and a pending revert is shown as such @once', async ({
  owner,
}) => {
  const { page } = owner
  await owner.takeTheClock()
  const client = await owner.comeSignedIn({ name: 'Ada Byron' })
  const [site] = await prepareSites(client, 'Quay')
  const id = site?.id ?? ''
  await client.collection(SITES).update(id, { cost: 'Free' })

  const release = await owner.holdAnswers(API.records(CHANGES))
  const requested = page.waitForRequest((request) => request.url().includes(API.records(CHANGES)))
  await owner.visit(PATHS.changes)
  await requested
  await owner.passTime('00:09')
  await expect(page.getByText(en.dashboard.slow)).toBeVisible()
  await page.getByRole('button', { name: en.actions.retry }).click()
  await release()
  // By its id, because the revert adds a first row with the same text.
  const first = page
    .getByRole('listitem')
    .filter({ hasText: history.site.update('Ada Byron', 'Quay') })
    .first()
  const row = page.locator(`[id="${await first.getAttribute('id')}"]`)

  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**${API.record(SITES, id)}?*`, async (route) => {
    if (route.request().method() === 'PATCH') await promise
    await route.fallback()
  })
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  const putBack = row.getByRole('button', { name: history.putBack })
  await putBack.click()
  await sent
  await expect(putBack).toHaveAttribute('aria-disabled', 'true')
  await expect(putBack).toBeFocused()
  resolve()
  await expect(row).toContainText(history.done)
})

test('a revert asks about changes of other devices that the page has not heard of @once', async ({
  owner,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn({ name: 'Ada Byron' })
  const [site] = await prepareSites(client, 'Quay')
  const connector = await client
    .collection(CONNECTORS)
    .create({ ...connectorBody(site?.id ?? ''), kw_rating: 50 })
  const tariff = await client
    .collection(TARIFFS)
    .create({ ...tariffBody(site?.['business'] as string), name: 'Night' })
  await client.collection(CONNECTORS).update(connector.id, { kw_rating: 75 })
  await client.collection(TARIFFS).update(tariff.id, { name: 'Evening' })
  await page.context().route(`**${API.realtime}`, () => {})
  await owner.visit(PATHS.changes)
  const rowOf = (change: RegExp) => page.getByRole('listitem').filter({ hasText: change }).first()
  await expect(rowOf(/50.*75/)).toBeVisible()
  await client.collection(CONNECTORS).update(connector.id, { kw_rating: 100 })
  await client.collection(TARIFFS).update(tariff.id, { name: 'Weekend' })
  for (const change of [/50.*75/, /Night.*Evening/]) {
    await rowOf(change).getByRole('button', { name: history.putBack }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name: en.actions.cancel }).click()
  }
  expect(await client.collection(CONNECTORS).getOne(connector.id)).toMatchObject({ kw_rating: 100 })
  expect(await client.collection(TARIFFS).getOne(tariff.id)).toMatchObject({ name: 'Weekend' })
})

test('the history formats days for the reader @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareChain(client)
  await client.collection(SITES).update(site?.id ?? '', { confirmed: '2026-09-02 07:30:00.000Z' })
  await owner.visit(PATHS.changes)
  const said = owner.page
    .getByRole('listitem')
    .filter({ hasText: en.fields.sites.confirmed })
    .first()
  await expect(said).toContainText(/2 Sep.* 2026, \d\d:30|Sep.* 2, 2026, \d+:30/)
  await expect(said).not.toContainText('000Z')
})

test('the history loads page by page, also by keyboard @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareChain(client)
  const batch = client.createBatch()
  for (let count = 1; count <= 60; count += 1)
    batch.collection(SITES).update(site?.id ?? '', { cost: `Price ${count}` })
  await batch.send()
  await owner.visit(`/changes?site=${site?.id}`)
  await expect(owner.page.getByRole('listitem')).toHaveCount(50)
  await expect(owner.page.getByText('Price 1', { exact: true })).toHaveCount(0)
  await owner.page.getByRole('button', { name: history.more }).press('Enter')
  // The site itself, its six connectors, and 60 changes.
  await expect(owner.page.getByRole('listitem')).toHaveCount(67)
  await expect(owner.page.getByRole('listitem').nth(50)).toBeFocused()
})

test('a bulk update is one row, shows its sites, and is reverted as a whole @once', async ({
  owner,
  stack,
}) => {
  const COUNT = 120
  const client = await owner.comeSignedIn({ name: 'Ada Byron' })
  await prepareMany(stack, client, COUNT)
  const sites = client.collection(SITES)
  const all = await sites.getFullList({ sort: 'name' })
  const [changed] = all
  await sites.update(changed?.id ?? '', { cost: 'Before' })
  const updatePhones = async (some: typeof all) => {
    const batch = client.createBatch()
    for (const { id } of some) batch.collection(SITES).update(id, { contact_phone: '+44 2' })
    await batch.send({ headers: { 'Correlation-Id': 'bulk' } })
  }
  await updatePhones(all.slice(0, 70))
  const { page } = owner
  const phones = async () =>
    Map.groupBy(await sites.getFullList(), (site) => site['contact_phone'] as string)
  // Without events, the page knows only what it has read.
  await page.context().route(`**${API.realtime}`, () => {})
  await owner.visit('/changes')
  const label = en.fields.sites.contact_phone
  const rowOf = (count: number) =>
    page
      .getByRole('listitem')
      .filter({ hasText: history.bulkUpdate('Ada Byron', label, history.ofSites(count)) })
  await expect(rowOf(70)).toHaveCount(1)

  await test.step('while the rest of it is still being stored', async () => {
    await updatePhones(all.slice(70))
    await sites.update(changed?.id ?? '', { contact_phone: '+44 3' })
    // Earlier changes are on the same page.
    const earlier = page.getByRole('listitem').filter({ hasText: 'after: Before' })
    await earlier.getByRole('button', { name: history.putBack }).click()
    await expect(rowOf(COUNT)).toHaveCount(1)
    await expect(rowOf(70)).toHaveCount(0)
  })
  const row = rowOf(COUNT)

  await test.step('its sites', async () => {
    await row.getByText(history.showSites).click()
    await expect(row.getByRole('listitem')).toHaveCount(CHANGES_PER_PAGE)
    await row.getByRole('button', { name: history.more }).click()
    await expect(row.getByRole('listitem')).toHaveCount(2 * CHANGES_PER_PAGE)
    await row.getByRole('button', { name: history.more }).press('Enter')
    await expect(row.getByRole('listitem')).toHaveCount(COUNT)
    await expect(row.getByRole('listitem').nth(2 * CHANGES_PER_PAGE)).toBeFocused()
    await expect(row.getByRole('button', { name: history.more })).toHaveCount(0)
    await expect(row.getByText(history.site.update('Ada Byron', 'Station 77'))).toBeVisible()
    await owner.expectNothingCut('the sites of a bulk update')
    await row.getByText(history.showSites).click()
    await expect(row.getByRole('listitem')).toHaveCount(0)
  })

  await row.getByRole('button', { name: history.putBack }).click()
  await expect(owner.dialog).toContainText(history.bulkTitle(COUNT))
  await owner.dialog.getByRole('button', { name: history.putBack }).click()
  await expect.poll(async () => (await phones()).get('')?.length).toBe(COUNT - 1)
  // The site that was changed later keeps its value.
  expect((await phones()).get('+44 3')).toHaveLength(1)
  const reverted = history.bulkUpdate('Ada Byron', label, history.ofSites(COUNT - 1))
  await expect(page.getByText(reverted)).toBeVisible()
})

test('the changes to sites when a price is deleted are one row @once', async ({ owner, stack }) => {
  // More sites than a single request updates.
  const COUNT = 120
  const client = await owner.comeSignedIn({ name: 'Ada Byron' })
  await prepareMany(stack, client, COUNT)
  const all = await client.collection(SITES).getFullList()
  const tariffs = client.collection(TARIFFS)
  const { id: tariff } = await tariffs.create(tariffBody(all[0]?.['business'] as string))
  for (const some of [all.slice(0, 60), all.slice(60)]) {
    const batch = client.createBatch()
    for (const { id } of some) batch.collection(SITES).update(id, { tariff })
    await batch.send({ headers: { 'Correlation-Id': 'set' } })
  }
  const { page } = owner
  await owner.visit('/prices')
  await page.getByRole('button', { name: en.tariffs.menu('Standard') }).click()
  await page.getByRole('menuitem', { name: en.actions.delete }).click()
  await owner.dialog.getByRole('button', { name: en.tariffs.replace }).click()
  await expect.poll(async () => (await tariffs.getFullList()).length, { timeout: 30_000 }).toBe(0)
  await owner.visit('/changes')
  const row = history.bulkUpdate('Ada Byron', en.fields.sites.tariff, history.ofSites(COUNT))
  // One row from the delete, one from the setup of this test.
  await expect(page.getByRole('listitem').filter({ hasText: row })).toHaveCount(2)
})
