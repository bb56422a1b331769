import { SUPERUSERS, type LinkedCollection } from '#domain/collection.ts'
import { FIELD_ERRORS, fieldError, type FieldError } from '#domain/error.ts'
import { PASSWORD_LIMITS, passwordProblem } from '#domain/password.ts'

import type { Caller } from '../caller.ts'
import type { Sql } from '../db/sql.ts'
import type { Submission } from '../http/body.ts'
import { demandAttempt, OLD_PASSWORD_ATTEMPTS } from './attempts.ts'
import type { Passwords } from './password.ts'
import { accountColumn } from './sessions.ts'

/** The change of a password that is part of a write, or its errors. */
export interface NewPassword {
  /** Absent if the write does not change the password. */
  readonly hash?: string
  /** The hash that the old password was compared with; the write fails if it has changed since. */
  readonly replaces?: string
  readonly errors: Readonly<Record<string, FieldError>>
  /** Further errors if the write creates a record. */
  readonly missing: Readonly<Record<string, FieldError>>
}

/**
 * Reads `password`, `passwordConfirm` and `oldPassword` of a write (record interface 1.5, 2.2). Hashing is slow,
 * so this runs before the transaction of the write. Callers other than superusers must send the old password. A
 * user may be created without a password, a superuser may not. If the caller may not write the record, no hash is
 * computed: the write refuses it.
 * @throws ApiError 429 after too many wrong old passwords
 */
export type ReadPassword = (
  caller: Caller,
  collection: LinkedCollection,
  id: string,
  submission: Submission,
) => Promise<NewPassword>

export interface ReadPasswordDeps {
  readonly sql: Sql
  readonly passwords: Passwords
}

const UNTOUCHED: NewPassword = { errors: {}, missing: {} }

export const createReadPassword = ({ sql, passwords }: ReadPasswordDeps): ReadPassword => {
  return async (caller, collection, id, submission) => {
    if (!collection.auth || caller.sessionId === null) return UNTOUCHED
    const sent = readSent(submission)
    if (!sent.any) return collection.name === SUPERUSERS ? NO_PASSWORD : UNTOUCHED
    const errors = newPasswordErrors(sent)
    if (caller.superuser) {
      if (Object.keys(errors).length > 0) return { ...UNTOUCHED, errors }
      return { ...UNTOUCHED, hash: await passwords.hash(sent.password) }
    }
    const tried = sent.oldPassword !== ''
    const stored = await findOwn(sql, collection, id, caller.sessionId, tried)
    if (stored === undefined) return UNTOUCHED
    if (tried) demandAttempt(stored, OLD_PASSWORD_ATTEMPTS)
    if (!tried) errors['oldPassword'] = fieldError('validation_required')
    else if (!(await passwords.verify(sent.oldPassword, stored.hash)))
      errors['oldPassword'] = fieldError('validation_invalid_old_password')
    if (Object.keys(errors).length > 0 || stored.hash === undefined) return { ...UNTOUCHED, errors }
    return { ...UNTOUCHED, hash: await passwords.hash(sent.password), replaces: stored.hash }
  }
}

interface Sent {
  readonly password: string
  readonly passwordConfirm: string
  readonly oldPassword: string
  readonly any: boolean
}

const readSent = ({ fields }: Submission): Sent => {
  const [password = '', passwordConfirm = '', oldPassword = ''] = [
    'password',
    'passwordConfirm',
    'oldPassword',
  ].map((name) => toText(fields.get(name)))
  const any = ['password', 'passwordConfirm', 'oldPassword'].some((name) => fields.has(name))
  return { password, passwordConfirm, oldPassword, any }
}

/** Like other texts, but never trimmed. */
const toText = (sent: unknown): string =>
  typeof sent === 'string' || typeof sent === 'number' || typeof sent === 'boolean'
    ? String(sent)
    : ''

const newPasswordErrors = ({ password, passwordConfirm }: Sent): Record<string, FieldError> => ({
  ...withError('password', passwordError(password)),
  ...withError('passwordConfirm', confirmationError(password, passwordConfirm)),
})

/** The error of the confirmation of a new password. */
export const confirmationError = (
  password: string,
  passwordConfirm: string,
): FieldError | undefined => {
  if (passwordConfirm === '') return fieldError('validation_required')
  return passwordConfirm === password ? undefined : fieldError('validation_values_mismatch')
}

const NO_PASSWORD: NewPassword = {
  errors: {},
  missing: {
    password: fieldError('validation_required'),
    passwordConfirm: fieldError('validation_required'),
  },
}

/** Errors about the limits of a password carry no parameters (record interface 1.5). */
const passwordError = (password: string): FieldError | undefined => {
  const { min, max } = PASSWORD_LIMITS
  switch (passwordProblem(password)) {
    case 'blank':
      return fieldError('validation_required')
    case 'tooShort':
      return {
        code: 'validation_min_text_constraint',
        message: FIELD_ERRORS.validation_min_text_constraint.replace('<min>', String(min)),
      }
    case 'tooLong':
      return {
        code: 'validation_max_text_constraint',
        message: `Must be less than ${max} character(s).`,
      }
    case 'unusable':
      return fieldError('validation_invalid_format')
    case undefined:
      return undefined
  }
}

const withError = (name: string, error: FieldError | undefined): Record<string, FieldError> =>
  error === undefined ? {} : { [name]: error }

/**
 * Reads the password hash of the account of a live session; undefined if it is another account. The same statement
 * counts an attempt.
 */
const findOwn = async (
  sql: Sql,
  collection: LinkedCollection,
  id: string,
  sessionId: string,
  tried: boolean,
): Promise<
  | { readonly hash: string | undefined; readonly granted: number; readonly leftS: number }
  | undefined
> => {
  const column = sql(accountColumn(collection))
  const { max, windowS } = OLD_PASSWORD_ATTEMPTS
  const [row] = await sql<{ hash: string | null; granted: number; leftS: number }[]>`
    select p.hash, t.granted, t.left_s as "leftS"
    from sessions s left join passwords p on p.${column} = s.${column},
      lateral take_tokens(
        'old-password ' || s.${column}, ${tried ? 1 : 0}::int, ${max}::int, ${windowS}::float8) t
    where s.id = ${sessionId} and s.expires > now() and s.${column} = ${id}`
  return row && { ...row, hash: row.hash ?? undefined }
}

/**
 * Errors of an account in the order of the record interface 1.5: password errors, and errors of fields that only
 * superusers may change, are each reported alone.
 */
export const firstErrors = (
  collection: LinkedCollection,
  secret: Readonly<Record<string, FieldError>>,
  others: Readonly<Record<string, FieldError>>,
): Readonly<Record<string, FieldError>> => {
  if (!collection.auth) return others
  const guarded = Object.entries(others).filter(
    ([name, { code }]) => collection.fields[name]?.managed && code === 'validation_values_mismatch',
  )
  const first = { ...Object.fromEntries(guarded), ...secret }
  return Object.keys(first).length > 0 ? first : others
}
