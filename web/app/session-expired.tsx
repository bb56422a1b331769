import { Suspense, useState } from 'react'
import { useHref } from 'react-router'

import { useExpired } from '../data/react.ts'
import { useMessages } from '../messages/messages.ts'
import { LOGIN_AGAIN } from '../paths.ts'
import { Question } from '../ui/question.tsx'

/**
 * The session ran out under an open page: the page stays as it is. Signing in happens in another
 * tab, so that nothing typed here is lost; this tab follows by itself.
 */
export const SessionExpired = ({ guarded }: { readonly guarded: boolean }) => {
  const messages = useMessages()
  const login = useHref(LOGIN_AGAIN)
  const [closed, setClosed] = useState(false)
  const expired = useExpired() && guarded

  if (!expired) {
    if (closed) setClosed(false)
    return null
  }
  return (
    <Suspense>
      <Question
        isOpen={!closed}
        title={messages.shell.expiredTitle}
        cancel={messages.shell.close}
        onCancel={() => setClosed(true)}
        confirm={messages.shell.signInAgain}
        onConfirm={() => open(login, '_blank', 'noopener')}
      >
        {messages.shell.expired}
      </Question>
    </Suspense>
  )
}
