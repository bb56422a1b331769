import { MessageSquareWarning } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'

import { REPORTS } from '#domain/collection.ts'
import { REPORT_LIMITS } from '#domain/limits.ts'
import { recordsIn } from '../../data/log.ts'
import type { BusinessView, SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import '../../ui/form.css'
import { plainText } from '../../ui/user-text.tsx'
import { WithBusiness } from '../shared/with-business.tsx'
import { DoneReport } from './done-report.tsx'
import { OpenReport } from './open-report.tsx'
import { reportTitleId, type ReportView } from './report-head.tsx'
import { ReportsSkeleton } from './reports-skeleton.tsx'

/** The reports of travellers about the sites of the business, or about the site in the query. */
export const Reports = () => {
  const [query] = useSearchParams()
  const site = query.get('site') ?? undefined
  return (
    <WithBusiness skeleton={<ReportsSkeleton />}>
      {(business) =>
        business === null ? (
          <Navigate to={PATHS.addBusiness} replace />
        ) : (
          <Inbox key={site ?? ''} business={business} site={site} />
        )
      }
    </WithBusiness>
  )
}

interface Props {
  readonly business: BusinessView
  readonly site: string | undefined
}

/** A report and its site. */
interface Item {
  readonly report: ReportView
  readonly site: SiteView
}

const Inbox = ({ business, site }: Props) => {
  const text = useMessages().reports
  const heading = useRef<HTMLHeadingElement>(null)
  const [now] = useState(Date.now)
  const items = itemsOf(business, site)
  const open = items.filter(({ report }) => report.state === 'OPEN')
  const done = items.filter(({ report }) => report.state !== 'OPEN')
  const of = business.sites.find(({ id }) => id === site)
  const toHeading = () => heading.current?.focus()
  /** The focused button has disappeared with its report, so the focus moves to the next one. */
  const goOn = (at: number) => {
    const next = open[at + 1] ?? open[at - 1]
    if (next === undefined) toHeading()
    else document.getElementById(reportTitleId(next.report))?.focus()
  }

  return (
    <div className="reports stack">
      <div className="reports-head">
        <h2 ref={heading} tabIndex={-1}>
          {of !== undefined && `${text.at(plainText(of.name))} `}
          {open.length === 0 ? text.nothing : text.waiting(open.length)}
        </h2>
        {site !== undefined && (
          <Link className="button" to={PATHS.reports}>
            {text.all}
          </Link>
        )}
      </div>
      {items.length === 0 && (
        <div className="card centre-card">
          <MessageSquareWarning className="art" strokeWidth={1.5} />
          <p className="muted">{text.none}</p>
        </div>
      )}
      {open.length > 0 && (
        <ul className="stack">
          {open.map((item, index) => (
            <li key={item.report.id}>
              <OpenReport {...item} now={now} onDone={() => goOn(index)} />
            </li>
          ))}
        </ul>
      )}
      {done.length > 0 && (
        <Disclosure title={text.done} summary={text.doneCount(done.length)} forceOpen={false}>
          <ul className="reports-done">
            {done.map((item) => (
              <li key={item.report.id}>
                <DoneReport {...item} now={now} onReopened={toHeading} />
              </li>
            ))}
          </ul>
          <p className="muted">{text.kept(REPORT_LIMITS.keptDays)}</p>
        </Disclosure>
      )}
    </div>
  )
}

/** The reports, newest first. */
const itemsOf = (business: BusinessView, site: string | undefined): readonly Item[] => {
  const sites = new Map(business.sites.map((each) => [each.id, each]))
  return recordsIn(business, REPORTS)
    .flatMap((report): Item[] => {
      const at = sites.get(report.site)
      return at === undefined || (site !== undefined && site !== at.id)
        ? []
        : [{ report, site: at }]
    })
    .toSorted((one, other) => (one.report.received < other.report.received ? 1 : -1))
}
