import { useEffect, useRef, useState, type SubmitEvent } from 'react'

import { FEED_ACTIONS } from '#domain/import.ts'
import type { FeedView, Imports, Problem } from '../../data/state.ts'
import { fieldErrorText, useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useIsMounted } from '../shared/use-is-mounted.ts'

type FeedAction = (typeof FEED_ACTIONS)[number]

interface FormProps {
  readonly calls: Imports
  readonly onClose: () => void
  /** `isOpen` is false if the form was closed meanwhile. */
  readonly onAdded: (isOpen: boolean) => void
}

/** A new feed: its URL, its token, and the actions that it may take automatically. */
export const FeedForm = ({ calls, onClose, onAdded }: FormProps) => {
  const messages = useMessages()
  const text = messages.imports
  const [values, setValues] = useState({ name: '', url: '', token: '' })
  const [apply, setApply] = useState<readonly FeedAction[]>([])
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const isMounted = useIsMounted()
  const first = useRef<HTMLInputElement>(null)
  const address = useRef<HTMLInputElement>(null)
  // The button that opens the form disappears, and would take the focus with it.
  useEffect(() => first.current?.focus(), [])
  const isAddress = /^https?:\/\/./i.test(values.url.trim())
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    setProblem(undefined)
    if (!isAddress) address.current?.focus()
    if (!isAddress || isBusy) return
    setBusy(true)
    const missing = apply.includes('MISSING') ? 'REMOVE' : 'KEEP'
    const answer = await calls.addFeed({ ...values, url: values.url.trim(), apply, missing })
    setBusy(false)
    if (answer.problem === undefined) onAdded(isMounted())
    else setProblem(answer.problem)
  }
  const field = (name: keyof typeof values) => {
    const error = problem?.fields[name]
    return {
      value: values[name],
      readOnly: isBusy,
      error: error && fieldErrorText(messages, name, error),
      onChange: (event: { target: { value: string } }) =>
        setValues({ ...values, [name]: event.target.value }),
    }
  }
  return (
    <form className="feed-form stack" noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        ref={first}
        label={text.feedName}
        hint={text.feedNameHint}
        optional
        {...field('name')}
      />
      <TextField
        ref={address}
        label={text.url}
        hint={text.urlHint}
        type="url"
        {...field('url')}
        {...(isTried && !isAddress && { error: text.urlMissing })}
      />
      <TextField
        label={text.token}
        hint={text.tokenHint}
        optional
        type="password"
        {...field('token')}
      />
      <Rules apply={apply} onChange={setApply} />
      {problem !== undefined && (
        <Banner tone="danger" title={text.feedNotSaved}>
          {messages.problems[problem.kind]}
        </Banner>
      )}
      <div className="field-actions">
        <Button onClick={onClose}>{messages.actions.cancel}</Button>
        <Button type="submit" look="primary" aria-disabled={isBusy}>
          {isBusy && <Spinner />}
          {text.addFeed}
        </Button>
      </div>
    </form>
  )
}

interface RulesProps {
  readonly apply: readonly FeedAction[]
  readonly onChange: (apply: readonly FeedAction[]) => void
}

const Rules = ({ apply, onChange }: RulesProps) => {
  const text = useMessages().imports
  return (
    <fieldset className="field">
      <legend>{text.feedRules}</legend>
      <p className="hint">{text.feedRulesHint}</p>
      <div className="choices">
        {FEED_ACTIONS.map((action) => (
          <label key={action} className="choice">
            <input
              type="checkbox"
              checked={apply.includes(action)}
              onChange={(event) =>
                onChange(
                  event.target.checked
                    ? [...apply, action]
                    : apply.filter((each) => each !== action),
                )
              }
            />
            {text.feedApply[action]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface SettingsProps {
  readonly feed: FeedView
  readonly calls: Imports
  readonly onSaved: () => Promise<void>
}

/**
 * The actions that a feed may take automatically. A choice is shown immediately, and sent in order: on a slow
 * connection, the next choice would otherwise undo the one before.
 */
const useApply = ({
  feed,
  calls,
  onSaved,
  fail,
}: SettingsProps & { readonly fail: (problem: Problem) => void }) => {
  const [chosen, setChosen] = useState<readonly FeedAction[]>()
  const sending = useRef(Promise.resolve())
  const send = async (apply: readonly FeedAction[]) => {
    const missing = apply.includes('MISSING') ? 'REMOVE' : 'KEEP'
    const { problem } = await calls.changeFeed(feed.id, { apply, missing })
    if (problem !== undefined) fail(problem)
    await onSaved()
    // A later choice is still to be sent.
    setChosen((now) => (now === apply ? undefined : now))
  }
  return {
    apply: chosen ?? feed.apply,
    setApply: (apply: readonly FeedAction[]) => {
      setChosen(apply)
      sending.current = sending.current.then(() => send(apply))
    },
  }
}

/** The settings of a feed that can be changed. Its URL is fixed, because another URL must not receive the token. */
export const FeedSettings = ({ feed, calls, onSaved }: SettingsProps) => {
  const messages = useMessages()
  const text = messages.imports
  const [token, setToken] = useState('')
  const fail = (problem: Problem) =>
    toast(messages.about(text.feedNotSaved, messages.problems[problem.kind]))
  const { apply, setApply } = useApply({ feed, calls, onSaved, fail })
  const saveToken = async (event: SubmitEvent) => {
    event.preventDefault()
    const { problem } = await calls.setFeedToken(feed.id, token)
    if (problem !== undefined) return fail(problem)
    setToken((now) => (now === token ? '' : now))
    toast(text.tokenSaved)
    await onSaved()
  }
  return (
    <>
      <Rules apply={apply} onChange={setApply} />
      <form className="stack" noValidate onSubmit={(event) => void saveToken(event)}>
        <TextField
          label={text.newToken}
          hint={text.tokenHint}
          type="password"
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
        <div className="field-actions">
          <Button type="submit" disabled={token === ''}>
            {text.saveToken}
          </Button>
        </div>
      </form>
    </>
  )
}
