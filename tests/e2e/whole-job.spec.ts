import { BUSINESSES, SITES } from '#domain/collection.ts'
import { makePhoto } from '../support/images.ts'
import { expect, test } from './driver.ts'
import { listFiles, readStored } from './stored.ts'

const BUSINESS = {
  name: 'Harbour Lane Hotels',
  description: 'Three small hotels on the north coast.',
  website: 'https://harbour-lane.example',
  contactEmail: 'desk@harbour-lane.example',
}

const SITE = {
  name: 'Harbour Lane Quay',
  address: '12 Quay Street, Portrush',
  latitude: '55.2044',
  longitude: '-6.6531',
  status: 'Coming soon',
  capacity: '6',
  cost: '£0.62 / kWh',
  contactEmail: 'quay@harbour-lane.example',
  contactPhone: '+44 28 7000 0000',
}

const CONNECTORS = [
  {
    plug: 'Type 2 (Mennekes)',
    format: 'Socket: bring your own cable',
    current: 'AC, three phase',
    kw: '22',
  },
  { plug: 'CHAdeMO', format: 'Cable attached', current: 'DC', kw: '50' },
  { plug: 'CCS2 (Combo 2)', format: 'Cable attached', current: 'DC', kw: '150' },
]

test('an owner does the whole job', async ({ owner, stack }) => {
  const stored = readStored(stack, owner.person.email)

  await test.step('signs in', async () => {
    await owner.visit('/')
    await owner.follow('login')
    await owner.continueToProvider()
    await owner.signInAtProvider()
    await owner.expectPath('/dashboard')
    await expect(owner.who).toHaveText(`Ada Byron${owner.person.email}`)
  })

  await test.step('adds the business with its logo', async () => {
    await owner.follow('Add your business')
    await owner.expectPath('/business/add')
    await owner.fillBusiness({ ...BUSINESS, logo: await makePhoto('logo.png', { type: 'png' }) })
    await owner.saveBusiness()
    await owner.expectPath('/dashboard')
    await expect(owner.business).toContainText('Harbour Lane Hotels')
    await owner.expectPicture('Logo of Harbour Lane Hotels')

    const [business, ...others] = await stored.businesses()
    expect(others).toEqual([])
    expect(business).toMatchObject({
      name: 'Harbour Lane Hotels',
      description: 'Three small hotels on the north coast.',
      website: 'https://harbour-lane.example',
      contact_email: 'desk@harbour-lane.example',
      logo: expect.stringMatching(/^logo_\w{10}\.png$/),
    })
    expect(await listFiles(stack, BUSINESSES, business?.id ?? '')).toContain(business?.logo)
  })

  await test.step('adds a site with three connectors and two photos', async () => {
    await owner.follow('Add a site')
    await owner.expectPath('/site/add')
    await owner.fillSite({
      ...SITE,
      connectors: CONNECTORS,
      photos: [await makePhoto('front.jpg'), await makePhoto('bays.jpg', { withPosition: true })],
    })
    await owner.saveSite()
    await owner.expectPath('/dashboard')

    const [site, ...others] = await stored.sites()
    expect(others).toEqual([])
    expect(site).toMatchObject({
      name: 'Harbour Lane Quay',
      address: '12 Quay Street, Portrush',
      latitude: 55.2044,
      longitude: -6.6531,
      status: 'PLANNED',
      vehicle_capacity: 6,
      cost: '£0.62 / kWh',
      contact_email: 'quay@harbour-lane.example',
      contact_phone: '+44 28 7000 0000',
      photos: [
        expect.stringMatching(/^front_\w{10}\.jpg$/),
        expect.stringMatching(/^bays_\w{10}\.jpg$/),
      ],
    })
    expect(await stored.connectors()).toMatchObject([
      { standard: 'IEC_62196_T2', format: 'SOCKET', current_type: 'AC_3_PHASE', kw_rating: 22 },
      { standard: 'CHADEMO', format: 'CABLE', current_type: 'DC', kw_rating: 50 },
      { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'DC', kw_rating: 150 },
    ])
  })

  await test.step('sees it on the dashboard, also after a reload', async () => {
    const expectSite = async () => {
      const card = owner.site('Harbour Lane Quay')
      await expect(card).toContainText('Coming soon')
      await expect(card).toContainText('12 Quay Street, Portrush')
      await expect(card).toContainText('6 cars at a time · £0.62 / kWh')
      await expect(owner.plugsOf(card)).toHaveCount(3)
      await expect(card).toContainText('CHAdeMODC · cable50 kW')
      await expect(owner.business).toContainText('1 site3 connectors222 kW')
      await owner.expectPicture('Photo of Harbour Lane Quay')
    }
    await expectSite()
    await owner.reload()
    await expectSite()
  })

  const [before] = await stored.sites()
  const [, chademo] = await stored.connectors()

  await test.step('edits it: removes a photo, changes one connector, removes another', async () => {
    await owner.openSite('Harbour Lane Quay')
    await owner.expectPath(`/site/edit/${before?.id}`)
    await expect(owner.photos).toHaveCount(2)
    await owner.fillSite({ name: 'Harbour Lane Pier', cost: '' })
    await owner.removePhoto(1)
    await owner.fillConnector(await owner.findConnector('CHAdeMO'), { kw: '62.5' })
    await owner.removeConnector(await owner.findConnector('Type 2 (Mennekes)'))
    await owner.saveSite()
    await owner.expectPath('/dashboard')

    expect(await stored.sites()).toEqual([
      { ...before, name: 'Harbour Lane Pier', cost: '', photos: before?.photos.slice(1) },
    ])
    expect(await stored.connectors()).toEqual([
      { ...chademo, kw_rating: 62.5 },
      expect.objectContaining({ standard: 'IEC_62196_T2_COMBO', kw_rating: 150 }),
    ])
    await expect
      .poll(() => listFiles(stack, SITES, before?.id ?? ''))
      .not.toContainEqual(expect.stringContaining('front'))
  })

  await test.step('sees the changes on the dashboard', async () => {
    const card = owner.site('Harbour Lane Pier')
    await expect(owner.plugsOf(card)).toHaveCount(2)
    await expect(card).toContainText('CHAdeMODC · cable62.5 kW')
    await expect(card).not.toContainText('Type 2')
    await expect(card).not.toContainText('£0.62')
    await owner.expectPicture('Photo of Harbour Lane Pier')
  })

  await test.step('deletes the site; the request is sent when the page is left, at the latest', async () => {
    await owner.deleteSite('Harbour Lane Pier')
    expect(await stored.sites()).toHaveLength(1)
    await owner.leave()
    await expect.poll(stored.sites).toEqual([])
    expect(await stored.connectors()).toEqual([])
    await expect.poll(() => listFiles(stack, SITES, before?.id ?? '')).toEqual([])
  })

  await test.step('signs out, and cannot open the dashboard', async () => {
    await owner.visit('/dashboard')
    await expect(owner.link('Add a site')).toBeVisible()
    await owner.logOut()
    await owner.expectPath('/login')
    await owner.visit('/dashboard')
    await owner.expectPath('/login')
    await expect(owner.title).toHaveText('Login with Voltleaf')
    expect(await stored.businesses()).toHaveLength(1)
  })
})
