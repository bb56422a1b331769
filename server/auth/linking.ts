import { ID_LENGTH } from '#domain/collection.ts'
import { ApiError, fieldError, withSentence, type FieldError } from '#domain/error.ts'
import { readId, readValue, type Value } from '#domain/schema.ts'
import { users } from '#domain/user.ts'

import { UNIQUE_VIOLATION } from '../db/errors.ts'
import type { Runner, Sql } from '../db/sql.ts'
import { randomText } from '../db/random.ts'
import { codeOf } from '../problem.ts'
import type { Profile } from './oidc.ts'

/** The user that belongs to a provider's profile. */
export interface FoundUser {
  readonly userId: string
  readonly isNew: boolean
}

/** The context of a sign-in besides the profile. */
export interface LinkingContext {
  /** The session of the request, if it is a user's. */
  readonly sessionId: string | null
  /** Values from the client for a new user. */
  readonly createData: ReadonlyMap<string, unknown>
  /** Opens the session in the same transaction, so that a concurrent takeover of the account ends it as well. */
  readonly open: (transaction: Runner, userId: string) => Promise<string>
}

/**
 * Finds or creates the user of a profile (record interface 5.4) and opens a session. Looks up, in this order, the
 * provider's subject id, the session of the request, and the address that the provider has verified. An account with an
 * unverified address may belong to somebody else: when the owner of the verified address signs in, it loses its
 * password, its other providers and its sessions.
 * @throws ApiError 400 for `createData` that a user cannot have
 */
export const findOrCreateUser = async (
  sql: Sql,
  profile: Profile,
  context: LinkingContext,
): Promise<FoundUser & { readonly opened: string }> => {
  const attempt = () =>
    sql.begin(async (transaction) => {
      const found = await findOrCreateOnce(transaction, profile, context)
      return { ...found, opened: await context.open(transaction, found.userId) }
    })
  try {
    return await attempt()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
  }
  try {
    // Two concurrent first sign-ins of one person: the second finds the user that the first has created.
    return await attempt()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw takenValue(error)
  }
}

interface Known {
  readonly id: string
  /** The email address that the provider reported at the last sign-in with this link. */
  readonly provider_email: string
  readonly email: string
  readonly verified: boolean
  readonly linked: boolean
  readonly signed_in: boolean
}

const findOrCreateOnce = async (
  transaction: Runner,
  profile: Profile,
  { sessionId, createData }: LinkingContext,
): Promise<FoundUser> => {
  const locked = await findKnown(transaction, profile, sessionId)
  // A statement that waited for the lock sees the links from before somebody else took the account over.
  const known = locked && (await findKnown(transaction, profile, sessionId))
  if (known === undefined) {
    const userId = await create(transaction, profile, createData)
    await link(transaction, profile, userId)
    return { userId, isNew: true }
  }
  if (!known.verified) {
    if (!known.signed_in) {
      await transaction`delete from passwords where "user" = ${known.id}`
      // Like end_sessions, which would also revoke the links in mails to the owner of the address.
      await transaction`select 1 from sessions where "user" = ${known.id} order by id for update`
      await transaction`delete from sessions where "user" = ${known.id}`
    }
    await transaction`
      delete from external_auths where "user" = ${known.id}
        and (provider, provider_id) <> (${profile.issuer}, ${profile.id})`
    await transaction`
      update users u set verified = true, version = nextval('record_version'), updated = now(),
        email = case when email = '' then ${profile.email} else email end
      where id = ${known.id} and lower(email) in ('', lower(${profile.email}))
        and not exists (select 1 from users other
          where other.id <> u.id and other.email <> '' and lower(other.email) = lower(${profile.email}))`
  }
  const follows = known.linked && known.email.toLowerCase() === known.provider_email.toLowerCase()
  const isMoved = follows && (await followAddress(transaction, profile, known)).length > 0
  if (!known.verified || !follows || isMoved) await link(transaction, profile, known.id)
  return { userId: known.id, isNew: false }
}

/** Finds the account of a profile, and locks it until the end of the transaction. */
const findKnown = async (
  transaction: Runner,
  profile: Profile,
  sessionId: string | null,
): Promise<Known | undefined> => {
  // One lookup per index; a single condition would scan all accounts.
  const [known] = await transaction<Known[]>`
    with found as (
      select x."user" as id, x.email as provider_email, true as linked, false as signed_in
        from external_auths x
        where x.provider = ${profile.issuer} and x.provider_id = ${profile.id}
      union all
      select s."user", '', false, true from sessions s where s.id = ${sessionId} and s.expires > now()
      union all
      select u.id, '', false, false from users u
        where u.email <> '' and lower(u.email) = lower(${profile.email})
    )
    select u.id, u.email, u.verified, f.provider_email, f.linked, f.signed_in
    from users u join (
      select id, max(provider_email) as provider_email, bool_or(linked) as linked, bool_or(signed_in) as signed_in
      from found group by id
    ) f on f.id = u.id
    where f.linked or f.signed_in or lower(u.email) = lower(${profile.email})
    order by f.linked desc, f.signed_in desc limit 1 for no key update of u`
  return known
}

const link = (transaction: Runner, profile: Profile, userId: string) => transaction`
  insert into external_auths as x (provider, provider_id, "user", email)
  values (${profile.issuer}, ${profile.id}, ${userId}, ${profile.email})
  on conflict (provider, provider_id) do update set email = excluded.email
    where x.email <> excluded.email and excluded.email <> ''`

/**
 * If the address of an account came from the provider, or is missing, replaces it with the one that the provider
 * reports now, unless another account has it.
 */
const followAddress = (transaction: Runner, profile: Profile, known: Known) => transaction`
  update users u set email = ${profile.email}, version = nextval('record_version'), updated = now()
  where id = ${known.id} and verified and ${profile.email} <> '' and lower(email) <> lower(${profile.email})
    and not exists (select 1 from users other
      where other.id <> u.id and other.email <> '' and lower(other.email) = lower(${profile.email}))
  returning id`

const create = async (
  transaction: Runner,
  profile: Profile,
  createData: ReadonlyMap<string, unknown>,
): Promise<string> => {
  const wanted = readCreateData(createData)
  const id = wanted.id ?? randomText(ID_LENGTH)
  const value = (name: string, otherwise: string): string =>
    (wanted.values.get(name) as string | undefined) ?? otherwise
  const email = value('email', '') || profile.email
  const username = shorten(profile.username, users.fields.username.max)
  await transaction`
    insert into users (id, name, username, email, "emailVisibility", onboarded, verified)
    select ${id}, ${value('name', shorten(profile.name, users.fields.name.max))},
      case when ${wanted.values.has('username')} then ${value('username', '')}
        when exists (select 1 from users where username <> '' and username = ${username}) then ''
        else ${username} end,
      ${email}, ${wanted.values.get('emailVisibility') === true},
      ${wanted.values.get('onboarded') === true},
      ${email.toLowerCase() === profile.email.toLowerCase()}`
  return id
}

/** The values of a new user that the client may set. @throws ApiError 400 */
const readCreateData = (
  createData: ReadonlyMap<string, unknown>,
): { readonly id: string | undefined; readonly values: ReadonlyMap<string, Value> } => {
  const errors: Record<string, FieldError> = {}
  const values = new Map<string, Value>()
  for (const name of ['name', 'username', 'email', 'emailVisibility', 'onboarded'] as const) {
    if (!createData.has(name)) continue
    const reading = readValue(users.fields[name], createData.get(name))
    if (reading.error === undefined) values.set(name, reading.value)
    else errors[name] = withSentence(reading.error)
  }
  // Only the provider can verify an address.
  if (readValue(users.fields.verified, createData.get('verified')).value === true)
    errors['verified'] = fieldError('validation_values_mismatch')
  const id = readId(createData.get('id'))
  if ('error' in id) errors['id'] = withSentence(id.error)
  if (Object.keys(errors).length > 0) throw new ApiError(400, 'Failed to create record.', errors)
  return { id: 'error' in id ? undefined : id.id, values }
}

const isUniqueViolation = (error: unknown): error is { constraint?: string } =>
  codeOf(error) === UNIQUE_VIOLATION

/** Only a value from the client can violate a constraint twice in a row. */
const takenValue = ({ constraint = '' }: { constraint?: string }): ApiError => {
  const field = ['username', 'email'].find((name) => constraint === `users_${name}_key`) ?? 'id'
  return new ApiError(400, 'Failed to create record.', {
    [field]: fieldError('validation_not_unique'),
  })
}

const shorten = (value: string, max: number): string =>
  Array.from(value.replaceAll('\0', '').trim()).slice(0, max).join('')
