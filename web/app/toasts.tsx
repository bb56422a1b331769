import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'

import { useNotices, usePendingDeletes, useStore } from '../data/react.ts'
import type { Action, Notice } from '../data/state.ts'
import { useMessages } from '../messages/messages.ts'
import '../ui/overlays.css'
import { dismissToast, getToasts, subscribeToasts } from '../ui/toast.ts'

/** Messages at the edge of the screen: what can be undone, what failed elsewhere, what was done. */
export const Toasts = ({ hidden }: { readonly hidden: readonly Action[] }) => {
  const messages = useMessages()
  const store = useStore()
  const pending = usePendingDeletes()
  const notices = useNotices().filter((notice) => isForShell(notice, hidden))
  const toasts = useSyncExternalStore(subscribeToasts, getToasts)

  return (
    <section className="toasts" aria-label={messages.shell.notifications} aria-live="polite">
      {notices.map((notice) => (
        <div key={notice.id} className="toast" role="alert">
          <p>
            {messages.failed[notice.action]} {messages.problems[notice.problem.kind]}
          </p>
          {notice.retry !== undefined && (
            <button
              type="button"
              className="button"
              onClick={() => {
                store.dismiss(notice.id)
                notice.retry?.()
              }}
            >
              {messages.actions.retry}
            </button>
          )}
          <DismissButton onClick={() => store.dismiss(notice.id)} />
        </div>
      ))}
      {pending.map(({ id, name }) => (
        <div
          key={id}
          className="toast"
          // Whoever is looking at the offer is not hurried.
          onPointerEnter={() => store.holdDelete(id, true)}
          onPointerLeave={() => store.holdDelete(id, false)}
          onFocus={() => store.holdDelete(id, true)}
          onBlur={() => store.holdDelete(id, false)}
        >
          <p>{messages.dashboard.deleted(name)}</p>
          <button type="button" className="button" onClick={() => store.undoDelete(id)}>
            {messages.actions.undo}
          </button>
        </div>
      ))}
      {toasts.map(({ id, text }) => (
        <div key={id} className="toast">
          <p>{text}</p>
          <DismissButton onClick={() => dismissToast(id)} />
        </div>
      ))}
    </section>
  )
}

const isForShell = (notice: Notice, hidden: readonly Action[]): boolean =>
  !hidden.includes(notice.action) &&
  // The dialog over the page says that the session ran out.
  notice.problem.kind !== 'signedOut' &&
  // Nobody asked for that by hand, and nothing is lost by its failing: the next sign-in repeats it.
  notice.action !== 'updateUser'

const DismissButton = ({ onClick }: { readonly onClick: () => void }) => {
  const messages = useMessages()
  return (
    <button
      type="button"
      className="button icon-only"
      aria-label={messages.actions.dismiss}
      onClick={onClick}
    >
      <X className="icon" aria-hidden="true" />
    </button>
  )
}
