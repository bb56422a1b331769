import { setTimeout as sleep } from 'node:timers/promises'

import type { Page } from '@playwright/test'

import { BUSINESSES, SITES } from '#domain/collection.ts'
import de from '../../web/messages/de/home.ts'
import fr from '../../web/messages/fr/map.ts'
import { PATHS, editSitePath } from '../../web/paths.ts'
import { en } from '../support/english.ts'
import { expect, test, type Owner } from './driver.ts'
import { prepareSites } from './prepare.ts'

// The prerendered page, and how the app takes over (decision 0066).

const DESCRIPTION = 'Rooms above the harbour, and a charger for every one of them.'

/** An entry of the Layout Instability API. */
interface Shift extends PerformanceEntry {
  readonly sources: readonly {
    readonly node: Node | null
    readonly previousRect: DOMRect
    readonly currentRect: DOMRect
  }[]
}

/** Blocks the app's scripts, so that only the prerendered page is shown. */
const holdApp = (owner: Owner): Promise<unknown> =>
  owner.page.route('**/assets/*.js', () => undefined)

/** Blocks the app on every page of the browser. @returns a function that lets it load */
const holdUntilReleased = async ({ page }: Owner): Promise<() => void> => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.context().route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  return release
}

/** Waits until the browser has painted the page. Before that, nobody sees it, and style sheets may be missing. */
const expectPaint = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => performance.getEntriesByType('paint').length))
    .toBeGreaterThan(0)

/** Opens a page until it is painted: its load event never fires while the app is blocked. */
const come = async ({ page, url }: Owner, path: string): Promise<void> => {
  await page.goto(url + path, { waitUntil: 'commit' })
  await expectPaint(page)
}

/** Signs in with a business. @returns the id of one of its sites */
const comeWithBusiness = async (owner: Owner): Promise<string> => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  await client.collection(BUSINESSES).update(String(site?.['business']), {
    description: DESCRIPTION,
  })
  return String(site?.id)
}

test('the texts of a screen and its owner’s name are shown before the app starts @once', async ({
  owner,
}) => {
  const { page } = owner
  await holdApp(owner)

  await come(owner, PATHS.home)
  await expect(page.getByText(en.home.lead('Voltleaf'))).toBeVisible()
  await come(owner, PATHS.login)
  await expect(page.getByText(en.login.text)).toBeVisible()

  await come(owner, `${PATHS.confirmAddress}/of-a-mail`)
  await expect(page.getByText(en.account.confirming)).toBeVisible()

  await test.step('a visitor who returns from the provider is not redirected to it again', async () => {
    await come(owner, `${PATHS.login}?code=x&state=y`)
    await expect(page.locator('.top-bar')).toBeVisible()
    await expect(page.getByText(en.login.text)).toBeHidden()
  })

  await test.step('a guest sees nothing of the owner screens', async () => {
    await come(owner, PATHS.dashboard)
    await expect(page.locator('.top-bar')).toBeVisible()
    await expect(page.getByText(en.titles.dashboard, { exact: true })).toBeHidden()
    await expect(page.locator('.business-card')).toBeHidden()
  })

  await comeWithBusiness(owner)
  await come(owner, PATHS.dashboard)
  await expect(page.getByText(en.titles.dashboard, { exact: true })).toBeVisible()
  await expect(owner.who).toContainText(owner.person.name)
  await expect(owner.who).toContainText(owner.person.email)
  await expect(page.getByText('Harbour Lane Hotels')).toBeVisible()
  await expect(page.getByText(DESCRIPTION)).toBeVisible()
  await come(owner, PATHS.editBusiness)
  await expect(page.getByText(en.business.logoHint)).toBeVisible()
  await expect(page.getByText(DESCRIPTION)).toBeVisible()
  await come(owner, PATHS.addSite)
  await expect(page.getByText(en.site.whereTitle)).toBeVisible()
  // The owner screens are inert until the app has started.
  await expect(page.getByRole('link')).toHaveCount(0)
  await expect(page.getByRole('button')).toHaveCount(0)
})

test('links work before the app starts, and clicks are not lost @once', async ({ owner }) => {
  const { page } = owner
  const { question, answer } = en.home.questions[1] ?? { question: '', answer: '' }
  const release = await holdUntilReleased(owner)
  await come(owner, PATHS.home)
  await expect(owner.logo).toHaveAttribute('href', '/')
  await owner.expectNoViolations()
  await owner.follow(en.home.start)
  await owner.expectPath(PATHS.login)
  const button = page.getByRole('button', { name: en.login.button('') })
  await button.click()
  await expect(button).toHaveAttribute('data-pressed', '')
  const home = await page.context().newPage()
  await home.goto(owner.url, { waitUntil: 'commit' })
  await expectPaint(home)
  await home.getByText(question).click()
  await expect(home.getByText(answer)).toBeVisible()
  release()

  // The app repeats the press.
  await page.waitForURL(/interaction/)
  await expect(home.locator('[data-frame]')).toHaveCount(0)
  await expect(home.getByText(answer)).toBeVisible()
  await expect(home.locator('summary', { hasText: question })).toBeFocused()
})

test('a click is not lost if the app starts while the mouse is down @once', async ({ owner }) => {
  const { page } = owner
  const release = await holdUntilReleased(owner)
  await come(owner, PATHS.home)
  await owner.link(en.home.start).hover()
  await page.mouse.down()
  release()
  await expect(page.locator('[data-frame]')).toHaveCount(0)
  await page.mouse.up()
  await owner.expectPath(PATHS.login)
})

test('text typed before the app has started is kept and searched for @once', async ({ owner }) => {
  const { page } = owner
  const release = await holdUntilReleased(owner)
  await come(owner, PATHS.map)
  const field = page.getByRole('combobox', { name: en.find.search }).or(page.getByRole('searchbox'))
  await field.fill('portr')
  await expect(field).toBeFocused()
  const requested = page.waitForRequest((request) => request.url().includes('/suggest?q=portr'))
  release()
  await expect(page.locator('[data-frame]')).toHaveCount(0)
  await expect(field).toHaveValue('portr')
  await expect(field).toBeFocused()
  await requested
})

test.describe('in France', () => {
  test.use({ locale: 'fr-FR' })
  test('the map offers the fast plug of Europe before and after the app starts @once', async ({
    owner,
  }) => {
    const { page } = owner
    const release = await holdUntilReleased(owner)
    await come(owner, PATHS.map)
    const fast = page.locator('.finder-chips button').first()
    await expect(fast).toHaveText(`CCS2 · ${fr.find.fromPower('150')}`)
    release()
    await expect(page.locator('[data-frame]')).toHaveCount(0)
    await expect(fast).toHaveText(`CCS2 · ${fr.find.fromPower('150')}`)
  })
})

test('a message reports that the app failed to load, and Home works without it @once', async ({
  owner,
}) => {
  const { page } = owner
  owner.watch.expectFailure(owner.url)
  await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }))
  for (const path of [PATHS.home, PATHS.addSite]) {
    await owner.visit(path)
    await expect(owner.alert).toContainText(en.page.stuck)
    await owner.expectNoViolations()
  }
  await owner.visit(PATHS.home)
  await owner.follow(en.home.start)
  await owner.expectPath(PATHS.login)
  await expect(owner.alert).toContainText(en.page.stuck)
  await page.unroute('**/assets/*.js')
  await owner.alert.getByRole('button', { name: en.page.reload }).click()
  await expect(page.locator('[data-frame]')).toHaveCount(0)
  await expect(owner.alert).toHaveCount(0)

  await test.step('a screen that fails to load affects nothing else', async () => {
    owner.watch.expectUncaught('dynamically imported module')
    await owner.visit(PATHS.home)
    await expect(page.locator('[data-frame]')).toHaveCount(0)
    await page.route('**/assets/login-*.js', (route) => route.fulfill({ status: 404 }))
    await owner.follow(en.home.start)
    await expect(owner.alert).toContainText(en.crash.text)
    await owner.expectNoViolations()
    await owner.follow(en.crash.dashboard)
    await page.unroute('**/assets/login-*.js')
    await owner.expectPath(PATHS.login)
  })
})

test('both messages are in the chosen language @once', async ({ owner }) => {
  await owner.visit(PATHS.home)
  await owner.page.getByLabel(en.shell.language).selectOption('de')
  await expect(owner.page.getByText(de.home.headline)).toBeVisible()
  await holdApp(owner)
  await come(owner, PATHS.home)
  await expect(owner.page.getByText(de.home.headline)).toBeVisible()
})

/** Records the layout shifts of all pages opened from now on. */
const noteMoves = (owner: Owner): Promise<unknown> =>
  owner.page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(globalThis, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        for (const { node, previousRect, currentRect } of entry.sources)
          moved.push(
            `${node?.textContent?.slice(0, 40)}: ${JSON.stringify([previousRect, currentRect])}`,
          )
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** The layout shifts of the page since it was opened. */
const movedOf = (owner: Owner): Promise<string[]> =>
  owner.page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)

test('the app replaces the prerendered page without a layout shift, and loads no style twice', async ({
  owner,
}) => {
  await noteMoves(owner)
  const settled = async (): Promise<void> => {
    await expect(owner.page.locator('[inert]')).toHaveCount(0)
    await expect(owner.page.locator('.skeleton')).toHaveCount(0)
    expect(await movedOf(owner)).toEqual([])
    const styles = await owner.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .flatMap(({ name }) => (name.includes('.css') ? [name] : [])),
    )
    expect(styles.length).toBeGreaterThan(0)
    expect(new Set(styles).size).toBe(styles.length)
  }
  for (const path of [PATHS.home, PATHS.map, `${PATHS.map}?free=true`, PATHS.login]) {
    await owner.visit(path)
    await settled()
  }
  const site = await comeWithBusiness(owner)
  await owner.neverIdle()
  await owner.visit(PATHS.dashboard)
  await expect(owner.site('Harbour Lane Quay')).toBeVisible()
  await settled()
  await owner.visit(PATHS.addSite)
  await settled()
  // Delays the requests that depend on earlier ones.
  await owner.page.route('**/assets/*.js', async (route) => {
    await sleep(200)
    await route.continue().catch(() => {})
  })
  await owner.visit(editSitePath(site))
  await expect(owner.page.locator('.site-registers')).toBeVisible()
  await settled()
  await owner.visit(PATHS.editBusiness)
  await expect(owner.page.getByText(en.titles.account, { exact: true })).toBeVisible()
  await settled()
})

test('the largest paint of a form is a text of its skeleton @once', async ({ owner }) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const id = String(site?.id)
  // It lacks fields of three registers.
  await client.collection(SITES).update(id, { latitude: 48.8566, longitude: 2.3522, city: '' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.addInitScript(() => {
    const painted: string[] = []
    Object.assign(globalThis, { painted })
    new PerformanceObserver((list) => {
      for (const { element } of list.getEntries() as (PerformanceEntry & { element?: Element })[])
        painted.push(`${element?.className} ${element?.textContent}`)
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  // The browser paints the skeleton before the app starts.
  await page.route('**/assets/*.js', async (route) => {
    await expectPaint(page)
    await route.continue().catch(() => {})
  })
  await owner.visit(editSitePath(id))
  const registers = page.locator('.site-registers')
  await expect(registers.getByText(en.registers.incompleteFor(3, 5))).toBeVisible()
  const painted = () =>
    page.evaluate(() => (globalThis as unknown as { painted: string[] }).painted)
  await expect.poll(async () => (await painted()).at(-1)).toMatch(/^hint /)
  await registers.getByRole('button').first().click()
  const names = (['osm', 'ocm'] as const).map((name) => en.registers.names[name])
  await expect(registers.getByText(en.registers.complete(names))).toBeVisible()
})

test('a page that arrives slowly is painted once it is complete, without a layout shift', async ({
  owner,
}) => {
  await holdApp(owner)
  await noteMoves(owner)
  const session = await owner.page.context().newCDPSession(owner.page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: 10_000,
    uploadThroughput: -1,
  })
  for (const path of [PATHS.home, PATHS.map, PATHS.login]) {
    await come(owner, path)
    await expect(owner.page.locator('[data-frame] .main')).toBeVisible()
    await owner.page.waitForLoadState('domcontentloaded')
    expect(await movedOf(owner)).toEqual([])
  }
})

test('an incomplete page stays hidden @once', async ({ owner }) => {
  const { page } = owner
  // A browser without rel="expect" would paint it.
  await page.route('**/', async (route) => {
    const answer = await route.fetch()
    const html = (await answer.text()).replace(/<link rel="expect"[^>]*>/, '')
    await route.fulfill({ response: answer, body: html.slice(0, html.indexOf('<figure')) })
  })
  await owner.visit(PATHS.home)
  const headline = page.getByText(en.home.headline)
  await expect(headline).toBeAttached()
  await expect(headline).toBeHidden()
})
