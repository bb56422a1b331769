import { SUPERUSERS, type Collection } from '#domain/collection.ts'

import { randomText } from '../db/random.ts'
import type { Runner, Sql } from '../db/sql.ts'

const SESSION_ID_LENGTH = 30

/** An id that nobody guesses. */
export const newSessionId = (): string => randomText(SESSION_ID_LENGTH)

/** The column that names an account of a collection in the tables that both kinds of account share. */
export const accountColumn = (collection: Collection): 'user' | 'superuser' =>
  collection.name === SUPERUSERS ? 'superuser' : 'user'

/** Opens a session of a user. */
export const openUserSession = async (
  sql: Runner,
  userId: string,
  lifetimeS: number,
): Promise<string> => {
  const sessionId = newSessionId()
  await sql`
    insert into sessions (id, "user", expires)
    values (${sessionId}, ${userId}, now() + ${lifetimeS} * interval '1 second')`
  return sessionId
}

/**
 * Opens a session for whoever has shown the password of an account.
 * @returns undefined when the password was changed since it was looked at
 */
export const openPasswordSession = async (
  sql: Sql,
  collection: Collection,
  { id, hash }: { readonly id: string; readonly hash: string },
  lifetimeS: number,
): Promise<string | undefined> => {
  const column = accountColumn(collection)
  const sessionId = newSessionId()
  const [opened] = await sql`
    insert into sessions (id, ${sql(column)}, expires)
    select ${sessionId}, p.${sql(column)}, now() + ${lifetimeS} * interval '1 second'
    from passwords p where p.${sql(column)} = ${id} and p.hash = ${hash}
    returning id`
  return opened === undefined ? undefined : sessionId
}
