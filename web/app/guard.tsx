import { use, useState, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'

import { useExpired, useSignedIn, useStore } from '../data/react.ts'
import { PATHS } from '../paths.ts'

/** Redirects guests to Login, which redirects back after the sign-in. */
export const Guard = ({ children }: { readonly children: ReactNode }) => {
  // A change of the query keeps the screen and its state.
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
  // If the session expires under an open page, the page stays: the shell offers to sign in again.
  if (!signedIn && !expired) return <Navigate to={PATHS.login} replace />
  return <Ready>{children}</Ready>
}

/** The calls of owners load with the first session; their screens suspend until then. */
const Ready = ({ children }: { readonly children: ReactNode }) => {
  const store = useStore()
  if (!store.isReady()) use(store.ready())
  return children
}
