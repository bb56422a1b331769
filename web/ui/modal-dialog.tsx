import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

import './overlays.css'

interface Props {
  readonly title: string
  readonly role?: 'dialog' | 'alertdialog'
  /** The id of the text that screen readers announce with the title when the dialog opens. */
  readonly describedBy?: string
  readonly className?: string
  /** Called when Escape is pressed. */
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A modal dialog, open while it is rendered. It is the browser's own, so it loads no code. It returns the focus to
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

  // In a portal, because the parent has its own styles.
  return createPortal(
    <dialog
      ref={dialog}
      className={`dialog-box plain ${className}`}
      role={role}
      aria-labelledby={heading}
      aria-describedby={describedBy}
      // Browsers close a dialog on a repeated Escape even if `cancel` is prevented, so the key is handled here.
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
