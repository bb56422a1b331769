import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'

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
    const taken = queue.shift() ?? {}
    queue.remove(taken)
    queue.push(taken)
  }
  expect(queue.length).toBe(places.length)

  const search = vi.spyOn(Array.prototype, 'indexOf')
  queue.remove({})
  const [list] = search.mock.contexts as [unknown[]]
  const [[, from = 0] = []] = search.mock.calls
  search.mockRestore()
  expect(list.length - from).toBe(places.length)
  expect(list.length).toBeLessThan(200)
})

test('it gives what was put in, in that order, without what was taken out', () => {
  const step = fc.oneof(
    fc.constant('push' as const),
    fc.constant('shift' as const),
    fc.nat({ max: 20 }),
  )
  const steps = fc.array(step, { maxLength: 600 })
  fc.assert(
    fc.property(steps, (all) => {
      const queue = createQueue()
      const model: object[] = []
      const agrees = all.map((each) => {
        if (each === 'push') {
          const element = {}
          model.push(element)
          queue.push(element)
        } else if (each === 'shift') {
          if (model.length > 0 && queue.shift() !== model.shift()) return false
        } else {
          const element = model[each] ?? {}
          const at = model.indexOf(element)
          if (at !== -1) model.splice(at, 1)
          if (queue.remove(element) !== (at === -1 ? null : element)) return false
        }
        return queue.length === model.length
      })
      expect(agrees).not.toContain(false)
    }),
  )
})
