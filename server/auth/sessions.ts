import { SUPERUSERS, type LinkedCollection } from '#domain/collection.ts'
import type { Language } from '#domain/language.ts'
import { MAIL_PAUSE_S } from '#domain/limits.ts'

import type { Caller } from '../caller.ts'
import { randomText } from '../db/random.ts'
import type { Runner, Sql } from '../db/sql.ts'
import { SIGN_IN_ATTEMPTS } from './attempts.ts'

const SESSION_ID_LENGTH = 30

const newSessionId = (): string => randomText(SESSION_ID_LENGTH)

/** The column of a collection's accounts in tables for both kinds of account. */
export const accountColumn = (collection: LinkedCollection): 'user' | 'superuser' =>
  collection.name === SUPERUSERS ? 'superuser' : 'user'

/** Opens a session of a user, and records `language` as the user's language. */
export const openUserSession = async (
  sql: Runner,
  userId: string,
  lifetimeS: number,
  language: Language,
): Promise<string> => {
  const sessionId = newSessionId()
  await sql`
    with noted as (
      insert into user_languages as l ("user", language) values (${userId}, ${language})
      on conflict ("user") do update set language = excluded.language
        where l.language <> excluded.language)
    insert into sessions (id, "user", expires)
    values (${sessionId}, ${userId}, now() + ${lifetimeS} * interval '1 second')`
  return sessionId
}

/** An attempt to sign in with a password: the account, if there is one, and the counter of the attempt. */
export interface Attempt {
  readonly id: string | null
  readonly hash: string | null
  readonly counter: string
  /** The beginning of the window that the attempt was counted in. */
  readonly started: string
}

/**
 * Opens a session of an account whose password was verified. The attempt no longer counts: only failed ones do.
 * @returns undefined if the password has changed since
 */
export const openPasswordSession = async (
  sql: Sql,
  collection: LinkedCollection,
  { id, hash, counter, started }: Attempt,
  lifetimeS: number,
): Promise<{ readonly id: string; readonly account: string } | undefined> => {
  const column = sql(accountColumn(collection))
  const [opened] = await sql<{ id: string; account: string }[]>`
    with returned as (
      update rate_counts set used = least(used, ${SIGN_IN_ATTEMPTS.max}) - 1
      where key = ${counter} and started = ${started}::timestamptz)
    insert into sessions (id, ${column}, expires)
    select ${newSessionId()}, p.${column}, now() + ${lifetimeS} * interval '1 second'
    from passwords p where p.${column} = ${id} and p.hash = ${hash} for share
    returning id, ${column} as account`
  return opened
}

/** The result of refreshing a session. */
interface RefreshedSession {
  readonly id: string
  readonly account: string
  readonly refreshable: boolean
  /** The remaining lifetime; 0 or less if the session has reached its maximum age. */
  readonly lifetimeS: number
}

/**
 * Prolongs the caller's session, so that a session is one row however often it is refreshed (decision 0189). If
 * `limits` is null, it is not prolonged. Records `language` as the caller's language.
 * @returns undefined if the caller's session is not live
 */
export const refreshSession = async (
  sql: Sql,
  caller: Caller,
  limits: { readonly lifetimeS: number; readonly maxSessionS: number } | null,
  language: Language,
): Promise<RefreshedSession | undefined> => {
  const { lifetimeS, maxSessionS } = limits ?? { lifetimeS: 0, maxSessionS: 0 }
  const [session] = await sql<RefreshedSession[]>`
    with renewed as (
      update sessions set expires = case when refreshable and ${limits !== null} then least(
        now() + ${lifetimeS} * interval '1 second',
        signed_in + ${maxSessionS} * interval '1 second') else expires end
      where id = ${caller.sessionId} and expires > now()
      returning id, "user", superuser, refreshable, expires),
    noted as (
      insert into user_languages as l ("user", language)
      select "user", ${language} from renewed where refreshable and "user" is not null
      on conflict ("user") do update set language = excluded.language
        where l.language <> excluded.language)
    select id, coalesce("user", superuser) as account, refreshable,
      floor(extract(epoch from expires - now()))::int as "lifetimeS"
    from renewed`
  return session
}

/**
 * Ends every session of the caller's account, if `isAllowed`.
 * @returns whether the caller's session is live
 */
export const endAccountSessions = async (
  sql: Sql,
  caller: Caller,
  isAllowed: boolean,
): Promise<boolean> => {
  const [session] = await sql`
    select case when ${isAllowed} then end_sessions("user", superuser) end
    from sessions where id = ${caller.sessionId} and expires > now()`
  return session !== undefined
}

/**
 * Opens a session of another account for a superuser (impersonation); it cannot be refreshed. If `lifetimeS` is
 * null, none is opened.
 * @returns undefined if the caller's session is not live; `account` is null if the account does not exist, or the
 * caller is no superuser
 */
export const openImpersonation = async (
  sql: Sql,
  caller: Caller,
  collection: LinkedCollection,
  { id, lifetimeS }: { readonly id: string; readonly lifetimeS: number | null },
): Promise<{ id: string; isSuperuser: boolean; account: string | null } | undefined> => {
  const column = sql(accountColumn(collection))
  const sessionId = newSessionId()
  const [outcome] = await sql<{ isSuperuser: boolean; account: string | null }[]>`
    with asker as (
      select superuser from sessions
      where id = ${caller.sessionId} and expires > now() for key share),
    found as (
      select r.id from ${sql(collection.name)} r, asker
      where r.id = ${id} and asker.superuser is not null),
    opened as (
      insert into sessions (id, ${column}, expires, refreshable, impersonator)
      select ${sessionId}, id, now() + ${lifetimeS ?? 0} * interval '1 second', false,
        asker.superuser
      from found, asker where ${lifetimeS !== null})
    select superuser is not null as "isSuperuser", (select id from found) as account from asker`
  return outcome && { id: sessionId, ...outcome }
}

/** The lifetime of a session in which the server acts for a user. */
const ACTING_S = 10 * 60

/**
 * Opens or prolongs a session in which the server acts for a user, for example during an import, so that its writes
 * obey the same rules as any other. No token is ever issued for it.
 * @param known the caller from the previous call
 */
export const actFor = async (
  sql: Runner,
  userId: string,
  correlationId: string,
  known?: Caller,
): Promise<Caller> => {
  const sessionId = known?.sessionId ?? newSessionId()
  await sql`
    insert into sessions as s (id, "user", expires, refreshable)
    select ${sessionId}, u.id, now() + ${ACTING_S} * interval '1 second', false
    from users u where u.id = ${userId}
    on conflict (id) do update set expires = excluded.expires`
  return { id: userId, sessionId, superuser: false, correlationId }
}

/** Ends a session of `actFor`. */
export const stopActing = async (sql: Runner, { sessionId }: Caller): Promise<void> => {
  await sql`delete from sessions where id = ${sessionId}`
}

/** Removes sessions and mailed links that have expired. */
export const sweepSessions = async (sql: Sql): Promise<void> => {
  await sql`
    with links as (delete from mail_links where expires < now()),
    requests as (
      delete from mail_requests
      where requested < now() - ${MAIL_PAUSE_S} * interval '1 second')
    delete from sessions where expires < now()`
}
