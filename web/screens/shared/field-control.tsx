import type { ComponentProps } from 'react'
import { useController, type UseFormRegisterReturn } from 'react-hook-form'

import { isList, type Field, type SelectField as ChoiceField } from '#domain/field.ts'
import { parseText } from '../../format/field-text.ts'
import { choiceLabel } from '../../messages/fields.ts'
import { useMessages } from '../../messages/messages.ts'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { SelectField, TextField, type FieldText } from '../../ui/text-field.tsx'

const TYPING: Readonly<Partial<Record<Field['kind'], ComponentProps<'input'>>>> = {
  email: { type: 'email', inputMode: 'email', autoComplete: 'email', autoCapitalize: 'none' },
  url: { type: 'url', inputMode: 'url', autoComplete: 'url', autoCapitalize: 'none' },
  number: { inputMode: 'decimal' },
}

/** The props that connect a control to its form field, and its texts. */
interface ControlProps extends UseFormRegisterReturn, FieldText {
  readonly id?: string
}

/** The props of the control of a site's field. */
export interface SiteControlProps extends ControlProps {
  /** True for a bulk update: no links away from it, and no hints about a single site. */
  readonly isForMany?: boolean
  /** True if the sites of a bulk update have different values. */
  readonly isMixed?: boolean
}

type Props = ControlProps &
  Omit<ComponentProps<typeof TextField>, keyof ControlProps> & { readonly declared: Field }

/** The control of a field by its kind, within a form of `react-hook-form`. */
export const FieldControl = ({ declared, ...control }: Props) => {
  const messages = useMessages()
  if (declared.kind === 'bool') return <Switch {...control} />
  if (declared.kind === 'select' && isList(declared))
    return <Checks {...control} declared={declared} />
  if (declared.kind !== 'select') {
    const { unit } = declared.kind === 'number' ? declared : {}
    const label = unit === undefined ? control.label : `${control.label} (${unit})`
    return <TextField {...TYPING[declared.kind]} {...control} label={label} />
  }
  const { name, id, label, hint, optional = false, error, ref, onChange, onBlur } = control
  const select = { name, id, label, hint, optional, error, ref, onChange, onBlur }
  return (
    <SelectField {...select}>
      <option value="">{messages.connectors.choose}</option>
      {(declared.ownerValues ?? declared.values).map((value) => (
        <option key={value} value={value}>
          {choiceLabel(messages, name, value)}
        </option>
      ))}
    </SelectField>
  )
}

/** A boolean. */
const Switch = ({ name, id, label, hint }: ControlProps) => {
  const { ref, value, onChange, onBlur } = useController({ name }).field
  return (
    <label className="choice">
      <input
        type="checkbox"
        role="switch"
        id={id}
        ref={ref}
        checked={value === 'true'}
        aria-checked={value === 'true'}
        onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
        onBlur={onBlur}
      />
      <span>{label}</span>
      {hint !== undefined && <span className="choice-hint">{hint}</span>}
    </label>
  )
}

/** A set of values. */
const Checks = ({
  name,
  id,
  label,
  hint,
  error,
  declared,
}: ControlProps & { readonly declared: ChoiceField }) => {
  const messages = useMessages()
  const { ref, value, onChange, onBlur } = useController({ name }).field
  const { values } = declared
  const chosen = parseText(declared, String(value)) as readonly string[]
  const toggle = (toggled: string, isChosen: boolean) => {
    const next = values.filter((each) => (each === toggled ? isChosen : chosen.includes(each)))
    onChange(next.length === 0 ? '' : JSON.stringify(next))
  }
  return (
    <fieldset className="field">
      <legend>{label}</legend>
      {hint !== undefined && <p className="hint">{hint}</p>}
      <div className="checks">
        {values.map((each, index) => (
          <label key={each} className="choice">
            <input
              type="checkbox"
              ref={index === 0 ? ref : undefined}
              id={index === 0 ? id : undefined}
              aria-invalid={error !== undefined}
              checked={chosen.includes(each)}
              onChange={({ currentTarget }) => toggle(each, currentTarget.checked)}
              onBlur={onBlur}
            />
            <span>{choiceLabel(messages, name, each)}</span>
          </label>
        ))}
      </div>
      {error !== undefined && <FieldErrorText id={`${id}-error`}>{error}</FieldErrorText>}
    </fieldset>
  )
}
