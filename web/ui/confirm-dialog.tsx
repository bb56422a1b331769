import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

import { useLanguage } from '../messages/messages.ts'
import './overlays.css'

/** The content of a dialog with a question. */
export interface ConfirmDialogProps {
  readonly isOpen: boolean
  readonly title: string
  readonly children: ReactNode
  /** The safe answer: focused when the dialog opens, and chosen with Escape. */
  readonly cancel: string
  readonly onCancel: () => void
  readonly confirm: ReactNode
  readonly onConfirm: () => void
  readonly tone?: 'primary' | 'danger'
}

/** A modal dialog with a question. */
export const ConfirmDialog = ({
  isOpen,
  title,
  children,
  cancel,
  onCancel,
  confirm,
  onConfirm,
  tone = 'primary',
}: ConfirmDialogProps) => {
  const { locale } = useLanguage()
  return (
    <I18nProvider locale={locale}>
      <ModalOverlay
        className="scrim"
        isOpen={isOpen}
        onOpenChange={(open) => {
          if (!open) onCancel()
        }}
      >
        <Modal className="dialog-box">
          <Dialog className="dialog" role="alertdialog">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <div>{children}</div>
            <div className="dialog-actions">
              {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog focuses the safe answer */}
              <button type="button" className="button" autoFocus onClick={onCancel}>
                {cancel}
              </button>
              <button type="button" className={`button ${tone}`} onClick={onConfirm}>
                {confirm}
              </button>
            </div>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  )
}
