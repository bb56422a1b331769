import { ShieldCheck } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate } from 'react-router'

import { useSettings } from '../settings.ts'
import { MESSAGE_KEY } from '../data/leave-provider.ts'
import { useNotices, useSignedIn, useStore } from '../data/react.ts'
import { useMessages } from '../messages/messages.ts'
import { isAnswer } from '../browser/sign-in-response.ts'
import { Banner } from '../ui/banner.tsx'
import { lazyComponent } from '../browser/lazy-component.ts'
import { LOGIN_AGAIN, PATHS } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { toast } from '../ui/toast.ts'
import { tabStorage } from '../storage.ts'
import { useOnline } from '../browser/use-online.ts'
import './login.css'

/** Shown if the messages fail to load. */
const Failed = () => <Banner tone="danger">{useMessages().login.failed}</Banner>
const LoginProblem = lazyComponent(
  async () => (await import('./login-problem.tsx')).LoginProblem,
  ['login-problems'],
  Failed,
)

type Phase = 'ready' | 'leaving' | 'finishing'

/**
 * The button that redirects to the sign-in provider, and the page that the provider redirects back to.
 */
export const Login = () => {
  const messages = useMessages()
  const store = useStore()
  const navigate = useNavigate()
  const online = useOnline()
  const provider = useSettings()['provider-name']
  const signedIn = useSignedIn()
  const { search, state } = useLocation()
  const returned = isAnswer(search)
  const [phase, setPhase] = useState<Phase>(returned ? 'finishing' : 'ready')
  const problem = useNotices().findLast((notice) => notice.action === 'signIn')?.problem
  const again = new URLSearchParams(search).has('again')
  const returnTo = again ? LOGIN_AGAIN : readReturnTo(state)

  useEffect(() => {
    if (!returned) return
    void store.completeSignIn(search).then((path) => {
      setPhase('ready')
      // The response in the address can be used only once.
      return navigate(path ?? PATHS.login, { replace: true })
    })
  }, [returned, search, store, navigate])

  useEffect(() => {
    // The back button restores this page from the back/forward cache.
    const revive = (event: PageTransitionEvent) => event.persisted && setPhase('ready')
    addEventListener('pageshow', revive)
    return () => removeEventListener('pageshow', revive)
  }, [])

  useEffect(() => {
    const message = tabStorage.get(MESSAGE_KEY)
    if (message === null) return
    tabStorage.remove(MESSAGE_KEY)
    toast(message, { lasting: true })
  }, [])

  if (signedIn && phase === 'ready' && !returned) {
    if (again) return <BackToOtherTab />
    return <Navigate to={returnTo ?? PATHS.dashboard} replace />
  }

  const start = async () => {
    if (phase !== 'ready' || !online) return
    for (const notice of store.getNotices()) {
      if (notice.action === 'signIn') store.dismiss(notice.id)
    }
    setPhase('leaving')
    await store.beginSignIn(returnTo ?? PATHS.dashboard)
    // The redirect takes a moment; only a failure enables the button again.
    if (store.getNotices().some((notice) => notice.action === 'signIn')) setPhase('ready')
  }

  return (
    <div className="card centre-card login">
      <ShieldCheck className="art" strokeWidth={1.5} />
      <h2>{messages.login.heading}</h2>
      {problem !== undefined && phase === 'ready' && (
        <Suspense>
          <LoginProblem problem={problem} />
        </Suspense>
      )}
      {returnTo !== undefined && !again && problem === undefined && (
        <p>{messages.login.required}</p>
      )}
      <p className="muted">{online ? messages.login.text : messages.login.offline}</p>
      <Button
        look="primary large"
        aria-disabled={phase !== 'ready' || !online}
        onClick={() => void start()}
      >
        {phase !== 'ready' && <Spinner />}
        <Unbroken
          text={phase === 'ready' ? messages.login.button(provider) : messages.login[phase]}
        />
      </Button>
      <output className="visually-hidden">{phase === 'ready' ? '' : messages.login[phase]}</output>
    </div>
  )
}

const BackToOtherTab = () => {
  const { login, notFound } = useMessages()
  return (
    <div className="card centre-card login">
      <ShieldCheck className="art" strokeWidth={1.5} />
      <h2>{login.againTitle}</h2>
      <p>{login.again}</p>
      <Link className="button" to={PATHS.dashboard}>
        {notFound.dashboard}
      </Link>
    </div>
  )
}

/** A text that wraps only between words, not at hyphens. */
const Unbroken = ({ text }: { readonly text: string }) => (
  <span>
    {text.split(/(\S+-\S+)/).map((part) =>
      part.includes('-') ? (
        <span key={part} className="unbroken">
          {part}
        </span>
      ) : (
        part
      ),
    )}
  </span>
)

const readReturnTo = (state: unknown): string | undefined =>
  typeof state === 'object' &&
  state !== null &&
  'returnTo' in state &&
  typeof state.returnTo === 'string'
    ? state.returnTo
    : undefined
