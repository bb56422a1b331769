import { createRequire } from 'node:module'

import type PocketBase from 'pocketbase'

import { openBalancer } from '../support/balancer.ts'
import { startSecondProcess } from '../support/second-process.ts'
import { startStack } from '../support/stack.ts'
import { expect, test } from './driver.ts'

const SDK = createRequire(import.meta.url).resolve('pocketbase/umd')

test("the SDK signs in by popup: one process holds its stream, another receives the provider's response @once", async ({
  owner,
}) => {
  const balancer = await openBalancer()
  const env = { PUBLIC_URL: balancer.url }
  const first = await startStack({ env })
  const second = await startSecondProcess(first, env)
  expect(second.pid).not.toBe(process.pid)
  // Their public address is the one of the load balancer.
  const servers = [`http://${first.config.host}:${first.config.port}`, second.url]
  balancer.serve(servers, (call) =>
    ['POST /api/realtime', 'GET /api/oauth2-redirect'].includes(call) ? 1 : 0,
  )
  try {
    const { page, person } = owner.at(balancer.url, first.provider.issuer)
    await page.addInitScript({ path: SDK })
    await page.goto(`${balancer.url}/login`)

    const opening = page.waitForEvent('popup')
    const signingIn = page.evaluate(async (url) => {
      const { PocketBase: Client } = globalThis as unknown as { PocketBase: typeof PocketBase }
      const client = new Client(url)
      const { record, meta } = await client.collection('users').authWithOAuth2({ provider: 'oidc' })
      const { id, email } = await client.collection('users').getOne(record.id)
      return { id, email, name: meta?.['name'] as string, isValid: client.authStore.isValid }
    }, balancer.url)
    const popup = await opening
    const closing = popup.waitForEvent('close')
    await popup.getByLabel('Name').fill(person.name)
    await popup.getByLabel('Email').fill(person.email)
    await popup.getByRole('button', { name: 'Sign in' }).click()

    expect(await signingIn).toMatchObject({
      email: person.email,
      name: person.name,
      isValid: true,
    })
    // The opener can close the page with the provider's response.
    await closing
    expect(balancer.passed).toContainEqual(['GET /api/realtime', 0])
    expect(balancer.passed).toContainEqual(['POST /api/realtime', 1])
    expect(balancer.passed).toContainEqual(['GET /api/oauth2-redirect', 1])
    // The app in it may still be prefetching.
    await page.close()
  } finally {
    await second.close()
    await first.close()
    await balancer.close()
  }
  expect([...first.logged, ...second.logged()]).toEqual([])
})
