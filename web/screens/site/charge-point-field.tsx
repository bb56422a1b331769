import { useFormContext, useWatch } from 'react-hook-form'

import { useLanguage } from '../../messages/messages.ts'
import { controlId } from '../../ui/form.ts'
import { SelectField } from '../../ui/text-field.tsx'
import { leaveChargePoints, pairedRowIndex, shareChargePoints } from './charge-points.ts'
import { describeRow } from './describe-row.ts'
import type { SiteText } from './site-values.ts'

const OWN = -1

/** Lists the connectors that share charge points with those of a row. */
export const ChargePointField = ({ index }: { readonly index: number }) => {
  const { messages, locale } = useLanguage()
  const text = messages.connectors
  const { control, setValue } = useFormContext<SiteText>()
  const rows = useWatch({ control, name: 'connectors' })
  if (rows.length === 1) return null
  const choose = (other: number) => {
    const next =
      other === OWN
        ? leaveChargePoints(rows, (row) => row === rows[index])
        : shareChargePoints(rows, index, other)
    for (const [at, { details }] of next.entries())
      setValue(`connectors.${at}.details`, details, { shouldDirty: true })
  }
  return (
    <SelectField
      id={controlId(`connectors.${index}.evse`)}
      label={messages.fields.connectors.evse}
      hint={text.chargePointHint}
      value={pairedRowIndex(rows, index)}
      onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
    >
      <option value={OWN}>{text.ownChargePoint}</option>
      {rows.map(
        (row, at) =>
          at !== index && (
            <option key={row.ids[0]} value={at}>
              {text.sharedWith(at + 1, describeRow(messages, locale, row))}
            </option>
          ),
      )}
    </SelectField>
  )
}
