import { ID_LENGTH } from '#domain/collection.ts'

import type { Sql } from '../db/sql.ts'
import { randomText } from '../db/random.ts'
import type { Passwords } from './password.ts'

/**
 * Creates a superuser, or sets the password of an existing one, which ends all of their sessions (spec 6). The
 * caller must have validated the address and the password.
 */
export const putSuperuser = async (
  sql: Sql,
  passwords: Passwords,
  email: string,
  password: string,
): Promise<'created' | 'reset'> => {
  const hash = await passwords.hash(password)
  const [put] = await sql<{ made: boolean }[]>`
    with known as (select id from _superusers where lower(email) = lower(${email})),
    made as (
      insert into _superusers (id, email)
      select ${randomText(ID_LENGTH)}, ${email} where not exists (select 1 from known)
      returning id)
    insert into passwords (superuser, hash)
    select id, ${hash} from (select id from known union all select id from made) account
    on conflict (superuser) do update set hash = excluded.hash
    returning exists (select 1 from made) as made`
  return put?.made ? 'created' : 'reset'
}
