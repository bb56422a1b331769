import { History } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'

import { CHANGES_KEPT_DAYS, importOf, type Change } from '#domain/change.ts'
import { useStoreState } from '../../data/react.ts'
import type { BusinessView } from '../../data/state.ts'
import { useLanguage } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useFocusNewRows } from '../../ui/use-focus-new-rows.ts'
import { formatDayTitle } from '../../format/date-time.ts'
import { SlowLoad } from '../shared/slow-load.tsx'
import { WithBusiness } from '../shared/with-business.tsx'
import { BulkRow } from './bulk-row.tsx'
import { ChangeRow, rowId } from './change-row.tsx'
import './changes.css'
import { ChangesSkeleton } from './changes-skeleton.tsx'
import { groupRowId } from './group-row.tsx'
import { ImportRow } from './import-row.tsx'
import { isGrouped } from './revert.ts'
import { useChanges } from './use-changes.ts'
import { namesIn, siteName, type Vocabulary } from './describe-change.ts'

/** The audit log of the business, or of the site in the query: authors, changes and times. */
export const Changes = () => {
  const [query] = useSearchParams()
  const site = query.get('site') ?? undefined
  return (
    <WithBusiness skeleton={<ChangesSkeleton />}>
      {(business) => <ChangeList key={site ?? ''} site={site} data={business} />}
    </WithBusiness>
  )
}

interface Props {
  readonly site: string | undefined
  readonly data: BusinessView | null
}

const ChangeList = ({ site, data }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.history
  const { user } = useStoreState()
  const { rows, groups, isBusy, isComplete, problem, readMore, refresh } = useChanges(site)
  const [now] = useState(Date.now)
  const countOf = (change: Change): number =>
    isGrouped(change) ? (groups.get(change.correlation_id ?? '') ?? 0) : 0
  const focusNewRows = useFocusNewRows(
    rows,
    (change) => (countOf(change) > 1 ? groupRowId : rowId)(change),
    isBusy,
  )
  const more = () => {
    if (isBusy) return
    focusNewRows()
    void readMore()
  }
  const vocabulary: Vocabulary = { messages, locale, user, data, formerNames: namesIn(rows) }

  if (isBusy && rows.length === 0)
    return (
      <>
        <SlowLoad onRetry={() => void readMore()} />
        <ChangesSkeleton />
      </>
    )
  const days = Map.groupBy(rows, ({ created }) => formatDayTitle(Date.parse(created), now, locale))
  return (
    <div className="changes stack">
      {site !== undefined && (
        <div className="changes-head">
          <h2>{text.of(siteName(vocabulary, site))}</h2>
          <Link className="button" to={PATHS.changes}>
            {text.all}
          </Link>
        </div>
      )}
      {rows.length === 0 && problem === undefined && (
        <div className="card centre-card">
          <History className="art" strokeWidth={1.5} />
          <p className="muted">{text.none}</p>
        </div>
      )}
      {[...days].map(([day, changes]) => (
        <section key={day} className="card" aria-label={day}>
          <h2>{day}</h2>
          <ol>
            {changes.map((change) => {
              const count = countOf(change)
              const row = { change, vocabulary, onChanged: () => void refresh() }
              if (count <= 1) return <ChangeRow key={change.id} {...row} />
              const Row = importOf(change) === undefined ? BulkRow : ImportRow
              return <Row key={change.id} {...row} count={count} />
            })}
          </ol>
        </section>
      ))}
      {problem !== undefined && (
        <Banner
          tone="danger"
          title={text.notLoaded}
          actions={<Button onClick={more}>{messages.actions.retry}</Button>}
        >
          {messages.problems[problem.kind]}
        </Banner>
      )}
      <output className="visually-hidden">{text.shown(rows.length)}</output>
      {problem === undefined && !isComplete && (
        <Button aria-disabled={isBusy} onClick={more}>
          {isBusy && <Spinner />}
          {text.more}
        </Button>
      )}
      {isComplete && rows.length > 0 && (
        <p className="muted">{text.kept(CHANGES_KEPT_DAYS / 365)}</p>
      )}
    </div>
  )
}
