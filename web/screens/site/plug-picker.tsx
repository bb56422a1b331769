import { ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'

import { STANDARDS, type Standard } from '#domain/connector.ts'
import { useMessages } from '../../messages/messages.ts'
import { plugName } from '../../messages/plugs.ts'
import { PlugDrawing } from '../../ui/plug-drawing.tsx'
import { describedBy, FieldNotes, useFieldIds } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'

type List = typeof import('./plug-list.tsx').PlugList

let list: List | undefined
const fetchList = async (): Promise<void> => {
  list ??= (await import('./plug-list.tsx')).PlugList
}
/** Prefetches the list on intent. A failure is ignored: opening the list retries. */
const prefetch = (): void => void fetchList().catch(() => undefined)

interface Props {
  readonly id: string
  /** The chosen standard; empty if none is. */
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (standard: Standard) => void
  readonly onBlur: () => void
}

/** The keys that open a select. */
const OPENING_KEYS = new Set(['ArrowDown', 'ArrowUp'])

/** A select of all plugs, common ones first, with a search for any of their names. */
export const PlugPicker = ({ id, value, error, onChange, onBlur }: Props) => {
  const messages = useMessages()
  const text = messages.connectors
  const ids = useFieldIds(id)
  const field = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const List = list
  const open = () =>
    void fetchList().then(
      () => setOpen(true),
      () => toast(messages.problems.unavailable),
    )
  const close = () => {
    setOpen(false)
    onBlur()
  }
  const chosen = STANDARDS.find((standard) => standard === value)

  return (
    <div className="field">
      <span className="label" id={`${id}-label`}>
        {messages.fields.connectors.standard}
      </span>
      <button
        ref={field}
        type="button"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select has no search and no drawings.
        role="combobox"
        className="input plug-field"
        id={ids.control}
        aria-labelledby={`${id}-label`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(ids, { error })}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={open}
        onKeyDown={(event) => {
          if (!OPENING_KEYS.has(event.key)) return
          event.preventDefault()
          open()
        }}
        onBlur={() => {
          if (!isOpen) onBlur()
        }}
      >
        <PlugDrawing standard={value} />
        <span className={chosen === undefined ? 'muted' : ''}>
          {chosen === undefined ? value || text.choose : plugName(messages, chosen)}
        </span>
        <ChevronDown className="icon" />
      </button>
      <FieldNotes ids={ids} error={error} warning={undefined} />
      {isOpen && List !== undefined && (
        <List trigger={field} id={id} chosen={chosen} onChange={onChange} onClose={close} />
      )}
    </div>
  )
}
