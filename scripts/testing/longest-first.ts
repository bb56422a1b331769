import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The longest files, in this order: those of over ten seconds on two cores. A fresh clone has no recorded
 * durations, and a long file that starts last keeps one worker busy while the others are idle.
 */
const LONGEST = [
  'start/refusals',
  'proof/hostile-files',
  'start/lives',
  'start/places',
  'contract/queries/queries',
  'start/seed',
  'contract/s3',
  'contract/access/matrix',
  'proof/kills',
  'contract/limits',
  'proof/power-cut',
  'contract/backup',
  'contract/orphans',
  'start/stopping',
  'contract/survival',
  'contract/logs',
  'contract/geocode',
  'contract/refused-bodies',
  'start/backup',
  'contract/account',
  'contract/large-answers',
  'proof/opening-hours',
  'proof/public-reads',
  'contract/pooler',
  'proof/faults-database',
  'start/hosts',
  'start/replicas',
  'start/import',
  'proof/imports',
  'proof/faults-services',
  'contract/realtime',
  'start/superuser',
  'proof/retries',
  'contract/mails',
  'contract/files',
  'contract/slow-clients',
  'contract/bad-input',
  'contract/password',
  'contract/pages',
  'contract/move',
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
