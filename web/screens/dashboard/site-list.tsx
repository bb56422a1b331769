import { ListChecks, Map as MapIcon, Plus } from 'lucide-react'
import {
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type RefObject,
  type Ref,
} from 'react'
import { Link, useLocation } from 'react-router'

import { useStore } from '../../data/react.ts'
import type { BusinessView, SiteView } from '../../data/state.ts'
import { loadMessages, useLanguage, useMessages, type Language } from '../../messages/messages.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { useIdle } from '../../browser/use-idle.ts'
import { Button } from '../../ui/button.tsx'
import type { LongListHandle } from '../../ui/long-list.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { PATHS } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { plainText } from '../../ui/user-text.tsx'
import { rememberSearch } from '../shared/dashboard-place.ts'
import { PLAIN_UP_TO, SEARCH_FROM } from '../shared/find-sites.ts'
import { FIRST_STEPS_ID } from './first-steps.tsx'
import { SelectionContext, useSelection, type SiteSelection } from './selection.tsx'
import { findHint, recallDismissed, rememberDismissed, type HintKind } from './hints.ts'
import type { ListView, Sort } from './list-view.ts'
import { MapPanel } from './map-panel.tsx'
import { priceOf } from './overview.ts'
import { SiteCard, type SiteActions, type SiteLook } from './site-card.tsx'
import { SiteTools } from './site-tools.tsx'
import { useSyncStatus } from './sync-status.ts'
import { useListFocus } from './use-list-focus.ts'
import { useListView } from './use-list-view.ts'
import { useMapPanel } from './use-map-panel.ts'
import { useShownSites } from './use-shown-sites.ts'

/** Minimum number of sites for offering the table. */
const TABLE_FROM = 20
/** Number of cards in the first viewport. */
const FIRST_CARDS = 12
/** Minimum width of a card. */
const CARD_REM = 22
/** Typical height of a card, including the gap. */
const CARD_PX = 310

const SelectionBar = lazyComponent(
  async () => (await import('./selection-bar.tsx')).SelectionBar,
  ['many', 'form', 'choices'],
)
/** Only for printing. */
const PrintTable = lazyComponent(async () => (await import('./print-table.tsx')).PrintTable)
const SiteTable = lazyComponent(
  async () => (await import('./site-table.tsx')).SiteTable,
  [],
  LoadError,
)

const LongList = lazyComponent(
  async () => (await import('../../ui/long-list.tsx')).LongList<SiteView>,
  [],
  LoadError,
)

interface Props {
  readonly business: BusinessView
  readonly userId: string
  /** The time of the cached data, while newer data loads. */
  readonly updatingFrom: string | undefined
}

/** The list of sites, with search, filters, adding and deleting. */
export const SiteList = ({ business, userId, updatingFrom }: Props) => {
  const language = useLanguage()
  const { sites } = business
  const heading = useRef<HTMLHeadingElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const { view, change, settle } = useListView()
  const work = useSyncStatus()
  const { sorted, shown, isExact, filters } = useShownSites(business, view, work, language)
  const { selection, button, toggle, end, leaveByEscape } = useSelection(shown, userId)
  const [long, setLong] = useState<LongListHandle | null>(null)
  const [deleting, setDeleting] = useState<SiteView>()
  const saved = useSaved(userId)
  const map = useMapPanel(saved)
  const focus = useListFocus({ sites, sorted, shown, saved, long, heading, ...map })
  const { hint, dismiss } = useHint(sites, work, userId)
  const actions = useActions(focus, setDeleting, dismiss, heading)
  const offersTable = sites.length >= TABLE_FROM
  const isTable = offersTable && view.layout === 'table'

  const clear = () => {
    change({ query: '', status: undefined, lack: undefined })
    searchBox.current?.focus()
  }
  const look = (site: SiteView): SiteLook => ({
    site,
    actions,
    wantsFocus: focus.focusId === site.id,
    mark: map.hasMap && map.pointed === site.id ? 'selected' : markOf(site.id, saved),
    work: work.get(site.id),
    price: priceOf(site, business),
  })
  const card = (site: SiteView) => (
    <SiteCard {...look(site)} hint={hint?.siteId === site.id ? hint.kind : undefined} />
  )
  const chosen = sorted.filter(({ id }) => selection?.selected.has(id))
  const active = map.isMapOnly ? shown.find(({ id }) => id === map.pointed) : undefined

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a shortcut for the button
    <section className="stack sites" aria-labelledby="sites-title" onKeyDown={leaveByEscape}>
      <ListHead
        count={sites.length}
        headingRef={heading}
        chooseRef={button}
        isSelecting={selection !== undefined}
        onChoose={toggle}
        updatingFrom={updatingFrom}
        map={map}
      />
      {sites.length >= SEARCH_FROM && (
        <SiteTools
          view={isTable ? view : { ...view, layout: 'list' }}
          onChange={change}
          onSettle={settle}
          onClear={clear}
          searchRef={searchBox}
          filters={filters}
          offersTable={offersTable}
          chosen={chosen.length}
          onExport={() => void exportSites(chosen.length > 0 ? chosen : shown, business, language)}
        />
      )}
      <ListCount count={sites.length} shown={shown.length} query={isExact ? '' : view.query} />
      <Printed sites={shown} business={business} />
      <div className={map.hasMap ? 'sites-body with-map' : 'sites-body'}>
        {!map.isMapOnly && (
          <div className="sites-results" onPointerOver={map.pointAt} onFocus={map.pointAt}>
            <Results
              selection={selection}
              sites={shown}
              isTable={isTable}
              look={look}
              card={card}
              view={view}
              onSort={(sort) => change({ sort })}
              onClear={clear}
              longRef={setLong}
            />
          </div>
        )}
        {map.hasMap && (
          <MapPanel
            sites={shown}
            selectedId={map.pointed}
            onSelect={(id) => map.select(id, shown, long)}
          />
        )}
        {map.isMapOnly &&
          (active ? card(active) : <p className="muted">{language.messages.dashboard.mapHint}</p>)}
      </div>
      <SelectionActions selection={selection} sites={sites} shown={shown} onEnd={end} />
      <DeleteDialog
        site={deleting}
        isLast={sites.length === 1}
        onClose={() => setDeleting(undefined)}
        onDelete={focus.leave}
      />
    </section>
  )
}

const Printed = (props: ComponentProps<typeof PrintTable>) =>
  useIdle() && (
    <Suspense>
      <PrintTable {...props} />
    </Suspense>
  )

const markOf = (id: string, saved: string | undefined): SiteLook['mark'] =>
  saved === id ? 'saved' : undefined

const exportSites = async (
  sites: readonly SiteView[],
  business: BusinessView,
  { language, locale }: Language,
): Promise<void> => {
  const [{ saveSites }, messages] = await Promise.all([
    import('./export.ts'),
    loadMessages(language, ['choices', 'hours']),
  ])
  saveSites(sites, business, { messages, locale })
}

/** The callbacks for the cards, memoized so that cards do not rerender. */
const useActions = (
  { leave, forget }: ReturnType<typeof useListFocus>,
  onDelete: (site: SiteView) => void,
  dismiss: (kind: HintKind) => void,
  heading: RefObject<HTMLElement | null>,
): SiteActions =>
  useMemo(
    () => ({
      onDelete,
      onStatus: ({ id }) => leave(id),
      onFocused: forget,
      onDismissHint: (kind) => {
        dismiss(kind)
        heading.current?.focus()
      },
    }),
    [leave, forget, dismiss, onDelete, heading],
  )

/** The hint for one site, unless the user has dismissed its kind. */
const useHint = (
  sites: readonly SiteView[],
  work: ReturnType<typeof useSyncStatus>,
  userId: string,
) => {
  const [dismissed, setDismissed] = useState(() => recallDismissed(userId))
  const hint = useMemo(() => {
    // Hints ignore sites with queued changes.
    const sent = sites.filter(({ id }) => work.get(id)?.isQueued !== true)
    return findHint(sent, dismissed)
  }, [sites, work, dismissed])
  const dismiss = useCallback(
    (kind: HintKind) =>
      setDismissed((kinds) => {
        const next = [...kinds, kind]
        rememberDismissed(userId, next)
        return next
      }),
    [userId],
  )
  return { hint, dismiss }
}

interface HeadProps {
  readonly count: number
  readonly headingRef: Ref<HTMLHeadingElement>
  readonly updatingFrom: string | undefined
  readonly map: ReturnType<typeof useMapPanel>
  readonly chooseRef: Ref<HTMLButtonElement>
  readonly isSelecting: boolean
  readonly onChoose: () => void
}

const ListHead = (props: HeadProps) => {
  const { count, headingRef, updatingFrom, map, chooseRef, isSelecting, onChoose } = props
  const text = useMessages().dashboard
  return (
    <div className="sites-head">
      <h2 id="sites-title" ref={headingRef} tabIndex={-1}>
        {text.sitesTitle} <span className="muted">({text.count(count)})</span>
      </h2>
      <output className="muted sites-updating">
        {updatingFrom !== undefined && text.updating(updatingFrom)}
      </output>
      <div className="sites-do">
        {count > 1 && (
          <Button ref={chooseRef} aria-pressed={isSelecting} onClick={onChoose}>
            <ListChecks className="icon" />
            <span className="narrow-hidden">{text.choose}</span>
          </Button>
        )}
        <Button onClick={map.toggle}>
          <MapIcon className="icon" />
          <span className="narrow-hidden">{map.hasMap ? text.hideMap : text.showMap}</span>
        </Button>
        <Link className="button primary" to={PATHS.addSite}>
          <Plus className="icon" />
          {text.addSite}
        </Link>
      </div>
    </div>
  )
}

interface CountProps {
  readonly count: number
  readonly shown: number
  /** The search text, if the results are only similar to it. */
  readonly query: string
}

const ListCount = ({ count, shown, query }: CountProps) => {
  const text = useMessages().dashboard
  const isFiltered = shown !== count
  // Screen readers also announce that all sites are back.
  const [wasFiltered, setWasFiltered] = useState(isFiltered)
  if (isFiltered && !wasFiltered) setWasFiltered(true)
  return (
    <output className={isFiltered && shown > 0 ? 'muted' : 'visually-hidden'}>
      {isFiltered && query !== '' && shown > 0 && `${text.similar(query)} `}
      {wasFiltered && text.shown(shown, count)}
    </output>
  )
}

type ActionsProps = Omit<ComponentProps<typeof SelectionBar>, 'selection'> & {
  readonly selection: SiteSelection | undefined
}

const SelectionActions = ({ selection, ...props }: ActionsProps) =>
  selection !== undefined && (
    <Suspense>
      <SelectionBar selection={selection} {...props} />
    </Suspense>
  )

interface ResultsProps {
  readonly selection: SiteSelection | undefined
  readonly sites: readonly SiteView[]
  readonly isTable: boolean
  readonly look: (site: SiteView) => SiteLook
  readonly card: (site: SiteView) => ReactNode
  readonly view: ListView
  readonly onSort: (sort: Sort) => void
  readonly onClear: () => void
  readonly longRef: Ref<LongListHandle | null>
}

/** The sites that match the search and the filters. */
const Results = (props: ResultsProps) => {
  const { selection, sites, isTable, look, card, view, onSort, onClear, longRef } = props
  if (sites.length === 0) return <NoMatch query={view.query.trim()} onClear={onClear} />
  return (
    <SelectionContext value={selection}>
      {isTable ? (
        <Suspense fallback={<div className="card skeleton" />}>
          <SiteTable ref={longRef} sites={sites} look={look} sort={view.sort} onSort={onSort} />
        </Suspense>
      ) : (
        <CardList sites={sites} card={card} longRef={longRef} />
      )}
    </SelectionContext>
  )
}

interface NoMatchProps {
  readonly query: string
  readonly onClear: () => void
}

const NoMatch = ({ query, onClear }: NoMatchProps) => {
  const text = useMessages().dashboard
  return (
    <div className="card centre-card">
      <p>{query === '' ? text.noMatchFilter : text.noMatch(query)}</p>
      <Button onClick={onClear}>{text.clear}</Button>
    </div>
  )
}

interface DeleteProps {
  /** The dialog is open while there is a site. */
  readonly site: SiteView | undefined
  /** True if it is the last site, so that the list disappears. */
  readonly isLast: boolean
  readonly onClose: () => void
  /** Called right before the site is deleted. */
  readonly onDelete: (id: string) => void
}

const DeleteDialog = ({ site, isLast, onClose, onDelete }: DeleteProps) => {
  const messages = useMessages()
  const store = useStore()
  const text = messages.dashboard
  if (site === undefined) return null
  const confirm = () => {
    onClose()
    onDelete(site.id)
    store.deleteSite(site.id)
    // The first steps replace the list and take the focus, unless the user has moved it to the undo button.
    if (isLast)
      setTimeout(() => {
        if (document.activeElement === document.body)
          document.getElementById(FIRST_STEPS_ID)?.focus()
      }, 50)
  }
  return (
    <ConfirmDialog
      title={text.deleteTitle(plainText(site.name))}
      cancel={messages.actions.cancel}
      onCancel={onClose}
      confirm={messages.actions.delete}
      onConfirm={confirm}
      tone="danger"
    >
      {text.deleteText(site.connectors.length, site.photos.length)}
    </ConfirmDialog>
  )
}

interface CardsProps {
  readonly sites: readonly SiteView[]
  readonly card: (site: SiteView) => ReactNode
  readonly longRef: Ref<LongListHandle | null>
}

const CardList = ({ sites, card, longRef }: CardsProps) => {
  // The first cards render immediately, the others at low priority.
  const count = useDeferredValue(sites.length, FIRST_CARDS)
  const isLong = sites.length > PLAIN_UP_TO
  const plain = (
    <ul className="site-grid" aria-busy={isLong || undefined}>
      {sites.slice(0, isLong ? FIRST_CARDS : Math.max(count, FIRST_CARDS)).map((site) => (
        <li key={site.id}>{card(site)}</li>
      ))}
    </ul>
  )
  return isLong ? (
    <Suspense fallback={plain}>
      <LongList ref={longRef} items={sites} render={card} columnRem={CARD_REM} rowPx={CARD_PX} />
    </Suspense>
  ) : (
    plain
  )
}

/**
 * The site that was just saved, which is highlighted and focused. Also stores the view of the list for returning to it.
 */
const useSaved = (userId: string): string | undefined => {
  const { search, state } = useLocation()
  useEffect(() => rememberSearch(userId, search), [userId, search])
  const [saved] = useState((state as { readonly saved?: string } | null)?.saved)
  return saved
}
