import { expect, test } from './driver.ts'
import { WALKS } from './states.ts'

// Each state is checked in light and dark mode, at the width of the project.

for (const { name, go } of WALKS.filter(({ axeIn }) => axeIn === undefined))
  test(`axe reports no violation: ${name}`, async ({ owner, stack }) => {
    const look = async () => {
      // Axe keeps the elements that it found at first: the app must not replace them meanwhile.
      await expect(owner.page.locator('[data-frame]')).toHaveCount(0)
      await owner.expectNoViolations()
    }
    await go(owner, (state) => test.step(state, look), stack)
  })
