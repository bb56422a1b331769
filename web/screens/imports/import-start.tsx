import type { Imports } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { SlowLoad } from '../shared/slow-load.tsx'
import { Feeds } from './feeds.tsx'
import { PastImports } from './past-imports.tsx'
import { SourceForm } from './source-form.tsx'
import { useOverview } from './use-overview.ts'

/** A new import, the feeds, and the former imports. */
export const ImportStart = ({ calls }: { readonly calls: Imports }) => {
  const messages = useMessages()
  const text = messages.imports
  const { imports, feeds, problem, refresh } = useOverview(calls)
  return (
    <div className="imports stack">
      <p className="imports-lead">{text.lead}</p>
      <SourceForm calls={calls} />
      {imports === undefined && <SlowLoad onRetry={() => void refresh()} />}
      {problem !== undefined && (
        <Banner
          tone="warn"
          title={text.listNotLoaded}
          actions={<Button onClick={() => void refresh()}>{messages.actions.retry}</Button>}
        >
          {messages.problems[problem.kind]}
        </Banner>
      )}
      <Feeds calls={calls} feeds={feeds} imports={imports} refresh={refresh} />
      <PastImports items={imports} isFailed={problem !== undefined} />
    </div>
  )
}
