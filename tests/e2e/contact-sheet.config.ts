import { join } from 'node:path'

import { root } from '../../scripts/process.ts'
import config from './playwright.config.ts'
import { TABLET } from './screens.ts'

const pictures: object = {
  ...config,
  testMatch: '**/*.sheet.ts',
  outputDir: join(root, '.cache/contact-sheet-run'),
  projects: [...(config.projects ?? []), { name: 'tablet', use: { viewport: TABLET } }],
  reporter: [['list'], ['json', { outputFile: join(root, '.cache/reports/contact-sheet.json') }]],
}

/** Takes the screenshots for the contact sheet; see scripts/contact-sheet.ts. */
export default pictures
