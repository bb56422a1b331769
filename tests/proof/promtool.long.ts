import { spawnSync } from 'node:child_process'

import { expect, test } from 'vitest'

import { needProgram } from '../../scripts/testing/programs.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { startStack } from '../support/stack.ts'

test('promtool accepts the metrics', async () => {
  const stack = await startStack()
  try {
    const { client, site } = await newOwnerWithSite(stack.url)
    await client.collection('sites').update(site.id, { cost: 'Free' })
    await fetch(`${stack.url}/api/nothing`)
    const input = await (await fetch(`${stack.url}/metrics`)).text()
    expect(input).toContain('# TYPE')
    const { status, stdout, stderr } = spawnSync(needProgram('promtool'), ['check', 'metrics'], {
      input,
    })
    expect([status, stdout.toString() + stderr.toString()]).toEqual([0, ''])
  } finally {
    await stack.close()
  }
})
