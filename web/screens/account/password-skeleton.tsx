import { KeyRound } from 'lucide-react'

import { PASSWORD_LIMITS } from '#domain/password.ts'
import { useMessages } from '../../messages/messages.ts'
import '../../ui/form.css'
import { FieldSkeleton } from '../shared/form-skeleton.tsx'
import './account.css'

/** The form for a new password while its link is read. */
export const PasswordSkeleton = () => {
  const { account: text } = useMessages()
  return (
    <div className="card account-form late" aria-busy="true">
      <KeyRound className="art" strokeWidth={1.5} />
      <h2>{text.newPassword}</h2>
      <FieldSkeleton label={text.newPassword} hint={text.passwordHint(PASSWORD_LIMITS.min)} />
      <FieldSkeleton label={text.repeatPassword} />
    </div>
  )
}
