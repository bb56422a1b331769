import type PocketBase from 'pocketbase'

import { en } from '../support/english.ts'
import { makePhoto } from '../support/images.ts'
import { connectorBody, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { expect, newPerson, test as base, type Owner } from './driver.ts'
import { Wire, type Call } from './wire.ts'

// What is sent and when, for each sentence of sections 4, 5, 7 and 8 of the specification. Times are
// moved by the page's clock, overlaps are made by holding requests: nothing here waits for luck.

const test = base.extend<{ readonly wire: Wire }>({
  wire: async ({ owner }, use) => {
    const wire = new Wire(owner)
    await use(wire)
    for (const { method, path, headers } of wire.everything) {
      const call = `${method} ${path}`
      expect(headers['accept-language'], `language of ${call}`).toMatch(/^[a-z]{2}/)
      if (/\/users\/auth-(methods|with-oauth2)$/.test(path)) continue
      expect(headers['authorization'], `token of ${call}`).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    }
  },
})

// The test keeps its own record of what happened; another one beside it would cost a quarter more.
test.use({ trace: 'off' })

const records = (collection: string): string => `/api/collections/${collection}/records`
const record = (collection: string, id: string): string => `${records(collection)}/${id}`
const USERS = '/api/collections/users'
const BUSINESSES = records('businesses')
const SITES = records('sites')
const CONNECTORS = records('connectors')
const SESSION = 'pocketbase_auth'
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const BUSINESS_FIELDS = 'id,name,logo,description,website,contact_email,collectionName'
const SITE_FIELDS =
  'collectionName,id,name,address,latitude,longitude,contact_email,contact_phone,cost,vehicle_capacity,photos,status'
const CONNECTOR_FIELDS = 'id,standard,format,site,current_type,kw_rating'
const ID: unknown = expect.stringMatching(/^[a-z0-9]{15}$/)

const QUAY = {
  address: '12 Quay Street, Portrush',
  latitude: '55.2044',
  longitude: '-6.6531',
  name: 'Harbour Lane Quay',
}
const CCS = { plug: 'IEC_62196_T2_COMBO', format: 'CABLE', current: 'DC', kw: '150' }
const TYPE_2 = { plug: 'IEC_62196_T2', format: 'SOCKET', current: 'AC_3_PHASE', kw: '22' }
const CHADEMO = { plug: 'CHADEMO', format: 'CABLE', current: 'DC', kw: '50' }

/** The part of the screen that says whether it is waiting. */
const busy = (owner: Owner) => owner.page.getByRole('main').locator('[aria-busy]')

const session = (
  owner: Owner,
): Promise<{ token: string; record: Record<string, unknown> } | null> =>
  owner.page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? 'null') as never, SESSION)

/** Work of the person that is kept on the device. */
const unfinished = (owner: Owner): Promise<string[]> =>
  owner.page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith('voltleaf:mutations:')),
  )

/** Makes the stored token one whose time has passed, as it will be in five days. */
const expireStoredToken = (owner: Owner): Promise<void> =>
  owner.page.evaluate((key) => {
    const kept = JSON.parse(localStorage.getItem(key) ?? '{}') as { token: string; record: object }
    const [head, , signature] = kept.token.split('.')
    const claims = btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) - 1 }))
    const token = [head, claims, signature].join('.')
    localStorage.setItem(key, JSON.stringify({ ...kept, token }))
  }, SESSION)

/** Somebody with a business, made without the browser. */
const withBusiness = async (owner: Owner, more: Record<string, unknown> = {}) => {
  const client = await owner.comeSignedIn()
  const userId = client.authStore.record?.id ?? ''
  const business = await client
    .collection('businesses')
    .create({ name: 'Harbour Lane Hotels', user: userId, ...more })
  return { client, userId, business }
}

/** Somebody with a business, a site and as many connectors as wanted. */
const withSite = async (owner: Owner, connectorCount = 0, more: Record<string, unknown> = {}) => {
  const { client, userId, business } = await withBusiness(owner)
  const site = await client.collection('sites').create({ ...siteBody(business.id), ...more })
  const connectors = []
  for (let count = 0; count < connectorCount; count++)
    // Each of its own kind: equal ones share a row of the form.
    connectors.push(
      await client
        .collection('connectors')
        .create({ ...connectorBody(site.id), kw_rating: 150 + count }),
    )
  return { client, userId, business, site, connectors }
}

const countOf = async (client: PocketBase, collection: string): Promise<number> =>
  (await client.collection(collection).getList(1, 1)).totalItems

const editSite = (id: string): string => `/site/edit/${id}`

/** Opens the form of a site and waits until it is there. */
const openForm = async (owner: Owner, id: string): Promise<void> => {
  await owner.visit(editSite(id))
  await expect(owner.field(en.fields.sites.name)).toBeVisible()
}

/** Opens the public page and lets the session be refreshed. */
const openHome = async (owner: Owner, wire: Wire): Promise<void> => {
  await owner.visit('/')
  await wire.one('POST', `${USERS}/auth-refresh`)
  await wire.settle()
}

const openDashboard = async (owner: Owner): Promise<void> => {
  await owner.visit('/dashboard')
  await expect(owner.business).toBeVisible()
}

/** Leaves the form while something is still sent: the dashboard waits for nothing. */
const expectDashboardAtRest = async (owner: Owner): Promise<void> => {
  await owner.backArrow.click()
  await expect(owner.business).toBeVisible()
  await expect(busy(owner)).toHaveAttribute('aria-busy', 'false')
}

/** Saves, and sees that the loading flag is false while that is sent. */
const expectNotLoading = async (
  owner: Owner,
  wire: Wire,
  method: string,
  path: string,
  save: () => Promise<void>,
): Promise<void> =>
  test.step('4. The loading flag is false while anything else is sent', async () => {
    const hold = await wire.hold(method, path)
    await save()
    await hold.arrived(1)
    await expectDashboardAtRest(owner)
    hold.release()
    await wire.settle()
  })

const texts = (call: Call): Record<string, string> =>
  Object.fromEntries(
    call.parts.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]])),
  )
const files = (call: Call) =>
  call.parts.flatMap(({ name, file, type }) => (file === undefined ? [] : [[name, file, type]]))

test.describe('4. Sign-in flow and authentication', () => {
  test('a sign-in, from the exchange of the code to the data, and the next one by another name', async ({
    owner,
    wire,
  }) => {
    const id = (await owner.comeLater()).authStore.record?.id ?? ''
    await owner.signIn()
    const signIn = await wire.one('POST', `${USERS}/auth-with-oauth2`)

    await test.step("2. Sign in via OAuth2 against the users collection, with the provider 'oidc'", async () => {
      expect(signIn.body).toEqual({
        provider: 'oidc',
        code: expect.stringMatching(/./) as unknown,
        codeVerifier: expect.stringMatching(/^.{43,}$/) as unknown,
        redirectURL: `${owner.url}/login`,
      })
      expect(signIn.headers['authorization']).toBeUndefined()
      // What was kept for the way back is used once.
      expect(await owner.page.evaluate(() => sessionStorage.length)).toBe(0)
    })

    await test.step('3. If the resulting session is valid, store the returned user record and fetch the dashboard data', async () => {
      const business = await wire.one('GET', BUSINESSES)
      const connectors = await wire.one('GET', CONNECTORS)
      const { token, record: user } = await signIn.answer()
      expect(await session(owner)).toEqual({ token, record: user })
      for (const call of [business, connectors]) {
        expect(call.began).toBeGreaterThan(signIn.ended)
        expect(call.headers['authorization']).toBe(token)
      }
      await expect(owner.bar).toContainText(owner.person.name)
      await expect(owner.bar).toContainText(owner.person.email)
    })

    await test.step('4. no name is sent when it does not differ', async () => {
      await wire.settle()
      expect(wire.writes).toEqual([])
    })

    await test.step("The session is kept in the browser's local storage, so it survives page reloads", async () => {
      const kept = await session(owner)
      wire.forget()
      await owner.reload()
      await expect(owner.bar).toContainText(owner.person.name)
      await owner.expectPath('/dashboard')
      expect((await wire.one('GET', BUSINESSES)).headers['authorization']).toBe(kept?.token)
      await wire.settle()
      expect(wire.calls('POST', /auth-with-oauth2/)).toEqual([])
    })

    await test.step("4. If meta.name differs from the stored user's name, update the user's name to the profile name", async () => {
      await owner.logOut()
      await owner.expectPath('/login')
      wire.forget()
      await owner.signIn({ name: 'Ada King' })
      const update = await wire.one('PATCH', record('users', id))
      expect(update.body).toEqual({ name: 'Ada King' })
      expect(update.began).toBeGreaterThan(
        (await wire.one('POST', `${USERS}/auth-with-oauth2`)).ended,
      )
      await expect(owner.bar).toContainText('Ada King')
      expect((await session(owner))?.record['name']).toBe('Ada King')
    })

    await test.step('7. an Accept-Language header is sent: the language that is shown', async () => {
      expect((await wire.one('GET', BUSINESSES)).headers['accept-language']).toBe('en')
      await wire.settle()
      wire.forget()
      await owner.page.getByLabel(en.shell.language).selectOption('fr')
      await expect(owner.page.locator('html')).toHaveAttribute('lang', 'fr')
      await owner.reload()
      expect((await wire.one('GET', BUSINESSES)).headers['accept-language']).toBe('fr')
    })
  })

  test('a sign-in that fails', async ({ owner, wire }) => {
    const problem = (text: string) => owner.page.getByText(text)
    /** The provider sends the person straight back, with this. */
    const answerAtOnce = async (answer: (state: string) => string) => {
      const isAsked = /\/auth\?/
      await owner.page.context().route(isAsked, (route) => {
        const state = new URL(route.request().url()).searchParams.get('state') ?? ''
        const location = `${owner.url}/login?${answer(state)}`
        return route.fulfill({ status: 302, headers: { location } })
      })
      return () => owner.page.context().unroute(isAsked)
    }
    const expectNothingSent = async () => {
      await owner.expectPath('/login')
      expect(wire.calls('POST')).toEqual([])
      expect(await session(owner)).toBeNull()
    }

    await test.step('an answer whose state is not the one that was sent is refused, with a message', async () => {
      await owner.visit('/login?code=stolen&state=unknown')
      await expect(problem(en.loginProblems.mismatch)).toBeVisible()
      await owner.expectPath('/login')

      await owner.visit('/login')
      await expect(problem(en.loginProblems.mismatch)).toHaveCount(0)
      const stop = await answerAtOnce(() => 'code=stolen&state=another')
      await owner.continueToProvider()
      await expect(problem(en.loginProblems.mismatch)).toBeVisible()
      await expectNothingSent()
      await stop()
    })

    await test.step('a sign-in that is cancelled at the provider says so', async () => {
      const stop = await answerAtOnce((state) => `error=access_denied&state=${state}`)
      await owner.continueToProvider()
      await expect(problem(en.loginProblems.cancelled)).toBeVisible()
      await expectNothingSent()
      await stop()
    })

    await test.step('3. a resulting session that is not valid is not stored', async () => {
      const stale = `e30.${Buffer.from(JSON.stringify({ exp: 1 })).toString('base64url')}.x`
      await wire.changeNext('POST', `${USERS}/auth-with-oauth2`, (answer) => ({
        ...answer,
        token: stale,
      }))
      await owner.continueToProvider()
      await owner.signInAtProvider()
      await expect(problem(en.login.failed)).toBeVisible()
      await wire.one('POST', `${USERS}/auth-with-oauth2`)
      expect(await session(owner)).toBeNull()
      expect(wire.calls('GET', /records/)).toEqual([])
    })

    await test.step('8. Any failure in a data call leaves the state as it was, and is shown: sign-in', async () => {
      wire.forget()
      await wire.failNext('POST', `${USERS}/auth-with-oauth2`, { status: 500 })
      await owner.continueToProvider()
      await owner.signInAtProvider()
      await wire.one('POST', `${USERS}/auth-with-oauth2`)
      await expect(owner.page.getByRole('alert')).toBeVisible()
      await owner.expectPath('/login')
      expect(await session(owner)).toBeNull()
      await owner.continueToProvider()
      await owner.signInAtProvider()
      await owner.expectPath('/dashboard')
    })
  })

  test('the way back from a sign-in', async ({ owner }) => {
    await test.step('afterwards the page first asked for is reached', async () => {
      await owner.visit('/business/add?from=mail')
      await owner.expectPath('/login')
      await expect(owner.page.getByText(en.login.required)).toBeVisible()
      await owner.continueToProvider()
      await owner.signInAtProvider()
      await owner.expectPath('/business/add?from=mail')
    })

    await test.step('a page of another origin is never reached', async () => {
      await owner.logOut()
      await owner.expectPath('/login')
      await owner.visit('/login')
      // The place where the guard leaves the path for Login.
      await owner.page.evaluate(
        (returnTo) => history.replaceState({ ...history.state, usr: { returnTo } }, ''),
        '//elsewhere.example/',
      )
      await owner.reload()
      await expect(owner.page.getByText(en.login.required)).toBeVisible()
      await owner.continueToProvider()
      await owner.signInAtProvider()
      await owner.expectPath('/dashboard')
    })
  })

  test('an expired session', async ({ owner, wire }) => {
    const client = await owner.comeSignedIn()

    await test.step('1. Clear any existing session', async () => {
      await openHome(owner, wire)
      await expireStoredToken(owner)
      await owner.visit('/login')
      const methods = await wire.hold('GET', `${USERS}/auth-methods`)
      await owner.continueToProvider()
      const [asked] = await methods.arrived(1)
      expect(await session(owner)).toBeNull()
      expect(asked?.headers['authorization']).toBeUndefined()
      methods.release()
      await expect(owner.page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    })

    await test.step('The session is valid while its token has not passed its expiry time', async () => {
      await owner.visit('/')
      await owner.hand(client)
      wire.forget()
      await openHome(owner, wire)
      await expect(owner.who).toBeVisible()
      await expireStoredToken(owner)
      wire.forget()
      await owner.visit('/dashboard')
      await owner.expectPath('/login')
      await expect(owner.page.getByRole('button', { name: en.login.button('') })).toBeVisible()
      await wire.settle()
      expect(wire.calls()).toEqual([])
    })
  })

  test('refreshing a session', async ({ owner, wire }) => {
    await owner.comeSignedIn()
    await owner.page.clock.install()

    await test.step('The session is refreshed at the start and daily', async () => {
      await owner.visit('/dashboard')
      const atStart = await wire.one('POST', `${USERS}/auth-refresh`)
      await wire.settle()
      const { token } = await atStart.answer()
      expect((await session(owner))?.token).toBe(token)
      await owner.page.clock.fastForward(DAY_MS - MINUTE_MS)
      await wire.settle()
      expect(wire.calls('POST')).toHaveLength(1)
      await owner.page.clock.fastForward(2 * MINUTE_MS)
      const [, daily] = await wire.several(2, 'POST', `${USERS}/auth-refresh`)
      expect(daily?.headers['authorization']).toBe(token)
      await wire.settle()
      expect((await session(owner))?.token).toBe((await daily?.answer())?.['token'])
    })

    await test.step('when it passes under an open page, nothing typed is lost and nothing sent; then the guard goes to Login', async () => {
      await owner.visit('/business/add')
      await owner.fillBusiness({ name: 'Typed before' })
      await wire.settle()
      await owner.page.clock.fastForward(5 * DAY_MS + MINUTE_MS)
      await expect(owner.dialog).toContainText(en.shell.expiredTitle)
      const opening = owner.page.context().waitForEvent('page')
      await owner.dialog.getByRole('button', { name: en.shell.signInAgain }).click()
      const tab = await opening
      await tab.waitForURL(`${owner.url}/login?again`)
      await tab.close()
      await owner.dialog.getByRole('button', { name: en.shell.close }).click()
      await owner.saveBusiness()
      await expect(owner.page.getByRole('main')).toContainText(en.problems.signedOut)
      await expect(owner.field(en.fields.businesses.name)).toHaveValue('Typed before')
      expect(wire.writes).toEqual([])
      await owner.page.getByRole('link', { name: en.actions.cancel }).click()
      await owner.expectPath('/login')
    })
  })

  test('another browser tab', async ({ owner, wire }) => {
    await withSite(owner)
    await openDashboard(owner)
    const other = await owner.openTab()

    await test.step('A sign-out made in another browser tab updates the current tab', async () => {
      await openDashboard(other)
      await other.logOut()
      await other.expectPath('/login')
      await owner.expectPath('/login')
      await expect(owner.bar).not.toContainText(owner.person.name)
    })

    await test.step('A sign-in made in another browser tab updates the current tab', async () => {
      await wire.settle()
      wire.forget()
      await other.signIn()
      await owner.expectPath('/dashboard')
      await expect(owner.bar).toContainText(owner.person.name)
      await expect(owner.site(QUAY.name)).toBeVisible()
      const pages = (await wire.several(2, 'GET', BUSINESSES)).map(({ page }) => page)
      expect(new Set(pages)).toEqual(new Set([owner.page, other.page]))
    })
  })
})

test('4. The loading flag and 7. Load the dashboard, until 4. Sign-out', async ({
  owner,
  wire,
  stack,
}) => {
  const { userId, site } = await withSite(owner, 1)

  await test.step('the flag starts true and is true while fetching data, and false afterwards', async () => {
    const business = await wire.hold('GET', BUSINESSES)
    await owner.visit('/dashboard')
    await business.arrived(1)
    await expect(busy(owner)).toHaveAttribute('aria-busy', 'true')
    business.release()
    await expect(owner.business).toBeVisible()
    await expect(busy(owner)).toHaveAttribute('aria-busy', 'false')
  })

  await test.step("the business: filter user equals the current user id, expands 'sites(business)', requests the fields of both", async () => {
    const lookup = await wire.one('GET', BUSINESSES)
    const ofSites = SITE_FIELDS.split(',').map((field) => `expand.sites(business).${field}`)
    expect(lookup.query).toEqual({
      page: '1',
      perPage: '1',
      skipTotal: '1',
      filter: `user="${userId}"`,
      expand: 'sites(business)',
      fields: [BUSINESS_FIELDS, ...ofSites].join(),
    })
  })

  await test.step('the connectors: full list in batches of 500, filter site.business.user equals the current user id', async () => {
    const list = await wire.one('GET', CONNECTORS)
    expect(list.query).toEqual({
      page: '1',
      perPage: '500',
      filter: `site.business.user="${userId}"`,
      fields: CONNECTOR_FIELDS,
      sort: 'created,id',
    })
  })

  await test.step('more than 500 connectors are fetched whole, the pages after the first in parallel and with skipTotal', async () => {
    await stack.sql`
      insert into connectors (id, standard, format, current_type, kw_rating, site)
      select lpad(number::text, 15, substr(${site.id}, 1, 9)), 'IEC_62196_T2', 'SOCKET', 'AC_3_PHASE', 22, ${site.id}
      from generate_series(100001, 101000) as number`
    await wire.settle()
    wire.forget()
    const pages = await wire.hold('GET', CONNECTORS)
    await owner.reload()
    await pages.arrived(1)
    pages.release()
    const later = await wire.hold('GET', CONNECTORS)
    const asked = { perPage: '500', skipTotal: 'true', fields: CONNECTOR_FIELDS }
    const queries = (await later.arrived(2)).map(({ query }) => query)
    expect(queries.find(({ page }) => page === '2')).toMatchObject(asked)
    expect(queries.find(({ page }) => page === '3')).toMatchObject(asked)
    later.release()
    await expect(owner.business).toContainText(en.facts.connectors(1001))
    await wire.several(3, 'GET', CONNECTORS)
  })

  await test.step('Sign-out clears the session, resets all client state and navigates to Login', async () => {
    await wire.settle()
    wire.forget()
    await owner.logOut()
    await owner.expectPath('/login')
    expect(await session(owner)).toBeNull()
    expect(wire.calls()).toEqual([])

    const business = await wire.hold('GET', BUSINESSES)
    await owner.continueToProvider()
    await owner.signInAtProvider(newPerson('Grace Hopper'))
    await business.arrived(1)
    await expect(owner.bar).toContainText('Grace Hopper')
    await expect(owner.business).toHaveCount(0)
    business.release()
    await expect(
      owner.page.getByRole('heading', { name: en.dashboard.noBusinessTitle }),
    ).toBeVisible()
  })
})

test.describe('5. Validation rules and 7. Businesses', () => {
  test('4. The loading flag from the sign-in to the first business', async ({ owner, wire }) => {
    await test.step('is true while signing in, and false afterwards', async () => {
      const exchange = await wire.hold('POST', `${USERS}/auth-with-oauth2`)
      const connectors = await wire.hold('GET', CONNECTORS)
      await owner.visit('/login')
      await owner.continueToProvider()
      await owner.signInAtProvider()
      await exchange.arrived(1)
      await expect(owner.page.getByRole('status')).toContainText([en.login.finishing])
      exchange.release()
      await connectors.arrived(1)
      await expect(busy(owner)).toHaveAttribute('aria-busy', 'true')
      connectors.release()
      await expect(
        owner.page.getByRole('heading', { name: en.dashboard.noBusinessTitle }),
      ).toBeVisible()
      await expect(busy(owner)).toHaveCount(0)
    })

    await test.step('a first-item lookup that finds nothing is no failure', async () => {
      expect((await wire.one('GET', BUSINESSES)).status).toBe(200)
      await expect(owner.page.getByRole('alert')).toHaveCount(0)
    })

    await test.step('is true while creating a business, and false afterwards', async () => {
      const create = await wire.hold('POST', BUSINESSES)
      await owner.visit('/business/add')
      await owner.fillBusiness({ name: 'Harbour Lane Hotels', contactEmail: '' })
      await owner.saveBusiness()
      await create.arrived(1)
      await owner.page.getByRole('link', { name: en.actions.cancel }).click()
      await expect(busy(owner)).toHaveAttribute('aria-busy', 'true')
      create.release()
      await expect(owner.business).toBeVisible()
      await expect(busy(owner)).toHaveAttribute('aria-busy', 'false')
    })

    await test.step('Business create sends contact_email, description, name and website only when they have a value', async () => {
      const create = await wire.one('POST', BUSINESSES)
      expect(create.query).toEqual({ fields: BUSINESS_FIELDS })
      expect(create.isMultipart).toBe(false)
      const user = (await session(owner))?.record['id']
      expect(create.body).toEqual({ id: ID, user, name: 'Harbour Lane Hotels' })
      await owner.expectPath('/dashboard')
    })
  })

  test('Create: fields logo (file), user, contact_email, description, name, website; multipart when a logo is given', async ({
    owner,
    wire,
  }) => {
    const client = await owner.comeSignedIn()
    await owner.visit('/business/add')
    await owner.fillBusiness({
      name: 'Harbour Lane Hotels',
      description: 'Rooms & chargers “by the sea”',
      website: 'https://harbour.example',
      contactEmail: 'desk@harbour.example',
      logo: await makePhoto('leaf.png', { type: 'png' }),
    })

    await test.step('8. Any failure in a data call leaves the state as it was, and is shown: create a business', async () => {
      await wire.failNext('POST', BUSINESSES, { status: 500 })
      await owner.saveBusiness()
      const alert = owner.page.getByRole('main').getByRole('alert')
      await expect(alert).toContainText(en.failed.createBusiness)
      await expect(alert).toContainText(en.problems.unexpected)
      await expect(owner.field(en.fields.businesses.description)).toHaveValue(
        'Rooms & chargers “by the sea”',
      )
      await wire.settle()
      expect(await countOf(client, 'businesses')).toBe(0)
      wire.forget()
      await owner.page.getByRole('button', { name: en.actions.retry }).click()
      await expect(owner.business).toContainText('Rooms & chargers “by the sea”')
      expect(await countOf(client, 'businesses')).toBe(1)
    })

    const create = await wire.one('POST', BUSINESSES)
    expect(texts(create)).toEqual({
      id: ID,
      user: client.authStore.record?.id,
      name: 'Harbour Lane Hotels',
      description: 'Rooms & chargers “by the sea”',
      website: 'https://harbour.example',
      contact_email: 'desk@harbour.example',
    })
    expect(files(create)).toEqual([['logo', 'leaf.png', 'image/png']])
    const { id, logo } = (await create.answer()) as { id: string; logo: string }
    const picture = owner.page.getByRole('img', {
      name: en.dashboard.logoOf('Harbour Lane Hotels'),
    })
    await expect(picture).toHaveAttribute('src', new RegExp(`/api/files/businesses/${id}/${logo}`))
  })

  test('A user has at most one business', async ({ owner, wire }) => {
    const client = await owner.comeSignedIn()
    // Nobody tells the page of the other business before it asks.
    await owner.loseLiveUpdates()
    await owner.visit('/business/add')
    await owner.fillBusiness({ name: 'Typed here' })
    await wire.settle()
    const user = client.authStore.record?.id
    await client.collection('businesses').create({ name: 'Made elsewhere', user })
    const hold = await wire.hold('POST', BUSINESSES)
    await owner.saveBusiness()
    const [create] = await hold.arrived(1)
    owner.watch.expectFailure(owner.url + BUSINESSES)
    // Whether it was this page that made the business that is there.
    owner.expectMissing('businesses', String(create?.body?.['id']))
    hold.release()
    await expect(owner.page.getByRole('main')).toContainText(en.failed.createBusiness)
    await expect(owner.field(en.fields.businesses.name)).toHaveValue('Typed here')
    expect(await countOf(client, 'businesses')).toBe(1)

    await owner.visit('/business/add')
    await owner.expectPath('/business/edit')
    // What was typed is offered for the business that is there.
    await expect(owner.field(en.fields.businesses.name)).toHaveValue('Typed here')
    await owner.page.getByRole('button', { name: en.drafts.startFresh }).click()
    await expect(owner.field(en.fields.businesses.name)).toHaveValue('Made elsewhere')
  })

  test('Update', async ({ owner, wire }) => {
    const { business } = await withBusiness(owner, {
      description: 'By the sea',
      website: 'https://old.example',
      contact_email: 'desk@harbour.example',
    })
    const path = record('businesses', business.id)

    await test.step('an empty change set is not sent', async () => {
      await owner.visit('/business/edit')
      await owner.fillBusiness({ name: 'Harbour Lane Inns' })
      await expect(owner.page.getByRole('button', { name: en.business.save })).toBeVisible()
      await owner.fillBusiness({ name: 'Harbour Lane Hotels ' })
      await expect(owner.page.getByRole('button', { name: en.business.save })).toHaveCount(0)
      await owner.field(en.fields.businesses.name).press('Enter')
      await wire.settle()
      expect(wire.writes).toEqual([])
    })

    await test.step('the same fields except user; only what changed, and what was emptied as ""', async () => {
      await owner.fillBusiness({ description: '', website: 'https://new.example' })
      await expectNotLoading(owner, wire, 'PATCH', path, () => owner.saveBusiness())
      const update = await wire.one('PATCH', path)
      expect(update.query).toEqual({ fields: BUSINESS_FIELDS })
      expect(update.isMultipart).toBe(false)
      expect(update.body).toEqual({ description: '', website: 'https://new.example' })
    })

    await test.step('multipart when a logo is given; the logo is sent only when a file is given', async () => {
      wire.forget()
      await owner.follow(en.dashboard.editBusiness)
      await owner.fillBusiness({
        name: 'Harbour Lane',
        logo: await makePhoto('leaf.png', { type: 'png' }),
      })
      await owner.saveBusiness()
      const update = await wire.one('PATCH', path)
      expect(texts(update)).toEqual({ name: 'Harbour Lane' })
      expect(files(update)).toEqual([['logo', 'leaf.png', 'image/png']])
      await owner.expectPath('/dashboard')
      await expect(owner.business.getByRole('img')).toBeVisible()
    })

    await test.step('Removing the logo sends logo ""', async () => {
      wire.forget()
      await owner.follow(en.dashboard.editBusiness)
      await owner.expectPicture(en.business.logoPreview)
      await owner.page.getByRole('button', { name: en.business.removeLogo }).click()
      await owner.saveBusiness()
      const update = await wire.one('PATCH', path)
      expect(update.isMultipart).toBe(false)
      expect(update.body).toEqual({ logo: '' })
      await owner.expectPath('/dashboard')
      await expect(owner.business.getByRole('img')).toHaveCount(0)
    })

    await test.step('8. Any failure in a data call leaves the state as it was, and is shown: update a business', async () => {
      await wire.failNext('PATCH', /businesses/, { status: 500 })
      await owner.follow(en.dashboard.editBusiness)
      await owner.fillBusiness({ name: 'Typed here' })
      await owner.saveBusiness()
      const alert = owner.page.getByRole('main').getByRole('alert')
      await expect(alert).toContainText(en.failed.updateBusiness)
      await expect(owner.field(en.fields.businesses.name)).toHaveValue('Typed here')
      await owner.backArrow.click()
      await expect(owner.business).toContainText('Harbour Lane')
      await expect(owner.business).not.toContainText('Typed here')
    })
  })
})

test.describe('5. Validation rules and 7. Sites', () => {
  test('Create, and 4. onboarded', async ({ owner, wire }) => {
    const { client, userId, business } = await withBusiness(owner)
    const user = record('users', userId)
    await wire.failNext('PATCH', user, { status: 500 })

    await test.step('Site create always sends address, name, latitude, longitude, business, vehicle capacity and status; JSON without photos', async () => {
      await owner.visit('/site/add')
      await owner.fillSite({ ...QUAY, latitude: '0', longitude: '0', capacity: '0' })
      await expectNotLoading(owner, wire, 'POST', SITES, () => owner.saveSite())
      const create = await wire.one('POST', SITES)
      expect(create.query).toEqual({ fields: SITE_FIELDS })
      expect(create.isMultipart).toBe(false)
      expect(create.body).toEqual({
        id: ID,
        address: QUAY.address,
        name: QUAY.name,
        latitude: 0,
        longitude: 0,
        business: business.id,
        vehicle_capacity: 0,
        status: 'AVAILABLE',
      })
    })

    await test.step('4. onboarded becomes true when the first site is saved', async () => {
      const update = await wire.one('PATCH', user)
      expect(update.body).toEqual({ onboarded: true })
      expect(update.began).toBeGreaterThan((await wire.one('POST', SITES)).ended)
    })

    await test.step('8. update the user: nobody asked for it by hand, so the next occasion repeats it', async () => {
      await wire.settle()
      await expect(owner.site(QUAY.name)).toBeVisible()
      await expect(owner.page.getByRole('alert')).toHaveCount(0)
      expect((await session(owner))?.record['onboarded']).toBe(false)
    })

    await test.step('contact_email, contact_phone and cost are sent only when they have a value', async () => {
      await owner.addSite({
        ...QUAY,
        name: 'Harbour Lane West',
        status: en.status.PLANNED,
        cost: '€0.45 / kWh',
        contactEmail: 'desk@harbour.example',
        contactPhone: '+44 28 7082 0000',
      })
      const [, create] = await wire.several(2, 'POST', SITES)
      expect(create?.body).toMatchObject({
        status: 'PLANNED',
        vehicle_capacity: 1,
        cost: '€0.45 / kWh',
        contact_email: 'desk@harbour.example',
        contact_phone: '+44 28 7082 0000',
      })
      await wire.several(2, 'PATCH', user)
      expect(await client.collection('users').getOne(userId)).toMatchObject({ onboarded: true })
    })

    await test.step("Create, multipart when there are photos: photos repeated, one per file; the capacity under the name 'vehicle'", async () => {
      await wire.settle()
      await owner.addSite({
        ...QUAY,
        name: 'Harbour Lane East',
        capacity: '4',
        cost: 'Free',
        photos: [await makePhoto('front.jpg'), await makePhoto('bay.jpg')],
      })
      const create = (await wire.several(3, 'POST', SITES))[2] as Call
      expect(texts(create)).toEqual({
        id: ID,
        address: QUAY.address,
        name: 'Harbour Lane East',
        latitude: '55.2044',
        longitude: '-6.6531',
        business: business.id,
        vehicle: '4',
        status: 'AVAILABLE',
        cost: 'Free',
      })
      expect(files(create)).toEqual([
        ['photos', 'front.jpg', 'image/jpeg'],
        ['photos', 'bay.jpg', 'image/jpeg'],
      ])
      const { id, photos } = (await create.answer()) as { id: string; photos: string[] }
      await expect(owner.site('Harbour Lane East').getByRole('img')).toHaveAttribute(
        'src',
        new RegExp(`/api/files/sites/${id}/${photos[0]}`),
      )
    })

    await test.step('4. onboarded is not sent again', async () => {
      await wire.settle()
      expect(wire.calls('PATCH')).toHaveLength(2)
    })
  })

  test('Update', async ({ owner, wire }) => {
    const { client, site } = await withSite(owner, 0, {
      cost: 'Free',
      contact_phone: '112',
      photos: [await makePhoto('front.jpg'), await makePhoto('bay.jpg')],
    })
    const [front, bay] = site['photos'] as [string, string]
    const path = record('sites', site.id)
    // Nobody tells the page of a change before it asks.
    await owner.loseLiveUpdates()

    await test.step('a site update with an empty change set is not sent', async () => {
      await openForm(owner, site.id)
      await owner.fillSite({ name: `${QUAY.name} and more`, latitude: '55.20440' })
      await expect(owner.page.getByRole('button', { name: en.site.save })).toBeVisible()
      await owner.fillSite({ name: `${QUAY.name} ` })
      await expect(owner.page.getByRole('button', { name: en.site.save })).toHaveCount(0)
      await owner.field(en.fields.sites.name).press('Enter')
      await wire.settle()
      expect(wire.writes).toEqual([])
    })

    await test.step('partial fields, JSON without photos; what was emptied as "", If-Match with the version that was read', async () => {
      const read = await wire.one('GET', path)
      expect(read.query).toEqual({ fields: SITE_FIELDS })
      await owner.fillSite({ capacity: '6', cost: '', latitude: '55.2045' })
      await expectNotLoading(owner, wire, 'PATCH', path, () => owner.saveSite())
      const update = await wire.one('PATCH', path)
      expect(update.query).toEqual({ fields: SITE_FIELDS })
      expect(update.isMultipart).toBe(false)
      expect(update.body).toEqual({ vehicle_capacity: 6, cost: '', latitude: 55.2045 })
      expect(update.headers['if-match']).toBe(await read.etag())
    })

    await test.step("Remove one photo: update with body {'photos-': [photoName]}, the stored file name", async () => {
      wire.forget()
      await owner.openSite(QUAY.name)
      await owner.removePhoto(1)
      await owner.saveSite()
      const update = await wire.one('PATCH', path)
      expect(update.query).toEqual({ fields: SITE_FIELDS })
      expect(update.isMultipart).toBe(false)
      expect(update.body).toEqual({ 'photos-': [front] })
      await owner.expectPath('/dashboard')
      expect((await client.collection('sites').getOne(site.id))['photos']).toEqual([bay])
    })

    await test.step('multipart with photos, and then the capacity is called vehicle', async () => {
      wire.forget()
      await owner.openSite(QUAY.name)
      await owner.fillSite({ capacity: '7', photos: [await makePhoto('front.jpg')] })
      await owner.saveSite()
      const update = await wire.one('PATCH', path)
      expect(texts(update)).toEqual({ vehicle: '7' })
      expect(files(update)).toEqual([['photos', 'front.jpg', 'image/jpeg']])
      expect(update.headers['idempotency-key']).toMatch(/./)
      await owner.expectPath('/dashboard')
    })

    await test.step('a version that is not the newest is refused, and what was typed is kept', async () => {
      await owner.openSite(QUAY.name)
      await owner.fillSite({ name: 'Typed here' })
      await wire.settle()
      wire.forget()
      await client.collection('sites').update(site.id, { name: 'Changed elsewhere' })
      owner.expectMissing('sites', site.id)
      await owner.saveSite()
      expect((await wire.one('PATCH', path)).status).toBe(412)
      await expect(owner.page.getByText(en.drafts.choose)).toBeVisible()
      await expect(owner.field(en.fields.sites.name)).toHaveValue('Typed here')
      expect(await client.collection('sites').getOne(site.id)).toMatchObject({
        name: 'Changed elsewhere',
      })
    })
  })

  test('a form that is opened twice, and one of an unknown site', async ({
    owner,
    wire,
    stack,
  }) => {
    const { site } = await withSite(owner)
    await openDashboard(owner)

    await test.step('8. A newer duplicate request is sent: the older, identical request is cancelled', async () => {
      const reads = await wire.hold('GET', record('sites', site.id))
      await owner.openSite(QUAY.name)
      await reads.arrived(1)
      await owner.backArrow.click()
      await owner.openSite(QUAY.name)
      const [older, newer] = await reads.arrived(2)
      await expect.poll(() => older?.failure).toBe('net::ERR_ABORTED')
      expect(newer?.failure).toBeUndefined()
      reads.release()
      await expect(owner.field(en.fields.sites.name)).toHaveValue(QUAY.name)
      await expect(owner.page.getByRole('alert')).toHaveCount(0)
    })

    await test.step("a site update for a site not in the user's data is not sent", async () => {
      const { site: foreign } = await newOwnerWithSite(stack.url)
      owner.expectMissing('sites', foreign.id)
      await owner.visit(editSite(foreign.id))
      await expect(owner.page.getByText(en.site.notFoundTitle)).toBeVisible()

      await openDashboard(owner)
      await owner.openSite(QUAY.name)
      await owner.backArrow.click()
      await owner.deleteSite(QUAY.name)
      owner.expectMissing('sites', site.id)
      await owner.page.goForward()
      await expect(owner.page.getByText(en.site.notFoundTitle)).toBeVisible()
      await wire.settle()
      expect(wire.calls('PATCH')).toEqual([])
    })
  })
})

test.describe('7. Connectors and composite operations', () => {
  test('Create a site', async ({ owner, wire }) => {
    const { client } = await withBusiness(owner)

    await test.step('8. Any failure in a data call leaves the state as it was, and is shown: create a site', async () => {
      await wire.failNext('POST', SITES, { status: 500 })
      await owner.visit('/site/add')
      await owner.fillSite({ ...QUAY, connectors: [CCS, TYPE_2, CHADEMO] })
      await owner.saveSite()
      const alert = owner.page.getByRole('main').getByRole('alert')
      await expect(alert).toContainText(en.failed.createSite)
      await expect(owner.field(en.fields.sites.name)).toHaveValue(QUAY.name)
      expect(wire.calls('POST', CONNECTORS)).toEqual([])
      expect(await countOf(client, 'sites')).toBe(0)
      await owner.page.getByRole('link', { name: en.actions.cancel }).click()
      await expect(
        owner.page.getByRole('heading', { name: en.dashboard.noSitesTitle }),
      ).toBeVisible()
    })

    await test.step('the site first, then each of its connectors with site set to its id, in parallel', async () => {
      // What was typed is still there.
      await owner.visit('/site/add')
      await expect(owner.field(en.fields.sites.name)).toHaveValue(QUAY.name)
      await expect(owner.connectors).toHaveCount(3)
      wire.forget()
      const site = await wire.hold('POST', SITES)
      const connectors = await wire.hold('POST', CONNECTORS)
      await owner.saveSite()
      const [create] = await site.arrived(1)
      await wire.quiet()
      expect(wire.calls('POST', CONNECTORS)).toEqual([])
      site.release()
      // All three are on their way before any has an answer.
      const held = await connectors.arrived(3)
      const rest = { id: ID, site: create?.body?.['id'] }
      const dc = { format: 'CABLE', current_type: 'DC' }
      const ac = { format: 'SOCKET', current_type: 'AC_3_PHASE' }
      expect(new Set(held.map(({ body }) => body))).toEqual(
        new Set([
          { ...rest, ...dc, standard: 'IEC_62196_T2_COMBO', kw_rating: 150 },
          { ...rest, ...ac, standard: 'IEC_62196_T2', kw_rating: 22 },
          { ...rest, ...dc, standard: 'CHADEMO', kw_rating: 50 },
        ]),
      )
      for (const { query } of held) expect(query).toEqual({ fields: CONNECTOR_FIELDS })
      connectors.release()
      await owner.expectPath('/dashboard')
      await wire.several(3, 'POST', CONNECTORS)
      await expect(owner.site(QUAY.name).getByRole('listitem')).toHaveCount(3)
    })

    await test.step('a site whose answer was lost is not created twice', async () => {
      await wire.settle()
      wire.forget()
      await wire.failNext('POST', SITES, 'answer lost')
      await owner.visit('/site/add')
      await owner.fillSite({ ...QUAY, name: 'Harbour Lane West' })
      await owner.addPreset('CCS2 · 150 kW')
      await owner.saveSite()
      await expect(owner.page.getByText(en.failed.createSite)).toBeVisible()
      expect(wire.calls('POST', CONNECTORS)).toEqual([])
      await owner.page.getByRole('button', { name: en.actions.retry }).click()
      await owner.expectPath('/dashboard')
      const ids = wire.calls('POST', SITES).map(({ body }) => body?.['id'])
      expect(ids).toEqual([ids[0], ids[0]])
      await expect(owner.site('Harbour Lane West').getByRole('listitem')).toHaveCount(1)
      expect(await countOf(client, 'sites')).toBe(2)
      expect(await countOf(client, 'connectors')).toBe(4)
    })

    await test.step('a save of connectors that was not finished is finished after a reload, and nothing is doubled', async () => {
      await wire.settle()
      wire.forget()
      await wire.failNext('POST', CONNECTORS, 'answer lost')
      await wire.failNext('POST', CONNECTORS, 'cut off', 2)
      await owner.visit('/site/add')
      await owner.fillSite({ ...QUAY, name: 'Harbour Lane East', connectors: [CHADEMO] })
      await owner.addPreset('CCS2 · 150 kW')
      await owner.addPreset('Type 2 · 22 kW')
      await owner.saveSite()
      await expect(owner.page.getByText(en.form.partlySaved)).toBeVisible()
      expect(await countOf(client, 'connectors')).toBe(5)
      const first = wire.calls('POST', CONNECTORS).map(({ body }) => body?.['id'])
      const { id: site } = (await wire.one('POST', SITES)).body ?? {}
      wire.forget()
      await owner.visit('/dashboard')
      await expect(owner.site('Harbour Lane East').getByRole('listitem')).toHaveCount(3)
      const again = await wire.several(2, 'POST', CONNECTORS)
      const stored = await client
        .collection('connectors')
        .getFullList({ filter: `site="${String(site)}"` })
      expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(first))
      expect(first).toEqual(expect.arrayContaining(again.map(({ body }) => body?.['id'])))
      expect(await countOf(client, 'sites')).toBe(3)
      expect(await countOf(client, 'connectors')).toBe(7)
      expect(await unfinished(owner)).toEqual([])
    })
  })

  test('Batch create, update or delete of connectors: one call per connector, issued in parallel', async ({
    owner,
    wire,
  }) => {
    const { client, site, connectors } = await withSite(owner, 4)
    const [first, second, third, fourth] = connectors
      .toSorted((one, other) => Number(other['kw_rating']) - Number(one['kw_rating']))
      .map(({ id }) => id)
    await openForm(owner, site.id)
    await owner.fillConnector(1, { kw: '50' })
    await owner.fillConnector(2, { plug: 'CHADEMO' })
    await owner.removeConnector(4)
    await owner.removeConnector(3)
    await owner.addConnector(TYPE_2)
    const [create, update, remove] = await Promise.all([
      wire.hold('POST', /\/connectors\//),
      wire.hold('PATCH', /\/connectors\//),
      wire.hold('DELETE', /\/connectors\//),
    ])
    await owner.saveSite()
    const [created, updated, removed] = await Promise.all([
      create.arrived(1),
      update.arrived(2),
      remove.arrived(2),
    ])
    expect(created.map(({ path, body }) => [path, body])).toEqual([
      [CONNECTORS, expect.objectContaining({ site: site.id, standard: 'IEC_62196_T2' })],
    ])
    expect(new Set(updated.map(({ path, query, body }) => [path, query, body]))).toEqual(
      new Set([
        [record('connectors', first ?? ''), { fields: CONNECTOR_FIELDS }, { kw_rating: 50 }],
        [record('connectors', second ?? ''), { fields: CONNECTOR_FIELDS }, { standard: 'CHADEMO' }],
      ]),
    )
    expect(new Set(removed.map(({ path }) => path))).toEqual(
      new Set([record('connectors', third ?? ''), record('connectors', fourth ?? '')]),
    )
    for (const hold of [update, remove]) hold.release()
    await test.step('4. The loading flag is false while connectors are sent', async () => {
      await expectDashboardAtRest(owner)
    })
    create.release()
    await wire.settle()
    expect(wire.writes).toHaveLength(5)
    expect(await countOf(client, 'connectors')).toBe(3)
  })

  test('Delete a site', async ({ owner, wire }) => {
    const { client, site } = await withSite(owner, 3)
    await owner.page.clock.install()
    await openDashboard(owner)

    await test.step('a delete that is undone is not sent', async () => {
      await owner.deleteSite(QUAY.name)
      await owner.undo()
      await expect(owner.site(QUAY.name)).toBeVisible()
      await owner.page.clock.fastForward(MINUTE_MS)
      await wire.settle()
      expect(wire.writes).toEqual([])
    })

    await test.step('8. Any failure in a data call leaves the state as it was, and is shown: delete a site', async () => {
      await wire.failNext('DELETE', /\/connectors\//, { status: 500 }, 3)
      await owner.deleteSite(QUAY.name)
      await owner.page.clock.fastForward(8000)
      await expect(owner.page.getByRole('alert')).toContainText(en.failed.deleteSite)
      await expect(owner.site(QUAY.name)).toBeVisible()
      await wire.settle()
      expect(wire.calls('DELETE', /\/sites\//)).toEqual([])
      expect(await countOf(client, 'sites')).toBe(1)
    })

    await test.step('delete each of its connectors, then delete the site, once the time to undo has passed', async () => {
      wire.forget()
      const connectors = await wire.hold('DELETE', /\/connectors\//)
      await owner.deleteSite(QUAY.name)
      await wire.settle()
      expect(wire.writes).toEqual([])
      await owner.page.clock.fastForward(8000)
      await connectors.arrived(3)
      await wire.quiet()
      expect(wire.calls('DELETE', /\/sites\//)).toEqual([])
      connectors.release()
      const last = await wire.one('DELETE', record('sites', site.id))
      for (const call of await wire.several(3, 'DELETE', /\/connectors\//))
        expect(call.ended).toBeLessThan(last.began)
      expect(await countOf(client, 'sites')).toBe(0)
    })
  })

  test('Delete a site and go', async ({ owner, wire }) => {
    const { client, business, site } = await withSite(owner, 2)
    const west = await client
      .collection('sites')
      .create({ ...siteBody(business.id), name: 'Harbour Lane West' })
    for (const _ of [1, 2]) await client.collection('connectors').create(connectorBody(west.id))

    await test.step('leaving the page sends what waits: one delete of the site, which takes its connectors along', async () => {
      await openDashboard(owner)
      await owner.deleteSite('Harbour Lane West')
      await owner.visit('/')
      await owner.expectSoon(() => countOf(client, 'sites'), 1)
      expect(wire.calls('DELETE', /\/connectors\//)).toEqual([])
      expect(await countOf(client, 'connectors')).toBe(2)
    })

    await test.step('a delete that waits when the tab closes is sent at the next start, connectors before the site', async () => {
      await owner.page.clock.install()
      await openDashboard(owner)
      await owner.deleteSite(QUAY.name)
      // What a closing page sends at the last moment may well be lost.
      await owner.goOffline()
      await owner.page.close()
      await owner.goOnline()
      wire.forget()

      const later = await owner.openTab()
      await later.visit('/dashboard')
      await expect(
        later.page.getByRole('heading', { name: en.dashboard.noSitesTitle }),
      ).toBeVisible()
      await wire.settle(later.page)
      await later.page.clock.fastForward(MINUTE_MS)
      const last = await wire.one('DELETE', record('sites', site.id))
      for (const call of await wire.several(2, 'DELETE', /\/connectors\//))
        expect(call.ended).toBeLessThan(last.began)
      expect(await countOf(client, 'sites')).toBe(0)
    })
  })
})

test.describe('8. The error catalogue', () => {
  test('unreadable answers', async ({ owner, wire }) => {
    await withSite(owner)
    const alert = owner.page.getByRole('alert')
    const retry = () => owner.page.getByRole('button', { name: en.actions.retry }).click()

    await test.step("An error with no specific message: 'Something went wrong while processing your request.'", async () => {
      await wire.failNext('GET', BUSINESSES, { status: 500 })
      await owner.visit('/dashboard')
      await expect(alert).toContainText('Something went wrong while processing your request.')
    })

    await test.step('4. The loading flag is false after a failure', async () => {
      await expect(owner.page.getByText(en.dashboard.errorTitle)).toBeVisible()
      await expect(busy(owner)).toHaveCount(0)
    })

    await test.step('Any failure in a data call leaves the state as it was, and is shown: fetch', async () => {
      await wire.failNext('GET', BUSINESSES, 'cut off')
      await retry()
      await expect(alert).toContainText(en.problems.offline)
    })

    await test.step('Any answer with status 400 or above is treated as an error', async () => {
      await wire.settle()
      wire.forget()
      for (const status of [503, 500, 404, 403, 400])
        await wire.failNext('GET', CONNECTORS, { status })
      for (const [index, status] of [400, 403, 404, 500, 503].entries()) {
        await retry()
        const calls = await wire.several(index + 1, 'GET', CONNECTORS)
        expect(calls.at(-1)?.status).toBe(status)
        await expect(alert).toContainText(en.dashboard.errorTitle)
        await expect(alert).not.toContainText(en.problems.offline)
        await wire.settle()
      }
      await retry()
      await expect(owner.business).toBeVisible()
      await expect(owner.site(QUAY.name)).toBeVisible()
      await wire.several(6, 'GET', CONNECTORS)
    })
  })

  test('Any failure in a data call leaves the state as it was, and is shown: what is changed of a site', async ({
    owner,
    wire,
  }) => {
    const { client, business, site } = await withSite(owner, 2)
    const [west, east] = await Promise.all([
      client.collection('sites').create({ ...siteBody(business.id), name: 'Harbour Lane West' }),
      client.collection('sites').create({
        ...siteBody(business.id),
        name: 'Harbour Lane East',
        photos: [await makePhoto('front.jpg')],
      }),
    ])
    const alert = owner.page.getByRole('main').getByRole('alert')

    await test.step('update a site', async () => {
      await wire.failNext('PATCH', record('sites', west.id), { status: 500 })
      await openForm(owner, west.id)
      await owner.fillSite({ name: 'Typed here' })
      await owner.saveSite()
      await expect(alert).toContainText(en.failed.updateSite)
      await expect(owner.field(en.fields.sites.name)).toHaveValue('Typed here')
      await owner.backArrow.click()
      await expect(owner.site('Harbour Lane West')).toBeVisible()
    })

    await test.step('remove a photo', async () => {
      await wire.failNext('PATCH', record('sites', east.id), { status: 500 })
      await owner.openSite('Harbour Lane East')
      await owner.removePhoto(1)
      await owner.saveSite()
      await expect(alert).toContainText(en.failed.removePhoto)
      await owner.backArrow.click()
      await expect(owner.site('Harbour Lane East').getByRole('img')).toBeVisible()
    })

    await test.step('create, update and delete connectors', async () => {
      for (const method of ['POST', 'PATCH', 'DELETE'])
        await wire.failNext(method, /\/connectors\//, { status: 500 })
      await openForm(owner, site.id)
      await owner.fillConnector(1, { kw: '50' })
      await owner.removeConnector(2)
      await owner.addConnector(TYPE_2)
      await owner.saveSite()
      await expect(alert).toContainText(en.failed.saveConnectors)
      await expect(owner.summaryOf(1)).toContainText('50 kW')
      await expect(owner.summaryOf(2)).toContainText('Type 2')
      expect(await countOf(client, 'connectors')).toBe(2)
      await owner.backArrow.click()
      await expect(owner.business).toContainText(en.facts.connectors(2))
      await expect(owner.business).toContainText(en.facts.power('301'))
    })
  })
})
