import { Download, History, LogOut, UserX } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'

import { UNNAMED_USER } from '#domain/user.ts'
import { useStore, useStoreState } from '../../data/react.ts'
import type { Problem, Result } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { PATHS } from '../../paths.ts'
import { Question } from '../../ui/question.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { useOnline } from '../../browser/use-online.ts'
import '../../ui/form.css'
import './account.css'
import { DeleteAccount } from './delete-account.tsx'

type AccountAction = 'endSessions' | 'exportData' | 'deleteAccount'

/** What people can do with their account as a whole (spec 10). */
export const Account = () => {
  const messages = useMessages()
  const text = messages.accountCard
  const store = useStore()
  const navigate = useNavigate()
  const { user } = useStoreState()
  const online = useOnline()
  const [asked, setAsked] = useState<AccountAction>()
  const [busy, setBusy] = useState<AccountAction>()
  const [failed, setFailed] = useState<{ action: AccountAction; problem: Problem }>()
  if (user === null) return null

  const attempt = async <T,>(action: AccountAction, call: () => Promise<Result<T>>) => {
    setFailed(undefined)
    setBusy(action)
    const result = await call()
    setBusy(undefined)
    if (result.problem !== undefined) setFailed({ action, problem: result.problem })
    return result
  }

  const endSessions = async () => {
    setAsked(undefined)
    if ((await attempt('endSessions', store.endSessions)).problem !== undefined) return
    toast(text.everywhereDone)
    void navigate(PATHS.login)
  }
  const download = async () => {
    const { value: address } = await attempt('exportData', store.exportAddress)
    if (address === undefined) return
    saveFrom(address)
    toast(text.downloadBegun)
  }
  const deleteAccount = async () => {
    if ((await attempt('deleteAccount', store.deleteAccount)).problem !== undefined) return
    toast(text.deleted, { lasting: true })
    // After the guard of this page has sent its visitor, who is nobody now, to Login.
    setTimeout(() => void navigate(PATHS.home, { replace: true }))
  }
  const failure = failed && (
    <Banner tone="danger" title={messages.failed[failed.action]}>
      {messages.problems[failed.problem.kind]}
    </Banner>
  )
  const unsent = store.unsent()

  return (
    <section className="form account-card" aria-label={messages.titles.account}>
      <div className="card form-section">
        <h2>{user.name || UNNAMED_USER}</h2>
        <p className="muted">{user.email || text.noEmail}</p>
        {asked === undefined && failure}
        {!online && <output className="hint">{text.offline}</output>}
        <ul className="account-actions">
          <Deed
            icon={<LogOut className="icon" aria-hidden="true" />}
            label={text.everywhere}
            hint={text.everywhereHint}
            busy={busy === 'endSessions'}
            onPress={() => setAsked('endSessions')}
          />
          <Deed
            icon={<Download className="icon" aria-hidden="true" />}
            label={text.download}
            hint={text.downloadHint}
            busy={busy === 'exportData'}
            onPress={() => void download()}
          />
          <Deed
            icon={<UserX className="icon" aria-hidden="true" />}
            label={text.delete}
            hint={text.deleteHint}
            tone="danger"
            busy={busy === 'deleteAccount'}
            onPress={() => {
              setFailed(undefined)
              setAsked('deleteAccount')
            }}
          />
        </ul>
      </div>
      <p>
        <Link className="button" to={PATHS.changes}>
          <History className="icon" aria-hidden="true" />
          {messages.titles.changes}
        </Link>
      </p>
      <Suspense>
        {asked === 'endSessions' && (
          <Question
            isOpen
            title={text.everywhereTitle}
            cancel={messages.actions.cancel}
            onCancel={() => setAsked(undefined)}
            confirm={text.everywhere}
            onConfirm={() => void endSessions()}
          >
            {text.everywhereText} {unsent.changes > 0 && messages.shell.unsent(unsent.changes)}{' '}
            {unsent.drafts > 0 && messages.shell.lostDrafts(unsent.drafts)}
          </Question>
        )}
        {asked === 'deleteAccount' && (
          <DeleteAccount
            busy={busy === 'deleteAccount'}
            failure={failure}
            onCancel={() => setAsked(undefined)}
            onConfirm={() => void deleteAccount()}
          />
        )}
      </Suspense>
    </section>
  )
}

interface DeedProps {
  readonly icon: ReactNode
  readonly label: string
  readonly hint: string
  readonly tone?: 'danger'
  readonly busy: boolean
  readonly onPress: () => void
}

const Deed = ({ icon, label, hint, tone, busy, onPress }: DeedProps) => (
  <li>
    <p className="muted">{hint}</p>
    <button
      type="button"
      className={`button ${tone ?? ''}`}
      aria-disabled={busy}
      onClick={() => {
        if (!busy) onPress()
      }}
    >
      {busy ? <Spinner /> : icon}
      {label}
    </button>
  </li>
)

/** The browser saves it by itself: a script that fetched it would hold all of it in memory. */
const saveFrom = (address: string): void => {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
