import { setTimeout as sleep } from 'node:timers/promises'
import { BUSINESSES, SITES } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import { en } from '../support/english.ts'
import { siteBody } from '../support/owner.ts'
import { expect, test, type Owner } from './driver.ts'
import { prepareBusiness, prepareSites } from './prepare.ts'
import { SCREENS, TABLET } from './screens.ts'

const WEBSITE = 'https://voltleaf.example'
test.use({ env: { PRODUCT_WEBSITE: WEBSITE } })
// Another worker would need its own stack, which takes as long as one of these tests.
test.describe.configure({ mode: 'default' })

/** Spec 2: path, title, and the left end of the bar. */
const PUBLIC_SCREENS = [
  ['/', 'Add a charging station to Voltleaf', 'logo'],
  ['/login', 'Login with Voltleaf', 'logo'],
  ['/nowhere', 'Page not found', 'back'],
] as const
const PROTECTED_SCREENS = [
  ['/dashboard', 'Dashboard', 'logo'],
  ['/site/add', 'Add a new site', 'back'],
  ['/site/edit', 'Edit site details', 'back'],
  ['/business/edit', 'Edit your business details', 'back'],
] as const

test.describe('the bar', () => {
  test('shows the title of each screen, and the logo or a back arrow @once', async ({ owner }) => {
    const look = async ([path, title, start]: readonly [string, string, 'logo' | 'back']) => {
      await owner.visit(path)
      await owner.expectTitle(title)
      await expect(owner.page.locator('[data-frame]')).toHaveCount(0)
      await expect(owner.logo).toHaveCount(start === 'logo' ? 1 : 0)
      await expect(owner.backArrow).toHaveCount(start === 'back' ? 1 : 0)
      if (start === 'logo') {
        expect(await owner.logo.boundingBox()).toMatchObject({ width: 40, height: 40 })
        await owner.expectOpensInNewTab(owner.logo, WEBSITE)
      }
    }
    owner.expectFailureAt('/nowhere')
    for (const screen of PUBLIC_SCREENS) await look(screen)

    const client = await owner.comeSignedIn()
    await look(['/business/add', 'Add your business details', 'back'])
    const [site] = await prepareSites(client, 'Quay', 'Pier')
    for (const screen of PROTECTED_SCREENS) await look(screen)
    await look([`/site/edit/${site?.id}`, 'Edit site details', 'back'])
  })

  test('goes back one step with its arrow, and to the dashboard from the first page @once', async ({
    owner,
  }) => {
    const client = await owner.comeSignedIn()
    await prepareSites(client, 'Quay', 'Pier')
    await owner.visit('/site/edit')
    await owner.chooseSite('Pier')
    await owner.expectPath(/^\/site\/edit\/\w{15}$/)
    await owner.backArrow.click()
    await owner.expectPath('/site/edit')
    await expect(owner.title).toHaveText('Edit site details')

    await owner.backArrow.click()
    await owner.expectPath('/dashboard')
    await owner.follow('Edit business')
    await owner.backArrow.click()
    await owner.expectPath('/dashboard')

    await test.step('an unknown path shows an error and links to the dashboard', async () => {
      owner.expectFailureAt('/site/elsewhere')
      await owner.visit('/site/elsewhere')
      await owner.expectTitle('Page not found')
      await expect(owner.page.getByText('This page does not exist')).toBeVisible()
      await owner.follow('Go to the dashboard')
      await owner.expectPath('/dashboard')
    })
  })

  test('shows the signed-in user, signs out to Login, and then shows "login"', async ({
    owner,
  }) => {
    await owner.comeSignedIn({ name: 'Grace Hopper' })
    await owner.visit('/dashboard')
    await expect(owner.who).toHaveText(`Grace Hopper${owner.person.email}`)
    await expect(owner.logoutButton).toBeVisible()
    await expect(owner.link('login')).toHaveCount(0)

    await owner.visit('/')
    await owner.logOut()
    await owner.expectPath('/login')
    await expect(owner.who).toHaveCount(0)
    await expect(owner.logoutButton).toHaveCount(0)

    await owner.visit('/')
    await expect(owner.bar).toContainText('login')
    await owner.follow('login')
    await owner.expectPath('/login')
    await owner.expectTitle('Login with Voltleaf')

    await test.step('shows "Unnamed User" without a name, and nothing without an email', async () => {
      await owner.signIn({ name: '', email: '' })
      await expect(owner.who).toHaveText('Unnamed User')
    })
  })
})

test('on a tablet, the bar shows the name beside a long title, in every language @once', async ({
  owner,
}) => {
  await prepareBusiness(await owner.comeSignedIn())
  await owner.page.setViewportSize(TABLET)
  await owner.visit('/business/edit')
  for (const language of ['Deutsch', 'Français', 'Español', 'English']) {
    await owner.chooseLanguage(language)
    const name = owner.page.locator('.top-bar .who')
    await expect
      .poll(async () => (await name.boundingBox())?.width, language)
      .toBeGreaterThanOrEqual(100)
  }
})

test('a navigation keeps the old screen until the new one has loaded @once', async ({ owner }) => {
  await owner.neverIdle()
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit('/dashboard')
  await expect(owner.page.getByRole('link', { name: 'Prices' })).toBeVisible()
  await owner.page.evaluate(() => {
    const main = document.querySelector('main')
    const seen = { emptyFrames: 0 }
    const look = () => {
      if (main?.innerText.trim() === '') seen.emptyFrames++
      requestAnimationFrame(look)
    }
    look()
    Object.assign(window, { seen })
  })
  await owner.follow('Prices')
  await owner.expectTitle('Prices')
  expect(await owner.page.evaluate(() => Reflect.get(window, 'seen'))).toEqual({ emptyFrames: 0 })

  await owner.page.goBack()
  await owner.expectTitle('Dashboard')
  const release = await owner.holdAnswers(/account-.*\.js$/)
  await owner.page.locator('.top-bar a[href="/account"]').click()
  await expect(owner.page.locator('main .spinner')).toBeVisible()
  await owner.expectTitle('Your account')
  await release()
  await expect(owner.accountButton(en.accountCard.download)).toBeVisible()
  await expect(owner.page.locator('main .spinner')).toHaveCount(0)
})

test.describe('the guard', { tag: '@once' }, () => {
  const guarded = [...PROTECTED_SCREENS.map(([path]) => path), '/site/edit/abc', '/business/add']

  test('redirects guests to Login', async ({ owner }) => {
    for (const path of guarded) {
      await owner.visit(path)
      await owner.expectPath('/login')
      await expect(owner.page.getByText('Sign in to open that page.')).toBeVisible()
    }
  })

  test('returns to the requested page after sign-in', async ({ owner }) => {
    const sites = await prepareSites(await owner.comeLater(), 'Quay', 'Pier')
    for (const path of [`/site/edit/${sites[1]?.id}`, '/business/edit?from=mail']) {
      await owner.visit(path)
      await owner.expectPath('/login')
      await owner.continueToProvider()
      await owner.signInAtProvider()
      await owner.expectPath(path)
      await owner.logOut()
      await owner.expectPath('/login')
    }
  })
})

test('Edit Site without an id, and with an unknown one @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const { id: business } = await prepareBusiness(client)

  await test.step('redirects to Add Site if there is none', async () => {
    await owner.visit('/site/edit')
    await owner.expectPath('/site/add')
    await owner.expectTitle('Add a new site')
  })

  await test.step('opens the only one', async () => {
    // The data that the last visit cached has no site yet.
    await expect.poll(() => cachedKeys(owner)).toContainEqual(expect.stringMatching(/^data:/))
    const site = await client.collection(SITES).create({ ...siteBody(business), name: 'Quay' })
    await owner.page.route(
      (url) => url.pathname.endsWith(API.records(BUSINESSES)),
      async (route) => {
        await sleep(500)
        await route.continue()
      },
      { times: 1 },
    )
    await owner.visit('/site/edit')
    await owner.expectPath(`/site/edit/${site.id}`)
    await expect(owner.field('Site name')).toHaveValue('Quay')
  })

  await test.step('reports that the site does not exist, and links on', async () => {
    owner.expectMissing(SITES, 'nosuchsite00000')
    await owner.visit('/site/edit/nosuchsite00000')
    await expect(owner.page.getByText('This site no longer exists')).toBeVisible()
    await owner.follow('Go to the dashboard')
    await owner.expectPath('/dashboard')
  })

  await test.step('lists several to choose from', async () => {
    const site = await client.collection(SITES).create({ ...siteBody(business), name: 'Pier' })
    await client.collection(SITES).create({
      ...siteBody(business),
      name: 'A\u202Egnp.evil',
      address: 'Ladestationenverzeichnis'.repeat(10),
    })
    await owner.visit('/site/edit')
    await expect(owner.page.getByRole('link', { name: 'Agnp.evil' })).toBeVisible()
    await owner.expectNothingCut('sites to choose from')
    await expect(owner.page.getByRole('heading', { level: 2 })).toHaveText(
      'Which site do you want to edit?',
    )
    await owner.chooseSite('Pier')
    await owner.expectPath(`/site/edit/${site.id}`)
    await expect(owner.field('Site name')).toHaveValue('Pier')
    // With several sites, the form names its site before the first field.
    await expect(owner.page.getByRole('main').locator('form p').first()).toHaveText('Pier')
  })
})

/** The keys of what the browser has stored. */
const cachedKeys = (owner: Owner): Promise<readonly string[]> =>
  owner.page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('voltleaf')
        opening.addEventListener('success', () => {
          const objects = opening.result.transaction('objects').objectStore('objects')
          const requested = objects.getAllKeys()
          requested.addEventListener('success', () => {
            opening.result.close()
            resolve(requested.result.map(String))
          })
        })
      }),
  )

const NAMES = Array.from({ length: 12 }, (_, index) => `Site ${index + 1}`)

test('the button to the top appears after more than 100 pixels and scrolls smoothly', async ({
  owner,
}) => {
  await prepareSites(await owner.comeSignedIn(), ...NAMES)
  await owner.visit('/dashboard')
  await expect(owner.site('Site 12')).toBeVisible()
  await expect(owner.toTop).toBeHidden()
  await owner.scrollTo(100)
  await expect(owner.toTop).toBeHidden()
  await owner.scrollTo(101)
  await expect(owner.toTop).toBeVisible()

  await owner.scrollTo(300)
  const steps = await owner.countScrollSteps(async () => {
    await owner.toTop.click()
    await owner.expectScrolledTo(0)
  })
  expect(steps).toBeGreaterThan(1)
  await expect(owner.toTop).toBeHidden()

  await test.step('at the end of a form it covers no field', async () => {
    await owner.visit('/site/add')
    const last = owner.field('Contact phone')
    await expect(last).toBeVisible()
    await owner.scrollToEnd()
    await expect(owner.toTop).toBeVisible()
    const [field, arrow] = [await last.boundingBox(), await owner.toTop.boundingBox()]
    if (field === null || arrow === null) throw new Error('Both can be seen.')
    const isBeside = arrow.x >= field.x + field.width || arrow.y >= field.y + field.height
    expect(isBeside, JSON.stringify([field, arrow])).toBe(true)
  })

  await test.step('at 400 % it stays in the viewport', async () => {
    await owner.page.setViewportSize({ width: 320, height: 256 })
    await owner.scrollToEnd()
    await expect(owner.toTop).toBeInViewport({ ratio: 1 })
  })

  const expectBesideLanguages = async (what: string) => {
    const choice = owner.page.getByRole('contentinfo').getByRole('combobox')
    await expect(choice).toBeVisible()
    await owner.scrollToEnd()
    await expect(owner.toTop).toBeVisible()
    const [select, arrow] = [await choice.boundingBox(), await owner.toTop.boundingBox()]
    const end = (select?.x ?? 0) + (select?.width ?? 0)
    expect(end, what).toBeLessThanOrEqual(arrow?.x ?? 0)
  }
  await test.step('it does not cover the language field on a screen of any width', async () => {
    await owner.visit('/dashboard')
    for (const width of [320, 390, 600, 768, 1024, 1280, 1440]) {
      await owner.page.setViewportSize({ width, height: 730 })
      await expectBesideLanguages(`${width} px`)
    }
  })

  await test.step('with text at 200 % it does not cover the language field', async () => {
    await owner.page.setViewportSize(SCREENS.phone)
    await owner.setTextSize(32)
    await owner.visit('/dashboard')
    await expectBesideLanguages('200 %')
  })
})
