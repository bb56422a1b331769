import { readFile } from 'node:fs/promises'

import { BUSINESSES, CONNECTORS, IMPORT_ROWS, IMPORTS, SITES } from '#domain/collection.ts'
import { IMPORT_API } from '#domain/import-paths.ts'
import { IMPORT_LIMITS } from '#domain/limits.ts'
import { OPEN, openPath } from '#domain/open-data.ts'
import { API } from '#domain/paths.ts'
import type { Site } from '#domain/site.ts'
import { PATHS } from '../../web/paths.ts'
import { en } from '../support/english.ts'
import { bringIn } from '../support/imports.ts'
import { irveFile, type RegisteredStation } from '../support/irve-file.ts'
import { siteBody } from '../support/owner.ts'
import { fileOf, station } from '../support/station-file.ts'
import { expect, test, type Locator, type Owner } from './driver.ts'
import { prepareBusiness } from './prepare.ts'

const text = en.imports

/** Reading and writing take a while on a busy machine. */
const LONG = { timeout: 90_000 }

const STATIONS: readonly RegisteredStation[] = [
  { id: 'FRQUAP1001', name: 'Quay', points: 2 },
  // Swapped: latitude first.
  { id: 'FRQUAP1002', name: 'Pier', position: '[48.86, 2.31]' },
  // In watts.
  { id: 'FRQUAP1003', name: 'Dock', kw: '50000' },
]

const button = (owner: Owner, name: string): Locator =>
  owner.page.getByRole('button', { name, exact: true })

/** The chip of a filter; its count follows its name. */
const chip = (owner: Owner, name: string): Locator =>
  owner.page.getByRole('button', { name: new RegExp(`^${name.replace('?', '\\?')} [\\d,]+$`) })

const row = (owner: Owner, name: string): Locator => owner.page.getByRole('article', { name })

test('an operator imports the register of France, undoes it, imports it again, and publishes it @once', async ({
  owner,
}) => {
  test.setTimeout(300_000)
  const { page } = owner
  const client = await owner.comeSignedIn()
  const { id: business } = await prepareBusiness(client)
  await client.collection(BUSINESSES).update(business, { country_code: 'FR', party_id: 'QUA' })
  const stored = async () => [
    (await client.collection(SITES).getFullList()).length,
    (await client.collection(CONNECTORS).getFullList()).length,
  ]

  await test.step('nothing is written before the plan is confirmed', async () => {
    await owner.visit(PATHS.dashboard)
    await owner.follow(en.titles.import)
    await owner.expectPath(PATHS.import)
    await owner.bringFile(irveFile(STATIONS))
    await expect(button(owner, text.run(3))).toBeVisible(LONG)
    await expect(chip(owner, text.actions.NEW)).toHaveText(`${text.actions.NEW} 3`)
    expect(await stored()).toEqual([0, 0])
    await owner.expectNothingCut('plan of an import')
  })

  await test.step('repairs are described in words, with old and new values', async () => {
    await row(owner, 'Pier').getByRole('button').click()
    await expect(row(owner, 'Pier')).toContainText(text.rules.coordinates_swapped)
    await expect(row(owner, 'Pier').locator('del').first()).toContainText('2.31')
    await chip(owner, text.repaired).click()
    await expect(row(owner, 'Quay').or(row(owner, 'Dock'))).not.toHaveCount(0)
    await chip(owner, text.all).click()
  })

  await test.step('one row is left out', async () => {
    await page.getByRole('checkbox', { name: text.takeIn('Dock') }).uncheck()
    await button(owner, text.run(2)).click()
    await expect(page.getByText(text.doneTitle(2))).toBeVisible(LONG)
    await expect(row(owner, 'Dock').locator('.badge')).toHaveText(text.excluded)
    expect(await stored()).toEqual([2, 3])
  })

  await test.step('it is undone', async () => {
    await button(owner, text.undo).click()
    await owner.dialog.getByRole('button', { name: text.undo }).click()
    await expect(page.getByText(text.undoneTitle)).toBeVisible(LONG)
    expect(await stored()).toEqual([0, 0])
  })

  await test.step('it is imported again, and a second time there is nothing to do', async () => {
    await owner.bringFile(irveFile(STATIONS))
    await button(owner, text.run(3)).click()
    await expect(page.getByText(text.doneTitle(3))).toBeVisible(LONG)
    expect(await stored()).toEqual([3, 4])
    await owner.follow(text.dashboard)
    for (const { name } of STATIONS) await expect(owner.site(name)).toBeVisible()
    await owner.bringFile(irveFile(STATIONS))
    await expect(page.getByText(text.nothingToDo)).toBeVisible(LONG)
  })

  await test.step('each one is a row of the history, which links to it', async () => {
    await owner.visit(PATHS.changes)
    const { history } = en
    const rows = page.getByRole('main').getByRole('listitem')
    await expect(rows.filter({ hasText: history.imported('', '').trim() })).toHaveCount(2)
    const undone = rows.filter({ hasText: history.importUndone('', history.changes(2)) })
    await undone.getByText(history.showChanges).click()
    await expect(undone.getByRole('listitem')).toContainText(['Pier', 'Quay'])
    await owner.expectNothingCut('an import in the history')
    await rows
      .filter({ hasText: history.changes(7) })
      .getByRole('link')
      .click()
    await expect(page.getByText(text.doneTitle(3))).toBeVisible()
  })

  await test.step('others read the data at the addresses that the owner copies', async () => {
    await owner.visit(PATHS.editBusiness)
    const address = page.getByRole('textbox', { name: en.open.address('OCPI') })
    await expect(address).toHaveValue(new RegExp(`${OPEN.ocpiVersions(business)}$`))
    const locations = await page.request.get(owner.url + openPath('ocpi-2.2.1', business))
    const { data } = (await locations.json()) as { data: readonly { name: string }[] }
    expect(data.map(({ name }) => name).toSorted()).toEqual(['Dock', 'Pier', 'Quay'])
    const csv = await (await page.request.get(owner.url + openPath('csv', business))).text()
    expect(csv).toContain('FRQUAP1001')
    await owner.follow(en.open.allFormats)
    await expect(
      page.getByRole('heading', { name: en.open.formatsOf('Harbour Lane Hotels') }),
    ).toBeVisible()
    // The button disappears, and the focus moves to the heading of the formats.
    await owner.pressAt(page.getByRole('button', { name: en.open.all }))
    await expect(page.getByRole('heading', { name: en.open.formatsTitle })).toBeFocused()
  })
})

test('a plan names new prices with what they cost, and only the changes that its run makes @once', async ({
  owner,
}) => {
  const plug = (id: string, watts: number) => ({
    uid: id,
    evse_id: `GB*QUA*E${id}`,
    connectors: [
      {
        id: '1',
        standard: 'IEC_62196_T2_COMBO',
        format: 'CABLE',
        power_type: 'DC',
        max_electric_power: watts,
        tariff_ids: ['DC'],
      },
    ],
  })
  const file = (price: number, evses: readonly object[]) =>
    new File(
      [
        JSON.stringify({
          locations: [
            {
              id: 'LOC1',
              name: 'Harbour',
              address: '1 Quay Street',
              country: 'GBR',
              coordinates: { latitude: '55.2044', longitude: '-6.6531' },
              evses,
            },
          ],
          tariffs: [
            {
              id: 'DC',
              currency: 'EUR',
              tariff_alt_text: [{ language: 'en', text: 'DC fast' }],
              elements: [{ price_components: [{ type: 'ENERGY', price, step_size: 1 }] }],
            },
          ],
        }),
      ],
      'locations.json',
    )
  const harbour = row(owner, 'Harbour')
  const plan = async (price: number, evses: readonly object[]) => {
    await owner.visit(PATHS.import)
    await owner.bringFile(file(price, evses))
    await expect(button(owner, text.run(1))).toBeVisible(LONG)
    await harbour.getByRole('button').click()
  }
  const run = async () => {
    await button(owner, text.run(1)).click()
    await expect(owner.page.getByText(text.doneTitle(1))).toBeVisible(LONG)
  }
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)

  await plan(0.49, [plug('1', 50_000), plug('2', 50_000), plug('3', 50_000)])
  await expect(harbour).toContainText('DC fast: €0.49 per kWh')
  await run()

  await plan(0.59, [plug('1', 50_000), plug('2', 60_000)])
  const label = en.fields.connectors.tariff
  // Two of the three connectors get another price, and one of these becomes stronger.
  await expect(harbour.locator('dt')).toHaveText([
    `2 × CCS2, 50 kW (GB*QUA*E1, GB*QUA*E2): ${label}`,
    `CCS2, 50 kW (GB*QUA*E2): ${en.fields.connectors.kw_rating}`,
  ])
  await expect(harbour.locator('dd').first()).toContainText(
    /DC fast: €0\.49 per kWh.*DC fast: €0\.59 per kWh/,
  )
  await expect(harbour, 'the third connector stays').toContainText(text.changes(3))
  await run()
  await expect(harbour).toContainText(text.changes(3))
  expect(await client.collection(CONNECTORS).getFullList()).toHaveLength(3)

  // The connector that is no longer in the file is kept, unless the owner decides otherwise.
  await owner.visit(PATHS.import)
  await owner.bringFile(file(0.59, [plug('1', 50_000), plug('2', 60_000)]))
  await expect(owner.page.getByText(text.missingConnectors(1)).first()).toBeVisible(LONG)
  await expect(owner.page.getByText(text.nothingToDo)).toHaveCount(0)
  await owner.page.getByRole('radio', { name: text.removeMissing.connectors }).check()
  await run()
  expect(await client.collection(CONNECTORS).getFullList()).toHaveLength(2)
})

test('a changed row stays changed when an older response arrives after it @once', async ({
  owner,
}) => {
  const { page } = owner
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit(PATHS.import)
  await owner.bringFile(irveFile(STATIONS))
  await expect(button(owner, text.run(3))).toBeVisible(LONG)
  const dock = page.getByRole('checkbox', { name: text.takeIn('Dock') })
  // The first response must not be the one that is held.
  await expect(dock).toBeChecked()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const requested = Promise.withResolvers<void>()
  await page.route(
    ({ pathname }) => pathname.endsWith(`/${IMPORT_ROWS}/records`),
    async (route) => {
      const response = await route.fetch()
      requested.resolve()
      await held
      await route.fulfill({ response })
    },
  )
  await chip(owner, text.actions.NEW).click()
  await requested.promise
  await dock.uncheck()
  await expect(button(owner, text.run(2))).toBeVisible()
  const answered = page.waitForResponse((response) => response.url().includes(IMPORT_ROWS))
  release()
  await answered
  // By then the page has displayed it.
  await expect(page.getByRole('button', { name: text.moreRows })).toHaveCount(0)
  await expect(dock).not.toBeChecked()
})

test('a file whose rows are all broken shows the reason for each, and offers another file @once', async ({
  owner,
}) => {
  const { page } = owner
  await prepareBusiness(await owner.comeSignedIn())
  await owner.bringFile(
    irveFile([
      { id: 'FRQUAP2001', name: 'Nowhere', position: '[0, 0]' },
      { id: 'FRQUAP2002', name: 'Beyond', position: '[200, 95]' },
    ]),
  )
  await expect(page.getByText(text.allRefused)).toBeVisible(LONG)
  await expect(row(owner, 'Nowhere')).toContainText(text.problems.position_zero)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await owner.follow(text.again)
  await owner.expectPath(PATHS.import)
  await expect(page.getByRole('link', { name: text.open('irve-statique.csv') })).toBeVisible()
})

test('the plan is read and run by keyboard alone @once', async ({ owner }) => {
  const { page } = owner
  await prepareBusiness(await owner.comeSignedIn())
  await owner.bringFile(irveFile(STATIONS))
  await expect(button(owner, text.run(3))).toBeVisible(LONG)
  // The new stage is announced: the focus moves to its heading.
  await owner.pressAt(chip(owner, text.actions.NEW))
  await expect(row(owner, 'Quay')).toBeVisible()
  await owner.pressAt(page.getByRole('checkbox', { name: text.takeIn('Pier') }), 'Space')
  await expect(button(owner, text.run(2))).toBeVisible()
  await owner.pressAt(row(owner, 'Dock').getByRole('button'))
  await expect(row(owner, 'Dock')).toContainText(text.repairsTitle)
  // The headings of a row are below its own.
  await expect(row(owner, 'Dock').getByRole('heading', { level: 3 })).toContainText('Dock')
  await expect(
    row(owner, 'Dock').getByRole('heading', { level: 4, name: text.repairsTitle }),
  ).toBeVisible()
  await owner.pressAt(button(owner, text.run(2)))
  await expect(page.getByText(text.doneTitle(2))).toBeVisible(LONG)
  await expect(page.getByRole('heading', { name: 'irve-statique.csv' })).toBeFocused()
})

test('the questions of a row are counted as they are asked, one for each rule @once', async ({
  owner,
}) => {
  await prepareBusiness(await owner.comeSignedIn())
  const table = [
    'nombre;direccion;latitud;longitud;potencia;conector',
    'Uno;Calle Mayor 1, Madrid;40,4168;-3,7038;22;Tipo 2',
    // Swapped coordinates, two values with one question, and no power.
    'Tres;Calle Mayor 3, Madrid;-3,7038;40,4168;abc;CHAdeMO',
  ]
  await owner.bringFile(new File([table.join('\n')], 'sites.csv', { type: 'text/csv' }))
  await expect(row(owner, 'Tres')).toContainText(text.openQuestions(2), LONG)
  await row(owner, 'Tres').getByRole('button').click()
  await expect(row(owner, 'Tres').getByRole('button', { name: text.yes })).toHaveCount(2)
})

test('a run continues while the page is reloaded, and without a connection @once', async ({
  owner,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  const many = Array.from({ length: 400 }, (_, at) => ({
    id: `FRQUAP${3000 + at}`,
    name: `Station ${at}`,
    position: `[${(2 + (at % 20) / 20).toFixed(3)}, ${(48 + at / 400).toFixed(4)}]`,
  }))
  await owner.bringFile(irveFile(many))
  await button(owner, text.run(400)).click(LONG)
  await expect(page.getByText(text.running).or(page.getByText(text.doneTitle(400)))).toBeVisible()
  await owner.reload()
  await owner.goOffline()
  await expect
    .poll(async () => (await client.collection(SITES).getList(1, 1)).totalItems, LONG)
    .toBe(400)
  await owner.goOnline()
  await expect(page.getByText(text.doneTitle(400))).toBeVisible(LONG)
})

test('columns of an unknown table are mapped by hand @once', async ({ owner }) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  await owner.visit(PATHS.import)
  await button(owner, text.ways.text).click()
  await page
    .getByLabel(text.text, { exact: true })
    .fill('Alpha;Beta;Gamma;Delta\nQuay;12 Quay Street, Portrush;55,2044;-6,6531')
  await button(owner, text.begin).click()
  await expect(page.getByRole('heading', { name: text.mappingTitle })).toBeVisible(LONG)
  const choose = (heading: string, label: string) =>
    page.getByLabel(text.column(heading)).selectOption({ label })
  await choose('Alpha', en.fields.sites.name)
  await choose('Beta', en.fields.sites.address)
  await choose('Gamma', en.fields.sites.latitude)
  await choose('Delta', en.fields.sites.longitude)
  const preview = page.getByRole('region', { name: text.previewTitle }).getByRole('table')
  await expect(preview.getByRole('columnheader')).toHaveText([
    en.fields.sites.name,
    en.fields.sites.address,
    en.fields.sites.latitude,
    en.fields.sites.longitude,
  ])
  await owner.expectNothingCut('columns of a table')
  await button(owner, text.readNow).click()
  await expect(row(owner, 'Quay')).toBeVisible(LONG)
  // A person who notices in the plan that a column was misread goes back.
  await button(owner, text.chooseColumns).click()
  await choose('Beta', text.leaveOut)
  await button(owner, text.readNow).click()
  await expect(page.getByText(text.columnsUnread(1))).toBeVisible(LONG)
  await expect(row(owner, 'Quay')).toContainText(text.repairs(2))
})

test('a failure is shown in view, however long the table or the plan @once', async ({ owner }) => {
  const { page } = owner
  await prepareBusiness(await owner.comeSignedIn())

  await test.step('columns', async () => {
    const columns = Array.from({ length: 40 }, (_, index) => `Column ${index}`)
    await owner.bringFile(
      new File([`${columns.join(';')}\n${columns.map(() => 'x').join(';')}`], 'wide.csv'),
    )
    await page
      .getByLabel(text.column('Column 0'))
      .selectOption({ label: en.fields.sites.name }, LONG)
    await owner.failNext('POST', /^\/api\/imports\/\w+\/mapping$/)
    await button(owner, text.readNow).click()
    await expect(owner.alert).toContainText(text.notSent)
    await expect(owner.alert).toBeInViewport()
  })

  await test.step('rows', async () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      id: `FRQUAP${1000 + index}`,
      name: `Quay ${index}`,
    }))
    await owner.bringFile(irveFile(many))
    await expect(button(owner, text.run(30))).toBeVisible(LONG)
    await chip(owner, text.actions.NEW).click()
    await owner.failNext('PATCH', /^\/api\/imports\/\w+$/)
    await button(owner, text.leaveAllOut).click()
    await expect(owner.alert).toContainText(text.notChanged)
    await expect(owner.alert).toBeInViewport()
    await owner.expectNoViolations()
    await button(owner, text.leaveAllOut).click()
    await expect(button(owner, text.run(30))).toHaveCount(0)
    await expect(owner.alert).toHaveCount(0)
  })
})

test('columns of a table with several plugs per row can be chosen again @once', async ({
  owner,
}) => {
  const { page } = owner
  await prepareBusiness(await owner.comeSignedIn())
  const table =
    'Name;Street;Housenumber;Lat;Lon;Plug 1;kW 1;Plug 2;kW 2;Spare sockets\nQuay;Quay Street;12;55.2;-6.6;CCS;150;Type 2;22;2'
  await owner.bringFile(new File([table], 'sites.csv'))
  await expect(row(owner, 'Quay')).toBeVisible(LONG)
  await button(owner, text.chooseColumns).click()
  await page.getByLabel(text.column('Spare sockets')).selectOption({ label: text.extras.quantity })
  await page.getByLabel(text.column('Housenumber')).selectOption({ label: en.fields.sites.name })
  await expect(page.getByText(text.twice(en.fields.sites.name))).toBeVisible()
  await page.getByLabel(text.column('Housenumber')).selectOption({ label: text.leaveOut })
  await button(owner, text.readNow).click()
  await expect(page.getByText(text.columnsUnread(1))).toBeVisible(LONG)
})

test('a pasted text survives another kind of source, another screen and a reload, until it is sent @once', async ({
  owner,
}) => {
  const { page } = owner
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit(PATHS.import)
  const table = 'Name,Lat,Lon\nQuay,55.2,-6.6'
  await button(owner, text.ways.text).click()
  await page.getByLabel(text.text, { exact: true }).fill(table)
  await button(owner, text.ways.url).click()
  await page.getByLabel(text.url, { exact: true }).fill('https://example.org/sites')
  await button(owner, text.ways.file).click()
  await button(owner, text.ways.text).click()
  await expect(page.getByLabel(text.text, { exact: true })).toHaveValue(table)
  await button(owner, text.ways.url).click()
  await expect(page.getByLabel(text.url, { exact: true })).toHaveValue('https://example.org/sites')

  await owner.visit('/dashboard')
  const unfinished = page.getByRole('region', { name: en.dashboard.unfinished })
  await expect(unfinished).toContainText(text.pasted)
  await unfinished.getByRole('link').click()
  await expect(page.getByLabel(text.text, { exact: true })).toHaveValue(table)
  await owner.reload()
  await expect(page.getByLabel(text.text, { exact: true })).toHaveValue(table)
  await button(owner, text.begin).click()
  await expect(button(owner, text.begin)).toHaveCount(0)
  await owner.visit(PATHS.import)
  await expect(button(owner, text.ways.file)).toHaveAttribute('aria-pressed', 'true')
  await owner.visit('/dashboard')
  await expect(owner.link(en.dashboard.addFirstSite)).toBeVisible()
  await expect(unfinished).toHaveCount(0)
})

test('on a weak connection, imports can be read again @once', async ({ owner }) => {
  const { page } = owner
  await owner.takeTheClock()
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  const { id } = await bringIn(client, fileOf([station('A', { name: 'Mill' })]))
  const slow = page.getByText(en.dashboard.slow)

  for (const [path, held] of [
    [PATHS.import, API.records(IMPORTS)],
    [`${PATHS.import}/${id}`, API.record(IMPORTS, id)],
  ] as const) {
    const release = await owner.holdAnswers(held)
    const requested = page.waitForRequest((request) => request.url().includes(held))
    await owner.visit(path)
    await requested
    await owner.passTime('00:09')
    await expect(slow).toBeVisible()
    await button(owner, en.actions.retry).click()
    await release()
    await expect(page.getByText(/stations\.json/)).toBeVisible()
    await expect(slow).toHaveCount(0)
  }
})

test('questions, candidates and missing sites are decided in the plan, and the report lists the outcomes @once', async ({
  owner,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  const business = await prepareBusiness(client)
  /** Far from all others. */
  const at = (latitude: number) => ({ latitude, longitude: -6.9 })
  for (const [name, latitude] of [
    ['Quay', 54.5],
    ['Pier', 54.6],
  ] as const)
    await client.collection(SITES).create({ ...siteBody(business.id), name, ...at(latitude) })
  await owner.bringFile(
    fileOf([station('A', { name: 'Mill' }), station('B', { name: 'Dock', ...at(54.2) })]),
  )
  await button(owner, text.run(2)).click(LONG)
  await expect(page.getByText(text.doneTitle(2))).toBeVisible(LONG)

  const powerless = [
    { standard: 'DOMESTIC_F', format: 'SOCKET', current_type: 'AC_1_PHASE', kw_rating: undefined },
  ]
  await owner.bringFile(
    fileOf([
      station('A', { name: 'Mill' }),
      station('D', { name: 'Church', ...at(55.1) }, powerless),
      station('E', { name: 'School', ...at(55.2) }, powerless),
      station('F', { name: 'Forge', ...at(55.3) }, powerless),
      station('G', { name: 'Old Harbour', ...at(54.5) }),
      station('H', { name: 'North Gate', ...at(54.6) }),
    ]),
  )

  await test.step('a question is answered for one site, then for all', async () => {
    await expect(page.getByText(text.waitingAnswers(5))).toBeVisible(LONG)
    await button(owner, text.showThem).click()
    await expect(page.getByRole('article')).toHaveCount(3)
    await owner.expectNoViolations()
    await row(owner, 'Church').getByRole('button', { name: text.yes }).click()
    await expect(page.getByText(text.waitingAnswers(4))).toBeVisible()
    await row(owner, 'School').getByLabel(text.sameForAll).check()
    // A response that arrives after another filter was chosen leaves that filter.
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/imports/*', async (route) => {
      if (route.request().method() === 'PATCH') await promise
      await route.fallback()
    })
    await row(owner, 'School').getByRole('button', { name: text.yes }).click()
    await chip(owner, text.doubtful).click()
    resolve()
    await expect(page.getByText(text.waitingAnswers(2))).toBeVisible()
    await expect(chip(owner, text.doubtful)).toHaveAttribute('aria-pressed', 'true')
  })

  await test.step('one candidate is the same site, the other is not', async () => {
    await button(owner, text.showThem).click()
    await expect(page.getByRole('article')).toHaveCount(2)
    await row(owner, 'Old Harbour').getByRole('radio', { name: 'Quay' }).check()
    await row(owner, 'North Gate').getByRole('radio', { name: text.isNew }).check()
    await expect(page.getByText(text.waitingText)).toHaveCount(0)
  })

  await test.step('the site that is not in the file is removed', async () => {
    await expect(page.getByText(text.missingTitle(1)).first()).toBeVisible()
    await page.getByRole('radio', { name: text.removeMissing.sites }).check()
    await button(owner, text.run(6)).click()
    await expect(page.getByText(text.doneTitle(6))).toBeVisible(LONG)
    const sites = await client.collection(SITES).getFullList<Site>({ sort: 'name' })
    expect(sites.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'Church AVAILABLE',
      'Dock REMOVED',
      'Forge AVAILABLE',
      'Mill AVAILABLE',
      'North Gate AVAILABLE',
      'Old Harbour AVAILABLE',
      'Pier AVAILABLE',
      'School AVAILABLE',
    ])
  })

  await test.step('the report lists the outcome of each', async () => {
    const downloading = page.waitForEvent('download')
    await button(owner, text.report).click()
    const report = await readFile(await (await downloading).path(), 'utf8')
    const lines = report.trim().split('\r\n').slice(1)
    expect(lines).toHaveLength(7)
    const lineOf = (name: string) => lines.find((line) => line.includes(`"${name}"`))
    expect(lineOf('Dock')).toContain(`"${text.actions.MISSING}","${text.states.APPLIED}"`)
    expect(lineOf('Forge')).toContain(`empty → 2.3 kW ${text.yes}`)
  })

  await test.step('rows left out without an answer are counted and can be found', async () => {
    await owner.bringFile(
      fileOf([
        station('I', { name: 'Ferry', ...at(55.4) }),
        station('J', { name: 'Chapel', ...at(55.5) }, powerless),
      ]),
    )
    await button(owner, text.run(1)).click(LONG)
    await expect(page.getByText(text.unanswered(1))).toBeVisible(LONG)
    await chip(owner, text.questions).click()
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(row(owner, 'Chapel')).toBeVisible()
  })
})

test('an import beyond the limit of open ones says what to do @once', async ({ owner }) => {
  const client = await owner.comeSignedIn()
  await prepareBusiness(client)
  for (let nth = 0; nth < IMPORT_LIMITS.openPerBusiness; nth++)
    await bringIn(client, fileOf([station(`S-${nth}`)]))
  await owner.visit(PATHS.import)
  owner.expectFailureAt(IMPORT_API.imports)
  await owner.page.getByLabel(text.choose).setInputFiles({
    name: 'stations.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name'),
  })
  await expect(owner.page.getByText(text.tooManyOpen(IMPORT_LIMITS.openPerBusiness))).toBeVisible()
})
