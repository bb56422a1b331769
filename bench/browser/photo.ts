import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { makeCameraPhoto } from '../../tests/support/images.ts'
import en from '../../web/messages/en/form.ts'
import { editSitePath } from '../../web/paths.ts'
import { estimate, exactly } from '../measure/stats.ts'
import { find, format } from '../measure/verdict.ts'
import type { PartRun, Report } from '../part.ts'
import { beginAnew, openChromium } from './chromium.ts'
import { findDoubt, keepNotes, TIMEOUT_MS } from './probe.ts'
import { firstSiteOf, type Stage } from './stage.ts'

/**
 * Uploads a photo from a phone and measures its size, its metadata, and the long tasks on the main
 * thread.
 */
export const measurePhoto = async (stage: Stage, run: PartRun): Promise<Report> => {
  const file = await makeCameraPhoto('camera.jpg')
  const path = join(run.folder, file.name)
  await writeFile(path, new Uint8Array(await file.arrayBuffer()))
  const session = await stage.sessionOf(stage.cast.usual)
  const chromium = await openChromium(join(run.folder, 'photo'))
  const seen: { bytes: number; hasPosition: boolean; longestTaskMs: number }[] = []
  let doubt = run.doubt
  try {
    while (seen.length < run.effort.visits) {
      await beginAnew(chromium, stage.url, session)
      const page = await chromium.context.newPage()
      doubt ??= await findDoubt(page)
      await keepNotes(page)
      await page.goto(stage.url + editSitePath(firstSiteOf(stage.cast.usual)))
      const chooser = page.getByLabel(en.photos.choose)
      await chooser.waitFor({ state: 'attached' })
      // The start of the page is not part of the measurement.
      await page.waitForLoadState('networkidle')
      await page.evaluate(async () => void (await navigator.serviceWorker.ready))
      await page.evaluate(() => (window.notes.longTasks.length = 0))
      // Passed by path: Playwright would assemble the bytes in the page, which takes longer than the upload.
      await chooser.setInputFiles(path)
      await page
        .getByText(en.photos.preparing)
        .first()
        .waitFor({ state: 'detached', timeout: TIMEOUT_MS })
      await page.getByRole('button', { name: en.site.save, exact: true }).click()
      await page.waitForFunction(() => window.notes.sent.length > 0, undefined, {
        timeout: TIMEOUT_MS,
      })
      seen.push(
        await page.evaluate(async () => {
          const [sent] = window.notes.sent
          const text = new TextDecoder('latin1').decode(await sent?.arrayBuffer())
          return {
            bytes: sent?.size ?? 0,
            // A position is part of EXIF, which begins like this.
            hasPosition: text.includes('Exif\0') || text.includes('http://ns.adobe.com/xap/'),
            longestTaskMs: Math.max(0, ...window.notes.longTasks),
          }
        }),
      )
      await page.close()
    }
  } finally {
    await chromium.close()
  }
  const figure = { part: 'browser', unit: '' } as const
  return {
    findings: [
      find({
        ...figure,
        what: 'photo of 12 megapixels: times smaller when it leaves',
        estimate: exactly(file.size / Math.max(...seen.map(({ bytes }) => bytes))),
        target: { atLeast: 10 },
        unit: 'x',
      }),
      find({
        ...figure,
        what: 'photo of 12 megapixels: photos that leave with a position',
        estimate: exactly(seen.filter(({ hasPosition }) => hasPosition).length),
        target: { atMost: 0 },
      }),
      find({
        ...figure,
        what: 'photo of 12 megapixels: longest task of the page (0: none over 50 ms)',
        estimate: estimate(seen.map(({ longestTaskMs }) => longestTaskMs)),
        target: { atMost: 50 },
        unit: ' ms',
        doubt,
      }),
    ],
    details: [],
    notes: [
      `Photo: ${format(file.size / 1e6)} MB, of noise as a sensor has it, with a position; chosen and saved ${seen.length} times in the form of a site. What is put into the request is looked at.`,
    ],
  }
}
