import { API } from '#domain/paths.ts'
import { SITES } from '#domain/collection.ts'
import { en } from '../support/english.ts'
import { siteBody } from '../support/owner.ts'
import { FAR_QUAY_ADDRESS, QUAY_ADDRESS, startPhoton, type Photon } from '../support/photon.ts'
import { DEAD_LINK, SHORT_LINK, startMapLinks, type MapLinks } from '../support/map-links.ts'
import { signIn } from '../support/sign-in.ts'
import { startStreetMap, type StreetMap } from '../support/street-map.ts'
import { expect, newPerson, test as base, type Owner } from './driver.ts'
import { prepareBusiness, prepareSites } from './prepare.ts'

/** A stack with a local geocoder and street map. */
const test = base.extend<{ streets: StreetMap }, { photon: Photon; mapLinks: MapLinks }>({
  mapLinks: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const mapLinks = await startMapLinks()
      await use(mapLinks)
      await mapLinks.close()
    },
    { scope: 'worker' },
  ],
  photon: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const photon = await startPhoton()
      await use(photon)
      await photon.close()
    },
    { scope: 'worker' },
  ],
  env: [
    async ({ photon, mapLinks }, use) => use({ GEOCODER_URL: photon.url, MAP_LINKS: mapLinks.url }),
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern.
  streets: async ({}, use) => {
    const streets = await startStreetMap()
    await use(streets)
    await streets.close()
  },
})

// Another worker would need its own stack, which takes as long as one of these tests.
test.describe.configure({ mode: 'default' })

const text = en.location
const warnings = en.positionWarnings
const QUAY = { latitude: '55.2044', longitude: '-6.6531' }

const address = (owner: Owner) => owner.field('Address')
const suggestions = (owner: Owner) =>
  owner.page.getByRole('listbox', { name: text.suggestions }).getByRole('option')
const expectPosition = async (owner: Owner, { latitude, longitude } = QUAY): Promise<void> => {
  await expect(owner.field('Latitude')).toHaveValue(latitude)
  await expect(owner.field('Longitude')).toHaveValue(longitude)
}
const paste = (owner: Owner, label: string, pasted: string): Promise<void> =>
  owner.paste(owner.field(label), pasted)
/** Opens the form of a new site, for an owner with a business. */
const begin = async (owner: Owner): Promise<void> => {
  await owner.visit('/site/add')
  await expect(address(owner)).toBeVisible()
}

test('an address is searched, and chosen by keyboard or touch, or kept as typed', async ({
  owner,
}) => {
  await prepareBusiness(await owner.comeSignedIn())
  await begin(owner)
  await address(owner).pressSequentially('quay street', { delay: 20 })
  await expect(suggestions(owner)).toHaveText([QUAY_ADDRESS, FAR_QUAY_ADDRESS, text.useTyped])
  await expect(address(owner)).toHaveAttribute('aria-expanded', 'true')
  await expect(owner.page.getByText('© OpenStreetMap contributors').first()).toBeVisible()
  await owner.page.keyboard.press('ArrowUp')
  await expect(suggestions(owner).last()).toHaveAttribute('aria-selected', 'true')
  await owner.page.keyboard.press('ArrowDown')
  await owner.page.keyboard.press('ArrowDown')
  await expect(address(owner)).toHaveAttribute(
    'aria-activedescendant',
    (await suggestions(owner).first().getAttribute('id')) ?? '',
  )
  await owner.expectNoViolations()
  await owner.page.keyboard.press('Enter')
  await expect(suggestions(owner)).toHaveCount(0)
  await expect(address(owner)).toHaveValue(QUAY_ADDRESS)
  await expectPosition(owner)
  await expect(owner.page.getByText(text.addressPosition)).toBeVisible()

  // Escape keeps the text; a press on a suggestion applies it.
  await address(owner).fill('auckland')
  await expect(suggestions(owner)).toHaveCount(2)
  await owner.page.keyboard.press('Escape')
  await expect(suggestions(owner)).toHaveCount(0)
  await expect(address(owner)).toHaveValue('auckland')
  await address(owner).fill('auckland 1010')
  await suggestions(owner).first().click()
  await expectPosition(owner, { latitude: '-36.8432', longitude: '174.7669' })

  await address(owner).fill('Quay Street, behind the harbour wall')
  await expect(suggestions(owner)).toHaveText([text.useTyped])
  await owner.page.keyboard.press('ArrowDown')
  await owner.page.keyboard.press('Enter')
  await expect(address(owner)).toHaveValue('Quay Street, behind the harbour wall')
  await expectPosition(owner, { latitude: '-36.8432', longitude: '174.7669' })

  // Without the geocoder, the form still works.
  await owner.failNext('GET', API.geocode, { status: 503 })
  await address(owner).fill('quay')
  await expect(owner.page.getByText(text.searchDown).first()).toBeVisible()
  await owner.expectNoViolations()
  await owner.fillSite({ ...QUAY, address: 'Quay, by hand', name: 'Harbour Lane Quay' })
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  await expect(owner.site('Harbour Lane Quay')).toContainText('Quay, by hand')
})

test('pairs and links fill both coordinates, whichever field they are pasted into @once', async ({
  owner,
}) => {
  await prepareBusiness(await owner.comeSignedIn())
  await begin(owner)
  await address(owner).fill('12 Quay Street')
  const pastes = [
    ['Address', '55.2044, -6.6531'],
    ['Latitude', '55,2044; −6,6531'],
    ['Longitude', `55°12'15.84"N 6°39'11.16"W`],
    ['Address', 'https://www.google.com/maps/place/Quay/@1,2,17z/data=!3m1!3d55.2044!4d-6.6531'],
    ['Latitude', 'https://maps.apple.com/place?coordinate=55.2044,-6.6531'],
    ['Address', 'https://www.openstreetmap.org/#map=17/55.2044/-6.6531'],
  ] as const
  for (const [label, pasted] of pastes) {
    await owner.fillSite({ latitude: '1', longitude: '2' })
    await paste(owner, label, pasted)
    await expectPosition(owner)
    await expect(address(owner)).toHaveValue('12 Quay Street')
  }
  // Typed coordinates are suggested, and applied on blur at the latest.
  await owner.fillSite({ latitude: '1', longitude: '2' })
  await address(owner).fill('55.2044 -6.6531')
  await expect(suggestions(owner).first()).toHaveText(text.takeCoordinates('55.2044; -6.6531'))
  await suggestions(owner).first().click()
  await expectPosition(owner)
  await expect(address(owner)).toHaveValue('')
  await owner.fillSite({ latitude: '1', longitude: '2' })
  await address(owner).fill('6.6531 W 55.2044 N')
  await owner.field('Site name').focus()
  await expectPosition(owner)

  // The server resolves shared short links; the name and street next to the link stay.
  await address(owner).fill('')
  await owner.fillSite({ latitude: '1', longitude: '2' })
  await paste(owner, 'Address', `Quay Café\n12 Quay Street, Portrush\n${SHORT_LINK}?g_st=ic`)
  await expectPosition(owner)
  await expect(address(owner)).toHaveValue('Quay Café, 12 Quay Street, Portrush')
  // The address of the place is offered, and never replaces typed text without a press.
  await owner.page.getByRole('button', { name: text.takeAddress(QUAY_ADDRESS) }).click()
  await expect(address(owner)).toHaveValue(QUAY_ADDRESS)

  // An unreadable link is reported at its field.
  await paste(owner, 'Latitude', DEAD_LINK)
  await expect(owner.field('Latitude')).toHaveAccessibleDescription(en.site.shortLink)
  await address(owner).fill('')
  await paste(owner, 'Address', 'https://www.google.com/maps/place/Quay')
  await expect(address(owner)).toHaveAccessibleDescription(new RegExp(text.linkWithoutPlace))
})

test('a doubtful position causes a warning and can be saved @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const business = await prepareBusiness(client)
  await begin(owner)
  const warning = (title: string | RegExp) =>
    owner.page.getByRole('status').filter({ hasText: title })

  // In the sea.
  await owner.fillSite({ latitude: '56', longitude: '3' })
  await expect(warning(warnings.sea)).toBeVisible()
  await owner.expectNoViolations()
  // Swapped; only detected by the sea.
  await owner.fillSite({ latitude: QUAY.longitude, longitude: QUAY.latitude })
  await warning(warnings.swapped).getByRole('button', { name: warnings.swap }).click()
  await expectPosition(owner)
  await expect(warning(warnings.swapped)).toHaveCount(0)
  await expect(warning(warnings.sea)).toHaveCount(0)

  // Far from the chosen address.
  await address(owner).fill('12 quay street portrush')
  await suggestions(owner).first().click()
  await owner.fillSite({ latitude: '55.217' })
  await expect(warning('1.4 km from the address you chose')).toBeVisible()
  await owner.expectNoViolations()
  await warning('1.4 km').getByRole('button', { name: warnings.toAddress }).click()
  await expectPosition(owner)
  await expect(warning('from the address')).toHaveCount(0)

  // Near another site of the owner: the warning links to its form.
  const other = await client
    .collection(SITES)
    .create({ ...siteBody(business.id), name: 'Quay Car Park', latitude: 55.2047 })
  await expect(warning(warnings.near('Quay Car Park', '33 m'))).toBeVisible()
  await owner.expectNoViolations()
  await owner.fillSite({ name: 'Harbour Lane Quay' })
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  await owner.openSite('Harbour Lane Quay')
  // A stored position causes no warning until it is moved.
  await expect(owner.field('Latitude')).toHaveValue(QUAY.latitude)
  await owner.fillSite({ latitude: '55.2046' })
  await warning('Quay Car Park')
    .getByRole('link', { name: warnings.editNear('Quay Car Park') })
    .click()
  await owner.expectPath(`/site/edit/${other.id}`)
  await expect(owner.field('Site name')).toHaveValue('Quay Car Park')
})

const openMap = async (owner: Owner): Promise<void> => {
  const name = new RegExp(`^(${text.openMap}|${text.adjustMap})$`)
  await owner.page.getByRole('button', { name }).click()
}
const ground = (owner: Owner) => owner.page.locator('.map-frame')
const use = (owner: Owner) => owner.page.getByRole('button', { name: text.usePosition })

test('the map loads on intent, and moves below its pin @once', async ({
  owner,
  openStack,
  streets,
}) => {
  const stack = await openStack({ MAP_STYLE_URL: streets.styleUrl })
  const visitor = owner.at(stack.url, stack.provider.issuer)
  visitor.watch.allow(streets.origin)
  await prepareBusiness(await visitor.comeSignedIn())
  await begin(visitor)
  await visitor.fillSite({ ...QUAY, address: '12 Quay Street', name: 'Harbour Lane Quay' })
  const preview = visitor.page.getByRole('button', { name: text.adjustMap })
  await expect(preview).toBeVisible()
  // The placeholder is the same everywhere, so that nobody mistakes it for a map of the place.
  const drawn = await preview.innerHTML()
  await visitor.fillSite({ latitude: '48.8584', longitude: '2.2945' })
  expect(await preview.innerHTML()).toBe(drawn)
  await visitor.fillSite(QUAY)
  expect(streets.requested).toEqual([])
  expect(
    visitor.watch.requested().filter((url) => /maplibre|position-map|worker/.test(url)),
  ).toEqual([])

  await openMap(visitor)
  await expect(ground(visitor)).toHaveAttribute('data-ground', 'streets')
  await expect
    .poll(() => streets.requested.filter((path) => path.startsWith('/tiles/')).length)
    .toBeGreaterThan(0)
  await expect(visitor.page.getByText('Streets of Example')).toBeVisible()
  const map = visitor.page.getByRole('region', { name: text.mapLabel })
  await expect(map).toBeFocused()
  await visitor.expectNoViolations()

  // By keyboard: north, east, and zoom in.
  await expect(visitor.page.locator('.map-center')).toHaveText('55.20440; -6.65310')
  await visitor.page.keyboard.press('ArrowUp')
  await expect(visitor.page.locator('.map-center')).not.toContainText('55.20440')
  const before = await visitor.page.locator('.map-center').textContent()
  await visitor.page.keyboard.press('ArrowRight')
  await expect(visitor.page.locator('.map-center')).not.toHaveText(before ?? '')
  await visitor.page.keyboard.press('+')
  await use(visitor).click()
  await expect(visitor.page.getByText(text.positionTaken)).toBeVisible()
  await expect(visitor.page.getByRole('button', { name: text.adjustMap })).toBeFocused()
  const latitude = Number(await visitor.field('Latitude').inputValue())
  const longitude = Number(await visitor.field('Longitude').inputValue())
  expect(latitude).toBeGreaterThan(Number(QUAY.latitude))
  expect(latitude).toBeLessThan(55.22)
  expect(longitude).toBeGreaterThan(Number(QUAY.longitude))
  expect(longitude).toBeLessThan(-6.6)

  // By pointer; closing the map changes nothing.
  await openMap(visitor)
  await expect(ground(visitor)).toHaveAttribute('data-ground', 'streets')
  const box = await map.boundingBox()
  const [x, y] = [(box?.x ?? 0) + 150, (box?.y ?? 0) + 200]
  await visitor.page.mouse.move(x, y)
  await visitor.page.mouse.down()
  await visitor.page.mouse.move(x + 100, y + 40, { steps: 4 })
  await visitor.page.mouse.up()
  await expect(visitor.page.locator('.map-center')).not.toContainText(latitude.toFixed(5))
  await visitor.page.getByRole('button', { name: text.closeMap }).click()
  await expect(visitor.field('Latitude')).toHaveValue(String(latitude))

  await visitor.saveSite()
  await visitor.expectPath('/dashboard')
  const foreign = visitor.watch
    .requested()
    .filter((url) => /^https?:/.test(url) && !url.startsWith(stack.url))
  expect(new Set(foreign.map((url) => new URL(url).origin))).toEqual(new Set([streets.origin]))
})

test('the bundled world is shown if there is no street map, or it is unreachable @once', async ({
  owner,
  openStack,
  streets,
}) => {
  // No street map is configured in this stack.
  const client = await owner.comeSignedIn()
  await prepareSites(client, 'Quay')
  await begin(owner)
  await openMap(owner)
  await expect(ground(owner)).toHaveAttribute('data-ground', 'world')
  await expect(owner.page.getByText(en.map.worldOnly)).toBeVisible()
  await expect(owner.page.getByText('Natural Earth')).toBeVisible()
  await owner.expectNoViolations()
  // The initial view shows the owner's other sites.
  await use(owner).click()
  await expectPosition(owner)

  const stack = await openStack({ MAP_STYLE_URL: streets.styleUrl })
  const visitor = owner.at(stack.url, stack.provider.issuer)
  visitor.watch.allow(streets.origin)
  await prepareBusiness(await visitor.comeSignedIn())
  for (const what of ['tiles', 'everything'] as const) {
    streets.lose(what)
    visitor.watch.expectFailure(streets.origin)
    await begin(visitor)
    await visitor.fillSite(QUAY)
    await openMap(visitor)
    await expect(ground(visitor)).toHaveAttribute('data-ground', 'world')
    await expect(visitor.page.getByText(en.map.noStreets)).toBeVisible()
    await use(visitor).click()
    await expectPosition(visitor)
  }
})

test('a map that fails to load breaks nothing else @once', async ({ owner }) => {
  await prepareBusiness(await owner.comeSignedIn())
  owner.watch.expectOffline()
  await owner.page.route(/position-map/, (route) => route.abort())
  await begin(owner)
  await owner.fillSite({ ...QUAY, address: '12 Quay Street', name: 'Harbour Lane Quay' })
  await openMap(owner)
  await expect(owner.alert).toContainText(en.crash.missing)
  await owner.page.unroute(/position-map/)
  await owner.saveSite()
  await owner.expectPath('/dashboard')
})

test('without WebGL there is a message, and the fields work @once', async ({ owner }) => {
  await prepareBusiness(await owner.comeSignedIn())
  await owner.page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null
  })
  await begin(owner)
  await openMap(owner)
  await expect(owner.alert).toHaveText(`${en.map.noWebGL} ${text.withoutMap}`)
  await expect(use(owner)).toBeDisabled()
  await owner.expectNoViolations()
  await owner.page.getByRole('button', { name: text.closeMap }).click()
  await owner.fillSite({ ...QUAY, address: '12 Quay Street', name: 'Harbour Lane Quay' })
  await owner.saveSite()
  await owner.expectPath('/dashboard')
})

test('the device’s position is used on request, and a refusal is shown @once', async ({
  owner,
}) => {
  await prepareBusiness(await owner.comeSignedIn())
  await owner.standAt({ latitude: 55.20441234, longitude: -6.6531 })
  await owner.visit('/site/add')
  const locate = owner.page.getByRole('button', { name: en.site.useLocation })
  await locate.click()
  await expect(owner.field('Latitude')).toHaveValue('55.2044123')
  await expect(owner.field('Longitude')).toHaveValue('-6.6531')
  await expect(owner.page.getByText(en.site.located('12'))).toBeVisible()
  await expect(address(owner)).toHaveValue(QUAY_ADDRESS)
  await expect(owner.page.getByText(text.addressFound)).toBeVisible()
  await address(owner).fill('Behind the quay')
  await locate.click()
  await expect(
    owner.page.getByRole('button', { name: text.takeAddress(QUAY_ADDRESS) }),
  ).toBeVisible()
  await expect(address(owner)).toHaveValue('Behind the quay')

  await owner.standAt(undefined)
  await owner.field('Latitude').fill('1')
  await locate.click()
  await expect(owner.page.getByText(en.site.locationDenied)).toBeVisible()
  await expect(owner.field('Latitude')).toHaveValue('1')
})

test('a refusal that arrives after other coordinates were entered is not shown @once', async ({
  owner,
}) => {
  await prepareBusiness(await owner.comeSignedIn())
  await owner.page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = (_, refuse) =>
      addEventListener('refused', () =>
        refuse?.({ code: 1, PERMISSION_DENIED: 1 } as GeolocationPositionError),
      )
  })
  await owner.visit('/site/add')
  await owner.page.getByRole('button', { name: en.site.useLocation }).click()
  await expect(owner.page.getByText(en.site.locating)).toBeVisible()
  await owner.paste(owner.field('Latitude'), '55.2044, -6.6531')
  await expect(owner.page.getByText(en.site.pastedBoth)).toBeVisible()
  await owner.page.evaluate(() => dispatchEvent(new Event('refused')))
  await expect(owner.page.getByText(en.site.pastedBoth)).toBeVisible()
  await expect(owner.page.getByText(en.site.locationDenied)).toHaveCount(0)
})

test('the parts of an address follow the chosen place, but never replace typed text @once', async ({
  owner,
}) => {
  const labels = en.fields.sites
  await prepareBusiness(await owner.comeSignedIn())
  await begin(owner)
  await address(owner).fill('quay street')
  await suggestions(owner).first().click()
  await owner.page.getByRole('button', { name: en.site.sections.more.title }).click()
  await expect(owner.field(labels.city)).toHaveValue('Portrush')
  await expect(owner.field(labels.country)).toHaveValue('GBR')
  await owner.field(labels.city).fill('Portrush Harbour')

  await address(owner).fill('auckland')
  await suggestions(owner).first().click()
  await expect(owner.field(labels.postal_code)).toHaveValue('1010')
  await expect(owner.field(labels.country)).toHaveValue('NZL')
  await expect(owner.field(labels.city)).toHaveValue('Portrush Harbour')
})

test('a nearby site of another business causes a hint and does not prevent saving @once', async ({
  owner,
  stack,
}) => {
  const other = await signIn(stack, newPerson('Ida Rhodes'))
  const [quay] = await prepareSites(other, 'Quai de Grenelle')
  const place = { latitude: 48.8506, longitude: 2.2874 }
  await other.collection(SITES).update(quay?.id ?? '', place)
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit('/site/add')
  await owner.fillSite({
    name: 'Quai de Grenelle',
    address: '5 Quai de Grenelle, Paris',
    latitude: '48.8507',
    longitude: '2.2874',
    connectors: [],
  })
  await expect(owner.page.getByText(en.positionWarnings.otherNear('11 m'))).toBeVisible()
  await expect(owner.link(en.positionWarnings.seeOther)).toHaveAttribute(
    'href',
    new RegExp(`/at/${quay?.id}/quai-de-grenelle$`),
  )
  // The site that is being saved must not count as another one.
  const answer = await owner.holdAnswers(API.records(SITES))
  await owner.saveSite()
  await expect(owner.page.getByRole('button', { name: en.form.saving })).toBeVisible()
  await expect(owner.page.getByText(/You already have/)).toHaveCount(0)
  await answer()
  await owner.expectPath('/dashboard')
})
