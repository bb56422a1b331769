import { X } from 'lucide-react'
import { Suspense, useEffect, useRef, useSyncExternalStore, type FocusEvent } from 'react'
import { Link } from 'react-router'

import { lazyComponent } from '../browser/lazy-component.ts'
import { useBulkUpdate, useNotices, usePendingDeletes, useStore } from '../data/react.ts'
import type { Action, Notice } from '../data/state.ts'
import { failureText } from '../messages/fields.ts'
import { useMessages } from '../messages/messages.ts'
import { newVersion } from '../offline/newer.ts'
import '../ui/overlays.css'
import { formPath } from '../paths.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { dismissToast, pauseToast, toasts } from '../ui/toast.ts'
import { plainText } from '../ui/user-text.tsx'
import { unsavedForms } from '../browser/unsaved.ts'

const BulkToast = lazyComponent(
  async () => (await import('../screens/shared/bulk-toast.tsx')).BulkToast,
  ['owner', 'many', 'form'],
)

/** Toasts: deletes that can be undone, failures on other screens, confirmations. */
export const Toasts = ({ hidden }: { readonly hidden: readonly Action[] }) => {
  const messages = useMessages()
  const store = useStore()
  const pending = usePendingDeletes()
  const bulkUpdate = useBulkUpdate()
  const notices = useNotices().filter((notice) => isForShell(notice, hidden))
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get)
  const keepFocus = useKeptFocus()
  const isNewer = useSyncExternalStore(newVersion.subscribe, newVersion.get)
  const unsaved = useSyncExternalStore(unsavedForms.subscribe, unsavedForms.get)

  return (
    <section
      className="toasts"
      aria-label={messages.shell.notifications}
      aria-live="polite"
      aria-keyshortcuts="F6"
      {...keepFocus}
    >
      {notices.map((notice) => (
        <div key={notice.id} className="toast" role="alert">
          <p>
            {failureText(messages, notice.action, notice.collection)}{' '}
            {messages.problems[notice.problem.kind]}
          </p>
          {notice.form !== undefined && (
            <Link
              className="button"
              to={formPath(notice.form.name, notice.form.isNew)}
              onClick={() => store.dismiss(notice.id)}
            >
              {messages.actions.edit}
            </Link>
          )}
          {notice.retry !== undefined && (
            <Button
              onClick={() => {
                store.dismiss(notice.id)
                notice.retry?.()
              }}
            >
              {messages.actions.retry}
            </Button>
          )}
          <DismissButton onClick={() => store.dismiss(notice.id)} />
        </div>
      ))}
      {pending.map(({ id, name }) => (
        <div key={id} className="toast" {...pausing((isPaused) => store.pauseDelete(id, isPaused))}>
          <p>{messages.shell.deleted(plainText(name))}</p>
          <Button onClick={() => store.undoDelete(id)}>{messages.actions.undo}</Button>
        </div>
      ))}
      {bulkUpdate !== undefined && (
        <Suspense>
          <BulkToast key={bulkUpdate.id} update={bulkUpdate} />
        </Suspense>
      )}
      {isNewer && unsaved === 0 && (
        <div className="toast">
          <p>{messages.shell.newVersion}</p>
          <Button onClick={() => location.reload()}>{messages.crash.reload}</Button>
        </div>
      )}
      {shown.map(({ id, text, action }) => (
        <div key={id} className="toast" {...pausing((isPaused) => pauseToast(id, isPaused))}>
          <p>{text}</p>
          {action !== undefined && (
            <Button
              onClick={() => {
                dismissToast(id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          )}
          <DismissButton onClick={() => dismissToast(id)} />
        </div>
      ))}
    </section>
  )
}

/** Hovering or focusing pauses the time of a toast. */
const pausing = (pause: (isPaused: boolean) => void) => ({
  onPointerEnter: () => pause(true),
  onPointerLeave: () => pause(false),
  onFocus: () => pause(true),
  onBlur: () => pause(false),
})

/** When a focused toast disappears, the focus returns to its former element, or to the page. */
const useKeptFocus = () => {
  const cameFrom = useRef<Element | null>(null)
  const isInside = useRef(false)
  useEffect(() => {
    const { activeElement } = document
    if (!isInside.current || (activeElement !== null && activeElement !== document.body)) return
    isInside.current = false
    const before = cameFrom.current
    const isThere = before instanceof HTMLElement && before.isConnected
    const target = isThere ? before : document.getElementById('main')
    target?.focus({ preventScroll: true })
  })
  return {
    onFocus: ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
      isInside.current = true
      if (relatedTarget !== null && !currentTarget.contains(relatedTarget))
        cameFrom.current = relatedTarget
    },
    onBlur: ({ relatedTarget }: FocusEvent<HTMLElement>) => {
      // A focused button that is removed has no `relatedTarget`.
      if (relatedTarget !== null) isInside.current = false
    },
  }
}

const isForShell = (notice: Notice, hidden: readonly Action[]): boolean =>
  // A refused queued write has a `form`, and is always shown.
  (notice.form !== undefined || !hidden.includes(notice.action)) &&
  // The dialog over the page reports an expired session.
  notice.problem.kind !== 'signedOut' &&
  // A background call. Nothing is lost, and the next sign-in repeats it.
  notice.action !== 'updateUser'

const DismissButton = ({ onClick }: { readonly onClick: () => void }) => {
  const messages = useMessages()
  return <IconButton icon={X} label={messages.actions.dismiss} onClick={onClick} />
}
