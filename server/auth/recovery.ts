import { createHash } from 'node:crypto'

import { MAIL_LINK_LIFETIME_S, MAIL_PAUSE_S, MAX_CREDENTIAL_BYTES } from '#domain/limits.ts'
import { MAIL_PAGES, type MailPurpose } from '#domain/paths.ts'
import type { LinkedCollection } from '#domain/collection.ts'
import { fieldError, type FieldError } from '#domain/error.ts'
import type { Language } from '#domain/language.ts'
import { PASSWORD_LIMITS, passwordProblem } from '#domain/password.ts'
import { isEmail } from '#domain/schema.ts'

import { invalidInput } from '../problem.ts'
import type { Sql } from '../db/sql.ts'
import { randomText } from '../db/random.ts'
import type { Mailer } from '../mail/mail.ts'
import { confirmationError } from './credentials.ts'
import type { Passwords } from './password.ts'
import { accountColumn } from './sessions.ts'
import { namesAnAddress, type LinkClaims, type Tokens } from './token.ts'

/**
 * Actions by mailed link: setting a new password, confirming the address (record interface 5.6).
 */
export interface Recovery {
  /**
   * Sends a link to an address if an account of the collection has it; for a verification, only if it is still
   * unverified. The statement and the response are the same either way; the mail is sent later.
   * @throws ApiError 400 for an invalid email
   */
  request(
    purpose: MailPurpose,
    collection: LinkedCollection,
    email: string,
    asked: {
      readonly language: Language
      /** The id of the request, for the log. */
      readonly request: string
    },
  ): Promise<void>
  /**
   * Sets a new password with the token of a mail, and ends every session of the account.
   * @throws ApiError 400 for a used, expired or wrong token, or an invalid password
   */
  resetPassword(collection: LinkedCollection, reset: PasswordReset): Promise<void>
  /** Verifies an address. @throws ApiError 400 for a used, expired or wrong token */
  verifyEmail(collection: LinkedCollection, token: string): Promise<void>
}

interface PasswordReset {
  readonly token: string
  readonly password: string
  readonly passwordConfirm: string
}

export interface RecoveryDeps {
  readonly sql: Sql
  readonly tokens: Tokens
  readonly passwords: Passwords
  readonly mailer: Mailer
  /** The public URL of the product, base path included. */
  readonly publicUrl: string
}

const LINK_ID_LENGTH = 30

export const createRecovery = ({
  sql,
  tokens,
  passwords,
  mailer,
  publicUrl,
}: RecoveryDeps): Recovery => ({
  request: async (purpose, collection, email, { language, request }) => {
    refuse({ email: addressError(email) })
    const linkId = randomText(LINK_ID_LENGTH)
    const account = await noteRequest(sql, purpose, collection, email, linkId)
    if (account === undefined) return
    mailer.later(async () => {
      const lifetimeS = MAIL_LINK_LIFETIME_S[purpose]
      const claims = { ...account, purpose, linkId, collectionId: collection.id }
      const token = await tokens.signLink(claims, lifetimeS)
      const link = `${publicUrl}${MAIL_PAGES[purpose]}/${token}`
      return { to: account.email, purpose, language, link }
    }, request)
  },
  resetPassword: async (collection, { token, password, passwordConfirm }) => {
    const claims = await tokens.verifyLink(token, 'passwordReset')
    refuse({
      token: await linkError(sql, collection, token, claims),
      password: resetPasswordError(password),
      passwordConfirm: confirmationError(password, passwordConfirm),
    })
    if (claims === undefined) throw new TypeError('a refused token')
    const hash = await passwords.hash(password)
    // Of two concurrent uses, one finds the link, the other does not.
    if (!(await useResetLink(sql, collection, claims, hash)))
      refuse({ token: fieldError('validation_invalid_token') })
  },
  verifyEmail: async (collection, token) => {
    const claims = await tokens.verifyLink(token, 'verification')
    if (token !== '' && !namesAnAddress(token))
      refuse({ token: fieldError('validation_invalid_token_claims') })
    refuse({ token: await linkError(sql, collection, token, claims) })
    if (claims === undefined) throw new TypeError('a refused token')
    const used = await useVerificationLink(sql, collection, claims)
    if (used === 'gone') refuse({ token: fieldError('validation_invalid_token') })
    if (used === 'other address') refuse({ token: fieldError('validation_token_email_mismatch') })
  },
})

/** @throws ApiError 400 if there are errors */
const refuse = (errors: Readonly<Record<string, FieldError | undefined>>): void => {
  const found = Object.entries(errors).filter(([, error]) => error !== undefined)
  if (found.length > 0) throw invalidInput(Object.fromEntries(found))
}

/** The error of a required text in a sign-in request. */
export const credentialError = (text: string): FieldError | undefined =>
  text === ''
    ? fieldError('validation_required')
    : Buffer.byteLength(text) > MAX_CREDENTIAL_BYTES
      ? fieldError('validation_length_out_of_range', { min: 1, max: MAX_CREDENTIAL_BYTES })
      : undefined

const addressError = (email: string): FieldError | undefined =>
  credentialError(email) ?? (isEmail(email) ? undefined : fieldError('validation_is_email'))

const resetPasswordError = (password: string): FieldError | undefined => {
  switch (passwordProblem(password)) {
    case 'blank':
      return fieldError('validation_required')
    case 'unusable':
      return fieldError('validation_invalid_format')
    case 'tooShort':
    case 'tooLong':
      return fieldError('validation_length_out_of_range', { ...PASSWORD_LIMITS })
    case undefined:
      return undefined
  }
}

/**
 * Records the request, and creates a link if the account exists. The request is recorded in either case, by a hash
 * of the address, so that both cases do the same writes and wait for the same flush.
 */
const noteRequest = async (
  sql: Sql,
  purpose: MailPurpose,
  collection: LinkedCollection,
  email: string,
  linkId: string,
): Promise<{ readonly id: string; readonly email: string } | undefined> => {
  const address = createHash('sha256').update(email.toLowerCase()).digest('hex')
  const [account] = await sql<{ id: string; email: string }[]>`
    with asked as (
      insert into mail_requests as m (purpose, collection, address)
      values (${purpose}, ${collection.name}, ${address})
      on conflict (purpose, collection, address) do update set requested = now()
        where m.requested <= now() - ${MAIL_PAUSE_S} * interval '1 second'
      returning 1),
    account as (
      select id, email from ${sql(collection.name)}
      where lower(email) = lower(${email}) and email <> '' and exists (select 1 from asked)
        and not (${purpose} = 'verification' and verified)),
    link as (
      insert into mail_links (id, purpose, ${sql(accountColumn(collection))}, email, expires)
      select ${linkId}, ${purpose}, id, email,
        now() + ${MAIL_LINK_LIFETIME_S[purpose]} * interval '1 second'
      from account)
    select id, email from account`
  return account
}

/** The error of a link's token, before it is used. */
const linkError = async (
  sql: Sql,
  collection: LinkedCollection,
  token: string,
  claims: LinkClaims | undefined,
): Promise<FieldError | undefined> => {
  if (token === '') return fieldError('validation_required')
  if (claims === undefined) return fieldError('validation_invalid_token')
  const [link] = await sql`
    select 1 from mail_links
    where id = ${claims.linkId} and purpose = ${claims.purpose} and expires > now()`
  if (link === undefined) return fieldError('validation_invalid_token')
  return claims.collectionId === collection.id
    ? undefined
    : fieldError('validation_token_collection_mismatch')
}

/** Consumes a link and sets the password. The address counts as verified, since its mail was read. */
const useResetLink = async (
  sql: Sql,
  collection: LinkedCollection,
  claims: LinkClaims,
  hash: string,
): Promise<boolean> => {
  const column = sql(accountColumn(collection))
  const [used] = await sql`
    with link as (
      delete from mail_links where id = ${claims.linkId} and purpose = ${claims.purpose}
        and expires > now() and ${column} = ${claims.id}
      returning ${column} as account, email),
    secret as (
      insert into passwords (${column}, hash) select account, ${hash} from link
      on conflict (${column}) do update set hash = excluded.hash),
    verified as (
      update ${sql(collection.name)} r set verified = true,
        version = nextval('record_version'), updated = now()
      from link where r.id = link.account and not r.verified and lower(r.email) = lower(link.email))
    select 1 from link`
  return used !== undefined
}

const useVerificationLink = async (
  sql: Sql,
  collection: LinkedCollection,
  claims: LinkClaims,
): Promise<'done' | 'gone' | 'other address'> => {
  const column = sql(accountColumn(collection))
  const [used] = await sql<{ fits: boolean }[]>`
    with link as (
      delete from mail_links where id = ${claims.linkId} and purpose = ${claims.purpose}
        and expires > now() and ${column} = ${claims.id}
      returning ${column} as account, email),
    verified as (
      update ${sql(collection.name)} r set verified = true,
        version = nextval('record_version'), updated = now()
      from link where r.id = link.account and not r.verified and lower(r.email) = lower(link.email))
    select lower(r.email) = lower(link.email) as fits
    from link join ${sql(collection.name)} r on r.id = link.account`
  if (used === undefined) return 'gone'
  return used.fits ? 'done' : 'other address'
}
