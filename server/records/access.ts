import type { AccessRules, LinkedCollection } from '#domain/collection.ts'
import { ApiError } from '#domain/error.ts'

import type { Caller } from '../caller.ts'
import { filterCondition } from './filter.ts'
import type { Access, Statement } from './sql.ts'

/**
 * Refuses an action that its rule allows to nobody, or only to superusers, whatever the record (record interface
 * 1.6). The records that an owner may access are a condition of the statement.
 * @throws ApiError 403
 */
export const demandAccess = (
  caller: Caller,
  { access }: LinkedCollection,
  action: keyof AccessRules,
): void => {
  const rule = access[action]
  if (rule === 'nobody')
    throw new ApiError(403, 'The records of this collection do not allow this action.')
  if (rule === 'superuser' && !caller.superuser)
    throw new ApiError(403, 'Only superusers can perform this action.')
}

/** Compiles the conditions of a caller into a statement; the session is bound on first use. */
export const accessOf = (statement: Statement, caller: Caller): Access => {
  let bound: string | undefined
  const session = (): string => {
    bound ??= statement.bind(caller.sessionId, 'text')
    return `from sessions s where s.id = ${bound} and s.expires > now()`
  }
  const { superuser } = caller
  const rules = (): string =>
    superuser ? `exists (select 1 ${session()} and s.superuser is not null)` : 'false'
  const access: Access = {
    superuser,
    rules,
    owns: (column) => (superuser ? rules() : `${column} = (select s."user" ${session()})`),
    isPublic: (scope, { everybody }) =>
      filterCondition({ statement, scope, access }, everybody) ?? 'true',
  }
  return access
}
