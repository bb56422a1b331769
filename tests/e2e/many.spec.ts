import { readFile } from 'node:fs/promises'
import { API } from '#domain/paths.ts'
import { BUSINESSES, SITES, TARIFFS } from '#domain/collection.ts'
import type { Site } from '#domain/site.ts'
import { en } from '../support/english.ts'
import { tariffBody } from '../support/owner.ts'
import { expect, test, type Locator, type Owner } from './driver.ts'
import { prepareMany, prepareSites } from './prepare.ts'
import { SCREENS } from './screens.ts'
import { readStored } from './stored.ts'

const text = en.many
const OUT_OF_ORDER = en.status.OUTOFORDER

/** Hundreds of sites take a while on a busy machine. */
const LONG = { timeout: 90_000 }

const button = (owner: Owner, name: string): Locator =>
  owner.page.getByRole('button', { name, exact: true })

const beginToChoose = (owner: Owner): Promise<void> => button(owner, en.dashboard.choose).click()

/** Opens the dialog that sets a field of the selected sites. */
const openFor = async (owner: Owner, count: number, field: string): Promise<Locator> => {
  await button(owner, text.title(count)).click()
  await owner.page.getByRole('menuitem', { name: field, exact: true }).click()
  return owner.page.getByRole('dialog', { name: text.title(count) })
}

const sendFrom = async (dialog: Locator, count: number): Promise<void> => {
  await dialog.getByRole('button', { name: text.set(count) }).click()
  await expect(dialog).toHaveCount(0)
}

/** Sets a field of the selected sites. */
const setFor = async (owner: Owner, count: number, field: string, value: string): Promise<void> => {
  const dialog = await openFor(owner, count, field)
  const control = dialog.getByLabel(field)
  await expect(control).toBeFocused()
  const isChoice = await control.evaluate((element) => element instanceof HTMLSelectElement)
  if (isChoice) await control.selectOption(value)
  else await control.fill(value)
  await sendFrom(dialog, count)
}

/** Drops the second batch of a bulk update. */
const loseSecondBatch = async ({ page }: Owner): Promise<void> => {
  let count = 0
  await page.route(`**${API.batch}`, async (route) => {
    count += 1
    if (count !== 2) await route.fallback()
  })
}

test('sites selected by click and shift-click are changed together, and the change is undone @once', async ({
  owner,
  stack,
}) => {
  await owner.page.setViewportSize(SCREENS.phone)
  const client = await owner.comeSignedIn()
  await prepareSites(client, 'Quay', 'Pier', 'Dock', 'Gate')
  const stored = readStored(stack, owner.person.email)
  const statuses = async () => (await stored.sites()).map(({ name, status }) => [name, status])
  await owner.visit('/dashboard')
  await beginToChoose(owner)
  await owner.checkboxOf('Quay').click()
  await owner.checkboxOf('Gate').click({ modifiers: ['Shift'] })
  await expect(owner.page.getByText(text.chosen(4))).toBeVisible()
  await owner.checkboxOf('Pier').click()
  await setFor(owner, 3, en.fields.sites.status, OUT_OF_ORDER)

  await expect(owner.page.getByText(text.done(3))).toBeVisible()
  await expect(owner.site('Quay')).toContainText(OUT_OF_ORDER)
  await expect(owner.site('Pier')).not.toContainText(OUT_OF_ORDER)
  await owner.expectSoon(statuses, [
    ['Dock', 'OUTOFORDER'],
    ['Gate', 'OUTOFORDER'],
    ['Pier', 'AVAILABLE'],
    ['Quay', 'OUTOFORDER'],
  ])
  await owner.expectNothingCut('three of four chosen')
  await owner.page.setViewportSize(SCREENS.desktop)
  await owner.expectNothingCut('three of four chosen, wide')

  await owner.undo()
  await expect(owner.page.getByText(text.undone)).toBeVisible()
  await expect(owner.site('Quay')).not.toContainText(OUT_OF_ORDER)
  await owner.expectSoon(
    async () => new Set((await stored.sites()).map(({ status }) => status)),
    new Set(['AVAILABLE']),
  )
})

test('the list stays where it is while sites are selected and changed @once', async ({ owner }) => {
  const { page } = owner
  const names = Array.from({ length: 24 }, (_, index) => `Quay ${index + 10}`)
  await prepareSites(await owner.comeSignedIn(), ...names)
  await page.setViewportSize({ width: 1440, height: 900 })
  await owner.visit('/dashboard')
  await beginToChoose(owner)
  const topOf = async (name: string) => Math.round((await owner.site(name).boundingBox())?.y ?? 0)
  const before = await topOf('Quay 10')
  await owner.checkboxOf('Quay 10').click()
  await expect(page.getByText(text.chosen(1))).toBeVisible()
  expect(await topOf('Quay 10'), 'after the first is selected').toBe(before)

  await page.evaluate(() => scrollTo(0, 0))
  const scroll = () => page.evaluate(() => Math.round(scrollY))
  // Presses without the scrolling into view that clicks of Playwright do.
  const press = (locator: Locator) => locator.dispatchEvent('click')
  const change = button(owner, text.title(1))
  await change.focus()
  await page.keyboard.press('Enter')
  await press(page.getByRole('menuitem', { name: en.fields.sites.status, exact: true }))
  const dialog = page.getByRole('dialog', { name: text.title(1) })
  await expect(dialog.getByLabel(en.fields.sites.status)).toBeFocused()
  expect(await scroll(), 'when the dialog has opened').toBe(0)
  await dialog.getByLabel(en.fields.sites.status).selectOption(OUT_OF_ORDER)
  await press(dialog.getByRole('button', { name: text.set(1) }))
  await expect(change).toBeFocused()
  expect(await scroll(), 'when the dialog has closed').toBe(0)
})

test('a selection is kept while its user visits other screens, until it is ended @once', async ({
  owner,
}) => {
  await prepareSites(await owner.comeSignedIn(), 'Quay', 'Pier', 'Dock')
  await owner.visit('/dashboard')
  await beginToChoose(owner)
  await owner.checkboxOf('Quay').click()
  await owner.checkboxOf('Dock').click()
  await owner.follow(en.dashboard.addSite)
  await owner.expectTitle(en.titles.addSite)
  await owner.backArrow.click()
  await expect(owner.page.getByText(text.chosen(2))).toBeVisible()
  await expect(owner.checkboxOf('Dock')).toBeChecked()
  await expect(owner.checkboxOf('Pier')).not.toBeChecked()
  await button(owner, text.end).click()
  await owner.follow(en.dashboard.addSite)
  await owner.expectTitle(en.titles.addSite)
  await owner.backArrow.click()
  await expect(owner.site('Quay')).toBeVisible()
  await expect(owner.checkboxOf('Quay')).toHaveCount(0)
})

test('sites are selected by filter, and a change continues after a reload @once', async ({
  owner,
  stack,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  await prepareMany(stack, client, 1500)
  const prices = async () => {
    const sites = await readStored(stack, owner.person.email).sites()
    return {
      set: sites.filter(({ cost }) => cost === '0.59').length,
      others: sites.filter(({ cost, status }) => cost === '0.59' && status !== 'OUTOFORDER').length,
    }
  }
  await owner.visit('/dashboard?status=OUTOFORDER')
  await beginToChoose(owner)
  await button(owner, text.all(300)).click()
  await expect(page.getByText(text.chosen(300))).toBeVisible()
  await loseSecondBatch(owner)
  await setFor(owner, 300, en.fields.sites.cost, '0.59')
  await expect(page.getByText(text.progress(100, 300))).toBeVisible()
  expect(await prices()).toEqual({ set: 100, others: 0 })

  await owner.reload()
  await expect(page.getByText(en.about(en.fields.sites.cost, text.done(300)))).toBeVisible()
  expect(await prices()).toEqual({ set: 300, others: 0 })
  await owner.undo()
  await owner.expectSoon(prices, { set: 0, others: 0 })
})

test('the opening hours of one site are set for many, continue after a reload, and are undone @once', async ({
  owner,
  stack,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  await prepareMany(stack, client, 300)
  const { id } = await client.collection(BUSINESSES).getFirstListItem('')
  await stack.sql`
    update sites set
      time_zone = case name when 'Station 1' then 'Europe/London' else 'Europe/Paris' end,
      opening_hours = case when name like '%7' then '{"twentyfourseven": true}' else 'null' end::jsonb
    where business = ${id}`
  const { hoursEditor: words } = en
  const sites = () => client.collection(SITES).getFullList<Site>({ fields: 'name,opening_hours' })
  const hoursIn = async () => (await sites()).map((site) => site.opening_hours)
  const former = await hoursIn()
  await owner.visit('/dashboard')
  await beginToChoose(owner)
  await button(owner, text.all(300)).click()
  const field = en.fields.sites.opening_hours
  const dialog = await openFor(owner, 300, field)

  await test.step('opening hours are entered, and refused while incomplete', async () => {
    await expect(dialog.getByRole('switch')).toBeFocused()
    await expect(dialog).toContainText(text.mixed)
    const monday = dialog.getByRole('group', { name: 'Monday' })
    await monday.getByRole('button', { name: words.addHours }).click()
    await monday.getByLabel(words.end('Monday')).fill('')
    await dialog.getByRole('button', { name: text.set(300) }).click()
    await expect(monday.getByText(words.missingTime)).toBeVisible()
    await expect(monday.getByLabel(words.begin('Monday'))).toBeFocused()
    await monday.getByLabel(words.end('Monday')).fill('22:00')
    await monday.getByRole('button', { name: words.copy }).click()
    await monday.getByRole('button', { name: words.workdays }).click()
    await dialog.getByRole('button', { name: words.addException }).click()
    await dialog.getByLabel(words.from).fill('2027-12-25')
    await dialog.getByRole('button', { name: words.addException }).click()
    const added = dialog.getByRole('listitem').filter({ hasText: 'Closed Dec 25, 2027' })
    await expect(added).toBeVisible()
    await owner.expectNothingCut('opening hours of 300 sites')
  })

  await loseSecondBatch(owner)
  await sendFrom(dialog, 300)
  await expect(page.getByText(text.progress(100, 300))).toBeVisible()
  await owner.reload()
  await expect(page.getByText(en.about(field, text.done(300)))).toBeVisible(LONG)
  const stored = await sites()
  const byDay = Map.groupBy(
    stored,
    (site) => site.opening_hours?.exceptional_closings?.[0]?.period_begin,
  )
  // Midnight in the time zone of each site.
  expect(byDay.get('2027-12-25T00:00:00Z')?.map(({ name }) => name)).toEqual(['Station 1'])
  expect(byDay.get('2027-12-24T23:00:00Z')).toHaveLength(299)
  expect(stored[0]?.opening_hours?.regular_hours).toHaveLength(5)

  await owner.undo()
  await expect(page.getByText(text.undone)).toBeVisible(LONG)
  expect(await hoursIn()).toEqual(former)
})

test('exceptions are added to the different opening hours of many sites @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  const [quay, pier] = await prepareSites(client, 'Quay', 'Pier', 'Dock')
  const { hoursEditor: words } = en
  const week = [{ weekday: 1, period_begin: '08:00', period_end: '20:00' }]
  const time_zone = 'Europe/Paris'
  const opening = { period_begin: '2027-12-23T23:00:00Z', period_end: '2027-12-24T23:00:00Z' }
  await client.collection(SITES).update(quay?.id ?? '', {
    time_zone,
    opening_hours: {
      twentyfourseven: false,
      regular_hours: week,
      exceptional_openings: [opening],
    },
  })
  await client
    .collection(SITES)
    .update(pier?.id ?? '', { time_zone, opening_hours: { twentyfourseven: true } })
  await owner.visit('/dashboard')
  await beginToChoose(owner)
  await button(owner, text.all(3)).click()
  const field = en.fields.sites.opening_hours
  const dialog = await openFor(owner, 3, field)
  await expect(dialog).toContainText(text.addsExceptions)
  await dialog.getByRole('button', { name: words.addException }).click()
  await dialog.getByLabel(words.from).fill('2027-12-25')
  await dialog.getByRole('button', { name: words.addException }).click()
  await sendFrom(dialog, 3)
  await expect(owner.page.getByText(en.about(field, text.done(2)))).toBeVisible()

  const exceptional_closings = [
    { period_begin: '2027-12-24T23:00:00Z', period_end: '2027-12-25T23:00:00Z' },
  ]
  const hoursIn = async () =>
    (await client.collection(SITES).getFullList<Site>({ sort: 'name' })).map((site) => [
      site.name,
      site.opening_hours,
    ])
  await owner.expectSoon(hoursIn, [
    ['Dock', null],
    ['Pier', { twentyfourseven: true, exceptional_closings }],
    [
      'Quay',
      {
        twentyfourseven: false,
        regular_hours: week,
        exceptional_openings: [opening],
        exceptional_closings,
      },
    ],
  ])
})

test('a price is set for many sites, and removed again @once', async ({ owner, stack }) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  await prepareMany(stack, client, 300)
  const business = await client.collection(BUSINESSES).getFirstListItem('')
  const tariff = await client.collection(TARIFFS).create(tariffBody(business.id))
  const label = en.fields.sites.tariff
  const prices = async () =>
    new Set((await client.collection(SITES).getFullList<Site>()).map((site) => site.tariff))
  await owner.visit('/dashboard')
  await beginToChoose(owner)
  await button(owner, text.all(300)).click()
  const dialog = await openFor(owner, 300, label)
  await expect(dialog.getByLabel(label)).toBeFocused()
  await dialog.getByLabel(label).selectOption('Standard')
  await expect(dialog).toContainText('€0.59 per kWh')
  await expect(dialog.getByRole('link')).toHaveCount(0)
  await loseSecondBatch(owner)
  await sendFrom(dialog, 300)
  await expect(page.getByText(text.progress(100, 300))).toBeVisible()
  await owner.reload()
  await expect(page.getByText(en.about(label, text.done(300)))).toBeVisible(LONG)
  expect(await prices()).toEqual(new Set([tariff.id]))

  await beginToChoose(owner)
  await button(owner, text.all(300)).click()
  await setFor(owner, 300, label, en.tariffs.noPrice)
  await expect.poll(prices, LONG).toEqual(new Set(['']))

  // Each of the two bulk updates is one row.
  await owner.visit('/changes')
  const row = en.history.bulkUpdate(owner.person.name, label, en.history.ofSites(300))
  await expect(button(owner, en.history.putBackOf(row))).toHaveCount(2)
})

test('a change that does not reach the server is shown as waiting @once', async ({ owner }) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  await prepareSites(client, 'Quay', 'Pier')
  await owner.visit('/dashboard')
  await beginToChoose(owner)
  await button(owner, text.all(2)).click()
  await page.route(`**${API.batch}`, () => undefined)
  const field = en.fields.sites.status
  await setFor(owner, 2, field, OUT_OF_ORDER)
  const toast = page.getByText(en.about(field, text.progress(0, 2)))
  await expect(toast).toBeVisible(LONG)
  await expect(page.getByText(en.drafts.waiting)).toBeVisible()

  await page.unroute(`**${API.batch}`)
  await owner.reload()
  await expect(page.getByText(en.about(field, text.done(2)))).toBeVisible(LONG)
})

test('a site changed on another device is named, and the others are changed @once', async ({
  owner,
  stack,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay', 'Pier', 'Dock')
  await owner.visit('/dashboard')
  await beginToChoose(owner)
  await button(owner, text.all(3)).click()
  const field = en.fields.sites.contact_phone
  const dialog = await openFor(owner, 3, field)
  // The scripts of the dialog are loaded.
  await expect(dialog.getByLabel(field)).toBeFocused()
  await owner.goOffline()
  await dialog.getByLabel(field).fill('+44 28 1')
  await sendFrom(dialog, 3)
  await client.collection(SITES).update(quay?.id ?? '', { contact_phone: '+44 28 2' })
  await owner.goOnline()

  await page.getByText(text.refused(1)).click()
  const refused = page.getByRole('listitem').filter({ hasText: en.problems.conflict })
  await expect(refused.getByRole('link', { name: 'Quay' })).toBeVisible()
  const phones = async () =>
    (await readStored(stack, owner.person.email).sites()).map((site) => site.contact_phone)
  expect(await phones()).toEqual(['+44 28 1', '+44 28 1', '+44 28 2'])
})

test('sites that lack a field are selected in the table, and exported alone @once', async ({
  owner,
  stack,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  await prepareMany(stack, client, 25)
  const { id } = await client.collection(BUSINESSES).getFirstListItem('')
  await stack.sql`
    update sites set country = 'FRA', city = case when name like '%7' then '' else 'Paris' end
    where business = ${id}`
  await owner.visit('/dashboard?view=table&sort=-name&q=Station')
  await page.getByText(en.registers.names.irve).first().click()
  const field = en.fields.sites.city
  await button(owner, en.registers.chooseFor(en.registers.choose(2), field))
    .first()
    .click()
  await owner.expectPath('/dashboard?sort=-name&view=table')
  await expect(page.getByText(text.chosen(2))).toBeVisible()
  const downloading = page.waitForEvent('download')
  await button(owner, `${en.dashboard.export} (2)`).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  expect(file.split('\r\n').map((line) => line.split(',')[0])).toEqual([
    '\uFEFF"Site"',
    '"Station 17"',
    '"Station 7"',
    '',
  ])
})

test('sites of a long table are selected by keyboard @once', async ({ owner, stack }) => {
  const { page } = owner
  await prepareMany(stack, await owner.comeSignedIn(), 200)
  await owner.visit('/dashboard?view=table')
  await expect(page.getByRole('table')).toBeVisible()
  await button(owner, en.dashboard.choose).focus()
  await page.keyboard.press('Enter')
  await owner.checkboxOf('Station 1').focus()
  await page.keyboard.press('Space')
  for (let row = 2; row <= 30; row++) await page.keyboard.press('Shift+ArrowDown')
  await expect(owner.checkboxOf('Station 30')).toBeFocused()
  // No checkbox of a row that was scrolled away covers the header.
  const header = page.getByRole('columnheader', { name: en.dashboard.choose })
  expect(
    await header.evaluate((cell) => {
      const { left, bottom } = cell.getBoundingClientRect()
      return cell.contains(document.elementFromPoint(left + 20, bottom - 3))
    }),
  ).toBe(true)
  const badge = page.getByText(/on the public map/i).first()
  expect((await badge.boundingBox())?.height).toBeLessThan(30)
  await expect(page.getByText(text.chosen(30))).toBeVisible()
  // The bar follows all rows in the order of Tab.
  await page.keyboard.press('F6')
  await expect(button(owner, text.all(200))).toBeFocused()
  await page.keyboard.press('F6')
  await expect(owner.checkboxOf('Station 30')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await expect(page.getByText(text.chosen(29))).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByText(text.chosen(200))).toBeVisible()
  await page.getByRole('searchbox').fill('Station 7')
  await expect(page.getByText('not in this list')).toBeVisible()
  await page.keyboard.press('Tab')
  await owner.checkboxOf('Station 7').focus()
  await page.keyboard.press('Escape')
  await expect(button(owner, en.dashboard.choose)).toBeFocused()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})

test('opening hours and a price of several sites are set by keyboard alone @once', async ({
  owner,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  const dialog = page.getByRole('dialog')
  const [quay] = await prepareSites(client, 'Quay', 'Pier', 'Dock')
  const tariff = await client.collection(TARIFFS).create(tariffBody(String(quay?.['business'])))
  const stored = async () => {
    const sites = await client.collection(SITES).getFullList<Site>()
    return sites.map((site) => [site.opening_hours?.twentyfourseven, site.tariff])
  }
  await owner.visit('/dashboard')
  await owner.pressAt(button(owner, en.dashboard.choose))
  await owner.pressAt(button(owner, text.all(3)))
  const open = async (field: string) => {
    await owner.pressAt(button(owner, text.title(3)))
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.type(field)
    await expect(page.getByRole('menuitem', { name: field, exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
  }

  await test.step('opening hours, and back to the button on Escape', async () => {
    await open(en.fields.sites.opening_hours)
    const always = dialog.getByRole('switch', { name: en.hoursEditor.always })
    await expect(always).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(button(owner, text.title(3))).toBeFocused()
    await open(en.fields.sites.opening_hours)
    await expect(always).toBeFocused()
    await page.keyboard.press('Space')
    await owner.pressAt(dialog.getByRole('button', { name: text.set(3) }))
    await expect(dialog).toHaveCount(0)
    await owner.expectSoon(stored, [
      [true, ''],
      [true, ''],
      [true, ''],
    ])
  })

  await test.step('a price', async () => {
    await expect(button(owner, text.title(3))).toBeFocused()
    await open(en.fields.sites.tariff)
    await expect(dialog.getByLabel(en.fields.sites.tariff)).toBeFocused()
    await page.keyboard.type('Standard')
    await owner.pressAt(dialog.getByRole('button', { name: text.set(3) }))
    await expect(dialog).toHaveCount(0)
    await owner.expectSoon(stored, [
      [true, tariff.id],
      [true, tariff.id],
      [true, tariff.id],
    ])
  })
})

test('exactly the sites that lack a required field of a register are selected for a bulk update @once', async ({
  owner,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  const sites = await prepareSites(client, 'Quay', 'Pier', 'Dock')
  const paris = { latitude: 48.85, longitude: 2.35 }
  for (const site of sites.slice(0, 2)) await client.collection(SITES).update(site.id, paris)
  await client.collection(SITES).update(sites[0]?.id ?? '', { access: 'PUBLIC' })
  await owner.visit('/dashboard')
  await page.getByText(en.registers.names.irve).first().click()
  const registers = page.getByRole('group').getByRole('heading', { level: 3 })
  await expect(registers).toContainText([en.registers.names.irve, en.registers.names.ocpi])
  const field = en.fields.sites.access
  await button(owner, en.registers.chooseFor(en.registers.choose(1), field)).click()
  await expect(page.getByText(text.chosen(1))).toBeVisible()
  await expect(owner.checkboxOf('Pier')).toBeChecked()
  await setFor(owner, 1, field, en.choices.access.PUBLIC)
  await expect(page.getByText(text.done(1))).toBeVisible()
  const lacking = await client.collection(SITES).getFullList<Site>({ filter: 'access = ""' })
  expect(lacking.map(({ name }) => name)).toEqual(['Dock'])
})

test('a field that only the business lacks is listed once, with a link to the field @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Quay')
  await client.collection(SITES).update(site?.id ?? '', { city: 'Portrush' })
  await owner.visit('/dashboard')
  const { country_code, party_id } = en.fields.businesses
  await owner.follow(en.registers.ofBusiness([en.registers.names.ocpi], [country_code, party_id]))
  await owner.expectPath('/business/edit#country_code')
  await expect(owner.page.getByLabel(country_code)).toBeFocused()
})

test('sites that are left out because of the business are counted, and the business comes first @once', async ({
  owner,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Quay', 'Pier')
  await client.collection(SITES).update(site?.id ?? '', { city: 'Portrush' })
  await owner.visit('/dashboard')
  const { choose, chooseFor, lacking, names, ofBusiness } = en.registers
  await page
    .getByText(en.about(names.ocpi, lacking(2, 2)))
    .first()
    .click()
  const { country_code, party_id } = en.fields.businesses
  const first = page.getByRole('group').locator('section').first()
  await expect(first).toHaveText(ofBusiness([names.ocpi], [country_code, party_id]))
  await expect(button(owner, chooseFor(choose(1), en.fields.sites.city)).first()).toBeVisible()
})
