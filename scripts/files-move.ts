import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { upgrade } from '../server/db/migrate.ts'
import { copyFiles, deleteSource } from '../server/files/move.ts'
import { openDiskStore, openS3StoreAlone } from '../server/files/store.ts'
import { StartupError } from '../server/problem.ts'
import { withDatabase } from './database.ts'
import { countOf, readArguments, run, loadConfig } from './process.ts'

const USAGE = 'npm run files:move -- --to s3|disk [--delete-source]'

const readTarget = () => {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, 'delete-source': { type: 'boolean' } },
  })
  const { to, 'delete-source': isLast = false } = values
  return to === 's3' || to === 'disk' ? { to, isLast } : undefined
}

await run(async () => {
  const { to, isLast } = readArguments(USAGE, readTarget)
  const config = loadConfig()
  const disk = openDiskStore(config)
  const s3 = await openS3StoreAlone(config)
  const stores = to === 's3' ? { from: disk, to: s3 } : { from: s3, to: disk }
  await withDatabase(config, async (sql) => {
    await upgrade(sql)
    const deps = { sql, ...stores, tempDir: join(config.dataDir, 'tmp') }
    const { copied, there, missing } = await copyFiles(deps)
    console.log(`Copied ${countOf(copied, 'file')} to ${stores.to.place}; already there: ${there}.`)
    if (missing.length > 0)
      throw new StartupError(
        `Files that records refer to, but that are in neither place: ${missing.length}, such as ${missing[0]}.`,
      )
    if (isLast)
      console.log(`Removed ${countOf(await deleteSource(deps), 'file')} from ${stores.from.place}.`)
  })
})
