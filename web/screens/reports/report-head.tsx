import { Mail } from 'lucide-react'
import { Link } from 'react-router'

import { useQueuedWrites } from '../../data/react.ts'
import type { PlainView, SiteView } from '../../data/state.ts'
import { formatRecentTime } from '../../format/date-time.ts'
import { useLanguage } from '../../messages/messages.ts'
import { editSitePath } from '../../paths.ts'
import { plainText, UserText } from '../../ui/user-text.tsx'
import { ReportReasonText } from '../shared/report-reason.tsx'

export type ReportView = PlainView<'reports'>

interface Props {
  readonly report: ReportView
  readonly site: SiteView
  readonly now: number
}

/** Returns whether the traveller waits for an answer. It is emailed once. */
export const awaitsAnswer = ({ wants_answer, answer }: ReportView): boolean =>
  wants_answer && answer === ''

/** The id of the heading of a report, which takes the focus. */
export const reportTitleId = ({ id }: Pick<ReportView, 'id'>): string => `report-${id}`

/**
 * Returns a function that names a button together with its report, because a site may have several with the same
 * reason.
 */
export const useButtonName = ({ report, site, now }: Props): ((label: string) => string) => {
  const { messages, locale } = useLanguage()
  const which = [
    messages.report.reasons[report.reason],
    plainText(site.name),
    formatRecentTime(Date.parse(report.received), now, locale),
  ]
  return (label) => messages.about(label, which.join(', '))
}

/** The report of a traveller: what, where and when, and the owner's answer. */
export const ReportHead = ({ report, site, now }: Props) => {
  const { messages, locale } = useLanguage()
  const at = Date.parse(report.received)
  const isQueued = useQueuedWrites().some(({ id }) => id === report.id)
  return (
    <>
      <h3 id={reportTitleId(report)} tabIndex={-1}>
        <ReportReasonText reason={report.reason} />
      </h3>
      <p className="report-from muted">
        <Link to={editSitePath(site.id)}>
          <UserText text={site.name} />
        </Link>
        <time dateTime={new Date(at).toISOString()}>{formatRecentTime(at, now, locale)}</time>
        {awaitsAnswer(report) && report.state === 'OPEN' && (
          <span className="badge info">
            <Mail className="icon" />
            {messages.reports.wantsAnswer}
          </span>
        )}
        {isQueued && <span className="badge warn">{messages.drafts.waiting}</span>}
      </p>
      {report.message !== '' && (
        <blockquote className="report-words">
          <UserText text={report.message} />
        </blockquote>
      )}
      {report.answer !== '' && (
        <div>
          <p className="muted">{messages.reports.yourAnswer}</p>
          <blockquote className="report-words">
            <UserText text={report.answer} />
          </blockquote>
        </div>
      )}
    </>
  )
}
