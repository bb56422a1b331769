import { weighVisits } from '../../scripts/build/sizes.ts'
import { PATHS } from '../../web/paths.ts'
import { expect, test, type Owner } from './driver.ts'
import { prepareSites } from './prepare.ts'

/** The files in the budget of a visit, for English. */
const counted = async (title: string): Promise<readonly string[]> => {
  const visits = await weighVisits(undefined, ['en'])
  return (visits.find((visit) => visit.title === title)?.files ?? []).toSorted()
}

const expectScripts = async (owner: Owner, title: string, path: string): Promise<void> => {
  const files = await counted(title)
  await expect.poll(() => owner.scripts(), title).toEqual(files)
  // The page preloads all of them.
  const answer = await fetch(owner.url + path, { headers: { 'accept-language': 'en' } })
  const page = await answer.text()
  expect(
    files.filter((file) => !page.includes(`"/${file}"`)),
    `${title} names`,
  ).toEqual([])
}

test('a first visit loads exactly the scripts in its budget @once', async ({ owner }) => {
  await owner.neverIdle()
  await owner.visit(PATHS.home)
  await expectScripts(owner, 'Home', PATHS.home)
  await owner.visit(PATHS.login)
  await expectScripts(owner, 'Login', PATHS.login)
  // Without the map library, which loads when the browser is idle.
  await owner.visit(PATHS.map)
  await expectScripts(owner, 'Map', PATHS.map)

  const client = await owner.comeSignedIn()
  await prepareSites(client, 'Harbour Lane Quay')
  await owner.visit(PATHS.dashboard)
  await expect(owner.site('Harbour Lane Quay')).toBeVisible()
  await expectScripts(owner, 'Dashboard', PATHS.dashboard)
})

/** Whether prefetching has started. */
const isReady = async (owner: Owner): Promise<boolean> =>
  (await owner.scripts()).some((file) => /\/prefetch-/.test(file))

const isScript = (url: string): boolean => url.endsWith('.js')

test('prefetched scripts do not run during interactions @once', async ({ owner }) => {
  await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
  // Repeated in the page itself, so that the page is never idle, however slow the machine.
  await owner.page.addInitScript(() => {
    const pressing = setInterval(() => {
      dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' }))
    }, 100)
    Object.assign(globalThis, { stop: () => clearInterval(pressing) })
  })
  await owner.visit(PATHS.dashboard)
  await expect.poll(() => isReady(owner)).toBe(true)
  let before = await owner.scripts()
  // The page's own requests may take a while on a slow machine.
  await expect
    .poll(
      async () => {
        const last = before.length
        before = await owner.scripts()
        return before.length - last
      },
      { intervals: [1000] },
    )
    .toBe(0)
  await owner.page.waitForTimeout(3000)
  expect(await owner.scripts()).toEqual(before)
  await owner.page.evaluate(() => (globalThis as unknown as { stop: () => void }).stop())
  await expect.poll(async () => (await owner.scripts()).length).toBeGreaterThan(before.length)
})

test('prefetching pauses while offline @once', async ({ owner }) => {
  await prepareSites(await owner.comeSignedIn(), 'Harbour Lane Quay')
  await owner.visit(PATHS.dashboard)
  await expect(owner.site('Harbour Lane Quay')).toBeVisible()
  await expect.poll(() => isReady(owner)).toBe(true)
  await owner.goOffline()
  // Requests in flight have ended by then.
  await owner.page.waitForTimeout(500)
  const before = owner.watch.requested().filter(isScript)
  await owner.page.waitForTimeout(3000)
  expect(owner.watch.requested().filter(isScript)).toEqual(before)
  await owner.goOnline()
  await expect
    .poll(() => owner.watch.requested().filter(isScript).length)
    .toBeGreaterThan(before.length)
})
