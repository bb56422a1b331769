import { setTimeout as sleep } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { readAhead } from './read-ahead.ts'

test('only the next item is produced while one is processed', async () => {
  const steps: string[] = []
  const make = async function* () {
    for (const item of ['a', 'b', 'c']) {
      steps.push(`make ${item}`)
      yield item
    }
  }
  for await (const item of readAhead(make())) {
    await sleep(1)
    steps.push(`use ${item}`)
  }
  expect(steps).toEqual(['make a', 'make b', 'use a', 'make c', 'use b', 'use c'])
})

test('an error follows the items before it, and a consumer that stops also stops the producer', async () => {
  let isEnded = false
  const make = async function* () {
    try {
      yield 'a'
      yield await Promise.reject(new Error('broken'))
    } finally {
      isEnded = true
    }
  }
  const used: string[] = []
  const use = async (): Promise<void> => {
    for await (const item of readAhead(make())) {
      await sleep(1)
      used.push(item)
    }
  }
  await expect(use()).rejects.toThrow('broken')
  expect({ used, isEnded }).toEqual({ used: ['a'], isEnded: true })
  isEnded = false
  for await (const item of readAhead(make())) {
    expect(item).toBe('a')
    break
  }
  expect(isEnded).toBe(true)
})
