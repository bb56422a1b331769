import { SITES } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import { en } from '../support/english.ts'
import { expect, test, type Locator, type Owner } from './driver.ts'
import { makePhoto } from '../support/images.ts'
import { prepareBusiness, prepareSites } from './prepare.ts'
import { SCREENS } from './screens.ts'

// Times of the day in the form 08:00.
test.use({ locale: 'en-GB' })

const text = en.hoursEditor

const section = ({ page }: Owner) =>
  page.getByRole('region', { name: en.site.sections.hours.title, exact: true })
const heading = (owner: Owner) => section(owner).getByRole('heading').getByRole('button')
const day = (owner: Owner, name: string) => section(owner).getByRole('group', { name, exact: true })

test('hours are entered, kept as a draft, stored and shown @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const id = site?.id ?? ''
  const week = 'Mon–Fri 08:00–12:00 and 14:00–18:00'
  const sentence = /Mon–Fri 08:00–12:00 and 14:00–18:00 · Closed 25 Dec 2027/
  const { page } = owner
  await owner.visit(`/site/edit/${id}`)
  await heading(owner).click()

  await test.step('a day with two spans, copied to other days, and an exception', async () => {
    const monday = day(owner, 'Monday')
    const begins = monday.getByLabel(text.begin('Monday'))
    const ends = monday.getByLabel(text.end('Monday'))
    await monday.getByRole('button', { name: text.addHours }).click()
    await ends.fill('12:00')
    await monday.getByRole('button', { name: text.addSpan }).click()
    await expect(begins.last()).toBeFocused()
    await begins.last().fill('14:00')
    await expect(heading(owner)).toContainText('Mon 08:00–12:00')
    await ends.last().fill('18:00')
    await monday.getByRole('button', { name: text.copy }).click()
    await monday.getByRole('button', { name: text.workdays }).click()
    await section(owner).getByRole('button', { name: text.addException }).click()
    await section(owner).getByLabel(text.from).fill('2027-12-25')
    await section(owner).getByRole('button', { name: text.addException }).click()
    await expect(heading(owner)).toContainText(sentence)
  })

  await test.step('an exception stays on its day in another time zone', async () => {
    const zone = section(owner).getByLabel(en.fields.sites.time_zone)
    await expect(zone).not.toHaveValue('')
    await zone.selectOption('America/New_York')
    await expect(heading(owner)).toContainText(sentence)
    await owner.expectNothingCut('hours')
    await page.setViewportSize(SCREENS.phone)
    await owner.expectNothingCut('hours, on a phone')
    await page.setViewportSize(SCREENS.desktop)
  })

  await test.step('the draft is restored', async () => {
    await expect(page.getByText(/^Draft saved \d/)).toBeVisible()
    await owner.reload()
    await expect(heading(owner)).toContainText(sentence)
    await heading(owner).click()
    const begins = day(owner, 'Friday').getByLabel(text.begin('Friday'))
    await expect(begins.last()).toHaveValue('14:00')
  })

  await test.step('an exception that was typed but not added is saved, too', async () => {
    await section(owner).getByRole('button', { name: text.addException }).click()
    await section(owner).getByLabel(text.from).fill('2028-02-02')
    await section(owner).getByLabel(text.to, { exact: true }).fill('2028-02-01')
    await page.getByRole('button', { name: en.site.save }).click()
    await expect(section(owner).getByText(text.missingDate)).toBeVisible()
    await expect(section(owner).getByLabel(text.from)).toBeFocused()
    await section(owner).getByLabel(text.to, { exact: true }).fill('')
  })

  await owner.saveSite()
  await owner.expectPath('/dashboard')
  const stored = await client.collection(SITES).getOne(id)
  expect(stored).toMatchObject({
    time_zone: 'America/New_York',
    opening_hours: {
      exceptional_closings: [
        { period_begin: '2027-12-25T05:00:00Z', period_end: '2027-12-26T05:00:00Z' },
        { period_begin: '2028-02-02T05:00:00Z', period_end: '2028-02-03T05:00:00Z' },
      ],
    },
  })
  await owner.visit(`/changes?site=${id}`)
  await expect(page.getByRole('listitem').filter({ hasText: week })).toContainText(sentence)
})

test('an exception that is typed but not yet added counts as a change of the site @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const { page } = owner
  const from = section(owner).getByLabel(text.from)
  const said = page.getByText(/^Draft saved \d/)
  const always = { twentyfourseven: true }
  await client.collection(SITES).update(String(site?.id), { opening_hours: always })
  await owner.visit(`/site/edit/${site?.id}`)
  await heading(owner).click()
  await section(owner).getByRole('button', { name: text.addException }).click()

  await test.step('it can be discarded and restored', async () => {
    await from.fill('2027-12-25')
    await expect(heading(owner)).toContainText('Closed 25 Dec 2027')
    await expect(section(owner).getByRole('listitem')).toBeHidden()
    await page.getByRole('button', { name: en.drafts.discard }).click()
    await expect(from).toHaveValue('')
    await expect(heading(owner)).not.toContainText('25 Dec')
    await page.getByRole('button', { name: en.actions.undo }).click()
    await expect(from).toHaveValue('2027-12-25')
    await expect(heading(owner)).toContainText('Closed 25 Dec 2027')
  })

  await test.step('typing another one does not replace a listed one', async () => {
    const add = section(owner).getByRole('button', { name: text.addException })
    await add.click()
    await expect(section(owner).getByRole('listitem')).toContainText('25 Dec 2027')
    await add.click()
    await from.fill('2027-12-25')
    await from.fill('2027-12-31')
    await expect(section(owner).getByRole('listitem')).toContainText('25 Dec 2027')
    await expect(heading(owner)).toContainText('Closed 25 Dec 2027 and 31 Dec 2027')
  })

  await test.step('it is kept when the page is left', async () => {
    await expect(said).toBeVisible()
    await owner.reload()
    await expect(heading(owner)).toContainText('31 Dec 2027')
  })

  await test.step('a date without its year is reported', async () => {
    await heading(owner).click()
    await section(owner).getByRole('button', { name: text.addException }).click()
    await page.keyboard.type('0606')
    await expect(from).toHaveValue('')
    await owner.field(en.fields.sites.cost).fill('Free')
    await owner.saveSite()
    await expect(section(owner).getByText(text.missingDate)).toBeVisible()
    await expect(from).toBeFocused()
    await from.fill('2028-06-06')
  })
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  const stored = await client.collection(SITES).getOne(String(site?.id))
  expect(stored).toMatchObject({ opening_hours: { ...always, exceptional_closings: [{}, {}, {}] } })
})

test('a week, a night and an exception are entered by keyboard alone @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const { keyboard } = owner.page
  await owner.visit(`/site/edit/${site?.id}`)
  await owner.pressAt(heading(owner))
  const button = (name: string, within: Locator = section(owner)) =>
    within.getByRole('button', { name })
  const monday = day(owner, 'Monday')
  const begins = monday.getByLabel(text.begin('Monday'))
  const ends = monday.getByLabel(text.end('Monday'))

  await test.step('two spans, one of them past midnight', async () => {
    await owner.pressAt(button(text.addHours, monday))
    await expect(begins).toBeFocused()
    await keyboard.type('0900AM')
    await owner.tabTo(ends)
    await keyboard.type('1200PM')
    await owner.pressAt(button(text.addSpan, monday))
    await expect(begins.last()).toBeFocused()
    await keyboard.type('0600PM')
    await owner.tabTo(ends.last())
    await keyboard.type('0200AM')
    await expect(monday).toContainText(text.nextDay)
  })

  await test.step('copied, and removed from a day', async () => {
    await owner.pressAt(button(text.copy, monday))
    await owner.pressAt(button(text.workdays, monday))
    const friday = day(owner, 'Friday')
    await owner.pressAt(button(text.remove('Friday', '18:00–02:00'), friday))
    await expect(button(text.addSpan, friday)).toBeFocused()
  })

  await test.step('an exception', async () => {
    await owner.pressAt(button(text.addException))
    await expect(section(owner).getByLabel(text.from)).toBeFocused()
    await keyboard.type('12252027')
    await owner.pressAt(button(text.addException))
    await expect(button(text.addException)).toBeFocused()
    await expect(section(owner).getByRole('status').getByText('Closed 25 Dec 2027')).toBeAttached()
  })

  await test.step('an exception with a year of two digits, but not of three', async () => {
    await owner.pressAt(button(text.addException))
    await keyboard.type('0101202')
    await owner.pressAt(button(text.addException))
    await expect(section(owner)).toContainText(text.missingDate)
    await keyboard.type('010128')
    await owner.pressAt(button(text.addException))
    await expect(section(owner).getByRole('status').getByText('Closed 1 Jan 2028')).toBeAttached()
  })

  await owner.pressAt(owner.page.getByRole('button', { name: en.site.save, exact: true }))
  await owner.expectPath('/dashboard')
  const { opening_hours: hours } = await client.collection(SITES).getOne(String(site?.id))
  const night = { period_begin: '18:00', period_end: '02:00' }
  const morning = { period_begin: '09:00', period_end: '12:00' }
  expect(hours).toMatchObject({
    regular_hours: [1, 2, 3, 4, 5].flatMap((weekday) =>
      weekday === 5
        ? [{ weekday, ...morning }]
        : [morning, night].map((span) => ({ weekday, ...span })),
    ),
    exceptional_closings: [{}, {}],
  })
})

test('a conflict about hours shows both sides @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const id = site?.id ?? ''
  await owner.loseLiveUpdates()
  await owner.visit(`/site/edit/${id}`)
  await heading(owner).click()
  await day(owner, 'Monday').getByRole('button', { name: text.addHours }).click()
  await client.collection(SITES).update(id, { opening_hours: { twentyfourseven: true } })
  owner.expectFailureAt(API.record(SITES, id))
  await owner.saveSite()

  const conflict = owner.page
    .getByRole('listitem')
    .filter({ has: owner.page.getByText(en.fields.sites.opening_hours, { exact: true }) })
  await expect(conflict).toContainText('Mon 08:00–18:00')
  await expect(conflict).toContainText(en.hours.always)
  await conflict.getByRole('button', { name: en.drafts.takeTheirs }).click()
  await expect(day(owner, 'Monday')).toHaveCount(0)
  await expect(section(owner).getByRole('switch', { name: text.always })).toBeChecked()
  await expect(owner.page.locator('.save-bar')).toHaveCount(0)
})

test('a site gets the time zone and the country of its position until somebody sets others @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  await owner.loseLiveUpdates()
  const { page } = owner
  const zone = section(owner).getByLabel(en.fields.sites.time_zone)
  const more = page.getByRole('region', { name: en.site.sections.more.title, exact: true })
  const expectPlace = async (timeZone: string, country: string) => {
    await heading(owner).click()
    await expect(zone).toHaveValue(timeZone)
    await more.getByRole('heading').getByRole('button').click()
    await expect(more.getByLabel(en.fields.sites.country)).toHaveValue(country)
    await expect(page.locator('.save-bar')).toHaveCount(0)
  }
  const portrush = {
    address: '12 Quay Street, Portrush',
    latitude: '55.2044',
    longitude: '-6.6531',
  }
  await owner.addSite({ ...portrush, name: 'Quay', connectors: [{ plug: 'CCS2', kw: '150' }] })
  await owner.openSite('Quay')
  await expectPlace('Europe/London', 'GBR')
  const { id } = await client.collection(SITES).getFirstListItem('name = "Quay"')
  const stored = () => client.collection(SITES).getOne(id)

  await test.step('they follow the position even if the save fails halfway', async () => {
    await owner.fillSite({ latitude: '45.7578', longitude: '4.832' })
    await owner.addPhotos(await makePhoto('front.jpg'))
    await owner.failNext('PATCH', API.record(SITES, id))
    await owner.saveSite()
    await expect(owner.alert).toContainText(en.failed.savePhotos)
    expect(await stored()).toMatchObject({ time_zone: 'Europe/Paris', photos: [] })
    await expect(zone).toHaveValue('Europe/Paris')
    await expect(page.getByText(/^Updated from the other device/)).toHaveCount(0)
    await owner.fillSite({ name: 'Pier' })
    await owner.retry()
    await owner.expectPath('/dashboard')
    expect(await stored()).toMatchObject({
      name: 'Pier',
      time_zone: 'Europe/Paris',
      country: 'FRA',
    })
    await owner.openSite('Pier')
    await expectPlace('Europe/Paris', 'FRA')
  })

  await test.step('another time zone is kept, and the history marks derived values', async () => {
    await zone.selectOption('Europe/Dublin')
    await owner.fillSite(portrush)
    await owner.saveSite()
    await owner.expectPath('/dashboard')
    expect(await stored()).toMatchObject({ time_zone: 'Europe/Dublin', country: 'GBR' })
    await owner.visit(`/changes?site=${id}`)
    const { filledIn } = en.history
    const line = (label: string, after: string) =>
      page
        .locator('.change')
        .first()
        .locator('div')
        .filter({ has: page.getByText(label, { exact: true }) })
        .filter({ hasText: after })
        .last()
    await expect(line(en.fields.sites.country, 'United Kingdom')).toContainText(filledIn)
    await expect(line(en.fields.sites.time_zone, 'Europe/Dublin')).not.toContainText(filledIn)
    await owner.expectNoViolations()
  })
})

test('hours that lack a time are refused before they are sent, or kept on the device @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const id = String(site?.id)
  await owner.visit(`/site/edit/${id}`)
  await heading(owner).click()
  const monday = day(owner, 'Monday')
  await monday.getByRole('button', { name: text.addHours }).click()
  await monday.getByLabel(text.end('Monday')).fill('')
  await owner.goOffline()
  await owner.page.getByRole('button', { name: en.drafts.sendLater }).click()
  await expect(monday.getByText(text.missingTime)).toBeVisible()
  await expect(monday.getByLabel(text.begin('Monday'))).toBeFocused()
  await owner.goOnline()
  await owner.saveSite()
  await expect(monday.getByText(text.missingTime)).toBeVisible()
  await monday.getByLabel(text.end('Monday')).fill('18:00')
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  expect(await client.collection(SITES).getOne(id)).toMatchObject({
    opening_hours: { regular_hours: [{ period_begin: '08:00', period_end: '18:00' }] },
  })
})
