import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { PATHS } from '../../web/paths.ts'
import { en } from '../support/english.ts'
import { makePhoto } from '../support/images.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { openWebKit, type WebKit } from '../support/webkit.ts'
import { countFailures, report } from './figures.ts'

// The job of an owner in WebKit, the engine of Safari: half of the phones in a car park.

const START_MS = 600_000
const PATIENT = { timeout: 20_000, interval: 100 }

const HAS_DATABASE = `
void indexedDB.databases().then(({ length }) => (window.hasDatabase = length === 1))
return window.hasDatabase ?? false`

const LOCKS = `
void navigator.locks.query().then(({ held }) => (window.held = held.map(({ name }) => name).join()))
return window.held ?? ''`

const MUTATIONS = `
return Object.keys(localStorage).filter((key) => key.startsWith('voltleaf:mutations:'))
  .map((key) => localStorage.getItem(key)).join()`

const CHOOSE = `
const items = [...document.querySelectorAll('[role=menuitemradio]')]
items.find(({ textContent }) => textContent.includes(arguments[0])).click()`

let stack: Stack
let webkit: WebKit
let folder: string
let isStopped = false
const stop = async (): Promise<void> => {
  if (!isStopped) await stack.close()
  isStopped = true
}
const { failures } = countFailures()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voltleaf-webkit-'))
  stack = await startStack()
  webkit = await openWebKit()
}, START_MS)
afterAll(async () => {
  await report('the job of an owner in WebKit', { failures: failures() })
  await webkit.close()
  await stop()
  await rm(folder, { recursive: true, force: true })
})

const expectText = (text: string | RegExp) =>
  vi.waitFor(async () => expect(await webkit.text()).toMatch(text), PATIENT)
const expectNoErrors = async () => expect(await webkit.errors()).toEqual([])
const expectPath = (path: string) =>
  vi.waitFor(async () => expect(await webkit.url()).toBe(stack.url + path), PATIENT)

test('signs in', async () => {
  await webkit.visit(stack.url + PATHS.login)
  await webkit.click(en.login.button(''))
  await webkit.fill('name', 'Ada Byron')
  await webkit.fill('email', 'ada@example.org')
  await webkit.click('Sign in')
  await expectPath(PATHS.dashboard)
  // WebKit never finishes to create a database if the page is left at that moment (decision 0175).
  await vi.waitFor(async () => expect(await webkit.run(HAS_DATABASE)).toBe(true), PATIENT)
  await expectNoErrors()
})

test('adds a business', async () => {
  await webkit.visit(stack.url + PATHS.addBusiness)
  await webkit.fill('name', 'Harbour Lane')
  await webkit.click(en.business.save)
  await expectPath(PATHS.dashboard)
  expect([...(await stack.sql`select name from businesses`)]).toEqual([{ name: 'Harbour Lane' }])
  await expectNoErrors()
})

test('keeps the draft of a site with its photo when the page is loaded again', async () => {
  const photo = join(folder, 'front.jpg')
  await writeFile(photo, await (await makePhoto('front.jpg')).bytes())
  await webkit.visit(stack.url + PATHS.addSite)
  await webkit.fill('address', '12 Quay Street, Portrush')
  await webkit.fill('latitude', '55.2044')
  await webkit.fill('longitude', '-6.6531')
  await webkit.fill('name', 'Harbour Lane Quay')
  await webkit.click('CCS2 · 150 kW')
  await webkit.upload('field-photos', photo)
  await expectText('Photos 1 of 20')
  await expectText(/Draft saved \d/)
  await webkit.reload()
  await expectText('We kept your draft')
  await expectText('Photos 1 of 20')
  await expectNoErrors()
})

test('saves the site, with its connector and its photo', async () => {
  await webkit.click(en.site.add)
  await expectPath(PATHS.dashboard)
  expect([
    ...(await stack.sql`
      select sites.name, latitude, standard, kw_rating, jsonb_array_length(to_jsonb(photos)) as photos
      from sites join connectors on connectors.site = sites.id`),
  ]).toEqual([
    {
      name: 'Harbour Lane Quay',
      latitude: 55.2044,
      standard: 'IEC_62196_T2_COMBO',
      kw_rating: 150,
      photos: 1,
    },
  ])
  await expectNoErrors()
})

test('shows the site to travellers', async () => {
  const [site] = await stack.sql<{ id: string }[]>`select id from sites`
  await webkit.visit(`${stack.url}/at/${site?.id}`)
  await expectText('Harbour Lane Quay')
  await webkit.visit(`${stack.url}${PATHS.map}?q=Harbour&at=55.2,-6.65,12`)
  await expectText('Harbour Lane Quay')
  await expectNoErrors()
})

test('a form that comes back from the back/forward cache holds its lock again', async () => {
  await webkit.visit(stack.url + PATHS.addSite)
  await webkit.fill('name', 'Harbour Lane Pier')
  await expectText(/Draft saved \d/)
  await webkit.run('window.isFirst = true')
  await webkit.visit(stack.url + PATHS.open)
  await webkit.run('history.back()')
  await expectPath(PATHS.addSite)
  // Not a new page, but the same one.
  expect(await webkit.run('return window.isFirst')).toBe(true)
  await vi.waitFor(
    async () => expect(await webkit.run(LOCKS)).toMatch(/voltleaf:new-site:/),
    PATIENT,
  )
  await expectNoErrors()
})

test('a change in flight when the page is left is sent by the next page', async () => {
  await webkit.visit(stack.url + PATHS.dashboard)
  await expectText('Harbour Lane Quay')
  const { AVAILABLE, OUTOFORDER } = en.status
  await stack.sql.begin(async (sql) => {
    await sql`lock table sites in share row exclusive mode`
    await webkit.click(en.dashboard.statusOf('Harbour Lane Quay', AVAILABLE))
    await vi.waitFor(() => webkit.run(CHOOSE, OUTOFORDER))
    await vi.waitFor(async () => expect(await webkit.run(MUTATIONS)).toContain('OUTOFORDER'))
    await webkit.reload()
    expect(await webkit.run(MUTATIONS)).toContain('OUTOFORDER')
  })
  await vi.waitFor(async () => {
    const stored = await stack.sql`select status from sites`
    expect([...stored]).toEqual([{ status: 'OUTOFORDER' }])
    expect(await webkit.run(MUTATIONS)).toBe('')
  }, PATIENT)
  await expectNoErrors()
})

test('opens without a connection', async () => {
  await webkit.visit(stack.url + PATHS.dashboard)
  await expectText('Harbour Lane Quay')
  await vi.waitFor(
    async () =>
      expect(await webkit.run('return navigator.serviceWorker.controller !== null')).toBe(true),
    PATIENT,
  )
  await stop()
  await webkit.reload()
  await expectText('Showing saved data')
  await expectText('Harbour Lane Quay')
  await expectNoErrors()
})
