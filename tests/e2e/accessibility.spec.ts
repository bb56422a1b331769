import { test } from './driver.ts'
import { WALKS } from './states.ts'

// Each state is checked in light and dark mode, at the width of the project.

for (const { name, go } of WALKS.filter(({ axeIn }) => axeIn === undefined))
  test(`axe reports no violation: ${name}`, async ({ owner, stack }) => {
    await go(owner, (state) => test.step(state, () => owner.expectNoViolations()), stack)
  })
