import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The longest files, in this order: those that take over twenty seconds on two cores. A fresh clone has no recorded
 * durations, and a long file that starts last keeps one worker busy while the others are idle.
 */
const LONGEST = [
  'start/refusals',
  'start/lives',
  'start/places',
  'proof/hostile-files',
  'contract/access/matrix',
  'proof/imports',
  'contract/backup',
  'start/seed',
  'contract/s3',
  'proof/faults-database',
  'proof/power-cut',
  'start/stopping',
  'contract/pooler',
  'start/backup',
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST.findIndex((name) => moduleId.includes(`/tests/${name}.`))
  return rank === -1 ? LONGEST.length : rank
}

/** Runs the files of all projects together, the longest first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
