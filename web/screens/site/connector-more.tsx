import { useFormContext, useFormState, useWatch } from 'react-hook-form'

import { TARIFFS } from '#domain/collection.ts'
import { CONNECTOR_IDS, connectors } from '#domain/connector.ts'
import type { Field } from '#domain/field.ts'
import { recordsIn } from '../../data/log.ts'
import { useStoreState } from '../../data/react.ts'
import type { Data } from '../../data/log.ts'
import { withUnit } from '../../format/field-text.ts'
import { useMessages, type Messages } from '../../messages/messages.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { ChargePointField } from './charge-point-field.tsx'
import { ConnectorDetails } from './connector-details.tsx'
import {
  commonDetail,
  SHARED_DETAILS,
  type ConnectorRow,
  type DetailName,
  type SiteText,
} from './site-values.ts'

/** The optional fields of a row, in a collapsed section. */
export const ConnectorMore = ({ index }: { readonly index: number }) => {
  const messages = useMessages()
  const text = messages.connectors
  const { data } = useStoreState()
  const { control, getValues } = useFormContext<SiteText>()
  // Only to rerender on changes, because the watched value may be older than the rows.
  useWatch({ control, name: 'connectors' })
  const { errors } = useFormState({ control, name: 'connectors' })
  const row = getValues(`connectors.${index}`)
  const isWrong = errors.connectors?.[index]?.details !== undefined
  const summary = summariseDetails(messages, data, row)
  return (
    <>
      <ChargePointField index={index} />
      <Disclosure
        isInner
        title={text.moreTitle}
        summary={summary === '' ? text.moreHint : summary}
        forceOpen={isWrong}
      >
        <ConnectorDetails index={index} row={row} isWrong={isWrong} />
      </Disclosure>
    </>
  )
}

/** Summarises the details of a row in one line. */
const summariseDetails = (messages: Messages, data: Data, row: ConnectorRow): string =>
  [...SHARED_DETAILS, ...CONNECTOR_IDS]
    .map((name) => {
      const text = commonDetail(row, name)
      // A field whose values differ is only named.
      return text === undefined
        ? messages.fields.connectors[name]
        : summariseDetail(data, name, text)
    })
    .filter((words) => words !== '')
    .join(' · ')

const summariseDetail = (data: Data, name: DetailName, text: string): string => {
  const field: Field = connectors.fields[name]
  if (field.kind === 'relation')
    return recordsIn(data, TARIFFS).find(({ id }) => id === text)?.name ?? ''
  return text === '' ? '' : withUnit(field, text)
}
