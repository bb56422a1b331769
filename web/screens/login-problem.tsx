import { MISCONFIGURED } from '#domain/error.ts'

import type { Problem } from '../data/state.ts'
import { useMessages, type Messages } from '../messages/messages.ts'
import { Banner } from '../ui/banner.tsx'

/** The reason for a failed sign-in, and who can fix it. */
export const LoginProblem = ({ problem }: { readonly problem: Problem }) => {
  const messages = useMessages()
  return <Banner tone="danger">{sentence(messages, problem)}</Banner>
}

const sentence = (
  { login, loginProblems }: Messages,
  { kind, status, fields }: Problem,
): string => {
  switch (kind) {
    case 'cancelled':
    case 'mismatch':
    case 'clock':
    case 'storage':
      return loginProblems[kind]
    case 'provider':
      if (fields['provider']?.code === MISCONFIGURED) return loginProblems.misconfigured
      return status === 400 ? loginProblems.refused : loginProblems.unreachable
    case 'unavailable':
      return loginProblems.unreachable
    case 'offline':
      return login.offline
    default:
      return login.failed
  }
}
