import { API } from '#domain/paths.ts'
import { BUSINESSES, CONNECTORS, SITES, USERS } from '#domain/collection.ts'
import { en } from '../support/english.ts'
import { openFaultyProxy } from '../support/faulty-proxy.ts'
import { makeNoise, makePhoto } from '../support/images.ts'
import { newOwner } from '../support/owner.ts'
import { PATHS } from '../../web/paths.ts'
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
const NOT_REACHED = 'There is no connection to the server.'
const KEPT = 'Your changes are still here. Try again.'

/** The ways in which a save fails, and the expected message. */
const FAILURES = [
  [{ status: 500 }, BROKEN],
  ['cut off', NOT_REACHED],
] as const

/** Saves, expects a failure with these texts and an unchanged form. */
const expectFormKept = async (owner: Owner, save: () => Promise<void>, ...words: string[]) => {
  const before = await owner.readForm()
  await save()
  for (const each of words) await expect(owner.alert).toContainText(each)
  // Visible without scrolling, however long the form is.
  await expect(owner.alert).toBeInViewport()
  expect(await owner.readForm()).toEqual(before)
}

test('a new business', async ({ owner, stack }) => {
  const stored = readStored(stack, owner.person.email)
  await owner.comeSignedIn()
  await owner.visit('/business/add')

  await test.step('invalid input is reported at its field, and nothing is sent', async () => {
    await owner.fillBusiness({ website: 'harbour lane', contactEmail: 'desk' })
    // One press is enough, although the error of the last field moves the button.
    await owner.saveBusiness()
    await owner.expectFieldProblem('Business name', 'Enter a name')
    await owner.expectFieldProblem('Website', 'Enter a web address such as example.com')
    await owner.expectFieldProblem('Contact email', 'Enter an email address')
    await expect(owner.field('Website')).toHaveValue('harbour lane')
    expect(await stored.businesses()).toEqual([])
  })

  await test.step('an error of the server is shown at its field', async () => {
    await owner.fillBusiness({
      name: 'Harbour Lane Hotels',
      description: 'Three small hotels.',
      website: 'https://harbour-lane.example',
      contactEmail: 'desk@harbour.example',
      logo: await makePhoto('logo.png', { type: 'png' }),
    })
    await expect(owner.field('Contact email')).not.toHaveAttribute('aria-invalid', 'true')
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
  })

  await test.step('a failed save leaves the form unchanged, stores nothing and can be retried', async () => {
    for (const [how, words] of FAILURES) {
      await owner.failNext('POST', API.records(BUSINESSES), how)
      const save = () => owner.retry()
      await expectFormKept(owner, save, 'Your business was not saved.', words, KEPT)
      expect(await stored.businesses()).toEqual([])
    }
    await owner.retry()
    await owner.expectPath('/dashboard')
    await owner.expectPicture('Logo of Harbour Lane Hotels')
    expect(await stored.businesses()).toMatchObject([
      {
        name: 'Harbour Lane Hotels',
        description: 'Three small hotels.',
        contact_email: 'desk@harbour-lane.example',
      },
    ])
  })
})

test('a new site', async ({ owner, stack }) => {
  const stored = readStored(stack, owner.person.email)
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit('/site/add')
  await owner.fillSite({ ...SITE, connectors: [CHADEMO, CCS] })
  const capacity = owner.field(en.fields.sites.vehicle_capacity)

  await test.step('the capacity defaults to the number of connectors, and a contradiction causes a warning', async () => {
    await expect(capacity).toHaveValue('2')
    await capacity.fill('9')
    await expect(capacity).toHaveAccessibleDescription(/with 2 connectors\. Is that right\?/)
    await capacity.fill('1')
    await expect(capacity).not.toHaveAccessibleDescription(/Is that right/)
  })

  await test.step('a file that is not an image is reported', async () => {
    await owner.choosePhotos(makeNoise('noise.jpg', 5000), await makePhoto('front.jpg'))
    await expect(owner.page.getByText('noise.jpg cannot be read as an image.')).toBeVisible()
    await expect(owner.photos).toHaveCount(1)
    await expect(owner.field('Site name')).toHaveValue('Harbour Lane Quay')
  })

  await test.step('an error of the server is shown at its field; the error of the capacity has either name', async () => {
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
    await owner.expectFieldProblem('Cars at a time', 'Enter 3 or less')
    await expect(owner.field('Address')).toBeFocused()
  })

  await test.step('a failed save leaves the form unchanged, stores nothing and can be retried', async () => {
    for (const [how, words] of FAILURES) {
      await owner.failNext('POST', API.records(SITES), how)
      const save = () => owner.retry()
      await expectFormKept(owner, save, 'The site was not saved.', words, KEPT)
      expect(await stored.sites()).toEqual([])
      expect(await stored.connectors()).toEqual([])
    }
    await owner.retry()
    await owner.expectPath('/dashboard')
    await owner.expectPicture('Photo of Harbour Lane Quay')
    expect(await stored.sites()).toMatchObject([
      { name: 'Harbour Lane Quay', photos: [expect.stringContaining('front')] },
    ])
    expect(await stored.connectors()).toMatchObject([{ kw_rating: 50 }, { kw_rating: 150 }])
  })
})

test('editing stored records', async ({ owner, stack }) => {
  const stored = readStored(stack, owner.person.email)
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Harbour Lane Quay')
  const id = site?.id ?? ''
  await client.collection(SITES).update(id, { photos: [await makePhoto('front.jpg')] })

  await test.step('a form whose data cannot be loaded shows an error and a retry', async () => {
    await owner.failNext('GET', API.records(BUSINESSES), 'cut off')
    await owner.visit('/business/edit')
    await expect(owner.alert).toContainText('Your sites could not be loaded.')
    await expect(owner.alert).toContainText(NOT_REACHED)
    await owner.retry()
    await expect(owner.field('Business name')).toHaveValue('Harbour Lane Hotels')
  })

  await test.step('a failed save of a business leaves the form unchanged, stores nothing and can be retried', async () => {
    await owner.fillBusiness({ name: 'Harbour Lane Inns' })
    await owner.failNext('PATCH', API.record(BUSINESSES, String(site?.['business'])))
    const save = () => owner.saveBusiness()
    await expectFormKept(owner, save, 'Your business was not saved.', BROKEN, KEPT)
    expect(await stored.businesses()).toMatchObject([{ name: 'Harbour Lane Hotels' }])

    await owner.retry()
    await owner.expectPath('/dashboard')
    expect(await stored.businesses()).toMatchObject([{ name: 'Harbour Lane Inns' }])
  })

  await test.step('a site that cannot be loaded is reported, with a retry', async () => {
    await owner.failNext('GET', API.record(SITES, id))
    await owner.visit(`/site/edit/${id}`)
    await expect(owner.alert).toContainText('Your sites could not be loaded.')
    await owner.retry()
    await expect(owner.field('Site name')).toHaveValue('Harbour Lane Quay')
  })

  await test.step('a failed save of a site leaves the form unchanged, stores nothing and can be retried', async () => {
    const before = await stored.sites()
    await owner.fillSite({ name: 'Harbour Lane Pier', cost: 'Free', connectors: [CHADEMO] })
    let save = () => owner.saveSite()
    for (const [how, words] of FAILURES) {
      await owner.failNext('PATCH', API.record(SITES, id), how)
      await expectFormKept(owner, save, 'The site was not saved.', words, KEPT)
      expect(await stored.sites()).toEqual(before)
      expect(await stored.connectors()).toHaveLength(1)
      save = () => owner.retry()
    }
    await save()
    await owner.expectPath('/dashboard')
    await expect(owner.site('Harbour Lane Pier')).toContainText('Free')
    expect(await stored.sites()).toMatchObject([{ name: 'Harbour Lane Pier', cost: 'Free' }])
    expect(await stored.connectors()).toHaveLength(2)
  })

  await test.step('a failed removal of a photo leaves the form unchanged, stores nothing and can be retried', async () => {
    const [before] = await stored.sites()
    await owner.openSite('Harbour Lane Pier')
    await owner.removePhoto(1)
    await owner.failNext('PATCH', API.record(SITES, id))
    await expectFormKept(owner, () => owner.saveSite(), 'The photo was not removed.', BROKEN)
    expect(await stored.sites()).toEqual([before])

    await owner.retry()
    await owner.expectPath('/dashboard')
    expect(await stored.sites()).toEqual([{ ...before, photos: [] }])
  })

  await test.step('a failed connector is marked on its row, with the error at the field', async () => {
    await owner.openSite('Harbour Lane Pier')
    const position = await owner.findConnector('CCS2')
    await owner.fillConnector(position, { kw: '300' })
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
    expect(await stored.connectors()).toMatchObject([{ kw_rating: 50 }, { kw_rating: 150 }])

    await owner.fillConnector(position, { kw: '250' })
    await owner.retry()
    await owner.expectPath('/dashboard')
    expect(await stored.connectors()).toMatchObject([{ kw_rating: 50 }, { kw_rating: 250 }])
  })
})

test('a failed connector is marked on its row while the rest is saved, and is retried alone', async ({
  owner,
  stack,
}) => {
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
  const sites = await stored.sites()
  expect(sites).toMatchObject([{ name: SITE.name }])
  const saved = await stored.connectors()
  expect(saved).toHaveLength(1)

  await owner.retry()
  await owner.expectPath('/dashboard')
  expect(await stored.sites()).toEqual(sites)
  const all = await stored.connectors()
  expect(all).toMatchObject([{ kw_rating: 50 }, { kw_rating: 150 }])
  expect(all).toEqual(expect.arrayContaining([...saved]))
})

test('stalled requests time out', async ({ owner, stack }) => {
  const stored = readStored(stack, owner.person.email)
  await owner.takeTheClock()
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit('/site/add')
  await owner.fillSite({ ...SITE, connectors: [CHADEMO] })
  const bar = owner.page.locator('.save-bar')
  const hold = () => owner.holdAnswers(API.records(SITES))
  let release = await hold()

  await test.step('a save without progress can be queued for later', async () => {
    await owner.saveSite()
    await expect(bar).toContainText('Saving…')
    await owner.passTime('00:09')
    await expect(owner.alert).toContainText('Nothing is getting through.')
    await expect(owner.alert).toBeInViewport()
    await owner.expectNoViolations()
    await bar.getByRole('button', { name: 'Keep on this device and send later' }).click()
    await owner.expectPath('/dashboard')
    await expect(owner.site(SITE.name)).toContainText('Waiting to send')
    await release()
    await owner.page.evaluate(() => dispatchEvent(new Event('online')))
    await expect.poll(stored.connectors).toHaveLength(1)
    await expect(owner.site(SITE.name)).not.toContainText('Waiting to send')
    expect(await stored.sites()).toMatchObject([{ name: SITE.name }])
  })

  await test.step('a save continues after its form is left, and is shown as in progress', async () => {
    await owner.follow('Add site')
    await owner.fillSite({ ...SITE, name: 'Harbour Lane West' })
    release = await hold()
    await owner.saveSite()
    await expect(bar).toContainText('Saving…')
    await owner.backArrow.click()
    const unfinished = owner.page.getByRole('region', { name: 'Not finished' })
    await expect(unfinished).toContainText('Saving Harbour Lane West…')
    await owner.passTime('00:31')
    await expect(owner.site('Harbour Lane West')).toContainText('Waiting to send')
    await expect(unfinished).toHaveCount(0)
    await release()
    await owner.reload()
    await expect.poll(async () => (await stored.sites()).length).toBe(2)
    await expect(owner.site('Harbour Lane West')).not.toContainText('Waiting to send')
    // A submitted form leaves no draft.
    await owner.visit('/site/add')
    await expect(owner.field('Site name')).toHaveValue('')
  })

  await test.step('a change can be discarded while it is being sent', async () => {
    const [site] = await stored.sites()
    await owner.visit('/dashboard')
    await owner.openSite(SITE.name)
    await owner.fillSite({ cost: 'Free' })
    const again = await owner.holdAnswers(API.record(SITES, String(site?.id)))
    await owner.saveSite()
    await expect(bar).toContainText('Saving…')
    await bar.getByRole('button', { name: 'Discard' }).click()
    await expect(bar).toContainText('Changes discarded.')
    await expect(owner.field(en.fields.sites.cost)).toHaveValue(SITE.cost)
    await again()
  })

  await test.step('data that does not arrive can be requested again', async () => {
    // The previous page may still read data and write to its cache.
    await owner.leave()
    await owner.page.addInitScript(() => void indexedDB.deleteDatabase('voltleaf'))
    let requested = 0
    await owner.page.route(`**${API.records(BUSINESSES)}*`, async (route) => {
      requested += 1
      if (requested > 1) await route.fallback()
    })
    await owner.visit('/dashboard')
    await owner.passTime('00:09')
    await expect(owner.page.getByText('This is taking longer than usual.')).toBeVisible()
    await owner.page.getByRole('button', { name: 'Try again' }).click()
    await expect(owner.site(SITE.name)).toBeVisible()
  })
})

test('a truncated response keeps the session, and is shown as missing data with a retry', async ({
  owner,
}) => {
  await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
  await owner.failNext('POST', API.authRefresh(USERS), 'answer torn')
  await owner.failNext('GET', API.records(BUSINESSES), 'answer torn')
  await owner.visit('/dashboard')
  await expect(owner.alert).toContainText(en.failed.load)

  await test.step('a refused read is shown in the same way', async () => {
    await owner.failNext('GET', API.records(BUSINESSES))
    const answered = owner.page.waitForResponse((response) => response.status() === 500)
    await owner.retry()
    await answered
    await expect(owner.alert).toContainText(en.failed.load)
    await expect(owner.alert).toContainText(BROKEN)
  })

  await owner.retry()
  await expect(owner.site('Harbour Lane Quay')).toBeVisible()
  await expect(owner.alert).toHaveCount(0)
  await owner.reload()
  await expect(owner.site('Harbour Lane Quay')).toBeVisible()
})

test('a site that failed to delete is back in the list, and can be deleted again', async ({
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

test('the codes of a business may be typed in lower case @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  const { country_code, party_id } = en.fields.businesses
  await owner.visit(PATHS.editBusiness)
  await owner.page.getByRole('button', { name: en.business.moreTitle }).click()
  await owner.field(country_code).fill('De')
  // Saved from within the field, without a blur.
  await owner.field(party_id).fill('see')
  await owner.field(party_id).press('Enter')
  await owner.expectPath(PATHS.dashboard)
  expect(await client.collection(BUSINESSES).getFullList()).toMatchObject([
    { country_code: 'DE', party_id: 'SEE' },
  ])
})

test('invalid input is reported at its field, in the user’s language, and nothing is sent', async ({
  owner,
  stack,
}) => {
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit('/site/add')
  await owner.saveSite()
  await expect(owner.alert).toContainText('There are 3 problems')
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
    connectors: [{ plug: 'GBT_AC', kw: '0' }],
  }
  await owner.fillSite(wrong)
  const before = await owner.readForm()
  await owner.saveSite()
  await expect(owner.alert).toContainText('There are 8 problems')
  await owner.expectFieldProblem('Latitude', 'Enter a number')
  await owner.expectFieldProblem('Longitude', 'Enter 180 or less')
  await owner.expectFieldProblem('Site name', 'Use no more than 200 characters')
  await owner.expectFieldProblem('Cars at a time', 'Enter a whole number')
  await owner.expectFieldProblem('Contact email', 'Enter an email address')
  await owner.expectFieldProblem('Cable or socket', 'Choose cable or socket')
  await owner.expectFieldProblem('Current', 'Choose the current')
  await owner.expectFieldProblem('Power in kW', 'Enter more than 0')
  await expect(owner.field('Latitude')).toBeFocused()
  expect(await owner.readForm()).toEqual(before)

  // Each line links to its field, and disappears once the error is corrected.
  await owner.alert.getByRole('link', { name: 'Enter a whole number' }).click()
  await expect(owner.field('Cars at a time')).toBeFocused()
  await owner.fillSite({ capacity: '2' })
  await expect(owner.field('Cars at a time')).toHaveAttribute('aria-invalid', 'false')
  expect(await readStored(stack, owner.person.email).sites()).toEqual([])
  expect(owner.watch.requested().filter((url) => url.includes(API.records(SITES)))).toEqual([])

  await test.step('input stays when another language is chosen, and errors are translated', async () => {
    await owner.fillSite({ name: '' })
    await owner.saveSite()
    await owner.expectFieldProblem('Site name', 'Enter a name')
    const typed = await owner.readForm()
    await owner.chooseLanguage('Deutsch')
    await owner.expectTitle('Neuen Standort hinzufügen')
    expect(await owner.readForm()).toEqual(typed)
    await expect(owner.alert).not.toContainText('Enter a name')
  })
})

test('input is kept', async ({ owner, stack }) => {
  const stored = readStored(stack, owner.person.email)
  const [site] = await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
  const path = API.record(SITES, site?.id ?? '')
  await owner.loseLiveUpdates()
  await owner.visit(`/site/edit/${site?.id}`)

  await test.step('when the session expires under the form, and is saved after signing in again', async () => {
    await owner.fillSite({ name: 'Harbour Lane Pier' })
    const before = await owner.readForm()
    await stack.sql`delete from sessions where "user" =
      (select id from users where email = ${owner.person.email})`

    owner.expectFailureAt(path)
    owner.expectFailureAt(API.authRefresh(USERS))
    await owner.saveSite()
    await expect(owner.dialog).toContainText('You have been signed out')
    const tab = await owner.openTab()
    // The new tab finds out that the stored session is over before it offers the sign-in.
    const refused = tab.page.waitForResponse((response) =>
      response.url().endsWith(API.authRefresh(USERS)),
    )
    await tab.visit(PATHS.login)
    await refused
    await tab.continueToProvider()
    await tab.signInAtProvider()
    await expect(owner.dialog).toHaveCount(0)
    await tab.page.close()
    expect(await owner.readForm()).toEqual(before)
    await owner.retry()
    await owner.expectPath('/dashboard')
    expect(await stored.sites()).toMatchObject([{ name: 'Harbour Lane Pier' }])
  })

  await test.step('when another device has changed the site in the meantime', async () => {
    const client = await owner.comeLater()
    await owner.openSite('Harbour Lane Pier')
    await owner.fillSite({ name: 'Harbour Lane Dock' })
    await client.collection(SITES).update(site?.id ?? '', { name: 'Harbour Lane Mole' })
    const before = await owner.readForm()
    await owner.saveSite()
    await expect(owner.page.getByText('This was changed here and on another device.')).toBeVisible()
    expect(await owner.readForm()).toEqual(before)
    expect(await stored.sites()).toMatchObject([{ name: 'Harbour Lane Mole' }])
  })
})

test('a part whose stylesheet cannot be fetched is left out without an error', async ({
  owner,
}) => {
  await prepareSites(await owner.comeSignedIn(), 'Quay')
  owner.watch.expectOffline()
  const missing = owner.page.waitForEvent('requestfailed')
  await owner.page.route(/notes-\w+\.css/, (route) => route.abort())
  await owner.visit('/dashboard')
  await missing
  await expect(owner.site('Quay')).toBeVisible()
})

test('the browser reads a refusal during an upload @once', async ({ page, openStack }) => {
  const limits = { uploads: 0, stallMs: 500, lingerMs: 1000 }
  const stack = await openStack({ RATE_LIMITS: 'on' }, limits)
  const { client } = await newOwner(stack.url)
  const sent = { records: API.records(SITES), authorization: client.authStore.token }
  await page.goto(stack.url)
  const statuses = await page.evaluate(async ({ records, authorization }) => {
    const headers = { authorization }
    const send = async (body: BodyInit, more = {}) =>
      (await fetch(records, { method: 'POST', headers: { ...headers, ...more }, body })).status
    const text = JSON.stringify({ name: 'x'.repeat(66 << 20) })
    const photo = new FormData()
    photo.append('photos', new Blob([text.slice(0, 17 << 20)]), 'a.jpg')
    return [await send(text, { 'content-type': 'application/json' }), await send(photo)]
  }, sent)
  expect(statuses).toEqual([413, 503])

  // A connection that stalls in the middle of a body and recovers after the server has timed out.
  const proxy = await openFaultyProxy({ host: '127.0.0.1', port: stack.config.port })
  try {
    await page.goto(`http://127.0.0.1:${proxy.port}/`)
    await proxy.fail('stuck')
    const status = await page.evaluate(async ({ records, authorization }) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: 'x'.repeat(20 << 20) })
      return (await fetch(records, { method: 'POST', headers, body })).status
    }, sent)
    expect(status).toBe(408)
  } finally {
    await proxy.close()
  }
})
