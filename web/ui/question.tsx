import { useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'

import type { ConfirmDialogProps } from './confirm-dialog.tsx'
import { late } from '../browser/lazy-component.ts'
import './overlays.css'

/** A native dialog without lazy parts, for when the other one cannot be loaded. */
const PlainQuestion = ({
  isOpen,
  title,
  children,
  cancel,
  onCancel,
  confirm,
  onConfirm,
  tone = 'primary',
}: ConfirmDialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()

  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])

  // In a portal, because the parent has styles of its own.
  return createPortal(
    <dialog
      ref={dialog}
      className="dialog-box plain"
      role="alertdialog"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onCancel()
      }}
    >
      <div className="dialog">
        <h2 id={heading}>{title}</h2>
        <div>{children}</div>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onCancel}>
            {cancel}
          </button>
          <button type="button" className={`button ${tone}`} onClick={onConfirm}>
            {confirm}
          </button>
        </div>
      </div>
    </dialog>,
    document.body,
  )
}

/** A modal dialog with a question, loaded on first use. Works offline, too. */
export const Question = late(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
  [],
  PlainQuestion,
)
