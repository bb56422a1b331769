import { ensureBrowser } from './testing/browser.ts'
import { buildIfStale } from './build/build.ts'
import { exitWith } from './process.ts'
import { runPlaywright } from './testing/runners.ts'

try {
  process.env['VOLTLEAF_CHROMIUM'] = await ensureBrowser()
  await buildIfStale()
  const { failed } = await runPlaywright(process.argv.slice(2))
  process.exit(failed === 0 ? 0 : 1)
} catch (error) {
  exitWith(error)
}
