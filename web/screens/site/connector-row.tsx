import { ChevronDown, Copy, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'

import { MAX_EQUAL_CONNECTORS } from '#domain/connector.ts'
import { useLanguage } from '../../messages/messages.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { PlugDrawing } from '../../ui/plug-drawing.tsx'
import { QuantityStepper } from '../../ui/quantity-stepper.tsx'
import { rowWarnings } from './connector-warnings.ts'
import { ConnectorFields } from './connector-fields.tsx'
import type { RowFailure } from './failures.ts'
import { rowSummary } from './describe-row.ts'
import type { ConnectorRow as Row } from './site-values.ts'

interface Props {
  readonly index: number
  readonly row: Row
  /** True if its fields are shown. */
  readonly isOpen: boolean
  /** Those of its records that failed to save. */
  readonly failures: readonly RowFailure[]
  readonly onToggle: () => void
  readonly onQuantity: (quantity: number) => void
  readonly onDuplicate: () => void
  readonly onRemove: () => void
}

/** The id of the button that expands a row. */
export const summaryId = (index: number): string => `connector-${index}`

/** Equal connectors of a site: a summary with their number, which expands to their fields. */
export const ConnectorRow = (props: Props) => {
  const { index, row, isOpen, failures, onToggle, onQuantity, onDuplicate, onRemove } = props
  const { messages, locale } = useLanguage()
  const text = messages.connectors
  const panel = useId()
  const [isRefused, setRefused] = useState(false)
  const warnings = rowWarnings(messages, locale, row)
  const { name, kind, power } = rowSummary(messages, locale, row)
  const position = index + 1
  const [failure] = failures

  return (
    <fieldset
      className={`connector-row${failure === undefined ? '' : ' failed'}`}
      aria-label={text.position(position)}
    >
      <div className="connector-head">
        <button
          type="button"
          className="connector-summary"
          id={summaryId(index)}
          aria-expanded={isOpen}
          aria-controls={panel}
          onClick={onToggle}
        >
          <PlugDrawing standard={row.standard} />
          <span className="connector-what">
            <span className="plug-name">{name}</span> <span className="plug-kind">{kind}</span>
          </span>{' '}
          <span className="plug-power">{power}</span>
          <ChevronDown className="icon" />
        </button>
        <div className="connector-tools">
          <QuantityStepper
            id={`${summaryId(index)}-quantity`}
            label={text.quantity(position)}
            fewer={text.fewer(position)}
            more={text.more(position)}
            value={row.ids.length}
            max={Math.max(MAX_EQUAL_CONNECTORS, row.ids.length)}
            problemId={isRefused ? `${panel}-quantity` : undefined}
            onRefuse={setRefused}
            onChange={onQuantity}
          />
          <IconButton
            look="quiet"
            icon={Copy}
            label={text.duplicate(position)}
            onClick={onDuplicate}
          />
          <IconButton look="quiet" icon={Trash2} label={text.remove(position)} onClick={onRemove} />
        </div>
      </div>
      <output className={isRefused ? undefined : 'visually-hidden'}>
        {isRefused && (
          <FieldErrorText id={`${panel}-quantity`}>
            {text.quantityLimits(MAX_EQUAL_CONNECTORS)}
          </FieldErrorText>
        )}
      </output>
      {failure !== undefined && (
        <div className="connector-failure">
          <FieldErrorText>
            {row.ids.length === 1
              ? text.notSaved
              : text.someNotSaved(failures.length, row.ids.length)}{' '}
            {failure.text}
          </FieldErrorText>
          <Button type="submit">{messages.actions.retry}</Button>
        </div>
      )}
      {!isOpen &&
        Object.values(warnings).map((warning) => (
          <p key={warning} className="field-warning">
            {warning}
          </p>
        ))}
      <div id={panel} hidden={!isOpen}>
        {isOpen && (
          <div className="connector-fields">
            <ConnectorFields index={index} warnings={warnings} />
            <Button onClick={onToggle}>{text.done}</Button>
          </div>
        )}
      </div>
    </fieldset>
  )
}
