import { API } from '#domain/paths.ts'
import { SITES } from '#domain/collection.ts'
import { en } from '../support/english.ts'
import { PATHS } from '../../web/paths.ts'
import { prepareChain } from './chain.ts'
import { expect, test, type Locator } from './driver.ts'
import { prepareMany } from './prepare.ts'
import { SCREENS, TABLET } from './screens.ts'

// With magnification, little of the page is left; nothing may cover it or be out of reach.

const boxOf = async (of: Locator) => {
  const box = await of.boundingBox()
  if (box === null) throw new Error(`${String(of)} has no box`)
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

const expectApart = async (one: Locator, other: Locator): Promise<void> => {
  const [a, b] = [await boxOf(one), await boxOf(other)]
  const isApart = a.right <= b.x || b.right <= a.x || a.bottom <= b.y || b.bottom <= a.y
  expect(isApart, JSON.stringify([a, b])).toBe(true)
}

test('a computer at 400 %: the position, the change of several sites and its message are within reach @once', async ({
  owner,
  stack,
}) => {
  const { page } = owner
  await page.setViewportSize({ width: 320, height: 256 })
  await prepareMany(stack, await owner.comeSignedIn(), 25)
  await owner.visit(PATHS.addSite)
  await page.getByRole('button', { name: en.location.openMap }).click()
  await expect(page.locator('.map-frame')).toHaveAttribute('data-ground', 'world')
  await page.getByRole('button', { name: en.location.usePosition }).click()
  await expect(owner.dialog).toHaveCount(0)

  await owner.visit(PATHS.dashboard)
  await page.getByRole('button', { name: en.dashboard.choose, exact: true }).click()
  await owner.checkboxOf('Station 1').click()
  const change = page.getByRole('button', { name: en.many.title(1) })
  for (const width of [344, 320]) {
    await page.setViewportSize({ width, height: 256 })
    expect((await boxOf(change)).height, 'its word is on one line').toBeLessThan(60)
  }
  await change.click()
  await page.getByRole('menuitem', { name: en.fields.sites.contact_email }).click()
  await page.getByLabel(en.fields.sites.contact_email).fill('help@example.org')
  await page.getByRole('button', { name: en.many.set(1) }).click()
  const undo = page.locator('.toast').getByRole('button', { name: en.actions.undo })
  await expect(undo).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: en.dashboard.table, exact: true }).click()
  const name = page.getByRole('rowheader').getByRole('link', { name: 'Station 1', exact: true })
  expect((await boxOf(name)).width).toBeGreaterThan(60)
})

test('text at 200 % on a phone: bars do not cover the page, and nothing overlaps or is cut @once', async ({
  owner,
}) => {
  const { page } = owner
  await page.setViewportSize(SCREENS.phone)
  const [site] = await prepareChain(await owner.comeSignedIn())
  await owner.visit(`${PATHS.report}/${site?.id}`)
  await owner.setTextSize(32)
  await owner.field(en.report.email).fill('ida')
  await page.getByRole('button', { name: en.report.send }).click()
  await owner.expectNothingCut('a long problem')

  await owner.visit(PATHS.dashboard)
  await owner.openMenu('Harbour Lane Quay')
  await owner.expectNothingCut('the menu of a site')
  await page.keyboard.press('Escape')

  await owner.visit(`/site/edit/${site?.id}`)
  await owner.fillSite({ cost: 'Free' })
  await owner.scrollTo(0)
  await expect(page.getByText(en.drafts.changes(1))).not.toBeInViewport()
  const plug = page.locator('.connector-summary').first()
  expect((await boxOf(plug)).height, 'words are not broken into letters').toBeLessThan(300)
  // It replaces the plain list of photos.
  await expect(page.getByRole('grid', { name: en.fields.sites.photos })).toBeVisible()
  await expectApart(
    page.getByRole('button', { name: en.photos.makeCover(en.photos.photo(2)) }),
    page.getByRole('button', { name: en.photos.remove(en.photos.photo(2)), exact: true }),
  )
  await page.getByRole('button', { name: en.site.sections.hours.title }).click()
  const wednesday = page.getByRole('group', { name: 'Wednesday', exact: true })
  await expectApart(
    wednesday.getByText('Wednesday', { exact: true }),
    wednesday.getByRole('button'),
  )
})

test('a phone on its side, and a tablet: filters open on the screen, and no bar covers the focus @once', async ({
  owner,
}) => {
  const { page } = owner
  await page.setViewportSize({ width: SCREENS.phone.height, height: SCREENS.phone.width })
  const [site] = await prepareChain(await owner.comeSignedIn())
  await owner.visit(`${PATHS.map}?at=55.2044,-6.6531,10&available=true`)
  await expect(page.locator('.map-frame')).toHaveAttribute('data-ground', 'world')
  await owner.tabTo(page.locator('.maplibregl-ctrl-zoom-in'))
  await expectApart(page.locator('.finder-tools'), page.locator('.maplibregl-ctrl-zoom-in'))
  await page.getByRole('button', { name: en.find.plugAndPower }).click()
  await page.getByRole('checkbox', { name: 'CCS2' }).check()
  const panel = page.locator('.finder-panel:popover-open')
  await expect(panel).toBeInViewport({ ratio: 0.99 })
  await page.keyboard.press('Escape')
  // The chip is at the end of a row that scrolls.
  await page.setViewportSize(TABLET)
  await page.getByRole('button', { name: 'CCS2' }).click()
  await expect(panel).toBeInViewport({ ratio: 0.99 })

  await page.setViewportSize({ width: SCREENS.phone.height, height: SCREENS.phone.width })
  await owner.visit(`/site/edit/${site?.id}`)
  const camera = 48
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { right: camera } })
  await expect
    .poll(async () => (await boxOf(owner.logoutButton)).right)
    .toBeLessThanOrEqual(SCREENS.phone.height - camera)
  await owner.fillSite({ cost: 'Free' })
  await owner.failNext('PATCH', API.record(SITES, site?.id ?? ''))
  await owner.saveSite()
  await expect(owner.alert).toContainText(en.failed.updateSite)
  await owner.scrollTo(0)
  for (const field of ['Address', 'Site name', 'Contact email']) {
    await owner.tabTo(owner.field(field))
    await expectApart(page.locator('.save-bar'), owner.field(field))
  }
})

test.describe('on a tablet', () => {
  const ACROSS = { width: 1180, height: 820 }
  test.use({ isMobile: true, hasTouch: true, viewport: ACROSS })

  test('turning it keeps an open menu on the screen, and the place and the focus in a long list @once', async ({
    owner,
    stack,
  }) => {
    const { page } = owner
    await prepareMany(stack, await owner.comeSignedIn(), 200)
    await owner.visit(PATHS.dashboard)
    await page.getByRole('button', { name: en.dashboard.choose, exact: true }).click()
    await owner.checkboxOf('Station 1').click()
    const change = page.getByRole('button', { name: en.many.title(1) })
    await change.click()
    await page.setViewportSize(TABLET)
    const { width } = TABLET
    await expect.poll(async () => (await boxOf(page.getByRole('menu'))).right).toBeLessThan(width)
    await page.keyboard.press('Escape')
    await expect(change).toBeFocused()
    expect((await boxOf(owner.logoutButton)).width, 'room for a finger').toBeGreaterThanOrEqual(44)

    // In another row, and another column, of the next layout.
    const link = owner.site('Station 34').getByRole('link', { name: 'Station 34', exact: true })
    await expect(async () => {
      await page.evaluate(() => scrollTo({ top: 5000, behavior: 'instant' }))
      await link.focus({ timeout: 500 })
    }).toPass()
    await page.setViewportSize(ACROSS)
    await expect(page.locator('.long-list-row').first().locator('.long-list-item')).toHaveCount(3)
    await expect(link).toBeFocused()
    await expect(link).toBeInViewport()
  })
})
