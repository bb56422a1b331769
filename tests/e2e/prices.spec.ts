import { BUSINESSES, CONNECTORS, SITES, TARIFFS } from '#domain/collection.ts'
import { en } from '../support/english.ts'
import { tariffBody } from '../support/owner.ts'
import { API } from '#domain/paths.ts'
import { expect, test } from './driver.ts'
import { prepareBusiness, prepareSites } from './prepare.ts'

const { tariffs: text } = en
const amounts = {
  energy: text.amounts.energy('€'),
  time: text.amounts.time.minute('€'),
  idle: text.amounts.idle.minute('€'),
}

test('a price is built in words, and shown as a sentence with an example @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  const { page } = owner
  const tariffs = client.collection(TARIFFS)
  await owner.visit('/prices')
  await expect(page.getByText(text.noneTitle)).toBeVisible()
  await owner.follow(text.add)
  await owner.expectTitle(en.titles.addPrice)

  await owner.field(en.fields.tariffs.name).fill('Motorway')
  await owner.field(en.fields.tariffs.currency).selectOption('EUR')
  await owner.field(amounts.energy).fill('0.59')
  const preview = page.getByRole('region', { name: text.previewTitle })
  await expect(preview).toContainText('€0.59 per kWh')
  await expect(preview).toContainText('20 kWh in 40 minutes: €11.80')

  await test.step('another price under conditions', async () => {
    await page.getByRole('button', { name: text.addPart }).click()
    const part = page.getByRole('group', { name: text.part(1) })
    await expect(part.getByLabel(amounts.energy)).toBeFocused()
    await part.getByLabel(amounts.time).fill('0.10')
    await part.getByLabel(amounts.idle).fill('0.10')
    await part.getByText(text.conditions).click()
    await part.getByLabel(text.bounds.minMinutes).fill('45')
    await expect(preview).toContainText('€0.59 per kWh, plus €0.10 per minute after 45 minutes')
    await preview.getByLabel(text.example.minutes).fill('60')
    await expect(preview).toContainText('20 kWh in 60 minutes: €13.30')
  })

  await test.step('an amount in cents is doubted', async () => {
    const idle = page.getByRole('group', { name: text.part(1) }).getByLabel(amounts.idle)
    await expect(idle).toHaveAccessibleDescription(text.idleHint)
    await idle.fill('10')
    await expect(idle).toHaveAccessibleDescription(`${text.idleHint} ${text.unusual('€')}`)
    await idle.fill('0.10')
    await expect(idle).toHaveAccessibleDescription(text.idleHint)
  })

  await test.step('unreadable input is reported at its field', async () => {
    const min = owner.field(en.fields.tariffs.min_price)
    await min.fill('x')
    await page.getByRole('button', { name: text.save }).click()
    await expect(min).toHaveAttribute('aria-invalid', 'true')
    // The error below it does not move it off the line of the field beside it.
    const beside = await owner.field(en.fields.tariffs.max_price).elementHandle()
    const distance = await min.evaluate(
      (one, other) => one.getBoundingClientRect().top - (other?.getBoundingClientRect().top ?? 0),
      beside,
    )
    expect(distance).toBe(0)
    await min.fill('')
  })

  await page.getByRole('button', { name: text.save }).click()
  await owner.expectPath('/prices')
  const [saved] = await tariffs.getFullList()
  expect(saved).toMatchObject({
    name: 'Motorway',
    currency: 'EUR',
    tax_included: 'YES',
    elements: [
      {
        price_components: [
          { type: 'TIME', price: 6, step_size: 1 },
          { type: 'PARKING_TIME', price: 6, step_size: 1 },
        ],
        restrictions: { min_duration: 2700 },
      },
      { price_components: [{ type: 'ENERGY', price: 0.59, step_size: 1 }] },
    ],
    min_price: null,
    max_price: null,
  })

  await test.step('a copy of it is set to free and deleted', async () => {
    await owner.pressAt(page.getByRole('button', { name: text.menu('Motorway') }))
    await page.getByRole('menuitem', { name: text.duplicate }).press('Enter')
    await expect(owner.field(en.fields.tariffs.name)).toHaveValue(text.copyOf('Motorway'))
    await page.getByLabel(text.isFree).check()
    await expect(preview).toContainText('Free')
    await page.getByRole('button', { name: text.save }).click()
    await owner.expectPath('/prices')
    await page.getByRole('button', { name: text.menu(text.copyOf('Motorway')) }).click()
    await page.getByRole('menuitem', { name: en.actions.delete }).click()
    await owner.dialog.getByRole('button', { name: en.actions.delete }).click()
    await expect(page.getByText(en.shell.deleted(text.copyOf('Motorway')))).toBeVisible()
    await expect(owner.link(text.copyOf('Motorway'))).toBeHidden()
    await expect(owner.link(text.add)).toBeFocused()
    expect(await tariffs.getFullList()).toHaveLength(2)
    // Leaving the page ends the undo period.
    await owner.visit('/prices')
    await expect.poll(async () => (await tariffs.getFullList()).length).toBe(1)
    await expect(owner.link('Motorway')).toBeVisible()
    await expect(owner.link(text.copyOf('Motorway'))).toBeHidden()
  })
})

test('each tab has its own new price @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  const name = en.fields.tariffs.name
  const fill = async (person: typeof owner, called: string, amount: string) => {
    await person.field(name).fill(called)
    await person.field(en.fields.tariffs.currency).selectOption('EUR')
    await person.field(amounts.energy).fill(amount)
    await expect(person.page.getByText(new RegExp(en.drafts.savedAt('')))).toBeVisible()
  }
  const saved = async () =>
    (await client.collection(TARIFFS).getFullList({ sort: 'name' })).map((tariff) => [
      tariff['name'],
      tariff['elements'][0].price_components[0].price,
    ])
  await owner.visit('/prices/add')
  await fill(owner, 'Day', '0.59')

  const tab = await owner.openTab()
  await tab.visit('/prices/add')
  await expect(tab.field(name)).toHaveValue('')
  await fill(tab, 'Night', '0.39')
  await tab.page.getByRole('button', { name: text.save }).click()
  await tab.expectPath('/prices')
  await owner.page.getByRole('button', { name: text.save }).click()
  await owner.expectPath('/prices')
  expect(await saved()).toEqual([
    ['Day', 0.59],
    ['Night', 0.39],
  ])

  await test.step('"Start fresh" and the back button lead to another new price', async () => {
    await owner.visit('/prices/add')
    await fill(owner, 'Weekend', '0.49')
    await owner.follow('Cancel')
    await owner.visit('/dashboard')
    await owner.follow(`Continue: Weekend`)
    await expect(owner.field(name)).toHaveValue('Weekend')
    await owner.page.getByRole('button', { name: en.drafts.startFresh }).click()
    await expect(owner.field(name)).toHaveValue('')
    await expect(owner.field(name)).toBeFocused()
    await fill(owner, 'Holiday', '0.29')
    await owner.reload()
    await expect(owner.field(name)).toHaveValue('Holiday')
    await owner.page.getByRole('button', { name: text.save }).click()
    // The list replaces the form once its script has loaded.
    await expect(owner.link('Holiday')).toBeVisible()
    await owner.page.goBack()
    await expect(owner.field(name)).toHaveValue('')
    await fill(owner, 'Member', '0.19')
    await owner.page.getByRole('button', { name: text.save }).click()
    await owner.expectPath('/prices')
    expect(await saved()).toEqual([
      ['Day', 0.59],
      ['Holiday', 0.29],
      ['Member', 0.19],
      ['Night', 0.39],
    ])
  })
})

test('an imported price keeps the parts that the form cannot show @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const business = await prepareBusiness(client)
  const reservation = {
    price_components: [{ type: 'TIME', price: 5, vat: 20, step_size: 300 }],
    restrictions: { reservation: 'RESERVATION' },
  }
  const { id } = await client.collection(TARIFFS).create({
    ...tariffBody(business.id),
    elements: [
      reservation,
      { price_components: [{ type: 'ENERGY', price: 0.491667, vat: 5.5, step_size: 500 }] },
    ],
  })
  await owner.visit(`/prices/edit/${id}`)
  await expect(owner.page.getByText(text.kept(text.forReservation))).toBeVisible()
  await owner.page
    .getByRole('group', { name: text.part(2) })
    .getByLabel(amounts.energy)
    .fill('0.5')
  await owner.page.getByRole('button', { name: text.save }).click()
  await owner.expectPath('/prices')
  await owner.visit('/changes')
  await expect(owner.page.getByText('€0.50 per kWh (in blocks of 0.5 kWh)')).toBeVisible()
  expect((await client.collection(TARIFFS).getOne(id))['elements']).toEqual([
    reservation,
    { price_components: [{ type: 'ENERGY', price: 0.5, vat: 5.5, step_size: 500 }] },
  ])
})

test('input is kept, queued offline, and merged with other changes @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const business = await prepareBusiness(client)
  const tariffs = client.collection(TARIFFS)
  const { page } = owner
  const save = page.getByRole('button', { name: text.save })
  const name = owner.field(en.fields.tariffs.name)
  const energy = owner.page.getByLabel(text.amounts.energy('€'))

  await test.step('as a draft', async () => {
    await owner.visit('/prices/add')
    await name.fill('Night')
    await owner.field(en.fields.tariffs.currency).selectOption('EUR')
    await energy.fill('0.39')
    await expect(page.getByText(new RegExp(en.drafts.savedAt('')))).toBeVisible()
    await owner.visit('/prices')
    await owner.follow(text.add)
    await expect(page.getByText(en.drafts.keptText)).toBeVisible()
    await expect(name).toHaveValue('Night')
    await expect(energy).toHaveValue('0.39')
  })

  await test.step('offline', async () => {
    await owner.goOffline()
    await page.getByRole('button', { name: en.drafts.sendLater }).click()
    await owner.expectPath('/prices')
    await expect(page.getByText(en.drafts.waiting)).toBeVisible()
    await expect(page.getByText('€0.39 per kWh')).toHaveCount(1)
    await owner.goOnline()
    await expect.poll(async () => (await tariffs.getFullList()).length).toBe(1)
    // A page that is left before the response sends the price again.
    await expect(page.getByText(en.drafts.waiting)).toHaveCount(0)
  })

  await test.step('with a change from another device', async () => {
    const { id } = await tariffs.create(tariffBody(business.id))
    const subscribed = page.waitForResponse(
      (response) =>
        response.url().endsWith('/api/realtime') && response.request().method() === 'POST',
    )
    await owner.visit(`/prices/edit/${id}`)
    await energy.fill('0.55')
    await subscribed
    await tariffs.update(id, { name: 'Everywhere' })
    await expect(name).toHaveValue('Everywhere')
    await expect(energy).toHaveValue('0.55')
    await tariffs.update(id, {
      elements: [{ price_components: [{ type: 'ENERGY', price: 0.49, step_size: 1 }] }],
    })
    await expect(page.getByRole('definition').filter({ hasText: '€0.49 per kWh' })).toBeVisible()
    await page
      .getByRole('button', {
        name: en.about(en.drafts.keepMine, en.fields.tariffs.elements),
      })
      .click()
    await save.click()
    await owner.expectPath('/prices')
    // The form, which shows it twice, is removed shortly after the path changes.
    await expect(page.getByText('€0.55 per kWh')).toHaveCount(1)
  })
})

test('a price that was deleted elsewhere can be added again from its open form and from its draft @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  const business = await prepareBusiness(client)
  const tariffs = client.collection(TARIFFS)
  const { page } = owner
  const name = owner.field(en.fields.tariffs.name)
  const energy = page.getByLabel(text.amounts.energy('€'))
  const again = page.getByRole('button', { name: text.addAgain })
  const stored = async () => (await tariffs.getFullList()).map((each) => each['name'] as string)
  const open = async () => {
    const { id } = await tariffs.create(tariffBody(business.id))
    const subscribed = page.waitForResponse(
      (response) =>
        response.url().endsWith('/api/realtime') && response.request().method() === 'POST',
    )
    await owner.visit(`/prices/edit/${id}`)
    await subscribed
    return id
  }

  await test.step('as soon as the device receives the event', async () => {
    const id = await open()
    await name.fill('Hotel guests')
    await energy.fill('0.42')
    await tariffs.delete(id)
    await expect(owner.alert).toContainText(text.deletedTitle)
    await expect(energy).toHaveValue('0.42')
    await again.click()
    await owner.expectTitle(en.titles.addPrice)
    await expect(energy).toHaveValue('0.42')
    await page.getByRole('button', { name: text.save }).click()
    await owner.expectPath('/prices')
    expect(await stored()).toEqual(['Hotel guests'])
  })

  await test.step('when its draft is opened', async () => {
    const id = await open()
    await name.fill('Night')
    await expect(page.getByText(new RegExp(en.drafts.savedAt('')))).toBeVisible()
    await owner.visit('/dashboard')
    await tariffs.delete(id)
    await owner.visit(`/prices/edit/${id}`)
    await again.click()
    await owner.expectTitle(en.titles.addPrice)
    await expect(name).toHaveValue('Night')
    await page.getByRole('button', { name: text.save }).click()
    await owner.expectPath('/prices')
    expect((await stored()).toSorted()).toEqual(['Hotel guests', 'Night'])
  })

  await test.step('when a save fails because of it; discarding leads to the list', async () => {
    const id = await open()
    await owner.loseLiveUpdates()
    const read = page.waitForResponse((answer) => answer.url().includes(API.records(BUSINESSES)))
    await owner.reload()
    await read
    await name.fill('Weekend')
    await tariffs.delete(id)
    owner.expectFailureAt(`/api/collections/${TARIFFS}/records/${id}`)
    await page.getByRole('button', { name: text.save }).click()
    await expect(owner.alert).toContainText(text.deletedTitle)
    await page.getByRole('button', { name: en.drafts.discard }).click()
    await owner.expectPath('/prices')
    expect(await stored()).toHaveLength(2)
  })
})

test('a price is set for a site, and replaced when it is deleted @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Quay')
  const tariffs = client.collection(TARIFFS)
  const { id } = await tariffs.create(tariffBody(site?.['business'] as string))
  const night = await tariffs.create({
    ...tariffBody(site?.['business'] as string),
    name: 'Night',
  })
  const { page } = owner
  const chosen = async () =>
    (await client.collection(SITES).getOne(site?.id ?? ''))['tariff'] as unknown
  const connectors = client.collection(CONNECTORS)
  const [plug] = await connectors.getFullList()
  const ofPlug = async () => (await connectors.getOne(plug?.id ?? ''))['tariff'] as unknown
  const choice = page.getByLabel(en.fields.sites.tariff)
  const openPrice = async () => {
    await owner.visit(`/site/edit/${site?.id}`)
    await page.getByRole('button', { name: en.site.sections.price.title }).click()
  }

  await test.step('in a site', async () => {
    await openPrice()
    await choice.selectOption('Standard')
    await expect(page.getByText('€0.59 per kWh')).toBeVisible()
    await page.getByRole('button', { name: en.site.save }).click()
    await expect.poll(chosen).toBe(id)
    await expect(page.getByRole('article')).toContainText(' · Standard')
    await openPrice()
    await expect(choice).toHaveValue(id)
  })

  await test.step('a change shows the number of affected sites and connectors', async () => {
    await connectors.update(plug?.id ?? '', { tariff: id })
    await owner.visit(`/prices/edit/${id}`)
    await page.getByLabel(text.amounts.energy('€')).fill('0.49')
    await expect(page.getByText(text.changes(1, 1))).toBeVisible()
    await page.getByRole('button', { name: text.save }).click()
    await owner.expectPath('/prices')
    await expect(page.getByText(text.usedAt(1, 1))).toBeVisible()
  })

  const remove = async (confirm: string) => {
    await page.getByRole('button', { name: text.menu('Standard') }).click()
    await page.getByRole('menuitem', { name: en.actions.delete }).click()
    await owner.dialog.getByLabel(text.instead).selectOption('Night')
    await owner.dialog.getByRole('button', { name: confirm }).click()
    await expect(page.getByText(en.shell.deleted('Standard'))).toBeVisible()
  }

  await test.step('a price in use is replaced, and both can be undone', async () => {
    await remove(text.replace)
    await expect(owner.link('Standard')).toBeHidden()
    await expect(page.getByText(text.usedAt(1, 1))).toBeVisible()
    await owner.undo()
    await expect(owner.link('Standard')).toBeVisible()
    expect([await chosen(), await ofPlug()]).toEqual([id, id])
  })

  await test.step('the delete and the replacements are sent together after the undo period', async () => {
    await remove(text.replace)
    await owner.visit('/prices')
    await expect.poll(async () => (await tariffs.getFullList()).length).toBe(1)
    expect([await chosen(), await ofPlug()]).toEqual([night.id, night.id])
    await expect(page.getByText(text.usedAt(1, 1))).toBeVisible()
  })
})

test('a chosen price that a colleague deletes is marked as deleted, and can be removed @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Quay')
  const id = site?.id ?? ''
  const tariffs = client.collection(TARIFFS)
  const tariff = await tariffs.create(tariffBody(site?.['business'] as string))
  const { page } = owner
  const choice = page.getByLabel(en.fields.sites.tariff)
  await owner.visit(`/site/edit/${id}`)
  await page.getByRole('button', { name: en.site.sections.price.title }).click()
  await choice.selectOption('Standard')
  await owner.fillSite({ name: 'North Quay' })
  await tariffs.delete(tariff.id)
  await expect(choice.getByRole('option', { name: 'Standard' })).toHaveCount(0)
  await expect(choice.getByRole('option', { selected: true })).toHaveText(text.notFound)
  owner.expectFailureAt(API.record(SITES, id))
  await owner.saveSite()
  await expect(owner.alert).toBeVisible()
  await choice.selectOption(text.noPrice)
  await owner.retry()
  await owner.expectPath('/dashboard')
  expect(await client.collection(SITES).getOne(id)).toMatchObject({
    name: 'North Quay',
    tariff: '',
  })
})

test('a price added from the form of a site is selected there @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Quay')
  const tariffs = client.collection(TARIFFS)
  const sites = client.collection(SITES)
  await client.collection('businesses').update(site?.['business'] as string, { country_code: 'CH' })
  const { page } = owner
  const choice = page.getByRole('combobox', { name: en.fields.sites.tariff })
  const ofPlug = page.getByRole('combobox', { name: en.fields.connectors.tariff })
  const currency = owner.field(en.fields.tariffs.currency)
  const addPrice = async (name: string, amount: string) => {
    await owner.expectTitle(en.titles.addPrice)
    await owner.field(en.fields.tariffs.name).fill(name)
    await page.getByLabel(text.amounts.energy('CHF')).fill(amount)
    await page.getByRole('button', { name: text.save }).click()
  }

  await test.step('in the form of a stored site, which keeps its input', async () => {
    await sites.update(site?.id ?? '', { country: 'CHE' })
    await owner.visit(`/site/edit/${site?.id}`)
    await owner.field(en.fields.sites.name).fill('Quayside')
    await page.getByRole('button', { name: en.site.sections.price.title }).click()
    await owner.follow(text.add)
    await expect(currency).toHaveValue('CHF')
    await addPrice('Standard', '0.59')
    await owner.expectPath(`/site/edit/${site?.id}`)
    await expect(choice).toBeFocused()
    await expect(choice.locator('option:checked')).toHaveText('Standard')
    await expect(owner.field(en.fields.sites.name)).toHaveValue('Quayside')
    await choice.selectOption(text.noPrice)
    await expect(page.getByText(new RegExp(en.drafts.savedAt('')))).toBeVisible()
    await owner.reload()
    await page.getByRole('button', { name: en.site.sections.price.title }).click()
    await expect(choice).toHaveValue('')
    await choice.selectOption('Standard')
  })

  await test.step('in a connector', async () => {
    await page.locator('#connector-0').click()
    await owner.moreOf(1).click()
    await owner.connector(1).getByRole('link', { name: text.add }).click()
    await addPrice('Plug', '0.39')
    await owner.expectPath(`/site/edit/${site?.id}`)
    await expect(page.locator('#connector-0')).toBeFocused()
    await page.keyboard.press('Enter')
    await owner.moreOf(1).click()
    await expect(ofPlug.locator('option:checked')).toHaveText('Plug')
    await page.getByRole('button', { name: en.site.save }).click()
    const [standard, plug] = await tariffs.getFullList({ sort: '-name' })
    await expect
      .poll(() => sites.getOne(site?.id ?? ''))
      .toMatchObject({ name: 'Quayside', tariff: standard?.id })
    const stored = client.collection(CONNECTORS)
    await expect
      .poll(async () => (await stored.getFullList()).map(({ tariff }) => tariff as unknown))
      .toEqual([plug?.id])
  })

  await test.step('in the form of a new site, offline, or after Cancel', async () => {
    await owner.visit('/site/add')
    await owner.field(en.fields.sites.name).fill('Harbour')
    await page.getByRole('button', { name: en.site.sections.price.title }).click()
    await owner.follow(text.add)
    await owner.expectTitle(en.titles.addPrice)
    await owner.follow(en.actions.cancel)
    await expect(owner.field(en.fields.sites.name)).toHaveValue('Harbour')
    await page.getByRole('button', { name: en.site.sections.price.title }).click()
    await owner.goOffline()
    await owner.follow(text.add)
    // Otherwise the name would be that of the site.
    await owner.expectTitle(en.titles.addPrice)
    await owner.field(en.fields.tariffs.name).fill('Night')
    await page.getByLabel(text.amounts.energy('CHF')).fill('0.29')
    await page.getByRole('button', { name: en.drafts.sendLater }).click()
    await expect(choice.locator('option:checked')).toHaveText('Night')
    await expect(owner.field(en.fields.sites.name)).toHaveValue('Harbour')
    await owner.goOnline()
  })
})

test('history and conflicts show the names of prices and countries @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Quay')
  const business = site?.['business'] as string
  const tariffs = client.collection(TARIFFS)
  const addPrice = async (name: string) =>
    (await tariffs.create({ ...tariffBody(business), name })).id
  const [day, night, guests] = [
    await addPrice('Day'),
    await addPrice('Night'),
    await addPrice('Guests'),
  ]
  const sites = client.collection(SITES)
  const connectors = client.collection(CONNECTORS)
  const [plug] = await connectors.getFullList()
  await sites.update(site?.id ?? '', { tariff: day, country: 'FRA' })
  await sites.update(site?.id ?? '', { tariff: night })
  await connectors.update(plug?.id ?? '', { tariff: guests })
  await connectors.update(plug?.id ?? '', { tariff: '' })
  const { page } = owner
  const row = (hasText: string | RegExp) => page.getByRole('listitem').filter({ hasText })

  await test.step('in the history, also of a deleted price', async () => {
    await owner.visit('/changes')
    await expect(row('France')).toContainText(en.fields.sites.country)
    await expect(row(/Day\s*→.*Night/)).toHaveCount(1)
    await tariffs.delete(day)
    await tariffs.delete(guests)
    await owner.reload()
    await expect(row(/Day \(deleted\)\s*→.*Night/)).toHaveCount(1)
    await expect(row(/Guests \(deleted\)\s*→/)).toHaveCount(1)
  })

  await test.step('in a conflict', async () => {
    const [mine, theirs] = [await addPrice('Day'), await addPrice('Guests')]
    await owner.visit(`/site/edit/${site?.id}`)
    await page.getByRole('button', { name: en.site.sections.price.title }).click()
    await page.getByLabel(en.fields.sites.tariff).selectOption('Day')
    await page.getByRole('button', { name: en.site.sections.more.title }).click()
    await page.getByLabel(en.fields.sites.country).selectOption('Spain')
    await sites.update(site?.id ?? '', { tariff: theirs, country: 'ITA' })
    const said = (name: string) =>
      page.locator('.conflict').filter({ hasText: name }).getByRole('definition')
    await expect(said(en.fields.sites.tariff)).toHaveText(['Day', 'Guests'])
    await expect(said(en.fields.sites.country)).toHaveText(['Spain', 'Italy'])
    await tariffs.delete(mine)
    await expect(said(en.fields.sites.tariff)).toHaveText(['a deleted price', 'Guests'])
  })
})
