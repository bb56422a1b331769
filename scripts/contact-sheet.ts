import { globSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { ensureBrowser } from './testing/browser.ts'
import { buildIfStale } from './build/build.ts'
import { run, root } from './process.ts'
import { runPlaywright } from './testing/runners.ts'

// Takes screenshots of every screen in every state, on a phone, a tablet and a desktop, light and dark, and arranges them
// on one sheet.

const SIZES = ['phone', 'tablet', 'desktop']
const SCHEMES = ['light', 'dark']

const folder = join(root, '.cache/contact-sheet')

const sheetOf = (states: readonly string[]): string => {
  const cell = (state: string, size: string, scheme: string): string => {
    const file = `${size}/${encodeURIComponent(`${state}, ${scheme}.png`)}`
    return `<td><a href="${file}"><img loading="lazy" class="${size}" src="${file}" alt="${size}, ${scheme}"></a></td>`
  }
  const rows = states.map(
    (state) =>
      `<tr><th colspan="${SIZES.length * SCHEMES.length}">${state}</th></tr>\n<tr>${SIZES.flatMap((size) => SCHEMES.map((scheme) => cell(state, size, scheme))).join('')}</tr>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Contact sheet</title>
<style>
  body { font: 16px system-ui; margin: 24px; background: #777; color: #fff; }
  th { text-align: start; padding: 24px 4px 4px; font-size: 18px; }
  td { padding: 4px; vertical-align: top; }
  img { display: block; block-size: 422px; background: #fff; }
</style>
</head>
<body>
<h1>${states.length} states</h1>
<table>
${rows.join('\n')}
</table>
</body>
</html>
`
}

await run(async () => {
  process.env['VOLTLEAF_CHROMIUM'] = await ensureBrowser()
  await buildIfStale()
  const args = process.argv.slice(2)
  // If only some screenshots are retaken, the others stay.
  if (args.length === 0) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { failed } = await runPlaywright(args, 'contact-sheet')
  const pictures = globSync('*/*, light.png', { cwd: folder }).map((path) => basename(path))
  const states = [...new Set(pictures)].map((name) => name.replace(/, light\.png$/, '')).toSorted()
  const sheet = join(folder, 'index.html')
  await writeFile(sheet, sheetOf(states))
  console.log(`\n${states.length} states: ${sheet}`)
  return failed === 0 ? 0 : 1
})
