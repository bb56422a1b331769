import { Minus, Plus } from 'lucide-react'
import { useState } from 'react'

interface Props {
  readonly id: string
  readonly label: string
  readonly fewer: string
  readonly more: string
  readonly value: number
  readonly max: number
  readonly onChange: (value: number) => void
}

/** How many there are of something, at least one: typed, or stepped with buttons or arrow keys. */
export const QuantityStepper = ({ id, label, fewer, more, value, max, onChange }: Props) => {
  // What is being typed; anything that is no count is forgotten when the field is left.
  const [typed, setTyped] = useState<string>()
  const set = (count: number) => {
    setTyped(undefined)
    if (count >= 1 && count <= max) onChange(count)
  }
  const take = (text: string) => {
    setTyped(text)
    const count = /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : 0
    if (count >= 1) onChange(Math.min(count, max))
  }
  return (
    <div className="stepper small">
      <button
        type="button"
        className="button icon-only"
        aria-label={fewer}
        aria-disabled={value <= 1}
        onClick={() => set(value - 1)}
      >
        <Minus className="icon" aria-hidden="true" />
      </button>
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
        onBlur={() => setTyped(undefined)}
        onKeyDown={(event) => {
          const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
          if (by === undefined) return
          event.preventDefault()
          set(value + by)
        }}
      />
      <button
        type="button"
        className="button icon-only"
        aria-label={more}
        aria-disabled={value >= max}
        onClick={() => set(value + 1)}
      >
        <Plus className="icon" aria-hidden="true" />
      </button>
    </div>
  )
}
