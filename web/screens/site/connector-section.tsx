import { Plus } from 'lucide-react'
import { useRef } from 'react'
import { useFieldArray, useFormContext } from 'react-hook-form'

import type { CurrentType, Format, Standard } from '#domain/connector.ts'
import { useLanguage } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
import { formatDecimal } from '../../ui/decimal.ts'
import { controlId } from '../../ui/form.ts'
import { ConnectorFields } from './connector-fields.tsx'
import type { RowFailure } from './site-form.tsx'
import type { SiteText } from './site-values.ts'

interface Preset {
  readonly standard: Standard
  readonly format: Format
  readonly current_type: CurrentType
  readonly kw: number
}

/** What most chargers are, for one press each. */
const PRESETS: readonly Preset[] = [
  { standard: 'IEC_62196_T2', format: 'SOCKET', current_type: 'AC_3_PHASE', kw: 22 },
  { standard: 'IEC_62196_T2', format: 'SOCKET', current_type: 'AC_1_PHASE', kw: 7.4 },
  { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'DC', kw: 50 },
  { standard: 'IEC_62196_T2_COMBO', format: 'CABLE', current_type: 'DC', kw: 150 },
  { standard: 'CHADEMO', format: 'CABLE', current_type: 'DC', kw: 50 },
]

interface Props {
  readonly newId: () => string
  /** Rows that the last save left behind. */
  readonly failures: ReadonlyMap<string, RowFailure> | undefined
}

/** The plugs of the site, a row each. */
export const ConnectorSection = ({ newId, failures }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.site
  const { control, getValues } = useFormContext<SiteText>()
  const { fields, append, insert, remove } = useFieldArray({
    control,
    name: 'connectors',
    keyName: 'rowKey',
  })
  const presets = useRef<HTMLFieldSetElement>(null)

  const focusRow = (index: number) => {
    requestAnimationFrame(() =>
      document.getElementById(controlId(`connectors.${index}.standard`))?.focus(),
    )
  }
  const add = ({ standard, format, current_type, kw }: Preset) =>
    // The focus stays on the button: the next plug is often the same again.
    append(
      { id: newId(), standard, format, current_type, kw_rating: formatDecimal(kw, locale) },
      { shouldFocus: false },
    )
  const addBlank = () => {
    append(
      { id: newId(), standard: '', format: '', current_type: '', kw_rating: '' },
      { shouldFocus: false },
    )
    focusRow(fields.length)
  }
  const duplicate = (index: number) => {
    const row = getValues(`connectors.${index}`)
    insert(index + 1, { ...row, id: newId() }, { shouldFocus: false })
    focusRow(index + 1)
  }
  const drop = (index: number) => {
    remove(index)
    if (fields.length > 1) focusRow(Math.min(index, fields.length - 2))
    else presets.current?.querySelector('button')?.focus()
  }

  return (
    <section className="card form-section" aria-labelledby="connectors-title">
      <h2 id="connectors-title">
        {text.connectorsTitle} <span className="muted">({fields.length})</span>
      </h2>
      <p className="muted">{text.connectorsHint}</p>
      <fieldset className="chips" aria-label={text.addPreset} ref={presets}>
        {PRESETS.map((preset) => {
          const label = `${shortPlugName(messages, preset.standard)} ${messages.dashboard.power(
            formatDecimal(preset.kw, locale),
          )}`
          return (
            <button
              key={label}
              type="button"
              className="chip"
              aria-label={text.presetLabel(label)}
              onClick={() => add(preset)}
            >
              <Plus className="icon" aria-hidden="true" />
              {label}
            </button>
          )
        })}
        <button type="button" className="chip" onClick={addBlank}>
          <Plus className="icon" aria-hidden="true" />
          {text.otherPreset}
        </button>
      </fieldset>
      <output className="visually-hidden">{messages.dashboard.connectors(fields.length)}</output>
      {fields.length === 0 ? (
        <p className="muted connectors-none">{text.noConnectors}</p>
      ) : (
        <ol className="connector-rows">
          {fields.map((row, index) => (
            <li key={row.rowKey}>
              <ConnectorFields
                index={index}
                failure={failures?.get(row.id)}
                onDuplicate={() => duplicate(index)}
                onRemove={() => drop(index)}
              />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
