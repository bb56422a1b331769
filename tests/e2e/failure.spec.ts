import { API } from '#domain/api.ts'
import { BUSINESSES, CONNECTORS, SITES, USERS } from '#domain/collection.ts'
import { makeNoise, makePhoto } from '../support/images.ts'
import { expect, test, type Owner } from './driver.ts'
import { prepareBusiness, prepareSites } from './prepare.ts'
import { readStored } from './stored.ts'

const SITE = {
  address: '12 Quay Street, Portrush',
  latitude: '55.2044',
  longitude: '-6.6531',
  name: 'Harbour Lane Quay',
  cost: '£0.62 / kWh',
  contactPhone: '+44 28 7000 0000',
}
const CHADEMO = { plug: 'CHAdeMO', format: 'Cable attached', current: 'DC', kw: '50' }
const CCS = { plug: 'CCS2 (Combo 2)', format: 'Cable attached', current: 'DC', kw: '150' }

const BROKEN = 'Something went wrong while processing your request.'
const OFFLINE = 'You are offline.'
const KEPT = 'Not saved. What you typed is still here.'

/** Presses save, sees it fail with these words, and the form just as it was. */
const expectFormKept = async (owner: Owner, save: () => Promise<void>, ...words: string[]) => {
  const before = await owner.readForm()
  await save()
  for (const each of words) await expect(owner.alert).toContainText(each)
  expect(await owner.readForm()).toEqual(before)
}

test.describe('a save that fails leaves the form as it was, stores nothing and can be retried:', () => {
  for (const [how, words] of [
    [{ status: 500 }, BROKEN],
    ['cut off', OFFLINE],
  ] as const) {
    const name = typeof how === 'string' ? how : `answered with ${how.status}`

    test(`a new business, ${name}`, async ({ owner, stack }) => {
      const stored = readStored(stack, owner.person.email)
      await owner.comeSignedIn()
      await owner.visit('/business/add')
      await owner.fillBusiness({
        name: 'Harbour Lane Hotels',
        description: 'Three small hotels.',
        website: 'https://harbour-lane.example',
        logo: await makePhoto('logo.png', { type: 'png' }),
      })
      await owner.failNext('POST', API.records(BUSINESSES), how)
      const save = () => owner.saveBusiness()
      await expectFormKept(owner, save, 'Your business was not saved.', words, KEPT)
      expect(await stored.businesses()).toEqual([])

      await owner.retry()
      await owner.expectPath('/dashboard')
      await owner.expectPicture('Logo of Harbour Lane Hotels')
      expect(await stored.businesses()).toMatchObject([
        { name: 'Harbour Lane Hotels', description: 'Three small hotels.' },
      ])
    })

    test(`a new site, ${name}`, async ({ owner, stack }) => {
      const stored = readStored(stack, owner.person.email)
      await prepareBusiness(await owner.comeSignedIn())
      await owner.visit('/site/add')
      await owner.fillSite({
        ...SITE,
        connectors: [CHADEMO, CCS],
        photos: [await makePhoto('front.jpg')],
      })
      await owner.failNext('POST', API.records(SITES), how)
      await expectFormKept(owner, () => owner.saveSite(), 'The site was not saved.', words, KEPT)
      expect(await stored.sites()).toEqual([])
      expect(await stored.connectors()).toEqual([])

      await owner.retry()
      await owner.expectPath('/dashboard')
      await owner.expectPicture('Photo of Harbour Lane Quay')
      expect(await stored.sites()).toMatchObject([
        { name: 'Harbour Lane Quay', photos: [expect.stringContaining('front')] },
      ])
      expect(await stored.connectors()).toMatchObject([{ kw_rating: 50 }, { kw_rating: 150 }])
    })

    test(`a changed site, ${name}`, async ({ owner, stack }) => {
      const stored = readStored(stack, owner.person.email)
      const [site] = await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
      const before = await stored.sites()
      await owner.visit(`/site/edit/${site?.id}`)
      await owner.fillSite({ name: 'Harbour Lane Pier', cost: 'Free', connectors: [CHADEMO] })
      await owner.failNext('PATCH', API.record(SITES, site?.id ?? ''), how)
      await expectFormKept(owner, () => owner.saveSite(), 'The site was not saved.', words, KEPT)
      expect(await stored.sites()).toEqual(before)
      expect(await stored.connectors()).toHaveLength(1)

      await owner.retry()
      await owner.expectPath('/dashboard')
      await expect(owner.site('Harbour Lane Pier')).toContainText('Free')
      expect(await stored.sites()).toMatchObject([{ name: 'Harbour Lane Pier', cost: 'Free' }])
      expect(await stored.connectors()).toHaveLength(2)
    })
  }

  test('a changed business', async ({ owner, stack }) => {
    const stored = readStored(stack, owner.person.email)
    const business = await prepareBusiness(await owner.comeSignedIn())
    await owner.visit('/business/edit')
    await owner.fillBusiness({ name: 'Harbour Lane Inns' })
    await owner.failNext('PATCH', API.record(BUSINESSES, business.id))
    const save = () => owner.saveBusiness()
    await expectFormKept(owner, save, 'Your business was not saved.', BROKEN, KEPT)
    expect(await stored.businesses()).toMatchObject([{ name: 'Harbour Lane Hotels' }])

    await owner.retry()
    await owner.expectPath('/dashboard')
    expect(await stored.businesses()).toMatchObject([{ name: 'Harbour Lane Inns' }])
  })

  test('a photo that is removed', async ({ owner, stack }) => {
    const stored = readStored(stack, owner.person.email)
    await prepareBusiness(await owner.comeSignedIn())
    await owner.addSite({ ...SITE, photos: [await makePhoto('front.jpg')] })
    const [site] = await stored.sites()
    await owner.openSite('Harbour Lane Quay')
    await owner.removePhoto(1)
    await owner.failNext('PATCH', API.record(SITES, site?.id ?? ''))
    await expectFormKept(owner, () => owner.saveSite(), 'The photo was not removed.', BROKEN)
    expect(await stored.sites()).toEqual([site])

    await owner.retry()
    await owner.expectPath('/dashboard')
    expect(await stored.sites()).toEqual([{ ...site, photos: [] }])
  })
})

test('a save whose answer is lost is not made twice', async ({ owner, stack }) => {
  const stored = readStored(stack, owner.person.email)
  await owner.comeSignedIn()
  await owner.visit('/business/add')
  await owner.fillBusiness({ name: 'Harbour Lane Hotels' })
  await owner.failNext('POST', API.records(BUSINESSES), 'answer lost')
  await owner.saveBusiness()
  await expect(owner.alert).toContainText(OFFLINE)
  // The second attempt finds the id taken, and looks for what the first one made.
  owner.expectFailureAt(API.records(BUSINESSES))
  await owner.retry()
  await owner.expectPath('/dashboard')
  expect(await stored.businesses()).toHaveLength(1)

  await owner.visit('/site/add')
  await owner.fillSite({ ...SITE, connectors: [CHADEMO], photos: [await makePhoto('front.jpg')] })
  await owner.failNext('POST', API.records(SITES), 'answer lost')
  await owner.saveSite()
  await expect(owner.alert).toContainText(OFFLINE)
  owner.expectFailureAt(API.records(SITES))
  await owner.retry()
  await owner.expectPath('/dashboard')
  expect(await stored.sites()).toMatchObject([{ photos: [expect.stringContaining('front')] }])
  expect(await stored.connectors()).toHaveLength(1)
})

test.describe('a connector that is not saved is marked on its row', () => {
  test('while the site and the others are, and is retried alone', async ({ owner, stack }) => {
    const stored = readStored(stack, owner.person.email)
    await prepareBusiness(await owner.comeSignedIn())
    await owner.visit('/site/add')
    await owner.fillSite({ ...SITE, connectors: [CHADEMO, CCS] })
    const before = await owner.readForm()
    await owner.failNext('POST', API.records(CONNECTORS))
    await owner.saveSite()
    await expect(owner.alert).toContainText('Some connectors were not saved.')
    await expect(owner.alert).toContainText('The site is saved, but some connectors are not.')
    await expect(owner.unsavedConnectors).toHaveCount(1)
    await expect(owner.unsavedConnectors).toContainText(`Not saved. ${BROKEN}`)
    expect(await owner.readForm()).toEqual(before)
    const [site] = await stored.sites()
    const [saved, ...others] = await stored.connectors()
    expect(others).toEqual([])

    await owner.retry()
    await owner.expectPath('/dashboard')
    expect(await stored.sites()).toEqual([site])
    const both = await stored.connectors()
    expect(both).toMatchObject([{ kw_rating: 50 }, { kw_rating: 150 }])
    expect(both).toContainEqual(saved)
  })

  test('and what is wrong with it on its field', async ({ owner, stack }) => {
    const stored = readStored(stack, owner.person.email)
    const [site] = await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
    await owner.visit(`/site/edit/${site?.id}`)
    await owner.fillConnector(1, { kw: '300' })
    await owner.failNext('PATCH', /\/connectors\/records\/\w+$/, {
      status: 400,
      body: {
        status: 400,
        message: 'Failed to update record.',
        data: { kw_rating: { code: 'validation_max_number_constraint', params: { max: 250 } } },
      },
    })
    await owner.saveSite()
    await expect(owner.unsavedConnectors).toHaveCount(1)
    await owner.expectFieldProblem('Power in kW', 'Enter 250 or less')
    expect(await stored.connectors()).toMatchObject([{ kw_rating: 150 }])

    await owner.fillConnector(1, { kw: '250' })
    await owner.retry()
    await owner.expectPath('/dashboard')
    expect(await stored.connectors()).toMatchObject([{ kw_rating: 250 }])
  })
})

test.describe('data that cannot be loaded is said to be missing, with a retry,', () => {
  test('on the dashboard', async ({ owner }) => {
    await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
    await owner.failNext('GET', API.records(BUSINESSES))
    await owner.visit('/dashboard')
    await expect(owner.alert).toContainText('We could not load your sites')
    await expect(owner.alert).toContainText(BROKEN)
    await owner.retry()
    await expect(owner.site('Harbour Lane Quay')).toBeVisible()
    await expect(owner.alert).toHaveCount(0)
  })

  test('in the forms', async ({ owner }) => {
    const [site] = await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
    await owner.failNext('GET', API.records(BUSINESSES), 'cut off')
    await owner.visit('/business/edit')
    await expect(owner.alert).toContainText('Your sites could not be loaded.')
    await expect(owner.alert).toContainText(OFFLINE)
    await owner.retry()
    await expect(owner.field('Business name')).toHaveValue('Harbour Lane Hotels')

    await owner.failNext('GET', API.record(SITES, site?.id ?? ''))
    await owner.visit(`/site/edit/${site?.id}`)
    await expect(owner.alert).toContainText('Your sites could not be loaded.')
    await owner.retry()
    await expect(owner.field('Site name')).toHaveValue('Harbour Lane Quay')
  })
})

test('half an answer is none: the session stays, and data is said to be missing', async ({
  owner,
}) => {
  await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
  await owner.failNext('POST', API.authRefresh(USERS), 'answer torn')
  await owner.failNext('GET', API.records(BUSINESSES), 'answer torn')
  await owner.visit('/dashboard')
  await expect(owner.alert).toContainText('We could not load your sites')
  await owner.retry()
  await expect(owner.site('Harbour Lane Quay')).toBeVisible()
  await owner.reload()
  await expect(owner.site('Harbour Lane Quay')).toBeVisible()
})

test('a site that could not be deleted is back in the list, and can be deleted again', async ({
  owner,
  stack,
}) => {
  const stored = readStored(stack, owner.person.email)
  await owner.takeTheClock()
  const [site] = await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
  await owner.visit('/dashboard')
  await owner.deleteSite('Harbour Lane Quay')
  await owner.passTime('00:07')
  await owner.undo()
  await expect(owner.site('Harbour Lane Quay')).toBeVisible()
  expect(await stored.connectors()).toHaveLength(1)

  await owner.failNext('DELETE', API.record(SITES, site?.id ?? ''))
  await owner.deleteSite('Harbour Lane Quay')
  await owner.passTime('00:09')
  await expect(owner.alert).toContainText('The site could not be deleted. It is back in your list.')
  await expect(owner.site('Harbour Lane Quay')).toBeVisible()
  expect(await stored.sites()).toHaveLength(1)

  await owner.retry()
  await expect(owner.site('Harbour Lane Quay')).toHaveCount(0)
  await expect.poll(stored.sites).toEqual([])
})

test.describe('what the server finds wrong lands on its field', () => {
  test('of a business', async ({ owner, stack }) => {
    const stored = readStored(stack, owner.person.email)
    await owner.comeSignedIn()
    await owner.visit('/business/add')
    await owner.fillBusiness({ name: 'Harbour Lane Hotels', contactEmail: 'desk@harbour.example' })
    await owner.failNext('POST', API.records(BUSINESSES), {
      status: 400,
      body: { status: 400, message: '', data: { contact_email: { code: 'validation_is_email' } } },
    })
    await owner.saveBusiness()
    await expect(owner.alert).toContainText('Some details were not accepted.')
    await owner.expectFieldProblem(
      'Contact email',
      'Enter an email address such as name@example.com',
    )
    await expect(owner.field('Contact email')).toBeFocused()
    await expect(owner.field('Contact email')).toHaveValue('desk@harbour.example')

    await owner.fillBusiness({ contactEmail: 'desk@harbour-lane.example' })
    await owner.retry()
    await owner.expectPath('/dashboard')
    expect(await stored.businesses()).toMatchObject([
      { contact_email: 'desk@harbour-lane.example' },
    ])
  })

  test('of a site, its capacity by either name', async ({ owner }) => {
    await prepareBusiness(await owner.comeSignedIn())
    await owner.visit('/site/add')
    await owner.fillSite(SITE)
    await owner.failNext('POST', API.records(SITES), {
      status: 400,
      body: {
        status: 400,
        message: '',
        data: {
          address: { code: 'validation_max_text_constraint', params: { max: 20 } },
          vehicle: { code: 'validation_max_number_constraint', params: { max: 3 } },
        },
      },
    })
    await owner.saveSite()
    await owner.expectFieldProblem('Address', 'Use no more than 20 characters')
    await owner.expectFieldProblem('Vehicle capacity', 'Enter 3 or less')
    await expect(owner.field('Address')).toBeFocused()
    await owner.retry()
    await owner.expectPath('/dashboard')
  })
})

test.describe('what is entered wrongly is said at its field, and nothing is sent:', () => {
  test('a site', async ({ owner, stack }) => {
    await prepareBusiness(await owner.comeSignedIn())
    await owner.visit('/site/add')
    await owner.saveSite()
    await expect(owner.alert).toContainText('There are 4 problems')
    await owner.expectFieldProblem('Address', 'Enter the address')
    await owner.expectFieldProblem('Latitude', 'Enter the latitude')
    await owner.expectFieldProblem('Longitude', 'Enter the longitude')
    await owner.expectFieldProblem('Site name', 'Enter a name')
    await expect(owner.field('Address')).toBeFocused()

    const wrong = {
      address: '12 Quay Street, Portrush',
      latitude: 'north',
      longitude: '181',
      name: 'x'.repeat(201),
      capacity: '2.5',
      contactEmail: 'quay at harbour',
      connectors: [{ plug: 'CHAdeMO', kw: '0' }],
    }
    await owner.fillSite(wrong)
    const before = await owner.readForm()
    await owner.saveSite()
    await expect(owner.alert).toContainText('There are 8 problems')
    await owner.expectFieldProblem('Latitude', 'Enter a number')
    await owner.expectFieldProblem('Longitude', 'Enter 180 or less')
    await owner.expectFieldProblem('Site name', 'Use no more than 200 characters')
    await owner.expectFieldProblem('Vehicle capacity', 'Enter a whole number')
    await owner.expectFieldProblem('Contact email', 'Enter an email address')
    await owner.expectFieldProblem('Cable or socket', 'Choose cable or socket')
    await owner.expectFieldProblem('Current', 'Choose the current')
    await owner.expectFieldProblem('Power in kW', 'Enter more than 0')
    await expect(owner.field('Latitude')).toBeFocused()
    expect(await owner.readForm()).toEqual(before)

    // Each line of the list leads to its field, which stops complaining once it is right.
    await owner.alert.getByRole('link', { name: 'Enter a whole number' }).click()
    await expect(owner.field('Vehicle capacity')).toBeFocused()
    await owner.fillSite({ capacity: '2' })
    await expect(owner.field('Vehicle capacity')).toHaveAttribute('aria-invalid', 'false')
    expect(await readStored(stack, owner.person.email).sites()).toEqual([])
    expect(owner.watch.asked().filter((url) => url.includes(API.records(SITES)))).toEqual([])
  })

  test('a business', async ({ owner, stack }) => {
    await owner.comeSignedIn()
    await owner.visit('/business/add')
    await owner.fillBusiness({ website: 'harbour lane', contactEmail: 'desk' })
    // One press is enough, although what the last field has to say moves the button away.
    await owner.saveBusiness()
    await owner.expectFieldProblem('Business name', 'Enter a name')
    await owner.expectFieldProblem('Website', 'Enter a web address such as example.com')
    await owner.expectFieldProblem('Contact email', 'Enter an email address')
    await expect(owner.field('Website')).toHaveValue('harbour lane')
    expect(await readStored(stack, owner.person.email).businesses()).toEqual([])
  })

  test('a file that is no image', async ({ owner }) => {
    await prepareBusiness(await owner.comeSignedIn())
    await owner.visit('/site/add')
    await owner.fillSite({ name: 'Harbour Lane Quay' })
    await owner.choosePhotos(makeNoise('noise.jpg', 5000), await makePhoto('front.jpg'))
    await expect(owner.page.getByText('noise.jpg cannot be read as an image.')).toBeVisible()
    await expect(owner.photos).toHaveCount(1)
    await expect(owner.field('Site name')).toHaveValue('Harbour Lane Quay')
  })
})

test.describe('what was typed stays', () => {
  test('when the session ends under the form, and is saved after signing in again', async ({
    owner,
    stack,
  }) => {
    const stored = readStored(stack, owner.person.email)
    const [site] = await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
    const path = API.record(SITES, site?.id ?? '')
    await owner.visit(`/site/edit/${site?.id}`)
    await owner.fillSite({ name: 'Harbour Lane Pier' })
    const before = await owner.readForm()
    await stack.sql`delete from sessions where "user" =
      (select id from users where email = ${owner.person.email})`

    owner.expectFailureAt(path)
    owner.expectFailureAt(API.authRefresh(USERS))
    await owner.saveSite()
    await expect(owner.dialog).toContainText('You have been signed out')
    const tab = await owner.openTab()
    await tab.signIn()
    await expect(owner.dialog).toHaveCount(0)
    expect(await owner.readForm()).toEqual(before)
    await owner.saveSite()
    await owner.expectPath('/dashboard')
    expect(await stored.sites()).toMatchObject([{ name: 'Harbour Lane Pier' }])
  })

  test('when the site was changed somewhere else in the meantime', async ({ owner, stack }) => {
    const client = await owner.comeSignedIn()
    const [site] = await prepareSites(client, 'Harbour Lane Quay')
    await owner.visit(`/site/edit/${site?.id}`)
    await owner.fillSite({ name: 'Harbour Lane Pier' })
    await client.collection(SITES).update(site?.id ?? '', { cost: 'Free' })
    const before = await owner.readForm()
    owner.expectFailureAt(API.record(SITES, site?.id ?? ''))
    await owner.saveSite()
    await expect(owner.alert).toContainText(
      'This site was changed somewhere else since you opened it.',
    )
    expect(await owner.readForm()).toEqual(before)
    expect(await readStored(stack, owner.person.email).sites()).toMatchObject([
      { name: 'Harbour Lane Quay', cost: 'Free' },
    ])
  })

  test('when another language is chosen, and complaints are translated', async ({ owner }) => {
    await prepareBusiness(await owner.comeSignedIn())
    await owner.visit('/site/add')
    await owner.fillSite({ address: SITE.address, connectors: [CCS] })
    await owner.saveSite()
    await owner.expectFieldProblem('Site name', 'Enter a name')
    const before = await owner.readForm()
    await owner.chooseLanguage('Deutsch')
    await owner.expectTitle('Neuen Standort hinzufügen')
    expect(await owner.readForm()).toEqual(before)
    await expect(owner.alert).not.toContainText('Enter a name')
  })
})
