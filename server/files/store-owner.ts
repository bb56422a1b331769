import { ID_LENGTH } from '#domain/collection.ts'

import type { Sql } from '../db/sql.ts'
import { randomText } from '../db/random.ts'
import type { FileKey, FileStore } from './files.ts'

/** Where a store notes whose it is: the record is a text that only one database has. */
export const STORE_OWNER = '_database'

/** The mark of a database, as a file of the store that is its own. */
export const markOf = async (sql: Sql): Promise<FileKey> => {
  await sql`
    insert into settings (name, value) values ('files_mark', ${randomText(ID_LENGTH)})
    on conflict (name) do nothing`
  const [row] = await sql<[{ value: string }]>`
    select value from settings where name = 'files_mark'`
  return { collection: STORE_OWNER, record: row.value, name: 'mark' }
}

/** Notes in the database which store a server uses. */
export const noteStore = async (sql: Sql, { place }: FileStore): Promise<void> => {
  await sql`
    insert into settings (name, value) values ('file_store', ${place})
    on conflict (name) do update set value = excluded.value`
}

/** The place of the store that the server which started last uses; undefined when none did. */
export const readNotedStore = async (sql: Sql): Promise<string | undefined> => {
  const [row] = await sql<{ value: string }[]>`select value from settings where name = 'file_store'`
  return row?.value
}
