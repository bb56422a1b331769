import { test } from './driver.ts'
import { WALKS } from './states.ts'

// Every look is one in light and one in dark, at the width of the project.

for (const { name, go } of WALKS.filter(({ axeIn }) => axeIn === undefined))
  test(`axe finds nothing: ${name}`, async ({ owner }) => {
    await go(owner, (state) => test.step(state, () => owner.expectNoViolations()))
  })
