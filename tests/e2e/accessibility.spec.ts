import { expect, test } from './driver.ts'
import { WALKS } from './states.ts'

// Each state is checked in light and dark mode, and at the width of a phone.

for (const { name, go } of WALKS.filter(({ axeIn }) => axeIn === undefined))
  test(`axe reports no violation: ${name} @once`, async ({ owner, stack }) => {
    const look = async () => {
      // Axe keeps references to elements, so the app must have replaced the prerendered page.
      await expect(owner.page.locator('[data-frame]')).toHaveCount(0)
      const open = owner.page
        .locator('[role=menu], [role=dialog], [role=alertdialog], [role=listbox]')
        .filter({ visible: true })
      const count = await open.count()
      await owner.expectNoViolations()
      // The open elements must not have closed when the window became narrow.
      await expect.poll(() => open.count()).toBeGreaterThanOrEqual(count)
    }
    await go(owner, (state) => test.step(state, look), stack)
  })
