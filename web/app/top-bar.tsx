import { ArrowLeft, LogIn, LogOut } from 'lucide-react'
import { useState, type Ref } from 'react'
import { Link, useNavigate } from 'react-router'

import { UNNAMED_USER } from '#domain/user.ts'
import { leaveProvider } from '../data/leave-provider.ts'
import { useStore, useStoreState } from '../data/react.ts'
import type { Store } from '../data/state.ts'
import { useMessages } from '../messages/messages.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { LogoTile } from '../ui/logo.tsx'
import { PATHS } from '../paths.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import type { Route } from './routes.ts'
import { useSettings } from '../settings.ts'

interface Props {
  readonly route: Route
  readonly title: string
  readonly headingRef: Ref<HTMLHeadingElement>
}

/** Logo or back button, title, and signed-in user. */
export const TopBar = ({ route, title, headingRef }: Props) => (
  <header className="top-bar">
    <div className="top-bar-row">
      <div>{route.start === 'logo' ? <Logo /> : <Back />}</div>
      <h1 ref={headingRef} tabIndex={-1}>
        {title}
      </h1>
      <div className="top-bar-end">
        <Account />
      </div>
    </div>
  </header>
)

/** On a phone, name and email have their own row, which scrolls with the page. */
export const WhoRow = () => {
  const messages = useMessages()
  const { user } = useStoreState()
  if (user === null) return null
  return (
    <section className="who-row" aria-label={messages.shell.account}>
      <Who />
    </section>
  )
}

const Logo = () => {
  const messages = useMessages()
  const settings = useSettings()
  return (
    <a
      className="logo-link"
      href={settings['product-website']}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={messages.shell.website(settings['product-name'])}
    >
      <LogoTile />
    </a>
  )
}

const Back = () => {
  const messages = useMessages()
  const navigate = useNavigate()
  const goBack = () => {
    // The router numbers history entries. Before the first one, there is no page of the app.
    const { idx } = (history.state ?? {}) as { idx?: number }
    void (idx !== undefined && idx > 0 ? navigate(-1) : navigate(PATHS.dashboard))
  }
  return <IconButton icon={ArrowLeft} label={messages.shell.back} onClick={goBack} />
}

const Who = () => {
  const messages = useMessages()
  const { user } = useStoreState()
  if (user === null) return null
  return (
    <Link className="who" to={PATHS.account} title={messages.titles.account}>
      <span className="who-name" data-user="name">
        {user.name || UNNAMED_USER}
      </span>
      {user.email && <span data-user="email">{user.email}</span>}
    </Link>
  )
}

const Account = () => {
  const messages = useMessages()
  const { user } = useStoreState()
  if (user === null) {
    return (
      <Link className="button" to={PATHS.login}>
        {messages.shell.login}
        <LogIn className="icon" />
      </Link>
    )
  }
  return (
    <>
      <Who />
      <Logout />
    </>
  )
}

const Logout = () => {
  const messages = useMessages()
  const store = useStore()
  const navigate = useNavigate()
  const settings = useSettings()
  const [lost, setLost] = useState<ReturnType<Store['unsent']>>()

  const ask = () => {
    const unsent = store.unsent()
    if (unsent.drafts + unsent.changes > 0) setLost(unsent)
    else leave()
  }
  const leave = () => {
    setLost(undefined)
    store.signOut()
    void navigate(PATHS.login)
    leaveProvider(settings)
  }

  return (
    <>
      <Button onClick={ask}>
        <LogOut className="icon" />
        <span className="logout-label">{messages.shell.logout}</span>
      </Button>
      {lost !== undefined && (
        <ConfirmDialog
          title={messages.shell.unsentTitle}
          cancel={messages.shell.stay}
          onCancel={() => setLost(undefined)}
          confirm={messages.shell.logout}
          onConfirm={leave}
          tone="danger"
        >
          {lost.changes > 0 && <p>{messages.shell.unsent(lost.changes)}</p>}
          {lost.drafts > 0 && <p>{messages.shell.lostDrafts(lost.drafts)}</p>}
        </ConfirmDialog>
      )}
    </>
  )
}
