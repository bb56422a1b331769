import type PocketBase from 'pocketbase'

import { en } from '../support/english.ts'
import { makePhoto } from '../support/images.ts'
import { connectorBody, siteBody } from '../support/owner.ts'
import { expect, test as base, type Owner } from './driver.ts'
import { Wire, type Call } from './wire.ts'

// Requests that depend on real forms or a real browser. "web/data/store.test.ts" covers the other statements of
// sections 4, 5, 7 and 8 of the specification, with the same SDK on a fake network.

const test = base.extend<{ readonly wire: Wire }>({
  wire: async ({ owner }, use) => {
    // Without the event stream, pages read data once; "live.spec.ts" covers the reads that events cause.
    await owner.page.context().route('**/api/realtime', () => {})
    const wire = new Wire(owner)
    await use(wire)
    for (const { method, path, headers } of wire.everything) {
      const call = `${method} ${path}`
      expect(headers['accept-language'], `language of ${call}`).toMatch(/^[a-z]{2}/)
      if (/\/users\/auth-(methods|with-oauth2)$/.test(path)) continue
      expect(headers['authorization'] ?? '', `token of ${call}`).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    }
  },
})

const records = (collection: string): string => `/api/collections/${collection}/records`
const record = (collection: string, id: string): string => `${records(collection)}/${id}`
const USERS = '/api/collections/users'
const BUSINESSES = records('businesses')
const SITES = records('sites')
const CONNECTORS = records('connectors')
const SESSION = 'pocketbase_auth'

const BUSINESS_FIELDS =
  'id,name,logo,description,website,contact_email,legal_name,phone,country_code,party_id,licence,hidden,hidden_reason,collectionName'
const SITE_FIELDS =
  'collectionName,id,name,address,latitude,longitude,contact_email,contact_phone,cost,vehicle_capacity,photos,photo_categories,status,published,opening_hours,time_zone,city,postal_code,state,country,access,tariff,payment,facilities,parking_type,parking_restrictions,max_height_m,wheelchair,two_wheelers,drive_through,reference,confirmed,hidden,hidden_reason'
const CONNECTOR_FIELDS =
  'id,standard,format,site,current_type,kw_rating,tariff,reference,evse,evse_id,voltage,amperage'
const REPORT_FIELDS = 'id,site,reason,message,wants_answer,received,state,answer'
const TARIFF_FIELDS = 'id,name,currency,tax_included,elements,min_price,max_price,url'
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

/** The loading indicator of the screen. */
const busy = (owner: Owner) => owner.page.getByRole('main').locator('[aria-busy]')

const session = (
  owner: Owner,
): Promise<{ token: string; record: Record<string, unknown> } | null> =>
  owner.page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? 'null') as never, SESSION)

/** Replaces the stored token with an expired one, as it will be in five days. */
const expireStoredToken = (owner: Owner): Promise<void> =>
  owner.page.evaluate((key) => {
    const kept = JSON.parse(localStorage.getItem(key) ?? '{}') as { token: string; record: object }
    const [head, , signature] = kept.token.split('.')
    const claims = btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) - 1 }))
    const token = [head, claims, signature].join('.')
    localStorage.setItem(key, JSON.stringify({ ...kept, token }))
  }, SESSION)

/** Creates a user with a business, through the API. */
const withBusiness = async (owner: Owner, more: Record<string, unknown> = {}) => {
  const client = await owner.comeSignedIn()
  const userId = client.authStore.record?.id ?? ''
  const business = await client
    .collection('businesses')
    .create({ name: 'Harbour Lane Hotels', user: userId, ...more })
  return { client, userId, business }
}

/** Creates a user with a business, a site and a number of connectors, through the API. */
const withSite = async (owner: Owner, connectorCount = 0, more: Record<string, unknown> = {}) => {
  const { client, userId, business } = await withBusiness(owner)
  const site = await client.collection('sites').create({ ...siteBody(business.id), ...more })
  for (let count = 0; count < connectorCount; count++)
    await client.collection('connectors').create(connectorBody(site.id))
  return { client, userId, site }
}

const countOf = async (client: PocketBase, collection: string): Promise<number> =>
  (await client.collection(collection).getList(1, 1)).totalItems

/** Opens the form of a site and waits until it is shown. */
const openForm = async (owner: Owner, id: string): Promise<void> => {
  await owner.visit(`/site/edit/${id}`)
  await expect(owner.field(en.fields.sites.name)).toBeVisible()
}

const openDashboard = async (owner: Owner): Promise<void> => {
  await owner.visit('/dashboard')
  await expect(owner.business).toBeVisible()
}

const texts = (call: Call): Record<string, string> =>
  Object.fromEntries(
    call.parts.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]])),
  )
const files = (call: Call) =>
  call.parts.flatMap(({ name, file, type }) => (file === undefined ? [] : [[name, file, type]]))

test.describe('4. Sign-in flow and authentication', () => {
  test('a sign-in, from the exchange of the code to the data', async ({ owner, wire }) => {
    await owner.comeLater()
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
      // The stored sign-in state can be used once.
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

  test('The session is valid while its token has not passed its expiry time', async ({
    owner,
    wire,
  }) => {
    await owner.comeSignedIn()
    await owner.visit('/')
    await wire.one('POST', `${USERS}/auth-refresh`)
    await expect(owner.who).toBeVisible()
    await wire.settle()
    await expireStoredToken(owner)
    wire.forget()
    await owner.visit('/dashboard')
    await owner.expectPath('/login')
    await expect(owner.page.getByRole('button', { name: en.login.button('') })).toBeVisible()
    await wire.settle()
    expect(wire.calls()).toEqual([])
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

test('4. The loading flag and 7. Load the dashboard', async ({ owner, wire }) => {
  const { userId } = await withSite(owner)

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
    // Plain collections of the product are expanded, too (decision 0076).
    const ofSites = SITE_FIELDS.split(',').map((field) => `expand.sites(business).${field}`)
    const ofTariffs = TARIFF_FIELDS.split(',').map((field) => `expand.tariffs(business).${field}`)
    const ofReports = REPORT_FIELDS.split(',').map(
      (field) => `expand.sites(business).expand.reports(site).${field}`,
    )
    expect(lookup.query).toEqual({
      page: '1',
      perPage: '1',
      skipTotal: '1',
      filter: `user="${userId}"`,
      expand: 'sites(business),tariffs(business),sites(business).reports(site)',
      fields: [BUSINESS_FIELDS, ...ofSites, ...ofTariffs, ...ofReports].join(),
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
})

test.describe('5. Validation rules and 7. Businesses', () => {
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

    await owner.saveBusiness()
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
    // Read from the server, because the browser may have discarded the response body.
    const stored = client.collection('businesses')
    await expect.poll(async () => (await stored.getFullList()).length).toBe(1)
    const { id, logo } = await stored.getFirstListItem<{ id: string; logo: string }>('')
    const picture = owner.page.getByRole('img', {
      name: en.dashboard.logoOf('Harbour Lane Hotels'),
    })
    await expect(picture).toHaveAttribute('src', new RegExp(`/api/files/businesses/${id}/${logo}`))
  })

  test('A user has at most one business', async ({ owner, wire }) => {
    const client = await owner.comeSignedIn()
    // The page must not learn of the other business before its request.
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
    // The read checks whether this page created the stored business.
    owner.expectMissing('businesses', String(create?.body?.['id']))
    hold.release()
    await expect(owner.page.getByRole('main')).toContainText(en.failed.createBusiness)
    await expect(owner.field(en.fields.businesses.name)).toHaveValue('Typed here')
    expect(await countOf(client, 'businesses')).toBe(1)

    await owner.visit('/business/add')
    await owner.expectPath('/business/edit')
    // The draft is offered for the stored business.
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
      await owner.saveBusiness()
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
  })
})

test.describe('5. Validation rules and 7. Sites', () => {
  test('Create', async ({ owner, wire }) => {
    const { business } = await withBusiness(owner)

    await test.step('Site create always sends address, name, latitude, longitude, business, vehicle capacity and status; JSON without photos', async () => {
      await owner.visit('/site/add')
      await owner.fillSite({ ...QUAY, latitude: '0', longitude: '0', capacity: '0' })
      await owner.saveSite()
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

    await test.step("Create, multipart when there are photos: photos repeated, one per file; the capacity under the name 'vehicle'", async () => {
      await wire.settle()
      wire.forget()
      await owner.addSite({
        ...QUAY,
        name: 'Harbour Lane East',
        capacity: '4',
        cost: 'Free',
        photos: [await makePhoto('front.jpg'), await makePhoto('bay.jpg')],
      })
      const create = await wire.one('POST', SITES)
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
  })

  test('Update', async ({ owner, wire }) => {
    const { client, site } = await withSite(owner, 0, {
      cost: 'Free',
      contact_phone: '112',
      photos: [await makePhoto('front.jpg'), await makePhoto('bay.jpg')],
    })
    const [front, bay] = site['photos'] as [string, string]
    const path = record('sites', site.id)
    // The page must not learn of a change before its request.
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
      await owner.saveSite()
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
  })

  test('8. A newer duplicate request is sent: the older, identical request is cancelled', async ({
    owner,
    wire,
  }) => {
    const { site } = await withSite(owner)
    await openDashboard(owner)
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
})

test.describe('7. Connectors and composite operations', () => {
  test('Create a site: the site first, then each of its connectors with site set to its id, in parallel', async ({
    owner,
    wire,
  }) => {
    await withBusiness(owner)
    await owner.visit('/site/add')
    await owner.fillSite({ ...QUAY, connectors: [CCS, TYPE_2, CHADEMO] })
    const site = await wire.hold('POST', SITES)
    const connectors = await wire.hold('POST', CONNECTORS)
    await owner.saveSite()
    const [create] = await site.arrived(1)
    await wire.quiet()
    expect(wire.calls('POST', CONNECTORS)).toEqual([])
    site.release()
    // All three are in flight before the first response.
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
})
