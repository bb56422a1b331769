import { API } from '#domain/api.ts'
import { BUSINESSES, SITES } from '#domain/collection.ts'
import { makePhoto } from '../support/images.ts'
import { expect, test } from './driver.ts'
import { prepareBusiness, prepareSites } from './prepare.ts'

const SITE = {
  address: '12 Quay Street, Portrush',
  latitude: '55.2044',
  longitude: '-6.6531',
  name: 'Harbour Lane Quay',
}

// Every look is one in light and one in dark, at the width of the project.

test('the public screens', async ({ owner }) => {
  await owner.visit('/')
  await owner.expectNoViolations()
  await owner.visit('/nowhere')
  await owner.expectNoViolations()
  await owner.visit('/dashboard')
  await owner.expectPath('/login')
  await owner.expectNoViolations()
  await owner.failNext('GET', API.authMethods('users'))
  await owner.continueToProvider()
  await expect(owner.alert).toBeVisible()
  await owner.expectNoViolations()
})

test('the dashboard on the way to the first site', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  await owner.visit('/dashboard')
  await expect(owner.link('Add your business')).toBeVisible()
  await owner.expectNoViolations()
  await prepareBusiness(client)
  await owner.reload()
  await expect(owner.link('Add a site')).toBeVisible()
  await owner.expectNoViolations()
})

test('the dashboard with sites, its menu and its questions', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  const [quay, pier, dock, gate] = await prepareSites(
    client,
    'Quay',
    'Pier',
    'Dock',
    'Gate',
    'Mole',
  )
  const statuses = [
    [quay, 'PLANNED'],
    [pier, 'INOPERATIVE'],
    [dock, 'OUTOFORDER'],
    [gate, 'REMOVED'],
  ] as const
  for (const [site, status] of statuses) {
    const photos = site === quay ? [await makePhoto('front.jpg')] : []
    await client.collection(SITES).update(site?.id ?? '', { status, photos })
  }
  await owner.visit('/dashboard')
  await owner.expectPicture('Photo of Quay')
  await owner.expectNoViolations()

  await owner.openMenu('Pier')
  await owner.expectNoViolations()
  await owner.page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(owner.dialog).toBeVisible()
  await owner.expectNoViolations()
  await owner.dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(owner.page.getByText('Pier deleted')).toBeVisible()
  await owner.expectNoViolations()
  await owner.logOut()
  await expect(owner.dialog).toContainText('Log out anyway?')
  await owner.expectNoViolations()
})

test('data that could not be loaded', async ({ owner }) => {
  await owner.comeSignedIn()
  for (const path of ['/dashboard', '/business/edit']) {
    await owner.failNext('GET', API.records(BUSINESSES))
    await owner.visit(path)
    await expect(owner.alert).toBeVisible()
    await owner.expectNoViolations()
  }
})

test('the form of a business', async ({ owner }) => {
  await owner.comeSignedIn()
  await owner.visit('/business/add')
  await expect(owner.field('Business name')).toBeVisible()
  await owner.expectNoViolations()
  await owner.fillBusiness({
    website: 'harbour lane',
    description: 'x'.repeat(4500),
    logo: await makePhoto('logo.png', { type: 'png' }),
  })
  await owner.saveBusiness()
  await expect(owner.alert).toBeVisible()
  await owner.expectNoViolations()
  await owner.fillBusiness({ name: 'Harbour Lane Hotels', website: 'https://harbour.example' })
  await owner.failNext('POST', API.records(BUSINESSES))
  await owner.saveBusiness()
  await expect(owner.alert).toContainText('Your business was not saved.')
  await owner.expectNoViolations()
  await owner.retry()
  await owner.expectPath('/dashboard')
  await owner.visit('/business/edit')
  await owner.expectPicture('Preview of your logo')
  await owner.expectNoViolations()
})

test('the form of a site', async ({ owner }) => {
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit('/site/add')
  await expect(owner.field('Site name')).toBeVisible()
  await owner.expectNoViolations()

  await owner.fillSite({ longitude: '181', capacity: '2.5', connectors: [{}] })
  await owner.saveSite()
  await expect(owner.alert).toContainText('There are')
  await owner.expectNoViolations()

  await owner.fillSite({
    ...SITE,
    capacity: '2',
    photos: [await makePhoto('front.jpg'), await makePhoto('bays.jpg')],
  })
  const doubtful = { plug: 'CHAdeMO', format: 'Cable attached', current: 'AC, single phase' }
  await owner.fillConnector(1, { ...doubtful, kw: '900' })
  await owner.failNext('POST', API.records('connectors'))
  await owner.saveSite()
  await expect(owner.unsavedConnectors).toHaveCount(1)
  await owner.expectNoViolations()
  await owner.retry()
  await owner.expectPath('/dashboard')

  await owner.openSite('Harbour Lane Quay')
  await owner.expectNoViolations()
  await owner.removePhoto(1)
  await owner.expectNoViolations()
})

test('the choice of a site to edit, and a site that is gone', async ({ owner }) => {
  await prepareSites(await owner.comeSignedIn(), 'Quay', 'Pier')
  await owner.visit('/site/edit')
  await expect(owner.page.getByText('Which site do you want to edit?')).toBeVisible()
  await owner.expectNoViolations()
  owner.expectMissing(SITES, 'nosuchsite00000')
  await owner.visit('/site/edit/nosuchsite00000')
  await expect(owner.page.getByText('This site no longer exists')).toBeVisible()
  await owner.expectNoViolations()
})
