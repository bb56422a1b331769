import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { root } from '../../scripts/process.ts'

/** The queue in which the driver holds its connections, as it was installed and mended. */
interface Queue {
  readonly length: number
  readonly remove: (element: object) => object | null
  readonly push: (element: object) => object
  readonly shift: () => object | undefined
}
const file = join(root, 'node_modules/postgres/src/queue.js')
const { default: createQueue } = (await import(pathToFileURL(file).href)) as {
  default: (initial?: readonly object[]) => Queue
}

test('a queue that never runs empty does not look through what has left it', () => {
  const places = Array.from({ length: 6 }, () => ({}))
  const queue = createQueue(places)
  // What the driver does for each statement while another is under way.
  for (let statement = 0; statement < 1000; statement += 1) {
    const taken = queue.shift()
    expect(taken).toBe(places[statement % places.length])
    expect(queue.remove(taken ?? {})).toBeNull()
    queue.push(taken ?? {})
  }
  expect(queue.length).toBe(places.length)
  const { indexOf } = Array.prototype
  const looked: number[] = []
  Array.prototype.indexOf = function (this: unknown[], ...args: [unknown, number?]) {
    looked.push(this.length - (args[1] ?? 0))
    return Reflect.apply(indexOf, this, args) as number
  }
  try {
    queue.remove({})
  } finally {
    Array.prototype.indexOf = indexOf
  }
  expect(looked).toEqual([places.length])
})

test('it gives what was put in, in that order, without what was taken out', () => {
  const step = fc.oneof(fc.constant('push'), fc.constant('shift'), fc.nat({ max: 20 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600 }), (steps) => {
      const queue = createQueue()
      const model: object[] = []
      for (const each of steps) {
        if (each === 'push') {
          const element = {}
          model.push(element)
          queue.push(element)
        } else if (each === 'shift') {
          if (model.length > 0) expect(queue.shift()).toBe(model.shift())
        } else {
          const element = model[Number(each)] ?? {}
          const at = model.indexOf(element)
          expect(queue.remove(element)).toBe(at === -1 ? null : element)
          if (at !== -1) model.splice(at, 1)
        }
        expect(queue.length).toBe(model.length)
      }
    }),
  )
})
