import { useState } from 'react'
import { useHref } from 'react-router'

import { useExpired } from '../data/react.ts'
import { useMessages } from '../messages/messages.ts'
import { LOGIN_AGAIN } from '../paths.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/**
 * Shown when the session expires under an open page, which stays as it is. The owner signs in again in another tab, so
 * that no input is lost; this tab follows.
 */
export const SessionExpired = ({ guarded }: { readonly guarded: boolean }) => {
  const messages = useMessages()
  const login = useHref(LOGIN_AGAIN)
  const [closed, setClosed] = useState(false)
  const expired = useExpired() && guarded

  if (!expired && closed) setClosed(false)
  if (!expired || closed) return null
  return (
    <ConfirmDialog
      title={messages.shell.expiredTitle}
      cancel={messages.shell.close}
      onCancel={() => setClosed(true)}
      confirm={messages.shell.signInAgain}
      onConfirm={() => open(login, '_blank', 'noopener')}
    >
      {messages.shell.expired}
    </ConfirmDialog>
  )
}
