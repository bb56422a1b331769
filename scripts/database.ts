import type { Config } from '../server/config.ts'
import { openDatabase } from '../server/db/open.ts'
import type { ConnectionOptions } from '../server/db/connect.ts'
import type { Sql } from '../server/db/sql.ts'
import { demandDedicatedSessions } from '../server/db/dedicated-sessions.ts'
import { findRunningDatabase, startEmbeddedDatabase } from '../server/db/embedded.ts'
import { withCleanUp } from './process.ts'

/**
 * Runs a function with a connection to the configured database: the one of the server that uses the data folder, or one
 * that is started temporarily and stops even if a signal ends the command.
 */
export const withDatabase = async <T>(
  { databaseUrl: url, databaseDirectUrl, dataDir }: Config,
  run: (sql: Sql) => Promise<T>,
  options: ConnectionOptions = {},
): Promise<T> => {
  // Bypasses any pooler, because commands lock and copy.
  const databaseUrl = databaseDirectUrl ?? url
  const running =
    databaseUrl === undefined ? await findRunningDatabase(dataDir) : { url: databaseUrl }
  const embedded = running === undefined ? startEmbeddedDatabase({ dataDir }) : undefined
  return withCleanUp(
    async () => (await embedded)?.stop(),
    async () => {
      const place = running ?? (await embedded)?.place
      if (place === undefined) throw new Error('There is no database.')
      const sql = await openDatabase(place, { max: 1, ...options })
      try {
        if (databaseUrl !== undefined) await demandDedicatedSessions(databaseUrl)
        return await run(sql)
      } finally {
        await sql.end({ timeout: 5 })
      }
    },
  )
}
