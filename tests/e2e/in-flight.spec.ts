import { SITES } from '#domain/collection.ts'
import { API } from '#domain/paths.ts'
import { en } from '../support/english.ts'
import { makePhoto } from '../support/images.ts'
import { PATHS } from '../../web/paths.ts'
import { expect, test, type Locator, type Owner } from './driver.ts'
import { prepareBusiness, prepareSites } from './prepare.ts'

// What an impatient user does while a request is in flight, or with a double click.

test('a form is locked while it is sent, so that no input is lost @once', async ({ owner }) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay')
  await owner.visit(`/site/edit/${quay?.id}`)
  const name = owner.field(en.fields.sites.name)
  await expect(name).toHaveValue('Quay')
  await owner.fillSite({ name: 'North Quay', photos: [await makePhoto('pier.jpg')] })
  const answer = await owner.holdAnswers(/\/records\/\w{15}$/)
  await owner.saveSite()
  const bar = page.locator('.save-bar')
  await expect(bar).toContainText(en.form.saving)
  const box = await name.boundingBox()
  await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 10)
  await page.keyboard.type('lost')
  await expect(name).toHaveValue('North Quay')
  await expect(page.locator('.photo-section')).toHaveJSProperty('inert', true)
  await expect(bar.getByRole('button', { name: en.drafts.discard })).toBeEnabled()
  await answer()
  await owner.expectPath('/dashboard')
  expect(await client.collection(SITES).getOne(quay?.id ?? '')).toMatchObject({
    name: 'North Quay',
    photos: [expect.stringContaining('pier')],
  })
})

test('a refused form can be edited again, with the focus in the bar @once', async ({ owner }) => {
  const [quay] = await prepareSites(await owner.comeSignedIn(), 'Quay')
  await owner.visit(`/site/edit/${quay?.id}`)
  await owner.fillSite({ name: 'North Quay' })
  await owner.failNext('PATCH', API.record(SITES, quay?.id ?? ''))
  await owner.saveSite()
  await expect(owner.alert).toBeVisible()
  await expect(owner.page.getByRole('button', { name: en.actions.retry })).toBeFocused()
  await owner.fillSite({ name: 'South Quay' })
  await expect(owner.field(en.fields.sites.name)).toHaveValue('South Quay')
})

test('a report cannot be changed while it is sent @once', async ({ owner }) => {
  const { page } = owner
  const [quay] = await prepareSites(await owner.comeSignedIn(), 'Quay')
  const text = en.report
  await owner.visit(`${PATHS.report}/${quay?.id}`)
  await page.getByRole('radio', { name: text.reasons.NOT_WORKING }).check()
  await owner.field(text.message).fill('The left charger is dark.')
  const answer = await owner.holdAnswers(/\/reports$/)
  await page.getByRole('button', { name: text.send }).click()
  await expect(page.getByRole('button', { name: text.sending })).toBeVisible()
  await expect(owner.field(text.message)).toHaveJSProperty('readOnly', true)
  await owner.field(text.email).press('a')
  await expect(owner.field(text.email)).toHaveValue('')
  await answer()
  await expect(page.getByText(text.sentTitle)).toBeVisible()
})

test('a late response does not move the user to another screen @once', async ({ owner }) => {
  const { page } = owner
  const [quay] = await prepareSites(await owner.comeSignedIn(), 'Quay')
  await owner.visit(PATHS.editBusiness)
  await owner.fillBusiness({ description: 'Four plugs by the sea' })
  const answer = await owner.holdAnswers(/\/collections\/businesses\/records\/\w{15}$/)
  await page.getByRole('button', { name: en.business.save }).click()
  await owner.backArrow.click()
  await owner.openSite('Quay')
  await owner.fillSite({ name: 'North Quay' })
  await answer()
  await expect(page.getByText(en.business.saved)).toBeVisible()
  await owner.expectPath(`/site/edit/${quay?.id}`)
  await expect(owner.field(en.fields.sites.name)).toHaveValue('North Quay')
})

test('a change in flight when the page is left is sent by the next page @once', async ({
  owner,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay')
  const id = quay?.id ?? ''
  await owner.visit(PATHS.dashboard)
  let count = 0
  await page.route(`**${API.record(SITES, id)}?*`, async (route) => {
    // The first request never reaches the server.
    if (route.request().method() !== 'PATCH' || ++count > 1) await route.fallback()
  })
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  const { AVAILABLE, OUTOFORDER } = en.status
  await page.getByRole('button', { name: en.dashboard.statusOf('Quay', AVAILABLE) }).click()
  await page.getByRole('menuitemradio', { name: OUTOFORDER }).click()
  await sent
  await owner.reload()
  await expect(owner.site('Quay')).toContainText(OUTOFORDER)
  await owner.expectSoon(
    async () => (await client.collection(SITES).getOne(id))['status'] as string,
    'OUTOFORDER',
  )
})

test('a form that is opened during its own save waits for it @once', async ({ owner }) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay')
  await owner.visit('/dashboard')
  await owner.openSite('Quay')
  await owner.fillSite({ name: 'North Quay' })
  const answer = await owner.holdAnswers(API.record(SITES, quay?.id ?? ''))
  await owner.saveSite()
  await owner.backArrow.click()
  await owner.site('North Quay').getByRole('link', { name: 'North Quay', exact: true }).click()
  await owner.expectTitle(en.titles.editSite)
  await answer()
  const name = owner.field(en.fields.sites.name)
  await expect(name).toHaveValue('North Quay')
  await owner.fillSite({ name: 'South Quay' })
  await owner.saveSite()
  await owner.expectPath('/dashboard')
  await expect(page.getByText(en.drafts.choose)).toHaveCount(0)
  expect(await client.collection(SITES).getOne(quay?.id ?? '')).toMatchObject({
    name: 'South Quay',
  })
})

test('the second press of a double click does not reach another control @once', async ({
  owner,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  const sites = await prepareSites(client, 'Quay', 'Pier', 'Dock', 'Mole', 'Cape', 'Bay')
  const drafts = page.getByRole('region', { name: en.dashboard.unfinished })
  await test.step('in a list whose rows move up', async () => {
    for (const { id, name } of sites.slice(1, 4)) {
      await owner.visit(`/site/edit/${id}`)
      await owner.fillSite({ name: `${name as string} Road` })
      await expect(page.getByText(/^Draft saved \d/)).toBeVisible()
    }
    await owner.visit('/dashboard')
    await expect(drafts.getByRole('link')).toHaveCount(3)
    await drafts.getByRole('button').first().dblclick()
    await expect(drafts.getByRole('link')).toHaveCount(2)
  })
  await test.step('below a dialog that has closed', async () => {
    await page.getByRole('button', { name: en.dashboard.menu('Quay') }).click()
    await page.getByRole('menuitem', { name: en.actions.delete }).click()
    await owner.dialog.getByRole('button', { name: en.actions.delete }).dblclick()
    await expect(owner.site('Quay')).toHaveCount(0)
    await owner.expectPath('/dashboard')
  })
})

/** Pastes a table of sites, and returns the box that includes the first one, Quay. */
const planPasted = async (owner: Owner, rows: readonly string[]): Promise<Locator> => {
  const { page } = owner
  const text = en.imports
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit(PATHS.import)
  await page.getByRole('button', { name: text.ways.text }).click()
  await page
    .getByLabel(text.text, { exact: true })
    .fill(['name,address,latitude,longitude', ...rows].join('\n'))
  await page.getByRole('button', { name: text.begin }).click()
  const box = page.getByRole('checkbox', { name: text.takeIn('Quay') })
  await expect(box).toBeChecked()
  return box
}

test('late responses to changes of a row neither undo a later one nor miss the run @once', async ({
  owner,
}) => {
  const { page } = owner
  const text = en.imports
  const box = await planPasted(owner, ['Quay,1 Quay,55.2,-6.6', 'Pier,2 Pier,55.3,-6.7'])
  // Only the first response is late.
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(
    /\/rows\/\d+$/,
    async (route) => {
      await promise
      await route.fallback()
    },
    { times: 1 },
  )
  await box.uncheck()
  await box.check()
  await expect(box).toBeChecked()
  // The run waits for the changes.
  await page.getByRole('button', { name: text.run(2) }).click()
  resolve()
  await expect(page.getByText(text.doneTitle(2))).toBeVisible({ timeout: 60_000 })
})

test('a row shows what is stored when several changes of it are refused @once', async ({
  owner,
}) => {
  const { page } = owner
  const box = await planPasted(owner, ['Quay,1 Quay,55.2,-6.6'])
  const row = /\/rows\/\d+$/
  await owner.failNext('PATCH', row)
  await owner.failNext('PATCH', row)
  const answer = await owner.holdAnswers(row)
  await box.uncheck()
  await box.check()
  // The page reads the import again after the last response.
  const settled = page.waitForRequest(
    (request) => request.method() === 'GET' && /\/imports\/records\/\w{15}/.test(request.url()),
  )
  await answer()
  await settled
  await expect(box).toBeChecked()
})
