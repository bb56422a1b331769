import { API } from '#domain/paths.ts'
import { CONNECTORS, SITES, TARIFFS } from '#domain/collection.ts'
import { STANDARDS } from '#domain/connector.ts'
import type PocketBase from 'pocketbase'
import { en } from '../support/english.ts'
import { siteBody, tariffBody } from '../support/owner.ts'
import { expect, test, type Owner } from './driver.ts'
import { prepareBusiness } from './prepare.ts'
import { readStored } from './stored.ts'

const SITE = {
  address: '12 Quay Street, Portrush',
  latitude: '55.2044',
  longitude: '-6.6531',
  name: 'Harbour Lane Quay',
}

/** The stored connectors as counts, read with the SDK. */
const stored = async (client: PocketBase) => {
  const list = await client
    .collection(CONNECTORS)
    .getFullList({ batch: 500, sort: 'standard,kw_rating' })
  return {
    ids: list.map(({ id }) => id).toSorted(),
    of: list.map(({ standard, kw_rating }) => `${standard} ${kw_rating}`),
  }
}
const times = (count: number, what: string): string[] => Array.from({ length: count }, () => what)

const prepareSite = async (owner: Owner, connectors: readonly Record<string, unknown>[]) => {
  const client = await owner.comeSignedIn()
  const business = await prepareBusiness(client)
  const site = await client.collection(SITES).create({ ...siteBody(business.id), name: SITE.name })
  for (const connector of connectors)
    await client.collection(CONNECTORS).create({ ...connector, site: site.id })
  return { client, site, open: () => owner.visit(`/site/edit/${site.id}`) }
}

const CCS = {
  standard: 'IEC_62196_T2_COMBO',
  format: 'CABLE',
  current_type: 'DC',
  kw_rating: 150,
}
const TYPE_2 = {
  standard: 'IEC_62196_T2',
  format: 'SOCKET',
  current_type: 'AC_3_PHASE',
  kw_rating: 22,
}

/** Saves and waits for the dashboard. */
const save = async (owner: Owner) => {
  await owner.saveSite()
  await owner.expectPath('/dashboard')
}

test('decimal comma and dot are accepted in every language, and shown in its format @once', async ({
  owner,
}) => {
  const { client, site, open } = await prepareSite(owner, [
    { ...TYPE_2, current_type: 'AC_1_PHASE' },
  ])
  await open()
  for (const [language, typed, shown] of [
    ['English', '7,4', '7.4'],
    ['Deutsch', '7.4', '7,4'],
  ] as const)
    await test.step(language, async () => {
      await owner.openConnector(1)
      await owner.page.evaluate(
        (code) => localStorage.setItem('language', code),
        language === 'Deutsch' ? 'de' : 'en',
      )
      await owner.reload()
      await owner.summaries.first().click()
      const power = owner.page.getByRole('textbox', { name: /in kW$/ })
      for (const text of [typed, shown]) {
        await power.fill(text)
        await power.press('Tab')
        await expect(power).toHaveValue(shown)
      }
      await power.fill(typed)
      const latitude = owner.page.locator('#field-latitude')
      await latitude.fill(typed)
      await latitude.press('Tab')
      await expect(latitude).toHaveValue(shown)
      await owner.page.locator('.save-bar .primary').click()
      await owner.expectPath('/dashboard')
      expect((await stored(client)).of).toEqual(['IEC_62196_T2 7.4'])
      expect(await client.collection(SITES).getFullList()).toMatchObject([{ latitude: 7.4 }])
      // Resets the value for the next language.
      const [connector] = await client.collection(CONNECTORS).getFullList()
      await client.collection(CONNECTORS).update(connector?.id ?? '', { kw_rating: 22 })
      await client.collection(SITES).update(site.id, { latitude: 55.2044 })
      await open()
    })
})

test('unusual values cause a warning, in open and closed rows, and are never refused @once', async ({
  owner,
}) => {
  const { client, open } = await prepareSite(owner, [CCS])
  await open()
  const row = owner.connector(1)
  await owner.fillConnector(1, {
    plug: 'CHAdeMO',
    current: 'AC_1_PHASE',
    format: 'SOCKET',
    kw: '740',
  })
  const questions = [
    'Is 740 kW right?',
    'CHAdeMO charges with DC. Is the current right?',
    'CHAdeMO usually has a cable attached. Is a socket right?',
  ]
  const { kw_rating: kwRating, current_type: currentType, format } = en.fields.connectors
  for (const [index, name] of [kwRating, currentType, format].entries())
    await expect(row.getByLabel(name, { exact: true })).toHaveAccessibleDescription(
      questions[index] ?? '',
    )

  await owner.fillConnector(1, { kw: '0,5' })
  await expect(row).toContainText('Is 0.5 kW right?')
  await owner.fillConnector(1, { plug: 'Type 2 (Mennekes)', current: 'AC_3_PHASE', kw: '7.4' })
  await expect(row).toContainText('7.4 kW usually comes with “AC 1-phase” or “AC 2-phase”.')
  await owner.fillConnector(1, { kw: '740' })
  await owner.closeConnector(1)
  await expect(owner.summaryOf(1)).toBeFocused()
  await expect(owner.summaryOf(1)).toHaveText('Type 2 AC 3-phase · socket 740 kW')
  await expect(row).toContainText('Is 740 kW right?')
  await save(owner)
  expect((await stored(client)).of).toEqual(['IEC_62196_T2 740'])
})

test('a row has as many records as its quantity, after any change @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  await owner.visit('/site/add')
  await owner.fillSite(SITE)

  await test.step('adds presets; the same preset twice increases the quantity', async () => {
    await owner.addPreset('CCS2 · 150 kW')
    await owner.addPreset('Type 2 · 22 kW')
    await owner.addPreset('CCS2 · 150 kW')
    await expect(owner.connectors).toHaveCount(2)
    await expect(owner.summaryOf(1)).toHaveText('2 × CCS2 DC · cable 150 kW')
    await owner
      .connector(1)
      .getByRole('button', { name: en.connectors.more(1) })
      .click()
    await owner.connector(1).getByLabel(en.connectors.quantity(1)).press('ArrowUp')
    await expect(owner.summaryOf(1)).toHaveText('4 × CCS2 DC · cable 150 kW')
    await owner.expectNoViolations()
    await save(owner)
    await expect(owner.plugsOf(owner.site(SITE.name))).toHaveCount(2)
    await expect(owner.site(SITE.name)).toContainText('4 × CCS2')
    expect((await stored(client)).of).toEqual([
      'IEC_62196_T2 22',
      ...times(4, 'IEC_62196_T2_COMBO 150'),
    ])
  })

  const before = (await stored(client)).ids
  await test.step('a change of the row applies to all its records', async () => {
    await owner.openSite(SITE.name)
    const position = await owner.findConnector('CCS2')
    // Lowering and raising the quantity again is no change.
    await owner.setQuantity(position, 2)
    await owner.setQuantity(position, 5)
    await owner.fillConnector(position, { kw: '300' })
    await save(owner)
    const { ids, of } = await stored(client)
    expect(of).toEqual(['IEC_62196_T2 22', ...times(5, 'IEC_62196_T2_COMBO 300')])
    expect(ids).toEqual(expect.arrayContaining(before))
    expect(ids).toHaveLength(6)
  })

  await test.step('a lower quantity deletes the surplus records, and a copy can be changed', async () => {
    await owner.openSite(SITE.name)
    const position = await owner.findConnector('CCS2')
    await owner.setQuantity(position, 2)
    await owner
      .connector(position)
      .getByRole('button', { name: en.connectors.duplicate(position) })
      .click()
    await expect(
      owner.connector(position + 1).getByLabel(en.fields.connectors.kw_rating),
    ).toBeFocused()
    await owner.fillConnector(position + 1, { kw: '50', quantity: 1 })
    await save(owner)
    expect((await stored(client)).of).toEqual([
      'IEC_62196_T2 22',
      'IEC_62196_T2_COMBO 50',
      ...times(2, 'IEC_62196_T2_COMBO 300'),
    ])
  })

  await test.step('undoing a removal restores the rows and the ids of their records', async () => {
    const kept = await stored(client)
    await owner.openSite(SITE.name)
    const names = () => owner.summaries.allTextContents()
    const position = await owner.findConnector('Type 2')
    const order = await names()
    await owner.removeConnector(position)
    await expect(owner.page.getByText('Removed: Type 2 22 kW')).toBeVisible()
    await expect(owner.page.getByRole('button', { name: 'Undo' })).toBeFocused()
    await owner.removeConnector(1)
    await owner.expectNoViolations()
    expect(await stored(client)).toEqual(kept)
    for (const what of ['Type 2', 'CCS2'])
      await owner.page
        .getByRole('button', { name: new RegExp(`^Undo: Removed: .*${what}`) })
        .click()
    await expect.poll(names).toEqual(order)
    await owner.removeConnector(await owner.findConnector('Type 2'))
    await save(owner)
    const now = await stored(client)
    expect(now.of).toEqual(['IEC_62196_T2_COMBO 50', ...times(2, 'IEC_62196_T2_COMBO 300')])
    expect(kept.ids).toEqual(expect.arrayContaining(now.ids))
  })
})

test('every plug can be found by keyboard, by its common name and by its OCPI name @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  await owner.visit('/site/add')
  await owner.fillSite(SITE)
  const { keyboard } = owner.page
  const picker = owner.plugField(1)
  const options = owner.page.getByRole('option')
  const codes = options.locator('.plug-code')
  await owner.page.getByRole('button', { name: en.connectors.otherPreset }).focus()
  await keyboard.press('Enter')
  await expect(picker).toBeFocused()

  await keyboard.press('ArrowDown')
  await expect(codes).toHaveText([...STANDARDS])
  await owner.expectNoViolations()
  await keyboard.press('Escape')
  await expect(picker).toBeFocused()

  for (const [typed, name] of [
    ['j1772', 'Type 1 (J1772)'],
    ['schuko', 'Schuko (type F)'],
    ['IEC_60309_2_three_32', 'Red CEE 32 A'],
    ['combo', 'CCS2 (Combo 2)'],
    ['mennekes', 'Type 2 (Mennekes)'],
    ['cha de mo', 'CHAdeMO'],
  ] as const) {
    await keyboard.press('Enter')
    await expect(owner.plugSearch).toBeFocused()
    await keyboard.type(typed)
    await keyboard.press('Enter')
    await expect(picker).toHaveText(name)
    await expect(picker).toBeFocused()
  }
  // A text without a match is reported and changes nothing.
  await keyboard.press('Enter')
  await keyboard.type('toaster')
  await expect(owner.page.getByText(en.connectors.noMatch)).toBeVisible()
  await keyboard.press('Escape')
  await keyboard.press('Escape')
  await expect(picker).toHaveText('CHAdeMO')
  await expect(picker).toBeFocused()

  // Skips the fields that were filled in from the plug.
  await expect(owner.connector(1).getByRole('radio', { name: 'DC', exact: true })).toBeChecked()
  for (let presses = 0; presses < 3; presses++) await keyboard.press('Tab')
  await expect(owner.connector(1).getByLabel(en.fields.connectors.kw_rating)).toBeFocused()
  await keyboard.type('50')
  await keyboard.press('Enter')
  await owner.expectPath('/dashboard')
  expect(await client.collection(CONNECTORS).getFullList()).toMatchObject([
    { standard: 'CHADEMO', format: 'CABLE', current_type: 'DC', kw_rating: 50 },
  ])
})

test('saves fifty connectors in one go, within the rate limits @once', async ({
  owner: anyone,
  openStack,
}) => {
  const stack = await openStack({ RATE_LIMITS: 'on' })
  const owner = anyone.at(stack.url, stack.provider.issuer)
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  await owner.visit('/site/add')
  await owner.fillSite(SITE)
  await owner.addPreset('CCS2 · 150 kW')
  await owner.setQuantity(1, 50)
  await save(owner)
  await expect(owner.site(SITE.name)).toContainText('50 × CCS2')
  expect((await stored(client)).of).toEqual(times(50, 'IEC_62196_T2_COMBO 150'))
})

test('a row of four shows that one failed, and a retry completes the row @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  await owner.visit('/site/add')
  await owner.fillSite(SITE)
  await owner.addPreset('Type 2 · 22 kW')
  await owner.addPreset('CCS2 · 150 kW')
  await owner.setQuantity(2, 4)
  // The first response is lost: the owner sees a failure, but the server has the record.
  await owner.failNext('POST', API.records(CONNECTORS), 'answer lost')
  await owner.failNext('POST', API.records(CONNECTORS))
  await owner.saveSite()
  await expect(owner.unsavedConnectors.last()).toContainText(/\d of 4 (was|were) not saved/)
  owner.expectFailureAt(API.records(CONNECTORS))
  await owner.unsavedConnectors.last().getByRole('button', { name: en.actions.retry }).click()
  await owner.expectPath('/dashboard')
  expect((await stored(client)).of).toEqual([
    'IEC_62196_T2 22',
    ...times(4, 'IEC_62196_T2_COMBO 150'),
  ])
})

test('the choices of a connector fit their tiles on a phone, in every language @once', async ({
  owner,
}) => {
  const { page } = owner
  await prepareBusiness(await owner.comeSignedIn())
  await page.setViewportSize({ width: 390, height: 844 })
  await owner.visit('/site/add')
  await owner.addPreset('CCS2 · 150 kW')
  await owner.openConnector(1)
  for (const language of ['Deutsch', 'Français', 'Español', 'English']) {
    await owner.chooseLanguage(language)
    const tiles = page.locator('.picture-choice')
    await expect(tiles.first()).toBeVisible()
    const cut = await tiles.evaluateAll((all) =>
      all.flatMap((tile) => (tile.scrollWidth > tile.clientWidth ? [tile.textContent] : [])),
    )
    expect(cut, language).toEqual([])
  }
})

test('an error that appears does not move a button away while it is pressed @once', async ({
  owner,
}) => {
  await prepareBusiness(await owner.comeSignedIn())
  const { page } = owner
  await page.setViewportSize({ width: 768, height: 1024 })
  await owner.visit('/site/add')
  const capacity = owner.field(en.fields.sites.vehicle_capacity)
  const button = page.getByRole('button', { name: en.connectors.otherPreset })
  await expect(button).toBeVisible()
  await button.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await capacity.fill('2.5')
  const { x = 0, y = 0 } = (await button.boundingBox()) ?? {}
  await page.mouse.move(x + 20, y + 5)
  await page.mouse.down()
  // As long as a person presses.
  await page.waitForTimeout(200)
  await page.mouse.up()
  await expect(owner.plugField(1)).toBeFocused()
  await expect(capacity).toHaveAttribute('aria-invalid', 'true')
})

test('the new number of vehicles is announced when a button of its field is pressed @once', async ({
  owner,
}) => {
  await prepareBusiness(await owner.comeSignedIn())
  const { page } = owner
  await owner.visit('/site/add')
  const capacity = owner.field(en.fields.sites.vehicle_capacity)
  await expect(capacity).toHaveValue('1')
  const more = en.about(en.fields.sites.vehicle_capacity, en.site.more)
  await page.getByRole('button', { name: more }).press('Enter')
  await expect(capacity).toHaveValue('2')
  const details = page.getByRole('region', { name: en.site.detailsTitle })
  await expect(details.getByRole('status')).toHaveText('2')
})

test('a site with an invalid quantity is not saved @once', async ({ owner, stack }) => {
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit('/site/add')
  await owner.fillSite(SITE)
  await owner.addPreset('Type 2 · 22\u00A0kW')
  const quantity = owner.connector(1).getByLabel(en.connectors.quantity(1))
  const total = owner.page.getByRole('heading', { name: en.connectors.title })
  for (const [typed, key] of [
    ['999', 'Tab'],
    ['abc', 'Tab'],
    ['251', 'Enter'],
  ] as const) {
    // Key by key: the first keys of an invalid quantity can be a valid one.
    await quantity.focus()
    await quantity.press('ControlOrMeta+a')
    await quantity.pressSequentially(typed)
    await quantity.press(key)
    await expect(quantity).toHaveAccessibleDescription(/^Enter 1 to 250\./)
    await expect(total).toContainText('(1)')
    await owner.page.getByRole('button', { name: en.site.addAnother }).click()
    await expect(quantity).toBeFocused()
    await expect(quantity).toHaveValue(typed)
  }
  await owner.expectNoViolations()
  await owner.expectPath('/site/add')
  await quantity.fill('2')
  await expect(quantity).not.toHaveAccessibleDescription(/./)
  // The button that was pressed before is forgotten.
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  expect(await readStored(stack, owner.person.email).connectors()).toHaveLength(2)
})

test('an incomplete row is opened, and the error summary links to it @once', async ({ owner }) => {
  const { open } = await prepareSite(owner, [CCS, TYPE_2])
  await open()
  // A new row shows no errors before it is touched, and fills in the usual values of its plug.
  await owner.page.getByRole('button', { name: en.connectors.otherPreset }).click()
  await expect(owner.plugField(3)).toBeFocused()
  await expect(owner.connector(3).locator('[aria-invalid=true]')).toHaveCount(0)
  await owner.choosePlug(3, 'Type 2')
  await expect(owner.connector(3).locator('[value=SOCKET]')).toBeChecked()
  await expect(owner.connector(3).locator('[value=AC_3_PHASE]')).toBeChecked()
  const kw = owner.connector(3).getByLabel(en.fields.connectors.kw_rating)
  await kw.focus()
  await kw.press('Tab')
  await expect(owner.connector(3)).toContainText('Enter the power in kW')
  await owner.removeConnector(3)

  await owner.fillConnector(1, { kw: '' })
  await owner.fillConnector(2, { kw: '5000' })
  await owner.saveSite()
  const problems = owner.alert.getByRole('link')
  await expect(problems).toHaveText([
    'Connector 1: Enter the power in kW',
    'Connector 2, Power in kW: Enter 4,000 or less',
  ])
  const power = (position: number) =>
    owner.connector(position).getByLabel(en.fields.connectors.kw_rating)
  await expect(power(1)).toBeFocused()
  await problems.nth(1).click()
  await expect(power(2)).toBeFocused()
  // The row stays open while its errors are corrected.
  await power(2).fill('50')
  await expect(power(2)).toBeFocused()
  await power(1).fill('150')
  await power(1).press('Enter')
  await expect(owner.page.getByRole('main').getByText('Enter the power in kW')).toHaveCount(0)
})

const labels = en.fields.connectors

/** The individual fields of each stored connector, ordered by id. */
const storedDetails = async (client: PocketBase) =>
  (await client.collection(CONNECTORS).getFullList({ sort: 'evse_id,reference' })).map(
    ({ evse_id, reference, tariff, voltage }): Readonly<Record<string, unknown>> => ({
      evse_id,
      reference,
      tariff,
      voltage,
    }),
  )

test('four connectors share a price and have individual ids @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const business = await prepareBusiness(client)
  const tariffs = client.collection(TARIFFS)
  const { id: tariff } = await tariffs.create({ ...tariffBody(business.id), name: 'Fast' })
  const { keyboard } = owner.page
  await owner.visit('/site/add')
  await owner.fillSite(SITE)
  await owner.addPreset('CCS2 · 150 kW')
  await owner.setQuantity(1, 3)

  await test.step('in a section whose button summarises it', async () => {
    await owner.openConnector(1)
    await expect(owner.moreOf(1)).toHaveAttribute('aria-expanded', 'false')
    await expect(owner.moreOf(1)).toContainText(en.connectors.moreHint)
    await owner.moreOf(1).focus()
    await keyboard.press('Enter')
    await owner.detail(1, labels.tariff).selectOption('Fast')
    await expect(owner.connector(1)).toContainText('€0.59 per kWh')
    await owner.detail(1, labels.voltage).fill('400')
    await owner.paste(owner.detail(1, labels.evse_id, 1), 'FR*ABC*E1\nFR*ABC*E2\nFR*ABC*E3\n')
    await expect(owner.detail(1, labels.evse_id, 3)).toHaveValue('FR*ABC*E3')
    await expect(owner.moreOf(1)).toContainText('Fast · 400 V · EVSE ID')
    await owner.expectNoViolations()
  })

  await test.step('a draft restores them', async () => {
    await owner.detail(1, labels.reference, 2).fill('second')
    await owner.reload()
    await owner.openDetails(1)
    await expect(owner.detail(1, labels.tariff)).toHaveValue(tariff)
    await expect(owner.detail(1, labels.reference, 2)).toHaveValue('second')
  })

  await test.step('lowering and raising the quantity is no change, and a fourth one gets the shared values', async () => {
    await owner.setQuantity(1, 1)
    await expect(owner.detail(1, labels.evse_id)).toHaveCount(1)
    await owner.setQuantity(1, 4)
    await expect(owner.detail(1, labels.evse_id, 3)).toHaveValue('FR*ABC*E3')
    await expect(owner.detail(1, labels.evse_id, 4)).toHaveValue('')
    await expect(owner.detail(1, labels.voltage)).toHaveValue('400')
    await save(owner)
    const common = { tariff, voltage: 400 }
    expect(await storedDetails(client)).toEqual([
      { ...common, evse_id: '', reference: '' },
      { ...common, evse_id: 'FR*ABC*E1', reference: '' },
      { ...common, evse_id: 'FR*ABC*E2', reference: 'second' },
      { ...common, evse_id: 'FR*ABC*E3', reference: '' },
    ])
  })

  await test.step('a copy has the price but no ids', async () => {
    await owner.openSite(SITE.name)
    await owner
      .connector(1)
      .getByRole('button', { name: en.connectors.duplicate(1) })
      .click()
    await owner.fillConnector(2, { kw: '50', quantity: 1 })
    await owner.openDetails(2)
    await expect(owner.detail(2, labels.tariff)).toHaveValue(tariff)
    await expect(owner.detail(2, labels.evse_id)).toHaveValue('')
  })

  await test.step('they are sent when the connection returns', async () => {
    await owner.detail(2, labels.evse_id).fill('fr*abc*e50')
    await owner.goOffline()
    await owner.page.getByRole('button', { name: en.drafts.sendLater }).click()
    await owner.expectPath('/dashboard')
    await owner.goOnline()
    await expect
      .poll(async () => (await storedDetails(client)).at(-1))
      .toEqual({ tariff, voltage: 400, evse_id: 'fr*abc*e50', reference: '' })
  })
})

test('an error of one of four is shown at that connector @once', async ({ owner }) => {
  const { client, site, open } = await prepareSite(
    owner,
    ['one', 'two', 'three'].map((reference) => ({ ...CCS, reference })),
  )
  await client.collection(CONNECTORS).create({ ...TYPE_2, site: site.id })
  await open()
  await owner.openDetails(1)
  const all = await owner.connector(1).getByLabel(labels.reference).all()
  const values = await Promise.all(all.map((field) => field.inputValue()))
  expect(values.toSorted()).toEqual(['one', 'three', 'two'])

  await test.step('before it is sent', async () => {
    await owner.detail(1, labels.evse_id, 2).fill('E2')
    await owner.detail(1, labels.voltage).fill('x')
    await owner.openConnector(2)
    // The section stays open while it has an error.
    await owner.saveSite()
    await expect(owner.alert.getByRole('link')).toHaveText([
      'Connector 1, Voltage: Enter a number',
      'Connector 1, No. 2, EVSE ID: Write it like this: FR*ABC*E123',
    ])
    await expect(owner.detail(1, labels.voltage)).toBeFocused()
    await owner.alert.getByRole('link').nth(1).click()
    await expect(owner.detail(1, labels.evse_id, 2)).toBeFocused()
    // A draft restores it into a collapsed row, which opens.
    await owner.reload()
    await expect(owner.summaryOf(1)).toHaveAttribute('aria-expanded', 'false')
    await owner.saveSite()
    await expect(owner.detail(1, labels.voltage)).toBeFocused()
    await owner.detail(1, labels.voltage).fill('400,5')
    await owner.detail(1, labels.evse_id, 2).fill('')
    await expect(owner.detail(1, labels.voltage)).toHaveValue('400.5')
  })

  await test.step('after the server has refused it', async () => {
    const other = await client.collection(SITES).create(siteBody(String(site['business'])))
    await client.collection(CONNECTORS).create({ ...CCS, site: other.id, reference: 'taken' })
    const [refused] = await client
      .collection(CONNECTORS)
      .getFullList({ filter: `reference = "${values[2] ?? ''}"` })
    owner.expectFailureAt(API.record(CONNECTORS, refused?.id ?? ''))
    await owner.detail(1, labels.reference, 3).fill('taken')
    await owner.saveSite()
    const third = owner.detail(1, labels.reference, 3)
    await expect(third).toHaveAttribute('aria-invalid', 'true')
    await expect(third).toHaveAccessibleDescription(/This already exists$/)
    await third.fill('third')
    await owner.unsavedConnectors.getByRole('button', { name: en.actions.retry }).click()
    await owner.expectPath('/dashboard')
    expect((await storedDetails(client)).at(-1)).toMatchObject({ voltage: 400.5 })
  })
})

test('different connectors of a row are shown separately, and conflicts name the difference @once', async ({
  owner,
}) => {
  const { client, open } = await prepareSite(
    owner,
    [400, 920].map((voltage) => ({ ...CCS, voltage })),
  )
  const connectors = client.collection(CONNECTORS)
  await open()
  await owner.openDetails(1)
  await expect(owner.detail(1, labels.amperage)).toHaveCount(1)
  await expect(owner.moreOf(1)).toContainText(labels.voltage)
  const first = owner.detail(1, labels.voltage, 1)
  const second = owner.detail(1, labels.voltage, 2)
  await expect(first.or(second)).toHaveCount(2)
  await first.fill('500')
  // Equal for a moment, but they stay separate.
  await second.fill('500')
  await expect(second).toBeFocused()
  const all = await connectors.getFullList({ sort: 'voltage' })
  await connectors.update(all[0]?.id ?? '', { voltage: 450, reference: 'theirs' })
  const conflict = owner.page.locator('.conflict')
  await expect(conflict.getByRole('definition')).toHaveText([
    'CCS2 · DC · cable · 150 kW · Voltage: 500 V',
    'CCS2 · DC · cable · 150 kW · Voltage: 450 V',
  ])
})
