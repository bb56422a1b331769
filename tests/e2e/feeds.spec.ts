import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { FEEDS, SITES } from '#domain/collection.ts'
import { PATHS } from '../../web/paths.ts'
import { en } from '../support/english.ts'
import { fileOf, station } from '../support/station-file.ts'
import { expect, test, type Locator, type Owner } from './driver.ts'
import { prepareBusiness } from './prepare.ts'

// Feeds are read every night: the test decides when the night comes.

test.use({ env: { IMPORT_PRIVATE_ADDRESSES: 'on' }, limits: { importsMs: 50 } })

const text = en.imports

/** Another system, which returns the response that the test sets. */
const other = { body: '', etag: '', status: 200, requested: [] as (string | undefined)[] }
const system = createServer((request, response) => {
  other.requested.push(request.headers.authorization)
  if (other.status !== 200) return void response.writeHead(other.status).end()
  if (request.headers['if-none-match'] === other.etag) return void response.writeHead(304).end()
  response.writeHead(200, { etag: other.etag }).end(other.body)
})
test.beforeAll(() => new Promise<void>((resolve) => system.listen(0, '127.0.0.1', resolve)))
test.afterAll(() => void system.close())

const offer = async (etag: string, ...stations: Parameters<typeof fileOf>[0]): Promise<void> => {
  Object.assign(other, { body: await fileOf(stations).text(), etag, status: 200 })
}

const NAME = 'Our backend'
const feed = ({ page }: Owner): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: NAME }) })
const action = (owner: Owner, label: string): Locator =>
  feed(owner).getByRole('button', { name: text.feedFor(label, NAME) })
const review = (owner: Owner): Locator =>
  feed(owner).getByRole('link', { name: text.feedFor(text.review, NAME) })
/** The note about feeds on the dashboard. */
const note = ({ page }: Owner): Locator => page.getByRole('link', { name: en.registers.feeds(1) })

test('a feed is added, read, fails with a reason, waits for a review, and is removed @once', async ({
  owner,
  stack,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  const names = async () =>
    (await client.collection(SITES).getFullList({ sort: 'name' })).map(({ name }) => name as string)

  await test.step('the owner reviews the first plan', async () => {
    await offer('"1"', station('A', { name: 'Quay' }))
    await owner.visit(PATHS.import)
    await page.getByRole('button', { name: text.addFeed }).click()
    await expect(page.getByLabel(text.feedName)).toBeFocused()
    await page.getByRole('button', { name: text.addFeed }).click()
    await expect(page.getByLabel(text.url, { exact: true })).toBeFocused()
    await page.getByLabel(text.feedName).fill(NAME)
    const { port } = system.address() as AddressInfo
    await page.getByLabel(text.url, { exact: true }).fill(`http://127.0.0.1:${port}/locations`)
    await page.getByLabel(text.token).fill('top-secret-token')
    await page.getByLabel(text.feedApply.NEW).check()
    await page.getByRole('button', { name: text.addFeed }).click()
    await expect(review(owner)).toBeVisible()
    await expect(feed(owner)).toContainText(text.feedStates.NEEDS_REVIEW)
    expect(other.requested.at(-1)).toContain('top-secret-token')
    expect(await page.content()).not.toContain('top-secret')
    await owner.expectNothingCut('a feed')
    await review(owner).click()
    await page.getByRole('button', { name: text.run(1) }).click()
    await expect(page.getByText(text.doneTitle(1))).toBeVisible()
    expect(await names()).toEqual(['Quay'])
  })

  await test.step('it fails and shows the reason', async () => {
    await owner.visit(PATHS.import)
    await expect(feed(owner)).toContainText(text.feedStates.OK)
    other.status = 503
    await action(owner, text.readFeed).click()
    await expect(feed(owner)).toContainText(text.feedStates.FAILING)
    await expect(feed(owner)).toContainText('503')
    await owner.visit(PATHS.dashboard)
    await note(owner).click()
    await expect(feed(owner)).toContainText(text.feedStates.FAILING)
  })

  await test.step('changes that its rules allow are applied, the rest waits', async () => {
    await offer('"2"', station('A', { name: 'Quay', cost: 'free' }), station('B', { name: 'Pier' }))
    await stack.sql`update feed_reads set due = now()`
    await owner.expectSoon(names, ['Pier', 'Quay'])
    await owner.visit(PATHS.dashboard)
    await expect(note(owner)).toBeVisible()
    await note(owner).click()
    await expect(feed(owner)).toContainText(text.feedStates.NEEDS_REVIEW)
    await feed(owner)
      .getByRole('button', { name: text.feedFor(text.review, NAME) })
      .click()
    await page.getByRole('button', { name: text.run(1) }).click()
    await expect(page.getByText(text.doneTitle(1))).toBeVisible()
    const [, quay] = await client.collection(SITES).getFullList({ sort: 'name' })
    expect(quay?.['cost']).toBe('free')
    await owner.visit(PATHS.import)
  })

  await test.step('a reading without changes waits for nobody', async () => {
    await action(owner, text.readFeed).click()
    await expect(page.getByText(text.nothingToDo)).toBeVisible()
    await expect(feed(owner)).toContainText(text.feedStates.OK)
    await expect(page.getByText(text.importStates.PLANNED)).toHaveCount(0)
  })

  await test.step('the only station that waits is left out, and does not come back', async () => {
    const known = [station('A', { name: 'Quay', cost: 'free' }), station('B', { name: 'Pier' })]
    await offer('"3"', ...known, station('C', { name: 'Depot' }))
    await action(owner, text.readFeed).click()
    await review(owner).click()
    await page.getByRole('checkbox', { name: text.takeIn('Depot') }).uncheck()
    await page.getByRole('button', { name: text.runNone }).click()
    await expect(page.getByText(text.doneNothing)).toBeVisible()
    await owner.visit(PATHS.import)
    await expect(feed(owner)).toContainText(text.feedStates.OK)
    await stack.sql`update feed_reads set due = now(), etag = ''`
    await expect
      .poll(async () => (await stack.sql`select from feed_reads where etag = '"3"'`).length)
      .toBe(1)
    expect(await names()).toEqual(['Pier', 'Quay'])
  })

  await test.step('on a slow connection, two rules in a row are both set', async () => {
    await action(owner, text.settings).click()
    const release = await owner.holdAnswers(/\/feeds\/records\//)
    const rule = (name: keyof typeof text.feedApply) => feed(owner).getByLabel(text.feedApply[name])
    await rule('CHANGED').check()
    await rule('MISSING').check()
    await expect(rule('CHANGED')).toBeChecked()
    await release()
    await owner.expectSoon(
      async () => (await client.collection(FEEDS).getFullList())[0]?.['apply'] as string[],
      ['NEW', 'CHANGED', 'MISSING'],
    )
    await expect(rule('CHANGED')).toBeChecked()
    await action(owner, text.settings).click()
  })

  await test.step('many missing sites are said, and shown first', async () => {
    const many = 'DEFGHIJKL'.split('').map((each) => station(each, { name: `Lot ${each}` }))
    const [stored] = await client.collection(FEEDS).getFullList()
    const apply = ['NEW', 'CHANGED', 'MISSING']
    await client.collection(FEEDS).update(stored?.id ?? '', { apply, missing: 'REMOVE' })
    const known = [station('A', { name: 'Quay', cost: 'free' }), station('B', { name: 'Pier' })]
    await offer('"4"', ...known, ...many)
    await stack.sql`update feed_reads set due = now()`
    await owner.expectSoon(async () => (await names()).length, 11)
    await offer('"5"', ...known)
    await stack.sql`update feed_reads set due = now()`
    const said = text.problems.many_missing.replace('<count>', '9').replace('<total>', '11')
    await expect(async () => {
      await owner.visit(PATHS.import)
      await expect(feed(owner)).toContainText(said, { timeout: 1000 })
    }).toPass()
    await page
      .getByRole('link', { name: text.open(NAME) })
      .first()
      .click()
    await expect(page.getByRole('checkbox', { name: text.takeIn('Lot D') })).not.toBeChecked()
    await page.getByRole('button', { name: text.leftOut }).click()
    await expect(page.getByRole('checkbox', { name: text.takeIn('Lot D') })).toBeVisible()
    await page.getByRole('button', { name: text.takeAllIn }).click()
    await expect(page.getByRole('button', { name: text.close(9) })).toBeVisible()
    await page.getByRole('button', { name: `${text.actions.MISSING} 9`, exact: true }).click()
    await page.getByRole('button', { name: text.leaveAllOut }).click()
    await page.getByRole('button', { name: text.leftOut }).click()
    await expect(page.getByRole('article')).toHaveCount(9)
    await page.getByRole('radio', { name: text.keepMissing }).check()
    await expect(page.getByText(text.noRows), 'sites that stay are not left out').toBeVisible()
    await page.getByRole('radio', { name: text.removeMissing.sites }).check()
    await expect(page.getByRole('article')).toHaveCount(9)
    await page.getByRole('button', { name: text.runNone }).click()
    await expect(page.getByText(text.doneNothing)).toBeVisible()
    await owner.visit(PATHS.import)
    await expect(feed(owner)).toContainText(text.feedStates.OK)
    await expect(feed(owner)).not.toContainText(said)
    for (const { id, name } of await client.collection(SITES).getFullList())
      if (String(name).startsWith('Lot')) await client.collection(SITES).delete(id)
  })

  await test.step('it is paused, and removed without its sites', async () => {
    await action(owner, text.settings).click()
    await owner.expectNoViolations()
    await action(owner, text.pause).click()
    await expect(feed(owner)).toContainText(text.feedPaused)
    await action(owner, text.removeFeed).click()
    await owner.dialog.getByRole('button', { name: text.removeFeed }).click()
    await expect(feed(owner)).toHaveCount(0)
    await expect(page.getByRole('button', { name: text.addFeed })).toBeFocused()
    expect(await names()).toEqual(['Pier', 'Quay'])
  })
})
