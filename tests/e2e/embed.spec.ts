import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { LANGUAGES } from '#domain/language.ts'
import { sites } from '#domain/site.ts'
import { embedPage, posterPage, sitePage } from '#domain/site-address.ts'
import { PATHS, editSitePath } from '../../web/paths.ts'
import { en } from '../support/english.ts'
import { describeSite, prepareChain } from './chain.ts'
import { expect, test, type Owner } from './driver.ts'

// Pages that owners embed in their websites, and posters (decisions 0101 and 0102).

const QUAY = 'Harbour Lane Quay'

/** A website of another origin with frames. @returns its address, and a function that closes it */
const startWebsite = async (sources: readonly string[]) => {
  const frames = sources.map((src) => `<iframe src="${src}" width="360" height="640"></iframe>`)
  const server = createServer((_request, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><html lang="en"><title>Hotel</title><h1>Hotel</h1>${frames.join('')}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

const prepare = async (owner: Owner) => {
  const client = await owner.comeLater()
  const [quay] = await prepareChain(client)
  await describeSite(client, quay)
  return { site: quay?.id ?? '', business: String(quay?.['business']) }
}

test('another website embeds a site and a business @once', async ({ owner }) => {
  const { site, business } = await prepare(owner)
  const { page, url } = owner
  const website = await startWebsite([
    url + embedPage('site', site),
    url + embedPage('business', business),
  ])
  owner.watch.allow(website.url)
  await page.goto(website.url)

  const framed = page.frameLocator('iframe').first()
  await expect(framed.getByRole('heading', { name: QUAY })).toBeVisible()
  await expect(framed.getByText('€0.59 per kWh')).toBeVisible()
  const opened = page.context().waitForEvent('page')
  await framed.getByRole('link', { name: en.embed.details }).click()
  const details = await opened
  await details.waitForURL(`**${sitePage(site, 'harbour-lane-quay')}`)
  await details.close()

  const all = page.frameLocator('iframe').nth(1)
  await expect(all.getByRole('heading', { name: 'Harbour Lane Hotels' })).toBeVisible()
  await expect(all.getByText(en.embed.sites(4))).toBeVisible()
  await expect(all.getByRole('listitem').filter({ hasText: 'Strand Rooms' })).toHaveCount(1)
  const map = all.locator('[data-map]')
  await expect(map).toHaveAttribute('data-ground', 'world')
  // The sites are shown as two clusters or four points; the key selects the one nearest to the middle.
  await expect(async () => {
    const tab = page.context().waitForEvent('page', { timeout: 2000 })
    await map.locator('canvas').press('Enter')
    const reached = await tab
    await reached.waitForURL('**/at/**')
    await reached.close()
  }).toPass({ intervals: [500] })
  website.close()
})

test('embedded pages are accessible, with and without scripts @once', async ({ owner }) => {
  const { site, business } = await prepare(owner)
  await owner.visit(embedPage('site', site))
  await expect(owner.page.getByRole('heading', { name: QUAY })).toBeVisible()
  await owner.expectNoViolations()
  await owner.visit(embedPage('business', business))
  await expect(owner.page.locator('[data-map]')).toHaveAttribute('data-ground', 'world')
  await owner.expectNoViolations()

  const browser = owner.page.context().browser()
  if (browser === null) throw new Error('There is no browser.')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto(owner.url + embedPage('business', business))
  await expect(plain.getByRole('listitem').filter({ hasText: QUAY })).toBeVisible()
  await expect(plain.locator('[data-map]')).toBeHidden()
  await context.close()
})

test('an embedded site fits a narrow frame, whatever its owner has written @once', async ({
  owner,
}) => {
  const client = await owner.comeLater()
  const [site] = await prepareChain(client)
  const cost = `https://charging.example/${'prices'.repeat(20)}`
  await client.collection('sites').update(site?.id ?? '', { cost })
  await owner.page.setViewportSize({ width: 320, height: 640 })
  await owner.visit(embedPage('site', site?.id ?? ''))
  await expect(owner.page.getByText(cost)).toBeVisible()
  await owner.expectNothingCut('a long price')
})

test('the page of a site fits a phone with text at 200 %, in every language @once', async ({
  owner,
}) => {
  const { site } = await prepare(owner)
  await owner.page.setViewportSize({ width: 390, height: 844 })
  await owner.visit(sitePage(site, 'harbour-lane-quay'))
  await owner.setTextSize(32)
  for (const language of LANGUAGES) {
    await owner.visit(`${sitePage(site, 'harbour-lane-quay')}?lang=${language}`)
    await owner.expectNothingCut(language)
  }
})

test('no word of the facts about a site is broken on a tablet, in any language @once', async ({
  owner,
}) => {
  const client = await owner.comeLater()
  const [site] = await prepareChain(client)
  await client.collection('sites').update(site?.id ?? '', {
    facilities: sites.fields.facilities.values,
    parking_restrictions: sites.fields.parking_restrictions.values,
  })
  await owner.page.setViewportSize({ width: 820, height: 1180 })
  for (const language of LANGUAGES) {
    await owner.visit(`${sitePage(site?.id ?? '', 'harbour-lane-quay')}?lang=${language}`)
    const broken = await owner.page.locator('.traveller-facts').evaluate((facts) => {
      const texts = document.createTreeWalker(facts, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
        for (const { 0: word, index } of (text.textContent ?? '').matchAll(/\p{L}+/gu)) {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          if (range.getClientRects().length > 1) found.push(word)
        }
      return found
    })
    expect([language, ...broken]).toEqual([language])
  }
})

test('a poster is one sheet of paper, with a code that links to the site @once', async ({
  owner,
}) => {
  const { site } = await prepare(owner)
  await owner.visit(posterPage(site))
  await expect(owner.page.getByRole('button', { name: en.poster.print })).toBeVisible()
  await owner.expectNoViolations()
  const pdf = await owner.page.pdf({ format: 'A4', preferCSSPageSize: true })
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
})

test('an owner copies the embed code of a site and of all sites, and finds the poster @once', async ({
  owner,
}) => {
  const client = await owner.comeSignedIn()
  const [quay] = await prepareChain(client)
  const { page } = owner
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const dialog = page.getByRole('dialog', { name: en.embed.title })
  const copy = async (button: string, path: string) => {
    await page.getByRole('button', { name: button }).click()
    await expect(dialog.getByRole('textbox', { name: en.embed.code })).toHaveValue(
      new RegExp(`^<iframe src="${owner.url}${path}" title=`),
    )
    await owner.expectNoViolations()
    await dialog.getByRole('button', { name: en.embed.copy }).click()
    await expect(dialog.getByRole('button', { name: en.embed.copied })).toBeVisible()
    expect(await copied()).toContain(`src="${owner.url}${path}"`)
  }
  const id = quay?.id ?? ''
  await owner.visit(editSitePath(id))
  await copy(en.embed.button, embedPage('site', id))
  await expect(dialog.getByRole('link', { name: en.poster.link })).toHaveAttribute(
    'href',
    posterPage(id),
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await owner.visit(PATHS.editBusiness)
  await copy(en.embed.buttonAll, embedPage('business', String(quay?.['business'])))
  await page.keyboard.press('Escape')

  // A site that is not public cannot be embedded.
  await client.collection('sites').update(id, { published: false })
  await owner.visit(editSitePath(id))
  await expect(page.getByText(en.publication.unpublished)).toBeVisible()
  await expect(page.getByRole('button', { name: en.embed.button })).toHaveCount(0)
})
