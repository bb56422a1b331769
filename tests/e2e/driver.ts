import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type CDPSession, test as base, expect, type Locator, type Page } from '@playwright/test'
import { API } from '#domain/paths.ts'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import type PocketBase from 'pocketbase'
import type { Person } from '../../scripts/provider/sign-in.ts'
import { signInThroughPage } from '../../scripts/provider/sign-in.ts'
import { SESSION_KEY } from '../../web/data/session.ts'
import { en } from '../support/english.ts'
import { LOCALES } from '../../web/messages/locale.ts'
import { PATHS } from '../../web/paths.ts'
import { startStack, type Stack, type StackOptions } from '../support/stack.ts'
import { DESKTOP_ONLY, SCREENS } from './screens.ts'
import { watch, type Watch } from './watch.ts'

export { expect }
export type { Locator, Stack }

interface Fixtures {
  /** A new person in front of a browser. */
  readonly owner: Owner
  /** Starts another stack with its own settings, for the duration of the test. */
  readonly openStack: (
    env: Readonly<Record<string, string>>,
    limits?: StackOptions['limits'],
  ) => Promise<Stack>
}

interface WorkerFixtures {
  /** Settings of the stack that differ: `test.use({ env: { … } })` at the top of a file. */
  readonly env: Readonly<Record<string, string>>
  /** Limits of the stack that differ. */
  readonly limits: NonNullable<StackOptions['limits']>
  /** The whole product; one stack for each worker. */
  readonly stack: Stack
}

/** A browser test. It fails on every complaint of the page and on every request to a foreign origin. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  env: [{}, { scope: 'worker', option: true }],
  limits: [{}, { scope: 'worker', option: true }],
  stack: [
    async ({ env, limits }, use) => {
      const stack = await startStack({ env, limits })
      await use(stack)
      await stack.close()
    },
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern.
  openStack: async ({}, use) => {
    const opened: Stack[] = []
    await use(async (env, limits) => {
      const stack = await startStack({ env, limits: limits ?? {} })
      opened.push(stack)
      return stack
    })
    for (const stack of opened) await stack.close()
  },
  // Closes the page before the stacks, which it may still use.
  owner: async ({ page, stack, openStack: _openStack }, use) => {
    const seen = await watch(page.context(), [stack.url, stack.provider.issuer])
    const loggedBefore = stack.logged.length
    await use(new Owner(page, stack.url, seen))
    expect.soft(seen.complaints(), 'what the page complained of').toEqual([])
    const logged = stack.logged.slice(loggedBefore).filter((line) => !isMailNote(line))
    expect.soft(logged, 'what the server logged').toEqual([])
  },
})

/** The note where a mail was stored is no error. */
const isMailNote = (line: string): boolean => line.includes('SMTP_URL is not set')

/** The values to enter for a business; omitted ones stay unchanged. */
export interface BusinessEntry {
  readonly name?: string
  readonly description?: string
  readonly website?: string
  readonly contactEmail?: string
  readonly logo?: File
}

/** The choices for a connector, in the words of the form. */
export interface ConnectorEntry {
  readonly plug?: string
  readonly format?: string
  readonly current?: string
  readonly kw?: string
  readonly quantity?: number
}

/** The values to enter for a site; omitted ones stay unchanged. */
export interface SiteEntry {
  readonly address?: string
  readonly latitude?: string
  readonly longitude?: string
  readonly name?: string
  readonly status?: string
  readonly capacity?: string
  readonly cost?: string
  readonly contactEmail?: string
  readonly contactPhone?: string
  readonly connectors?: readonly ConnectorEntry[]
  readonly photos?: readonly File[]
}

/** The request never arrives; it arrives, but its response is lost or truncated; it gets an error response. */
export type Failure =
  | 'cut off'
  | 'answer lost'
  | 'answer torn'
  | { readonly status: number; readonly body?: object }

/** A person with a browser, and their actions. */
export class Owner {
  readonly page: Page
  /** The URL of the product, base path included. */
  readonly url: string
  readonly person: Person
  readonly watch: Watch
  #devtools?: Promise<CDPSession>

  constructor(page: Page, url: string, seen: Watch, person: Person = newPerson()) {
    this.page = page
    this.url = url
    this.watch = seen
    this.person = person
  }

  /** The same person in another tab of the same browser. */
  async openTab(): Promise<Owner> {
    return new Owner(await this.page.context().newPage(), this.url, this.watch, this.person)
  }

  /** Another person with a phone and without an account. */
  async openTraveller(): Promise<Owner> {
    const browser = this.page.context().browser()
    if (browser === null) throw new Error('The page has no browser')
    const context = await browser.newContext({ viewport: SCREENS.phone, hasTouch: true })
    const seen = await watch(context, [this.url])
    return new Owner(await context.newPage(), this.url, seen)
  }

  /** The same person, who uses another URL of the product from now on. */
  at(url: string, provider?: string): Owner {
    this.watch.allow(url)
    if (provider !== undefined) this.watch.allow(provider)
    return new Owner(this.page, url, this.watch, this.person)
  }

  // Getting around

  async visit(path: string): Promise<void> {
    await this.page.goto(this.url + path)
  }

  /** Leaves the product. */
  async leave(): Promise<void> {
    await this.page.goto('about:blank')
  }

  async reload(): Promise<void> {
    await this.page.reload()
  }

  /** No page becomes idle from now on, so idle callbacks never run. */
  async neverIdle(): Promise<void> {
    await this.page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
  }

  /** The scripts that the page has fetched, as paths below the root of the build. */
  scripts(): Promise<readonly string[]> {
    return this.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name).pathname.slice(1))
        .filter((path) => path.endsWith('.js'))
        .toSorted(),
    )
  }

  /** The position of the device, for pages with permission; undefined revokes the permission. */
  async standAt(position: { latitude: number; longitude: number } | undefined): Promise<void> {
    const context = this.page.context()
    if (position === undefined) return context.clearPermissions()
    await context.grantPermissions(['geolocation'])
    await context.setGeolocation({ ...position, accuracy: 12 })
  }

  /** The bar and the tab have the same title. */
  async expectTitle(title: string): Promise<void> {
    await expect(this.title).toHaveText(title)
    await expect(this.page).toHaveTitle(title)
  }

  /** The title in the bar. */
  get title(): Locator {
    return this.bar.getByRole('heading', { level: 1 })
  }

  get bar(): Locator {
    return this.page.getByRole('banner')
  }

  /** The product's logo in the bar, a link to its website. */
  get logo(): Locator {
    return this.bar.getByRole('link', { name: /website/ })
  }

  /** The arrow in the bar that goes one step back. */
  get backArrow(): Locator {
    return this.bar.getByRole('button', { name: en.shell.back })
  }

  get logoutButton(): Locator {
    return this.bar.getByRole('button', { name: en.shell.logout })
  }

  /** Expects that a press opens the address in a new tab. The address is intercepted: it returns an empty page. */
  async expectOpensInNewTab(link: Locator, address: string): Promise<void> {
    this.watch.allow(address)
    const context = this.page.context()
    await context.route(`${address}/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Elsewhere</title>' }),
    )
    const before = this.page.url()
    const opening = context.waitForEvent('page')
    await link.click()
    const opened = await opening
    await opened.waitForURL(`${address}/`)
    expect(this.page.url()).toBe(before)
    await opened.close()
  }

  /** Name and email of the person who is signed in. */
  get who(): Locator {
    return this.page.locator('.who').filter({ visible: true })
  }

  link(name: string): Locator {
    return this.page.getByRole('link', { name, exact: true })
  }

  async follow(name: string): Promise<void> {
    await this.link(name).click()
  }

  async expectPath(path: string | RegExp): Promise<void> {
    if (typeof path === 'string') return expect(this.page).toHaveURL(this.url + path)
    await expect(this.page).toHaveURL(({ href }) => path.test(href.slice(this.url.length)))
  }

  // Signing in and out

  /** Signs in through the page of the provider, using the login button of the current page. */
  async signIn(person: Partial<Person> = {}): Promise<void> {
    await this.visit(PATHS.login)
    await this.continueToProvider()
    await this.signInAtProvider(person)
    await this.expectPath(PATHS.dashboard)
  }

  async continueToProvider(): Promise<void> {
    await this.page.getByRole('button', { name: en.login.button('') }).click()
  }

  /** Fills in the page of the provider. */
  async signInAtProvider(person: Partial<Person> = {}): Promise<void> {
    const { name, email } = { ...this.person, ...person }
    await this.page.getByLabel('Name').fill(name)
    await this.page.getByLabel('Email').fill(email)
    await this.page.getByRole('button', { name: 'Sign in' }).click()
  }

  /**
   * Signs in without the browser, as if in an earlier visit.
   * @returns the SDK client of that session, for preparing data
   */
  async comeSignedIn(person: Partial<Person> = {}): Promise<PocketBase> {
    const client = await this.comeLater(person)
    const session = JSON.stringify({
      token: client.authStore.token,
      record: client.authStore.record,
    })
    await this.page.context().addInitScript(
      ([origin, key, value, flag]) => {
        // Only once: a session that the page ends has to stay ended.
        if (location.origin !== origin || localStorage.getItem(flag) !== null) return
        localStorage.setItem(flag, 'yes')
        localStorage.setItem(key, value)
      },
      [
        new URL(this.url).origin,
        SESSION_KEY,
        session,
        `test:${client.authStore.token.slice(-12)}`,
      ] as const,
    )
    return client
  }

  /** Signs in elsewhere, without a session in this browser; for preparing data. */
  async comeLater(person: Partial<Person> = {}): Promise<PocketBase> {
    const { client } = await signInThroughPage(this.url, { ...this.person, ...person })
    client.autoCancellation(false)
    return client
  }

  async logOut(): Promise<void> {
    await this.logoutButton.click()
  }

  // The dashboard

  get business(): Locator {
    return this.page.locator('section', { has: this.page.locator('#business-name') })
  }

  /** The card of a site. */
  site(name: string): Locator {
    return this.page.getByRole('article').filter({
      has: this.page.getByRole('heading', { name, exact: true }),
    })
  }

  /** The checkbox of a site in selection mode. */
  checkboxOf(name: string): Locator {
    return this.page.getByRole('checkbox', { name: en.dashboard.chooseSite(name), exact: true })
  }

  /** The lines of a card that describe its connectors. */
  plugsOf(card: Locator): Locator {
    return card.getByRole('listitem')
  }

  /** Expects a visible picture whose file has loaded and is an image. */
  async expectPicture(name: string): Promise<void> {
    const picture = this.page.getByRole('img', { name })
    await picture.scrollIntoViewIfNeeded()
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
  }

  async openSite(name: string): Promise<void> {
    await this.site(name).getByRole('link', { name, exact: true }).click()
    await expect(this.title).toHaveText(en.titles.editSite)
  }

  /** Chooses a site from the list that Edit Site shows without an id. */
  async chooseSite(name: string): Promise<void> {
    await this.page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(`^${name}\\b`) })
      .click()
  }

  /** Deletes a site from its menu and confirms. */
  async deleteSite(name: string): Promise<void> {
    await this.openMenu(name)
    await this.page.getByRole('menuitem', { name: en.actions.delete }).click()
    await this.dialog.getByRole('button', { name: en.actions.delete }).click()
    await expect(this.site(name)).toHaveCount(0)
  }

  async openMenu(name: string): Promise<void> {
    await this.page.getByRole('button', { name: en.dashboard.menu(name) }).click()
    await expect(this.page.getByRole('menu')).toBeVisible()
  }

  async undo(): Promise<void> {
    await this.page.getByRole('button', { name: en.actions.undo }).click()
  }

  get dialog(): Locator {
    return this.page.getByRole('alertdialog')
  }

  // By keyboard only

  /** Presses Tab until the target has the focus, as somebody without a pointer does. */
  async tabTo(target: Locator): Promise<void> {
    await expect(target).toBeVisible()
    for (let step = 0; step < 150; step += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await this.page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not lead to ${String(target)}`)
  }

  /** Moves to a field and types. */
  async typeInto(label: string, value: string): Promise<void> {
    await this.tabTo(this.field(label))
    await this.page.keyboard.insertText(value)
  }

  /** Moves to an element and presses a key there. */
  async pressAt(target: Locator, key = 'Enter'): Promise<void> {
    await this.tabTo(target)
    await this.page.keyboard.press(key)
  }

  // Layout

  /** Sets the text size of the browser, in pixels; the default is 16. */
  async setTextSize(pixels: number): Promise<void> {
    // One session for all sizes: every session sets its own size again on the next page.
    this.#devtools ??= this.page.context().newCDPSession(this.page)
    const session = await this.#devtools
    await session.send('Page.setFontSizes', { fontSizes: { standard: pixels, fixed: pixels } })
    // The page applies it shortly after the response.
    await this.page.waitForFunction(
      (size) => getComputedStyle(document.documentElement).fontSize === `${size}px`,
      pixels,
    )
  }

  /** Expects no horizontal scrolling, and no text that is clipped or outside the screen. */
  async expectNothingCut(where: string): Promise<void> {
    const found = await this.page.evaluate(() => {
      const wrong: string[] = []
      const { clientWidth: width, scrollWidth } = document.documentElement
      if (scrollWidth > width) wrong.push(`scrolls sideways: ${scrollWidth} in ${width}`)
      for (const element of document.querySelectorAll<HTMLElement>('body *')) {
        const hasText = [...element.childNodes].some(
          ({ nodeType, textContent }) => nodeType === 3 && (textContent ?? '').trim() !== '',
        )
        const { left, right, width: own } = element.getBoundingClientRect()
        const style = getComputedStyle(element)
        if (
          (!hasText && !/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName)) ||
          own === 0 ||
          style.clipPath !== 'none' ||
          !element.checkVisibility({ visibilityProperty: true }) ||
          // Lines that scroll sideways on their own, and maps.
          element.closest('.visually-hidden, .skip-link, .chips, .maplibregl-map, table') !== null
        )
          continue
        const what = `${element.tagName} "${element.textContent.slice(0, 30)}"`
        if (left < -1 || right > width + 1) wrong.push(`outside: ${what}`)
        const cuts = style.overflowX !== 'visible' && style.display !== 'inline'
        if (cuts && hasText && element.scrollWidth > element.clientWidth + 1)
          wrong.push(`cut: ${what}`)
      }
      return wrong
    })
    expect(found, where).toEqual([])
  }

  // Scrolling

  get toTop(): Locator {
    return this.page.getByRole('button', { name: en.shell.scrollToTop })
  }

  /** Scrolls to this many pixels below the top. */
  async scrollTo(top: number): Promise<void> {
    await this.page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top)
    await this.expectScrolledTo(top)
  }

  async scrollToEnd(): Promise<void> {
    await this.page.evaluate(() =>
      scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }),
    )
  }

  async expectScrolledTo(top: number): Promise<void> {
    await expect.poll(() => this.page.evaluate(() => scrollY)).toBe(top)
  }

  /** Runs an action that scrolls, and counts the scroll positions of the page. */
  async countScrollSteps(act: () => Promise<void>): Promise<number> {
    await this.page.emulateMedia({ reducedMotion: 'no-preference' })
    await this.page.evaluate(() => {
      const seen = window as unknown as { steps: number }
      seen.steps = 0
      addEventListener('scroll', () => (seen.steps += 1))
    })
    await act()
    return this.page.evaluate(() => (window as unknown as { steps: number }).steps)
  }

  // Forms

  field(label: string): Locator {
    const { page } = this
    return page
      .getByRole('textbox', { name: label })
      .or(page.getByRole('combobox', { name: label }))
  }

  /** Pastes a text into a field, as a keyboard shortcut or the browser menu does. */
  async paste(field: Locator, pasted: string): Promise<void> {
    await field.focus()
    await this.page.evaluate((value) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', value)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      // The default action of the browser.
      if (document.activeElement?.dispatchEvent(event))
        document.execCommand('insertText', false, value)
    }, pasted)
  }

  /** Expects that the error is attached to the field. */
  async expectFieldProblem(label: string, problem: string): Promise<void> {
    const name = new RegExp(`^${label}\\s*(\\(${en.form.optional}\\))?$`)
    const field = this.page.getByRole('main').getByLabel(name)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(new RegExp(problem))
  }

  /** The content of the form: texts, choices, pictures and which of them will be removed. */
  readForm(): Promise<readonly (readonly [string, string])[]> {
    return this.page.locator('form').evaluate((form: HTMLFormElement) =>
      [
        ...form.querySelectorAll(
          'input:not([type=file]), textarea, select, img, .connector-summary',
        ),
      ].map((element): readonly [string, string] => {
        if (element instanceof HTMLButtonElement) {
          // Without texts that depend on the language.
          return [element.id, element.querySelector('.plug-power')?.textContent ?? '']
        }
        if (element instanceof HTMLImageElement) {
          return ['picture', element.closest('li, [role=row]')?.textContent ?? '']
        }
        const control = element as HTMLInputElement
        return [control.id, control.type === 'radio' ? `${control.checked}` : control.value]
      }),
    )
  }

  async chooseLanguage(name: string): Promise<void> {
    await this.page.getByRole('contentinfo').getByRole('combobox').selectOption(name)
    // A page that is left before has not stored the choice.
    const [code = ''] = Object.entries(LOCALES).find(([, each]) => each === name) ?? []
    await expect(this.page.locator('html')).toHaveAttribute('lang', code)
  }

  async fillBusiness(entry: BusinessEntry): Promise<void> {
    const text = en.business
    const labels = en.fields.businesses
    await this.#fill(labels.name, entry.name)
    await this.#fill(labels.description, entry.description)
    await this.#fill(labels.website, entry.website)
    await this.#fill(labels.contact_email, entry.contactEmail)
    if (entry.logo === undefined) return
    await this.page.getByLabel(/(Choose|Replace) image/).setInputFiles(await upload(entry.logo))
    await expect(this.page.getByRole('img', { name: text.logoPreview })).toBeVisible()
  }

  async saveBusiness(): Promise<void> {
    await this.page.getByRole('button', { name: en.business.save }).click()
  }

  /** A button of the account screen. */
  accountButton(name: string): Locator {
    return this.page
      .getByRole('region', { name: en.titles.account })
      .getByRole('button', { name, exact: true })
  }

  /** Registers the business and waits for the dashboard. */
  async addBusiness(entry: BusinessEntry): Promise<void> {
    await this.visit(PATHS.addBusiness)
    await this.fillBusiness(entry)
    await this.saveBusiness()
    await this.expectPath(PATHS.dashboard)
  }

  async fillSite(entry: SiteEntry): Promise<void> {
    const labels = en.fields.sites
    await this.#fill(labels.address, entry.address)
    await this.#fill(labels.latitude, entry.latitude)
    await this.#fill(labels.longitude, entry.longitude)
    await this.#fill(labels.name, entry.name)
    if (entry.status !== undefined) {
      await this.page.getByRole('radio', { name: entry.status }).check()
    }
    await this.#fill(labels.vehicle_capacity, entry.capacity)
    await this.#fill(labels.cost, entry.cost)
    for (const connector of entry.connectors ?? []) await this.addConnector(connector)
    if (entry.photos !== undefined) await this.addPhotos(...entry.photos)
    await this.#fill(labels.contact_email, entry.contactEmail)
    await this.#fill(labels.contact_phone, entry.contactPhone)
  }

  /** The row of a connector, counted from 1. */
  connector(position: number): Locator {
    return this.page.getByRole('group', { name: en.connectors.position(position), exact: true })
  }

  get connectors(): Locator {
    return this.page.getByRole('group', { name: /^Connector \d+$/ })
  }

  /** The button of a row that summarises the row and opens it. */
  summaryOf(position: number): Locator {
    return this.connector(position).locator('.connector-summary')
  }

  /** All of these buttons, in any language. */
  get summaries(): Locator {
    return this.page.locator('.connector-summary')
  }

  /** The position of the first row with this plug. */
  async findConnector(plug: string): Promise<number> {
    await expect(this.connectors).not.toHaveCount(0)
    const names = await this.connectors.locator('.plug-name').allTextContents()
    const short = plug.replace(/ \(.*\)$/, '')
    const index = names.findIndex((name) => name.replace(/^\d+\s×\s/, '') === short)
    expect(index, `a connector ${plug} among ${names.join(', ')}`).not.toBe(-1)
    return index + 1
  }

  async addConnector(entry: ConnectorEntry): Promise<void> {
    const position = (await this.connectors.count()) + 1
    await this.page.getByRole('button', { name: en.connectors.otherPreset }).click()
    await this.fillConnector(position, entry)
  }

  /** Adds a preset connector by the label of its button. */
  async addPreset(label: string): Promise<void> {
    await this.page
      .getByRole('button', { name: en.connectors.presetLabel(label), exact: true })
      .click()
  }

  /** Shows the fields of a row. */
  async openConnector(position: number): Promise<void> {
    const summary = this.summaryOf(position)
    if ((await summary.getAttribute('aria-expanded')) === 'false') await summary.click()
    await expect(summary).toHaveAttribute('aria-expanded', 'true')
  }

  /** A field behind "More" in a row: of all its connectors, or of the one with this number. */
  detail(position: number, label: string, number?: number): Locator {
    const row = this.connector(position)
    const part =
      number === undefined
        ? row
        : row.getByRole('group', { name: en.connectors.numbered(number), exact: true })
    return part.getByLabel(label)
  }

  /** The button of a row that summarises its details and shows them. */
  moreOf(position: number): Locator {
    return this.connector(position).getByRole('button', {
      name: new RegExp(`^${en.connectors.moreTitle} `),
    })
  }

  /** Shows the details of a row. */
  async openDetails(position: number): Promise<void> {
    await this.openConnector(position)
    if ((await this.moreOf(position).getAttribute('aria-expanded')) === 'false')
      await this.moreOf(position).click()
    await expect(this.moreOf(position)).toHaveAttribute('aria-expanded', 'true')
  }

  /** Closes a row. */
  async closeConnector(position: number): Promise<void> {
    await this.connector(position).getByRole('button', { name: en.connectors.done }).click()
    await expect(this.summaryOf(position)).toHaveAttribute('aria-expanded', 'false')
  }

  async fillConnector(position: number, entry: ConnectorEntry): Promise<void> {
    await this.openConnector(position)
    const row = this.connector(position)
    const { plug, format, current, kw, quantity } = entry
    if (plug !== undefined) await this.choosePlug(position, plug)
    for (const choice of [format, current]) {
      if (choice === undefined) continue
      const byValue = row.locator(`input[type=radio][value="${choice}"]`)
      await byValue.or(row.getByRole('radio', { name: choice, exact: true })).check()
    }
    if (kw !== undefined) await row.getByLabel(en.fields.connectors.kw_rating).fill(kw)
    if (quantity !== undefined) await this.setQuantity(position, quantity)
  }

  /** Chooses a plug by its name, or by its value in OCPI. */
  async choosePlug(position: number, plug: string): Promise<void> {
    await this.plugField(position).click()
    await this.plugSearch.fill(plug)
    // By its name, or by the value below it.
    await this.page
      .getByRole('option')
      .filter({ hasText: new RegExp(`^${escape(plug)} |^.* ${escape(plug)}$`) })
      .click()
    await expect(this.page.getByRole('listbox')).toHaveCount(0)
  }

  /** The plug field of a row. */
  plugField(position: number): Locator {
    return this.connector(position).getByRole('combobox', { name: en.fields.connectors.standard })
  }

  /** The search field for plugs. */
  get plugSearch(): Locator {
    return this.page.getByRole('combobox', { name: en.connectors.search })
  }

  async setQuantity(position: number, quantity: number): Promise<void> {
    await this.connector(position).getByLabel(en.connectors.quantity(position)).fill(`${quantity}`)
  }

  async removeConnector(position: number): Promise<void> {
    const name = en.connectors.remove(position)
    await this.page.getByRole('button', { name, exact: true }).click()
  }

  /** The pictures in the form of a site. */
  get photos(): Locator {
    return this.page.getByRole('img', { name: /^(Photo \d+|New: .+)$/ })
  }

  /** The rows of connectors that failed to save. */
  get unsavedConnectors(): Locator {
    return this.connectors.filter({ hasText: /Not saved\.|not saved\./ })
  }

  async choosePhotos(...photos: readonly File[]): Promise<void> {
    const files = await Promise.all(photos.map(upload))
    await this.page.getByLabel(en.photos.choose).setInputFiles(files)
  }

  async addPhotos(...photos: readonly File[]): Promise<void> {
    const before = await this.photos.count()
    await this.choosePhotos(...photos)
    await expect(this.photos).toHaveCount(before + photos.length)
  }

  /** Marks a stored photo for removal. */
  async removePhoto(position: number): Promise<void> {
    const name = en.photos.remove(en.photos.photo(position))
    await this.page.getByRole('button', { name, exact: true }).click()
  }

  /** Uploads a file on the import screen and goes on to its plan. */
  async bringFile(file: File): Promise<void> {
    await this.visit(PATHS.import)
    await this.page.getByLabel(en.imports.choose).setInputFiles(await upload(file))
    await this.expectPath(/^\/import\/\w{15}$/)
  }

  /** Presses the save button of the site form, for a new or a stored site. */
  async saveSite(): Promise<void> {
    const name = new RegExp(`^(${en.site.add}|${en.site.save})$`)
    await this.page.getByRole('button', { name }).click()
  }

  /** Adds a site and waits for the dashboard. */
  async addSite(entry: SiteEntry): Promise<void> {
    await this.visit(PATHS.addSite)
    await this.fillSite(entry)
    await this.saveSite()
    await this.expectPath(PATHS.dashboard)
  }

  async #fill(label: string, value: string | undefined): Promise<void> {
    if (value !== undefined) await this.field(label).fill(value)
  }

  // Failures

  /**
   * Makes the next matching request fail, and only that one. `path` is below the base path, as in the wire contract:
   * `API.records(SITES)`.
   */
  async failNext(
    method: string,
    path: string | RegExp,
    how: Failure = { status: 500 },
  ): Promise<void> {
    let left = 1
    await this.page.route(
      ({ href }) => this.#asks(href, path),
      async (route) => {
        if (route.request().method() !== method || left === 0) return route.fallback()
        left -= 1
        this.watch.expectFailure(route.request().url())
        if (how === 'answer lost') await route.fetch()
        if (how === 'answer torn') {
          const answer = await (await route.fetch()).text()
          return route.fulfill({ body: answer.slice(0, answer.length / 2) })
        }
        if (typeof how === 'string') return route.abort('connectionreset')
        const { status, body = { status, message: '', data: {} } } = how
        await route.fulfill({ status, json: body })
      },
    )
  }

  /** Takes the whole browser offline. */
  async goOffline(): Promise<void> {
    this.watch.expectOffline()
    await this.page.context().setOffline(true)
  }

  async goOnline(): Promise<void> {
    await this.page.context().setOffline(false)
  }

  /** Waits until the app can be opened offline. */
  async expectKeptOffline(): Promise<void> {
    await this.page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await expect
      .poll(() => this.page.evaluate(() => navigator.serviceWorker.controller !== null))
      .toBe(true)
  }

  /** Replaces the session on this device from the next visit on. */
  async hand(session: PocketBase): Promise<void> {
    const { token, record } = session.authStore
    await this.page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      SESSION_KEY,
      JSON.stringify({ token, record }),
    ] as const)
  }

  /** The page receives no events from its next visit on. */
  async loseLiveUpdates(): Promise<void> {
    await this.page.route(
      ({ href }) => this.#asks(href, API.realtime),
      (route) => route.abort(),
    )
  }

  /** Holds the responses of this path until the returned function is called. */
  async holdAnswers(path: string | RegExp): Promise<() => Promise<void>> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const asks = ({ href }: URL): boolean => this.#asks(href, path)
    await this.page.route(asks, async (route) => {
      await promise
      // The page may have left.
      await route.fallback().catch(() => {})
    })
    return async () => {
      resolve()
      await this.page.unroute(asks)
    }
  }

  /** Whether an address belongs to the product and has this path below the base path. */
  #asks(href: string, path: string | RegExp): boolean {
    if (!href.startsWith(this.url)) return false
    const requested = new URL(href).pathname.slice(
      new URL(this.url).pathname.replace(/\/$/, '').length,
    )
    return typeof path === 'string' ? requested === path : path.test(requested)
  }

  /** Allows the server to refuse requests to this path, as in the wire contract. */
  expectFailureAt(path: string): void {
    this.watch.expectFailure(this.url + path)
  }

  /** The alert of the page. */
  get alert(): Locator {
    return this.page.getByRole('alert')
  }

  /** Presses the retry button. */
  async retry(): Promise<void> {
    const name = { name: en.actions.retry }
    const inBar = this.page.locator('.save-bar.failed').getByRole('button', name)
    await this.alert.getByRole('button', name).or(inBar).click()
  }

  /**
   * Controls the clock of the page from its next visit on: time passes as usual, and can be advanced. The clock starts
   * now, or at a time that is close enough for the session.
   */
  async takeTheClock(time: number = Date.now()): Promise<void> {
    await this.page.clock.install({ time })
  }

  /** Advances the clock by a time in `hours:minutes:seconds`, with the pointer away from everything. */
  async passTime(time: string): Promise<void> {
    await this.page.mouse.move(0, 0)
    await this.page.clock.fastForward(time)
  }

  /** Allows requests for a record that was just deleted or never existed. */
  expectMissing(collection: string, id: string): void {
    this.expectFailureAt(API.record(collection, id))
  }

  /** Waits until the server has these rows, for data that is sent after the screen has changed. */
  async expectSoon<T>(read: () => Promise<T>, wanted: T): Promise<void> {
    await expect.poll(read).toEqual(wanted)
  }

  /** Closes the floating messages. */
  async dismissMessages(): Promise<void> {
    const dismiss = this.page.locator('.toast').getByRole('button', { name: 'Dismiss' })
    // A message may disappear in that moment.
    while ((await dismiss.count()) > 0)
      await dismiss
        .first()
        .click({ timeout: 1000 })
        .catch(() => {})
  }

  /** Takes screenshots in light and dark mode once all images are loaded. */
  async takePictures(pathOf: (scheme: 'light' | 'dark') => string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await this.page.evaluate(() =>
        Promise.all(
          [...document.images]
            .filter(({ complete, loading }) => !complete && loading !== 'lazy')
            .map((image) => image.decode().catch(() => {})),
        ),
      )
      await this.page.screenshot({ path: pathOf(colorScheme), animations: 'disabled' })
    }
  }

  /** Whether an overlay hides the whole page from assistive technology. */
  private isCovered(): Promise<boolean> {
    return this.page
      .locator('main')
      .evaluate((main) => main.closest('[aria-hidden=true], [inert]') !== null)
  }

  /**
   * Runs axe on the current screen: in light mode at both sizes, in dark mode at one. A test tagged `@once` changes the
   * size for that.
   */
  async expectNoViolations(): Promise<void> {
    const { project, tags, file } = base.info()
    const isOnce = tags.includes('@once')
    const isSecondRun = project.name === 'desktop' && !isOnce && !DESKTOP_ONLY.test(file)
    await this.#letAxeLook(isSecondRun ? ['light'] : ['light', 'dark'])
    if (!isOnce) return
    await this.page.setViewportSize(SCREENS.phone)
    await this.#letAxeLook(['light'])
    await this.page.setViewportSize(SCREENS.desktop)
    // Long lists react in the next frame: until they have measured their columns, they would scroll back to their place.
    await this.page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve))
    })
  }

  /** The rules to run; axe runs all rules that are not named. */
  async #rulesFor(colorScheme: 'light' | 'dark'): Promise<RunOptions> {
    // Dark mode only changes colours, so only the rules about colours are run again.
    if (colorScheme === 'dark') return { runOnly: ['color-contrast', 'link-in-text-block'] }
    if (!(await this.isCovered())) return {}
    return { rules: Object.fromEntries(PAGE_RULES.map((rule) => [rule, { enabled: false }])) }
  }

  /** The violated rules, each with its elements. */
  async #runAxe(options: RunOptions): Promise<readonly (readonly string[])[]> {
    // Once for each document: loading axe takes as long as running it. Our pages have no frames.
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(AXE)
    return this.page.evaluate(
      async (requested) => {
        const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(requested)
        return violations.map(({ id, nodes }) => [
          id,
          ...nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
        ])
      },
      // No need to describe what passes, nor to load style sheets and media for rules that never apply here.
      { ...options, resultTypes: ['violations' as const], preload: false },
    )
  }

  async #letAxeLook(schemes: readonly ('light' | 'dark')[]): Promise<void> {
    // Axe takes a floating element for the background of the content below it.
    await this.dismissMessages()
    for (const colorScheme of schemes) {
      await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const found = await this.#runAxe(await this.#rulesFor(colorScheme))
      expect(found, `what axe found, ${colorScheme}`).toEqual([])
    }
  }
}

/** A new person. */
export const newPerson = (name = 'Ada Byron'): Person => ({
  name,
  email: `ada-${randomBytes(6).toString('hex')}@example.org`,
})

/** Less than half the size of `axe.source`. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Rules about a whole page, which cannot pass while an overlay hides the rest. */
const PAGE_RULES = ['landmark-one-main', 'page-has-heading-one']

/** Escapes a text for a pattern. */
const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

const upload = async (file: File) => ({
  name: file.name,
  mimeType: file.type,
  buffer: Buffer.from(await file.arrayBuffer()),
})
