import { CONSENT_KEY } from '../../web/analytics/keys.ts'
import { en } from '../support/english.ts'
import { startCountly, type Countly } from './countly.ts'
import { test as base, expect, Owner } from './driver.ts'
import { prepareSites } from './prepare.ts'
import { watch } from './watch.ts'

// Usage analytics (spec 7 and 8, decision 0050), with a fake service. As in every browser test, violations of the
// content security policy and requests to other origins fail the test.

const KEY = 'key-of-the-tests'
const VERSION = '4.5.6'

const test = base.extend<object, { readonly countly: Countly }>({
  countly: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const countly = await startCountly()
      await use(countly)
      await countly.close()
    },
    { scope: 'worker' },
  ],
  env: [
    async ({ countly }, use) =>
      use({ ANALYTICS_HOST: countly.url, ANALYTICS_APP_KEY: KEY, APP_VERSION: VERSION }),
    { scope: 'worker' },
  ],
  owner: async ({ owner, countly }, use) => {
    owner.watch.allow(countly.url)
    await use(owner)
  },
})

// Another worker would need its own stack, which takes as long as one of these tests.
test.describe.configure({ mode: 'default' })

/** The device id that the library stores once it has started. */
const deviceOf = async ({ page }: Owner): Promise<string> => {
  const read = () => page.evaluate((key) => localStorage.getItem(`${key}/cly_id`), KEY)
  await expect.poll(read).not.toBeNull()
  return (await read()) ?? ''
}

/** Stores consent, as given on an earlier visit. */
const agree = async ({ page }: Owner): Promise<void> => {
  await page.context().addInitScript((key) => localStorage.setItem(key, 'yes'), CONSENT_KEY)
}

const storedKeys = ({ page }: Owner): Promise<string[]> =>
  page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])

test('nothing is loaded, stored or sent before consent or after its withdrawal', async ({
  owner,
  countly,
}) => {
  const { page } = owner
  const question = page.getByRole('region', { name: en.consent.title })
  const sent = () => owner.watch.requested().filter((url) => url.startsWith(countly.url)).length
  await owner.visit('/')
  await expect(question).toContainText(en.consent.question)
  await owner.expectNoViolations()
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('planted: nobody has agreed')
    })
  })
  await owner.bar.getByRole('link', { name: 'login' }).click()
  await owner.expectPath('/login')
  expect([await storedKeys(owner), await page.context().cookies(), sent()]).toEqual([[], [], 0])

  // The question covers and moves no content, and both buttons have the same size.
  const [no, yes] = [en.consent.no, en.consent.yes].map((name) =>
    question.getByRole('button', { name, exact: true }),
  )
  const boxes = [await no?.boundingBox(), await yes?.boundingBox()]
  expect([boxes[0]?.width, boxes[0]?.height]).toEqual([boxes[1]?.width, boxes[1]?.height])

  await yes?.click()
  const device = await deviceOf(owner)
  // The current page is counted, and earlier errors are reported.
  await expect.poll(() => countly.views(device)).toEqual(['/login'])
  await expect.poll(() => countly.crashes(device).length).toBe(1)
  await owner.reload()
  await expect(question).toContainText(en.consent.on)
  await expect.poll(() => countly.views(device)).toEqual(['/login', '/login'])

  await question.getByRole('button', { name: en.consent.change }).click()
  await no?.click()
  await expect(question).toContainText(en.consent.off)
  await expect.poll(() => storedKeys(owner)).toEqual([CONSENT_KEY])
  await page.waitForLoadState('networkidle')
  const before = sent()
  await owner.reload()
  await expect(question).toContainText(en.consent.off)
  await owner.bar.getByRole('link', { name: 'login' }).click()
  await page.waitForLoadState('networkidle')
  expect([await storedKeys(owner), sent()]).toEqual([[CONSENT_KEY], before])
  expect(countly.crashes(device)).toHaveLength(1)
  owner.watch.expectUncaught('planted')
})

test('a browser that opts out gets no question and no analytics', async ({ owner, countly }) => {
  await agree(owner)
  await owner.page.context().addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })
  })
  await owner.visit('/')
  await owner.page.waitForLoadState('networkidle')
  await expect(owner.page.locator('[data-frame]')).toHaveCount(0)
  await expect(owner.page.getByRole('region', { name: en.consent.title })).toHaveCount(0)
  expect(owner.watch.requested().filter((url) => url.startsWith(countly.url))).toEqual([])
  expect(await storedKeys(owner)).toEqual([CONSENT_KEY])
})

test('a session is reported with the app key and the app version', async ({ owner, countly }) => {
  await agree(owner)
  await owner.visit('/')
  const device = await deviceOf(owner)
  const begun = () => countly.reports(device).filter((report) => 'begin_session' in report)
  await expect.poll(begun).toHaveLength(1)
  const [report] = begun()
  expect(report).toMatchObject({ begin_session: '1', app_key: KEY, av: VERSION })
  expect(JSON.parse(report?.['metrics'] ?? '{}')).toMatchObject({ _app_version: VERSION })
})

test('page views are reported with the current path as the view name', async ({
  owner,
  countly,
}) => {
  await agree(owner)
  await owner.visit('/')
  const device = await deviceOf(owner)
  let seen = 0
  const expectViews = async (...names: string[]): Promise<void> => {
    await expect.poll(() => countly.views(device).slice(seen)).toEqual(names)
    seen += names.length
  }
  await expectViews('/')
  await owner.bar.getByRole('link', { name: 'login' }).click()
  await expectViews('/login')
  await owner.continueToProvider()
  await owner.signInAtProvider()
  await owner.expectPath('/dashboard')
  // Returning from the provider is a new visit of Login, followed by Dashboard.
  await expectViews('/login', '/dashboard')
  await owner.page.getByRole('link', { name: 'Add your business' }).click()
  await expectViews('/business/add')
  await owner.backArrow.click()
  await expectViews('/dashboard')

  // A page that only redirects does not count as viewed.
  const [site] = await prepareSites(await owner.comeLater(), 'Quay')
  await owner.visit('/business/add')
  await expectViews('/business/edit')
  await owner.visit('/site/edit')
  await expectViews(`/site/edit/${site?.id}`)
  await owner.visit('/login')
  await expectViews('/dashboard')
  await owner.logOut()
  await expectViews('/login')
  await owner.visit('/business/edit')
  await expectViews('/login')
})

test('below a base path, a view has the full path', async ({
  owner: person,
  countly,
  openStack,
}) => {
  const stack = await openStack({
    PUBLIC_URL: 'http://127.0.0.1:0/ev',
    ANALYTICS_HOST: countly.url,
    ANALYTICS_APP_KEY: KEY,
  })
  const owner = person.at(stack.url)
  await agree(owner)
  await owner.visit('/')
  const device = await deviceOf(owner)
  await expect.poll(() => countly.views(device)).toEqual(['/ev/'])
})

test.describe('uncaught errors and unhandled rejections are reported', () => {
  // The page is expected to log errors, so the test checks them itself.
  test('including those from before the app started, each once and scrubbed', async ({
    page,
    stack,
    countly,
  }) => {
    const seen = await watch(page.context(), [stack.url, countly.url])
    const owner = new Owner(page, stack.url, seen)
    await agree(owner)
    const { promise: thrown, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await thrown
      await route.continue()
    })
    const planted = () => seen.complaints().filter((text) => text.includes('planted'))
    await page.goto(stack.url, { waitUntil: 'commit' })
    await page.locator('[data-frame]').waitFor()
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('planted: early error of ada@example.org')
      })
      setTimeout(
        () =>
          void Promise.reject(
            new Error('planted: early rejection of /login?code=abc and a1b2c3d4e5f6g7h'),
          ),
      )
    })
    await expect.poll(planted).toHaveLength(2)
    release()

    const device = await deviceOf(owner)
    const crashes = () => countly.crashes(device).map((text) => /planted: .*/.exec(text)?.[0])
    await expect.poll(crashes).toHaveLength(2)
    expect(new Set(crashes())).toEqual(
      new Set(['planted: early error of [email]', 'planted: early rejection of /login and [id]']),
    )

    await page.evaluate(() => {
      const message = 'ResizeObserver loop completed with undelivered notifications.'
      dispatchEvent(new ErrorEvent('error', { message }))
      setTimeout(() => {
        throw new Error('planted: late error')
      })
    })
    await expect.poll(() => crashes().slice(2)).toEqual(['planted: late error'])
    await page.evaluate(() => {
      setTimeout(() => void Promise.reject(new Error('planted: late rejection')))
    })
    await expect.poll(() => crashes().slice(3)).toEqual(['planted: late rejection'])
    expect(seen.complaints().filter((text) => !text.includes('planted'))).toEqual([])
  })

  test('a failed start of the app is reported by the next page', async ({
    owner,
    stack,
    countly,
  }) => {
    await agree(owner)
    owner.watch.expectFailure(stack.url)
    await owner.page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }))
    await owner.visit('/')
    await expect(owner.alert).toContainText(en.page.stuck)
    await owner.page.unroute('**/assets/*.js')
    await owner.reload()
    const device = await deviceOf(owner)
    await expect.poll(() => countly.crashes(device).length).toBe(1)
    expect(countly.crashes(device)[0]).toContain('The app could not be loaded')
  })
})

base('nothing at all is loaded, kept or sent when unset', async ({ owner, stack }) => {
  await owner.visit('/')
  await owner.page.waitForLoadState('networkidle')
  await owner.signIn()
  await owner.page.waitForLoadState('networkidle')
  const foreign = owner.watch
    .requested()
    .filter((url) => ![stack.url, stack.provider.issuer].some((own) => url.startsWith(own)))
  expect(foreign).toEqual([])
  expect(
    owner.watch.requested().filter((url) => /countly|analytics|\/i\b|\/o\b/.test(url)),
  ).toEqual([])
  await expect(owner.page.getByRole('region', { name: en.consent.title })).toHaveCount(0)
  const keys = await owner.page.evaluate(() => Object.keys(localStorage))
  expect(keys).toEqual(['pocketbase_auth'])
})
