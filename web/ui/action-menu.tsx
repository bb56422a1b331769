import { EllipsisVertical } from 'lucide-react'
import { useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'

import { useMessages } from '../messages/messages.ts'
import type { MenuEntry } from './action-popover.tsx'
import { toast } from './toast.ts'

interface Props {
  readonly label: string
  readonly entries: readonly MenuEntry[]
}

interface ButtonProps extends Props {
  readonly className: string
  /** The button, which gets the focus when the result of an action is closed. */
  readonly buttonRef?: RefObject<HTMLButtonElement | null>
  /** If set, the menu is a single choice of values instead of actions; empty if none is chosen. */
  readonly chosen?: string
  readonly children: ReactNode
}

type Popover = typeof import('./action-popover.tsx').ActionPopover

let popover: Popover | undefined
const fetchPopover = async (): Promise<void> => {
  popover ??= (await import('./action-popover.tsx')).ActionPopover
}
/** Prefetches the menu on intent. A failure is ignored: opening the menu retries. */
const prefetch = (): void => void fetchPopover().catch(() => undefined)

/** The three-dot menu of a card. */
export const ActionMenu = (props: Props) => (
  <MenuButton {...props} className="button quiet icon-only">
    <EllipsisVertical className="icon" />
  </MenuButton>
)

/** A button with a menu, which is prefetched on hover or focus. */
export const MenuButton = (props: ButtonProps) => {
  const { label, entries, className, chosen, children } = props
  const messages = useMessages()
  const own = useRef<HTMLButtonElement>(null)
  const trigger = props.buttonRef ?? own
  const [isOpen, setOpen] = useState(false)
  const [isFetching, setFetching] = useState(false)
  const Popover = popover

  const open = () => {
    setFetching(popover === undefined)
    void fetchPopover()
      .then(
        () => setOpen(true),
        () => toast(messages.problems.unavailable),
      )
      .then(() => setFetching(false))
  }
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    open()
  }

  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-busy={isFetching || undefined}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={open}
        onKeyDown={openByArrow}
      >
        {children}
      </button>
      {isOpen && Popover !== undefined && (
        <Popover
          trigger={trigger}
          label={label}
          entries={entries}
          chosen={chosen}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
