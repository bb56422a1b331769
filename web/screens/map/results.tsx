import { Locate, Compass, SearchX } from 'lucide-react'

import { useMessages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { useFocusNewRows } from '../../ui/use-focus-new-rows.ts'
import { rowId, SiteList } from './site-list.tsx'
import type { useSites } from './use-sites.ts'

interface Props {
  readonly list: ReturnType<typeof useSites>
  /** Whether the search has a place to start from. */
  readonly isStarted: boolean
  readonly isFiltered: boolean
  /** Whether the distances are from the position of the device. */
  readonly isFromDevice: boolean
  readonly selectedId: string
  readonly linkOf: (id: string) => string
  readonly onOpen: () => void
  readonly onLocate: () => void
}

/** Farther sites are not called nearby. */
const NEARBY_METRES = 100_000

/** The list of nearby sites, or the reason why there are none. */
export const Results = ({
  list,
  isStarted,
  isFiltered,
  isFromDevice,
  onLocate,
  ...rows
}: Props) => {
  const messages = useMessages()
  const text = messages.find
  const { items, next, isBusy, problem, more, retry } = list
  const focusNewRows = useFocusNewRows(items, ({ id }) => rowId(id), isBusy)
  // The card above shows it.
  const others = items.filter(({ id }) => id !== rows.selectedId)
  if (!isStarted) {
    return (
      <section className="finder-empty">
        <Compass className="art" />
        <h2>{text.startTitle}</h2>
        <p className="muted">{text.start}</p>
        <Button look="primary" onClick={onLocate}>
          <Locate className="icon" />
          {text.nearMe}
        </Button>
      </section>
    )
  }
  if (others.length < items.length && others.length === 0) return null
  const [nearest] = others
  const isFar = (nearest?.distance_m ?? 0) > NEARBY_METRES
  const isEmpty = items.length === 0 && !isBusy && problem === undefined
  return (
    <section aria-labelledby="finder-title" aria-busy={isBusy}>
      <h2 id="finder-title">{isFar ? text.farList : text.list}</h2>
      <p className="muted finder-order">{isFromDevice ? text.fromYou : text.fromMiddle}</p>
      {problem !== undefined && (
        <p className="finder-note" role="alert">
          {text.failed} {messages.problems[problem.kind]}
          <Button onClick={retry}>{messages.actions.retry}</Button>
        </p>
      )}
      {items.length === 0 && isBusy && <Rows />}
      {isEmpty && (
        <div className="finder-empty">
          <SearchX className="art" />
          <p>{isFiltered ? text.noneMatches : text.none}</p>
        </div>
      )}
      <SiteList sites={others} {...rows} />
      {next !== null && (
        <Button
          aria-disabled={isBusy}
          onClick={() => {
            focusNewRows()
            more()
          }}
        >
          {text.more}
        </Button>
      )}
      <output className="visually-hidden">
        {!isBusy && problem === undefined && text.chargers(items.length)}
      </output>
    </section>
  )
}

/** Placeholders for rows that are loading. */
export const Rows = () => (
  <div className="late" aria-hidden="true">
    {[1, 2, 3].map((key) => (
      <span key={key} className="skeleton finder-waiting" />
    ))}
  </div>
)
