import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { advance, emptyLog, onBase, project, type Log, type Op } from './log.ts'
import type { BusinessView } from './state.ts'
import { makeBusiness } from '../../tests/support/make.ts'

const business: BusinessView = {
  ...makeBusiness({ id: 'b', name: '' }),
  fileSrc: '',
  sites: [],
  records: {},
}

/** Appends a letter to the name, so that the name shows the applied changes and their order. */
const append = (letter: string) => (data: BusinessView) => ({ ...data, name: data.name + letter })

test('only confirmed changes stay, in any order of calls and responses', () => {
  const call = fc.record({ succeeds: fc.boolean(), endsAfter: fc.nat({ max: 5 }) })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 12 }), (calls) => {
      let log: Log = { ...emptyLog(null), base: business }
      const ends: { at: number; end: () => void }[] = []
      const confirmed: string[] = []
      calls.forEach(({ succeeds, endsAfter }, index) => {
        const letter = String.fromCharCode(97 + index)
        const op: Op = { apply: append(letter) }
        log = advance(log, { type: 'begin', op })
        expect(project(log).data?.name.endsWith(letter)).toBe(true)
        const end = (): void => {
          if (succeeds) confirmed.push(letter)
          log = succeeds
            ? advance(log, { type: 'confirm', op, change: onBase(append(letter)) })
            : advance(log, { type: 'drop', op })
        }
        ends.push({ at: index + endsAfter, end })
        for (const due of ends.filter(({ at }) => at === index)) due.end()
      })
      for (const { at, end } of ends) if (at >= calls.length) end()
      expect(log.pending).toEqual([])
      expect(project(log).data?.name).toBe(confirmed.join(''))
      expect(log.base).toEqual({ ...business, name: confirmed.join('') })
    }),
  )
})

test('a failure leaves the data identical, so that nothing rerenders', () => {
  const start: Log = { ...emptyLog(null), base: business }
  const op: Op = { apply: append('x') }
  const shown = advance(start, { type: 'begin', op })
  const after = advance(shown, { type: 'drop', op })
  expect(project(after).data).toBe(project(start).data)
})

test('the state keeps its identity while its content stays the same', () => {
  const log: Log = { ...emptyLog(null), base: business }
  const state = project(log)
  const busier = advance(log, { type: 'busy' })
  expect(project(busier, { log, state })).toBe(state)
})

test('a new session clears data, changes and waiting, and raises the generation', () => {
  const op: Op = { apply: append('x') }
  const log = advance({ ...emptyLog(null), base: business }, { type: 'begin', op })
  const next = advance(log, { type: 'session', user: null, busy: false })
  expect(project(next)).toEqual({ data: null, user: null, loading: false })
  expect(next.pending).toEqual([])
  expect(next.generation).toBe(log.generation + 1)
})
