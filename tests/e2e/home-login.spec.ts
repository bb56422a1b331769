import { API } from '#domain/paths.ts'
import { USERS } from '#domain/collection.ts'
import { MISCONFIGURED } from '#domain/error.ts'
import { en } from '../support/english.ts'
import { startStack } from '../support/stack.ts'
import { newEmail } from '../support/superuser.ts'
import { expect, test, type Owner } from './driver.ts'

/** The scripts that the page has requested, by file name. */
const scripts = (owner: Owner): readonly string[] =>
  owner.watch.requested().flatMap((url) => /\/assets\/([^/?]+)\.js$/.exec(url)?.[1] ?? [])

test('Home explains the product, shows a labelled sample, and links on @once', async ({
  owner,
}) => {
  const { home } = en
  const { page } = owner
  await owner.visit('/')
  await expect(page.getByRole('heading', { level: 2, name: home.headline })).toBeVisible()
  await expect(page.getByText(home.lead('Voltleaf'))).toBeVisible()
  const example = page.getByRole('figure')
  await expect(example).toContainText(home.exampleBadge)
  await expect(example).toContainText(home.exampleTitle)
  await expect(
    page.getByRole('region', { name: home.stepsTitle }).getByRole('listitem'),
  ).toHaveCount(3)
  for (const { question, answer } of home.questions) {
    await page.getByText(question).click()
    await expect(page.getByText(answer)).toBeVisible()
  }
  // Home states no figures, because none are measured; the sample is labelled as one.
  const told = (await page.getByRole('main').innerText()).replace(await example.innerText(), '')
  expect(told.match(/\d+/g)).toEqual(null)
  await owner.expectNoViolations()

  await owner.follow(home.start)
  await owner.expectPath('/login')
  expect(scripts(owner).filter((name) => /pocketbase|Dialog|popover|long-list/.test(name))).toEqual(
    [],
  )
  await owner.comeSignedIn()
  await owner.visit('/')
  await owner.follow(home.dashboard)
  await owner.expectPath('/dashboard')
})

test('Login in each of its states @once', async ({ owner, stack }) => {
  const { login } = en
  const { page } = owner
  const button = page.getByRole('main').getByRole('button')
  await owner.visit('/login')

  await test.step('its only button does not break inside a word', async () => {
    await expect(page.locator('[data-frame]')).toHaveCount(0)
    await expect(button).toHaveAccessibleName(login.button(''))
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 844 })
      const lines = await button
        .getByText('sign-on', { exact: true })
        .evaluate((word) => word.getClientRects().length)
      expect(lines, `lines of one word at ${width}`).toBe(1)
    }
  })

  await test.step('offline', async () => {
    await owner.goOffline()
    await expect(page.getByText(login.offline)).toBeVisible()
    // A guest has no queued changes.
    await expect(page.getByText(en.shell.offline, { exact: true })).toBeVisible()
    await expect(page.getByText(en.shell.keptOffline)).toHaveCount(0)
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await owner.goOnline()
    await expect(button).toHaveAttribute('aria-disabled', 'false')
  })

  await test.step('the provider is unreachable; the redirect', async () => {
    await owner.failNext('GET', API.authMethods(USERS), { status: 503 })
    await button.click()
    await expect(owner.alert).toContainText(en.loginProblems.unreachable)
    await expect(button).toHaveAttribute('aria-disabled', 'false')
    let answer = () => {}
    const waiting = new Promise<void>((resolve) => (answer = resolve))
    await page.route(
      ({ pathname }) => pathname === API.authMethods(USERS),
      async (route) => {
        await waiting
        await route.continue()
      },
      { times: 1 },
    )
    await button.click()
    await expect(button).toHaveText(login.leaving)
    await expect(owner.alert).toHaveCount(0)
    await owner.expectNoViolations()
    answer()
    await page.waitForURL(/interaction/)
  })

  await test.step('a cancelled sign-in, and a response without a request from this browser', async () => {
    // The provider redirects back immediately.
    const isAuthorization = /\/auth\?/
    await page.route(isAuthorization, (route) => {
      const state = new URL(route.request().url()).searchParams.get('state') ?? ''
      const location = `${owner.url}/login?error=access_denied&state=${state}`
      return route.fulfill({ status: 302, headers: { location } })
    })
    await owner.visit('/login')
    await owner.continueToProvider()
    await expect(owner.alert).toContainText(en.loginProblems.cancelled)
    await owner.expectPath('/login')
    await page.unroute(isAuthorization)
    await owner.visit('/login?code=stolen&state=none')
    await expect(owner.alert).toContainText(en.loginProblems.mismatch)
    await owner.expectPath('/login')
  })

  await test.step('a sign-in that the provider refuses, and a misconfigured one', async () => {
    const { refused, misconfigured } = en.loginProblems
    for (const [code, sentence] of [
      ['', refused],
      [MISCONFIGURED, misconfigured],
    ] as const) {
      const body = { status: 400, message: '', data: { provider: { code, message: '' } } }
      await owner.failNext('POST', API.authWithOAuth2(USERS), { status: 400, body })
      await owner.visit('/login')
      await owner.continueToProvider()
      await owner.signInAtProvider()
      await expect(owner.alert).toContainText(sentence)
      await owner.expectPath('/login')
    }
  })

  await test.step('returns to the requested page, and not to Login', async () => {
    await owner.visit('/business/add')
    await owner.expectPath('/login')
    await expect(page.getByText(login.required)).toBeVisible()
    await owner.continueToProvider()
    await owner.signInAtProvider()
    await owner.expectPath('/business/add')
    await owner.visit('/login')
    await owner.expectPath('/dashboard')
  })

  await test.step('in a tab next to a form: the way back to the other tab', async () => {
    await owner.logOut()
    await owner.expectPath('/login')
    await owner.visit('/login?again')
    await owner.continueToProvider()
    await owner.signInAtProvider()
    await expect(page.getByText(login.again)).toBeVisible()
    await owner.expectNoViolations()
  })

  await test.step('signing out redirects to the end of the session at the provider', async () => {
    const server = await startStack({ beside: stack })
    try {
      const here = owner.at(server.url)
      await here.visit('/login')
      await here.hand(await owner.comeLater())
      await here.visit('/account')
      const end = `${stack.provider.issuer}/end`
      await page.route(`${server.url}${API.providerSignOut}`, (route) =>
        route.fulfill({ json: { url: end } }),
      )
      await page.route(end, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Ended</title>' }),
      )
      await here.logOut()
      await expect(page).toHaveURL(end)
      await here.visit('/dashboard')
      await here.expectPath('/login')

      // Login appears late, while the browser waits for the provider.
      const leaving = Promise.withResolvers<void>()
      const shown = page.waitForEvent('console', (line) => line.text() === 'Login')
      await page.route(/assets\/login-/, async (route) => {
        await leaving.promise
        await route.continue()
      })
      await page.route(end, async (route) => {
        leaving.resolve()
        await shown
        await route.fallback()
      })
      await here.hand(await owner.comeLater())
      await here.visit('/account')
      await here.accountButton(en.accountCard.everywhere).click()
      await page.evaluate(() => {
        const watch = setInterval(() => {
          if (document.querySelector('.login') === null) return
          clearInterval(watch)
          console.log('Login')
        }, 20)
      })
      await here.dialog.getByRole('button', { name: en.accountCard.everywhere }).click()
      await expect(page).toHaveURL(end)
      await here.visit('/login')
      await expect(page.getByText(en.accountCard.everywhereDone)).toBeVisible()

      await here.hand(await owner.comeLater())
      await here.visit('/account')
      await here.accountButton(en.accountCard.delete).click()
      await here.dialog.getByRole('textbox').fill(owner.person.email)
      await here.dialog.getByRole('button', { name: en.accountCard.deleteForGood }).click()
      await expect(page).toHaveURL(end)
      await here.visit('/login')
      await expect(page.getByText(en.accountCard.deleted)).toBeVisible()
      await here.leave()
    } finally {
      await server.close()
    }
  })
})

test('the owner of a browser that stores nothing is told so at the sign-in @once', async ({
  owner,
}) => {
  const { page } = owner
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
  })
  await owner.visit('/login')
  await owner.continueToProvider()
  await expect(owner.alert).toHaveText(en.loginProblems.storage)
  await owner.expectPath('/login')
  await expect(page.getByRole('button', { name: en.login.button('') })).toHaveAttribute(
    'aria-disabled',
    'false',
  )
})

test('devices whose clocks are wrong can sign in, or are told that the clock is wrong @once', async ({
  owner,
}) => {
  const { page } = owner
  const MINUTE_MS = 60_000
  const DAY_MS = 24 * 60 * MINUTE_MS
  const signInAt = async (offsetMs: number) => {
    await page.clock.setFixedTime(Date.now() + offsetMs)
    await owner.visit('/login')
    await owner.continueToProvider()
    await owner.signInAtProvider()
  }
  for (const offsetMs of [5 * MINUTE_MS, -5 * MINUTE_MS, DAY_MS, -DAY_MS, -6 * DAY_MS]) {
    await signInAt(offsetMs)
    await owner.expectPath('/dashboard')
    await owner.visit('/account')
    await owner.expectPath('/account')
    await owner.logOut()
    await owner.expectPath('/login')
  }
  await signInAt(6 * DAY_MS)
  await expect(owner.alert).toContainText(en.loginProblems.clock)
  await owner.expectPath('/login')
  await signInAt(0)
  await owner.expectPath('/dashboard')
})

test('two people who sign in at the same time in two tabs of one browser keep their own accounts @once', async ({
  owner,
}) => {
  const [first, second] = [newEmail('first'), newEmail('second')]
  const other = await owner.openTab()
  await owner.visit('/login')
  await owner.continueToProvider()
  await owner.page.waitForURL(/interaction/)
  await other.signIn({ name: 'Second', email: second })
  await owner.signInAtProvider({ name: 'First', email: first })
  await owner.expectPath('/dashboard')
  const idOf = async (email: string, name: string) =>
    (await owner.comeLater({ email, name })).authStore.record?.id
  expect(await idOf(first, 'First')).not.toBe(await idOf(second, 'Second'))
  await other.expectPath('/dashboard')
  for (const { page } of [owner, other])
    await expect(page.getByRole('link', { name: /^First/ })).toBeVisible()
})
