import { Suspense, useMemo, type ComponentProps } from 'react'
import { Link } from 'react-router'

import { lazyComponent } from '../../browser/lazy-component.ts'
import { useIdle } from '../../browser/use-idle.ts'
import { useNotices, useSavedAt, useStore, useStoreState } from '../../data/react.ts'
import { formatDayTime, formatTime } from '../../format/date-time.ts'
import { useLanguage } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { SlowLoad } from '../shared/slow-load.tsx'
import { LoadFailed } from '../shared/with-business.tsx'
import { BusinessCard } from './business-card.tsx'
import './dashboard.css'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { FirstSteps } from './first-steps.tsx'
import { countOpenReports, OpenReports, ReportsLink } from './open-reports.tsx'
import { SiteList } from './site-list.tsx'
import { Unfinished } from './unfinished.tsx'

const DashboardNotes = lazyComponent(
  async () => (await import('./notes.tsx')).DashboardNotes,
  ['open'],
)

/** The business of the signed-in user, with its sites and their connectors. */
export const Dashboard = () => {
  const { locale, messages } = useLanguage()
  const store = useStore()
  const { data, user, loading } = useStoreState()
  const savedAt = useSavedAt()
  const failure = useNotices().findLast((notice) => notice.action === 'load')
  const text = messages.dashboard
  const openReports = useMemo(() => countOpenReports(data), [data])

  const retry = () => {
    if (failure !== undefined) store.dismiss(failure.id)
    void store.load()
  }

  if (data === null) {
    if (loading) {
      return (
        <>
          <SlowLoad onRetry={retry} />
          <DashboardSkeleton />
        </>
      )
    }
    if (failure !== undefined) {
      return (
        <LoadFailed text={messages.problems[failure.problem.kind]} onRetry={retry}>
          <details className="error-details">
            <summary>{text.errorDetails}</summary>
            <p>
              {failure.problem.status === 0
                ? text.noAnswer
                : text.answeredWith(failure.problem.status)}
            </p>
          </details>
        </LoadFailed>
      )
    }
    return (
      <div className="stack dashboard">
        <Unfinished sites={NO_SITES} />
        <FirstSteps done={1} title={text.noBusinessTitle} text={text.noBusiness}>
          <Link className="button primary large" to={PATHS.addBusiness}>
            {text.addBusiness}
          </Link>
        </FirstSteps>
      </div>
    )
  }

  return (
    <div className="stack dashboard" aria-busy={loading}>
      {failure !== undefined && (
        <Banner
          tone="warn"
          title={
            savedAt === undefined
              ? text.stale
              : messages.drafts.savedData(formatWhen(savedAt, locale))
          }
          actions={<Button onClick={retry}>{messages.actions.retry}</Button>}
        >
          {messages.problems[failure.problem.kind]}
        </Banner>
      )}
      <BusinessCard business={data} />
      <Unfinished sites={data.sites} />
      {data.sites.length > 0 ? (
        <OpenReports value={openReports}>
          <ReportsLink />
          <Notes business={data} />
          <SiteList
            business={data}
            userId={user?.id ?? ''}
            updatingFrom={
              loading && savedAt !== undefined ? formatWhen(savedAt, locale) : undefined
            }
          />
        </OpenReports>
      ) : (
        <FirstSteps
          done={user?.onboarded === true ? undefined : 2}
          title={text.noSitesTitle}
          text={text.noSites}
        >
          <Link className="button primary large" to={PATHS.addSite}>
            {text.addFirstSite}
          </Link>
        </FirstSteps>
      )}
    </div>
  )
}

/** In a reserved place from the beginning, so that late content does not move the list. */
const Notes = (props: ComponentProps<typeof DashboardNotes>) => (
  <div className="dashboard-notes">
    {useIdle() && (
      <Suspense>
        <DashboardNotes {...props} />
      </Suspense>
    )}
  </div>
)

const NO_SITES: readonly never[] = []

/** A time for display: without the date if it is today. */
const formatWhen = (at: number, locale: string): string => {
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  return (isToday ? formatTime : formatDayTime)(at, locale)
}
