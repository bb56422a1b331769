import { API } from '#domain/paths.ts'
import { sitePage, slugOf } from '#domain/site-address.ts'
import { BUSINESSES, CHANGES, CONNECTORS, IMPORTS, SITES, TARIFFS } from '#domain/collection.ts'
import { en } from '../support/english.ts'
import { makeLogo, makePicture } from '../support/images.ts'
import { editSitePath, importPath, PATHS } from '../../web/paths.ts'
import { irveFile } from '../support/irve-file.ts'
import { connectorBody, siteBody, tariffBody } from '../support/owner.ts'
import type { Stack } from '../support/stack.ts'
import { describeSite, prepareChain } from './chain.ts'
import { expect, type Owner } from './driver.ts'
import { prepareBusiness, prepareSites } from './prepare.ts'

/** Examines the current screen; `state` names it. */
type Look = (state: string) => Promise<void>

/** A walk of a new user through states of screens. */
export interface Walk {
  readonly name: string
  /** The tests that already run axe on these states, and prove how the states come about. */
  readonly axeIn?: string
  readonly go: (owner: Owner, look: Look, stack: Stack) => Promise<void>
}

/** One is right, one is repaired, one is refused. */
const IMPORTED = [
  { id: 'FRQUAP1001', name: 'Quay', points: 2 },
  { id: 'FRQUAP1002', name: 'Pier', position: '[48.86, 2.31]' },
  { id: 'FRQUAP1003', name: 'Nowhere', position: '[0, 0]' },
]

/**
 * Every state of every screen. Axe examines these states, and the contact sheet shows them; a state that is missing
 * here is not examined.
 */
export const WALKS: readonly Walk[] = [
  {
    name: 'public',
    go: async (owner, look) => {
      await owner.visit('/')
      await look('home')
      owner.expectFailureAt('/nowhere')
      await owner.visit('/nowhere')
      await look('not found')
      await owner.visit('/auth/confirm-password-reset')
      await expect(owner.page.getByText(en.account.brokenTitle)).toBeVisible()
      await look('mail link, broken')
      await owner.visit('/dashboard')
      await owner.expectPath('/login')
      await look('login, before a protected page')
      await owner.failNext('GET', API.authMethods('users'))
      await owner.continueToProvider()
      await expect(owner.alert).toBeVisible()
      await look('login, provider unreachable')
      await owner.goOffline()
      await expect(owner.page.getByText(en.login.offline)).toBeVisible()
      await look('login, offline')
      await owner.goOnline()
    },
  },
  {
    name: 'map for travellers',
    go: async (owner, look) => {
      const { page } = owner
      const text = en.find
      const client = await owner.comeLater()
      const [site] = await prepareChain(client)
      await describeSite(client, site)
      await owner.visit('/map')
      await expect(page.locator('.map-frame')).toHaveAttribute('data-ground', 'world')
      await look('map')
      await page.getByRole('button', { name: text.nearMe }).first().click()
      await expect(owner.alert).toHaveText(text.denied)
      await page.getByRole('combobox', { name: text.search }).fill('harbour lane')
      await expect(page.getByRole('listbox', { name: text.suggestions })).toBeVisible()
      await look('map, suggestions, and no position')
      await owner.visit('/map?at=55.2044,-6.6531,10&available=true')
      await expect(page.getByRole('link', { name: 'Harbour Lane Quay', exact: true })).toBeVisible()
      await expect(page.locator('.map-frame')).toHaveAttribute('data-ground', 'world')
      await look('map, sites')
      await page.getByRole('button', { name: text.plugAndPower }).click()
      await page.getByRole('checkbox', { name: 'CCS2' }).check()
      await look('map, plug and power')
      await owner.visit(`/map?site=${site?.id}`)
      await expect(page.getByRole('region', { name: text.chosen })).toContainText('12 Quay')
      await expect(page.getByRole('region', { name: text.chosen })).toContainText('€0.59 per kWh')
      await look('map, a site')
      await owner.visit('/map?at=55.2044,-6.6531,10&free=true')
      await expect(page.getByText(text.noneMatches)).toBeVisible()
      await look('map, nothing matches')
      owner.expectFailureAt(API.publicSite('nosuchsite00000'))
      await owner.visit('/map?site=nosuchsite00000')
      await expect(page.getByText(text.goneTitle)).toBeVisible()
      await look('map, a site that is gone')
    },
  },
  {
    name: 'first steps',
    go: async (owner, look) => {
      const client = await owner.comeSignedIn()
      await owner.visit('/dashboard')
      await expect(owner.link(en.dashboard.addBusiness)).toBeVisible()
      await look('dashboard, no business')
      await owner.visit('/account')
      await expect(owner.accountButton(en.accountCard.delete)).toBeVisible()
      await owner.goOffline()
      await expect(owner.page.getByText(en.accountCard.offline)).toBeVisible()
      await look('account, offline')
      await owner.goOnline()
      await owner.accountButton(en.accountCard.delete).click()
      await expect(owner.dialog).toContainText(en.accountCard.deleteNothing)
      await look('account, no business')
      await prepareBusiness(client)
      await owner.visit('/dashboard')
      await expect(owner.link(en.dashboard.addFirstSite)).toBeVisible()
      await look('dashboard, no sites')
      await owner.visit('/')
      await expect(owner.link(en.home.dashboard)).toBeVisible()
      await look('home, signed in')
    },
  },
  {
    name: 'dashboard',
    go: async (owner, look) => {
      await prepareChain(await owner.comeSignedIn())
      await owner.visit('/dashboard')
      await owner.expectPicture('Photo of Harbour Lane Quay')
      await owner.scrollTo(0)
      await look('dashboard')
      await owner.page.getByRole('searchbox').fill('xyz')
      await expect(owner.page.getByText(en.dashboard.noMatch('xyz'))).toBeVisible()
      await look('dashboard, nothing found')
      await owner.page.getByRole('button', { name: en.dashboard.clear }).click()
      await owner.openMenu('Strand Rooms')
      await look('dashboard, menu')
      await owner.page.getByRole('menuitem', { name: en.actions.delete }).click()
      await expect(owner.dialog).toBeVisible()
      await look('dashboard, delete?')
      await owner.dialog.getByRole('button', { name: en.actions.delete }).click()
      const deleted = owner.page.getByText(en.shell.deleted('Strand Rooms'))
      await expect(deleted).toBeVisible()
      // Under the pointer, the undo period is paused, however long the examination takes.
      await deleted.hover()
      await look('dashboard, deleted')
      await owner.logOut()
      await expect(owner.dialog).toContainText(en.shell.unsentTitle)
      await look('log out with unsent work?')
    },
  },
  {
    name: 'several sites at once',
    go: async (owner, look) => {
      const { page } = owner
      const client = await owner.comeSignedIn()
      await prepareSites(client, 'Quay', 'Pier', 'Dock', 'Gate')
      await owner.visit('/dashboard')
      await page.getByRole('button', { name: en.dashboard.choose, exact: true }).click()
      await expect(page.getByText(en.many.nothing)).toBeVisible()
      await look('dashboard, choosing')
      await owner.checkboxOf('Quay').click()
      await owner.checkboxOf('Dock').click({ modifiers: ['Shift'] })
      await expect(page.getByText(en.many.chosen(3))).toBeVisible()
      await look('dashboard, three chosen')
      await page.getByRole('button', { name: en.many.title(3) }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await look('dashboard, what to change')
      await page.getByRole('menuitem', { name: en.fields.sites.contact_email }).click()
      await page.getByLabel(en.fields.sites.contact_email).fill('nobody')
      await page.getByRole('button', { name: en.many.set(3) }).click()
      await expect(page.getByText(en.fieldErrors.validation_is_email({}))).toBeVisible()
      await look('dashboard, value refused')
      await page.getByLabel(en.fields.sites.contact_email).fill('help@example.org')
      await page.waitForLoadState('networkidle')
      await owner.goOffline()
      await page.getByRole('button', { name: en.many.set(3) }).click()
      const [pier] = await client.collection(SITES).getFullList({ filter: 'name = "Pier"' })
      await client.collection(SITES).update(pier?.id ?? '', { contact_email: 'pier@example.org' })
      await owner.goOnline()
      await page.getByText(en.many.refused(1)).click()
      await expect(page.getByText(en.problems.conflict)).toBeVisible()
      await look('dashboard, one not changed')
    },
  },
  {
    name: 'hours and price of several sites',
    go: async (owner, look) => {
      const { page } = owner
      const client = await owner.comeSignedIn()
      const [site] = await prepareSites(client, 'Quay', 'Pier', 'Dock')
      const { hoursEditor: text } = en
      await client
        .collection(SITES)
        .update(site?.id ?? '', { opening_hours: { twentyfourseven: true } })
      await owner.visit('/dashboard')
      await page.getByRole('button', { name: en.dashboard.choose, exact: true }).click()
      await page.getByRole('button', { name: en.many.all(3), exact: true }).click()
      const open = async (field: string) => {
        await page.getByRole('button', { name: en.many.title(3) }).click()
        await page.getByRole('menuitem', { name: field, exact: true }).click()
        await expect(page.getByRole('dialog')).toBeVisible()
      }
      await open(en.fields.sites.opening_hours)
      await expect(page.getByRole('switch')).toBeFocused()
      await look('dashboard, hours of three')
      await page.getByRole('button', { name: text.addException }).click()
      await page.getByLabel(text.from).fill('2027-12-25')
      await look('dashboard, hours of three, an exception')
      await page
        .getByRole('group', { name: 'Monday' })
        .getByRole('button', { name: text.addHours })
        .click()
      await page.getByRole('button', { name: text.copy }).click()
      await page.getByRole('button', { name: text.workdays }).click()
      await page.getByLabel(text.end('Tuesday')).fill('')
      await page.getByRole('button', { name: en.many.set(3) }).click()
      await expect(page.getByText(text.missingTime)).toBeVisible()
      await look('dashboard, hours of three refused')
      await page.keyboard.press('Escape')
      await open(en.fields.sites.tariff)
      await expect(page.getByLabel(en.fields.sites.tariff)).toBeFocused()
      await look('dashboard, no price to choose')
      await page.keyboard.press('Escape')
      await client.collection(TARIFFS).create(tariffBody(String(site?.['business'])))
      await open(en.fields.sites.tariff)
      await page.getByLabel(en.fields.sites.tariff).selectOption('Standard')
      await expect(page.getByText('per kWh')).toBeVisible()
      await look('dashboard, price of three')
      await page.keyboard.press('Escape')
      await open(en.fields.sites.facilities)
      await look('dashboard, facilities of three')
    },
  },
  {
    name: 'shell',
    go: async (owner, look) => {
      const client = await owner.comeSignedIn()
      await prepareBusiness(client)
      await owner.visit('/dashboard')
      await expect(
        owner.page.getByRole('heading', { name: en.dashboard.noSitesTitle }),
      ).toBeVisible()
      // On touch screens no button leads there. The shortcuts load when the page is idle.
      await expect(async () => {
        await owner.page.keyboard.press('?')
        await expect(owner.page.getByRole('dialog')).toBeVisible({ timeout: 500 })
      }).toPass()
      await look('shortcuts')
      await owner.page.getByRole('switch').click()
      await look('shortcuts, switched off')
      await owner.page.keyboard.press('Escape')
      owner.expectFailureAt(API.authRefresh('users'))
      await client.send(API.endSessions('users'), { method: 'POST' })
      await expect(owner.dialog).toContainText(en.shell.expiredTitle)
      await look('session ended')
    },
  },
  {
    name: 'waiting and failing',
    go: async (owner, look) => {
      await owner.comeSignedIn()
      const answer = await owner.holdAnswers(API.records(BUSINESSES))
      await owner.visit('/dashboard')
      await expect(owner.page.locator('.skeleton').first()).toBeVisible()
      await look('dashboard, loading')
      await owner.visit('/business/edit')
      await expect(owner.page.locator('.skeleton').first()).toBeVisible()
      await look('form, loading')
      await answer()
      for (const path of ['/dashboard', '/business/edit']) {
        // The previous page may still read data, and would consume the failure.
        await owner.leave()
        await owner.failNext('GET', API.records(BUSINESSES))
        await owner.visit(path)
        await expect(owner.alert).toBeVisible()
        await look(`${path === '/dashboard' ? 'dashboard' : 'form'}, not loaded`)
      }
    },
  },
  {
    name: 'prices',
    go: async (owner, look) => {
      const client = await owner.comeSignedIn()
      const business = await prepareBusiness(client)
      await owner.visit('/prices')
      await expect(owner.page.getByText(en.tariffs.noneTitle)).toBeVisible()
      await look('prices, none')
      await owner.visit('/prices/add')
      await expect(owner.field(en.fields.tariffs.name)).toBeVisible()
      await look('add a price')
      const { tariffs: text } = en
      await owner.field(en.fields.tariffs.currency).selectOption('EUR')
      await owner.field(text.amounts.energy('€')).fill('much')
      await owner.page.getByRole('button', { name: text.save }).click()
      await expect(owner.alert).toBeVisible()
      await look('add a price, wrong')
      const { id } = await client.collection(TARIFFS).create({
        ...tariffBody(business.id),
        elements: [
          {
            price_components: [{ type: 'ENERGY', price: 0.39, step_size: 1 }],
            restrictions: {
              start_time: '22:00',
              end_time: '06:00',
              current: 'DC',
              start_date: '2026-01-01',
            },
          },
          {
            price_components: [
              { type: 'ENERGY', price: 0.59, step_size: 1 },
              { type: 'PARKING_TIME', price: 6, step_size: 1 },
            ],
          },
        ],
      })
      await owner.visit('/prices')
      await expect(owner.link('Standard')).toBeVisible()
      await look('prices')
      await owner.page.getByRole('button', { name: text.menu('Standard') }).click()
      await owner.page.getByRole('menuitem', { name: en.actions.delete }).click()
      await expect(owner.dialog).toBeVisible()
      await look('prices, delete?')
      await owner.visit(`/prices/edit/${id}`)
      await owner.page.getByText(text.conditions).first().click()
      await look('edit a price')
      await owner.visit('/prices/edit/nosuchprice0000')
      await expect(owner.page.getByText(text.notFound)).toBeVisible()
      await look('a price that is gone')
    },
  },
  {
    name: 'business',
    go: async (owner, look) => {
      await owner.comeSignedIn()
      await owner.visit('/business/add')
      await expect(owner.field(en.fields.businesses.name)).toBeVisible()
      await look('add business')
      await owner.fillBusiness({
        website: 'harbour lane',
        description: 'Small hotels on the north coast. '.repeat(140),
        logo: await makeLogo('logo.png'),
      })
      await owner.saveBusiness()
      await expect(owner.alert).toBeVisible()
      await look('add business, problems')
      await owner.fillBusiness({
        name: 'Harbour Lane Hotels',
        description: 'Small hotels on the north coast.',
        website: 'https://harbour.example',
      })
      await owner.failNext('POST', API.records(BUSINESSES))
      await owner.saveBusiness()
      await expect(owner.alert).toContainText(en.failed.createBusiness)
      await look('add business, not saved')
      await owner.retry()
      await owner.expectPath('/dashboard')
      await owner.visit('/business/edit')
      await owner.expectPicture(en.business.logoPreview)
      await look('edit business')
      await owner.fillBusiness({ name: 'Harbour Lane Hotels and Rooms' })
      await look('edit business, changed')
      await owner.link(en.titles.account).click()
      await expect(owner.accountButton(en.accountCard.everywhere)).toBeVisible()
      await look('account')
      await owner.accountButton(en.accountCard.everywhere).click()
      await expect(owner.dialog).toBeVisible()
      await look('account, log out everywhere?')
      await owner.page.keyboard.press('Escape')
      await owner.accountButton(en.accountCard.delete).click()
      await expect(owner.dialog).toBeVisible()
      await look('account, delete?')
      await owner.dialog.getByRole('button', { name: en.accountCard.deleteForGood }).click()
      await expect(owner.dialog).toContainText(en.accountCard.deleteMistyped)
      await look('account, delete? mistyped')
    },
  },
  {
    name: 'site',
    go: async (owner, look) => {
      await prepareBusiness(await owner.comeSignedIn())
      await owner.visit('/site/add')
      await expect(owner.field(en.fields.sites.name)).toBeVisible()
      await look('add site')

      await owner.fillSite({ longitude: '181', capacity: '2.5', connectors: [{}] })
      await owner.saveSite()
      await expect(owner.alert).toContainText('There are')
      await look('add site, problems')

      await owner.fillSite({
        address: '12 Quay Street, Portrush',
        latitude: '55.2044',
        longitude: '-6.6531',
        name: 'Harbour Lane Quay',
        capacity: '2',
        photos: [await makePicture('front.jpg', 1), await makePicture('bays.jpg', 2)],
      })
      const doubtful = { plug: 'CHAdeMO', format: 'Cable attached', current: 'AC, single phase' }
      await owner.fillConnector(1, { ...doubtful, kw: '900' })
      await look('add site, warnings')
      const { category, newPhoto } = en.photos
      await owner.page.getByLabel(category(newPhoto('front.jpg'))).selectOption('ENTRANCE')
      await owner.photos.first().scrollIntoViewIfNeeded()
      await look('add site, what a photo shows')
      await owner.failNext('POST', API.records(CONNECTORS))
      await owner.saveSite()
      await expect(owner.unsavedConnectors).toHaveCount(1)
      await look('add site, partly saved')
      await owner.retry()
      await owner.expectPath('/dashboard')
      await expect(owner.site('Harbour Lane Quay')).toBeVisible()
      await look('dashboard, saved')

      await owner.openSite('Harbour Lane Quay')
      await look('edit site')
      await owner.removePhoto(1)
      await look('edit site, photo to go')
    },
  },
  {
    name: 'all of a site',
    go: async (owner, look) => {
      const client = await owner.comeSignedIn()
      const business = await prepareBusiness(client)
      const site = await client.collection(SITES).create({ ...siteBody(business.id), name: 'Quay' })
      for (const standard of ['IEC_62196_T2_COMBO', 'CHADEMO'])
        await client
          .collection(CONNECTORS)
          .create({ ...connectorBody(site.id), standard, evse: 'one' })
      await owner.visit(`/site/edit/${site.id}`)
      await expect(owner.page.getByText(en.publication.public, { exact: true })).toBeVisible()
      await expect(owner.page.getByText(/one at a time/)).toBeVisible()
      await look('edit site, public, with a charge point')
      await owner.setQuantity(1, 2)
      await owner.openDetails(1)
      await owner.detail(1, en.fields.connectors.evse_id, 2).fill('E2')
      await owner.detail(1, en.fields.connectors.voltage).fill('400')
      await expect(owner.detail(1, en.fields.connectors.evse_id, 2)).toHaveAttribute(
        'aria-invalid',
        'true',
      )
      await look('edit site, details of connectors')
      for (const { title } of Object.values(en.site.sections)) {
        await owner.page.getByRole('button', { name: title }).click()
        const section = owner.page.getByRole('region', { name: title, exact: true })
        await expect(section.locator('input, select').first()).toBeVisible()
        await look(`edit site, ${title}`)
      }
      const { id: tariff } = await client.collection(TARIFFS).create(tariffBody(business.id))
      await client
        .collection(SITES)
        .update(site.id, { tariff, published: false, opening_hours: { twentyfourseven: true } })
      // The banner moves the button down.
      const changed = en.drafts.changedRemotely(en.drafts.justNow)
      await expect(owner.page.getByText(changed)).toBeVisible()
      await owner.page.getByRole('button', { name: en.site.preview }).click()
      await expect(owner.page.getByRole('dialog')).toContainText(en.hours.openNow)
      await expect(owner.page.getByRole('dialog')).toContainText('€11.80')
      await look('edit site, as a traveller sees it')
      await owner.visit('/business/edit')
      await owner.page.getByRole('button', { name: en.business.moreTitle }).click()
      await look('business, for registers')
    },
  },
  {
    name: 'opening hours',
    go: async (owner, look) => {
      const { page } = owner
      const { hoursEditor: text } = en
      const client = await owner.comeSignedIn()
      const [site] = await prepareSites(client, 'Harbour Lane Quay')
      await owner.visit(`/site/edit/${site?.id}`)
      await page.getByRole('button', { name: en.site.sections.hours.title }).click()
      const day = (name: string) => page.getByRole('group', { name, exact: true })
      const press = (name: string, button: string) =>
        day(name).getByRole('button', { name: button }).click()
      const ends = (name: string) => day(name).getByLabel(text.end(name))
      await press('Monday', text.addHours)
      await ends('Monday').fill('12:00')
      await press('Monday', text.addSpan)
      await day('Monday').getByLabel(text.begin('Monday')).last().fill('14:00')
      await ends('Monday').last().fill('18:00')
      await press('Tuesday', text.addHours)
      await ends('Tuesday').last().fill('02:00')
      await expect(day('Tuesday')).toContainText(text.nextDay)
      await press('Monday', text.copy)
      await look('edit site, a week of hours')

      await page.getByRole('button', { name: text.addException }).click()
      await page.getByLabel(text.from).fill('2027-12-25')
      await page.getByRole('button', { name: text.addException }).click()
      await page.getByRole('button', { name: text.addException }).click()
      await page.getByLabel(text.isOpen, { exact: true }).check()
      await page.getByRole('button', { name: text.addException }).click()
      await expect(page.getByText(text.missingDate)).toBeVisible()
      await look('edit site, exceptions from the hours')

      await press('Wednesday', text.addHours)
      await ends('Wednesday').first().fill('15:00')
      await expect(day('Wednesday')).toContainText(text.overlap)
      await look('edit site, hours that overlap')
      await ends('Wednesday').first().fill('')
      owner.expectFailureAt(API.record(SITES, String(site?.id)))
      await owner.saveSite()
      await expect(day('Wednesday')).toContainText(text.missingTime)
      await look('edit site, hours without a time')
    },
  },
  {
    name: 'publication',
    go: async (owner, look, { sql }) => {
      const client = await owner.comeSignedIn()
      const names = ['Quay', 'Pier', 'Dock', 'Gate', 'Lock']
      const [quay, pier, dock, gate, lock] = await prepareSites(client, ...names)
      const sites = client.collection(SITES)
      await sites.update(pier?.id ?? '', { status: 'PLANNED' })
      await sites.update(dock?.id ?? '', { published: false })
      await sites.update(gate?.id ?? '', { status: 'REMOVED' })
      await sql`delete from connectors where site = ${lock?.id ?? ''}`
      await sql`update sites set hidden = true, hidden_reason = 'The place is not a charger.'
        where id = ${quay?.id ?? ''}`
      await owner.visit('/dashboard')
      const hidden = en.publication.hidden('The place is not a charger.')
      await expect(owner.site('Quay')).toContainText(hidden)
      await expect(owner.site('Pier')).toContainText(en.publication.planned)
      await expect(owner.site('Dock')).toContainText(en.publication.unpublished)
      await expect(owner.site('Gate')).toContainText(en.publication.removed)
      await look('dashboard, sites that are not public')
      await owner.site('Lock').scrollIntoViewIfNeeded()
      await look('dashboard, a site without connectors')
      await owner.visit(`/site/edit/${quay?.id}`)
      await expect(owner.page.getByText(hidden)).toBeVisible()
      await owner.page.getByRole('button', { name: en.site.confirm }).click()
      await expect(owner.page.getByText(en.site.confirmThanks)).toBeVisible()
      await look('edit site, hidden and confirmed')
    },
  },
  {
    name: 'edit which',
    go: async (owner, look) => {
      await prepareChain(await owner.comeSignedIn())
      await owner.visit('/site/edit')
      // The prerendered page has the title, too.
      await expect(owner.page.getByRole('link', { name: 'Harbour Lane Quay' })).toBeVisible()
      await look('edit site, which?')
      owner.expectMissing(SITES, 'nosuchsite00000')
      await owner.visit('/site/edit/nosuchsite00000')
      await expect(owner.page.getByText(en.site.notFoundTitle)).toBeVisible()
      await look('edit site, gone')
    },
  },
  {
    name: 'history',
    go: async (owner, look) => {
      const client = await owner.comeSignedIn()
      await owner.visit('/changes')
      await expect(owner.page.getByText(en.history.none)).toBeVisible()
      await look('history, empty')
      const [site] = await prepareChain(client)
      const id = site?.id ?? ''
      await client.collection(SITES).update(id, { contact_phone: '1', status: 'PLANNED' })
      const [photo = '', other = ''] = site?.photos ?? []
      await client
        .collection(SITES)
        .update(id, { photo_categories: { [photo]: 'ENTRANCE', [other]: 'CHARGER' } })
      await owner.failNext('GET', API.records(CHANGES))
      await owner.visit(`/changes?site=${id}`)
      await expect(owner.alert).toBeVisible()
      await look('history, not loaded')
      await owner.retry()
      await expect(owner.page.getByText('Harbour Lane Quay').first()).toBeVisible()
      await look('history')
      const batch = client.createBatch()
      for (const each of await client.collection(SITES).getFullList())
        batch.collection(SITES).update(each.id, { contact_email: 'help@example.org' })
      await batch.send({ headers: { 'Correlation-Id': 'bulk' } })
      await owner.visit('/changes')
      await owner.page.getByText(en.history.showSites).click()
      await expect(owner.page.getByText('help@example.org').first()).toBeVisible()
      await look('history, a bulk update')
      await owner.page.getByRole('button', { name: en.history.putBack }).first().click()
      await expect(owner.dialog).toBeVisible()
      await look('history, put a bulk update back?')
    },
  },
  {
    name: 'drafts',
    axeIn: 'drafts.spec.ts',
    go: async (owner, look) => {
      const client = await owner.comeSignedIn()
      const [site] = await prepareChain(client)
      const id = site?.id ?? ''
      await owner.loseLiveUpdates()
      await owner.visit(`/site/edit/${id}`)
      await expect(owner.field(en.fields.sites.name)).toHaveValue('Harbour Lane Quay')
      await owner.fillSite({ name: 'Harbour Lane North Quay', cost: 'Free' })
      await owner.page.getByLabel(en.photos.category(en.photos.photo(1))).selectOption('CHARGER')
      await expect(owner.page.getByText(en.drafts.changes(3))).toBeVisible()
      await expect(owner.page.getByText(/^Draft saved \d/)).toBeVisible()
      await owner.scrollTo(0)
      await look('edit site, changed')
      await owner.reload()
      await expect(owner.page.getByText(en.drafts.keptText)).toBeVisible()
      await look('edit site, draft kept')
      await client.collection(SITES).update(id, { name: 'Harbour Lane Pier', cost: '£0.70 / kWh' })
      owner.expectFailureAt(API.record(SITES, id))
      await owner.saveSite()
      await expect(owner.page.getByText(en.drafts.choose)).toBeVisible()
      await look('edit site, conflict')
    },
  },
  {
    name: 'without a connection',
    axeIn: 'offline.spec.ts',
    go: async (owner, look) => {
      const [site] = await prepareChain(await owner.comeSignedIn())
      await owner.visit('/dashboard')
      await owner.openSite('Harbour Lane Quay')
      await expect(owner.field(en.fields.sites.name)).toHaveValue(String(site?.['name']))
      await owner.goOffline()
      await expect(owner.page.getByText(en.shell.keptOffline)).toBeVisible()
      await owner.fillSite({ name: 'Harbour Lane North Quay' })
      await look('edit site, offline')
      await owner.page.getByRole('button', { name: en.drafts.sendLater }).click()
      await expect(owner.site('Harbour Lane North Quay')).toBeVisible()
      await look('dashboard, waiting to send')
      await owner.logOut()
      await expect(owner.dialog).toBeVisible()
      await look('log out with unsent work')
      await owner.goOnline()
    },
  },
  {
    name: 'where',
    axeIn: 'location.spec.ts',
    go: async (owner, look) => {
      await prepareChain(await owner.comeSignedIn())
      await owner.visit('/site/add')
      await expect(owner.field(en.fields.sites.name)).toBeVisible()
      await owner.fillSite({ address: '14 Quay Street', latitude: '55.2047', longitude: '-6.6531' })
      const near = owner.page.getByRole('status').filter({ hasText: 'Harbour Lane Quay' })
      await expect(near).toBeVisible()
      await near.scrollIntoViewIfNeeded()
      await look('add site, another one is near')
      await owner.fillSite({ latitude: '56', longitude: '3' })
      await expect(owner.page.getByText(en.positionWarnings.sea)).toBeVisible()
      await look('add site, in the sea')
      await owner.page.getByRole('button', { name: en.location.adjustMap }).click()
      await expect(owner.page.locator('.map-frame')).toHaveAttribute('data-ground', 'world')
      await look('add site, map')
    },
  },
  {
    name: 'reports',
    go: async (owner, look, { sql }) => {
      const { page } = owner
      const client = await owner.comeSignedIn()
      const [quay, pier] = await prepareSites(client, 'Harbour Lane Quay', 'Strand Rooms')
      const at = `${PATHS.report}/${quay?.id}`
      await owner.visit(at)
      await expect(page.getByRole('radio').first()).toBeVisible()
      await look('report')
      await owner.field(en.report.email).fill('ida')
      await page.getByRole('button', { name: en.report.send }).click()
      await expect(page.getByText(en.report.chooseReason)).toBeVisible()
      await look('report, not complete')
      await page.getByRole('radio', { name: en.report.reasons.NOT_WORKING }).check()
      await owner.field(en.report.message).fill('The left charger is dark since Monday.')
      await owner.field(en.report.email).fill('')
      await owner.goOffline()
      await page.getByRole('button', { name: en.report.send }).click()
      await expect(owner.alert).toContainText(en.report.kept)
      await owner.alert.scrollIntoViewIfNeeded()
      await look('report, offline')
      await owner.goOnline()
      await page.getByRole('button', { name: en.report.send }).click()
      await expect(page.getByText(en.report.sentTitle)).toBeVisible()
      await look('report, sent')
      owner.expectFailureAt(API.publicSite('nosuchrecord123'))
      await owner.visit(`${PATHS.report}/nosuchrecord123`)
      await expect(page.getByText(en.report.goneTitle)).toBeVisible()
      await look('report, no such site')

      await sql`
        insert into reports (id, site, reason, message, wants_answer, received)
        select left(md5(site || reason), 15), site, reason, message, message <> '',
          to_char(now() - interval '1 hour', 'YYYY-MM-DD HH24:MI:SS.MS"Z"')
        from (values
          (${quay?.id ?? ''}, 'PRICE_WRONG', 'It says €0.45 a kWh. The charger wants €0.59.'),
          (${pier?.id ?? ''}, 'NO_ACCESS', '')) as r (site, reason, message)`
      await owner.visit(PATHS.dashboard)
      await expect(owner.link(en.dashboard.reports(3))).toBeVisible()
      await owner.scrollTo(0)
      await look('dashboard, reports')
      await owner.follow(en.dashboard.reports(3))
      await expect(page.getByText(en.reports.waiting(3))).toBeVisible()
      await look('reports')
      await page.getByRole('button', { name: en.reports.send }).first().click()
      await expect(page.getByText(en.reports.writeAnswer)).toBeVisible()
      await look('reports, no answer written')
      await page.getByRole('button', { name: en.reports.resolve }).first().click()
      await expect(page.getByText(en.reports.waiting(2))).toBeVisible()
      // It is stored.
      await expect(page.getByText(en.reports.resolved)).toBeVisible()
      await owner.visit(`${PATHS.reports}?site=${quay?.id}`)
      await page.getByRole('button', { name: en.reports.resolve }).first().click()
      await expect(page.getByText(en.reports.nothing)).toBeVisible()
      await page.getByRole('button', { name: en.reports.done }).click()
      await owner.dismissMessages()
      await look('reports of a site, done')
      await sql`delete from reports where site = ${quay?.id ?? ''}`
      await owner.reload()
      await expect(page.getByText(en.reports.none)).toBeVisible()
      await look('reports of a site, none')
    },
  },
  {
    name: 'many sites',
    axeIn: 'dashboard.spec.ts',
    go: async (owner, look) => {
      const client = await owner.comeSignedIn()
      const [first] = await prepareChain(client)
      const batch = client.createBatch()
      for (let number = 1; number <= 20; number += 1)
        batch.collection(SITES).create({
          business: first?.['business'] as string,
          name: `Causeway Bay ${number}`,
          address: `${number} Causeway Road, Bushmills`,
          latitude: 55.2 - number / 100,
          longitude: -6.5 + number / 80,
          vehicle_capacity: number % 5,
          status: number % 4 === 0 ? 'PLANNED' : 'AVAILABLE',
        })
      await batch.send()
      await owner.visit('/dashboard')
      await owner.page.getByRole('button', { name: en.dashboard.table, exact: true }).click()
      await expect(owner.page.getByRole('table')).toBeVisible()
      await look('dashboard, table')
      await owner.page.getByRole('button', { name: en.dashboard.list, exact: true }).click()
      await owner.page.getByRole('button', { name: en.dashboard.showMap }).click()
      await expect(owner.page.locator('.map-frame')).toHaveAttribute('data-ground', 'world')
      await look('dashboard, map')
    },
  },
  {
    name: 'photos',
    axeIn: 'photos.spec.ts',
    go: async (owner, look) => {
      const [site] = await prepareChain(await owner.comeSignedIn())
      await owner.visit(`/site/edit/${site?.id}`)
      await expect(owner.photos).toHaveCount(3)
      await owner.addPhotos(await makePicture('night.jpg', 4), await makePicture('bays.jpg', 7))
      const { category, newPhoto, photo } = en.photos
      await owner.page.getByLabel(category(photo(1))).selectOption('LOCATION')
      await owner.page.getByLabel(category(newPhoto('bays.jpg'))).selectOption('CHARGER')
      await owner.photos.last().scrollIntoViewIfNeeded()
      await look('edit site, new photos')
      const answer = await owner.holdAnswers(API.record(SITES, site?.id ?? ''))
      await owner.saveSite()
      await expect(owner.page.getByText(/^Uploading|^Processing/).first()).toBeVisible()
      await look('edit site, photos on their way')
      await owner.failNext('PATCH', API.record(SITES, site?.id ?? ''))
      await answer()
      await expect(owner.alert).toContainText(en.failed.savePhotos)
      await look('edit site, a photo not saved')
    },
  },
  {
    name: 'imports',
    go: async (owner, look) => {
      const { page } = owner
      const { imports: text } = en
      const client = await owner.comeSignedIn()
      await owner.visit(PATHS.import)
      await expect(page.getByText(text.needsBusiness)).toBeVisible()
      await look('imports, no business')
      await prepareBusiness(client)
      await owner.visit(PATHS.import)
      await expect(page.getByText(text.none)).toBeVisible()
      await look('imports')
      await page.getByRole('button', { name: text.ways.url, exact: true }).click()
      await page.getByRole('button', { name: text.begin }).click()
      await page.getByRole('button', { name: text.addFeed }).click()
      await expect(page.getByText(text.urlMissing)).toBeVisible()
      await look('imports, address missing, and a new feed')
      await page.getByRole('button', { name: text.ways.text, exact: true }).click()
      await page
        .getByLabel(text.text, { exact: true })
        .fill('Alpha;Beta\nQuay;12 Quay Street, Portrush\nPier;14 Quay Street, Portrush')
      await page.getByRole('button', { name: text.begin }).click()
      await expect(page.getByRole('heading', { name: text.mappingTitle })).toBeVisible()
      await look('import, columns')
      await owner.bringFile(irveFile(IMPORTED))
      await expect(page.getByRole('button', { name: text.run(2) })).toBeVisible()
      await look('import, plan')
      for (const name of ['Nowhere', 'Pier'])
        await page.getByRole('article', { name }).getByRole('button').click()
      await expect(page.getByText(text.rules.coordinates_swapped)).toBeVisible()
      await page.getByRole('article', { name: 'Pier' }).scrollIntoViewIfNeeded()
      await look('import, rows')
      await page.getByRole('button', { name: text.discard }).click()
      await expect(owner.dialog).toBeVisible()
      await look('import, discard?')
      await owner.dialog.getByRole('button', { name: en.actions.cancel }).click()
      await page.getByRole('button', { name: text.run(2) }).click()
      await expect(page.getByText(text.doneTitle(2))).toBeVisible()
      await look('import, done')
      await page.getByRole('button', { name: text.undo }).click()
      await owner.dialog.getByRole('button', { name: text.undo }).click()
      await expect(page.getByText(text.undoneTitle)).toBeVisible()
      await look('import, undone')
      await owner.visit(PATHS.import)
      await expect(page.getByText(text.importStates.UNDONE, { exact: true })).toBeVisible()
      await look('imports, former ones')
      owner.expectFailureAt(API.record(IMPORTS, 'nosuchimport000'))
      await owner.visit(importPath('nosuchimport000'))
      await expect(page.getByText(text.gone)).toBeVisible()
      await look('import, gone')
    },
  },
  {
    name: 'open data and registers',
    go: async (owner, look) => {
      const { page } = owner
      const client = await owner.comeSignedIn()
      const [site] = await prepareSites(client, 'Quay', 'Pier')
      const paris = { latitude: 48.85, longitude: 2.35 }
      await client.collection(SITES).update(site?.id ?? '', paris)
      await owner.visit(PATHS.open)
      await expect(page.getByText(en.open.businessesTitle)).toBeVisible()
      await expect(page.getByText(/^about [\d.]+\skB$/).first()).toBeVisible()
      await look('open data')
      await owner.visit(PATHS.editBusiness)
      await page.getByRole('heading', { name: en.open.feedsTitle }).scrollIntoViewIfNeeded()
      await look('business, feeds')
      await owner.visit(PATHS.dashboard)
      await page.getByText(en.registers.names.irve).first().click()
      await expect(page.getByRole('button', { name: en.registers.choose(1) }).first()).toBeVisible()
      await look('dashboard, registers')
      await owner.visit(editSitePath(site?.id ?? ''))
      const registers = page.getByRole('region', { name: en.registers.title })
      await registers.getByRole('button').first().click()
      await look('edit site, registers')
    },
  },
  {
    name: 'page of a site',
    go: async (owner, look) => {
      const client = await owner.comeLater()
      const [quay, strand] = await prepareChain(client)
      const pageOf = (site: typeof quay) => sitePage(site?.id ?? '', slugOf(String(site?.['name'])))
      await describeSite(client, quay)
      await owner.visit(pageOf(quay))
      await expect(
        owner.page.getByRole('img', { name: 'Charger: Harbour Lane Quay' }),
      ).toBeVisible()
      await look('site page')
      await owner.page.getByRole('heading', { name: en.traveller.hours }).scrollIntoViewIfNeeded()
      await look('site page, below')
      await owner.visit(`${pageOf(strand)}?lang=de`)
      await look('site page, few details')
      await client.collection(SITES).update(strand?.id ?? '', { status: 'REMOVED' })
      owner.expectFailureAt(pageOf(strand))
      await owner.visit(pageOf(strand))
      await expect(owner.page.getByRole('heading', { name: en.traveller.gone.near })).toBeVisible()
      await look('site page, removed')
      owner.expectFailureAt('/at/nothing')
      await owner.visit('/at/nothing')
      await expect(owner.page.getByText(en.traveller.unknown.title)).toBeVisible()
      await look('site page, unknown')
    },
  },
]
