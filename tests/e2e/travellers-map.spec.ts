import { API } from '#domain/paths.ts'
import { PLAIN_LIST } from '#domain/site-address.ts'
import de from '../../web/messages/de/map.ts'
import { en } from '../support/english.ts'
import { startStreetMap } from '../support/street-map.ts'
import { PATHS } from '../../web/paths.ts'
import { describeSite, prepareChain } from './chain.ts'
import { expect, newPerson, test, type Locator, type Owner, type Stack } from './driver.ts'
import { prepareMany } from './prepare.ts'
import { SCREENS } from './screens.ts'

const text = en.find
const QUAY = 'Harbour Lane Quay'

/** Four public sites near Portrush, and their towns. One is open around the clock. */
const prepareCoast = async (owner: Owner, { sql }: Stack): Promise<void> => {
  // Other tests have put sites on the same map, which may be many, and a slow machine must not fail a test.
  await sql.begin(async (transaction) => {
    await transaction`set local statement_timeout = '2min'`
    await transaction`delete from sites`
  })
  const sites = await prepareChain(await owner.comeLater())
  const ids = sites.map(({ id }) => id)
  await sql`update sites set city = 'Portrush', country = 'GBR' where id = any(${ids})`
  await sql`update sites set opening_hours = '{"twentyfourseven":true}', time_zone = 'Europe/London'
    where id = any(${ids}) and name = ${QUAY}`
}

const search = (owner: Owner): Locator => owner.page.getByRole('combobox', { name: text.search })
const rows = (owner: Owner): Locator => owner.page.getByRole('listitem').getByRole('article')
const row = (owner: Owner, name: string): Locator =>
  owner.page.getByRole('link', { name, exact: true })
const suggestions = (owner: Owner): Locator =>
  owner.page.getByRole('listbox', { name: text.suggestions }).getByRole('option')
const chosen = (owner: Owner): Locator => owner.page.getByRole('region', { name: text.chosen })
const chip = (owner: Owner, name: string): Locator =>
  owner.page.getByRole('group', { name: text.filters }).getByRole('button', { name, exact: true })
/** Named after the current choice. */
const panelButton = (owner: Owner): Locator => owner.page.locator('.finder-chips > [popovertarget]')
const canvas = (owner: Owner): Locator => owner.page.getByRole('region', { name: text.map })
const frame = (owner: Owner): Locator => owner.page.locator('.map-frame')
const parameter = (owner: Owner, name: string): string | null =>
  new URL(owner.page.url()).searchParams.get(name)
const zoom = (owner: Owner): number => Number(parameter(owner, 'at')?.split(',')[2])

/** Presses the middle of the map until it has the outcome, because tiles arrive at any time. */
const pressMiddle = async (owner: Owner, outcome: () => Promise<void>): Promise<void> => {
  await expect(async () => {
    await canvas(owner).click()
    await outcome()
  }).toPass({ intervals: [500] })
}

test('a mistyped town, filters and a site lead to directions, and back restores each view', async ({
  owner,
  stack,
}) => {
  await prepareCoast(owner, stack)
  await owner.visit(PATHS.map)
  await expect(owner.page.getByRole('heading', { name: text.startTitle })).toBeVisible()
  await search(owner).fill('portruhs')
  await expect(suggestions(owner).first()).toContainText('Portrush')
  await suggestions(owner).first().click()
  await expect(rows(owner)).toHaveCount(4)
  await expect(rows(owner).first()).toContainText(/\d+(\.\d)?\sk?m/)
  expect(parameter(owner, 'q')).toBe('Portrush')

  await owner.page.getByRole('button', { name: text.plugAndPower }).click()
  const panel = owner.page.getByRole('dialog', { name: text.plugAndPower })
  await panel.getByRole('checkbox', { name: 'CCS2' }).check()
  await panel.getByRole('button', { name: text.fromPower('150') }).click()
  await panel.getByRole('button', { name: text.show }).click()
  await expect(panel).toBeHidden()
  await chip(owner, text.openNow).click()
  await expect(rows(owner)).toHaveCount(1)
  await expect(rows(owner)).toContainText('4 × CCS2')
  await owner.expectPath(/plug=CCS_2&min_kw=150&open=now/)

  await row(owner, QUAY).click()
  await expect(chosen(owner)).toBeFocused()
  await expect(chosen(owner)).toContainText('12 Quay Street')
  await expect(chosen(owner)).toContainText(en.hours.openNow)
  const directions = chosen(owner).getByRole('link', { name: text.directionsTo(QUAY) })
  await expect(directions).toHaveAttribute('href', /55\.2044,-6\.6531|mlat=55\.2044/)
  await expect(chosen(owner).getByRole('link', { name: text.details })).toHaveAttribute(
    'href',
    /\/at\/\w+\/harbour-lane-quay$/,
  )

  await owner.page.goBack()
  await expect(chosen(owner)).toHaveCount(0)
  await expect(rows(owner)).toHaveCount(1)
  await owner.page.goBack()
  await expect(owner.page.getByRole('heading', { name: text.startTitle })).toBeVisible()
  await expect(search(owner)).toHaveValue('')
  await owner.page.goForward()
  await owner.page.goForward()
  await expect(chosen(owner)).toContainText(QUAY)

  // The same address shows the same view anywhere; a new visit only keeps plug and power.
  const address = owner.page.url()
  await owner.page.goto(address)
  await expect(chosen(owner)).toContainText(QUAY)
  await expect(chip(owner, text.openNow)).toHaveAttribute('aria-pressed', 'true')
  await owner.visit(PATHS.map)
  await expect(chip(owner, `CCS2 · ${text.fromPower('150')}`)).toBeVisible()
  await expect(chip(owner, text.openNow)).toHaveAttribute('aria-pressed', 'false')
  await chip(owner, text.removeFilters).click()
  await owner.expectPath(PATHS.map)
})

test.describe('in Europe', () => {
  test.use({ locale: 'en-GB', viewport: SCREENS.phone })

  test('four taps lead from a town to the nearest fast charger that is open @once', async ({
    owner,
    stack,
  }) => {
    await prepareCoast(owner, stack)
    await owner.visit(PATHS.map)
    await search(owner).fill('portr')
    let taps = 0
    const tap = async (target: Locator): Promise<void> => {
      taps += 1
      await target.click()
    }
    await tap(suggestions(owner).first())
    await tap(chip(owner, `CCS2 · ${text.fromPower('150')}`))
    await tap(chip(owner, text.openNow))
    await expect(rows(owner)).toHaveCount(1)
    await owner.expectPath(/plug=CCS_2&min_kw=150&open=now/)
    const directions = owner.page
      .getByRole('listitem')
      .getByRole('link', { name: text.directionsTo(QUAY) })
    await expect(directions).toHaveAttribute('href', /55\.2044,-6\.6531|mlat=55\.2044/)
    expect(taps + 1).toBeLessThanOrEqual(4)
    await tap(chip(owner, `CCS2 · ${text.fromPower('150')}`))
    await owner.expectPath(/\?open=now/)
  })
})

test('the selected site shows the cost of charging, in the language of the visitor @once', async ({
  owner,
  stack,
}) => {
  await stack.sql`delete from sites`
  const client = await owner.comeLater()
  const [quay, rooms] = await prepareChain(client)
  await describeSite(client, quay)
  await owner.visit(`${PATHS.map}?site=${quay?.id}`)
  await expect(chosen(owner)).toContainText('€0.59 per kWh, plus €0.10 per minute of idle time')
  await owner.visit(`${PATHS.map}?site=${rooms?.id}`)
  await expect(chosen(owner)).toContainText('Free for guests')
  await owner.page.getByLabel(en.shell.language).selectOption('de')
  await expect(owner.page.getByText(de.find.directions)).toBeVisible()
  await owner.visit(`${PATHS.map}?site=${quay?.id}`)
  const card = owner.page.locator('.finder-selected')
  await expect(card).toContainText(/0,59\s€/)

  await test.step('if the script of prices is missing, no older text replaces the price', async () => {
    await client.collection('sites').update(quay?.id ?? '', { cost: 'Ask at the desk' })
    owner.watch.expectFailure(owner.url)
    await owner.page.route('**/assets/selected-prices-*.js', (route) =>
      route.fulfill({ status: 404 }),
    )
    await owner.visit(`${PATHS.map}?site=${quay?.id}`)
    await expect(card).toContainText('150 kW')
    await expect(card.locator('.skeleton')).toHaveCount(0)
    await expect(card).not.toContainText('Ask at the desk')
  })
})

test.describe('in German, on a phone', () => {
  test.use({ locale: 'de-DE', viewport: SCREENS.phone })

  test('the long name of a plug is next to its picture @once', async ({ owner, stack }) => {
    await stack.sql`delete from sites`
    const client = await owner.comeLater()
    const [, rooms] = await prepareChain(client)
    await client.collection('connectors').create({
      site: rooms?.id,
      standard: 'DOMESTIC_F',
      format: 'SOCKET',
      current_type: 'AC_1_PHASE',
      kw_rating: 3.7,
    })
    const { page } = owner
    await owner.visit(`${PATHS.map}?at=55.1812,-6.7151,15`)
    const plug = page.getByRole('listitem').filter({ hasText: de.plugGroup.SOCKET }).last()
    const picture = await plug.locator('svg').boundingBox()
    const name = await plug.getByText(de.plugGroup.SOCKET).boundingBox()
    expect(name?.x).toBeGreaterThan((picture?.x ?? 0) + (picture?.width ?? 0))
  })
})

test.describe('on a small phone', () => {
  test.use({ locale: 'en-GB', viewport: { width: 360, height: 640 } })

  test('the filters of an address are in view, and no press moves a chip @once', async ({
    owner,
    stack,
  }) => {
    await prepareCoast(owner, stack)
    const chips = owner.page.getByRole('group', { name: text.filters }).locator('> button')
    const places = () =>
      chips.evaluateAll((all) =>
        all.map((each) => `${each.textContent} ${each.getBoundingClientRect().x}`),
      )
    await owner.visit(`${PATHS.map}?at=55.2044,-6.6531,12&free=true`)
    await expect(chip(owner, text.free)).toHaveAttribute('aria-pressed', 'true')
    await expect(chip(owner, text.free)).toBeInViewport({ ratio: 1 })
    await expect(chip(owner, text.removeFilters)).toBeInViewport({ ratio: 1 })
    const before = await places()
    await chip(owner, text.removeFilters).click()
    await expect(rows(owner)).toHaveCount(4)
    await expect(chip(owner, text.removeFilters)).toBeFocused()
    await expect(chip(owner, text.removeFilters)).toHaveAttribute('aria-disabled', 'true')
    expect(await places()).toEqual(before)
    await chip(owner, text.free).click()
    await expect(chip(owner, text.free)).toHaveAttribute('aria-pressed', 'true')
    await chip(owner, text.free).click()
    await owner.expectPath(/at=55.2044,-6.6531,12$/)
    expect(await places()).toEqual(before)

    // Without filters in the address, the chips keep their usual order.
    await owner.visit(`${PATHS.map}?at=55.2044,-6.6531,12`)
    await expect(rows(owner)).toHaveCount(4)
    const usual = await places()
    expect(usual[0]).toContain(text.fromPower('150'))
    await chip(owner, text.openNow).click()
    await expect(chip(owner, text.openNow)).toHaveAttribute('aria-pressed', 'true')
    expect((await places()).slice(0, usual.length)).toEqual(usual)
  })
})

test('a car sets the plugs, and is stored on the device @once', async ({ owner, stack }) => {
  await prepareCoast(owner, stack)
  const { page } = owner
  await owner.visit(`${PATHS.map}?at=55.2044,-6.6531,11`)
  await expect(rows(owner)).toHaveCount(4)
  const panel = page.getByRole('dialog', { name: text.plugAndPower })
  const open = async () => {
    await panelButton(owner).click()
    await panel.getByRole('button', { name: text.chooseCar }).click()
  }
  await open()
  // By keyboard: the fields are native.
  const brand = panel.getByLabel(text.brand)
  await brand.focus()
  await brand.selectOption('Nissan')
  await panel.getByLabel(text.model).selectOption('Leaf 40 kWh (2018)')
  await expect(panel.getByRole('checkbox', { name: 'CHAdeMO' })).toBeChecked()
  await expect(panel.getByRole('checkbox', { name: 'Type 2' })).toBeChecked()
  await expect(panel.getByRole('checkbox', { name: 'CCS2' })).not.toBeChecked()
  await expect(panel).toContainText(/up to [\d.]+\skW AC and [\d.]+\skW DC/)
  await panel.getByRole('button', { name: text.show }).click()
  await owner.expectPath(/plug=TYPE_2&plug=CHADEMO/)
  await expect(rows(owner)).toHaveCount(3)

  await owner.visit(PATHS.map)
  await owner.expectPath(/plug=TYPE_2&plug=CHADEMO/)
  await open()
  await expect(panel.getByLabel(text.model)).toHaveValue('Leaf 40 kWh (2018)')
})

test('a site with opening hours but no time zone is listed by its status @once', async ({
  owner,
  stack,
}) => {
  await prepareCoast(owner, stack)
  await stack.sql`update sites set time_zone = '' where name = ${QUAY}`
  await owner.visit(`${PATHS.map}?at=55.2044,-6.6531,13`)
  const quay = rows(owner).filter({ hasText: QUAY })
  await expect(quay).toContainText(en.status.AVAILABLE)
  await expect(quay).not.toContainText(en.hours.openNow)
})

test('the map is dragged and zoomed, a cluster opens, and a site is selected on it @once', async ({
  owner,
  stack,
}) => {
  await prepareCoast(owner, stack)
  // The centre of the four sites.
  await owner.visit(`${PATHS.map}?at=55.2045,-6.5324,4`)
  await expect(frame(owner)).toHaveAttribute('data-ground', 'world')
  await pressMiddle(owner, () =>
    // A slow machine may press twice.
    expect(async () => expect(zoom(owner)).toBeGreaterThanOrEqual(6)).toPass({ timeout: 2000 }),
  )
  expect(zoom(owner)).toBeLessThanOrEqual(8)

  await owner.visit(`${PATHS.map}?at=55.2044,-6.6531,15`)
  await expect(frame(owner)).toHaveAttribute('data-ground', 'world')
  await pressMiddle(owner, () => expect(chosen(owner)).toContainText(QUAY, { timeout: 2000 }))
  await owner.page.goBack()
  await expect(chosen(owner)).toHaveCount(0)
  // The second press of a double click is not another step, and does not close the card that is now under the pointer.
  const { mouse } = owner.page
  await row(owner, QUAY).click()
  await expect(chosen(owner)).toContainText(QUAY)
  await mouse.down({ clickCount: 2 })
  await mouse.up({ clickCount: 2 })
  await expect(chosen(owner)).toContainText(QUAY)
  await owner.page.goBack()
  await expect(chosen(owner)).toHaveCount(0)

  const box = await canvas(owner).boundingBox()
  const [x, y] = [(box?.x ?? 0) + 300, (box?.y ?? 0) + 300]
  await owner.page.mouse.move(x, y)
  await owner.page.mouse.down()
  await owner.page.mouse.move(x + 150, y + 100, { steps: 5 })
  await owner.page.mouse.up()
  await expect.poll(() => parameter(owner, 'at')).not.toContain('55.2044,-6.6531')
  await owner.page.getByRole('button', { name: en.map.zoomOut }).click()
  await expect.poll(() => zoom(owner)).toBe(14)
  // A filter also applies to the map.
  await chip(owner, text.free).click()
  await expect(owner.page.getByText(text.noneMatches)).toBeVisible()
  await expect
    .poll(() =>
      owner.watch.requested().some((url) => url.includes('/tiles/') && url.includes('free=true')),
    )
    .toBe(true)
})

test('streets stay visible if the tiles of sites fail, and the list still works @once', async ({
  owner,
  openStack,
}) => {
  const streets = await startStreetMap()
  const stack = await openStack({ MAP_STYLE_URL: streets.styleUrl })
  const visitor = owner.at(stack.url, stack.provider.issuer)
  visitor.watch.allow(streets.origin)
  visitor.watch.expectOffline()
  await prepareCoast(visitor, stack)
  const lost: string[] = []
  await visitor.page.route(/\/api\/public\/tiles\//, (route) => {
    lost.push(route.request().url())
    return route.abort()
  })
  await visitor.visit(`${PATHS.map}?at=55.2044,-6.6531,12`)
  await expect(frame(visitor)).toHaveAttribute('data-ground', 'streets')
  await visitor.page.getByRole('button', { name: en.map.zoomOut }).click()
  await expect.poll(() => lost.length).toBeGreaterThan(4)
  await expect(rows(visitor)).toHaveCount(4)
  await expect(frame(visitor)).toHaveAttribute('data-ground', 'streets')
  await streets.close()
})

test('“near me” is refused, and allowed @once', async ({ owner, stack }) => {
  await prepareCoast(owner, stack)
  await owner.visit(PATHS.map)
  const nearMe = owner.page.getByRole('button', { name: text.nearMe }).first()
  await nearMe.click()
  await expect(owner.alert).toHaveText(text.denied)
  await owner.standAt({ latitude: 55.1812, longitude: -6.7151 })
  await nearMe.click()
  await expect(owner.page.getByText(text.fromYou)).toBeVisible()
  await expect(owner.alert).toHaveCount(0)
  await expect(rows(owner).first()).toContainText('Strand Rooms')
  expect(parameter(owner, 'at')).toBe('55.1812,-6.7151,13')

  // A second press at the same place is no step that Back would have to undo.
  await nearMe.click()
  await expect(owner.page.getByText(text.locating)).toHaveCount(0)
  await owner.page.goBack()
  await expect(owner.page.getByRole('heading', { name: text.startTitle })).toBeVisible()
})

test('a late position does not move the map away from a town chosen meanwhile @once', async ({
  owner,
  stack,
}) => {
  await prepareCoast(owner, stack)
  await owner.page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = (found) =>
      addEventListener('found', () =>
        found({ coords: { latitude: 48.85, longitude: 2.35 } } as GeolocationPosition),
      )
  })
  await owner.visit(PATHS.map)
  await owner.page.getByRole('button', { name: text.nearMe }).first().click()
  await search(owner).fill('portrush')
  await suggestions(owner).first().click()
  await expect(rows(owner)).toHaveCount(4)
  const before = owner.page.url()
  await owner.page.evaluate(() => dispatchEvent(new Event('found')))
  await expect(owner.page.getByText(text.fromMiddle)).toBeVisible()
  expect(owner.page.url()).toBe(before)

  await test.step('nor closes a site opened meanwhile', async () => {
    await owner.page.getByRole('button', { name: text.nearMe }).first().click()
    await expect(owner.page.getByText(text.locating)).toBeVisible()
    await row(owner, QUAY).click()
    await expect(chosen(owner)).toContainText('12 Quay Street')
    await owner.page.evaluate(() => dispatchEvent(new Event('found')))
    await expect(owner.page.getByText(text.locating)).toHaveCount(0)
    await expect(chosen(owner)).toContainText('12 Quay Street')
    expect(parameter(owner, 'at')).toBe(new URL(before).searchParams.get('at'))
  })
})

test('too few letters for a search cause no error while typing, and removed filters stay removed @once', async ({
  owner,
  stack,
}) => {
  await prepareCoast(owner, stack)
  const { page } = owner
  await owner.visit(PATHS.map)
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await search(owner).pressSequentially("L'Aigle")
  await expect
    .poll(() => requested.filter((path) => path.endsWith('/suggest')).length)
    .toBeGreaterThan(0)
  await owner.pressAt(page.getByRole('button', { name: text.clearSearch }))
  await expect(search(owner)).toBeFocused()
  await expect(owner.alert).toHaveCount(0)
  // Searching for them shows an error, without the suggestions for another text.
  await search(owner).fill('portrush')
  await expect(suggestions(owner).first()).toBeVisible()
  await search(owner).fill('Eu')
  await expect(owner.alert).toHaveCount(0)
  await search(owner).press('ArrowDown')
  await search(owner).press('Enter')
  await expect(owner.alert).toHaveText(text.tooFewLetters(3))
  await expect(suggestions(owner)).toHaveCount(0)
  await owner.expectPath(PATHS.map)
  await owner.pressAt(page.getByRole('button', { name: text.clearSearch }))
  await expect(owner.alert).toHaveCount(0)

  const fast = page.getByRole('group', { name: text.filters }).getByRole('button').first()
  await fast.click()
  await expect(fast).toHaveAttribute('aria-pressed', 'true')
  await owner.visit(`${PATHS.map}?q=portrush`)
  await expect(rows(owner).first()).toBeVisible()
  expect(parameter(owner, 'plug')).toBeNull()
  await owner.visit(PATHS.map)
  await expect.poll(() => parameter(owner, 'plug')).not.toBeNull()
  await owner.pressAt(page.getByRole('button', { name: text.removeFilters }))
  await expect(fast).toBeFocused()
  await owner.reload()
  await expect(page.getByRole('heading', { name: text.startTitle })).toBeVisible()
  await expect(fast).toHaveAttribute('aria-pressed', 'false')
})

test('everything works by keyboard @once', async ({ owner, stack }) => {
  await prepareCoast(owner, stack)
  const { keyboard } = owner.page
  await owner.visit(PATHS.map)
  await owner.tabTo(search(owner))
  await keyboard.type('strnd roo')
  await expect(suggestions(owner)).toHaveCount(1)
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await expect(chosen(owner)).toContainText('Strand Rooms')
  await owner.pressAt(chosen(owner).getByRole('button', { name: text.back }))
  await expect(row(owner, 'Strand Rooms')).toBeFocused()
  await owner.pressAt(chip(owner, text.plugAndPower))
  await owner.pressAt(owner.page.getByRole('checkbox', { name: 'CHAdeMO' }), 'Space')
  await keyboard.press('Escape')
  await expect(rows(owner)).toHaveCount(1)
  await owner.pressAt(row(owner, QUAY))
  await expect(chosen(owner)).toBeFocused()
  await keyboard.press('Escape')
  await expect(row(owner, QUAY)).toBeFocused()

  await owner.visit(`${PATHS.map}?at=55.2044,-6.6531,15`)
  await owner.tabTo(canvas(owner))
  await expect(async () => {
    await canvas(owner).focus()
    await keyboard.press('Enter')
    await expect(chosen(owner)).toContainText(QUAY, { timeout: 2000 })
  }).toPass()

  await prepareMany(stack, await owner.comeLater(newPerson()), 25)
  await owner.visit(`${PATHS.map}?at=48.8,2,9`)
  await expect(rows(owner)).toHaveCount(20)
  await owner.pressAt(owner.page.getByRole('button', { name: text.more }))
  await expect(rows(owner)).toHaveCount(29)
  await expect(rows(owner).nth(20).getByRole('link')).toBeFocused()
})

test('without WebGL or the map script, the list still works @once', async ({ owner, stack }) => {
  await prepareCoast(owner, stack)
  await owner.page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null
  })
  await owner.visit(`${PATHS.map}?q=portrush`)
  await expect(rows(owner)).toHaveCount(4)
  await expect(owner.alert).toHaveText(`${en.map.noWebGL} ${text.withoutMap}`)
  await owner.expectNoViolations()
  await row(owner, QUAY).click()
  await expect(chosen(owner)).toContainText('12 Quay Street')
  await owner.page.setViewportSize({ width: 320, height: 640 })
  await owner.expectNothingCut('map, narrow')
  await owner.setTextSize(32)
  await owner.expectNothingCut('map, large text')
  await owner.page.getByRole('button', { name: text.plugAndPower }).click()
  await owner.expectNothingCut('plug and power, large text')
  await owner.page.keyboard.press('Escape')
  await owner.setTextSize(16)

  owner.watch.expectOffline()
  await owner.page.route(/tiles-map/, (route) => route.abort())
  await owner.reload()
  await expect(owner.alert).toHaveText(text.missingMap)
  await expect(chosen(owner)).toContainText('12 Quay Street')
})

test('failed reads are reported and can be retried @once', async ({ owner, stack }) => {
  await prepareCoast(owner, stack)
  await owner.failNext('GET', API.publicSites, { status: 503 })
  await owner.visit(`${PATHS.map}?at=55.2044,-6.6531,12`)
  await expect(owner.alert).toContainText(text.failed)
  await owner.retry()
  await expect(rows(owner)).toHaveCount(4)
  await search(owner).fill('atlantis')
  await owner.page.keyboard.press('Enter')
  await expect(owner.alert).toHaveText(text.nothingFound('atlantis'))
  // The note covers the filters until it has been read.
  await owner.alert.click()
  await expect(owner.alert).toHaveCount(0)
  await owner.failNext('GET', API.publicSuggest, { status: 503 })
  await search(owner).fill('portrush')
  await expect(owner.alert).toHaveText(en.problems.unavailable)
  await owner.pressAt(owner.page.getByRole('button', { name: text.clearSearch }))
  await expect(owner.alert).toHaveCount(0)
  owner.expectFailureAt(API.publicSite('nosuchsite00000'))
  await owner.visit(`${PATHS.map}?site=nosuchsite00000&at=55.2044,-6.6531,12`)
  await expect(chosen(owner)).toContainText(text.goneTitle)
})

test('the list and a site are read again when the connection returns @once', async ({
  owner,
  stack,
}) => {
  await prepareCoast(owner, stack)
  const { page } = owner
  await owner.visit(`${PATHS.map}?at=55.2044,-6.6531,12`)
  await expect(rows(owner)).toHaveCount(4)
  await expect(frame(owner)).toHaveAttribute('data-ground', 'world')

  await owner.goOffline()
  await chip(owner, text.openNow).click()
  await expect(owner.alert.filter({ hasText: text.failed })).toContainText(en.problems.offline)
  await owner.goOnline()
  await expect(rows(owner)).toHaveCount(1)
  await expect(owner.alert).toHaveCount(0)

  await test.step('a selected site', async () => {
    const [quay] = await stack.sql`select id from sites where name = ${QUAY}`
    await owner.failNext('GET', API.publicSite(String(quay?.['id'])), { status: 503 })
    await owner.visit(`${PATHS.map}?site=${String(quay?.['id'])}`)
    await expect(chosen(owner).getByRole('heading')).toHaveText(text.notLoaded)
    await expect(chosen(owner)).toContainText(en.problems.unavailable)
    // A map that loses its script while it loads complains of that.
    await expect(frame(owner)).toHaveAttribute('data-ground', 'world')
    await owner.goOffline()
    await owner.goOnline()
    await expect(chosen(owner)).toContainText('12 Quay Street')
  })

  await test.step('a selected site whose read failed, when it is selected again', async () => {
    const [quay] = await stack.sql`select id from sites where name = ${QUAY}`
    await owner.failNext('GET', API.publicSite(String(quay?.['id'])), { status: 503 })
    await owner.visit(`${PATHS.map}?site=${String(quay?.['id'])}`)
    await expect(chosen(owner)).toContainText(en.problems.unavailable)
    await owner.pressAt(chosen(owner).getByRole('button', { name: text.back }))
    await expect(chosen(owner)).toHaveCount(0)
    await page.goBack()
    await expect(chosen(owner)).toContainText('12 Quay Street')
  })

  await test.step('further rows are added to those that are there', async () => {
    await prepareMany(stack, await owner.comeLater(newPerson()), 25)
    await owner.visit(`${PATHS.map}?at=48.8,2,9`)
    await expect(rows(owner)).toHaveCount(20)
    await expect(frame(owner)).toHaveAttribute('data-ground', 'world')
    await owner.goOffline()
    await page.getByRole('button', { name: text.more }).click()
    await expect(owner.alert.filter({ hasText: text.failed })).toBeVisible()
    await owner.goOnline()
    await expect(rows(owner)).toHaveCount(29)
  })
})

test('a search of the address that finds nothing says so until the next click @once', async ({
  owner,
}) => {
  await owner.visit(`${PATHS.map}?q=xyzzyx`)
  await expect(owner.alert).toHaveText(text.nothingFound('xyzzyx'))
  await owner.page.getByRole('heading', { name: text.startTitle }).click()
  await expect(owner.alert).toHaveCount(0)
  await expect(search(owner)).toHaveValue('xyzzyx')
})

test('chargers far away are not called nearby @once', async ({ owner, stack }) => {
  await prepareCoast(owner, stack)
  const heading = owner.page.getByRole('heading', { level: 2 })
  await owner.visit(`${PATHS.map}?at=55.2044,-6.6531,12`)
  await expect(rows(owner)).toHaveCount(4)
  await expect(heading).toHaveText(text.list)
  await owner.visit(`${PATHS.map}?at=48.1147,-1.6794,12`)
  await expect(rows(owner)).toHaveCount(4)
  await expect(heading).toHaveText(text.farList)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })
  test('a list of sites near a town leads to directions @once', async ({ owner, stack }) => {
    await prepareCoast(owner, stack)
    const { page } = owner
    await page.goto(stack.url + PATHS.map)
    await expect(page.locator('.finder')).toBeHidden()
    await expect(page).toHaveTitle(en.titles.map)
    const strip = await page.locator('noscript .strip').boundingBox()
    expect(strip?.width).toBe(page.viewportSize()?.width)
    await page.locator('noscript').getByRole('link', { name: en.page.plainList }).click()
    await page.getByLabel(text.search).fill('portruhs')
    await page.getByLabel(text.plug).selectOption('CCS2')
    await page.getByLabel(text.power).selectOption('150')
    await page.getByLabel(text.openNow).check()
    await page.getByRole('button', { name: text.show }).click()
    await expect(page.getByRole('heading', { name: text.near('Portrush') })).toBeVisible()
    await expect(page.locator('.site-page-rows > li')).toHaveCount(1)
    await expect(page.getByLabel(text.openNow)).toBeChecked()
    await row(owner, QUAY).click()
    await expect(page).toHaveURL(/\/at\/\w+\/harbour-lane-quay$/)
    const directions = page.getByRole('navigation', { name: en.traveller.directions })
    await expect(directions.getByRole('link').first()).toHaveAttribute('href', /55\.2044,-6\.6531/)
    await page.goBack()
    await page.getByLabel(text.plug).selectOption(text.anyPower)
    await page.getByLabel(text.power).selectOption(text.anyPower)
    await page.getByLabel(text.openNow).uncheck()
    await page.getByRole('button', { name: text.show }).click()
    await expect(page.locator('.site-page-rows > li')).toHaveCount(4)
    await page.getByLabel(text.search).fill('nowhere at all')
    await page.getByRole('button', { name: text.show }).click()
    await expect(page.getByText(text.nothingFound('nowhere at all'))).toBeVisible()
  })
})

test('the plain list is accessible @once', async ({ owner, stack }) => {
  await prepareCoast(owner, stack)
  await owner.visit(`${PLAIN_LIST}?q=portrush`)
  const found = owner.page.locator('.site-page-rows > li')
  await expect(found).toHaveCount(4)
  await owner.expectNoViolations()

  // Changing the language keeps the search, a search keeps the language, and so does the app.
  const page = owner.page.locator('html')
  await owner.link('Deutsch').click()
  await expect(page).toHaveAttribute('lang', 'de')
  await expect(found).toHaveCount(4)
  await owner.page.getByRole('button', { name: de.find.show }).click()
  await expect(owner.page).toHaveURL(/lang=de/)
  await expect(found).toHaveCount(4)
  await owner.page.locator('.site-page-rows a').first().click()
  await expect(page).toHaveAttribute('lang', 'de')
  await owner.visit('/map')
  await expect(page).toHaveAttribute('lang', 'de')
})
