import type { ComponentProps, Ref } from 'react'

import type { Field } from '#domain/field.ts'
import { wordChoice } from '../../messages/fields.ts'
import { useMessages } from '../../messages/messages.ts'
import { SelectField, TextField } from '../../ui/text-field.tsx'

/** What helps to type a value of a kind. */
const TYPING: Readonly<Partial<Record<Field['kind'], ComponentProps<'input'>>>> = {
  email: { type: 'email', inputMode: 'email', autoComplete: 'email', autoCapitalize: 'none' },
  url: { type: 'url', inputMode: 'url', autoComplete: 'url', autoCapitalize: 'none' },
  number: { inputMode: 'decimal' },
}

type Props = ComponentProps<typeof TextField> & {
  readonly name: string
  readonly declared: Field
}

/** The control of a field, by its kind. */
export const FieldControl = ({ declared, ...control }: Props) => {
  const messages = useMessages()
  if (declared.kind !== 'select') return <TextField {...TYPING[declared.kind]} {...control} />
  const { name, id, label, optional = false, error, ref, onChange, onBlur } = control
  return (
    <SelectField
      {...{ name, id, label, optional, error }}
      ref={ref as Ref<HTMLSelectElement>}
      onChange={onChange as ComponentProps<'select'>['onChange']}
      onBlur={onBlur as ComponentProps<'select'>['onBlur']}
    >
      <option value="">{messages.connectors.choose}</option>
      {(declared.ownerValues ?? declared.values).map((value) => (
        <option key={value} value={value}>
          {wordChoice(messages, name, value)}
        </option>
      ))}
    </SelectField>
  )
}
