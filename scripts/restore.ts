import { join } from 'node:path'

import { readBackup } from '../server/backup/folder.ts'
import { restoreBackup } from '../server/backup/restore.ts'
import { findRunningDatabase } from '../server/db/embedded.ts'
import { openFileStore } from '../server/files/store.ts'
import { StartupError } from '../server/problem.ts'
import { withDatabase } from './database.ts'
import { countOf, run, loadConfig, readFolderArgument } from './process.ts'

await run(async () => {
  const folder = readFolderArgument('npm run restore -- FOLDER')
  const config = loadConfig()
  const { databaseUrl, dataDir } = config
  if (databaseUrl === undefined && (await findRunningDatabase(dataDir)) !== undefined)
    throw new StartupError(`A server is running on ${dataDir}: stop it and restore again.`)
  const backup = await readBackup(folder)
  const files = await openFileStore(config, (problem) => {
    throw problem
  })
  await withDatabase(
    config,
    (sql) => restoreBackup({ sql, files, tempDir: join(dataDir, 'tmp') }, backup),
    { keepOpen: true },
  )
  const { manifest } = backup
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(
    `Restored ${countOf(rows, 'row')} and ${countOf(manifest.files, 'file')} of ${manifest.created}.`,
  )
})
