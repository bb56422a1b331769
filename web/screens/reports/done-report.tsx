import { RotateCcw } from 'lucide-react'

import { REPORTS } from '#domain/collection.ts'
import { useOnline } from '../../browser/use-online.ts'
import { useStore } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { ReportHead, reportTitleId, useButtonName, type ReportView } from './report-head.tsx'

interface Props {
  readonly report: ReportView
  readonly site: SiteView
  readonly now: number
  readonly onReopened: () => void
}

/** A report that was answered or resolved. It can be reopened. */
export const DoneReport = ({ report, site, now, onReopened }: Props) => {
  const messages = useMessages()
  const text = messages.reports
  const store = useStore()
  const online = useOnline()
  const nameButton = useButtonName({ report, site, now })
  const reopen = () => {
    onReopened()
    void store.updateRecord(REPORTS, report.id, { state: 'OPEN' }, { queue: !online })
  }
  return (
    <article className="report-item" aria-labelledby={reportTitleId(report)}>
      <ReportHead report={report} site={site} now={now} />
      <div className="field-actions">
        <span className="badge ok">{text.states[report.state]}</span>
        <Button aria-label={nameButton(text.reopen)} onClick={reopen}>
          <RotateCcw className="icon" />
          {text.reopen}
        </Button>
      </div>
    </article>
  )
}
