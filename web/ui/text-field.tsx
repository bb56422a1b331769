import { useId, type ComponentProps, type ReactNode, type Ref } from 'react'

import { useMessages } from '../messages/messages.ts'
import { FieldErrorText } from './field-error.tsx'
import { Select } from './select.tsx'

/** The label and texts of a control. */
export interface FieldText {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** A warning, which does not prevent saving. */
  readonly warning?: string | undefined
  readonly optional?: boolean
}

type InputProps = FieldText &
  Omit<ComponentProps<'input'>, 'children' | 'className'> & {
    /** Placed after the input: a button that helps to fill it in. */
    readonly children?: ReactNode
  }

/** A labelled text input. Other props, including `ref`, go to the input. */
export const TextField = ({
  label,
  hint,
  error,
  warning,
  optional,
  children,
  ...input
}: InputProps) => {
  const ids = useFieldIds(input.id)
  return (
    <div className="field">
      <FieldLabel htmlFor={ids.control} label={label} optional={optional ?? false} />
      {hint !== undefined && (
        <p className="hint" id={ids.hint}>
          {hint}
        </p>
      )}
      <input
        type="text"
        autoComplete="off"
        {...input}
        id={ids.control}
        className="input"
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(ids, { hint, error, warning })}
      />
      {children}
      <FieldNotes ids={ids} error={error} warning={warning} />
    </div>
  )
}

type AreaProps = FieldText &
  Omit<ComponentProps<'textarea'>, 'className'> & {
    /** Maximum length; a counter appears near it. */
    readonly limit: number
    readonly length: number
  }

/** A labelled multi-line text input that grows with its text. */
export const TextArea = ({
  label,
  hint,
  error,
  warning,
  optional,
  limit,
  length,
  ...input
}: AreaProps) => {
  const messages = useMessages()
  const ids = useFieldIds(input.id)
  const left = limit - length
  return (
    <div className="field">
      <FieldLabel htmlFor={ids.control} label={label} optional={optional ?? false} />
      {hint !== undefined && (
        <p className="hint" id={ids.hint}>
          {hint}
        </p>
      )}
      <textarea
        rows={3}
        {...input}
        id={ids.control}
        className="input"
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(ids, { hint, error, warning })}
      />
      {length > limit * 0.8 && (
        <p className="hint">
          {left >= 0 ? messages.form.remaining(left) : messages.form.tooLong(-left)}
        </p>
      )}
      <FieldNotes ids={ids} error={error} warning={warning} />
    </div>
  )
}

type SelectProps = FieldText &
  Omit<ComponentProps<'select'>, 'className'> & { readonly ref?: Ref<HTMLSelectElement> }

/** A labelled select; the options are the children. Phones show their native picker. */
export const SelectField = ({ label, hint, error, warning, optional, ...select }: SelectProps) => {
  const ids = useFieldIds(select.id)
  return (
    <div className="field">
      <FieldLabel htmlFor={ids.control} label={label} optional={optional ?? false} />
      <Select
        {...select}
        id={ids.control}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(ids, { hint, error, warning })}
      />
      {hint !== undefined && (
        <p className="hint" id={ids.hint}>
          {hint}
        </p>
      )}
      <FieldNotes ids={ids} error={error} warning={warning} />
    </div>
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
  (['hint', 'error', 'warning'] as const)
    .filter((part) => shown[part] !== undefined)
    .map((part) => ids[part])
    .join(' ') || undefined

interface LabelProps {
  readonly htmlFor: string
  readonly label: string
  readonly optional: boolean
}

/** The label of a control. Optional fields are marked, rather than required ones with stars. */
export const FieldLabel = ({ htmlFor, label, optional }: LabelProps) => {
  const messages = useMessages()
  return (
    <label htmlFor={htmlFor}>
      {label} {optional && <span className="optional">({messages.form.optional})</span>}
    </label>
  )
}

interface NotesProps {
  readonly ids: FieldIds
  readonly error: string | undefined
  readonly warning: string | undefined
}

/** The error or warning of a control. */
export const FieldNotes = ({ ids, error, warning }: NotesProps) => (
  <>
    {error !== undefined && <FieldErrorText id={ids.error}>{error}</FieldErrorText>}
    {warning !== undefined && (
      <p className="field-warning" id={ids.warning}>
        {warning}
      </p>
    )}
  </>
)
