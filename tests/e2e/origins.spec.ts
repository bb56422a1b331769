import { makePhoto } from '../support/images.ts'
import { expect, test, type Owner, type Stack } from './driver.ts'
import { readStored } from './stored.ts'

// whole-job.spec.ts does the whole job at 127.0.0.1 on a phone, this file below a base path on a desktop.

test('an owner signs in and adds a business on localhost', async ({ owner, stack }) => {
  expect(stack.url).toContain('//127.0.0.1:')
  const visitor = owner.at(stack.url.replace('127.0.0.1', 'localhost'))
  await addBusiness(visitor)
  await visitor.visit('/dashboard')
  await visitor.expectPicture('Logo of Harbour Lane Hotels')
  expectNothingElsewhere(visitor, stack)
})

test('the whole job below a base path', async ({ owner, openStack }) => {
  const stack = await openStack({ PUBLIC_URL: 'http://127.0.0.1:0/ev' })
  expect(stack.url).toMatch(/\/ev$/)
  const visitor = owner.at(stack.url, stack.provider.issuer)
  await visitor.visit('')
  await visitor.expectTitle('Add a charging station to Voltleaf')
  await addBusiness(visitor)
  await doTheRest(visitor, stack)
  expectNothingElsewhere(visitor, stack)
})

/** Signs a new owner in, and adds a business with a logo. */
const addBusiness = async (owner: Owner): Promise<void> => {
  // A deep link redirects to the sign-in, then to the missing business.
  await owner.visit('/site/add')
  await owner.expectPath('/login')
  await owner.continueToProvider()
  await owner.signInAtProvider()
  await owner.expectPath('/business/add')
  await owner.fillBusiness({
    name: 'Harbour Lane Hotels',
    logo: await makePhoto('logo.png', { type: 'png' }),
  })
  await owner.saveBusiness()
  await owner.expectPath('/site/add')
}

const doTheRest = async (owner: Owner, stack: Stack): Promise<void> => {
  const stored = readStored(stack, owner.person.email)
  await owner.fillSite({
    name: 'Harbour Lane Quay',
    address: '12 Quay Street, Portrush',
    latitude: '55.2044',
    longitude: '-6.6531',
    connectors: [{ plug: 'CHAdeMO', format: 'Cable attached', current: 'DC', kw: '50' }],
    photos: [await makePhoto('front.jpg')],
  })
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  await owner.expectPicture('Logo of Harbour Lane Hotels')
  await owner.expectPicture('Photo of Harbour Lane Quay')

  await owner.openSite('Harbour Lane Quay')
  const [site] = await stored.sites()
  await owner.expectPath(`/site/edit/${site?.id}`)
  await owner.reload()
  await expect(owner.field('Site name')).toHaveValue('Harbour Lane Quay')
  await owner.expectPicture('Photo 1')
  await owner.fillSite({ name: 'Harbour Lane Pier' })
  await owner.saveSite()
  await owner.expectPath('/dashboard')

  await owner.deleteSite('Harbour Lane Pier')
  await owner.leave()
  await expect.poll(stored.sites).toEqual([])
  await owner.visit('/dashboard')
  await expect(owner.link('Add a site')).toBeVisible()
  await owner.logOut()
  await owner.expectPath('/login')
}

/** Every requested URL, assets included, is below the URL of the installation. */
const expectNothingElsewhere = (owner: Owner, stack: Stack): void => {
  const requested = owner.watch.requested().filter((url) => /^https?:/.test(url))
  const elsewhere = requested.filter(
    (url) => !`${url}/`.startsWith(`${owner.url}/`) && !url.startsWith(stack.provider.issuer),
  )
  expect(elsewhere).toEqual([])
  expect(requested.some((url) => url.startsWith(`${owner.url}/assets/`))).toBe(true)
}
