import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'

import { Button } from './button.tsx'
import { ModalDialog } from './modal-dialog.tsx'

interface Props {
  readonly title: string
  readonly children: ReactNode
  /** The safe answer: focused when the dialog opens, and chosen with Escape. */
  readonly cancel: string
  readonly onCancel: () => void
  readonly confirm: ReactNode
  readonly onConfirm: () => void
  readonly tone?: 'primary' | 'danger'
}

/** A modal dialog with a question, open while it is rendered. */
export const ConfirmDialog = ({
  title,
  children,
  cancel,
  onCancel,
  confirm,
  onConfirm,
  tone = 'primary',
}: Props) => {
  const safe = useRef<HTMLButtonElement>(null)
  const text = useId()
  useLayoutEffect(() => safe.current?.focus(), [])
  return (
    // The focus skips the text. Without the description, screen readers announce only the title and the button.
    <ModalDialog role="alertdialog" title={title} describedBy={text} onClose={onCancel}>
      <div id={text}>{children}</div>
      <div className="dialog-actions">
        <Button ref={safe} onClick={onCancel}>
          {cancel}
        </Button>
        <Button look={tone} onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </ModalDialog>
  )
}
