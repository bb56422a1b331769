import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { SITES } from '#domain/collection.ts'

import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { withStack } from '../support/fixtures.ts'
import { startStack } from '../support/stack.ts'

// Files in a folder must be shared by all processes; a bucket is shared anyway.

const stack = await withStack()

test('a process that stores files in its own folder logs that', async () => {
  const { client, site } = await newOwnerWithSite(stack.url)
  await client.collection(SITES).update(site.id, { photos: [await makePhoto('front.jpg')] })
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'voltleaf-apart-'))
  onTestFinished(() => rm(DATA_DIR, { recursive: true }))
  const apart = await startStack({ beside: stack, env: { DATA_DIR } })
  await expect
    .poll(() => apart.logged)
    .toEqual([expect.stringMatching(/"Of \d+ files that records name, \d+ are not in the folder /)])
  await apart.close()
})
