import { useRef, useState } from 'react'

import { useSubmitGuard } from './form.ts'
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
  /** Called when an invalid value is left or sent, and when the value is valid again. */
  readonly onRefuse: (isRefused: boolean) => void
  readonly onChange: (value: number) => void
}

/** A field for a count of at least one: typed, or stepped with buttons or arrow keys. */
export const QuantityStepper = (props: Props) => {
  const { id, label, fewer, more, value, max, problemId, onRefuse, onChange } = props
  const input = useRef<HTMLInputElement>(null)
  // The typed text, and the value before typing, which an invalid text does not change.
  const [typed, setTyped] = useState<{ readonly text: string; readonly before: number }>()
  const isCount = (count: number): boolean => Number.isInteger(count) && count >= 1 && count <= max
  const set = (count: number) => {
    setTyped(undefined)
    onRefuse(false)
    if (isCount(count)) onChange(count)
  }
  const take = (text: string) => {
    const before = typed?.before ?? value
    setTyped({ text, before })
    onRefuse(false)
    // The first keys of an invalid quantity can be a valid one.
    onChange(isCount(Number(text)) ? Number(text) : before)
  }
  /** Refuses an invalid text, which stays in the field. */
  const isValid = (): boolean => {
    const valid = typed === undefined || isCount(Number(typed.text))
    onRefuse(!valid)
    if (valid) setTyped(undefined)
    return valid
  }
  useSubmitGuard(input, () => {
    if (isValid()) return true
    input.current?.focus()
    return false
  })
  return (
    <StepInput
      isSmall
      fewer={fewer}
      more={more}
      isLeast={value <= 1}
      isMost={value >= max}
      onStep={(by) => set(value + by)}
      ref={input}
      id={id}
      aria-label={label}
      value={typed?.text ?? String(value)}
      onChange={({ target }) => take(target.value)}
      onFocus={({ target }) => target.select()}
      aria-invalid={problemId !== undefined}
      aria-describedby={problemId}
      onBlur={isValid}
    />
  )
}
