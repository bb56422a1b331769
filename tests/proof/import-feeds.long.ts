import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

import { IMPORT_PROBLEMS, type ProblemCode, type RuleName } from '#domain/repair.ts'

import { readParts } from '../../server/formats/formats.ts'
import { contradictionOf, joinKey, joinParts } from '../../server/formats/join.ts'
import { RULES, repairStation } from '../../server/formats/repair/repair.ts'
import type { Station } from '../../server/formats/station.ts'
import { countFailures, report } from './figures.ts'

/**
 * Reads and repairs real sources without a database: the files of `IMPORT_FEEDS` (a folder or a file), which are not
 * part of the project. Prints the tables of docs/import.md.
 */
const FEEDS = process.env['IMPORT_FEEDS'] ?? ''

const filesIn = (path: string): readonly string[] =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true, encoding: 'utf8' })
        .map((name) => join(path, name))
        .filter((file) => statSync(file).isFile() && /\.(json|csv|geojson|xlsx|gz)$/.test(file))
        .toSorted()

/** The number of stations by outcome. */
interface Tally {
  stations: number
  /** Imported without a repair. */
  whole: number
  repaired: number
  /** Imported once a person has answered yes. */
  doubtful: number
  refused: number
  readonly rules: Map<RuleName, number>
  readonly questions: Map<RuleName, number>
  readonly reasons: Map<string, number>
}

const tally = (): Tally => ({
  stations: 0,
  whole: 0,
  repaired: 0,
  doubtful: 0,
  refused: 0,
  rules: new Map(),
  questions: new Map(),
  reasons: new Map(),
})

const count = <K>(counts: Map<K, number>, names: Iterable<K>): void => {
  for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1)
}

const stationsOf = async (file: string, sum: Tally): Promise<readonly Station[]> => {
  const pieces = new Map<string, Station[]>()
  let alone = 0
  for await (const part of readParts(createReadStream(file))) {
    if ('problem' in part) {
      sum.stations++
      refuse(sum, part.problem.code)
      continue
    }
    const key = joinKey(part.station) || `alone ${alone++}`
    pieces.set(key, [...(pieces.get(key) ?? []), part.station])
  }
  return [...pieces.values()].flatMap((parts) => {
    const problem = contradictionOf(parts)
    if (problem === undefined) return [joinParts(parts)]
    sum.stations++
    refuse(sum, problem.code)
    return []
  })
}

const refuse = (sum: Tally, code: ProblemCode): void => {
  sum.refused++
  count(sum.reasons, [code])
}

const YES = Object.fromEntries(RULES.map(({ name }) => [name, true]))

const add = (sum: Tally, station: Station): void => {
  const { repairs, questions, refusal } = repairStation(station)
  sum.stations++
  count(
    sum.rules,
    repairs.map(({ rule }) => rule),
  )
  count(
    sum.questions,
    questions.map(({ rule }) => rule),
  )
  if (refusal === undefined) {
    if (repairs.length === 0) sum.whole++
    else sum.repaired++
    return
  }
  const answered = repairStation(station, YES).refusal
  if (answered === undefined) sum.doubtful++
  else refuse(sum, answered.code)
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
const nameOf = (file: string): string =>
  file.replace(/^.*\//, '').replace(/(?:\.(?:json|csv|gz))+$/, '')

describe.skipIf(FEEDS === '')('real sources', () => {
  const { failures } = countFailures()
  const all = tally()
  const lines: string[] = []

  test.each(FEEDS === '' ? [] : filesIn(FEEDS))('%s', async (file) => {
    const sum = tally()
    for (const station of await stationsOf(file, sum)) add(sum, station)
    expect(sum.whole + sum.repaired + sum.doubtful + sum.refused).toBe(sum.stations)
    lines.push(
      row([nameOf(file), sum.stations, sum.whole, sum.repaired, sum.doubtful, sum.refused]),
    )
    for (const name of ['stations', 'whole', 'repaired', 'doubtful', 'refused'] as const)
      all[name] += sum[name]
    for (const name of ['rules', 'questions', 'reasons'] as const)
      for (const [key, value] of sum[name] as Map<never, number>)
        all[name].set(key, (all[name].get(key) ?? 0) + value)
  })

  afterAll(async () => {
    const { stations, whole, repaired, doubtful, refused } = all
    const sorted = <K extends string>(counts: Map<K, number>) =>
      [...counts].toSorted(([, one], [, other]) => other - one)
    console.log(
      [
        row(['Source', 'Stations', 'As they are', 'Repaired', 'Question', 'Refused']),
        ...lines,
        row(['all', stations, whole, repaired, doubtful, refused]),
        '',
        ...sorted(all.rules).map(([rule, sum]) => row([`\`${rule}\``, sum])),
        '',
        ...sorted(all.questions).map(([rule, sum]) => row([`\`${rule}\``, sum])),
        '',
        ...sorted(all.reasons).map(([code, sum]) =>
          row([IMPORT_PROBLEMS[code as ProblemCode], sum]),
        ),
      ].join('\n'),
    )
    await report('import of real sources', {
      stations,
      whole,
      repaired,
      doubtful,
      refused,
      failures: failures(),
    })
  })
})
