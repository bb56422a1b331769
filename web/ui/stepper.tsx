import { Minus, Plus } from 'lucide-react'
import type { ComponentProps } from 'react'

import { IconButton } from './button.tsx'
import { describedBy, FieldLabel, FieldNotes, useFieldIds } from './text-field.tsx'

type Props = Omit<ComponentProps<'input'>, 'className'> & {
  readonly label: string
  readonly hint: string
  readonly optional?: boolean
  readonly error?: string | undefined
  /** A warning, which does not prevent saving. */
  readonly warning?: string | undefined
  readonly fewer: string
  readonly more: string
  readonly onStep: (by: number) => void
}

/** A small integer: typed, or stepped with the buttons or the arrow keys. */
export const Stepper = ({
  label,
  hint,
  optional = false,
  error,
  warning,
  fewer,
  more,
  onStep,
  ...input
}: Props) => {
  const ids = useFieldIds(input.id)
  return (
    <div className="field">
      <FieldLabel htmlFor={ids.control} label={label} optional={optional} />
      <p className="hint" id={ids.hint}>
        {hint}
      </p>
      <div className="stepper">
        <IconButton icon={Minus} label={`${label}: ${fewer}`} onClick={() => onStep(-1)} />
        <input
          type="text"
          inputMode="numeric"
          autoComplete="off"
          {...input}
          id={ids.control}
          className="input"
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(ids, { hint, error, warning })}
          onKeyDown={(event) => {
            const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
            if (by === undefined) return
            event.preventDefault()
            onStep(by)
          }}
        />
        <IconButton icon={Plus} label={`${label}: ${more}`} onClick={() => onStep(1)} />
      </div>
      <FieldNotes ids={ids} error={error} warning={warning} />
    </div>
  )
}
