import { join } from 'node:path'

import { weighVisits } from '../../scripts/build/sizes.ts'
import { buildIfStale } from '../../scripts/build/build.ts'
import { exactly } from '../measure/stats.ts'
import { find } from '../measure/verdict.ts'
import type { Part, PartRun, Report } from '../part.ts'
import { measureCrowd } from './crowd.ts'
import { measurePages } from './pages.ts'
import { measurePhoto } from './photo.ts'
import { startStage, type Stage } from './stage.ts'

/** Measures one topic. */
type Topic = (stage: Stage, run: PartRun) => Promise<Report>

/** The deliberate regression: 100 kB of unused script. */
export const BIG_BUNDLE = 'big-bundle'

const TOPICS: Readonly<Record<string, Topic>> = {
  sizes: async ({ webDir }) => ({
    findings: (await weighVisits(webDir)).map(({ title, bytes, limitBytes }) =>
      find({
        part: 'browser',
        what: `${title}: script, as sent`,
        estimate: exactly(bytes / 1000),
        target: { atMost: limitBytes / 1000 },
        unit: ' kB',
      }),
    ),
    details: [],
    notes: [
      'Sizes: what the first visit of somebody asks for, compressed as it is sent, in the language that weighs most.',
    ],
  }),
  lighthouse: measurePages,
  'ten-thousand': measureCrowd,
  photo: measurePhoto,
}

/** The app in a browser. */
export const browserPart: Part = {
  name: 'browser',
  topics: Object.keys(TOPICS),
  run: async (options) => {
    if (await buildIfStale()) options.say('Built the web app.')
    const stage = await startStage(join(options.folder, 'browser'), options.broken === BIG_BUNDLE)
    try {
      const reports: Report[] = []
      for (const [name, measure] of Object.entries(TOPICS))
        if (options.wants(name)) reports.push(await measure(stage, options))
      return {
        findings: reports.flatMap(({ findings }) => findings),
        details: reports.flatMap(({ details }) => details),
        notes: reports.flatMap(({ notes }) => notes),
      }
    } finally {
      await stage.close()
    }
  },
}
