import { en } from '../support/english.ts'
import { PATHS } from '../../web/paths.ts'
import { expect, test } from './driver.ts'
import { prepareBusiness } from './prepare.ts'

test('the focus stays at hand when its button goes or its form is refused @once', async ({
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
