import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

import './overlays.css'

interface Props {
  readonly title: string
  readonly role?: 'dialog' | 'alertdialog'
  /** The id of the text that is read out with the title when the dialog opens. */
  readonly describedBy?: string
  readonly className?: string
  /** Called when Escape is pressed. */
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A modal dialog, open while it is rendered: the browser's own, so nothing has to be loaded. It returns the focus to
 * where it was before.
 */
export const ModalDialog = ({
  title,
  role = 'dialog',
  describedBy,
  className = '',
  onClose,
  children,
}: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()

  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    // Closing returns the focus; removing the element does not.
    return () => current?.close()
  }, [])

  // In a portal, because the parent has styles of its own.
  return createPortal(
    <dialog
      ref={dialog}
      className={`dialog-box plain ${className}`}
      role={role}
      aria-labelledby={heading}
      aria-describedby={describedBy}
      // A browser closes a dialog at a repeated Escape whatever its `cancel` is told: the key does not get that far.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className="dialog">
        <h2 id={heading}>{title}</h2>
        {children}
      </div>
    </dialog>,
    document.body,
  )
}
