import { Check, Send } from 'lucide-react'
import { useState } from 'react'

import { REPORTS } from '#domain/collection.ts'
import { reports, type ReportState } from '#domain/report.ts'
import type { SiteStatus } from '#domain/site-values.ts'
import { OWNER_STATUSES } from '#domain/site.ts'
import { useStore } from '../../data/react.ts'
import type { SiteView, Store } from '../../data/state.ts'
import { useOnline } from '../../browser/use-online.ts'
import { useMessages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextArea } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { ReportHead, type ReportView } from './report-head.tsx'

export type { ReportView } from './report-head.tsx'

const MAX_LENGTH = reports.fields.answer.max

interface Props {
  readonly report: ReportView
  readonly site: SiteView
  readonly now: number
  /** Called when it no longer waits for the owner. */
  readonly onDone: () => void
}

/** A report that waits for its owner, who answers or resolves it, and sets the status of the site in the same step. */
export const OpenReport = ({ report, site, now, onDone }: Props) => {
  const messages = useMessages()
  const text = messages.reports
  const store = useStore()
  const online = useOnline()
  const [answer, setAnswer] = useState('')
  const [status, setStatus] = useState<SiteStatus | ''>('')
  const [isIncomplete, setIncomplete] = useState(false)

  const finish = async (state: ReportState, done: string) => {
    const written = answer.trim()
    if (state === 'ANSWERED' && written === '') return setIncomplete(true)
    onDone()
    // Without a connection, both wait on the device and are sent later.
    const how = { keep: !online }
    const sent = await Promise.all([
      store.updateRecord(REPORTS, report.id, { state, ...(written && { answer: written }) }, how),
      ...(status === '' ? [] : [store.updateSite(site.id, { fields: { status } }, how)]),
    ])
    toastOutcome(sent, done, messages.drafts.laterFailedTitle)
  }

  return (
    <article className="card report-item" aria-labelledby={`report-${report.id}`}>
      <ReportHead report={report} site={site} now={now} />
      {report.wants_answer && (
        <TextArea
          label={text.answer}
          hint={text.answerHint}
          error={isIncomplete && answer.trim() === '' ? text.writeAnswer : undefined}
          value={answer}
          limit={MAX_LENGTH}
          length={Array.from(answer).length}
          maxLength={MAX_LENGTH}
          onChange={(event) => setAnswer(event.target.value)}
        />
      )}
      <SelectField
        label={text.status}
        value={status}
        onChange={(event) => setStatus(event.target.value as SiteStatus | '')}
      >
        <option value="">{text.keepStatus(messages.status[site.status])}</option>
        {OWNER_STATUSES.filter((each) => each !== site.status).map((each) => (
          <option key={each} value={each}>
            {messages.status[each]}
          </option>
        ))}
      </SelectField>
      <div className="field-actions">
        {report.wants_answer && (
          <Button onClick={() => void finish('ANSWERED', text.answered)}>
            <Send className="icon" />
            {text.send}
          </Button>
        )}
        <Button look="primary" onClick={() => void finish('RESOLVED', text.resolved)}>
          <Check className="icon" />
          {answer.trim() === '' ? text.resolve : text.sendAndResolve}
        </Button>
      </div>
    </article>
  )
}

/** Says that it is done. The shell reports what the server refused, but not what the device had no room for. */
const toastOutcome = (
  sent: readonly Awaited<ReturnType<Store['updateRecord']>>[],
  done: string,
  noRoom: string,
): void => {
  if (sent.every(({ problem }) => problem === undefined)) toast(done)
  else if (sent.some(({ action }) => action === 'keep')) toast(noRoom)
}
