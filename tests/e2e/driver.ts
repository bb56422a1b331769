import { randomBytes } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { API } from '#domain/api.ts'
import type PocketBase from 'pocketbase'
import type { Person } from '../../scripts/sign-in.ts'
import { signInThroughPage } from '../../scripts/sign-in.ts'
import { SESSION_KEY } from '../../web/data/session.ts'
import { en } from '../../web/messages/en.ts'
import { PATHS } from '../../web/ui/paths.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { watch, type Watch } from './watch.ts'

export { expect }
export type { Locator, Stack }

interface Fixtures {
  /** Somebody who was never here before, in front of a browser. */
  readonly owner: Owner
  /** Starts another stack, with settings of its own, for the length of the test. */
  readonly openStack: (env: Readonly<Record<string, string>>) => Promise<Stack>
}

interface WorkerFixtures {
  /** Settings of the stack that differ: `test.use({ env: { … } })` at the top of a file. */
  readonly env: Readonly<Record<string, string>>
  /** The whole product, one for each worker. */
  readonly stack: Stack
}

/** A test in the browser. It fails on whatever the page complains of and on any foreign request. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  env: [{}, { scope: 'worker', option: true }],
  stack: [
    async ({ env }, use) => {
      const stack = await startStack({ env })
      await use(stack)
      await stack.close()
    },
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern.
  openStack: async ({}, use) => {
    const opened: Stack[] = []
    await use(async (env) => {
      const stack = await startStack({ env })
      opened.push(stack)
      return stack
    })
    for (const stack of opened) await stack.close()
  },
  // The page goes before the stacks that it may still ask.
  owner: async ({ page, stack, openStack: _openStack }, use) => {
    const seen = await watch(page.context(), [stack.url, stack.provider.issuer])
    const loggedBefore = stack.logged.length
    await use(new Owner(page, stack.url, seen))
    expect.soft(seen.complaints(), 'what the page complained of').toEqual([])
    const logged = stack.logged.slice(loggedBefore).filter((line) => !isMailNote(line))
    expect.soft(logged, 'what the server logged').toEqual([])
  },
})

/** Where a mail was written is news, not trouble. */
const isMailNote = (line: string): boolean => line.startsWith('There is no SMTP_URL')

/** What is entered for a business; what is left out stays as it is. */
export interface BusinessEntry {
  readonly name?: string
  readonly description?: string
  readonly website?: string
  readonly contactEmail?: string
  readonly logo?: File
}

/** What is chosen for a connector, in the words of the form. */
export interface ConnectorEntry {
  readonly plug?: string
  readonly format?: string
  readonly current?: string
  readonly kw?: string
}

/** What is entered for a site; what is left out stays as it is. */
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

/** Never arrives; arrives, but no answer comes, or half of one; is answered with an error instead. */
export type Failure =
  | 'cut off'
  | 'answer lost'
  | 'answer torn'
  | { readonly status: number; readonly body?: object }

/** A person with a browser, and what they do there. */
export class Owner {
  readonly page: Page
  /** Where they find the product, base path included. */
  readonly url: string
  readonly person: Person
  readonly watch: Watch

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

  /** The same person, who finds the product elsewhere from now on. */
  at(url: string, provider?: string): Owner {
    this.watch.allow(url)
    if (provider !== undefined) this.watch.allow(provider)
    return new Owner(this.page, url, this.watch, this.person)
  }

  // Getting around

  async visit(path: string): Promise<void> {
    await this.page.goto(this.url + path)
  }

  /** Leaves the product altogether. */
  async leave(): Promise<void> {
    await this.page.goto('about:blank')
  }

  async reload(): Promise<void> {
    await this.page.reload()
  }

  /** The same title stands in the bar and on the tab. */
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

  /** What opens in a new tab when this is pressed; nobody is there, and an empty page answers. */
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

  /** Signs in through the page of the provider, from wherever the login button is. */
  async signIn(person: Partial<Person> = {}): Promise<void> {
    await this.visit(PATHS.login)
    await this.continueToProvider()
    await this.signInAtProvider(person)
    await this.expectPath(PATHS.dashboard)
  }

  async continueToProvider(): Promise<void> {
    await this.page.getByRole('button', { name: en.login.button }).click()
  }

  /** Fills in the provider's page. */
  async signInAtProvider(person: Partial<Person> = {}): Promise<void> {
    const { name, email } = { ...this.person, ...person }
    await this.page.getByLabel('Name').fill(name)
    await this.page.getByLabel('Email').fill(email)
    await this.page.getByRole('button', { name: 'Sign in' }).click()
  }

  /**
   * Comes with a session of an earlier visit: the same sign-in, done without the browser.
   * @returns the SDK client of that session, for preparing data.
   */
  async comeSignedIn(person: Partial<Person> = {}): Promise<PocketBase> {
    const client = await this.comeLater(person)
    const session = JSON.stringify({
      token: client.authStore.token,
      record: client.authStore.record,
    })
    await this.page.context().addInitScript(
      ([origin, key, value, flag]) => {
        // Once: a session that the page ends has to stay ended.
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

  /** Is known to the product, but signed in elsewhere only: for preparing data. */
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

  /** The lines of a card that tell of its connectors. */
  plugsOf(card: Locator): Locator {
    return card.getByRole('listitem')
  }

  /** There is this picture, and it can be seen: its file came and is an image. */
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

  /** Takes a site from the list that Edit Site shows when it was not told which. */
  async chooseSite(name: string): Promise<void> {
    await this.page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(`^${name}\\b`) })
      .click()
  }

  /** Deletes a site from its menu and says yes. */
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

  // Scrolling

  get toTop(): Locator {
    return this.page.getByRole('button', { name: en.shell.scrollToTop })
  }

  /** Scrolls to this many pixels below the top. */
  async scrollTo(top: number): Promise<void> {
    await this.page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top)
    await this.expectScrolledTo(top)
  }

  async expectScrolledTo(top: number): Promise<void> {
    await expect.poll(() => this.page.evaluate(() => scrollY)).toBe(top)
  }

  /** Does something that scrolls, and tells through how many positions the page went. */
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
    return this.page.getByRole('textbox', { name: label })
  }

  /** This field, and no other way, says what is wrong with it. */
  async expectFieldProblem(label: string, problem: string): Promise<void> {
    const name = new RegExp(`^${label}\\s*(\\(${en.form.optional}\\))?$`)
    const field = this.page.getByRole('main').getByLabel(name)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(new RegExp(problem))
  }

  /** All that stands in the form: texts, choices, pictures and which of them are to go. */
  readForm(): Promise<readonly (readonly [string, string])[]> {
    return this.page.locator('form').evaluate((form: HTMLFormElement) =>
      [...form.querySelectorAll('input:not([type=file]), textarea, select, img')].map(
        (element): readonly [string, string] => {
          if (element instanceof HTMLImageElement) {
            return ['picture', element.closest('li')?.textContent ?? '']
          }
          const control = element as HTMLInputElement
          return [control.id, control.type === 'radio' ? `${control.checked}` : control.value]
        },
      ),
    )
  }

  async chooseLanguage(name: string): Promise<void> {
    await this.page.getByRole('contentinfo').getByRole('combobox').selectOption(name)
  }

  async fillBusiness(entry: BusinessEntry): Promise<void> {
    const text = en.business
    await this.#fill(text.name, entry.name)
    await this.#fill(text.description, entry.description)
    await this.#fill(text.website, entry.website)
    await this.#fill(text.contactEmail, entry.contactEmail)
    if (entry.logo === undefined) return
    await this.page.getByLabel(/(Choose|Replace) image/).setInputFiles(await upload(entry.logo))
    await expect(this.page.getByRole('img', { name: text.logoPreview })).toBeVisible()
  }

  async saveBusiness(): Promise<void> {
    await this.page.getByRole('button', { name: en.business.save }).click()
  }

  /** Registers the business and sees it on the dashboard. */
  async addBusiness(entry: BusinessEntry): Promise<void> {
    await this.visit(PATHS.addBusiness)
    await this.fillBusiness(entry)
    await this.saveBusiness()
    await this.expectPath(PATHS.dashboard)
  }

  async fillSite(entry: SiteEntry): Promise<void> {
    const text = en.site
    await this.#fill(text.address, entry.address)
    await this.#fill(text.latitude, entry.latitude)
    await this.#fill(text.longitude, entry.longitude)
    await this.#fill(text.name, entry.name)
    if (entry.status !== undefined) {
      await this.page.getByRole('radio', { name: entry.status }).check()
    }
    await this.#fill(text.capacity, entry.capacity)
    await this.#fill(text.cost, entry.cost)
    for (const connector of entry.connectors ?? []) await this.addConnector(connector)
    if (entry.photos !== undefined) await this.addPhotos(...entry.photos)
    await this.#fill(text.contactEmail, entry.contactEmail)
    await this.#fill(text.contactPhone, entry.contactPhone)
  }

  /** The row of a connector, counted from 1. */
  connector(position: number): Locator {
    return this.page.getByRole('group', { name: en.site.connector(position), exact: true })
  }

  get connectors(): Locator {
    return this.page.getByRole('group', { name: /^Connector \d+$/ })
  }

  /** The position of the first row with this plug. */
  async findConnector(plug: string): Promise<number> {
    const rows = this.connectors
    const plugs = await rows.evaluateAll((elements) =>
      elements.map((row) => row.querySelector('select')?.selectedOptions[0]?.textContent),
    )
    const index = plugs.indexOf(plug)
    expect(index, `a connector ${plug} among ${plugs.join(', ')}`).not.toBe(-1)
    return index + 1
  }

  async addConnector(entry: ConnectorEntry): Promise<void> {
    const position = (await this.connectors.count()) + 1
    await this.page.getByRole('button', { name: en.site.otherPreset }).click()
    await this.fillConnector(position, entry)
  }

  async fillConnector(position: number, entry: ConnectorEntry): Promise<void> {
    const row = this.connector(position)
    const text = en.site
    const { plug, format, current, kw } = entry
    if (plug !== undefined) await row.getByLabel(text.standard).selectOption(plug)
    if (format !== undefined) await row.getByLabel(text.format).selectOption(format)
    if (current !== undefined) await row.getByLabel(text.currentType).selectOption(current)
    if (kw !== undefined) await row.getByLabel(text.kwRating).fill(kw)
  }

  async removeConnector(position: number): Promise<void> {
    const name = en.site.removeConnector(position)
    await this.page.getByRole('button', { name, exact: true }).click()
  }

  /** The pictures in the form of a site. */
  get photos(): Locator {
    return this.page.getByRole('img', { name: /^(Photo \d+|New: .+)$/ })
  }

  /** The rows of connectors that a save left behind. */
  get unsavedConnectors(): Locator {
    return this.connectors.filter({ hasText: en.site.connectorNotSaved })
  }

  async choosePhotos(...photos: readonly File[]): Promise<void> {
    const files = await Promise.all(photos.map(upload))
    await this.page.getByLabel(en.site.addPhotos).setInputFiles(files)
  }

  async addPhotos(...photos: readonly File[]): Promise<void> {
    const before = await this.photos.count()
    await this.choosePhotos(...photos)
    await expect(this.photos).toHaveCount(before + photos.length)
  }

  /** Marks a stored photo to go. */
  async removePhoto(position: number): Promise<void> {
    const name = en.site.removePhoto(en.site.photo(position))
    await this.page.getByRole('button', { name, exact: true }).click()
  }

  /** Presses the button that saves the form of a site, new or not. */
  async saveSite(): Promise<void> {
    const name = new RegExp(`^(${en.site.add}|${en.site.save})$`)
    await this.page.getByRole('button', { name }).click()
  }

  /** Adds a site and sees it on the dashboard. */
  async addSite(entry: SiteEntry): Promise<void> {
    await this.visit(PATHS.addSite)
    await this.fillSite(entry)
    await this.saveSite()
    await this.expectPath(PATHS.dashboard)
  }

  async #fill(label: string, value: string | undefined): Promise<void> {
    if (value !== undefined) await this.field(label).fill(value)
  }

  // Trouble

  /**
   * Lets the next matching request fail, and only that one.
   * `path` is below the base path, as the wire contract names it: `API.records(SITES)`.
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

  /** Is this an address of the product, with this path below the base path? */
  #asks(href: string, path: string | RegExp): boolean {
    if (!href.startsWith(this.url)) return false
    const asked = new URL(href).pathname.slice(new URL(this.url).pathname.replace(/\/$/, '').length)
    return typeof path === 'string' ? asked === path : path.test(asked)
  }

  /** The server may refuse what is sent to this path, as the wire contract names it. */
  expectFailureAt(path: string): void {
    this.watch.expectFailure(this.url + path)
  }

  /** What the page says with urgency. */
  get alert(): Locator {
    return this.page.getByRole('alert')
  }

  /** Takes up the offer to try again. */
  async retry(): Promise<void> {
    await this.alert.getByRole('button', { name: en.actions.retry }).click()
  }

  /** Holds the clock of the page, from its next visit on: time passes as ever, and at will. */
  async takeTheClock(): Promise<void> {
    await this.page.clock.install()
  }

  /** Lets this much time pass at once, as `minutes:seconds`, the pointer resting on nothing. */
  async passTime(time: string): Promise<void> {
    await this.page.mouse.move(0, 0)
    await this.page.clock.fastForward(time)
  }

  /** A record that is asked for may not be there: it was deleted a moment ago, or never was. */
  expectMissing(collection: string, id: string): void {
    this.expectFailureAt(API.record(collection, id))
  }

  /** Goes on once the server has this many rows: what is sent after the screen has changed. */
  async expectSoon<T>(read: () => Promise<T>, wanted: T): Promise<void> {
    await expect.poll(read).toEqual(wanted)
  }

  /** Closes the messages that float above the page, as a person does who is in their way. */
  async dismissMessages(): Promise<void> {
    const dismiss = this.page.locator('.toast').getByRole('button', { name: 'Dismiss' })
    // One may go by itself in the very moment.
    while ((await dismiss.count()) > 0)
      await dismiss
        .first()
        .click({ timeout: 1000 })
        .catch(() => {})
  }

  /** Lets axe look at the screen as it is, in light and in dark, once everything has come to rest. */
  async expectNoViolations(): Promise<void> {
    // Axe takes what floats for the ground of what it covers.
    await this.dismissMessages()
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await this.page.evaluate(() =>
        Promise.allSettled(document.getAnimations().map((animation) => animation.finished)),
      )
      // Our pages have no frames: everything can be judged where it is.
      const { violations } = await new AxeBuilder({ page: this.page }).setLegacyMode().analyze()
      const found = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
      expect(found, `what axe found, ${colorScheme}`).toEqual([])
    }
  }
}

/** Somebody who was never here before. */
export const newPerson = (name = 'Ada Byron'): Person => ({
  name,
  email: `ada-${randomBytes(6).toString('hex')}@example.org`,
})

const upload = async (file: File) => ({
  name: file.name,
  mimeType: file.type,
  buffer: Buffer.from(await file.arrayBuffer()),
})
