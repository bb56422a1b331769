import { use, useState, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'

import { useExpired, useSignedIn, useStore } from '../data/react.ts'
import { PATHS } from '../paths.ts'

/** Sends people who are not signed in to Login, which brings them back to where they wanted to go. */
export const Guard = ({ children }: { readonly children: ReactNode }) => {
  // Another query is the same screen, which keeps what it holds.
  const { pathname } = useLocation()
  return <Entry key={pathname}>{children}</Entry>
}

const Entry = ({ children }: { readonly children: ReactNode }) => {
  const signedIn = useSignedIn()
  const expired = useExpired()
  const { pathname, search } = useLocation()
  const [admitted] = useState(signedIn)

  if (!admitted) {
    return <Navigate to={PATHS.login} replace state={{ returnTo: pathname + search }} />
  }
  // A session that ran out under an open page keeps the page: the shell asks to sign in again.
  if (!signedIn && !expired) return <Navigate to={PATHS.login} replace />
  return <Ready>{children}</Ready>
}

/** What owners do is fetched with the first session; no screen of theirs is shown without it. */
const Ready = ({ children }: { readonly children: ReactNode }) => {
  const store = useStore()
  if (!store.isReady()) use(store.ready())
  return children
}
