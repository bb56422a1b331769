import type { ReactNode } from 'react'

import './picture-choice.css'
import { describedBy, FieldNotes, useFieldIds } from './text-field.tsx'

interface Option<T extends string> {
  readonly value: T
  readonly label: string
  /** A drawing with the same meaning as the label. */
  readonly picture: ReactNode
}

interface Props<T extends string> {
  readonly id: string
  readonly label: string
  readonly options: readonly Option<T>[]
  /** For long labels: fewer columns. */
  readonly wide?: boolean
  /** The chosen value; any other text if none is chosen. */
  readonly value: string
  readonly error?: string | undefined
  readonly warning?: string | undefined
  readonly onChange: (value: T) => void
  readonly onBlur: () => void
}

/** A visual radio group that shows all options, each with a drawing. */
export const PictureChoice = <T extends string>({
  id,
  label,
  options,
  wide = false,
  value,
  error,
  warning,
  onChange,
  onBlur,
}: Props<T>) => {
  const ids = useFieldIds(id)
  return (
    <div
      className="field"
      role="radiogroup"
      id={ids.control}
      // The error summary focuses this element, which passes the focus on to the radio button.
      tabIndex={-1}
      aria-labelledby={`${id}-label`}
      aria-invalid={error !== undefined}
      aria-describedby={describedBy(ids, { error, warning })}
      onFocus={({ target, currentTarget }) => {
        if (target !== currentTarget) return
        const chosen = currentTarget.querySelector<HTMLElement>('input:checked')
        ;(chosen ?? currentTarget.querySelector('input'))?.focus()
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onBlur()
      }}
    >
      <span className="label" id={`${id}-label`}>
        {label}
      </span>
      <div className={`picture-choices${wide ? ' wide' : ''}`}>
        {options.map((option) => (
          <label key={option.value} className="picture-choice">
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.picture}
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      <FieldNotes ids={ids} error={error} warning={warning} />
    </div>
  )
}
