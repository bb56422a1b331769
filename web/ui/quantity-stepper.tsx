import { Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './button.tsx'

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
export const QuantityStepper = ({
  id,
  label,
  fewer,
  more,
  value,
  max,
  problemId,
  onRefuse,
  onChange,
}: Props) => {
  // The typed text; an invalid one is reverted on blur, with an error.
  const [typed, setTyped] = useState<string>()
  const isCount = (count: number): boolean => Number.isInteger(count) && count >= 1 && count <= max
  const set = (count: number) => {
    setTyped(undefined)
    onRefuse(false)
    if (isCount(count)) onChange(count)
  }
  const take = (text: string) => {
    setTyped(text)
    onRefuse(false)
    const count = text.trim() === '' ? 0 : Number(text)
    if (isCount(count)) onChange(count)
  }
  const leave = () => {
    onRefuse(typed !== undefined && !isCount(Number(typed)))
    setTyped(undefined)
  }
  return (
    <div className="stepper small">
      <IconButton
        icon={Minus}
        label={fewer}
        aria-disabled={value <= 1}
        onClick={() => set(value - 1)}
      />
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        className="input"
        id={id}
        aria-label={label}
        value={typed ?? String(value)}
        onChange={({ target }) => take(target.value)}
        onFocus={({ target }) => target.select()}
        aria-describedby={problemId}
        onBlur={leave}
        onKeyDown={(event) => {
          const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
          if (by === undefined) return
          event.preventDefault()
          set(value + by)
        }}
      />
      <IconButton
        icon={Plus}
        label={more}
        aria-disabled={value >= max}
        onClick={() => set(value + 1)}
      />
    </div>
  )
}
