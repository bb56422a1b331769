import { Copy, Trash2 } from 'lucide-react'
import { useFormContext, useWatch } from 'react-hook-form'

import {
  COMMON_STANDARDS_COUNT,
  CURRENT_TYPES,
  FORMATS,
  STANDARDS,
  type Standard,
} from '#domain/connector.ts'
import { useLanguage, type Messages } from '../../messages/messages.ts'
import { plugName, shortPlugName } from '../../messages/plugs.ts'
import { formatDecimal, parseDecimal } from '../../ui/decimal.ts'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { SelectField, TextField } from '../../ui/text-field.tsx'
import type { RowFailure } from './site-form.tsx'
import type { SiteText } from './site-values.ts'
import { useSiteField } from './use-field.ts'

/** Below and above, a power is more often a slip than true. */
const USUAL_KW = { min: 1, max: 400 }

interface Props {
  readonly index: number
  readonly failure: RowFailure | undefined
  readonly onDuplicate: () => void
  readonly onRemove: () => void
}

/** The row of one connector. */
export const ConnectorFields = ({ index, failure, onDuplicate, onRemove }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.site
  const field = useSiteField()
  const { control, setValue } = useFormContext<SiteText>()
  const row = useWatch({ control, name: `connectors.${index}` })
  const kw = parseDecimal(row?.kw_rating ?? '')
  const doubtful = kw !== undefined && kw > 0 && (kw < USUAL_KW.min || kw > USUAL_KW.max)

  return (
    <fieldset
      className={`connector-row${failure === undefined ? '' : ' failed'}`}
      aria-label={text.connector(index + 1)}
    >
      <div className="connector-head">
        <span className="connector-number">{text.connector(index + 1)}</span>
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={text.duplicateConnector(index + 1)}
          onClick={onDuplicate}
        >
          <Copy className="icon" aria-hidden="true" />
        </button>
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={text.removeConnector(index + 1)}
          onClick={onRemove}
        >
          <Trash2 className="icon" aria-hidden="true" />
        </button>
      </div>
      {failure !== undefined && (
        <FieldErrorText>
          {text.connectorNotSaved} {failure.text}
        </FieldErrorText>
      )}
      <div className="connector-grid">
        <SelectField label={text.standard} {...field(`connectors.${index}.standard`)}>
          <option value="" disabled>
            {text.choose}
          </option>
          <optgroup label={text.commonStandards}>
            {STANDARDS.slice(0, COMMON_STANDARDS_COUNT).map((standard) => (
              <option key={standard} value={standard}>
                {plugName(messages, standard)}
              </option>
            ))}
          </optgroup>
          <optgroup label={text.otherStandards}>
            {STANDARDS.slice(COMMON_STANDARDS_COUNT).map((standard) => (
              <option key={standard} value={standard}>
                {plugName(messages, standard)}
              </option>
            ))}
          </optgroup>
        </SelectField>
        <SelectField label={text.format} {...field(`connectors.${index}.format`)}>
          <option value="" disabled>
            {text.choose}
          </option>
          {FORMATS.map((format) => (
            <option key={format} value={format}>
              {messages.format[format]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={text.currentType}
          warning={currentWarning(messages, row?.standard ?? '', row?.current_type ?? '')}
          {...field(`connectors.${index}.current_type`)}
        >
          <option value="" disabled>
            {text.choose}
          </option>
          {CURRENT_TYPES.map((current) => (
            <option key={current} value={current}>
              {messages.currentType[current]}
            </option>
          ))}
        </SelectField>
        <TextField
          label={text.kwRating}
          inputMode="decimal"
          warning={doubtful ? text.kwCheck(formatDecimal(kw, locale)) : undefined}
          {...field(`connectors.${index}.kw_rating`, {
            onBlur: () => {
              // Shows how it was understood: 7.4 and 7,4 become the same.
              if (kw !== undefined) {
                setValue(`connectors.${index}.kw_rating`, formatDecimal(kw, locale))
              }
            },
          })}
        />
      </div>
    </fieldset>
  )
}

const ONLY_DC = /COMBO$|^CHADEMO$|^GBT_DC$|^CHAOJI$|^MCS$/
const ONLY_AC = /^IEC_62196_T1$|^IEC_62196_T3|^GBT_AC$|^DOMESTIC_|^IEC_60309|^NEMA_/

/** A pair that does not exist: worth a question, not a refusal. */
const currentWarning = (
  messages: Messages,
  standard: string,
  current: string,
): string | undefined => {
  if (standard === '' || current === '') return undefined
  const name = shortPlugName(messages, standard as Standard)
  if (ONLY_DC.test(standard) && current !== 'DC') return messages.site.dcWarning(name)
  if (ONLY_AC.test(standard) && current === 'DC') return messages.site.acWarning(name)
  return undefined
}
