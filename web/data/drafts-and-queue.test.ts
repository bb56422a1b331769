import { describe, expect, test } from 'vitest'
// Preloads the SDK, which the store imports lazily: that is slow on a busy machine.
import 'pocketbase'

import type { Connector } from '#domain/connector.ts'
import { inputOf } from '#domain/record.ts'
import { sites as siteFields, type Site } from '#domain/site.ts'
import {
  FakePage,
  makeToken,
  makeUser,
  newDevice,
  settle,
  storeSession,
  type Device,
} from '../../tests/support/fake-page.ts'
import { makeBusiness, makeConnector, makeSite as makeAnySite } from '../../tests/support/make.ts'
import { mutationsKey } from './mutations.ts'
import type { ConnectorInput, Draft, DraftSlot, SiteEdit, SiteInput, SiteView } from './state.ts'

const SITES = '/api/collections/sites/records'
const CONNECTORS = '/api/collections/connectors/records'
const BUSINESSES = '/api/collections/businesses/records'
const REFRESH = '/api/collections/users/auth-refresh'
const ada = makeUser('ada000000000000')
const bob = makeUser('bob000000000000', { name: 'Bob' })

const business = makeBusiness()
const input: SiteInput = {
  name: 'Quay',
  address: '12 Quay Street',
  latitude: 55.2,
  longitude: -6.65,
  vehicle_capacity: 2,
  status: 'AVAILABLE',
}
const makeSite = (id: string, changes: Partial<Site> = {}) =>
  makeAnySite(id, { ...input, ...changes })
const connector = (id: string): ConnectorInput => {
  const { site: _, ...traits } = makeConnector(id, '')
  return traits
}
const storedConnector = (id: string, site: string) => makeConnector(id, site)
const photo = (name: string): File => new File([name], name, { type: 'image/jpeg' })
const ownIdTaken = {
  status: 400,
  message: 'Failed to create record.',
  data: { id: { code: 'validation_not_unique', message: 'Value must be unique.' } },
}

const list = (items: readonly unknown[]) => ({
  page: 1,
  perPage: 500,
  totalItems: items.length,
  totalPages: 1,
  items,
})
const answerLoad = async (
  page: FakePage,
  sites: readonly Site[] = [],
  connectors: readonly Connector[] = [],
): Promise<void> => {
  const found = [{ ...business, expand: { 'sites(business)': sites } }]
  await (await page.next('GET', BUSINESSES)).answer(200, list(found))
  await (await page.next('GET', CONNECTORS)).answer(200, list(connectors))
}

/** Opens a page signed in as Ada that has loaded these. */
const open = async (
  device: Device,
  sites: readonly Site[] = [],
  connectors: readonly Connector[] = [],
): Promise<FakePage> => {
  const page = openUnanswered(device)
  await (
    await page.next('POST', REFRESH)
  ).answer(200, { token: makeToken(ada.id, device.now + 1e9, 'r'), record: ada })
  await answerLoad(page, sites, connectors)
  await settle()
  return page
}
const openUnanswered = (device: Device, user = ada): FakePage => {
  if (!device.storage.has('pocketbase_auth')) storeSession(device, user)
  const page = new FakePage(device)
  void page.store.start()
  return page
}

/** Closes a page: it sends and receives nothing more. */
const close = (page: FakePage): void => {
  page.emit('hide')
  page.device.pages.splice(page.device.pages.indexOf(page), 1)
}
const goOnline = async (page: FakePage): Promise<void> => {
  page.device.isOnline = true
  page.emit('online')
  await settle()
}
const names = (page: FakePage): readonly string[] =>
  page.store.getState().data?.sites.map(({ name }) => name) ?? []
const editOf = (site: SiteView, changes: Partial<SiteInput>): SiteEdit => ({
  fields: inputOf(siteFields, { ...input, ...changes }),
  connectors: site.connectors,
  removedPhotos: [],
})
const draftsKey = `voltleaf:drafts:${ada.id}`

test('a queued change that was not made in a form leaves the draft of the form', async () => {
  const page = await open(newDevice(), [makeSite('a')])
  await page.store.draft('site:a').save({ values: { text: {} }, files: [] }, false)
  page.device.isOnline = false
  await page.store.updateSite('a', { fields: { status: 'PLANNED' } }, { queue: true })
  await goOnline(page)
  await (await page.next('GET', `${SITES}/a`)).answer(200, makeSite('a'))
  await (await page.next('PATCH', `${SITES}/a`)).answer(200, makeSite('a', { status: 'PLANNED' }))
  expect(page.store.unsent()).toEqual({ drafts: 1, changes: 0 })
})

test('a queued change of a site can be undone before it is sent', async () => {
  const page = await open(newDevice(), [makeSite('a', { name: 'Quay' })])
  page.device.isOnline = false
  await page.store.updateSite('a', { fields: { name: 'Pier' } }, { queue: true })
  await page.store.updateSite('a', { fields: { name: 'Quay' } }, { queue: true })
  expect(names(page)).toEqual(['Quay'])
  expect(page.store.unsent().changes).toBe(0)
})

describe('drafts', () => {
  const values = { text: { name: 'Quay' } }

  test('are restored on the next page, with their files', async () => {
    const device = newDevice()
    const page = await open(device)
    const kept = await page.store.draft('site:s').save({ values, files: [photo('a.jpg')] }, true)
    expect(kept).toEqual({ at: device.now, text: true, files: true })
    close(page)
    const next = await open(device)
    expect(next.store.drafts()).toEqual([{ form: 'site:s', at: device.now, isNew: true, values }])
    const draft = await next.store.draft('site:s').read()
    expect(draft).toMatchObject({ values, isNew: true, lostFiles: 0, isQueued: false })
    expect(draft?.files.map(({ name }) => name)).toEqual(['a.jpg'])
    expect(next.store.unsent()).toEqual({ drafts: 1, changes: 0 })
  })

  test('are written synchronously', async () => {
    const page = await open(newDevice())
    void page.store.draft('business').save({ values, files: [] }, false)
    expect(page.device.storage.get(draftsKey)).toContain('Quay')
  })

  test('are deleted with their files once unused', async () => {
    const page = await open(newDevice())
    const slot = page.store.draft('site:s')
    await slot.save({ values, files: [photo('a.jpg'), photo('b.jpg')] }, true)
    await page.store.draft('business').save({ values, files: [photo('logo.png')] }, false)
    slot.drop()
    await settle()
    expect(page.store.drafts().map(({ form }) => form)).toEqual(['business'])
    const files = [...page.device.objects.values()].filter((value) => value instanceof File)
    expect(files.map(({ name }) => name)).toEqual(['logo.png'])
  })

  test('of a form that is open in two tabs replace only what they continue', async () => {
    const device = newDevice()
    const save = (page: FakePage, slot: DraftSlot, name: string, ...files: readonly File[]) => {
      page.device.now += 1000
      return slot.save({ values: { text: { name } }, files }, false)
    }
    const nameIn = (draft: Draft | undefined) =>
      (draft?.values as { text: { name: string } } | undefined)?.text.name
    const one = await open(device, [makeSite('s')])
    const two = await open(device, [makeSite('s')])
    const first = one.store.draft('site:s')
    await save(one, first, 'one', photo('one.jpg'))
    const second = two.store.draft('site:s')
    expect(nameIn(await second.read())).toBe('one')
    await save(two, second, 'one two')
    await save(one, first, 'one more', photo('one.jpg'))
    await save(two, second, 'one two three')
    await settle()

    const third = two.store.draft('site:s')
    expect(nameIn(await third.read())).toBe('one two three')
    expect(two.store.drafts()).toHaveLength(1)
    second.drop()
    const draft = await third.read()
    expect(nameIn(draft)).toBe('one more')
    expect(draft?.files.map(({ name }) => name)).toEqual(['one.jpg'])
    third.drop()
    await save(one, first, 'one again')
    expect(nameIn(await two.store.draft('site:s').read())).toBe('one again')
    first.drop()
    expect(two.store.drafts()).toEqual([])
  })

  test('are private to a user, even if another one signs in while the form is open', async () => {
    const device = newDevice()
    const page = await open(device)
    const slot = page.store.draft('site:s')
    await slot.save({ values, files: [] }, true)
    storeSession(device, bob)
    page.emit('visible')
    expect(page.store.getState().user?.id).toBe(bob.id)
    expect(page.store.drafts()).toEqual([])
    expect(await page.store.draft('site:s').read()).toBeUndefined()
    await slot.save({ values: { text: 'of Ada' }, files: [] }, true)
    slot.drop()
    expect(page.store.drafts()).toEqual([])
    expect(device.storage.get(draftsKey)).toContain('Quay')
  })

  test('are deleted on sign-out, with the cached data', async () => {
    const page = await open(newDevice(), [makeSite('a')])
    await page.advance(2000)
    await page.store.draft('site:s').save({ values, files: [photo('a.jpg')] }, true)
    expect(page.device.objects.size).toBe(2)
    page.store.signOut()
    await settle()
    expect([...page.device.storage.keys()]).toEqual([])
    expect([...page.device.objects.keys()]).toEqual([])
  })

  test('report a full device', async () => {
    const page = await open(newDevice())
    const slot = page.store.draft('site:s')
    page.device.isFull = true
    expect(await slot.save({ values, files: [] }, true)).toMatchObject({ text: false })
    page.device.isFull = false
    const device = page.device
    const set = device.objects.set.bind(device.objects)
    device.objects.set = () => {
      throw new Error('QuotaExceededError')
    }
    expect(await slot.save({ values, files: [photo('a.jpg')] }, true)).toMatchObject({
      text: true,
      files: false,
    })
    device.objects.set = set
    expect(await slot.read()).toMatchObject({ values, files: [], lostFiles: 1 })
  })

  test('ignore invalid and outdated formats', async () => {
    const page = await open(newDevice())
    for (const rubbish of [
      '',
      '{',
      'null',
      '[]',
      '{"version":0,"drafts":[]}',
      '{"version":1,"drafts":{}}',
      '{"version":1,"drafts":[null,1,{"form":"business"}]}',
    ]) {
      page.device.storage.set(draftsKey, rubbish)
      expect(page.store.drafts()).toEqual([])
      expect(await page.store.draft('business').read()).toBeUndefined()
    }
  })
})

describe('cached data', () => {
  test('is shown with its age while the data loads, and then replaced', async () => {
    const device = newDevice()
    const page = await open(device, [makeSite('a', { name: 'Old' })])
    await page.advance(2000)
    close(page)
    const savedAt = device.now
    device.now += 60_000
    const next = openUnanswered(device)
    await settle()
    expect(names(next)).toEqual(['Old'])
    expect(next.store.savedAt()).toBe(savedAt)
    expect(next.store.getState().loading).toBe(true)
    await answerLoad(next, [makeSite('a', { name: 'New' })])
    expect(names(next)).toEqual(['New'])
    expect(next.store.savedAt()).toBeUndefined()
  })

  test('stays when the server is unreachable, and never replaces fresh data', async () => {
    const device = newDevice()
    close(
      await open(device, [makeSite('a', { name: 'Old' })]).then(async (page) => {
        await page.advance(2000)
        return page
      }),
    )
    const next = openUnanswered(device)
    await (await next.next('GET', BUSINESSES)).fail()
    await (await next.next('GET', CONNECTORS)).fail()
    expect(names(next)).toEqual(['Old'])
    expect(next.store.savedAt()).toBeDefined()
    expect(next.store.getNotices().map(({ action }) => action)).toEqual(['load'])
  })

  test('is stored in parts if large, all from one time or not at all', async () => {
    const device = newDevice()
    const many = (name: string) =>
      Array.from({ length: 1200 }, (_, index) => makeSite(`s${index}`, { name }))
    const page = await open(device, many('Old'))
    await page.advance(2000)
    await settle()
    close(page)
    expect(device.objects.size).toBe(3)
    const next = openUnanswered(device)
    await settle()
    expect(names(next)).toEqual(Array.from({ length: 1200 }, () => 'Old'))
    expect(next.store.getState().data?.sites.map(({ id }) => id)).toEqual(
      many('').map(({ id }) => id),
    )

    await (
      await next.next('POST', REFRESH)
    ).answer(200, { token: makeToken(ada.id, device.now + 1e9, 'q'), record: ada })
    await answerLoad(next, many('New'))
    await next.advance(2000)
    await settle()
    expect(device.objects.size).toBe(3)
    close(next)

    const [part] = [...device.objects.keys()].filter((key) => key.endsWith(':500'))
    device.objects.delete(part ?? '')
    const third = openUnanswered(device)
    await settle()
    expect(third.store.getState().data).toBeNull()
    third.store.signOut()
    await settle()
    expect([...device.objects.keys()]).toEqual([])
  })

  test('is not written after another tab has signed out', async () => {
    const device = newDevice()
    const many = Array.from({ length: 1200 }, (_, index) => makeSite(`s${index}`))
    const page = await open(device, many)
    const other = openUnanswered(device)
    await settle()
    const set = device.objects.set.bind(device.objects)
    device.objects.set = (key, value) => {
      set(key, value)
      if (key.endsWith(':500')) other.store.signOut()
      return device.objects
    }
    await page.advance(2000)
    await settle()
    expect(page.store.getState().user).toBeNull()
    expect([...device.objects.keys()]).toEqual([])
  })

  test('is not shown to another user', async () => {
    const device = newDevice()
    const page = await open(device, [makeSite('a')])
    await page.advance(2000)
    close(page)
    storeSession(device, bob)
    const next = openUnanswered(device, bob)
    await settle()
    expect(next.store.getState().data).toBeNull()
  })
})

describe('saving offline', () => {
  const later = { values: { text: 'as typed' }, files: [photo('a.jpg')] }

  const saveOffline = async (device: Device): Promise<FakePage> => {
    const page = await open(device)
    device.isOnline = false
    page.sent.length = 0
    const { value } = await page.store.createSite('s', input, [connector('1')], later.files, {
      queue: true,
      values: later.values,
    })
    expect(value?.isQueued).toBe(true)
    return page
  }

  test('shows the change immediately, queues it, and sends it when the connection returns', async () => {
    const device = newDevice()
    const page = await saveOffline(device)
    expect(names(page)).toEqual(['Quay'])
    expect(page.store.queuedWrites()).toEqual([{ id: 's', action: 'createSite', at: device.now }])
    expect(page.store.unsent().changes).toBe(1)
    expect(page.sent).toEqual([])
    device.now += 60_000
    await goOnline(page)
    await answerLoad(page)
    const site = await page.next('POST', SITES)
    expect(site.body).toMatchObject({ id: ['s'], photos: [expect.any(File)] })
    await site.answer(200, makeSite('s', { photos: ['a.webp'] }))
    await (await page.next('POST', CONNECTORS)).answer(200, storedConnector('1', 's'))
    expect(page.store.queuedWrites()).toEqual([])
    expect(page.store.unsent()).toEqual({ drafts: 0, changes: 0 })
    expect(names(page)).toEqual(['Quay'])
    await settle()
    expect([...device.objects.values()].some((value) => value instanceof File)).toBe(false)
  })

  test('sends the change from the next page after the tab was closed', async () => {
    const device = newDevice()
    close(await saveOffline(device))
    device.isOnline = true
    const next = await open(device)
    expect(names(next)).toEqual(['Quay'])
    const site = await next.next('POST', SITES)
    expect((site.body['photos'] as File[])[0]?.name).toBe('a.jpg')
    await site.answer(200, makeSite('s', { photos: ['a.webp'] }))
    await (await next.next('POST', CONNECTORS)).answer(200, storedConnector('1', 's'))
    expect(next.store.queuedWrites()).toEqual([])
  })

  test('sends the change from one tab only', async () => {
    const device = newDevice()
    const page = await saveOffline(device)
    device.isOnline = true
    const other = await open(device)
    await goOnline(page)
    const sites = () => [page, other].flatMap((each) => each.waiting('POST', SITES))
    expect(sites()).toHaveLength(1)
    await sites()[0]?.answer(200, makeSite('s', { photos: ['a.webp'] }))
    const connectors = [page, other].flatMap((each) => each.waiting('POST', CONNECTORS))
    expect(connectors).toHaveLength(1)
    await connectors[0]?.answer(200, storedConnector('1', 's'))
    await settle()
    expect([page, other].flatMap((each) => each.waiting('POST', CONNECTORS))).toHaveLength(1)
    expect(sites()).toHaveLength(1)
    expect(other.store.queuedWrites()).toEqual([])
  })

  test('duplicates nothing if a response is lost; the request is retried', async () => {
    const device = newDevice()
    const page = await saveOffline(device)
    await goOnline(page)
    await (await page.next('POST', SITES)).fail()
    expect(page.store.queuedWrites()).toHaveLength(1)
    expect(page.store.getNotices()).toEqual([])
    await page.advance(2000)
    await (await page.next('POST', SITES)).answer(400, ownIdTaken)
    await (await page.next('GET', `${SITES}/s`)).answer(200, makeSite('s', { photos: ['a.webp'] }))
    await (await page.next('POST', CONNECTORS)).answer(400, ownIdTaken)
    await (await page.next('GET', `${CONNECTORS}/1`)).answer(200, storedConnector('1', 's'))
    expect(page.store.queuedWrites()).toEqual([])
    expect(page.sent.filter(({ method }) => method === 'PATCH')).toEqual([])
  })

  test('returns a refused change to its form, with a notice', async () => {
    const device = newDevice()
    const page = await saveOffline(device)
    await goOnline(page)
    await (
      await page.next('POST', SITES)
    ).answer(400, { status: 400, message: '', data: { name: { code: 'validation_required' } } })
    expect(page.store.queuedWrites()).toEqual([])
    expect(names(page)).toEqual([])
    expect(page.store.getNotices()[0]).toMatchObject({
      action: 'createSite',
      form: { name: 'site:s', isNew: true },
      problem: { kind: 'invalid' },
    })
    const draft = await page.store.draft('site:s').read()
    expect(draft).toMatchObject({ values: later.values, isNew: true, isQueued: false })
    expect(draft?.files.map(({ name }) => name)).toEqual(['a.jpg'])
  })

  test('reports a device without room, and promises nothing', async () => {
    const page = await open(newDevice())
    page.device.isOnline = false
    page.device.isFull = true
    const how = { queue: true, values: later.values }
    const { action } = await page.store.createSite('s', input, [], later.files, how)
    expect(action).toBe('queue')
    expect(page.store.queuedWrites()).toEqual([])
    expect(names(page)).toEqual([])
  })
})

describe('changes made offline', () => {
  const edit = async (
    changes: Partial<SiteInput>,
    files: readonly File[] = [],
  ): Promise<FakePage> => {
    const device = newDevice()
    const page = await open(device, [makeSite('a')], [storedConnector('1', 'a')])
    device.isOnline = false
    const [site] = page.store.getState().data?.sites ?? []
    if (site === undefined) throw new Error('There is no site')
    const wanted = { ...editOf(site, changes), newPhotos: files }
    await page.store.updateSite('a', wanted, { base: site, queue: true, values: 'mine' })
    page.sent.length = 0
    device.now += 60_000
    return page
  }
  const answerSite = async (page: FakePage, site: Site, etag = '"2"'): Promise<void> =>
    (await page.next('GET', `${SITES}/a`)).answer(200, site, { ETag: etag })

  test('are merged with those of other devices', async () => {
    const page = await edit({ name: 'Pier' })
    expect(names(page)).toEqual(['Pier'])
    await goOnline(page)
    const theirs = makeSite('a', { cost: 'Free' })
    await answerLoad(page, [theirs], [storedConnector('1', 'a'), storedConnector('2', 'a')])
    await answerSite(page, theirs)
    const patch = await page.next('PATCH', `${SITES}/a`)
    expect(patch.body).toEqual({ name: 'Pier' })
    expect(patch.headers.get('If-Match')).toBe('"2"')
    await patch.answer(200, makeSite('a', { cost: 'Free', name: 'Pier' }))
    expect(page.store.queuedWrites()).toEqual([])
    // The connector added by another device stays.
    expect(page.sent.filter(({ method }) => method === 'DELETE')).toEqual([])
    expect(page.store.getState().data?.sites[0]).toMatchObject({ name: 'Pier', cost: 'Free' })
  })

  test('are left to the owner in a conflict', async () => {
    const page = await edit({ name: 'Pier' })
    await goOnline(page)
    const theirs = makeSite('a', { name: 'Mole' })
    await answerLoad(page, [theirs], [storedConnector('1', 'a')])
    await answerSite(page, theirs)
    expect(page.sent.filter(({ method }) => method === 'PATCH')).toEqual([])
    expect(names(page)).toEqual(['Mole'])
    expect(page.store.getNotices()[0]).toMatchObject({
      action: 'updateSite',
      problem: { kind: 'conflict' },
      form: { name: 'site:a', isNew: false },
    })
    expect(await page.store.draft('site:a').read()).toMatchObject({ values: 'mine' })
  })

  test('are recognized as done after a lost response', async () => {
    const page = await edit({ name: 'Pier' })
    await goOnline(page)
    await answerLoad(page, [makeSite('a')], [storedConnector('1', 'a')])
    await answerSite(page, makeSite('a'))
    await (await page.next('PATCH', `${SITES}/a`)).fail()
    await page.advance(2000)
    await answerSite(page, makeSite('a', { name: 'Pier' }))
    expect(page.store.queuedWrites()).toEqual([])
    expect(page.sent.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
  })

  test('upload a photo under one idempotency key, from any page and on any retry', async () => {
    const page = await edit({}, [photo('a.jpg')])
    await goOnline(page)
    await answerLoad(page, [makeSite('a')], [storedConnector('1', 'a')])
    await answerSite(page, makeSite('a'))
    const first = await page.next('PATCH', `${SITES}/a`)
    expect(first.multipart).toBe(true)
    close(page)
    const device = page.device
    device.locks.clear()
    const next = await open(device, [makeSite('a')], [storedConnector('1', 'a')])
    await answerSite(next, makeSite('a'))
    const second = await next.next('PATCH', `${SITES}/a`)
    expect(second.headers.get('Idempotency-Key')).toBe(first.headers.get('Idempotency-Key'))
    expect(second.headers.get('Idempotency-Key')).not.toBeNull()
    await second.answer(200, makeSite('a', { photos: ['a.webp'] }))
    expect(next.store.queuedWrites()).toEqual([])
  })

  test('delete a site once the connection returns, and keep it hidden until then', async () => {
    const device = newDevice()
    const page = await open(device, [makeSite('a')], [storedConnector('1', 'a')])
    device.isOnline = false
    page.sent.length = 0
    page.store.deleteSite('a')
    await page.advance(60_000)
    expect(names(page)).toEqual([])
    expect(page.store.getNotices()).toEqual([])
    expect(page.store.unsent().changes).toBe(1)
    await goOnline(page)
    await answerLoad(page, [makeSite('a')], [storedConnector('1', 'a')])
    expect(names(page)).toEqual([])
    await (await page.next('DELETE', `${CONNECTORS}/1`)).answer(204)
    await (await page.next('DELETE', `${SITES}/a`)).answer(204)
    expect(page.store.unsent().changes).toBe(0)
  })

  test('of the business are merged like those of a site', async () => {
    const device = newDevice()
    const page = await open(device)
    const data = page.store.getState().data
    if (data === null) throw new Error('There is no business')
    device.isOnline = false
    await page.store.updateBusiness({ name: 'Inns' }, { queue: true, values: 1 })
    expect(page.store.getState().data?.name).toBe('Inns')
    device.now += 60_000
    await goOnline(page)
    await answerLoad(page)
    const patch = await page.next('PATCH', `${BUSINESSES}/${business.id}`)
    expect(patch.body).toEqual({ name: 'Inns' })
    await patch.answer(200, { ...business, name: 'Inns' })
    expect(page.store.queuedWrites()).toEqual([])
    expect(page.store.getState().data?.name).toBe('Inns')
  })
})

test('a device without room does not prevent saving', async () => {
  const page = await open(newDevice())
  page.device.isFull = true
  const saved = page.store.createSite('s', input, [], [photo('a.jpg')])
  await (await page.next('POST', SITES)).answer(200, makeSite('s', { photos: ['a.webp'] }))
  expect((await saved).problem).toBeUndefined()
  page.device.isFull = false
  page.device.objects.set = () => {
    throw new Error('QuotaExceededError')
  }
  const updated = page.store.updateSite('s', { newPhotos: [photo('b.jpg')] })
  const upload = await page.next('PATCH', `${SITES}/s`)
  await upload.answer(200, makeSite('s', { photos: ['a.webp', 'b.webp'] }))
  expect((await updated).problem).toBeUndefined()
  expect(page.store.unsent().changes).toBe(0)
})

describe('a page killed', () => {
  test('while it sent a change: the next page merges the change with the stored record', async () => {
    const device = newDevice()
    const page = await open(device, [makeSite('a')])
    void page.store.updateSite('a', { fields: { name: 'Pier' }, newPhotos: [photo('a.jpg')] })
    const first = await page.next('PATCH', `${SITES}/a`)
    page.crash()
    const theirs = makeSite('a', { cost: 'Free' })
    const next = await open(device, [theirs])
    await (await next.next('GET', `${SITES}/a`)).answer(200, theirs, { ETag: '"2"' })
    const fields = await next.next('PATCH', `${SITES}/a`)
    expect(fields.body).toEqual({ name: 'Pier' })
    await fields.answer(200, { ...theirs, name: 'Pier' })
    const upload = await next.next('PATCH', `${SITES}/a`)
    expect(upload.headers.get('Idempotency-Key')).toBe(first.headers.get('Idempotency-Key'))
    await upload.answer(200, { ...theirs, name: 'Pier', photos: ['a.webp'] })
    expect(next.store.unsent().changes).toBe(0)
    expect(next.store.getNotices()).toEqual([])
  })

  test('after a new site was stored: the next page undoes no change of another device', async () => {
    const device = newDevice()
    const page = await open(device)
    void page.store.createSite('s', input, [connector('1'), connector('2')], [photo('a.jpg')])
    await (await page.next('POST', SITES)).answer(200, makeSite('s', { photos: ['a.webp'] }))
    await (await page.next('POST', CONNECTORS)).answer(200, storedConnector('1', 's'))
    page.crash()
    // Another device has renamed the site and removed its photo and its first connector.
    const next = await open(device, [makeSite('s', { name: 'Mole' })])
    const missing = await next.next('POST', CONNECTORS)
    expect(missing.body['id']).toBe('2')
    await missing.answer(200, storedConnector('2', 's'))
    expect(next.store.unsent().changes).toBe(0)
    expect(next.sent.filter(({ method }) => ['PATCH', 'DELETE'].includes(method))).toEqual([])
    expect(names(next)).toEqual(['Mole'])
  })

  test('whose write is refused to the next page: that page returns it to its form', async () => {
    const device = newDevice()
    const page = await open(device, [makeSite('a')])
    const fields = { name: 'Pier' }
    void page.store.updateSite('a', { fields }, { values: 'as typed', isAwaited: () => true })
    await page.next('PATCH', `${SITES}/a`)
    page.crash()
    const next = await open(device, [makeSite('a', { name: 'Mole' })])
    const theirs = makeSite('a', { name: 'Mole' })
    await (await next.next('GET', `${SITES}/a`)).answer(200, theirs, { ETag: '"2"' })
    expect(next.store.getNotices()).toMatchObject([
      { action: 'updateSite', problem: { kind: 'conflict' }, form: { name: 'site:a' } },
    ])
    expect(await next.store.draft('site:a').read()).toMatchObject({ values: 'as typed' })
  })
})

describe('a page that is left', () => {
  test('while it sends a change: the next page sends the change', async () => {
    const device = newDevice()
    const page = await open(device, [makeSite('a')])
    void page.store.updateSite('a', { fields: { name: 'Pier' } })
    const first = await page.next('PATCH', `${SITES}/a`)
    page.emit('leave')
    await first.fail()
    // A slow navigation.
    await page.advance(5000)
    page.crash()
    const next = await open(device, [makeSite('a')])
    await (await next.next('GET', `${SITES}/a`)).answer(200, makeSite('a'), { ETag: '"2"' })
    const again = await next.next('PATCH', `${SITES}/a`)
    expect(again.body).toEqual({ name: 'Pier' })
    await again.answer(200, makeSite('a', { name: 'Pier' }))
    expect(next.store.unsent().changes).toBe(0)
  })

  test('and stays, because the navigation was a download: it reports the failure later', async () => {
    const page = await open(newDevice(), [makeSite('a')])
    void page.store.updateSite('a', { fields: { name: 'Pier' } })
    const first = await page.next('PATCH', `${SITES}/a`)
    page.emit('leave')
    await first.fail()
    expect(page.store.getNotices()).toEqual([])
    await page.advance(20_000)
    expect(page.store.getNotices()).toMatchObject([{ action: 'updateSite', subject: 'a' }])
    expect(page.store.unsent().changes).toBe(0)
    void page.store.updateSite('a', { fields: { name: 'Pier' } })
    await (await page.next('PATCH', `${SITES}/a`)).fail()
    expect(page.store.getNotices()).toMatchObject([{ action: 'updateSite', subject: 'a' }])
  })
})

describe('a page that stays after it has begun to leave', () => {
  const leave = async (device = newDevice()): Promise<FakePage> => {
    const page = await open(device, [makeSite('a')])
    void page.store.updateSite('a', { fields: { name: 'Pier' } })
    const first = await page.next('PATCH', `${SITES}/a`)
    page.emit('leave')
    await first.fail()
    return page
  }

  test('forgets the failure of a change that a newer one has replaced', async () => {
    const page = await leave()
    void page.store.updateSite('a', { fields: { name: 'Mole' } })
    await (await page.next('PATCH', `${SITES}/a`)).answer(200, makeSite('a', { name: 'Mole' }))
    expect(names(page)).toEqual(['Mole'])
    expect(page.store.unsent().changes).toBe(0)
    await page.advance(20_000)
    expect(page.store.getNotices()).toEqual([])
    expect(names(page)).toEqual(['Mole'])
  })

  test('forgets the failure of a change that another page has sent', async () => {
    const page = await leave()
    for (const key of page.device.storage.keys())
      if (key.startsWith('voltleaf:mutations:')) page.device.storage.delete(key)
    await page.advance(20_000)
    expect(page.store.getNotices()).toEqual([])
    expect(page.store.unsent().changes).toBe(0)
  })

  test('reports a refusal immediately', async () => {
    const page = await open(newDevice(), [makeSite('a')])
    void page.store.updateSite('a', { fields: { name: 'Pier' } })
    page.emit('leave')
    await (await page.next('PATCH', `${SITES}/a`)).answer(503, {})
    expect(page.store.getNotices()).toMatchObject([{ action: 'updateSite', subject: 'a' }])
  })
})

describe('the categories of photos', () => {
  const stored = (changes: Partial<Site> = {}) => makeSite('a', { photos: ['a.webp'], ...changes })
  const shown = (page: FakePage) =>
    page.store.getState().data?.sites[0]?.photos.map(({ name, category }) => [name, category])

  test('are sent after everything else of the site, by the names of the photos', async () => {
    const page = await open(newDevice(), [stored()])
    const file = photo('b.jpg')
    const saved = page.store.updateSite('a', {
      fields: { name: 'Pier' },
      newPhotos: [file],
      photoCategories: [
        ['a.webp', 'CHARGER'],
        [file, 'ENTRANCE'],
      ],
    })
    expect(shown(page)).toEqual([['a.webp', 'CHARGER']])
    const upload = await page.next('PATCH', `${SITES}/a`)
    expect(upload.body).toEqual({ name: ['Pier'], photos: [file] })
    await upload.answer(200, stored({ name: 'Pier', photos: ['a.webp', 'b.webp'] }))
    const last = await page.next('PATCH', `${SITES}/a`)
    expect(last.body).toEqual({
      'photo_categories+': { 'a.webp': 'CHARGER', 'b.webp': 'ENTRANCE' },
    })
    expect(last.headers.get('If-Match')).toBeNull()
    await last.answer(200, { id: 'a' })
    expect((await saved).problem).toBeUndefined()
    expect(shown(page)).toEqual([
      ['a.webp', 'CHARGER'],
      ['b.webp', 'ENTRANCE'],
    ])
    // Nothing is left to send.
    await page.store.updateSite('a', { photoCategories: [['a.webp', 'CHARGER']] })
    expect(page.sent.filter(({ method }) => method === 'PATCH')).toHaveLength(2)
  })

  test('are sent after the connectors of a new site, and by the next page if this one is killed', async () => {
    const device = newDevice()
    const page = await open(device)
    const files = [photo('a.jpg'), photo('b.jpg')] as const
    const photoCategories = [
      [files[0], ''],
      [files[1], 'ENTRANCE'],
    ] as const
    void page.store.createSite('s', input, [connector('1')], files, { photoCategories })
    const site = makeSite('s', { photos: ['a.webp', 'b.webp'] })
    await (await page.next('POST', SITES)).answer(200, site)
    await (await page.next('POST', CONNECTORS)).answer(200, storedConnector('1', 's'))
    const first = await page.next('PATCH', `${SITES}/s`)
    expect(first.body).toEqual({ 'photo_categories+': { 'b.webp': 'ENTRANCE' } })
    page.crash()
    // Another device has changed the order in the meantime.
    const reordered = { ...site, photos: ['b.webp', 'a.webp'] }
    const next = await open(device, [reordered], [storedConnector('1', 's')])
    const again = await next.next('PATCH', `${SITES}/s`)
    expect(again.body).toEqual(first.body)
    await again.answer(200, { id: 's' })
    expect(next.store.unsent().changes).toBe(0)
    expect(next.sent.filter(({ method }) => ['POST', 'PATCH'].includes(method))).toEqual([
      expect.objectContaining({ path: REFRESH }),
      again,
    ])
  })

  test('are sent even if the response to the new site was lost', async () => {
    const page = await open(newDevice())
    const file = photo('a.jpg')
    const how = { photoCategories: [[file, 'CHARGER'] as const] }
    void page.store.createSite('s', input, [], [file], how)
    await (await page.next('POST', SITES)).fail()
    void page.store.createSite('s', input, [], [file], how)
    await (await page.next('POST', SITES)).answer(400, ownIdTaken)
    const read = await page.next('GET', `${SITES}/s`)
    await read.answer(200, makeSite('s', { photos: ['a.webp'] }))
    const last = await page.next('PATCH', `${SITES}/s`)
    expect(last.body).toEqual({ 'photo_categories+': { 'a.webp': 'CHARGER' } })
  })

  test('wait for a connection, and survive the page that uploaded the photo', async () => {
    const device = newDevice()
    const page = await open(device, [stored()])
    device.isOnline = false
    const files = [photo('b.jpg'), photo('c.jpg')] as const
    await page.store.updateSite(
      'a',
      {
        newPhotos: files,
        photoCategories: [
          ['a.webp', 'LOCATION'],
          [files[0], ''],
          [files[1], 'ENTRANCE'],
        ],
      },
      { queue: true, values: 'mine' },
    )
    expect(shown(page)).toEqual([['a.webp', 'LOCATION']])
    await goOnline(page)
    await (await page.next('GET', `${SITES}/a`)).answer(200, stored(), { ETag: '"2"' })
    const two = stored({ photos: ['a.webp', 'b.webp'] })
    await (await page.next('PATCH', `${SITES}/a`)).answer(200, two)
    await page.next('PATCH', `${SITES}/a`)
    page.crash()
    // The second photo was stored as well, with another body under its key.
    const all = stored({ photos: ['a.webp', 'b.webp', 'c.webp'] })
    const next = await open(device, [all])
    await (await next.next('GET', `${SITES}/a`)).answer(200, all, { ETag: '"4"' })
    await (await next.next('PATCH', `${SITES}/a`)).answer(422, { status: 422, data: {} })
    await (await next.next('GET', `${SITES}/a`)).answer(200, all, { ETag: '"4"' })
    const last = await next.next('PATCH', `${SITES}/a`)
    expect(last.body).toEqual({
      'photo_categories+': { 'a.webp': 'LOCATION', 'c.webp': 'ENTRANCE' },
    })
    await last.answer(200, { id: 'a' })
    expect(next.store.unsent().changes).toBe(0)
    expect(next.store.getNotices()).toEqual([])
  })

  test('can be undone before they are sent', async () => {
    const page = await open(newDevice(), [stored()])
    page.device.isOnline = false
    const say = (category: 'OTHER' | '') =>
      page.store.updateSite('a', { photoCategories: [['a.webp', category]] }, { queue: true })
    await say('OTHER')
    // Another write of the same site leaves it alone.
    await page.store.updateSite('a', { fields: { cost: 'Free' } }, { queue: true })
    expect(shown(page)).toEqual([['a.webp', 'OTHER']])
    await page.store.updateSite('a', { fields: { cost: '' } }, { queue: true })
    await say('')
    expect(shown(page)).toEqual([['a.webp', '']])
    expect(page.store.unsent().changes).toBe(0)
  })
})

test('invalid mutations, and deletes without a payload of an earlier version, are ignored', async () => {
  const device = newDevice()
  for (const rubbish of ['{', 'null', '{}', '[null,1]', '[{"id":"s","kind":"removeRecord"}]']) {
    device.storage.set(mutationsKey(ada.id), rubbish)
    const page = await open(device, [makeSite('a')])
    expect(page.store.queuedWrites()).toEqual([])
    expect(names(page)).toEqual(['Quay'])
  }
})

test('a delete that is paused is not sent by a tab that was opened meanwhile', async () => {
  const device = newDevice()
  const page = await open(device, [makeSite('a')])
  page.store.deleteSite('a')
  await settle()
  const other = await open(device, [makeSite('a')]) // a second tab, within the undo period
  await settle()
  page.store.pauseDelete('a', true) // the pointer is over the toast
  await page.advance(20_000)
  expect(page.store.pendingDeletes()).toHaveLength(1) // Undo is still offered
  expect([page, other].flatMap((each) => each.waiting('DELETE', `${SITES}/a`))).toEqual([])
})

test('a read that a newer one supersedes ends with that one', async () => {
  const page = await open(newDevice())
  let isRead = false
  const read = page.store.reload().then((isSuccess) => {
    isRead = isSuccess
  })
  const first = await page.next('GET', BUSINESSES)
  const firstConnectors = await page.next('GET', CONNECTORS)
  void page.store.reload()
  const second = await page.next('GET', BUSINESSES)
  await first.answer(200, list([business]))
  await firstConnectors.answer(200, list([]))
  await settle()
  expect(isRead).toBe(false)
  await second.answer(200, list([{ ...business, expand: { 'sites(business)': [makeSite('a')] } }]))
  await (await page.next('GET', CONNECTORS)).answer(200, list([]))
  await read
  expect(isRead).toBe(true)
  expect(names(page)).toEqual(['Quay'])
})

describe('what another tab has sent stays in the list, without an event', () => {
  const how = { queue: true, values: {} }
  const pier = makeSite('t', { name: 'Pier' })

  test('until all of it is read', async () => {
    const device = newDevice()
    const page = await open(device)
    const other = await open(device)
    device.isOnline = false
    await page.store.createSite('s', input, [connector('c')], [], how)
    await page.store.createSite('t', { ...input, name: 'Pier' }, [], [], how)
    await goOnline(page)
    await (await page.next('POST', SITES)).answer(200, makeSite('s'))
    await (await page.next('POST', CONNECTORS)).answer(200, storedConnector('c', 's'))
    expect(names(other)).toEqual(['Quay', 'Pier'])
    // The second site is sent while the first one is read.
    const read = await other.next('GET', BUSINESSES)
    await (await page.next('POST', SITES)).answer(200, pier)
    await settle()
    expect(page.store.queuedWrites()).toEqual([])
    await read.answer(200, list([{ ...business, expand: { 'sites(business)': [makeSite('s')] } }]))
    await (await other.next('GET', CONNECTORS)).answer(200, list([storedConnector('c', 's')]))
    await settle()
    expect(names(other)).toEqual(['Quay', 'Pier'])
    await answerLoad(other, [makeSite('s'), pier], [storedConnector('c', 's')])
    await settle()
    expect(names(other)).toEqual(['Quay', 'Pier'])
    expect(other.waiting('GET', BUSINESSES)).toEqual([])
  })

  test('while this tab changes something else', async () => {
    const device = newDevice()
    const page = await open(device)
    const other = await open(device)
    device.isOnline = false
    await page.store.createSite('t', { ...input, name: 'Pier' }, [], [], how)
    await goOnline(page)
    await (await page.next('POST', SITES)).answer(200, pier)
    await settle()
    void other.store.updateBusiness({ name: 'Hotels' })
    await settle()
    expect(names(other)).toEqual(['Pier'])
  })
})

test('a delete that another tab has undone is not hidden by its next one', async () => {
  const device = newDevice()
  const stored = [makeSite('a'), makeSite('b', { name: 'Bee' })]
  const page = await open(device, stored)
  const other = await open(device, stored)
  page.store.deleteSite('a')
  await settle()
  expect(names(other)).toEqual(['Bee'])
  page.store.undoDelete('a')
  page.store.deleteSite('b')
  await settle()
  expect(names(other)).toEqual([])
  await answerLoad(other, stored)
  await settle()
  expect(names(other)).toEqual(['Quay'])
})

test('another tab waits for a restarted undo period', async () => {
  const device = newDevice()
  const page = await open(device, [makeSite('a')])
  page.store.deleteSite('a')
  const other = await open(device, [makeSite('a')])
  await page.advance(7000)
  page.store.pauseDelete('a', true)
  page.store.pauseDelete('a', false)
  await page.advance(4000)
  expect(page.store.pendingDeletes()).toHaveLength(1)
  expect([page, other].flatMap((each) => each.waiting('DELETE', `${SITES}/a`))).toEqual([])
})

test('a photo stays if its queued removal is undone in the form', async () => {
  const device = newDevice()
  const page = await open(device, [makeSite('a', { photos: ['1.webp', '2.webp'] })])
  device.isOnline = false
  const read = await page.store.readSite('a')
  if (read.value === undefined) throw new Error('The site was not read')
  const { site, etag } = read.value
  const how = { base: site, etag, queue: true, values: {} }
  const edit = editOf(site, { name: 'Pier' })
  await page.store.updateSite('a', { ...edit, removedPhotos: ['1.webp'] }, how)
  await page.store.updateSite('a', { ...edit, removedPhotos: [] }, how)
  expect(page.store.getState().data?.sites[0]?.photos.map(({ name }) => name)).toEqual([
    '1.webp',
    '2.webp',
  ])
})

test('a form that is saved again after the queue has sent it sends no photo twice', async () => {
  const device = newDevice()
  const page = await open(device)
  device.isOnline = false
  const file = photo('a.jpg')
  await page.store.createSite('s', input, [], [file], { queue: true, values: {} })
  // The form is reopened, with the file from the device.
  const draft = await page.store.draft('site:s').read()
  await goOnline(page)
  const site = await page.next('POST', SITES)
  await site.answer(200, makeSite('s', { photos: ['a.webp'] }))
  await settle()
  expect(page.store.queuedWrites()).toEqual([])
  page.sent.length = 0
  void page.store.createSite('s', { ...input, name: 'Quay 2' }, [], draft?.files ?? [], {
    values: {},
  })
  await settle()
  expect(page.sent.filter(({ body }) => 'photos' in body)).toEqual([])
})

test('no bulk update is shown after the sign-out', async () => {
  const device = newDevice()
  const page = await open(device, [makeSite('a'), makeSite('b')])
  page.store.updateSites(['a', 'b'], { status: 'OUTOFORDER' })
  await settle()
  const b = await page.next('POST', '/api/batch')
  await b.answer(
    200,
    ['a', 'b'].map((id) => ({ status: 200, body: { id, status: 'OUTOFORDER' } })),
  )
  await settle()
  expect(page.store.bulkUpdate()?.isDone).toBe(true)
  page.store.signOut()
  expect(page.store.bulkUpdate()).toBeUndefined()
})

test('a restored photo is kept even if another tab has removed its file', async () => {
  const device = newDevice()
  const page = await open(device)
  const file = photo('a.jpg')
  const slot = page.store.draft('site:s')
  await slot.save({ values: {}, files: [file] }, true)
  await slot.save({ values: {}, files: [] }, true) // "Remove" pressed
  await open(device) // another tab sweeps
  await settle()
  device.isOnline = false
  await slot.save({ values: {}, files: [file] }, true) // "Undo" pressed
  const result = await page.store.createSite('s', input, [], [file], { queue: true, values: {} })
  expect(result.value?.isQueued).toBe(true)
  slot.drop()
  await settle()
  device.isOnline = true
  page.emit('online')
  await settle()
  const site = await page.next('POST', SITES)
  expect(site.body['photos']).toHaveLength(1)
})

test('a queued edit survives a delete that fails', async () => {
  const device = newDevice()
  const page = await open(device, [makeSite('a')])
  device.isOnline = false
  await page.store.updateSite('a', { fields: { name: 'Pier' } }, { queue: true, values: {} })
  page.store.deleteSite('a')
  await page.advance(1000)
  device.isOnline = true // wifi without internet
  await page.advance(8000)
  await (await page.next('DELETE', `${SITES}/a`)).fail()
  await settle()
  expect(names(page)).toEqual(['Pier'])
})

test('the queue is sent even if the first read after coming online fails', async () => {
  const device = newDevice()
  const page = await open(device)
  device.isOnline = false
  await page.store.createSite('s', input, [], [], { queue: true, values: {} })
  device.now += 60_000
  page.sent.length = 0
  await goOnline(page)
  await (await page.next('GET', BUSINESSES)).fail() // the radio is up, the network is not yet
  await page
    .next('GET', CONNECTORS)
    .then((r) => r.fail())
    .catch(() => undefined)
  await settle()
  const before = page.log().length
  for (let minute = 0; minute < 30; minute++) await page.advance(60_000)
  expect(page.log().length).toBeGreaterThan(before)
})

test('the queue of an earlier page is sent once a read succeeds', async () => {
  const device = newDevice()
  const first = await open(device)
  device.isOnline = false
  await first.store.createSite('s', input, [], [], { queue: true, values: {} })
  close(first)
  device.isOnline = true
  const page = openUnanswered(device)
  await (
    await page.next('POST', REFRESH)
  ).answer(200, { token: makeToken(ada.id, device.now + 1e9, 'r'), record: ada })
  await (await page.next('GET', BUSINESSES)).answer(503)
  await page
    .next('GET', CONNECTORS)
    .then((r) => r.answer(503))
    .catch(() => undefined)
  await settle()
  void page.store.load() // "Retry"
  await answerLoad(page)
  await settle()
  expect(page.store.getState().data?.sites.map(({ name }) => name)).toEqual(['Quay'])
  await page.advance(15_000)
  await answerLoad(page)
  await settle()
  expect(page.waiting('POST', SITES)).toHaveLength(1)
})

test('data read during a delete by an earlier page is read again', async () => {
  const TARIFFS = 'tariffs'
  const tariff = (id: string) => ({ id, name: id })
  const device = newDevice()
  const load = async (page: FakePage, ofSite: string, ofPlug: string, tariffs: string[]) => {
    const expand = {
      'sites(business)': [makeSite('a', { tariff: ofSite })],
      'tariffs(business)': tariffs.map(tariff),
    }
    await (await page.next('GET', BUSINESSES)).answer(200, list([{ ...business, expand }]))
    const plug = { ...storedConnector('c', 'a'), tariff: ofPlug }
    await (await page.next('GET', CONNECTORS)).answer(200, list([plug]))
    await settle()
  }
  const arrive = async (): Promise<FakePage> => {
    const page = openUnanswered(device)
    const token = makeToken(ada.id, device.now + 1e9, 'r')
    await (await page.next('POST', REFRESH)).answer(200, { token, record: ada })
    return page
  }
  const first = await arrive()
  await load(first, 'old', 'old', ['old', 'new'])
  first.store.deleteRecord(TARIFFS, 'old', 'new')
  await settle()
  close(first)

  const page = await arrive()
  await load(page, 'new', 'old', ['new'])
  await load(page, 'new', 'new', ['new'])
  const [site] = page.store.getState().data?.sites ?? []
  expect([site?.tariff, site?.connectors[0]?.tariff]).toEqual(['new', 'new'])
})
