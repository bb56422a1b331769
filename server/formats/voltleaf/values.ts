import type { Collection } from '#domain/collection.ts'
import { emptyValue } from '#domain/field.ts'
import { inputNames, isSameValue } from '#domain/record.ts'
import { tariffs } from '#domain/tariff.ts'

import { textOf, type Raw } from '../read-values.ts'
import type { StationTariff, Values } from '../station.ts'

/** The values of a record by the names of Voltleaf's fields, without empty ones. */
export const ownValues = (collection: Collection, row: Raw): Values =>
  Object.fromEntries(
    inputNames(collection).flatMap((name: string) => {
      const [field, value] = [collection.fields[name], row[name]]
      const isEmpty =
        field === undefined ||
        value === undefined ||
        (field.kind !== 'bool' && isSameValue(value, emptyValue(field)))
      return isEmpty ? [] : [[name, value]]
    }),
  )

/** A tariff with Voltleaf's field names. Public tariffs have no name. */
export const toOwnTariff = (row: Raw): StationTariff => {
  const reference = textOf(row['id'])
  return { reference, values: { name: reference, ...ownValues(tariffs, row) } }
}
