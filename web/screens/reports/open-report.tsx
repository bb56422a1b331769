import { Check, Send } from 'lucide-react'
import { useRef, useState } from 'react'

import { REPORTS } from '#domain/collection.ts'
import { reports, type ReportState } from '#domain/report.ts'
import { OWNER_STATUSES } from '#domain/site.ts'
import { useStore } from '../../data/react.ts'
import type { DraftContent, SiteView, Store } from '../../data/state.ts'
import { useOnline } from '../../browser/use-online.ts'
import { useMessages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { SelectField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { plainText } from '../../ui/user-text.tsx'
import { useDraft } from '../shared/use-draft.ts'
import {
  awaitsAnswer,
  ReportHead,
  reportTitleId,
  useButtonName,
  type ReportView,
} from './report-head.tsx'

const MAX_LENGTH = reports.fields.answer.max

interface Props {
  readonly report: ReportView
  readonly site: SiteView
  readonly now: number
  /** Called when the report is no longer open. */
  readonly onDone: () => void
}

/** An open report. The owner answers or resolves it, and can set the status of the site in the same step. */
export const OpenReport = ({ report, site, now, onDone }: Props) => {
  const messages = useMessages()
  const text = messages.reports
  const store = useStore()
  const online = useOnline()
  const nameButton = useButtonName({ report, site, now })
  const [slot] = useState(() => store.draft(`${REPORTS}:${report.id}`))
  const [restored] = useState(() => store.drafts().find(({ form }) => form === slot.form))
  const [typed] = useState(() => typedIn(restored?.values))
  const [answer, setAnswer] = useState(typed.answer ?? '')
  const [chosen, setChosen] = useState(typed.status)
  // The site may have this status by now, or the draft may be of another version.
  const status = OWNER_STATUSES.find((each) => each === chosen && each !== site.status) ?? ''
  const [isIncomplete, setIncomplete] = useState(false)
  const input = useRef<HTMLTextAreaElement>(null)

  const name = `${text.answer} (${plainText(site.name)})`
  const content = (): DraftContent | undefined =>
    answer.trim() === '' && status === ''
      ? undefined
      : { values: { text: { name, answer, status } }, files: [] }
  const { touch } = useDraft({ slot, isNew: false, restored: restored !== undefined, content })

  const finish = async (state: ReportState, done: string) => {
    const written = answer.trim()
    if (state === 'ANSWERED' && written === '') {
      setIncomplete(true)
      input.current?.focus()
      return
    }
    onDone()
    // Offline, both writes are queued. A refused write becomes a draft again.
    const how = { queue: !online }
    const [answered, ...others] = await Promise.all([
      store.updateRecord(
        REPORTS,
        report.id,
        { state, ...(written && { answer: written }) },
        { ...how, values: content()?.values ?? null },
      ),
      ...(status === '' ? [] : [store.updateSite(site.id, { fields: { status } }, how)]),
    ])
    if (answered.problem === undefined) slot.drop()
    toastOutcome([answered, ...others], done, messages.drafts.laterFailedTitle)
  }

  return (
    <article className="card report-item" aria-labelledby={reportTitleId(report)}>
      <ReportHead report={report} site={site} now={now} />
      {awaitsAnswer(report) && (
        <TextArea
          label={text.answer}
          hint={text.answerHint}
          error={isIncomplete && answer.trim() === '' ? text.writeAnswer : undefined}
          value={answer}
          limit={MAX_LENGTH}
          length={Array.from(answer).length}
          maxLength={MAX_LENGTH}
          ref={input}
          onChange={(event) => {
            setAnswer(event.target.value)
            touch()
          }}
        />
      )}
      <SelectField
        label={text.status}
        value={status}
        onChange={(event) => {
          setChosen(event.target.value)
          touch()
        }}
      >
        <option value="">{text.keepStatus(messages.status[site.status])}</option>
        {OWNER_STATUSES.filter((each) => each !== site.status).map((each) => (
          <option key={each} value={each}>
            {messages.status[each]}
          </option>
        ))}
      </SelectField>
      <Actions
        nameOf={nameButton}
        mayAnswer={awaitsAnswer(report)}
        hasAnswer={answer.trim() !== ''}
        onFinish={finish}
      />
    </article>
  )
}

interface ActionsProps {
  readonly nameOf: (label: string) => string
  readonly mayAnswer: boolean
  readonly hasAnswer: boolean
  readonly onFinish: (state: ReportState, done: string) => Promise<void>
}

const Actions = ({ nameOf, mayAnswer, hasAnswer, onFinish }: ActionsProps) => {
  const { reports: text } = useMessages()
  const resolve = hasAnswer ? text.sendAndResolve : text.resolve
  return (
    <div className="field-actions">
      {mayAnswer && (
        <Button
          look="primary"
          aria-label={nameOf(text.send)}
          onClick={() => void onFinish('ANSWERED', text.answered)}
        >
          <Send className="icon" />
          {text.send}
        </Button>
      )}
      <Button aria-label={nameOf(resolve)} onClick={() => void onFinish('RESOLVED', text.resolved)}>
        <Check className="icon" />
        {resolve}
      </Button>
    </div>
  )
}

interface DraftText {
  readonly answer?: string
  /** The status chosen for the site. */
  readonly status?: string
}

/** The typed and chosen values in a draft. */
const typedIn = (values: unknown): DraftText =>
  (values as { text?: DraftText | null } | undefined)?.text ?? {}

/** Confirms the writes. The shell reports refusals by the server, but not a full device. */
const toastOutcome = (
  sent: readonly Awaited<ReturnType<Store['updateRecord']>>[],
  done: string,
  noRoom: string,
): void => {
  if (sent.every(({ problem }) => problem === undefined)) toast(done)
  else if (sent.some(({ action }) => action === 'queue')) toast(noRoom)
}
