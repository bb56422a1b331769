import { Download, History, LogOut, UserX } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { UNNAMED_USER } from '#domain/user.ts'
import { leaveProvider } from '../../data/leave-provider.ts'
import { useStore, useStoreState } from '../../data/react.ts'
import type { Problem, Result } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { PATHS } from '../../paths.ts'
import { useSettings } from '../../settings.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { useOnline } from '../../browser/use-online.ts'
import '../../ui/form.css'
import './account.css'
import { DeleteAccount } from './delete-account.tsx'

type AccountAction = 'endSessions' | 'exportData' | 'deleteAccount'

/** Functions for the account as a whole (spec 10). */
export const Account = () => {
  const messages = useMessages()
  const text = messages.accountCard
  const store = useStore()
  const navigate = useNavigate()
  const settings = useSettings()
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
    leaveProvider(settings, text.everywhereDone)
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
    // Runs after the guard of this page has redirected the visitor, now a guest, to Login.
    setTimeout(() => void navigate(PATHS.home, { replace: true }))
    leaveProvider(settings, text.deleted)
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
        <AccountActions
          busy={busy}
          onPress={(action) => {
            if (action === 'exportData') return void download()
            setFailed(undefined)
            setAsked(action)
          }}
        />
      </div>
      {asked === 'endSessions' && (
        <ConfirmDialog
          title={text.everywhereTitle}
          cancel={messages.actions.cancel}
          onCancel={() => setAsked(undefined)}
          confirm={text.everywhere}
          onConfirm={() => void endSessions()}
        >
          {text.everywhereText} {unsent.changes > 0 && messages.shell.unsent(unsent.changes)}{' '}
          {unsent.drafts > 0 && messages.shell.lostDrafts(unsent.drafts)}
        </ConfirmDialog>
      )}
      {asked === 'deleteAccount' && (
        <DeleteAccount
          busy={busy === 'deleteAccount'}
          failure={failure}
          onCancel={() => setAsked(undefined)}
          onConfirm={() => void deleteAccount()}
        />
      )}
    </section>
  )
}

/** The actions, each with the icon and tone of its button. */
const ACTIONS = [
  { action: 'endSessions', words: 'everywhere', Icon: LogOut, tone: '' },
  { action: 'exportData', words: 'download', Icon: Download, tone: '' },
  { action: 'deleteAccount', words: 'delete', Icon: UserX, tone: 'danger' },
] as const

interface ActionsProps {
  readonly busy: AccountAction | undefined
  readonly onPress: (action: AccountAction) => void
}

const AccountActions = ({ busy, onPress }: ActionsProps) => {
  const { accountCard: text, titles } = useMessages()
  return (
    <ul className="account-actions">
      <li>
        <p className="muted">{text.changesHint}</p>
        <Link className="button" to={PATHS.changes}>
          <History className="icon" />
          {titles.changes}
        </Link>
      </li>
      {ACTIONS.map(({ action, words, Icon, tone }) => (
        <li key={action}>
          <p className="muted">{text[`${words}Hint`]}</p>
          <Button
            look={tone}
            aria-disabled={busy === action}
            onClick={() => {
              if (busy !== action) onPress(action)
            }}
          >
            {busy === action ? <Spinner /> : <Icon className="icon" />}
            {text[words]}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Starts a native download; a script would hold the whole file in memory. */
const saveFrom = (address: string): void => {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
