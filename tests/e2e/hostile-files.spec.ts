import { API } from '#domain/paths.ts'
import { BUSINESSES } from '#domain/collection.ts'
import { makePlantedFiles, PAYLOADS, RAN } from '../support/hostile-files.ts'
import { sendFile } from '../support/hostile-upload.ts'
import { newOwner } from '../support/owner.ts'
import { expect, test } from './driver.ts'

/** Number of concurrent uploads. */
const AT_ONCE = 6

test('no payload in a stored file runs when it is opened from our origin @once', async ({
  page,
  stack,
}) => {
  const { client, id } = await newOwner(stack.url)
  const business = await client.collection(BUSINESSES).create({ name: 'Harbour Lane', user: id })
  // Files that differ only in name count as one.
  const waiting = (await makePlantedFiles()).filter(({ family }) => family !== 'evil names')
  const stored: string[] = []
  const send = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const { status, body } = await sendFile(client, business.id, file, false)
      const [name] = [body['photos'] ?? []].flat() as string[]
      if (status === 200 && name !== undefined)
        stored.push(stack.url + API.file(body.collectionName, body.id, name))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send))
  expect(stored.length).toBeGreaterThan(90)

  // Any payload that runs, in any frame, calls this.
  const ran: string[] = []
  await page.exposeFunction('reportRun', (where: string) => ran.push(where))
  await page.addInitScript((flag) => {
    const { reportRun } = window as unknown as { reportRun: (where: string) => void }
    Object.defineProperty(globalThis, flag, {
      set: () => {
        reportRun(location.href)
      },
    })
  }, RAN)
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))

  // A page of our origin without a content security policy, which every real page has: only the responses of the files
  // protect.
  const open = async (urls: readonly string[]): Promise<void> => {
    const host = `${stack.url}/a-page-that-forbids-nothing`
    const embedded = urls.map(
      (url) =>
        `<iframe src="${url}"></iframe><object data="${url}"></object><script src="${url}"></script>`,
    )
    await page.route(host, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>Host</title>${embedded.join('')}`,
      }),
    )
    await page.goto(host)
    await page.unroute(host)
    expect(await page.title()).toBe('Host')
  }
  await open(stored)
  // A file opened as a document behaves as in a frame, so a sample is enough.
  for (const url of stored.filter((_, index) => index % 12 === 0)) {
    await page.goto(url)
    await page.goto(`${url}?thumb=100x100`)
  }
  expect(ran).toEqual([])
  expect(requested.filter((url) => url.includes(RAN))).toEqual([])

  // Control: the same payload runs in a file served as HTML.
  const control = `${stack.url}/a-page-of-theirs`
  await page.route(control, (route) =>
    route.fulfill({ contentType: 'text/html', body: PAYLOADS['HTML'] ?? '' }),
  )
  await open([control])
  await expect.poll(() => ran).toContain(control)
})
