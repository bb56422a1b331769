import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'

import { hasExpired, readMailLink, type MailLink } from '../../data/mail-links.ts'
import { useSettings } from '../../settings.ts'

/** The state of a page that an email links to. */
export type LinkState =
  /** The token is being removed from the address, or the expiry is being checked with the server. */
  | { readonly kind: 'moving' }
  | { readonly kind: 'done' }
  | { readonly kind: 'broken' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'ready'; readonly link: MailLink }

/**
 * Reads the link that a page was opened with. Its token gives access to an account, so it must not stay in the address,
 * where analytics, screenshots and other people would see it. It moves to the history state, which survives a reload.
 * @param path the path of the page without a token
 */
export const useMailLink = (path: string): { state: LinkState; finish: () => void } => {
  const { token } = useParams()
  const { state } = useLocation()
  const navigate = useNavigate()

  useEffect(() => {
    if (token !== undefined) void navigate(path, { replace: true, state: { token } })
  }, [token, path, navigate])

  const basePath = useSettings()['base-path']
  const found: LinkState = token === undefined ? readState(state) : { kind: 'moving' }
  const expiresMs = found.kind === 'ready' ? found.link.expiresMs : undefined
  const [judged, setJudged] = useState<{ expiresMs: number; isExpired: boolean }>()
  const judge = (): LinkState => {
    if (expiresMs === undefined) return found
    if (judged?.expiresMs !== expiresMs) return { kind: 'moving' }
    return judged.isExpired ? { kind: 'expired' } : found
  }
  useEffect(() => {
    if (expiresMs === undefined) return
    void hasExpired(basePath, expiresMs).then((isExpired) => setJudged({ expiresMs, isExpired }))
  }, [basePath, expiresMs])

  return {
    state: judge(),
    finish: () => void navigate(path, { replace: true, state: { done: true } }),
  }
}

const readState = (state: unknown): LinkState => {
  if (typeof state !== 'object' || state === null) return { kind: 'broken' }
  if ('done' in state) return { kind: 'done' }
  const token = 'token' in state && typeof state.token === 'string' ? state.token : ''
  const link = readMailLink(token)
  return link === undefined ? { kind: 'broken' } : { kind: 'ready', link }
}
