import { CircleAlert, CircleCheck } from 'lucide-react'
import { useMemo, useRef, useState, type SubmitEvent } from 'react'
import { flushSync } from 'react-dom'
import { Link, useParams } from 'react-router'

import { REPORT_INPUT, REPORT_REASONS, type ReportInput } from '#domain/report.ts'
import type { PublicSite } from '#domain/public-site.ts'
import { readValue } from '#domain/schema.ts'
import { sitePage, slugOf } from '#domain/site-address.ts'
import { createPublicSites, isGone } from '../../data/public-sites.ts'
import type { Problem } from '../../data/state.ts'
import { sendReport } from '../../data/send-report.ts'
import { fieldErrorText, useLanguage, useMessages, type Messages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { useSettings } from '../../settings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { MessageCard } from '../../ui/message-card.tsx'
import { FieldErrorText } from '../../ui/field-error.tsx'
import { useFocusAfterSubmit } from '../../ui/form.ts'
import '../../ui/form.css'
import { Spinner } from '../../ui/spinner.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { ReportReasonText } from '../shared/report-reason.tsx'
import { usePublicSite } from '../shared/use-public-site.ts'
import { useTyped } from './use-typed.ts'

const NOTHING: ReportInput = { reason: '', message: '', email: '' }

/** The form in which a traveller reports a problem to the owner of a site, without a sign-in. */
export const Report = () => {
  const { id = '' } = useParams()
  const [typed, setTyped] = useTyped(id, NOTHING)
  const basePath = useSettings()['base-path']
  const sites = useMemo(() => createPublicSites(basePath), [basePath])
  const { site, problem } = usePublicSite(sites, id)
  const [outcome, setOutcome] = useState<'sent' | 'sentWithEmail' | 'gone'>()
  if (outcome === 'gone' || (problem !== undefined && isGone(problem))) return <Gone />
  if (outcome !== undefined)
    return <Sent with={outcome} site={site} onAnother={() => setOutcome(undefined)} />
  return (
    <ReportForm
      id={id}
      site={site}
      typed={typed}
      onType={setTyped}
      onGone={() => setOutcome('gone')}
      onSent={() => {
        setTyped(NOTHING)
        setOutcome(typed.email === '' ? 'sent' : 'sentWithEmail')
      }}
    />
  )
}

interface FormProps {
  readonly id: string
  /** Undefined while it loads, or if it cannot be read. */
  readonly site: PublicSite | undefined
  readonly typed: ReportInput
  readonly onType: (typed: ReportInput) => void
  readonly onGone: () => void
  readonly onSent: () => void
}

const ReportForm = ({ id, site, typed, onType, onGone, onSent }: FormProps) => {
  const { messages, language } = useLanguage()
  const text = messages.report
  const basePath = useSettings()['base-path']
  const form = useRef<HTMLFormElement>(null)
  const [attempts, setAttempts] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  // Errors are shown after the first attempt, and disappear as soon as they are corrected.
  const errors = attempts === 0 ? {} : errorsOf(messages, typed)
  useFocusAfterSubmit(form, attempts)

  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    // Screen readers read the error of a group when the focus enters it, so it has to be there before.
    flushSync(() => setAttempts(attempts + 1))
    setProblem(undefined)
    const wrong = errorsOf(messages, typed)
    if (wrong.reason !== undefined) form.current?.querySelector('input')?.focus()
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    const failed = await sendReport(basePath, id, typed, language)
    setBusy(false)
    if (failed === undefined) onSent()
    else if (failed.kind === 'notFound') onGone()
    else setProblem(failed)
  }
  // What is typed while the report is sent would be lost.
  const type = (name: keyof ReportInput) => (value: string) =>
    isBusy ? undefined : onType({ ...typed, [name]: value })

  return (
    <form className="form report" noValidate ref={form} onSubmit={(event) => void send(event)}>
      {site === undefined ? (
        <p className="report-site" />
      ) : (
        <h2 className="report-site">
          <UserText text={site.name} />
        </h2>
      )}
      <p>{text.lead}</p>
      <div className="card form-section">
        <Reasons chosen={typed.reason} error={errors.reason} onChoose={type('reason')} />
        <TextArea
          label={text.message}
          hint={text.messageHint}
          optional
          error={errors.message}
          value={typed.message}
          readOnly={isBusy}
          limit={REPORT_INPUT.message.max}
          length={Array.from(typed.message).length}
          onChange={(event) => type('message')(event.target.value)}
        />
        <TextField
          label={text.email}
          hint={text.emailHint}
          optional
          error={errors.email}
          type="email"
          autoComplete="email"
          value={typed.email}
          readOnly={isBusy}
          onChange={(event) => type('email')(event.target.value)}
        />
        {problem !== undefined && (
          <Banner tone="danger" title={text.notSent}>
            {problem.kind === 'tooMany' ? text.tooMany : messages.problems[problem.kind]}{' '}
            {text.kept}
          </Banner>
        )}
        <Button type="submit" look="primary large" aria-disabled={isBusy}>
          {isBusy && <Spinner />}
          {isBusy ? text.sending : text.send}
        </Button>
      </div>
    </form>
  )
}

interface ReasonsProps {
  readonly chosen: string
  readonly error: string | undefined
  readonly onChoose: (reason: string) => void
}

const Reasons = ({ chosen, error, onChoose }: ReasonsProps) => {
  const text = useMessages().report
  return (
    <fieldset
      className="field"
      role="radiogroup"
      aria-invalid={error !== undefined}
      aria-describedby={error === undefined ? undefined : ERROR_ID}
    >
      <legend>{text.reason}</legend>
      <div className="choices">
        {REPORT_REASONS.map((reason) => (
          <label key={reason} className="choice">
            <input
              type="radio"
              name="reason"
              value={reason}
              checked={chosen === reason}
              onChange={() => onChoose(reason)}
            />
            <ReportReasonText reason={reason} />
          </label>
        ))}
      </div>
      {error !== undefined && <FieldErrorText id={ERROR_ID}>{error}</FieldErrorText>}
    </fieldset>
  )
}

const ERROR_ID = 'report-reason-error'

type Errors = Partial<Record<keyof ReportInput, string>>

/** Returns the validation errors that the server would report. */
const errorsOf = (messages: Messages, typed: ReportInput): Errors =>
  Object.fromEntries(
    Object.entries(REPORT_INPUT).flatMap(([name, field]) => {
      const { error } = readValue(field, typed[name as keyof ReportInput])
      if (error === undefined) return []
      const isMissing = error.code === 'validation_required'
      return [
        [name, isMissing ? messages.report.chooseReason : fieldErrorText(messages, name, error)],
      ]
    }),
  )

interface SentProps {
  readonly with: 'sent' | 'sentWithEmail'
  readonly site: PublicSite | undefined
  readonly onAnother: () => void
}

const Sent = ({ with: words, site, onAnother }: SentProps) => {
  const text = useMessages().report
  const basePath = useSettings()['base-path']
  return (
    <MessageCard takesFocus icon={CircleCheck} title={text.sentTitle} text={text[words]}>
      {site !== undefined && (
        <a className="button primary" href={basePath + sitePage(site.id, slugOf(site.name))}>
          {text.back}
        </a>
      )}
      <Button onClick={onAnother}>{text.another}</Button>
    </MessageCard>
  )
}

const Gone = () => {
  const { report: text, titles } = useMessages()
  return (
    <MessageCard takesFocus icon={CircleAlert} title={text.goneTitle} text={text.gone}>
      <Link className="button primary" to={PATHS.map}>
        {titles.map}
      </Link>
    </MessageCard>
  )
}
