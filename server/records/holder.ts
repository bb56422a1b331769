import type { LinkedCollection } from '#domain/collection.ts'
import type { FilesField } from '#domain/field.ts'

import type { Caller } from '../caller.ts'
import type { Runner } from '../db/sql.ts'
import { accessOf } from './access.ts'
import { plainText } from './read.ts'
import { identifier, literal, Scope, Statement } from './sql.ts'

/** The field of a record that names a file. */
export interface Holder {
  readonly field: FilesField
}

/**
 * Finds the field of a record that names a file; undefined when none does. Whoever knows the
 * unguessable name may have the file, unless the field is protected: then the record must be one
 * that the caller reaches (record interface 4.2, 4.4). One statement.
 */
export const findFileField = async (
  runner: Runner,
  caller: Caller,
  collection: LinkedCollection,
  id: string,
  name: string,
): Promise<Holder | undefined> => {
  const fields = Object.entries(collection.fields).flatMap(([key, field]) =>
    field.kind === 'files' ? [[key, field] as const] : [],
  )
  if (fields.length === 0 || name.includes('\0')) return undefined
  const statement = new Statement('fixed')
  const scope = new Scope(collection, 't')
  const wanted = statement.bind(name, 'text')
  const access = accessOf(statement, caller)
  const cases = fields.map(([key, field]) => {
    const column = `t.${identifier(key)}`
    const held = field.single ? `${column} = ${wanted}` : `${wanted} = any(${column})`
    const allowed = field.protected ? ` and ${scope.reachedBy(access)}` : ''
    return `when ${held}${allowed} then ${literal(key)}`
  })
  const [row] = await statement.run<{ field: string | null }>(
    runner,
    `select case ${cases.join(' ')} end as field` +
      ` from ${identifier(collection.name)} t${scope.joins}` +
      ` where t.id = ${statement.bind(plainText(id), 'text')}`,
  )
  const found = fields.find(([key]) => key === row?.field)
  return found && { field: found[1] }
}
