import { useState } from 'react'

import { StepInput } from './stepper.tsx'

interface Props {
  readonly id: string
  readonly label: string
  readonly fewer: string
  readonly more: string
  readonly value: number
  readonly max: number
  /** The id of the error message, while it is shown. */
  readonly problemId: string | undefined
  /** Called when the field is left with an invalid value, and when the value is valid again. */
  readonly onRefuse: (isRefused: boolean) => void
  readonly onChange: (value: number) => void
}

/** A field for a count of at least one: typed, or stepped with buttons or arrow keys. */
export const QuantityStepper = (props: Props) => {
  const { id, label, fewer, more, value, max, problemId, onRefuse, onChange } = props
  // The typed text, and the value before typing, to which an invalid text is reverted on blur, with an error.
  const [typed, setTyped] = useState<{ readonly text: string; readonly before: number }>()
  const isCount = (count: number): boolean => Number.isInteger(count) && count >= 1 && count <= max
  const set = (count: number) => {
    setTyped(undefined)
    onRefuse(false)
    if (isCount(count)) onChange(count)
  }
  const take = (text: string) => {
    setTyped({ text, before: typed?.before ?? value })
    onRefuse(false)
    const count = text.trim() === '' ? 0 : Number(text)
    if (isCount(count)) onChange(count)
  }
  const leave = () => {
    if (typed === undefined || isCount(Number(typed.text))) onRefuse(false)
    else {
      onRefuse(true)
      onChange(typed.before)
    }
    setTyped(undefined)
  }
  return (
    <StepInput
      isSmall
      fewer={fewer}
      more={more}
      isLeast={value <= 1}
      isMost={value >= max}
      onStep={(by) => set(value + by)}
      id={id}
      aria-label={label}
      value={typed?.text ?? String(value)}
      onChange={({ target }) => take(target.value)}
      onFocus={({ target }) => target.select()}
      aria-describedby={problemId}
      onBlur={leave}
    />
  )
}
