import { startCountly, type Countly } from './countly.ts'
import { test as base, expect, Owner } from './driver.ts'
import { watch } from './watch.ts'

// Usage analytics (spec 7 and 8), against a service of the tests. Violations of the content security
// policy and requests to anybody else fail every test, as everywhere.

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

/** The name that the library gave this browser; it has one as soon as it has begun. */
const deviceOf = async ({ page }: Owner): Promise<string> => {
  const read = () => page.evaluate((key) => localStorage.getItem(`${key}/cly_id`), KEY)
  await expect.poll(read).not.toBeNull()
  return (await read()) ?? ''
}

test('A session is begun, with the app key and the app version', async ({ owner, countly }) => {
  await owner.visit('/')
  const device = await deviceOf(owner)
  const begun = () => countly.reports(device).filter((report) => 'begin_session' in report)
  await expect.poll(begun).toHaveLength(1)
  const [report] = begun()
  expect(report).toMatchObject({ begin_session: '1', app_key: KEY, av: VERSION })
  expect(JSON.parse(report?.['metrics'] ?? '{}')).toMatchObject({ _app_version: VERSION })
})

test("Page views are reported with the browser's current path as the view name", async ({
  owner,
  countly,
}) => {
  await owner.visit('/')
  const device = await deviceOf(owner)
  await expect.poll(() => countly.views(device)).toEqual(['/'])
  await owner.bar.getByRole('link', { name: 'login' }).click()
  await expect.poll(() => countly.views(device)).toEqual(['/', '/login'])
  await owner.continueToProvider()
  await owner.signInAtProvider()
  await owner.expectPath('/dashboard')
  // Coming back from the provider is a new visit of Login, and Dashboard follows.
  await expect.poll(() => countly.views(device)).toEqual(['/', '/login', '/login', '/dashboard'])
  await owner.page.getByRole('link', { name: 'Add your business' }).click()
  await expect.poll(() => countly.views(device).slice(4)).toEqual(['/business/add'])
  await owner.backArrow.click()
  await expect.poll(() => countly.views(device).slice(5)).toEqual(['/dashboard'])
})

test.describe('Uncaught errors and unhandled promise rejections are forwarded', () => {
  // Here the page is meant to complain, so what it says is looked at by the test.
  test('also those from before the library was loaded, each once', async ({
    page,
    stack,
    countly,
  }) => {
    const seen = await watch(page.context(), [stack.url, countly.url])
    const owner = new Owner(page, stack.url, seen)
    const { promise: thrown, resolve: release } = Promise.withResolvers<void>()
    await page.route(/countly/, async (route) => {
      await page.evaluate(() => {
        setTimeout(() => {
          throw new Error('planted: early error')
        })
        setTimeout(() => void Promise.reject(new Error('planted: early rejection')))
      })
      await thrown
      await route.continue()
    })
    const planted = () => seen.complaints().filter((text) => text.includes('planted'))
    await owner.visit('/')
    await expect.poll(planted).toHaveLength(2)
    release()

    const device = await deviceOf(owner)
    const crashes = () => countly.crashes(device).map((text) => /planted: [a-z ]+/.exec(text)?.[0])
    await expect.poll(crashes).toHaveLength(2)
    expect(new Set(crashes())).toEqual(
      new Set(['planted: early error', 'planted: early rejection']),
    )

    await page.evaluate(() => {
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
})

base('nothing at all is loaded, kept or sent when unset', async ({ owner, stack }) => {
  await owner.visit('/')
  await owner.page.waitForLoadState('networkidle')
  await owner.signIn()
  await owner.page.waitForLoadState('networkidle')
  const foreign = owner.watch
    .asked()
    .filter((url) => ![stack.url, stack.provider.issuer].some((own) => url.startsWith(own)))
  expect(foreign).toEqual([])
  expect(owner.watch.asked().filter((url) => /countly|\/i\b|\/o\b/.test(url))).toEqual([])
  const keys = await owner.page.evaluate(() => Object.keys(localStorage))
  expect(keys).toEqual(['pocketbase_auth'])
})
