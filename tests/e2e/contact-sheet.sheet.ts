import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { root } from '../../scripts/process.ts'
import { test } from './driver.ts'
import { WALKS } from './states.ts'

for (const { name, go } of WALKS)
  test(name, async ({ owner, stack }, { project }) => {
    const folder = join(root, '.cache/contact-sheet', project.name)
    await mkdir(folder, { recursive: true })
    let count = 0
    const look = async (state: string) => {
      count += 1
      const file = `${name}, ${String(count).padStart(2, '0')} ${state}`.replace(/[^\w, -]/g, '')
      await owner.takePictures((scheme) => join(folder, `${file}, ${scheme}.png`))
    }
    await go(owner, look, stack)
  })
