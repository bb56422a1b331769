import { CircleCheck, KeyRound } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import { Link } from 'react-router'

import { PASSWORD_LIMITS, passwordProblem } from '#domain/password.ts'
import { useSettings } from '../../settings.ts'
import { setNewPassword, type LinkOutcome, type MailLink } from '../../data/mail-links.ts'
import { useMessages, type Messages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { useFocusAfterSubmit } from '../../ui/form.ts'
import { PATHS } from '../../paths.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import './account.css'
import { PasswordSkeleton } from './password-skeleton.tsx'
import { MessageCard } from '../../ui/message-card.tsx'
import { DeadLink } from './dead-link.tsx'
import { useMailLink } from './use-mail-link.ts'

/** The target of the link in password emails: sets a new password. */
export const NewPassword = () => {
  const { account } = useMessages()
  const { state, finish } = useMailLink(PATHS.newPassword)
  switch (state.kind) {
    case 'moving':
      return <PasswordSkeleton />
    case 'ready':
      return <PasswordForm link={state.link} finish={finish} />
    case 'done':
      return <PasswordSet />
    default:
      return <DeadLink kind={state.kind} usedText={account.usedForPassword} />
  }
}

interface Entry {
  readonly password: string
  readonly repeated: string
}
type EntryErrors = Partial<Record<keyof Entry, string>>

const PasswordForm = ({
  link,
  finish,
}: {
  readonly link: MailLink
  readonly finish: () => void
}) => {
  const messages = useMessages()
  const text = messages.account
  const basePath = useSettings()['base-path']
  const form = useRef<HTMLFormElement>(null)
  const [entry, setEntry] = useState<Entry>({ password: '', repeated: '' })
  // No errors are shown before the first attempt.
  const [attempts, setAttempts] = useState(0)
  const [sending, setSending] = useState(false)
  const [outcome, setOutcome] = useState<LinkOutcome>()
  const errors = attempts > 0 ? findErrors(messages, entry) : {}

  useFocusAfterSubmit(form, attempts)

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (sending) return
    setAttempts(attempts + 1)
    setOutcome(undefined)
    if (Object.keys(findErrors(messages, entry)).length > 0) return
    setSending(true)
    const result = await setNewPassword(basePath, link, entry.password)
    setSending(false)
    if (result.kind === 'done') finish()
    else setOutcome(result)
  }

  if (outcome?.kind === 'used') return <DeadLink kind="used" usedText={text.usedForPassword} />
  return (
    <form
      className="card account-form"
      ref={form}
      noValidate
      onSubmit={(event) => void send(event)}
    >
      <KeyRound className="art" strokeWidth={1.5} />
      <h2>{text.newPassword}</h2>
      {link.email !== '' && <p className="muted">{text.newPasswordFor(link.email)}</p>}
      {outcome?.kind === 'failed' && (
        <Banner tone="danger" title={text.failedTitle}>
          {messages.problems[outcome.problem.kind]}
        </Banner>
      )}
      {/* Tells password managers which account the password is for. */}
      <input type="email" autoComplete="username" value={link.email} readOnly hidden />
      <TextField
        type="password"
        autoComplete="new-password"
        label={text.newPassword}
        hint={text.passwordHint(PASSWORD_LIMITS.min)}
        error={errors.password}
        required
        value={entry.password}
        onChange={(event) => setEntry({ ...entry, password: event.target.value })}
      />
      <TextField
        type="password"
        autoComplete="new-password"
        label={text.repeatPassword}
        error={errors.repeated}
        required
        value={entry.repeated}
        onChange={(event) => setEntry({ ...entry, repeated: event.target.value })}
      />
      <Button type="submit" look="primary large" aria-disabled={sending}>
        {sending && <Spinner />}
        {sending ? text.saving : text.savePassword}
      </Button>
      <output className="visually-hidden">{sending ? text.saving : ''}</output>
    </form>
  )
}

const findErrors = (messages: Messages, { password, repeated }: Entry): EntryErrors => {
  const { fieldErrors, required } = messages
  const { min, max } = PASSWORD_LIMITS
  const sentences = {
    blank: required['password'] ?? fieldErrors.validation_required({}),
    tooShort: fieldErrors.validation_min_text_constraint({ min }),
    tooLong: fieldErrors.validation_max_text_constraint({ max }),
    unusable: fieldErrors.validation_invalid_format({}),
  }
  const problem = passwordProblem(password)
  const again =
    repeated === ''
      ? (required['passwordConfirm'] ?? fieldErrors.validation_required({}))
      : messages.account.passwordsDiffer
  return {
    ...(problem !== undefined && { password: sentences[problem] }),
    ...((repeated === '' || repeated !== password) && { repeated: again }),
  }
}

const PasswordSet = () => {
  const { account } = useMessages()
  return (
    <MessageCard
      takesFocus
      icon={CircleCheck}
      title={account.passwordSetTitle}
      text={account.passwordSet}
    >
      <Link className="button primary" to={PATHS.login}>
        {account.signIn}
      </Link>
    </MessageCard>
  )
}
