import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { writeBackup } from '../server/backup/backup.ts'
import { openFileStore } from '../server/files/store.ts'
import { StartupError } from '../server/problem.ts'
import { withDatabase } from './database.ts'
import { countOf, run, loadConfig, readFolderArgument, root } from './process.ts'

await run(async () => {
  const folder = readFolderArgument('npm run backup -- FOLDER')
  const config = loadConfig()
  const { databaseUrl, dataDir } = config
  // A mistyped DATA_DIR would create a database there.
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres')))
    throw new StartupError(
      `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL as for the server.`,
    )
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const files = await openFileStore(config, (problem) => console.error(problem.message))
  const { rows, bytes, missing, ...copied } = await withDatabase(
    config,
    (sql) => writeBackup({ sql, files, version }, folder),
    { keepOpen: true },
  )
  console.log(
    `Backed up ${countOf(rows, 'row')} and ${countOf(copied.files, 'file')} (${(bytes / 1e6).toFixed(1)} MB) to ${folder}.`,
  )
  if (missing.length > 0)
    console.error(
      `The backup is complete except for files that records refer to but ${files.place} does not have: ${missing.length}, such as ${missing[0]}.`,
    )
  return missing.length === 0 ? 0 : 1
})
