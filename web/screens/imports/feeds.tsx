import { Pause, Play, Plus, RefreshCw, Settings, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'

import type { FeedState } from '#domain/import.ts'
import type { Answer, FeedView, Imports, Problem } from '../../data/state.ts'
import { dayAndClock } from '../../format/when.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { Question } from '../../ui/question.tsx'
import { toast } from '../../ui/toast.ts'
import { plainText, UserText } from '../../ui/user-text.tsx'
import { FeedForm, FeedSettings } from './feed-form.tsx'
import { wordProblem } from './words.ts'

const TONES: Readonly<Record<FeedState, string>> = {
  OK: 'ok',
  NEEDS_REVIEW: 'warn',
  FAILING: 'warn',
  DEAD: 'danger',
}

/** Addresses that the server reads every night, with how each is doing. */
export const Feeds = ({ calls }: { readonly calls: Imports }) => {
  const messages = useMessages()
  const text = messages.imports
  const { feeds, problem, refresh } = useFeeds(calls)
  const [isAdding, setAdding] = useState(false)
  const add = useRef<HTMLButtonElement>(null)
  const close = () => {
    setAdding(false)
    requestAnimationFrame(() => add.current?.focus())
  }
  return (
    <section className="card form-section" aria-labelledby="feeds-title">
      <h2 id="feeds-title">{text.feedsTitle}</h2>
      <p className="muted">{text.feedsText}</p>
      {problem !== undefined && (
        <Banner
          tone="warn"
          actions={
            <button type="button" className="button" onClick={refresh}>
              {messages.actions.retry}
            </button>
          }
        >
          {messages.problems[problem.kind]}
        </Banner>
      )}
      {feeds !== undefined && feeds.length > 0 && (
        <ul className="feeds">
          {feeds.map((feed) => (
            <Feed key={feed.id} feed={feed} calls={calls} onChanged={refresh} />
          ))}
        </ul>
      )}
      {isAdding ? (
        <FeedForm
          calls={calls}
          onClose={close}
          onAdded={() => {
            close()
            refresh()
            toast(text.feedAdded)
          }}
        />
      ) : (
        <button
          ref={add}
          type="button"
          className="button import-add-feed"
          onClick={() => setAdding(true)}
        >
          <Plus className="icon" aria-hidden="true" />
          {text.addFeed}
        </button>
      )}
    </section>
  )
}

const useFeeds = (calls: Imports) => {
  const [feeds, setFeeds] = useState<readonly FeedView[]>()
  const [problem, setProblem] = useState<Problem>()
  const refresh = useCallback(() => {
    void calls.feeds().then((answer) => {
      setProblem(answer.problem)
      if (answer.value !== undefined) setFeeds(answer.value)
    })
  }, [calls])
  useEffect(refresh, [refresh])
  return { feeds, problem, refresh }
}

interface FeedProps {
  readonly feed: FeedView
  readonly calls: Imports
  readonly onChanged: () => void
}

const Feed = ({ feed, calls, onChanged }: FeedProps) => {
  const messages = useMessages()
  const text = messages.imports
  const [isOpen, setOpen] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const name = plainText(feed.name || feed.url)
  const act = async (work: Promise<Answer<unknown>>) => {
    const { problem } = await work
    if (problem !== undefined) toast(`${text.feedNotSaved}: ${messages.problems[problem.kind]}`)
    onChanged()
  }
  const button = (label: string, Icon: typeof Pause, onClick: () => void) => (
    <button
      type="button"
      className="button"
      aria-label={text.feedFor(label, name)}
      onClick={onClick}
    >
      <Icon className="icon" aria-hidden="true" />
      {label}
    </button>
  )
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
      <Health feed={feed} />
      <div className="field-actions">
        {button(text.readFeed, RefreshCw, () => void act(calls.readFeed(feed.id)))}
        {feed.is_active
          ? button(
              text.pause,
              Pause,
              () => void act(calls.changeFeed(feed.id, { is_active: false })),
            )
          : button(
              text.resume,
              Play,
              () => void act(calls.changeFeed(feed.id, { is_active: true })),
            )}
        <button
          type="button"
          className="button"
          aria-expanded={isOpen}
          aria-label={text.feedFor(text.settings, name)}
          onClick={() => setOpen(!isOpen)}
        >
          <Settings className="icon" aria-hidden="true" />
          {text.settings}
        </button>
        {button(text.removeFeed, Trash2, () => setRemoving(true))}
      </div>
      {isOpen && <FeedSettings feed={feed} calls={calls} onSaved={onChanged} />}
      {isRemoving && (
        <Question
          isOpen
          title={text.removeFeedTitle(name)}
          cancel={messages.actions.cancel}
          onCancel={() => setRemoving(false)}
          confirm={text.removeFeed}
          onConfirm={() => {
            setRemoving(false)
            void act(calls.removeFeed(feed.id))
          }}
          tone="danger"
        >
          {text.removeFeedText}
        </Question>
      )}
    </li>
  )
}

/** In one line: whether it works, when it was read, and whether it needs a person. */
const Health = ({ feed }: Pick<FeedProps, 'feed'>) => {
  const { messages, locale } = useLanguage()
  const text = messages.imports
  const [now] = useState(Date.now)
  const when = (at: string): string => dayAndClock(Date.parse(at), now, locale)
  const { state, is_active, last_read, last_changed, problem } = feed
  return (
    <>
      <p className="feed-health">
        <span className={`badge ${is_active ? TONES[state] : ''}`}>
          {is_active ? text.feedStates[state] : text.feedPaused}
        </span>
        <span className="muted">
          {last_read === '' ? text.neverRead : text.lastRead(when(last_read))}
          {last_changed !== '' && ` · ${text.lastChanged(when(last_changed))}`}
        </span>
      </p>
      {problem !== null && <p>{wordProblem(messages, problem, locale)}</p>}
    </>
  )
}
