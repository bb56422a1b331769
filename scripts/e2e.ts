import { ensureBrowser } from './testing/browser.ts'
import { buildIfStale } from './build/build.ts'
import { run } from './process.ts'
import { runPlaywright } from './testing/runners.ts'

await run(async () => {
  process.env['VOLTLEAF_CHROMIUM'] = await ensureBrowser()
  await buildIfStale()
  const { failed } = await runPlaywright(process.argv.slice(2))
  return failed === 0 ? 0 : 1
})
