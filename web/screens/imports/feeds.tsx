import { Pause, Play, Plus, RefreshCw, Settings, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { isWorkedOn, type FeedState } from '#domain/import.ts'
import type { Answer, FeedView, Imports, ImportView } from '../../data/state.ts'
import { formatRecentTime } from '../../format/date-time.ts'
import { useLanguage, useMessages, type Messages } from '../../messages/messages.ts'
import { importPath } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { plainText, UserText } from '../../ui/user-text.tsx'
import { useIsMounted } from '../shared/use-is-mounted.ts'
import { FeedForm, FeedSettings } from './feed-form.tsx'
import { describeProblem } from './describe.ts'
import { needsReview } from './row-filter.ts'

const TONES: Readonly<Record<FeedState, string>> = {
  OK: 'ok',
  NEEDS_REVIEW: 'warn',
  FAILING: 'warn',
  DEAD: 'danger',
}

interface Props {
  readonly calls: Imports
  /** Undefined until they are loaded. */
  readonly feeds: readonly FeedView[] | undefined
  readonly imports: readonly ImportView[] | undefined
  readonly refresh: () => Promise<void>
}

/** The feeds, which the server reads every night, with the state of each. */
export const Feeds = ({ calls, feeds = [], imports = [], refresh }: Props) => {
  const text = useMessages().imports
  const [isAdding, setAdding] = useState(false)
  const add = useRef<HTMLButtonElement>(null)
  const goToAdd = () => requestAnimationFrame(() => add.current?.focus())
  const close = () => {
    setAdding(false)
    goToAdd()
  }
  return (
    <section className="card form-section" aria-labelledby="feeds-title">
      <h2 id="feeds-title">{text.feedsTitle}</h2>
      <p className="muted">{text.feedsText}</p>
      {feeds.length > 0 && (
        <ul className="feeds">
          {feeds.map((feed) => (
            <Feed
              key={feed.id}
              feed={feed}
              latest={imports.find((item) => item.feed === feed.id)}
              calls={calls}
              onChanged={refresh}
              onRemoved={goToAdd}
            />
          ))}
        </ul>
      )}
      {isAdding ? (
        <FeedForm
          calls={calls}
          onClose={close}
          onAdded={(isOpen) => {
            if (isOpen) close()
            void refresh()
            toast(text.feedAdded)
          }}
        />
      ) : (
        <Button ref={add} onClick={() => setAdding(true)}>
          <Plus className="icon" />
          {text.addFeed}
        </Button>
      )}
    </section>
  )
}

interface FeedProps {
  readonly feed: FeedView
  /** The newest import of the feed. */
  readonly latest: ImportView | undefined
  readonly calls: Imports
  readonly onChanged: () => Promise<void>
  readonly onRemoved: () => void
}

const Feed = ({ feed, latest, calls, onChanged, onRemoved }: FeedProps) => {
  const messages = useMessages()
  const text = messages.imports
  const [isOpen, setOpen] = useState(false)
  const name = plainText(feed.name || feed.url)
  const act = async <T,>(work: Promise<Answer<T>>): Promise<T | undefined> => {
    const { value, problem } = await work
    if (problem !== undefined)
      toast(messages.about(text.feedNotSaved, messages.problems[problem.kind]))
    await onChanged()
    return value
  }
  const [isAsked, setAsked] = useState(false)
  const read = async () => {
    setAsked(true)
    await act(calls.readFeed(feed.id))
    setAsked(false)
  }
  const isRead = isAsked || (latest !== undefined && isWorkedOn(latest.state))
  return (
    <li className="feed">
      <h3>
        <UserText text={name} />
      </h3>
      {feed.name !== '' && (
        <p className="muted feed-url">
          <UserText text={feed.url} />
        </p>
      )}
      <Health feed={feed} latest={latest} />
      <div className="field-actions">
        <Review feed={feed} latest={latest} name={name} calls={calls} act={act} />
        <Button
          aria-label={text.feedFor(text.readFeed, name)}
          aria-disabled={isRead}
          onClick={() => {
            if (!isRead) void read()
          }}
        >
          {isRead ? <Spinner /> : <RefreshCw className="icon" />}
          {text.readFeed}
        </Button>
        <Button
          aria-expanded={isOpen}
          aria-label={text.feedFor(text.settings, name)}
          onClick={() => setOpen(!isOpen)}
        >
          <Settings className="icon" />
          {text.settings}
        </Button>
      </div>
      {isOpen && (
        <div className="feed-form stack">
          <FeedSettings feed={feed} calls={calls} onSaved={onChanged} />
          <div className="field-actions">
            <Pausing
              feed={feed}
              name={name}
              onChange={(is_active) => void act(calls.changeFeed(feed.id, { is_active }))}
            />
            <Removing
              name={name}
              onRemove={async () => {
                await act(calls.removeFeed(feed.id))
                onRemoved()
              }}
            />
          </div>
        </div>
      )}
    </li>
  )
}

interface ReviewProps extends Pick<FeedProps, 'feed' | 'latest' | 'calls'> {
  readonly name: string
  readonly act: <T>(work: Promise<Answer<T>>) => Promise<T | undefined>
}

/**
 * Links to the import that waits for a review. If only the last nightly reading needs one, reads the feed again first.
 */
const Review = ({ feed, latest, calls, name, act }: ReviewProps) => {
  const text = useMessages().imports
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  const label = text.feedFor(text.review, name)
  if (latest !== undefined && needsReview(latest))
    return (
      <Link className="button" to={importPath(latest.id)} aria-label={label}>
        {text.review}
      </Link>
    )
  if (feed.state !== 'NEEDS_REVIEW' || !feed.is_active) return null
  const read = async () => {
    const begun = await act(calls.readFeed(feed.id))
    if (begun !== undefined && isMounted()) await navigate(importPath(begun.id))
  }
  return (
    <Button aria-label={label} onClick={() => void read()}>
      {text.review}
    </Button>
  )
}

interface PausingProps extends Pick<FeedProps, 'feed'> {
  readonly name: string
  readonly onChange: (isActive: boolean) => void
}

const Pausing = ({ feed, name, onChange }: PausingProps) => {
  const text = useMessages().imports
  const label = feed.is_active ? text.pause : text.resume
  const Icon = feed.is_active ? Pause : Play
  return (
    <Button aria-label={text.feedFor(label, name)} onClick={() => onChange(!feed.is_active)}>
      <Icon className="icon" />
      {label}
    </Button>
  )
}

interface RemovingProps {
  readonly name: string
  readonly onRemove: () => Promise<void>
}

const Removing = ({ name, onRemove }: RemovingProps) => {
  const messages = useMessages()
  const text = messages.imports
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button aria-label={text.feedFor(text.removeFeed, name)} onClick={() => setAsked(true)}>
        <Trash2 className="icon" />
        {text.removeFeed}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={text.removeFeedTitle(name)}
          cancel={messages.actions.cancel}
          onCancel={() => setAsked(false)}
          confirm={text.removeFeed}
          onConfirm={() => {
            setAsked(false)
            void onRemove()
          }}
          tone="danger"
        >
          {text.removeFeedText}
        </ConfirmDialog>
      )}
    </>
  )
}

/** The state of a feed in one line: whether it works, when it was read, and whether it needs a review. */
const Health = ({ feed, latest }: Pick<FeedProps, 'feed' | 'latest'>) => {
  const { messages, locale } = useLanguage()
  const text = messages.imports
  const [now] = useState(Date.now)
  const when = (at: string): string => formatRecentTime(Date.parse(at), now, locale)
  const { last_read, last_changed, problem } = feed
  const [tone, says] = statusOf(text, feed, latest)
  return (
    // Announces the outcome to the user who has started the reading.
    <output className="feed-health">
      <span className="feed-status">
        <span className={`badge ${tone}`}>{says}</span>
        <span className="muted">
          {last_read === '' ? text.neverRead : text.lastRead(when(last_read))}
          {last_changed !== '' && ` · ${text.lastChanged(when(last_changed))}`}
        </span>
      </span>
      {problem !== null && <span>{describeProblem(messages, problem, locale)}</span>}
    </output>
  )
}

const statusOf = (
  text: Messages['imports'],
  { is_active, state }: FeedView,
  latest: ImportView | undefined,
): readonly [tone: string, says: string] => {
  if (latest !== undefined && isWorkedOn(latest.state))
    return ['info', latest.state === 'READING' ? text.reading : text.running]
  if (latest !== undefined && needsReview(latest))
    return [TONES.NEEDS_REVIEW, text.feedStates.NEEDS_REVIEW]
  return is_active ? [TONES[state], text.feedStates[state]] : ['', text.feedPaused]
}
