import { useId, type ComponentProps, type ReactNode, type Ref } from 'react'

import { useMessages } from '../messages/messages.ts'
import { FieldErrorText } from './field-error.tsx'
import { Select } from './select.tsx'

/** The label and texts of a control. */
export interface FieldText {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** A warning, which does not prevent saving. It is not shown beside an error. */
  readonly warning?: string | undefined
  readonly optional?: boolean | undefined
}

interface LabelledProps extends FieldText {
  readonly ids: FieldIds
  /** Places the hint below the control. */
  readonly isHintBelow?: boolean
  readonly children: ReactNode
}

/** A control with its label and texts. */
export const Labelled = ({ ids, label, hint, error, warning, ...props }: LabelledProps) => {
  const { optional = false, isHintBelow = false, children } = props
  const { form } = useMessages()
  const hintText = hint !== undefined && (
    <p className="hint" id={ids.hint}>
      {hint}
    </p>
  )
  return (
    <div className="field">
      {/* Optional fields are marked, rather than required ones with stars. */}
      <label htmlFor={ids.control}>
        {label} {optional && <span className="optional">({form.optional})</span>}
      </label>
      {!isHintBelow && hintText}
      {children}
      {isHintBelow && hintText}
      <FieldNotes ids={ids} error={error} warning={warning} />
    </div>
  )
}

/** The attributes that connect a control to its texts. */
export const controlProps = (ids: FieldIds, text: Omit<FieldText, 'label'>) => ({
  id: ids.control,
  'aria-invalid': text.error !== undefined,
  'aria-describedby': describedBy(ids, text),
})

type InputProps = FieldText &
  Omit<ComponentProps<'input'>, 'children' | 'className'> & {
    /** Placed after the input: a button that helps to fill it in. */
    readonly children?: ReactNode
  }

/** A labelled text input. Other props, including `ref`, go to the input. */
export const TextField = (props: InputProps) => {
  const { label, hint, error, warning, optional, children, ...input } = props
  const text = { label, hint, error, warning, optional }
  const ids = useFieldIds(input.id)
  return (
    <Labelled ids={ids} {...text}>
      <input
        type="text"
        autoComplete="off"
        {...input}
        className="input"
        {...controlProps(ids, text)}
      />
      {children}
    </Labelled>
  )
}

type SelectProps = FieldText &
  Omit<ComponentProps<'select'>, 'className'> & { readonly ref?: Ref<HTMLSelectElement> }

/** A labelled select; the options are the children. Phones show their native picker. */
export const SelectField = (props: SelectProps) => {
  const { label, hint, error, warning, optional, ...select } = props
  const text = { label, hint, error, warning, optional }
  const ids = useFieldIds(select.id)
  return (
    <Labelled ids={ids} {...text} isHintBelow>
      <Select {...select} {...controlProps(ids, text)} />
    </Labelled>
  )
}

interface FieldIds {
  readonly control: string
  readonly hint: string
  readonly error: string
  readonly warning: string
}

/** The ids that connect a control to its texts. */
export const useFieldIds = (given: string | undefined): FieldIds => {
  const own = useId()
  const control = given ?? own
  return {
    control,
    hint: `${control}-hint`,
    error: `${control}-error`,
    warning: `${control}-warning`,
  }
}

/** The `aria-describedby` of a control: the ids of its visible texts. */
export const describedBy = (
  ids: FieldIds,
  shown: { readonly hint?: unknown; readonly error?: unknown; readonly warning?: unknown },
): string | undefined =>
  (['hint', shown.error === undefined ? 'warning' : 'error'] as const)
    .filter((part) => shown[part] !== undefined)
    .map((part) => ids[part])
    .join(' ') || undefined

interface NotesProps {
  readonly ids: FieldIds
  readonly error: string | undefined
  readonly warning: string | undefined
}

/** The error of a control or, without one, its warning. */
export const FieldNotes = ({ ids, error, warning }: NotesProps) =>
  error === undefined ? (
    warning !== undefined && (
      <p className="field-warning" id={ids.warning}>
        {warning}
      </p>
    )
  ) : (
    <FieldErrorText id={ids.error}>{error}</FieldErrorText>
  )
