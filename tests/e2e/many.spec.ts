import { API } from '#domain/paths.ts'
import { SITES } from '#domain/collection.ts'
import { en } from '../support/english.ts'
import { expect, test, type Locator, type Owner } from './driver.ts'
import { prepareMany, prepareSites } from './prepare.ts'
import { readStored } from './stored.ts'

const text = en.many
const OUT_OF_ORDER = en.status.OUTOFORDER

const button = (owner: Owner, name: string): Locator =>
  owner.page.getByRole('button', { name, exact: true })

const beginToChoose = (owner: Owner): Promise<void> => button(owner, en.dashboard.choose).click()

/** Sets a field of the sites that are chosen. */
const setFor = async (owner: Owner, count: number, field: string, value: string): Promise<void> => {
  const { page } = owner
  await button(owner, text.title(count)).click()
  await page.getByRole('menuitem', { name: field, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: text.title(count) })
  const control = dialog.getByLabel(field)
  await expect(control).toBeFocused()
  if (field === en.fields.sites.status) await control.selectOption(value)
  else await control.fill(value)
  await dialog.getByRole('button', { name: text.set(count) }).click()
  await expect(dialog).toHaveCount(0)
}

test('sites that are chosen by click and shift-click are changed together, and back', async ({
  owner,
  stack,
}) => {
  const client = await owner.comeSignedIn()
  await prepareSites(client, 'Quay', 'Pier', 'Dock', 'Gate')
  const stored = readStored(stack, owner.person.email)
  const statuses = async () => (await stored.sites()).map(({ name, status }) => [name, status])
  await owner.visit('/dashboard')
  await beginToChoose(owner)
  await owner.choiceOf('Quay').click()
  await owner.choiceOf('Gate').click({ modifiers: ['Shift'] })
  await expect(owner.page.getByText(text.chosen(4))).toBeVisible()
  await owner.choiceOf('Pier').click()
  await setFor(owner, 3, en.fields.sites.status, OUT_OF_ORDER)

  await expect(owner.page.getByText(text.done(3))).toBeVisible()
  await expect(owner.site('Quay')).toContainText(OUT_OF_ORDER)
  await expect(owner.site('Pier')).not.toContainText(OUT_OF_ORDER)
  await owner.expectSoon(statuses, [
    ['Dock', 'OUTOFORDER'],
    ['Gate', 'OUTOFORDER'],
    ['Pier', 'AVAILABLE'],
    ['Quay', 'OUTOFORDER'],
  ])
  await owner.expectNothingCut('three of four chosen')

  await owner.undo()
  await expect(owner.page.getByText(text.undone)).toBeVisible()
  await expect(owner.site('Quay')).not.toContainText(OUT_OF_ORDER)
  await owner.expectSoon(
    async () => new Set((await stored.sites()).map(({ status }) => status)),
    new Set(['AVAILABLE']),
  )
})

test('sites are chosen by the filter, and a change goes on after a reload in the middle', async ({
  owner,
  stack,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  await prepareMany(stack, client, 1500)
  const prices = async () => {
    const sites = await readStored(stack, owner.person.email).sites()
    return {
      set: sites.filter(({ cost }) => cost === '0.59').length,
      others: sites.filter(({ cost, status }) => cost === '0.59' && status !== 'OUTOFORDER').length,
    }
  }
  await owner.visit('/dashboard?status=OUTOFORDER')
  await beginToChoose(owner)
  await button(owner, text.all(300)).click()
  await expect(page.getByText(text.chosen(300))).toBeVisible()
  let count = 0
  await page.route(`**${API.batch}`, async (route) => {
    count += 1
    // The second never arrives.
    if (count !== 2) await route.fallback()
  })
  await setFor(owner, 300, en.fields.sites.cost, '0.59')
  await expect(page.getByText(text.progress(100, 300))).toBeVisible()
  expect(await prices()).toEqual({ set: 100, others: 0 })

  await owner.reload()
  await expect(page.getByText(en.drafts.about(en.fields.sites.cost, text.done(300)))).toBeVisible()
  expect(await prices()).toEqual({ set: 300, others: 0 })
  await owner.undo()
  await owner.expectSoon(prices, { set: 0, others: 0 })
})

test('a site that was changed elsewhere is named, and the others are changed', async ({
  owner,
  stack,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay', 'Pier', 'Dock')
  await owner.visit('/dashboard')
  await beginToChoose(owner)
  await button(owner, text.all(3)).click()
  // What else it takes is fetched with the bar.
  await page.waitForLoadState('networkidle')
  await owner.goOffline()
  await setFor(owner, 3, en.fields.sites.contact_phone, '+44 28 1')
  await client.collection(SITES).update(quay?.id ?? '', { contact_phone: '+44 28 2' })
  await owner.goOnline()

  await page.getByText(text.refused(1)).click()
  const refused = page.getByRole('listitem').filter({ hasText: en.problems.conflict })
  await expect(refused.getByRole('link', { name: 'Quay' })).toBeVisible()
  const phones = async () =>
    (await readStored(stack, owner.person.email).sites()).map((site) => site.contact_phone)
  expect(await phones()).toEqual(['+44 28 1', '+44 28 1', '+44 28 2'])
})

test('sites of a long table are chosen by keyboard @once', async ({ owner, stack }) => {
  const { page } = owner
  await prepareMany(stack, await owner.comeSignedIn(), 200)
  await owner.visit('/dashboard?view=table')
  await expect(page.getByRole('table')).toBeVisible()
  await button(owner, en.dashboard.choose).focus()
  await page.keyboard.press('Enter')
  await owner.choiceOf('Station 1').focus()
  await page.keyboard.press('Space')
  for (let row = 2; row <= 30; row++) await page.keyboard.press('Shift+ArrowDown')
  await expect(owner.choiceOf('Station 30')).toBeFocused()
  await expect(page.getByText(text.chosen(30))).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await expect(page.getByText(text.chosen(29))).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByText(text.chosen(200))).toBeVisible()
  await page.getByRole('searchbox').fill('Station 7')
  await expect(page.getByText('of them not in this list')).toBeVisible()
  await page.keyboard.press('Tab')
  await owner.choiceOf('Station 7').focus()
  await page.keyboard.press('Escape')
  await expect(button(owner, en.dashboard.choose)).toBeFocused()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
})
