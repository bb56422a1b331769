import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import sharp from 'sharp'

import { API } from '#domain/paths.ts'
import { SITES } from '#domain/collection.ts'
import { sites as declaration } from '#domain/site.ts'
import { sitePage } from '#domain/site-address.ts'
import { PATHS } from '../../web/paths.ts'
import { en } from '../support/english.ts'
import { CAMERA, makeCameraPhoto, makePhoto } from '../support/images.ts'
import { expect, test, type Owner, type Stack } from './driver.ts'
import { prepareSites } from './prepare.ts'
import { listFiles, readStored } from './stored.ts'
import { Wire } from './wire.ts'

const text = en.photos

/** Opens a stored site with these photos for editing. */
const openSiteWith = async (owner: Owner, stack: Stack, ...photos: readonly string[]) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Quay')
  const id = site?.id ?? ''
  const files = await Promise.all(photos.map((name) => makePhoto(`${name}.jpg`, SMALL)))
  if (files.length > 0) await client.collection(SITES).update(id, { photos: files })
  await owner.visit(`/site/edit/${id}`)
  await expect(owner.photos).toHaveCount(photos.length)
  await expect(owner.field(en.fields.sites.name)).toHaveValue('Quay')
  const stored = readStored(stack, owner.person.email)
  return {
    client,
    path: API.record(SITES, id),
    id,
    site: async () => (await stored.sites())[0],
    /** The stored photos in order, by the beginning of their names. */
    names: async () => (await stored.sites())[0]?.photos.map((name) => name.split('_')[0]),
  }
}

const SMALL = { width: 64, height: 48 }
const small = (name: string) => makePhoto(`${name}.jpg`, SMALL)

const section = (owner: Owner) => owner.page.locator('.photo-section')
const button = (owner: Owner, name: string) =>
  section(owner).getByRole('button', { name, exact: true })

/** The shown photos in order, by the beginning of their file names. */
const shown = (owner: Owner) =>
  owner.photos.evaluateAll((images) =>
    images.map(
      (image) =>
        /New: (\w+)/.exec((image as HTMLImageElement).alt)?.[1] ??
        /\/([a-z]+)_\w+\.\w+(\?.*)?$/.exec((image as HTMLImageElement).src)?.[1],
    ),
  )

/** Drops or pastes a file, as a user does. */
const bring = async (owner: Owner, how: 'drop' | 'paste', file: File) => {
  const bytes = Buffer.from(await file.arrayBuffer()).toString('base64')
  await section(owner).evaluate(
    (target, { how: type, name, base64 }) => {
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([content], name, { type: 'image/jpeg' }))
      const options = { bubbles: true, cancelable: true }
      if (type === 'paste') {
        target.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }))
        return
      }
      for (const each of ['dragenter', 'dragover', 'drop'])
        target.dispatchEvent(new DragEvent(each, { ...options, dataTransfer: data }))
    },
    { how, name: file.name, base64: bytes },
  )
}

test('photos can be chosen, dropped and pasted; they are sent small, upright and without metadata @once', async ({
  owner,
  stack,
}) => {
  const site = await openSiteWith(owner, stack)
  const wire = new Wire(owner)
  const camera = await makeCameraPhoto('camera.jpg')
  expect(Buffer.from(await camera.arrayBuffer()).includes(CAMERA)).toBe(true)
  await owner.addPhotos(camera)
  await bring(owner, 'drop', await small('dropped'))
  await expect(owner.photos).toHaveCount(2)
  await bring(owner, 'paste', await small('pasted'))
  await expect.poll(() => shown(owner)).toEqual(['camera', 'dropped', 'pasted'])

  // The position in the photo is offered, and only applied on request.
  await expect(section(owner)).toContainText(text.position('camera.jpg', '55.203889 / -6.652778'))
  await expect(owner.field(en.fields.sites.latitude)).toHaveValue('55.2044')
  await owner.expectNoViolations()
  await button(owner, text.usePosition).click()
  await expect(owner.field(en.fields.sites.latitude)).toHaveValue('55.203889')
  await expect(owner.field(en.fields.sites.longitude)).toHaveValue('-6.652778')
  await expect(button(owner, text.usePosition)).toHaveCount(0)

  await slowUploads(owner, 200_000)
  await owner.saveSite()
  await expect(section(owner).getByRole('progressbar')).toHaveCount(1)
  await expect(section(owner)).toContainText(/Uploading [1-9]\d? ?%/)
  await expect(section(owner).getByText(text.waiting)).toHaveCount(2)
  await expect(owner.page.getByText(text.progress(0, 3))).toBeVisible()
  await slowUploads(owner, -1)
  await owner.expectPath('/dashboard')

  // One request each; the first one also has the fields.
  const [first, ...others] = await wire.several(3, 'PATCH', site.path)
  expect(first?.parts.flatMap(({ name, file }) => file ?? name)).toEqual([
    'latitude',
    'longitude',
    'camera.jpg',
  ])
  expect(others.map(({ parts }) => parts.map(({ file }) => file))).toEqual([
    ['dropped.jpg'],
    ['pasted.jpg'],
  ])
  const sent = first?.parts.find(({ file }) => file !== undefined)?.content ?? Buffer.alloc(0)
  expect(camera.size / sent.length).toBeGreaterThanOrEqual(10)
  expect(sent.includes(CAMERA)).toBe(false)
  await expectUpright(sent)

  expect(await site.names()).toEqual(['camera', 'dropped', 'pasted'])
  const files = await listFiles(stack, SITES, site.id)
  const kept = files.find((name) => name.startsWith('camera')) ?? ''
  await expectUpright(await readFile(join(stack.dataDir, 'storage', SITES, site.id, kept)))
  expect(await site.site()).toMatchObject({ latitude: 55.203889, longitude: -6.652778 })
})

/** Expects no camera metadata, and the red half at the top. */
const expectUpright = async (bytes: Buffer) => {
  const image = sharp(bytes)
  const { width, height, exif, xmp, orientation } = await image.metadata()
  expect([width, height, exif, xmp, orientation ?? 1]).toEqual([
    1536,
    2048,
    undefined,
    undefined,
    1,
  ])
  const mean = async (top: number) => {
    // `stats` reads the whole input, so the part is cut out first.
    const part = await sharp(bytes).extract({ left: 0, top, width, height: 512 }).png().toBuffer()
    const { channels } = await sharp(part).stats()
    return channels.map((channel) => channel.mean)
  }
  const [[red = 0, , noBlue = 0], [noRed = 0, , blue = 0]] = [await mean(0), await mean(1536)]
  expect(red).toBeGreaterThan(noBlue * 1.5)
  expect(blue).toBeGreaterThan(noRed * 1.5)
}

/** Records in the page, as `photoCounts`, the number of visible photos at every change. */
const countPhotosAllTheTime = (owner: Owner) =>
  owner.page.addInitScript(() => {
    const counts: number[] = []
    Object.assign(globalThis, { photoCounts: counts })
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      const tiles = [...document.querySelectorAll('.photo-tile')]
      const count = tiles.filter((each) => each.checkVisibility()).length
      if (count !== counts.at(-1)) counts.push(count)
      port2.postMessage('again')
    })
    port1.start()
    port2.postMessage('begin')
  })

const slowUploads = async (owner: Owner, uploadThroughput: number) => {
  const session = await owner.page.context().newCDPSession(owner.page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput,
  })
}

test('after the last allowed photo, the focus stays on the button, which is disabled; one that is refused offers no retry @once', async ({
  owner,
  stack,
}) => {
  const site = await openSiteWith(owner, stack)
  const choose = section(owner).getByLabel(text.choose)
  await choose.focus()
  const photos = Array.from({ length: declaration.fields.photos.maxCount }, (_, index) =>
    small(`photo${index}`),
  )
  await owner.addPhotos(...(await Promise.all(photos)))
  await expect(choose).toBeFocused()
  await expect(choose).toBeDisabled()
  // Screen readers announce that the pictures are ready.
  const count = text.count(photos.length, photos.length)
  await expect(section(owner).getByRole('status').first()).toHaveText(
    en.about(en.fields.sites.photos, count),
  )
  let isOffered = false
  owner.page.on('filechooser', () => (isOffered = true))
  await owner.page.keyboard.press('Enter')
  await choose.click({ force: true })
  await owner.expectNoViolations()
  expect(isOffered).toBe(false)

  owner.expectFailureAt(site.path)
  // Another device fills the last place.
  await site.client.collection(SITES).update(site.id, { photos: [await small('other')] })
  await owner.saveSite()
  // Twenty photos are sent first.
  await expect(owner.alert).toContainText(en.failed.savePhotos, { timeout: 60_000 })
  await expect(section(owner).getByText(text.failed)).toHaveCount(1)
  await expect(section(owner).getByRole('button', { name: en.actions.retry })).toHaveCount(0)
  expect(await site.names()).toHaveLength(photos.length)
})

test('a form that is saved while photos are prepared is sent when they are ready @once', async ({
  owner,
  stack,
}) => {
  const site = await openSiteWith(owner, stack)
  const bar = owner.page.locator('.save-bar')
  const hold = () => owner.holdAnswers(/image-worker/)
  let release = await hold()

  await test.step('unless one of them cannot be used', async () => {
    const broken = new File(['no picture'], 'broken.jpg', { type: 'image/jpeg' })
    await owner.choosePhotos(await small('alpha'), broken)
    await owner.saveSite()
    await expect(bar).toContainText(en.form.saving)
    await release()
    await expect(section(owner)).toContainText(en.form.photoUnreadable('broken.jpg'))
    await expect(section(owner).getByLabel(text.choose)).toBeFocused()
    await expect(bar).not.toContainText(en.form.saving)
    expect(await site.names()).toEqual([])
  })

  await owner.reload()
  release = await hold()
  await owner.choosePhotos(await small('bravo'))
  await owner.saveSite()
  await expect(bar).toContainText(en.form.saving)
  await release()
  await owner.expectPath('/dashboard')
  expect(await site.names()).toContain('bravo')
})

test('a business that is saved while its logo is prepared gets the logo @once', async ({
  owner,
  stack,
}) => {
  await owner.comeSignedIn()
  const stored = readStored(stack, owner.person.email)
  const { page } = owner
  await owner.visit(PATHS.addBusiness)
  await owner.field(en.fields.businesses.name).fill('Harbour Lane')
  const release = await owner.holdAnswers(/image-worker/)
  const logo = await small('logo')
  const save = page.getByRole('button', { name: en.business.save })
  await page.getByLabel(en.business.chooseLogo).setInputFiles({
    name: logo.name,
    mimeType: logo.type,
    buffer: Buffer.from(await logo.arrayBuffer()),
  })
  await save.click()
  await expect(page.locator('.save-bar')).toContainText(en.form.saving)
  await release()
  await owner.expectPath(PATHS.dashboard)
  expect(await stored.businesses()).toMatchObject([
    { name: 'Harbour Lane', logo: expect.stringMatching(/^logo_/) },
  ])
})

test('a failed photo is marked and retried alone, the rest is saved, and nothing is duplicated @once', async ({
  owner,
  stack,
}) => {
  const site = await openSiteWith(owner, stack)
  await owner.fillSite({
    name: 'Pier',
    photos: await Promise.all(['alpha', 'bravo', 'charlie'].map(small)),
  })
  await owner.failNext('PATCH', site.path)
  await owner.saveSite()
  await expect(owner.alert).toContainText(en.failed.savePhotos)
  await expect(section(owner)).toContainText(`${text.failed} ${en.problems.unexpected}`)
  await expect(section(owner).getByText(text.failed)).toHaveCount(1)
  expect(await site.site()).toMatchObject({ name: 'Pier' })
  expect(await site.names()).toEqual(['bravo', 'charlie'])
  expect(await shown(owner)).toEqual(['alpha', 'bravo', 'charlie'])
  await owner.expectNoViolations()

  await test.step('the retry on its tile stores exactly one more, in its position', async () => {
    const wire = new Wire(owner)
    await button(owner, text.retry(text.newPhoto('alpha.jpg'))).click()
    await owner.expectPath('/dashboard')
    expect(await site.names()).toEqual(['alpha', 'bravo', 'charlie'])
    const writes = wire.calls('PATCH', site.path)
    expect(writes.map(({ isMultipart }) => isMultipart)).toEqual([true, false])
    expect(Object.keys(writes[1]?.body ?? {})).toEqual(['photos'])
    expect(writes[1]?.headers['if-match']).toMatch(/./)
  })

  await test.step('lost responses cause no duplicate, with the fields or without', async () => {
    await owner.openSite('Pier')
    await owner.fillSite({ name: 'Mole', photos: await Promise.all(['delta', 'echo'].map(small)) })
    // Photos are already re-encoded, so they are in the first two requests.
    await owner.failNext('PATCH', site.path, 'answer lost')
    await owner.saveSite()
    await owner.expectPath('/dashboard')
    expect(await site.names()).toEqual(['alpha', 'bravo', 'charlie', 'delta', 'echo'])

    await owner.openSite('Mole')
    await expect(owner.photos).toHaveCount(5)
    await owner.addPhotos(await small('foxtrot'), await small('golf'))
    await owner.failNext('PATCH', site.path, 'answer lost')
    await owner.saveSite()
    await expect(section(owner)).toContainText(`${text.failed} ${en.problems.offline}`)
    const all = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf']
    await expect.poll(site.names).toEqual(all)
    await owner.retry()
    await owner.expectPath('/dashboard')
    expect(await site.names()).toEqual(all)
  })
})

/** The category field of a photo. */
const categoryOf = (owner: Owner, label: string) => section(owner).getByLabel(text.category(label))

/** The categories of the stored photos, by the beginning of their names. */
const storedCategories = async (site: Awaited<ReturnType<typeof openSiteWith>>) =>
  Object.fromEntries(
    Object.entries((await site.site())?.photo_categories ?? {}).map(([name, category]) => [
      name.split('_')[0],
      category,
    ]),
  )

test('stored and new photos have categories, in drafts, after undo and offline @once', async ({
  owner,
  stack,
}) => {
  const site = await openSiteWith(owner, stack, 'alpha', 'bravo')
  const { page } = owner
  const bar = page.locator('.save-bar')
  const [first, second] = [text.photo(1), text.photo(2)]
  const added = text.newPhoto('charlie.jpg')
  await expect(categoryOf(owner, first)).toHaveValue('')

  await test.step('by keyboard, and kept in the draft', async () => {
    await owner.addPhotos(await small('charlie'))
    await categoryOf(owner, first).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(categoryOf(owner, first)).toHaveValue('ENTRANCE')
    await categoryOf(owner, added).focus()
    await page.keyboard.type('char')
    await expect(categoryOf(owner, added)).toHaveValue('CHARGER')
    await expect(bar).toContainText('2 changes')
    await owner.expectNoViolations()
    await owner.expectNothingCut('photos')
    await expect(page.getByText(/^Draft saved \d/)).toBeVisible()
    await owner.reload()
    await expect(categoryOf(owner, first)).toHaveValue('ENTRANCE')
    await expect(categoryOf(owner, added)).toHaveValue('CHARGER')
  })

  await test.step('a restored photo and a restored form have the same categories', async () => {
    await button(owner, text.remove(first)).click()
    await button(owner, text.undo(first)).click()
    await expect(categoryOf(owner, first)).toHaveValue('ENTRANCE')
    await page.getByRole('button', { name: en.drafts.discard, exact: true }).click()
    await expect(categoryOf(owner, first)).toHaveValue('')
    await bar.getByRole('button', { name: en.actions.undo }).click()
    await expect(categoryOf(owner, first)).toHaveValue('ENTRANCE')
    await expect(bar).toContainText('2 changes')
  })

  await test.step('saved, and readable in the history', async () => {
    await owner.saveSite()
    await owner.expectPath('/dashboard')
    expect(await storedCategories(site)).toEqual({ alpha: 'ENTRANCE', charlie: 'CHARGER' })
    await owner.visit(`/changes?site=${site.id}`)
    const { history, photoCategories, drafts } = en
    const line = page.locator('.change').first()
    await expect(line).toContainText(history.photo(1, drafts.nothing))
    await expect(line).toContainText(history.photo(1, photoCategories.ENTRANCE))
    await expect(line).toContainText(history.photo(3, photoCategories.CHARGER))
  })

  await test.step('changed offline, next to a change from another device, and removed with the photo', async () => {
    // Loads the script of the dashboard, which the form returns to.
    await owner.visit('/dashboard')
    await owner.openSite('Quay')
    await expect(categoryOf(owner, first)).toHaveValue('ENTRANCE')
    await owner.goOffline()
    await categoryOf(owner, second).selectOption('LOCATION')
    await button(owner, text.remove(text.photo(3))).click()
    await page.getByRole('button', { name: en.drafts.sendLater }).click()
    await owner.expectPath('/dashboard')
    const { sql } = stack
    const [alpha = ''] = (await site.site())?.photos ?? []
    await sql`
      update sites set photo_categories = photo_categories || ${`{"${alpha}":"OTHER"}`}::jsonb,
        version = nextval('record_version') where id = ${site.id}`
    await owner.goOnline()
    await expect.poll(() => storedCategories(site)).toEqual({ alpha: 'OTHER', bravo: 'LOCATION' })
  })
})

test('a category set on another device appears in an open form @once', async ({ owner, stack }) => {
  const client = await owner.comeSignedIn()
  const [site] = await prepareSites(client, 'Quay')
  const photos = await Promise.all(['alpha', 'bravo'].map(small))
  const sites = client.collection(SITES)
  const { id, photos: names } = await sites.update(site?.id ?? '', { photos })
  const [alpha, bravo] = names as [string, string]
  const subscribed = owner.page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/realtime') && response.request().method() === 'POST',
  )
  await owner.visit(`/site/edit/${id}`)
  await subscribed
  await categoryOf(owner, text.photo(1)).selectOption('CHARGER')
  const theirs = { [alpha]: 'OTHER', [bravo]: 'ENTRANCE' }
  await sites.update(id, { photo_categories: theirs })
  await expect(categoryOf(owner, text.photo(2))).toHaveValue('ENTRANCE')
  await expect(categoryOf(owner, text.photo(1))).toHaveValue('CHARGER')
  await expect(owner.page.locator('.save-bar')).toContainText('1 change')
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  const [stored] = await readStored(stack, owner.person.email).sites()
  expect(stored?.photo_categories).toEqual({ ...theirs, [alpha]: 'CHARGER' })
})

test('photos can be reordered by buttons, keys and mouse; the first is the cover; removal can be undone @once', async ({
  owner,
  stack,
}) => {
  await countPhotosAllTheTime(owner)
  const site = await openSiteWith(owner, stack, 'alpha', 'bravo', 'charlie', 'delta')
  const handle = (position: number) => button(owner, `Drag ${text.photo(position)}`)
  await expect(handle(1)).toBeVisible()
  // The sortable list replaces the plain one without a flash.
  expect(await owner.page.evaluate('photoCounts')).toEqual([0, 4])

  await test.step('by buttons', async () => {
    // The hint of the pointer is the name, which is not read twice.
    await expect(button(owner, text.moveRight(text.photo(1)))).not.toHaveAttribute('aria-label')
    await button(owner, text.moveRight(text.photo(1))).click()
    expect(await shown(owner)).toEqual(['bravo', 'alpha', 'charlie', 'delta'])
    await expect(section(owner)).toContainText(text.moved(text.photo(1), 2, 4))
    await expect(button(owner, text.moveRight(text.photo(2)))).toBeFocused()
    await button(owner, text.makeCover(text.photo(3))).click()
    expect(await shown(owner)).toEqual(['charlie', 'bravo', 'alpha', 'delta'])
    await expect(tile(owner, 1)).toContainText(text.cover)
    await expect(button(owner, text.moveRight(text.photo(1)))).toBeFocused()
    await expect(section(owner).getByText(text.cover, { exact: true })).toHaveCount(1)
  })

  await test.step('by keys', async () => {
    await handle(1).focus()
    await owner.page.keyboard.press('Enter')
    await expect(section(owner).locator('[data-drop-target]')).toBeVisible()
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await owner.page.keyboard.press(key)
    await expect.poll(() => shown(owner).then((all) => all.indexOf('charlie'))).toBeGreaterThan(0)
    expect((await shown(owner)).filter((name) => name !== 'charlie')).toEqual([
      'bravo',
      'alpha',
      'delta',
    ])
  })

  await test.step('by mouse', async () => {
    const [one, two, three, four] = await shown(owner)
    await tile(owner, 4).dragTo(tile(owner, 1), { targetPosition: { x: 4, y: 60 } })
    await expect.poll(() => shown(owner)).toEqual([four, one, two, three])
  })
  const order = await shown(owner)

  await test.step('removal marks the photo and can be undone', async () => {
    await owner.removePhoto(1)
    await expect(tile(owner, 1)).toContainText(text.willGo)
    await expect(tile(owner, 2)).toContainText(text.cover)
    await button(owner, text.undo(text.photo(1))).click()
    await expect(tile(owner, 1)).toContainText(text.cover)
    await owner.addPhotos(await small('new'))
    await button(owner, text.remove(text.newPhoto('new.jpg'))).click()
    await expect(tile(owner, 5)).toContainText(text.willNotCome)
    await owner.removePhoto(4)
  })

  await owner.saveSite()
  await owner.expectPath('/dashboard')
  expect(await site.names()).toEqual(order.slice(0, 3))
  await owner.openSite('Quay')
  await expect.poll(() => shown(owner)).toEqual(order.slice(0, 3))
})

const tile = (owner: Owner, position: number) =>
  section(owner)
    .locator('.photo-tile')
    .nth(position - 1)

test('on the page of a site, photos of any shape are arranged beside the cover @once', async ({
  owner,
}) => {
  const client = await owner.comeLater()
  const sites = await prepareSites(client, 'Quay', 'Pier', 'Gate')
  const portrait = { width: 48, height: 96 }
  for (const [index, { id, name }] of sites.entries()) {
    const count = [2, 3, 5][index] ?? 0
    const photos = Array.from({ length: count }, (_, at) => makePhoto(`${at}.jpg`, portrait))
    await client.collection(SITES).update(id, { photos: await Promise.all(photos) })
    await owner.visit(sitePage(id, String(name).toLowerCase()))
    const images = owner.page.locator('.traveller-photos img')
    await expect(images).toHaveCount(count)
    for (const image of await images.all()) await image.scrollIntoViewIfNeeded()
    await expect
      .poll(() =>
        images.evaluateAll((all) =>
          all.every((each) => (each as HTMLImageElement).naturalHeight > 0),
        ),
      )
      .toBe(true)
    const ends = await images.evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect().bottom),
    )
    const [coverEnd = 0, ...others] = ends
    expect(Math.abs(Math.max(...others) - coverEnd), `${count} photos`).toBeLessThan(1)
  }
})
