import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'

import { readConfig } from './config.ts'
import { reservePort } from './main.ts'

test('a reserved port stays occupied until it is released', async () => {
  const { config, releasePort } = await reservePort(readConfig({ PORT: '0' }))
  expect(new URL(config.publicUrl).port).toBe(String(config.port))
  const listen = async (): Promise<unknown> => {
    const server = createServer().listen(config.port, config.host)
    try {
      return await once(server, 'listening')
    } finally {
      server.close()
    }
  }
  await expect(listen()).rejects.toThrow('EADDRINUSE')
  await releasePort()
  await listen()
})
