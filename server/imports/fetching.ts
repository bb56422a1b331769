import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { IMPORTS } from '#domain/collection.ts'

import type { Sql } from '../db/sql.ts'
import { fetchSource, type Fetched } from '../fetch/fetch.ts'
import { storedName, type FileStore } from '../files/files.ts'
import { SourceError } from '../formats/source.ts'
import { fail } from './ending.ts'
import { batch, forgetSecrets, nowText, withLeaseRenewal, type Work } from './work.ts'

export interface FetchingDeps {
  readonly sql: Sql
  readonly files: FileStore
  /** On the same file system as the store. */
  readonly tempDir: string
  readonly fetching: Parameters<typeof fetchSource>[0]
}

/** Downloads the source of an import into the file store, unless the download fails or the feed is unchanged. */
export const fetchFile = async (deps: FetchingDeps, work: Work): Promise<void> => {
  const path = join(deps.tempDir, randomUUID())
  try {
    const fetched = await withLeaseRenewal(deps.sql, work, () => download(deps, work, path))
    if (fetched.isUnchanged) {
      await noteUnchanged(deps.sql, work)
      return
    }
    const file = storedName('fetched', '')
    await deps.files.put({ collection: IMPORTS, record: work.import, name: file }, path)
    await batch(deps.sql, work, async (transaction) => {
      await transaction`
        update imports set file = ${file}, updated = now(), version = nextval('record_version')
        where id = ${work.import}`
      await forgetSecrets(transaction, work)
      if (work.feed !== '')
        await transaction`
          update feed_reads set etag = ${fetched.validators.etag ?? ''}, modified = ${fetched.validators.lastModified ?? ''}
          where feed = ${work.feed}`
    })
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    await fail(deps.sql, work, error.problem)
  } finally {
    await rm(path, { force: true })
  }
}

const download = async (
  { sql, fetching }: FetchingDeps,
  { import: id, feed, url, token, isReview, stop }: Work,
  path: string,
): Promise<Fetched> => {
  // Makes the request unconditional while an older plan of the feed waits, because another import was running or a
  // process was killed: the same content is then planned again. A person wants to see the plan in any case.
  const [known] = await sql<{ etag: string; modified: string }[]>`
    select r.etag, r.modified from feed_reads r join feeds f on f.id = r.feed
    where r.feed = ${feed} and f.state = 'OK' and not ${isReview} and not exists (
      select from imports i where i.feed = f.id and i.id <> ${id}
        and (i.state = 'MAPPING' or i.state = 'PLANNED' and (i.counts ->> 'included')::int > 0))`
  const fetched = await fetchSource(
    fetching,
    {
      url,
      token,
      ...(known && { known: { etag: known.etag, lastModified: known.modified } }),
    },
    stop,
  )
  if (!fetched.isUnchanged)
    await pipeline(Readable.from(fetched.bytes), createWriteStream(path, { mode: 0o600 }))
  return fetched
}

/** An unchanged feed leaves no import behind. */
const noteUnchanged = (sql: Sql, work: Work): Promise<void> =>
  batch(sql, work, async (transaction) => {
    await transaction`
      update feeds set last_read = ${nowText(transaction)},
        problem = 'null', updated = now(), version = nextval('record_version')
      where id = ${work.feed}`
    await transaction`update feed_reads set failures = 0 where feed = ${work.feed}`
    await transaction`delete from imports where id = ${work.import}`
  })
