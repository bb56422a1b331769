import { REPORT_REASONS } from '#domain/report.ts'
import { useMessages } from '../../messages/messages.ts'
import '../../ui/form.css'
import { FieldSkeleton } from '../shared/form-skeleton.tsx'
import { ReportReasonText } from '../shared/report-reason.tsx'

/** The form of a traveller before the app has started. */
export const ReportSkeleton = () => {
  const { report: text } = useMessages()
  return (
    <div className="form report" aria-busy="true">
      <p className="report-site" />
      <p>{text.lead}</p>
      <div className="card form-section">
        <div className="field">
          <span className="label">{text.reason}</span>
          <div className="choices">
            {REPORT_REASONS.map((reason) => (
              <div key={reason} className="choice">
                <span className="report-dot" />
                <ReportReasonText reason={reason} />
              </div>
            ))}
          </div>
        </div>
        <div className="field">
          <span className="label">{text.message}</span>
          <p className="hint">{text.messageHint}</p>
          <span className="skeleton skeleton-area" />
        </div>
        <FieldSkeleton label={text.email} hint={text.emailHint} />
      </div>
    </div>
  )
}
