import { ID_LENGTH } from '#domain/collection.ts'

import type { Sql } from '../db/sql.ts'
import { randomText } from '../db/random.ts'
import type { FileKey, FileStore } from './files.ts'

/** The name of the file that marks the owner of a store. Its record id is unique to one database. */
export const STORE_OWNER = '_database'

/** The mark of a database, as a file in its own store. */
export const markOf = async (sql: Sql): Promise<FileKey> => {
  await sql`
    insert into settings (name, value) values ('files_mark', ${randomText(ID_LENGTH)})
    on conflict (name) do nothing`
  const [row] = await sql<[{ value: string }]>`
    select value from settings where name = 'files_mark'`
  return { collection: STORE_OWNER, record: row.value, name: 'mark' }
}

/** Records in the database which store a server uses. */
export const noteStore = async (sql: Sql, { place }: FileStore): Promise<void> => {
  await sql`
    insert into settings (name, value) values ('file_store', ${place})
    on conflict (name) do update set value = excluded.value`
}

/** The location of the store that was recorded last; undefined if none was. */
export const readNotedStore = async (sql: Sql): Promise<string | undefined> => {
  const [row] = await sql<{ value: string }[]>`select value from settings where name = 'file_store'`
  return row?.value
}
