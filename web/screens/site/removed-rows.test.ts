import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { noteInsertion, noteRemoval, noteReturn, type RemovedRows } from './removed-rows.ts'
import { blankRow } from './site-values.ts'

const row = blankRow

/** The rows from top to bottom, removed ones in brackets. */
const page = (rows: readonly string[], removed: RemovedRows): string[] => {
  const gone = (at: number) =>
    removed.filter((each) => each.at === at).map(({ row: { ids } }) => `(${ids.join()})`)
  return [...rows.flatMap((id, index) => [...gone(index), id]), ...gone(rows.length)]
}

test('rows keep their places after any sequence of removals and restorations', () => {
  const step = fc.tuple(fc.constantFrom('remove', 'return', 'insert'), fc.nat(20))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let rows = ['a', 'b', 'c', 'd', 'e']
      let removed: RemovedRows = []
      let wanted = [...rows]
      let news = 0
      for (const [what, number] of steps) {
        if (what === 'remove' && rows.length > 0) {
          const index = number % rows.length
          const id = rows[index] ?? ''
          removed = noteRemoval(removed, row(id), index)
          rows = rows.toSpliced(index, 1)
          wanted = wanted.with(wanted.indexOf(id), `(${id})`)
        } else if (what === 'return' && removed.length > 0) {
          const back = removed[number % removed.length]
          if (back === undefined) continue
          const id = back.row.ids.join()
          removed = noteReturn(removed, back)
          rows = rows.toSpliced(back.at, 0, id)
          wanted = wanted.with(wanted.indexOf(`(${id})`), id)
        } else if (what === 'insert' && rows.length > 0) {
          const source = number % rows.length
          const id = `n${(news += 1)}`
          const before = rows[source] ?? ''
          removed = noteInsertion(removed, source + 1)
          rows = rows.toSpliced(source + 1, 0, id)
          wanted = wanted.toSpliced(wanted.indexOf(before) + 1, 0, id)
        }
        expect(page(rows, removed)).toEqual(wanted)
      }
    }),
  )
})
