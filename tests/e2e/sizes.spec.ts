import { weighVisits } from '../../scripts/sizes.ts'
import { PATHS } from '../../web/ui/paths.ts'
import { expect, test, type Owner } from './driver.ts'
import { prepareSites } from './prepare.ts'

/** What the budget of a visit counts, for somebody who reads English. */
const counted = async (title: string): Promise<readonly string[]> => {
  const visits = await weighVisits(undefined, ['en'])
  return (visits.find((visit) => visit.title === title)?.files ?? []).toSorted()
}

const expectScripts = async (owner: Owner, title: string, path: string): Promise<void> => {
  const files = await counted(title)
  await expect.poll(() => owner.scripts(), title).toEqual(files)
  // All of them are on their way before the first has run.
  const answer = await fetch(owner.url + path, { headers: { 'accept-language': 'en' } })
  const page = await answer.text()
  expect(
    files.filter((file) => !page.includes(`"/${file}"`)),
    `${title} names`,
  ).toEqual([])
}

test('a first visit asks for the scripts that its budget counts, and for no others @once', async ({
  owner,
}) => {
  await owner.neverIdle()
  await owner.visit(PATHS.home)
  await expectScripts(owner, 'Home', PATHS.home)
  await owner.visit(PATHS.login)
  await expectScripts(owner, 'Login', PATHS.login)

  const client = await owner.comeSignedIn()
  await prepareSites(client, 'Harbour Lane Quay')
  await owner.visit(PATHS.dashboard)
  await expect(owner.site('Harbour Lane Quay')).toBeVisible()
  await expectScripts(owner, 'Dashboard', PATHS.dashboard)
})
