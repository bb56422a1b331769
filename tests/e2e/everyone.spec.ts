import { readFile } from 'node:fs/promises'

import type { Route } from '@playwright/test'
import { fromBufferPromise } from 'yauzl'

import { API } from '#domain/paths.ts'
import { CONNECTORS, SITES, USERS } from '#domain/collection.ts'
import { LANGUAGE_COOKIE, LANGUAGES } from '#domain/language.ts'
import { en } from '../support/english.ts'
import { makePhoto } from '../support/images.ts'
import { PATHS } from '../../web/paths.ts'
import { LOCALES, type Locale } from '../../web/messages/locale.ts'
import { prepareChain } from './chain.ts'
import { expect, test, type Owner } from './driver.ts'
import { prepareBusiness, prepareSites } from './prepare.ts'
import { SCREENS } from './screens.ts'

// Accessibility without a pointer, with large text, other colours and other languages; and the account functions.

const heldBy = async (owner: Owner, name: string): Promise<number> =>
  (await (await owner.comeLater()).collection(name).getFullList()).length

test('the whole job works by keyboard @once', async ({ owner }) => {
  const { page } = owner
  const press = (name: string) => owner.pressAt(page.getByRole('button', { name, exact: true }))
  await owner.visit('/login')
  await press(en.login.button(''))
  await owner.typeInto('Name', owner.person.name)
  await owner.typeInto('Email', owner.person.email)
  await page.keyboard.press('Enter')
  await owner.expectPath('/dashboard')

  await owner.pressAt(owner.link(en.dashboard.addBusiness))
  // A new screen is announced: the focus moves to its title, and Tab leads to the first field.
  await expect(owner.title).toBeFocused()
  await expect(page.locator('p[aria-live=polite]')).toHaveText(en.titles.addBusiness)
  await owner.typeInto(en.fields.businesses.name, 'Harbour Lane Hotels')
  await page.keyboard.press('Control+Enter')
  await owner.expectPath('/dashboard')

  await owner.pressAt(owner.link(en.dashboard.addFirstSite))
  await expect(owner.title).toBeFocused()
  await owner.typeInto(en.fields.sites.address, '12 Quay Street, Portrush')
  await owner.typeInto(en.fields.sites.latitude, '55.2044')
  await owner.typeInto(en.fields.sites.longitude, '-6.6531')
  await owner.typeInto(en.fields.sites.name, 'Quay')
  await owner.pressAt(page.getByRole('button', { name: /CCS2.*150/ }).first())
  await page.keyboard.press('Control+s')
  await owner.expectPath('/dashboard')
  await expect(owner.site('Quay')).toBeVisible()
  expect(await heldBy(owner, CONNECTORS)).toBe(1)

  const chooseDelete = async (): Promise<void> => {
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('End')
    await expect(page.getByRole('menuitem', { name: en.actions.delete })).toBeFocused()
    await page.keyboard.press('Enter')
  }
  await press(en.dashboard.menu('Quay'))
  await chooseDelete()
  // The safe answer has the focus, Escape selects it, and the focus returns to its former place.
  await expect(owner.dialog.getByRole('button', { name: en.actions.cancel })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(owner.dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: en.dashboard.menu('Quay') })).toBeFocused()
  await page.keyboard.press('Enter')
  await chooseDelete()
  await owner.pressAt(owner.dialog.getByRole('button', { name: en.actions.delete }))
  await expect(owner.site('Quay')).toHaveCount(0)
  await expect(page.getByRole('region', { name: en.shell.notifications })).toContainText(
    en.shell.deleted('Quay'),
  )
  // F6 focuses the toast from anywhere in the document.
  await page.keyboard.press('F6')
  await expect(page.getByRole('button', { name: en.actions.undo })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(owner.site('Quay')).toBeVisible()
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
  expect(await heldBy(owner, SITES)).toBe(1)
})

test('a logo: screen readers announce a refusal, and the focus stays when the logo is removed @once', async ({
  owner,
}) => {
  const { page } = owner
  await owner.comeSignedIn()
  await owner.visit(PATHS.addBusiness)
  const input = page.locator('input[type=file]')
  const said = page.getByRole('status').and(page.locator('#logo-error'))
  // Some screen readers do not announce a live region that is added together with its text.
  await expect(said).toBeEmpty()
  await owner.fillBusiness({ logo: await makePhoto('logo.png', { type: 'png' }) })
  const remove = page.getByRole('button', { name: en.business.removeLogo })
  await expect(remove).toBeVisible()
  await owner.fillBusiness({ logo: new File(['%PDF-'], 'a.pdf', { type: 'application/pdf' }) })
  await expect(said).toHaveText(en.form.photoUnreadable('a.pdf'))
  await remove.press('Enter')
  await expect(input).toBeFocused()
  await expect(said).toBeEmpty()
})

test('the form bar on a phone announces its messages: its live region exists before them @once', async ({
  owner,
}) => {
  await owner.page.setViewportSize(SCREENS.phone)
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit(PATHS.addSite)
  const note = owner.page.getByRole('status').and(owner.page.locator('.save-bar-note'))
  await expect(note).toBeEmpty()
  await owner.fillSite({ cost: 'Free' })
  await expect(note).toContainText('Draft saved')
})

test('shortcuts, their list, and their switch @once', async ({ owner }) => {
  const { page } = owner
  await prepareSites(await owner.comeSignedIn(), 'Quay', 'Pier', 'Dock', 'Mole')
  await owner.visit('/dashboard')
  await expect(owner.site('Mole')).toBeVisible()
  const sheet = page.getByRole('dialog', { name: en.shortcuts.title })
  // The shortcuts load when the page is idle.
  await expect(async () => {
    await page.keyboard.press('?')
    await expect(sheet).toBeVisible({ timeout: 500 })
  }).toPass()
  for (const name of Object.values(en.shortcuts.does)) await expect(sheet).toContainText(name)
  // An open dialog takes precedence.
  await page.keyboard.press('n')
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await owner.expectPath('/dashboard')

  await page.keyboard.press('/')
  const search = page.getByRole('searchbox')
  await expect(search).toBeFocused()
  // Shortcuts are off in text fields.
  await page.keyboard.type('n?/gd')
  await expect(search).toHaveValue('n?/gd')
  await page.keyboard.press('Escape')
  await owner.title.focus()
  await page.keyboard.press('n')
  await owner.expectPath('/site/add')
  await expect(owner.title).toBeFocused()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await owner.expectPath(/^\/dashboard/)

  await page.getByRole('button', { name: en.shell.shortcuts }).click()
  await sheet.getByRole('switch', { name: en.shortcuts.switch }).press('Space')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: en.shell.shortcuts })).toBeFocused()
  const stays = async (): Promise<void> => {
    await owner.title.focus()
    for (const key of ['n', 'g', 'd', '/', '?']) await page.keyboard.press(key)
    await expect(owner.title).toBeFocused()
    await owner.expectPath(/^\/dashboard/)
    await expect(sheet).toHaveCount(0)
  }
  await stays()
  await owner.reload()
  await expect(owner.site('Mole')).toBeVisible()
  await stays()
})

const routesOf = (siteId: string): readonly string[] => [
  '/',
  '/dashboard',
  '/site/add',
  '/site/edit',
  `/site/edit/${siteId}`,
  '/business/edit',
  '/nowhere',
]

/** Waits for the screen and its data. */
const expectSettled = async (owner: Owner): Promise<void> => {
  await expect(owner.page.getByRole('main').locator('h2, form').first()).toBeVisible()
  await expect(owner.page.locator('[aria-busy=true]')).toHaveCount(0)
}

test('320 pixels and text at 200 %: no horizontal scroll, nothing clipped', async ({ owner }) => {
  const [, , site] = await prepareChain(await owner.comeSignedIn())
  owner.expectFailureAt('/nowhere')
  const size = owner.page.viewportSize() ?? SCREENS.desktop
  // The phone project covers 320 pixels; both would show the same screen.
  const isPhone = size.width <= SCREENS.phone.width
  for (const path of routesOf(site?.id ?? '')) {
    await owner.setTextSize(32)
    await owner.visit(path)
    await expectSettled(owner)
    await owner.expectNothingCut(`${path}, text at 200 %`)
    await owner.setTextSize(16)
    if (!isPhone) continue
    await owner.page.setViewportSize({ width: 320, height: size.height })
    await owner.expectNothingCut(`${path}, 320 pixels`)
    await owner.page.setViewportSize(size)
  }
  if (!isPhone) {
    await owner.page.setViewportSize({ width: 2560, height: 1440 })
    await owner.visit('/dashboard')
    await expectSettled(owner)
    const list = await owner.page.locator('.dashboard').boundingBox()
    expect(list?.width, 'a wide screen is used').toBeGreaterThan(1600)
    return
  }
  // A computer at 400 %.
  await owner.page.setViewportSize({ width: 320, height: 256 })
  await owner.visit('/site/add')
  await expect(owner.field('Address')).toBeVisible()
  await expect(owner.page.locator('.save-bar')).not.toBeInViewport()
})

/** The words of the title that break across lines, and its number of lines. */
const titleOf = (owner: Owner): Promise<{ broken: string[]; lines: number }> =>
  owner.page.locator('.top-bar h1').evaluate((title) => {
    const text = title.firstChild as Text
    const linesOf = (start: number, end: number): number => {
      const range = document.createRange()
      range.setStart(text, start)
      range.setEnd(text, end)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    }
    const words = [...text.data.matchAll(/\S+/g)]
    return {
      broken: words
        .filter(({ index, 0: word }) => linesOf(index, index + word.length) > 1)
        .map(([word]) => word),
      lines: linesOf(0, text.length),
    }
  })

test('no title breaks inside a word or fills a phone, in any language @once', async ({ owner }) => {
  const { page } = owner
  // The title is prerendered.
  await page.route('**/assets/*.js', () => undefined)
  for (const language of LANGUAGES) {
    await page.context().addCookies([{ name: LANGUAGE_COOKIE, value: language, url: owner.url }])
    for (const path of ['/', '/login', '/business/edit']) {
      await page.goto(owner.url + path, { waitUntil: 'commit' })
      await page.locator('#end').waitFor({ state: 'attached' })
      for (const [width, textSize] of [
        [320, 16],
        [390, 16],
        [390, 32],
      ] as const) {
        await page.setViewportSize({ width, height: 844 })
        await owner.setTextSize(textSize)
        // Polled, because the new screen and text sizes reach the layout one after the other.
        const where = `${path}, ${language}, ${width}, ${textSize}`
        await expect.poll(async () => (await titleOf(owner)).broken, where).toEqual([])
        expect((await titleOf(owner)).lines, where).toBeLessThanOrEqual(3)
      }
    }
  }
})

/** Elements whose border, icon or state has the colour of its surroundings, and running animations. */
const findColourFaults = (owner: Owner): Promise<readonly string[]> =>
  owner.page.evaluate(() => {
    const wrong: string[] = []
    const background = getComputedStyle(document.documentElement).backgroundColor
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    for (const control of document.querySelectorAll('.button, .input, .badge, .chip, .banner')) {
      const { borderTopStyle, borderTopWidth, borderTopColor } = getComputedStyle(control)
      const isBare = borderTopStyle === 'none' || Number.parseFloat(borderTopWidth) === 0
      if (isSeen(control) && (isBare || borderTopColor === background))
        wrong.push(`no border: ${control.outerHTML.slice(0, 90)}`)
    }
    for (const pressed of document.querySelectorAll('[aria-pressed=true]')) {
      const other = pressed.parentElement?.querySelector('[aria-pressed=false]')
      const grounds = [pressed, other].map((each) => each && getComputedStyle(each).backgroundColor)
      if (grounds[0] === grounds[1])
        wrong.push(`looks not pressed: ${pressed.outerHTML.slice(0, 90)}`)
    }
    for (const icon of document.querySelectorAll('svg.icon, svg.lucide'))
      if (isSeen(icon) && getComputedStyle(icon).color === background)
        wrong.push(`no icon: ${icon.outerHTML.slice(0, 90)}`)
    for (const animation of document.getAnimations()) {
      const { duration, iterations } = animation.effect?.getComputedTiming() ?? {}
      if (Number(duration) > 1 || iterations === Number.POSITIVE_INFINITY) wrong.push('it moves')
    }
    return wrong
  })

test('forced colours keep borders and icons; more contrast and reduced motion are respected @once', async ({
  owner,
}) => {
  const [site] = await prepareChain(await owner.comeSignedIn())
  await owner.page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  // Not even short ones: each element would have one for each property that changes.
  const transitions: string[] = []
  await owner.page.exposeFunction('noteTransition', (name: string) => transitions.push(name))
  await owner.page.addInitScript(() => {
    addEventListener('transitionrun', ({ propertyName }) =>
      Reflect.get(globalThis, 'noteTransition')(propertyName),
    )
  })
  for (const path of ['/dashboard', `/site/edit/${site?.id}`, '/business/edit']) {
    await owner.visit(path)
    await expectSettled(owner)
    for (const [screen, size] of Object.entries(SCREENS)) {
      await owner.page.setViewportSize(size)
      expect(await findColourFaults(owner), `${path}, ${screen}`).toEqual([])
    }
  }
  await owner.page.emulateMedia({ colorScheme: 'dark' })
  await owner.visit('/map?min_kw=50')
  await expect(owner.page.locator('.maplibregl-ctrl-zoom-in > span')).toHaveCSS('filter', 'none')
  const borders = await Promise.all(
    ['.chip.on', '.chip:not(.on)'].map((chip) =>
      owner.page
        .locator(`.finder-chips ${chip}`)
        .first()
        .evaluate((element) => getComputedStyle(element).borderTopColor),
    ),
  )
  expect(borders[0], 'a filter that is on').not.toBe(borders[1])
  await owner.page.emulateMedia({ forcedColors: 'none', contrast: 'more' })
  const text = await owner.page.evaluate(() => getComputedStyle(document.body).color)
  await expect(owner.page.getByRole('contentinfo')).toHaveCSS('color', text)
  expect(transitions).toEqual([])
})

const leaves = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(leaves)
      : []

test('every screen is in the chosen language', { tag: '@once' }, async ({ owner }) => {
  const [site] = await prepareChain(await owner.comeSignedIn())
  const requested: string[] = []
  owner.expectFailureAt('/nowhere')
  owner.page.on('request', (request) => {
    if (request.url().includes('/api/collections/'))
      requested.push(request.headers()['accept-language'] ?? '')
  })
  const english = new Set(leaves(en).filter((text) => /\p{L}{3}/u.test(text)))
  for (const [locale, name] of Object.entries(LOCALES) as [Locale, string][]) {
    if (locale === 'en') continue
    await owner.visit('/dashboard')
    await expectSettled(owner)
    await owner.chooseLanguage(name)
    await expect(owner.page.locator('html')).toHaveAttribute('lang', locale)
    for (const path of routesOf(site?.id ?? '')) {
      requested.length = 0
      await owner.visit(path)
      await expectSettled(owner)
      await expect(owner.page.locator('html')).toHaveAttribute('lang', locale)
      const shown = await owner.page.evaluate(() =>
        document.body.innerText
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      )
      expect(shown.length).toBeGreaterThan(3)
      expect(shown.filter((line) => line.includes('undefined'))).toEqual([])
      const left = shown.filter((line) => english.has(line) && !SHARED.includes(line))
      expect(left, `English on ${path} in ${name}`).toEqual([])
      await expect.poll(() => new Set(requested), path).toEqual(new Set([locale]))
    }
  }
})

/** Words that are the same in another language, and the names of the languages. */
const SHARED: readonly string[] = [
  ...Object.values(LOCALES),
  // The sample on Home uses a name of the test data.
  'Harbour Lane Quay',
  'Logo',
  'Website',
  'Status',
  'Description',
  'Latitude',
  'Longitude',
  'Photos',
  'Sites',
  'Contact',
  'cable',
  'NEMA 5-15 (type B)',
  'Europlug (type C)',
  'Schuko (type F)',
]

test('the account: sign out everywhere, download all data, delete it @once', async ({
  owner,
  stack,
}) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareChain(client)
  const elsewhere = await owner.comeLater()
  const { page } = owner
  await owner.visit('/dashboard')
  await owner.who.click()
  await owner.expectPath('/account')

  const downloading = page.waitForEvent('download')
  await owner.accountButton(en.accountCard.download).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^voltleaf-\d{4}-\d\d-\d\d\.zip$/)
  const archive = await fromBufferPromise(await readFile(await download.path()))
  const names: string[] = []
  for await (const { fileName } of archive.eachEntry()) names.push(fileName)
  expect(names[0]).toBe('data.json')
  expect(
    names.filter((name) => name.startsWith(`sites/Harbour-Lane-Quay-${site?.id}/`)),
  ).toHaveLength(3)
  await expect(page.getByText(en.accountCard.downloadBegun)).toBeVisible()

  // In another tab, whose stream the server closes, the session expires without loss of input.
  const tab = await owner.openTab()
  await tab.visit('/dashboard')
  await expect(tab.site('Strand Rooms')).toBeVisible()
  await owner.accountButton(en.accountCard.everywhere).click()
  await owner.dialog.getByRole('button', { name: en.accountCard.everywhere }).click()
  await owner.expectPath('/login')
  await expect(page.getByText(en.accountCard.everywhereDone)).toBeVisible()
  await tab.expectPath('/login')
  await expect(elsewhere.collection(USERS).authRefresh()).rejects.toMatchObject({ status: 401 })
  await tab.page.close()

  await owner.continueToProvider()
  await owner.signInAtProvider()
  await owner.expectPath('/dashboard')
  await owner.visit('/account')
  // Measured first, before the styles of other screens are loaded.
  const gap = () =>
    page.locator('.account-card > .card').evaluate((card) => {
      const [email, actions] = [...card.children]
        .slice(1)
        .map((part) => part.getBoundingClientRect())
      return (actions?.top ?? Number.NaN) - (email?.bottom ?? Number.NaN)
    })
  await expect(owner.accountButton(en.accountCard.delete)).toBeVisible()
  expect(await gap()).toBeGreaterThanOrEqual(8)
  await owner.accountButton(en.accountCard.delete).click()
  await expect(owner.dialog).toContainText('5 sites, 10 connectors')
  const confirm = owner.dialog.getByRole('button', { name: en.accountCard.deleteForGood })
  await confirm.click()
  const field = owner.dialog.getByRole('textbox')
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleDescription(en.accountCard.deleteMistyped)
  expect(
    await stack.sql`select 1 from businesses where id = ${site?.['business'] as string}`,
  ).toHaveLength(1)

  // The dialog shows a failure and allows a retry.
  await field.fill(owner.person.email.toUpperCase())
  const account = API.record(USERS, client.authStore.record?.id ?? '')
  await owner.failNext('DELETE', account)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const hold = async (route: Route): Promise<void> => {
    await held
    await route.fallback()
  }
  await page.route(`**${account}`, hold, { times: 1 })
  await confirm.click()
  // Meanwhile no key closes the dialog, however often it is pressed.
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press('Escape')
  await expect(owner.dialog).toBeVisible()
  release()
  await expect(owner.dialog).toContainText(en.failed.deleteAccount)
  // If the response is lost, the app still finds out that the account is deleted.
  await owner.failNext('DELETE', account, 'answer lost')
  owner.expectFailureAt(API.authRefresh(USERS))
  await confirm.click()
  await owner.expectPath('/')
  await expect(page.getByText(en.accountCard.deleted)).toBeVisible()
  await expect(owner.who).toHaveCount(0)
  expect(
    await stack.sql`select 1 from businesses where id = ${site?.['business'] as string}`,
  ).toEqual([])
  await owner.visit('/dashboard')
  await owner.expectPath('/login')
})

test('toasts never cover the save bar', async ({ owner }) => {
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit('/business/edit')
  await owner.link(en.titles.account).click()
  await owner.failNext('POST', API.fileToken)
  await owner.accountButton(en.accountCard.download).click()
  await expect(owner.page.getByText(en.failed.exportData)).toBeVisible()
  await owner.page.goBack()
  // The failure message of another screen stays until it is dismissed.
  const message = owner.page.locator('.toast')
  await expect(message).toBeVisible()
  await owner.fillBusiness({ name: 'Harbour Lane Rooms' })
  const save = owner.page.getByRole('button', { name: en.business.save })
  await expect(save).toBeVisible()
  await expect
    .poll(async () => {
      const [above, bar] = [
        await message.boundingBox(),
        await owner.page.locator('.save-bar').boundingBox(),
      ]
      return (
        above !== null &&
        bar !== null &&
        (above.y + above.height <= bar.y || above.y >= bar.y + bar.height)
      )
    })
    .toBe(true)
})

test('more businesses with open data are loaded by keyboard @once', async ({
  owner,
  stack: { sql },
}) => {
  await sql`
    with u as (insert into users (id)
      select 'open' || lpad(n::text, 11, '0') from generate_series(1, 60) n returning id),
    b as (insert into businesses (id, name, "user") select id, id, id from u returning id),
    s as (insert into sites (id, name, address, latitude, longitude, business)
      select id, 'Quay', '12 Quay Street', 55.2, -6.65, id from b returning id)
    insert into connectors (id, site, standard, format, current_type, kw_rating)
    select id, id, 'IEC_62196_T2', 'SOCKET', 'AC_3_PHASE', 22 from s`
  await owner.visit(PATHS.open)
  await owner.pressAt(owner.page.getByRole('button', { name: en.open.more }))
  // The first row has the names of the columns.
  await expect(owner.page.getByRole('row').nth(51).getByRole('button')).toBeFocused()
  await sql`delete from users where id like 'open%'`
})
