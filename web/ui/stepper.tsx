import { Minus, Plus } from 'lucide-react'
import type { ComponentProps } from 'react'

import { useMessages } from '../messages/messages.ts'
import { IconButton } from './button.tsx'
import { controlProps, Labelled, useFieldIds, type FieldText } from './text-field.tsx'

type InputProps = Omit<ComponentProps<'input'>, 'className'> & {
  /** The labels of the buttons. */
  readonly fewer: string
  readonly more: string
  readonly onStep: (by: number) => void
  readonly isLeast?: boolean
  readonly isMost?: boolean
  readonly isSmall?: boolean
}

/** An input for a small integer: typed, or stepped with the buttons or the arrow keys. */
export const StepInput = (props: InputProps) => {
  const { fewer, more, onStep, isLeast, isMost, isSmall = false, ...input } = props
  return (
    <div className={isSmall ? 'stepper small' : 'stepper'}>
      <IconButton icon={Minus} label={fewer} aria-disabled={isLeast} onClick={() => onStep(-1)} />
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        {...input}
        className="input"
        onKeyDown={(event) => {
          const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
          if (by === undefined) return
          event.preventDefault()
          onStep(by)
        }}
      />
      <IconButton icon={Plus} label={more} aria-disabled={isMost} onClick={() => onStep(1)} />
    </div>
  )
}

/** A labelled input for a small integer. */
export const Stepper = (props: InputProps & FieldText) => {
  const { label, hint, error, warning, optional, fewer, more, ...input } = props
  const text = { label, hint, error, warning, optional }
  const { about } = useMessages()
  const ids = useFieldIds(input.id)
  return (
    <Labelled ids={ids} {...text}>
      <StepInput
        {...input}
        {...controlProps(ids, text)}
        fewer={about(label, fewer)}
        more={about(label, more)}
      />
    </Labelled>
  )
}
