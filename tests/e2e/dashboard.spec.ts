import { readFile } from 'node:fs/promises'
import type PocketBase from 'pocketbase'
import type { RecordModel } from 'pocketbase'
import { API } from '#domain/paths.ts'
import { BUSINESSES, CONNECTORS, SITES } from '#domain/collection.ts'
import { makePhoto } from '../support/images.ts'
import { connectorBody, siteBody } from '../support/owner.ts'
import { LOCALES } from '../../web/messages/locale.ts'
import { en } from '../support/english.ts'
import { expect, test, type Locator, type Owner } from './driver.ts'
import { prepareBusiness, prepareMany, prepareSites } from './prepare.ts'
import { SCREENS } from './screens.ts'
import { readStored } from './stored.ts'

const text = en.dashboard

/** The names of the sites on the screen, in order. */
const shownNames = (owner: Owner): Locator =>
  owner.page.getByRole('article').getByRole('heading', { level: 3 })

const chip = (owner: Owner, name: string | RegExp): Locator =>
  owner.page.getByRole('group', { name: text.filterLabel }).getByRole('button', { name })

const search = (owner: Owner): Locator => owner.page.getByRole('searchbox')

const sortBy = (owner: Owner): Locator => owner.page.getByRole('combobox', { name: text.sortLabel })

const openMapButton = (owner: Owner): Locator =>
  owner.page.getByRole('button', { name: text.showMap })

const chooseFromMenu = async (owner: Owner, site: string, action: string): Promise<void> => {
  await owner.openMenu(site)
  await owner.page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Five different sites; the last one has no connectors. */
const prepareFive = async (client: PocketBase): Promise<readonly RecordModel[]> => {
  const sites = await prepareSites(client, 'Quay', 'Pier', 'Dock', 'Gate', 'Äußere Mole')
  const changes = [
    { cost: '=0.45 € / kWh', contact_phone: '+44 28 1', vehicle_capacity: 4 },
    { status: 'OUTOFORDER', address: '3 Rue du Café, Étretat' },
    { status: 'PLANNED' },
    // A word longer than a line, and a bidirectional control character.
    { cost: 'x'.repeat(200), address: '12 \u202EQuay Street, Portrush' },
    {},
  ]
  for (const [index, site] of sites.entries()) {
    await client.collection(SITES).update(site.id, changes[index])
  }
  const [quay] = sites
  for (const kw_rating of [150, 150, 22]) {
    await client.collection(CONNECTORS).create({ ...connectorBody(quay?.id ?? ''), kw_rating })
  }
  const last = await client
    .collection(CONNECTORS)
    .getFirstListItem(`site = "${sites.at(-1)?.id ?? ''}"`)
  await client.collection(CONNECTORS).delete(last.id)
  return sites
}

const countNodes = (owner: Owner): Promise<number> =>
  owner.page.evaluate(() => document.querySelectorAll('*').length)

/** The number of sites in the cache of this device. */
const countKeptSites = (owner: Owner, client: PocketBase): Promise<number> =>
  owner.page.evaluate(
    (id) =>
      new Promise<number>((resolve) => {
        indexedDB.open('voltleaf').addEventListener('success', ({ target }) => {
          const { result: database } = target as IDBOpenDBRequest
          const requested = database.transaction('objects').objectStore('objects').get(`data:${id}`)
          requested.addEventListener('success', () => {
            database.close()
            const kept = requested.result as { data: { sites: unknown[] } } | undefined
            resolve(kept?.data.sites.length ?? 0)
          })
        })
      }),
    client.authStore.record?.id,
  )

test('a few sites: totals, search, filters and order, restored on the way back', async ({
  owner,
}) => {
  await prepareFive(await owner.comeSignedIn())
  const { page } = owner
  await owner.visit('/dashboard')

  await expect(owner.business).toContainText('5 sites')
  await expect(owner.business).toContainText('7 connectors')
  await expect(owner.business).toContainText('922 kW')
  await expect(owner.plugsOf(owner.site('Quay'))).toHaveText([
    /3\s×\sCCS2.*DC · cable.*150\skW/,
    /^CCS2.*22\skW/,
  ])

  await expect(owner.site('Gate')).toContainText('12 Quay Street, Portrush')
  await owner.expectNothingCut('a few sites')
  // WCAG 2.2, 2.5.8: the address below overlaps the link.
  const target = await owner.site('Gate').getByRole('link').first().boundingBox()
  expect(target?.height).toBeGreaterThanOrEqual(28)

  await test.step('sites that need attention', async () => {
    await owner.page.getByRole('link', { name: '2 need attention' }).click()
    await expect(shownNames(owner)).toHaveText(['Pier', 'Äußere Mole'])
    await expect(chip(owner, /Needs attention 2/)).toHaveAttribute('aria-pressed', 'true')
    await chip(owner, /^Coming soon 1/).click()
    await expect(shownNames(owner)).toHaveText(['Dock'])
    // On a phone, it is beyond the end of the row.
    await owner.reload()
    await expect(chip(owner, /^Coming soon 1/)).toBeInViewport({ ratio: 1 })
    await chip(owner, /^All 5/).click()
    await expect(shownNames(owner)).toHaveCount(5)
  })

  await test.step('search by name and address, ignoring accents', async () => {
    await search(owner).fill('etretat pier')
    await expect(shownNames(owner)).toHaveText(['Pier'])
    await expect(owner.page.getByText('1 of 5 sites shown')).toBeVisible()
    await expect(chip(owner, /^All 1/)).toBeVisible()
    await expect(chip(owner, /^Out of order 1/)).toBeVisible()
    await expect(chip(owner, /^Coming soon 0/)).toBeVisible()
    await search(owner).fill('etertat')
    await expect(page.getByText(text.similar('etertat'))).toBeVisible()
    await expect(shownNames(owner)).toHaveText(['Pier'])
    await search(owner).fill('ccs2 out of order')
    await expect(shownNames(owner)).toHaveText(['Pier'])
    await search(owner).fill('xyz')
    await expect(owner.page.getByText('No site matches “xyz”')).toBeVisible()
    await owner.page.getByRole('button', { name: text.clear }).click()
    await expect(search(owner)).toBeFocused()
    await expect(shownNames(owner)).toHaveCount(5)
    // Screen readers hear that all sites are back.
    const said = owner.page.getByRole('status').filter({ hasText: text.shown(5, 5) })
    await expect(said).toBeAttached()
  })

  await test.step('filters for missing data', async () => {
    const lack = page.getByRole('combobox', { name: text.lackLabel })
    await expect(lack.getByRole('option')).toHaveText([
      text.lackNothing,
      'No photo (5)',
      'No price (3)',
      'No connector (1)',
      'No contact (4)',
    ])
    await lack.selectOption('No connector (1)')
    await owner.expectPath('/dashboard?lacks=connectors')
    await expect(shownNames(owner)).toHaveText(['Äußere Mole'])
    await chip(owner, /^Open 1/).click()
    await expect(lack.getByRole('option', { name: 'No photo (3)' })).toBeAttached()
    await chip(owner, /^Out of order 0/).click()
    await expect(page.getByText(text.noMatchFilter)).toBeVisible()
    await page.getByRole('button', { name: text.clear }).click()
    await expect(shownNames(owner)).toHaveCount(5)
  })

  await test.step('sort order', async () => {
    await sortBy(owner).selectOption(text.sorts['-power'])
    await expect(shownNames(owner).first()).toHaveText('Quay')
    await expect(shownNames(owner).last()).toHaveText('Äußere Mole')
    await sortBy(owner).selectOption(text.sorts['-created'])
    await expect(shownNames(owner).first()).toHaveText('Äußere Mole')
    await sortBy(owner).selectOption(text.sorts.status)
    await expect(shownNames(owner).first()).toHaveText('Pier')
    await sortBy(owner).selectOption(text.sorts.name)
    await expect(shownNames(owner)).toHaveText(['Äußere Mole', 'Dock', 'Gate', 'Pier', 'Quay'])
  })

  await test.step('the back button restores the list', async () => {
    await search(owner).fill('quay street')
    await expect(shownNames(owner)).toHaveText(['Äußere Mole', 'Dock', 'Gate', 'Quay'])
    await owner.openSite('Gate')
    await owner.backArrow.click()
    await owner.expectPath('/dashboard?q=quay+street&sort=name')
    await expect(search(owner)).toHaveValue('quay street')
    await expect(shownNames(owner)).toHaveText(['Äußere Mole', 'Dock', 'Gate', 'Quay'])
    await owner.reload()
    await expect(shownNames(owner)).toHaveText(['Äußere Mole', 'Dock', 'Gate', 'Quay'])
  })

  await test.step('one hint at a time, until dismissed on this device', async () => {
    await owner.visit('/dashboard')
    const { photo, cost } = text.hints
    await expect(owner.site('Quay').getByRole('link', { name: photo })).toBeVisible()
    await expect(owner.link(photo)).toHaveCount(1)
    await owner.page.getByRole('button', { name: text.dismissHint(photo) }).click()
    await expect(owner.link(photo)).toHaveCount(0)
    await owner.reload()
    await expect(owner.site('Pier').getByRole('link', { name: cost })).toBeVisible()
    await expect(owner.link(photo)).toHaveCount(0)
    await owner.expectNoViolations()
  })
})

test('the sort order and the business are readable on small and medium screens, in every language @once', async ({
  owner,
}) => {
  await owner.page.setViewportSize(SCREENS.phone)
  await prepareFive(await owner.comeSignedIn())
  await owner.visit('/dashboard')
  await expect(owner.site('Quay')).toBeVisible()
  const expectChoicesReadable = async (where: string) => {
    for (const select of await owner.page.locator('.sites-tools select').all()) {
      const left = await select.evaluate((element: HTMLSelectElement) => {
        const style = getComputedStyle(element)
        const context = document.createElement('canvas').getContext('2d')
        if (context === null) throw new Error('There is no canvas')
        context.font = style.font
        const { width } = context.measureText(element.selectedOptions[0]?.text ?? '')
        const padding = parseFloat(style.paddingInlineStart) + parseFloat(style.paddingInlineEnd)
        return element.clientWidth - padding - width
      })
      expect(left, `${where}: ${await select.inputValue()}`).toBeGreaterThanOrEqual(0)
    }
  }
  for (const language of ['Deutsch', 'Français', 'Español', 'English']) {
    await owner.chooseLanguage(language)
    await expectChoicesReadable(language)
    await owner.expectNothingCut(language)
    // On a tablet, too, the name takes at most two lines beside the actions.
    const name = owner.page.getByRole('heading', { name: 'Harbour Lane Hotels' })
    for (const width of [768, 834, 1024, 1194]) {
      await owner.page.setViewportSize({ width, height: 834 })
      expect((await name.boundingBox())?.height, `${language}, ${width} px`).toBeLessThan(60)
      await expectChoicesReadable(`${language}, ${width} px`)
    }
    await owner.page.setViewportSize(SCREENS.phone)
  }
})

test('the status of a site fits its card and its table, and its name the table, in every language @once', async ({
  owner,
  stack,
}) => {
  const count = 21
  const client = await owner.comeSignedIn()
  await prepareMany(stack, client, count)
  const sites = await client.collection(SITES).getFullList()
  const statuses = ['INOPERATIVE', 'PLANNED', 'REMOVED', 'OUTOFORDER', 'AVAILABLE']
  for (const [index, status] of statuses.entries())
    await client.collection(SITES).update(sites[index]?.id ?? '', { status })
  const name = 'Market – Longeville-lès-Saint-Avold'
  const cost = '€0.49 / kWh, then €0.10 a minute after the first hour'
  await client.collection(SITES).update(sites[5]?.id ?? '', { name, cost })
  for (const [code, language] of Object.entries(LOCALES)) {
    await owner.page.setViewportSize(SCREENS.desktop)
    await owner.visit('/dashboard')
    await owner.chooseLanguage(language)
    for (const view of ['cards', 'table']) {
      await owner.visit(`/dashboard?view=${view}`)
      await expect(owner.page.locator('html')).toHaveAttribute('lang', code)
      for (const width of [390, 768, 1440]) {
        await owner.page.setViewportSize({ width, height: 900 })
        const badges = owner.page.locator('main .badge-button')
        await expect(badges).toHaveCount(count)
        const wrong = await badges.evaluateAll((all) =>
          all.flatMap((badge) => {
            const box = badge.closest('td, .site-card-text')?.getBoundingClientRect()
            const cut = (element: Element) => element.scrollWidth > element.clientWidth
            const isOut = box === undefined || badge.getBoundingClientRect().right > box.right
            return isOut || cut(badge) ? [badge.textContent] : []
          }),
        )
        expect(wrong, `${language}, ${view}, ${width}`).toEqual([])
        if (view === 'cards') continue
        // Rows are virtualized, and their number in view follows from one height.
        const heights = await owner.page
          .locator('tr[data-site]')
          .evaluateAll((rows) => [...new Set(rows.map((row) => row.clientHeight))])
        expect(heights, `${language}, ${width}`).toHaveLength(1)
      }
    }
    const named = owner.page.locator('.site-table :is(thead button, tbody th a)')
    const cut = await named.evaluateAll((all) =>
      all
        .filter((each) => each.scrollWidth > each.clientWidth)
        .map(({ textContent }) => textContent),
    )
    expect(cut, `headings and names, ${language}`).toEqual([])
  }
})

test('the menu of a card: by keyboard, copy, share, open in maps, duplicate, delete @once', async ({
  owner,
  stack,
}) => {
  const client = await owner.comeSignedIn()
  const [quay, , dock] = await prepareFive(client)
  await client.collection(SITES).update(quay?.id ?? '', { photos: [await makePhoto('front.jpg')] })
  await owner.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await owner.page.addInitScript(() => {
    const page = window as unknown as { shared: unknown[] }
    page.shared = []
    // Headless browsers have no share sheet.
    navigator.share = async (data) => {
      page.shared.push(data)
      if (page.shared.length === 2) throw new DOMException('', 'AbortError')
      if (page.shared.length === 3) throw new DOMException('', 'NotAllowedError')
    }
  })
  const menuCode = () => owner.watch.requested().filter((url) => url.includes('action-popover'))
  const clipboard = () => owner.page.evaluate(() => navigator.clipboard.readText())
  const MAP = 'https://www.openstreetmap.org/?mlat=55.2044&mlon=-6.6531#map=17/55.2044/-6.6531'
  await owner.visit('/dashboard')
  await expect(shownNames(owner)).toHaveCount(5)

  await test.step('loads on focus and works by keyboard', async () => {
    expect(menuCode()).toEqual([])
    const button = owner.page.getByRole('button', { name: text.menu('Quay') })
    await button.focus()
    await owner.page.keyboard.press('Enter')
    const items = owner.page.getByRole('menuitem')
    await expect(items).toHaveText([
      en.actions.edit,
      text.duplicate,
      text.copyCoordinates,
      text.openInMaps,
      text.share,
      en.titles.reports,
      en.titles.changes,
      en.actions.delete,
    ])
    await expect(items.first()).toBeFocused()
    await expect(button).toHaveAttribute('aria-expanded', 'true')
    await owner.page.keyboard.press('Escape')
    await expect(button).toBeFocused()
    expect(menuCode().length).toBeGreaterThan(0)
  })

  await test.step('scrolls in a low window', async () => {
    const before = owner.page.viewportSize()
    await owner.page.setViewportSize({ width: 844, height: 390 })
    await owner.page.getByRole('button', { name: text.menu('Dock') }).click()
    const last = owner.page.getByRole('menuitem', { name: en.actions.delete })
    await expect(last).not.toBeInViewport({ ratio: 1 })
    await owner.page.getByRole('menuitem').first().hover()
    await owner.page.mouse.wheel(0, 600)
    await expect(last).toBeInViewport({ ratio: 1 })
    await owner.page.keyboard.press('Escape')
    if (before !== null) await owner.page.setViewportSize(before)
  })

  await test.step('the whole card links to the site', async () => {
    const card = owner.site('Dock')
    const plugs = card.getByRole('list')
    for (const part of [card.locator('.site-thumb'), plugs, card.getByText('12 Quay Street')]) {
      await part.scrollIntoViewIfNeeded()
      const { x = 0, y = 0, height = 0 } = (await part.boundingBox()) ?? {}
      await owner.page.mouse.click(x + 8, y + height / 2)
      await owner.expectTitle(en.titles.editSite)
      await owner.backArrow.click()
      await expect(shownNames(owner)).toHaveCount(5)
    }
  })

  await test.step('sets the status in two presses and undoes it', async () => {
    const { status } = en
    const change = async (from: string, to: string) => {
      await owner.page.getByRole('button', { name: text.statusOf('Dock', from) }).click()
      await owner.page.getByRole('menuitemradio', { name: to }).click()
      await expect(owner.site('Dock')).toContainText(to)
      await expect(owner.page.getByText(text.statusSet('Dock', to))).toBeVisible()
    }
    await owner.page.getByRole('button', { name: text.statusOf('Dock', status.PLANNED) }).click()
    await expect(owner.page.getByRole('menuitemradio', { checked: true })).toBeFocused()
    await owner.expectNoViolations()
    await owner.page.keyboard.press('Escape')
    await change(status.PLANNED, status.INOPERATIVE)
    const saved = async () => (await client.collection(SITES).getOne(dock?.id ?? ''))['status']
    await expect.poll(saved).toBe('INOPERATIVE')
    await owner.undo()
    await expect(owner.site('Dock')).toContainText(status.PLANNED)
    // The undo is shown before it is saved, and must not overwrite the status below.
    await expect.poll(saved).toBe('PLANNED')

    // The owner can replace a status set by the charge point, but not set it again.
    await stack.sql`update sites set status = 'CHARGING' where id = ${dock?.id ?? ''}`
    await owner.reload()
    await owner.page.getByRole('button', { name: text.statusOf('Dock', status.CHARGING) }).click()
    await expect(owner.page.getByRole('menuitemradio')).toHaveCount(5)
    await expect(owner.page.getByRole('menuitemradio', { checked: true })).toHaveCount(0)
    await owner.page.keyboard.press('Escape')
    await change(status.CHARGING, status.OUTOFORDER)
    await expect(owner.page.getByRole('button', { name: en.actions.undo })).toHaveCount(0)

    await chip(owner, /^Out of order 2/).click()
    await expect(shownNames(owner)).toHaveText(['Pier', 'Dock'])
    await owner.page.getByRole('button', { name: text.statusOf('Dock', status.OUTOFORDER) }).click()
    await owner.page.getByRole('menuitemradio', { name: status.PLANNED }).click()
    await expect(shownNames(owner)).toHaveText(['Pier'])
    await expect(owner.site('Pier').getByRole('link').first()).toBeFocused()
    await chip(owner, /^All/).click()
  })

  await test.step('copies the coordinates', async () => {
    await chooseFromMenu(owner, 'Quay', text.copyCoordinates)
    await expect(owner.page.getByText(text.copied)).toBeVisible()
    expect(await clipboard()).toBe('55.2044, -6.6531')
  })

  await test.step('shares name, address and map, or copies them as a fallback', async () => {
    await chooseFromMenu(owner, 'Quay', text.share)
    await chooseFromMenu(owner, 'Quay', text.share)
    expect(await clipboard()).toBe('55.2044, -6.6531')
    await chooseFromMenu(owner, 'Quay', text.share)
    await expect(owner.page.getByText(text.shareCopied)).toBeVisible()
    const card = { title: 'Quay', text: 'Quay\n12 Quay Street, Portrush', url: MAP }
    expect(
      await owner.page.evaluate(() => (window as unknown as { shared: unknown }).shared),
    ).toEqual([card, card, card])
    expect(await clipboard()).toBe(`${card.text}\n${MAP}`)
  })

  await test.step('opens the position in maps, in a tab without opener and referrer', async () => {
    await owner.openMenu('Quay')
    const link = owner.page.getByRole('menuitem', { name: text.openInMaps })
    await expect(link).toHaveAttribute('href', MAP)
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(link).toHaveAttribute('rel', /noopener/)
    await owner.page.keyboard.press('Escape')
  })

  await test.step('duplicates the site: equal details, new connectors, no photos', async () => {
    await chooseFromMenu(owner, 'Quay', text.duplicate)
    await owner.expectPath(/^\/site\/add\?draft=\w+$/)
    await expect(owner.field(en.fields.sites.name)).toHaveValue('Quay (copy)')
    // The copy is still at the same place as the original.
    await expect(owner.page.getByText(en.positionWarnings.nearHint)).toBeVisible()
    await owner.saveSite()
    await owner.expectPath('/dashboard')
    await expect(owner.site('Quay (copy)').getByRole('link').first()).toBeFocused()
    const stored = readStored(stack, owner.person.email)
    await owner.expectSoon(async () => (await stored.connectors()).length, 11)
    const [one, copy] = (await stored.sites()).filter(({ name }) => name.startsWith('Quay'))
    const { id: _one, photos, name: _name, ...details } = one ?? { photos: [] }
    expect(photos).toHaveLength(1)
    expect(copy).toMatchObject({ ...details, photos: [], name: 'Quay (copy)' })
    expect(new Set((await stored.connectors()).map(({ id }) => id)).size).toBe(11)
  })

  await test.step('deletes, and moves the focus to the next card, or after the last one to the list', async () => {
    await owner.deleteSite('Pier')
    await expect(owner.site('Dock').getByRole('link').first()).toBeFocused()
    await expect(owner.page.getByRole('region', { name: en.shell.notifications })).toContainText(
      'Pier deleted',
    )
    await search(owner).fill('Gate')
    await expect(shownNames(owner)).toHaveText(['Gate'])
    await owner.deleteSite('Gate')
    await expect(owner.page.getByRole('heading', { level: 2, name: /Sites/ })).toBeFocused()
    await search(owner).fill('')
    for (const name of ['Äußere Mole', 'Dock', 'Quay (copy)']) await owner.deleteSite(name)
    await owner.deleteSite('Quay')
    await expect(owner.page.getByRole('heading', { name: text.noSitesTitle })).toBeFocused()
  })
})

test('with twenty sites or more: a table, CSV export, and a map on intent only', async ({
  owner: visitor,
  openStack,
}) => {
  const STYLE = 'https://tiles.example/style.json'
  const stack = await openStack({ MAP_STYLE_URL: STYLE })
  const owner = visitor.at(stack.url, stack.provider.issuer)
  await prepareMany(stack, await owner.comeSignedIn(), 25)
  await stack.sql`update sites set name = 'Station 3 and a name of more than two lines on a phone'
    where name = 'Station 3'`
  const { page } = owner
  await owner.visit('/dashboard')
  await expect(shownNames(owner)).toHaveCount(25)

  await test.step('list or table', async () => {
    const table = page.getByRole('button', { name: text.table, exact: true })
    await table.click()
    await expect(table).toHaveAttribute('aria-pressed', 'true')
    await owner.expectPath('/dashboard?view=table')
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '26')
    const header = page.getByRole('columnheader', { name: text.columns.name })
    const first = page.getByRole('row').nth(1)
    const long = page.getByRole('rowheader', { name: /^Station 3 and/ })
    const name = await long.locator('a > bdi').boundingBox()
    const address = await long.locator('.muted').boundingBox()
    expect((name?.y ?? 0) + (name?.height ?? 0)).toBeLessThanOrEqual(address?.y ?? 0)
    await expect(header).toHaveAttribute('aria-sort', 'none')
    await header.getByRole('button').click()
    await expect(header).toHaveAttribute('aria-sort', 'ascending')
    await expect(first).toContainText('Station 1')
    await header.getByRole('button').click()
    await expect(header).toHaveAttribute('aria-sort', 'descending')
    await expect(first).toContainText('Station 25')
    await owner.expectNoViolations()
  })

  await test.step('the export contains the filtered sites', async () => {
    await chip(owner, /^Out of order 5/).click()
    await expect(page.getByRole('row')).toHaveCount(6)
    await search(owner).fill('Station 2')
    await expect(page.getByRole('row')).toHaveCount(3)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: text.export }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^sites-\d{4}-\d\d-\d\d\.csv$/)
    const file = await readFile(await download.path(), 'utf8')
    expect(file.startsWith('\uFEFF"Site","Address",')).toBe(true)
    expect(file.split('\r\n')[0]).toMatch(/,"ID"$/)
    const lines = file.trimEnd().split('\r\n')
    expect(lines.map((line) => line.split(',')[0]).slice(1)).toEqual([
      '"Station 25"',
      '"Station 20"',
    ])
    await page.getByRole('button', { name: text.clearSearch }).click()
    await expect(page.getByRole('row')).toHaveCount(26)
  })

  await test.step('a map on request, which highlights the site under the pointer', async () => {
    const atTiles = () => owner.watch.requested().filter((url) => url.startsWith('https://tiles.'))
    const mapCode = () => owner.watch.requested().filter((url) => /sites-map|maplibre/.test(url))
    expect([...atTiles(), ...mapCode()]).toEqual([])
    owner.watch.allow(STYLE)
    owner.watch.expectFailure(STYLE)
    await page.route('https://tiles.example/**', (route) => route.abort())
    await page.getByRole('button', { name: text.list, exact: true }).click()
    await openMapButton(owner).click()
    const map = page.getByRole('region', { name: en.map.sites })
    await expect(map).toBeVisible()
    await expect(page.locator('.map-frame')).toHaveAttribute('data-ground', 'world')
    expect(atTiles().length).toBeGreaterThan(0)
    await owner.expectNoViolations()

    const selected = page.getByRole('article').and(page.locator('.selected'))
    await map.focus()
    await page.keyboard.press('Enter')
    await expect(selected).toHaveCount(1)
    await expect(selected).toBeInViewport()
    const name = await selected.getByRole('heading').textContent()
    await expect(page.getByText(en.map.selected(name ?? ''))).toBeAttached()
    if ((page.viewportSize()?.width ?? 0) >= 1100) {
      await owner.site('Station 7').getByRole('link').first().focus()
      await expect(page.getByText(en.map.selected('Station 7'))).toBeAttached()
    } else {
      await expect(shownNames(owner)).toHaveCount(1)
    }
    await owner.reload()
    await expect(map).toBeVisible()
    await page.getByRole('button', { name: text.hideMap }).click()
    await expect(map).toHaveCount(0)
    await owner.reload()
    await expect(shownNames(owner)).toHaveCount(25)
    await expect(map).toHaveCount(0)
  })
})

/** Whether the element receives clicks in the frames after a scroll. */
const takesClickWhileScrolling = async (element: Element): Promise<boolean> => {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  element.scrollIntoView({ block: 'center' })
  await nextFrame()
  scrollBy(0, 30)
  await nextFrame()
  await nextFrame()
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

test('two thousand sites are virtualised, and every one can be found @once', async ({
  owner,
  stack,
}) => {
  // More than one page of a read, and several times the nodes that the page may have. The bench measures 10,000.
  const count = 2000
  const client = await owner.comeSignedIn()
  await prepareMany(stack, client, count)
  const { page } = owner
  await owner.visit('/dashboard')
  await expect(owner.site('Station 1')).toBeVisible()
  await expect(owner.business).toContainText('2,000 sites')
  await expect(owner.business).toContainText('2,000 connectors')
  await expect(owner.business).toContainText('100,000 kW')
  await expect(owner.business).toContainText('400 need attention')
  expect(await countNodes(owner)).toBeLessThan(1500)
  const items = page.getByRole('list').filter({ has: page.getByRole('article') })
  const cardItem = (name: string) =>
    items.locator('[aria-posinset]').filter({ has: owner.site(name) })
  await expect(cardItem('Station 1')).toHaveAttribute('aria-setsize', '2000')
  await expect(cardItem('Station 1')).toHaveAttribute('aria-posinset', '1')
  await owner.expectNoViolations()

  await test.step('scrolling, searching and deleting', async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect(owner.site('Station 1')).toHaveCount(0)
    expect(await countNodes(owner)).toBeLessThan(1500)
    await page.evaluate(() => scrollTo(0, 0))
    await expect(owner.site('Station 1')).toBeVisible()
    const menu = page.getByRole('button', { name: text.menu('Station 1'), exact: true })
    expect(await menu.evaluate(takesClickWhileScrolling)).toBe(true)
    await search(owner).fill('station 9')
    await expect(page.getByText('542 of 2,000 sites shown')).toBeVisible()
    await expect(cardItem('Station 9')).toHaveAttribute('aria-setsize', '542')
    await search(owner).fill('station 2000')
    await expect(shownNames(owner)).toHaveText(['Station 2000'])
    await search(owner).fill('')
    await owner.deleteSite('Station 2')
    await expect(owner.site('Station 3').getByRole('link').first()).toBeFocused()
    await owner.undo()
    await expect(owner.site('Station 2').getByRole('link').first()).toBeFocused()
  })

  await test.step('prints one table, without controls', async () => {
    await search(owner).fill('station 1')
    const shown = page.getByText(/^(?!2,000)[\d,]+ of 2,000 sites shown$/)
    await expect(shown).toBeVisible()
    const [some = ''] = ((await shown.textContent()) ?? '').replace(',', '').split(' ')
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(Number(some) + 1)
    await expect(page.getByRole('row', { name: /Station 1999/ })).toContainText('CCS2 50')
    await expect(page.getByRole('button').or(page.getByRole('searchbox'))).toHaveCount(0)
    await expect(page.getByRole('article')).toHaveCount(0)
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(0, 0, 0)')
    await page.emulateMedia({ media: null })
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await expect(page.getByRole('table')).toHaveCount(0)
    await search(owner).fill('')
  })

  await test.step('as a table', async () => {
    await page.getByRole('button', { name: text.table, exact: true }).click()
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '2001')
    // Rows that are not rendered must not narrow the columns of the others.
    for (const screen of [SCREENS.phone, SCREENS.desktop]) {
      await page.setViewportSize(screen)
      const room = await page.getByRole('table').evaluate((table) => {
        const cells = [...table.querySelectorAll<HTMLElement>('thead th')]
        const end = Math.max(...cells.map((cell) => cell.getBoundingClientRect().right))
        return table.getBoundingClientRect().right - end
      })
      expect(room, `at ${screen.width} px`).toBeLessThan(2)
    }
    await page.getByRole('columnheader', { name: text.columns.name }).getByRole('button').click()
    await page.getByRole('columnheader', { name: text.columns.name }).getByRole('button').click()
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
    await expect(row('Station 2000')).toHaveAttribute('aria-rowindex', '2')
    expect(await countNodes(owner)).toBeLessThan(1500)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect(row('Station 1')).toHaveAttribute('aria-rowindex', '2001')
    expect(await countNodes(owner)).toBeLessThan(1500)
    await owner.expectNoViolations()
  })

  await test.step('as the list of sites to edit', async () => {
    await owner.visit('/site/edit')
    const link = page.getByRole('main').getByRole('link')
    await expect(link.first()).toContainText('Station 1')
    expect(await countNodes(owner)).toBeLessThan(1500)
    await search(owner).fill('station 2000')
    await expect(link).toHaveCount(1)
    await link.click()
    await owner.expectTitle(en.titles.editSite)
    await expect(owner.field(en.fields.sites.name)).toHaveValue('Station 2000')
  })
})

test('a save returns to its place in a long list @once', async ({ owner, stack }) => {
  const client = await owner.comeSignedIn()
  await prepareMany(stack, client, 1000)
  const { page } = owner

  const deep = await client.collection(SITES).getFirstListItem('name = "Station 505"')
  await test.step('a save returns to the same list and position', async () => {
    for (const layout of ['', '&view=table']) {
      const path = `/dashboard?q=rivoli&status=OUTOFORDER${layout}`
      await owner.visit(path)
      await expect(page.getByRole('link', { name: 'Station 5', exact: true })).toBeVisible()
      await owner.visit(`/site/edit/${deep.id}`)
      await owner.fillSite({ cost: `0.45${layout}` })
      await owner.saveSite()
      await owner.expectPath(path)
      const link = page.getByRole('link', { name: 'Station 505', exact: true })
      await expect(link).toBeFocused()
      await expect(link).toBeInViewport()
    }
  })

  await test.step('going back without a save returns to the site, also after a reload of its form', async () => {
    for (const layout of ['', '&view=table']) {
      await owner.visit(`/dashboard?status=OUTOFORDER${layout}`)
      const link = page.getByRole('link', { name: 'Station 505', exact: true })
      await expect(page.getByRole('link', { name: 'Station 5', exact: true })).toBeVisible()
      await page.evaluate(async (id) => {
        const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
        while (!document.querySelector(`main a[href$="${id}"]`)) {
          scrollBy(0, 200)
          for (let frame = 0; frame < 3; frame += 1) await nextFrame()
        }
      }, deep.id)
      await link.scrollIntoViewIfNeeded()
      for (const isReloaded of [false, true]) {
        await link.click()
        await owner.expectTitle(en.titles.editSite)
        await expect(owner.field(en.fields.sites.name)).toHaveValue('Station 505')
        if (isReloaded) await owner.reload()
        await expect(owner.field(en.fields.sites.name)).toHaveValue('Station 505')
        await owner.backArrow.click()
        await expect(link).toBeFocused()
        await expect(link).toBeInViewport()
      }
    }
  })

  await test.step('a saved site that no longer matches is announced, and the next one gets the focus', async () => {
    await owner.visit('/dashboard?status=OUTOFORDER')
    await expect(page.locator('[aria-setsize="200"]').first()).toBeVisible()
    await owner.openSite('Station 10')
    await owner.fillSite({ status: en.status.AVAILABLE })
    await owner.saveSite()
    await expect(page.getByText(text.savedHidden('Station 10'))).toBeVisible()
    await expect(owner.site('Station 15').getByRole('link').first()).toBeFocused()
  })
})

test('a saved site keeps the focus while the script of a long list loads @once', async ({
  owner,
  stack,
}) => {
  const client = await owner.comeSignedIn()
  await prepareMany(stack, client, 200)
  const { page } = owner
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/long-list-*.js', async (route) => {
    await released
    await route.continue()
  })
  const first = await client.collection(SITES).getFirstListItem('name = "Station 1"')
  await owner.visit(`/site/edit/${first.id}`)
  await owner.fillSite({ cost: '0.45' })
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  await expect(page.getByRole('article')).toHaveCount(12)
  await expect(page.locator('[aria-setsize]')).toHaveCount(0)
  release()
  await expect(page.locator('[aria-setsize="200"]').first()).toBeVisible()
  await expect(owner.site('Station 1').getByRole('link').first()).toBeFocused()
})

test('loading, failed, stale and unsent data are marked @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const business = await prepareBusiness(client)
  const { page } = owner

  await test.step('a skeleton, then an error with details, then a retry', async () => {
    let answer = () => {}
    const waiting = new Promise<void>((resolve) => (answer = resolve))
    owner.expectFailureAt(API.records(BUSINESSES))
    await page.route(
      ({ pathname }) => pathname === API.records(BUSINESSES),
      async (route) => {
        await waiting
        await route.fulfill({ status: 500, json: { status: 500, message: '', data: {} } })
      },
      { times: 1 },
    )
    await owner.visit('/dashboard')
    await expect(page.locator('[aria-busy=true]')).toBeVisible()
    answer()
    await expect(owner.alert).toContainText(en.failed.load)
    await owner.alert.getByText(text.errorDetails).click()
    await expect(owner.alert).toContainText(text.answeredWith(500))
    await owner.expectNoViolations()
    await owner.retry()
    await expect(owner.link(text.addFirstSite)).toBeVisible()
  })

  await test.step('cached data, with its time, while the server is unreachable', async () => {
    const site = await client.collection(SITES).create(siteBody(business.id))
    await client.collection(CONNECTORS).create(connectorBody(site.id))
    await owner.reload()
    await expect(owner.site('Harbour Lane Quay')).toBeVisible()
    await expect.poll(() => countKeptSites(owner, client)).toBe(1)
    await owner.leave()
    let goOn = (): void => {}
    const held = new Promise<void>((resolve) => (goOn = resolve))
    owner.expectFailureAt(API.records(BUSINESSES))
    // The app also retries on its own.
    let isDown = true
    await page.route(
      ({ pathname }) => pathname === API.records(BUSINESSES),
      async (route) => {
        if (!isDown) return route.fallback()
        await held
        return route.fulfill({ status: 500, json: { status: 500, message: '', data: {} } })
      },
    )
    await owner.visit('/dashboard')
    await expect(owner.site('Harbour Lane Quay')).toBeVisible()
    await expect(page.getByText(/^From \d+:\d+.*, updating…$/)).toBeVisible()
    goOn()
    await expect(page.getByText(/Showing saved data from \d/)).toBeVisible()
    await expect(owner.site('Harbour Lane Quay')).toBeVisible()
    await owner.expectNoViolations()
    isDown = false
    await page.getByRole('button', { name: en.actions.retry }).click()
    await expect(page.getByText(/Showing saved data/)).toHaveCount(0)
  })

  await test.step('a queued change', async () => {
    await owner.openSite('Harbour Lane Quay')
    await expect(owner.field(en.fields.sites.name)).toHaveValue('Harbour Lane Quay')
    await owner.goOffline()
    await owner.fillSite({ name: 'New Quay' })
    await page.getByRole('button', { name: en.drafts.sendLater }).click()
    await owner.expectPath('/dashboard')
    await expect(owner.site('New Quay')).toContainText(en.drafts.waiting)
    await expect(page.getByText(en.shell.keptOffline)).toBeVisible()
    await owner.goOnline()
    await expect(owner.site('New Quay')).not.toContainText(en.drafts.waiting)
  })

  await test.step('a connector that failed to save', async () => {
    await owner.visit('/site/add')
    await owner.fillSite({
      name: 'Pier',
      address: '1 Pier Road',
      latitude: '55.1',
      longitude: '-6.6',
      connectors: [{ plug: 'CHAdeMO', format: 'Cable attached', current: 'DC', kw: '50' }],
    })
    await owner.failNext('POST', API.records(CONNECTORS))
    await owner.saveSite()
    await expect(owner.unsavedConnectors).toHaveCount(1)
    await owner.failNext('POST', API.records(CONNECTORS))
    await owner.visit('/dashboard')
    const pier = owner.site('Pier')
    await expect(pier).toContainText('1 connector not saved')
    await expect(chip(owner, /Needs attention/)).toHaveCount(0)
    await expect(owner.business).toContainText('1 needs attention')
    await owner.expectNoViolations()
    await pier.getByRole('button', { name: en.actions.retry }).click()
    await expect(owner.plugsOf(pier)).toHaveText([/CHAdeMO.*50\skW/])
    await expect(pier).not.toContainText('not saved')
  })
})
