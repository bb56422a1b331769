import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'

import { useStore } from '../../data/react.ts'
import type { BulkUpdate, RefusedSite } from '../../data/state.ts'
import { fieldErrorText, useMessages, type Messages } from '../../messages/messages.ts'
import { editSitePath } from '../../paths.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { UserText } from '../../ui/user-text.tsx'
import './bulk-toast.css'

/** How long a bulk update can be undone, in milliseconds. */
const OFFERED_MS = 8000
/** Up to this number of sites no progress is shown, because it would only flash. */
const AT_ONCE = 100
/** Time without progress after which the changes are shown as waiting, in milliseconds. */
const STALLED_MS = 4000
/** Maximum number of refused sites in the list. */
const MAX_LISTED = 100

/** The progress of a bulk update, the refused sites, and an undo. */
export const BulkToast = ({ update }: { readonly update: BulkUpdate }) => {
  const messages = useMessages()
  const store = useStore()
  const [isHeld, setHeld] = useState(false)
  const { settled, total, isDone, isUndo, refused } = update
  const text = messages.many
  const field = update.fields.map((name) => messages.fields.sites[name]).join(', ')
  const changed = total - refused.length
  const [stalledAt, setStalledAt] = useState<number>()
  const isStalled = !isDone && stalledAt === settled
  useEffect(() => {
    const timer = setTimeout(() => setStalledAt(settled), STALLED_MS)
    return () => clearTimeout(timer)
  }, [settled])
  const isOver = isDone && refused.length === 0
  useEffect(() => {
    if (!isOver || isHeld) return
    const timer = setTimeout(store.dismissBulkUpdate, OFFERED_MS)
    return () => clearTimeout(timer)
  }, [isOver, isHeld, store])

  return (
    <div
      className="toast bulk-toast"
      // Hovering or focusing pauses the timeout.
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {isDone || (total <= AT_ONCE && !isStalled) ? (
        <p>{isUndo ? text.undone : messages.about(field, text.done(changed))}</p>
      ) : (
        <p className="bulk-progress" aria-live="off">
          <span id="bulk-progress">
            {isUndo
              ? text.undoing(settled, total)
              : messages.about(field, text.progress(settled, total))}
          </span>
          <progress value={settled} max={total} aria-labelledby="bulk-progress" />
          {isStalled && messages.drafts.waiting}
        </p>
      )}
      {!isUndo && <Button onClick={store.undoUpdateSites}>{messages.actions.undo}</Button>}
      {isDone && (
        <IconButton icon={X} label={messages.actions.dismiss} onClick={store.dismissBulkUpdate} />
      )}
      {refused.length > 0 && (
        <details>
          <summary>{text.refused(refused.length)}</summary>
          <ul>
            {refused.slice(0, MAX_LISTED).map((site) => (
              <li key={site.id}>
                <Link to={editSitePath(site.id)}>
                  <UserText text={site.name} />
                </Link>{' '}
                {reasonOf(messages, site)}
              </li>
            ))}
            {refused.length > MAX_LISTED && <li>{text.more(refused.length - MAX_LISTED)}</li>}
          </ul>
        </details>
      )}
    </div>
  )
}

const reasonOf = (messages: Messages, { problem }: RefusedSite): string => {
  const [name, error] = Object.entries(problem.fields)[0] ?? []
  return name === undefined || error === undefined
    ? messages.problems[problem.kind]
    : fieldErrorText(messages, name, error)
}
