import { en } from '../support/english.ts'
import { PATHS } from '../../web/paths.ts'
import { prepareChain } from './chain.ts'
import { expect, test } from './driver.ts'
import { prepareBusiness } from './prepare.ts'

test('the focus moves to the next control when its button disappears or its form is refused @once', async ({
  owner,
}) => {
  const { page } = owner
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit(PATHS.editBusiness)
  await owner.pressAt(page.getByRole('button', { name: en.business.useOwnEmail }))
  await expect(owner.field(en.fields.businesses.contact_email)).toBeFocused()

  await owner.visit(PATHS.import)
  const begin = page.getByRole('button', { name: en.imports.begin })
  for (const [way, field, problem] of [
    [en.imports.ways.url, en.imports.url, en.imports.urlMissing],
    [en.imports.ways.text, en.imports.text, en.imports.textMissing],
  ] as const) {
    await owner.pressAt(page.getByRole('button', { name: way, exact: true }))
    await owner.pressAt(begin)
    await expect(page.getByLabel(field, { exact: true })).toBeFocused()
    await expect(page.getByLabel(field, { exact: true })).toHaveAccessibleDescription(
      new RegExp(problem),
    )
  }
})

test('Tab scrolls filters in a sideways row fully into view @once', async ({ owner }) => {
  const { page } = owner
  await prepareChain(await owner.comeSignedIn())
  await page.setViewportSize({ width: 320, height: 640 })
  for (const [path, row, name] of [
    [PATHS.map, en.find.filters, en.find.plugAndPower],
    [PATHS.dashboard, en.dashboard.filterLabel, en.status.INOPERATIVE],
  ] as const) {
    await owner.visit(path)
    const chip = page.getByRole('group', { name: row }).getByRole('button', { name })
    await owner.tabTo(chip)
    await expect(chip).toBeInViewport({ ratio: 0.99 })
  }
})

test('a new connector counts as no error before it is filled in @once', async ({ owner }) => {
  const { page } = owner
  await prepareBusiness(await owner.comeSignedIn())
  await owner.visit(PATHS.addSite)
  await owner.saveSite()
  await expect(owner.alert.getByRole('link')).toHaveCount(3)
  await page.getByRole('button', { name: en.connectors.otherPreset }).click()
  await owner.choosePlug(1, 'CCS2 (Combo 2)')
  await expect(owner.plugField(1)).toHaveText('CCS2 (Combo 2)')
  // Its power is missing, too, but the field has not been visited.
  await expect(owner.alert.getByRole('link')).toHaveCount(3)
  await owner.saveSite()
  await expect(owner.alert.getByRole('link')).toHaveCount(4)
})
