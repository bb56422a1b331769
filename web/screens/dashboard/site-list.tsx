import { Map as MapIcon, Plus } from 'lucide-react'
import {
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react'
import { Link, useLocation } from 'react-router'

import { useStore } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { useLanguage, useMessages, type Language } from '../../messages/messages.ts'
import { late } from '../../browser/lazy-component.ts'
import { LongList, type LongListHandle } from '../../ui/long-list.tsx'
import { MissingPart } from '../../ui/missing-part.tsx'
import { PATHS } from '../../paths.ts'
import { Question } from '../../ui/question.tsx'
import { rememberSearch } from '../shared/dashboard-place.ts'
import { PLAIN_UP_TO, SEARCH_FROM } from '../shared/find-sites.ts'
import { FIRST_STEPS_ID } from './first-steps.tsx'
import { findHint, recallDismissed, rememberDismissed, type HintKind } from './hints.ts'
import { MapPanel } from './map-panel.tsx'
import { PrintTable } from './print-table.tsx'
import { SiteCard, type SiteActions, type SiteLook } from './site-card.tsx'
import { SiteTools } from './site-tools.tsx'
import { useSiteWork } from './sync-status.ts'
import { useListFocus } from './use-list-focus.ts'
import { useListView } from './use-list-view.ts'
import { useMapChoice } from './use-map-choice.ts'
import { useShownSites } from './use-shown-sites.ts'

/** From how many sites on a table is worth its room. */
const TABLE_FROM = 20
/** Cards that a first screen has room for. */
const FIRST_CARDS = 12
/** As narrow as a card may get. */
const CARD_REM = 22
/** As high as most cards are, with the gap below. */
const CARD_PX = 310

const SiteTable = late(async () => (await import('./site-table.tsx')).SiteTable, [], MissingPart)

interface Props {
  readonly sites: readonly SiteView[]
  readonly userId: string
  /** From when what is shown is, when this device had it and newer data is on its way. */
  readonly updatingFrom: string | undefined
}

/** The sites, and what one does with a list of them: search, filter, add, delete. */
export const SiteList = ({ sites, userId, updatingFrom }: Props) => {
  const language = useLanguage()
  const text = language.messages.dashboard
  const heading = useRef<HTMLHeadingElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const { view, change, settle } = useListView()
  const work = useSiteWork()
  const { sorted, shown, isExact, filters } = useShownSites(sites, view, work, language)
  const [long, setLong] = useState<LongListHandle | null>(null)
  const [deleting, setDeleting] = useState<SiteView>()
  const { search, state } = useLocation()
  const [saved] = useState(() => readSaved(state))
  const map = useMapChoice(saved)
  const { isMapOnly } = map
  const focus = useListFocus({ sites, sorted, shown, saved, long, heading, isMapOnly })
  const { hint, dismiss } = useHint(sites, work, userId)
  useEffect(() => rememberSearch(userId, search), [userId, search])

  const { leave, forget } = focus
  const actions: SiteActions = useMemo(
    () => ({
      onDelete: setDeleting,
      onStatus: ({ id }) => leave(id),
      onFocused: forget,
      onDismissHint: (kind) => {
        dismiss(kind)
        heading.current?.focus()
      },
    }),
    [leave, forget, dismiss],
  )
  const offersTable = sites.length >= TABLE_FROM
  const isTable = offersTable && view.layout === 'table'

  const clear = () => {
    change({ query: '', status: undefined, lack: undefined })
    settle()
    searchBox.current?.focus()
  }
  const look = (site: SiteView): SiteLook => ({
    site,
    actions,
    wantsFocus: focus.focusId === site.id,
    mark: map.hasMap && map.pointed === site.id ? 'selected' : markOf(site.id, saved),
    work: work.get(site.id),
  })
  const card = (site: SiteView) => (
    <SiteCard {...look(site)} hint={hint?.siteId === site.id ? hint.kind : undefined} />
  )
  const chosen = isMapOnly ? shown.find(({ id }) => id === map.pointed) : undefined

  return (
    <section className="stack sites" aria-labelledby="sites-title">
      <ListHead
        count={sites.length}
        headingRef={heading}
        updatingFrom={updatingFrom}
        hasMap={map.hasMap}
        onMap={map.toggle}
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
          onExport={() => void exportSites(shown, language)}
        />
      )}

      <ListCount
        count={sites.length}
        shown={shown.length}
        query={isExact ? '' : view.query.trim()}
      />
      <PrintTable sites={shown} />
      <div className={map.hasMap ? 'sites-body with-map' : 'sites-body'}>
        {!isMapOnly && (
          <div className="sites-results" onPointerOver={map.pointAt} onFocus={map.pointAt}>
            <Suspense>
              {shown.length === 0 ? (
                <NoMatch query={view.query.trim()} onClear={clear} />
              ) : isTable ? (
                <SiteTable
                  ref={setLong}
                  sites={shown}
                  look={look}
                  sort={view.sort}
                  onSort={(sort) => change({ sort })}
                />
              ) : (
                <CardList sites={shown} card={card} longRef={setLong} />
              )}
            </Suspense>
          </div>
        )}
        {map.hasMap && (
          <MapPanel
            sites={shown}
            selectedId={map.pointed}
            onSelect={(id) => map.select(id, shown, long)}
          />
        )}
        {isMapOnly &&
          (chosen === undefined ? <p className="muted">{text.mapHint}</p> : card(chosen))}
      </div>

      {deleting !== undefined && (
        <DeleteQuestion
          site={deleting}
          isLast={sites.length === 1}
          onClose={() => setDeleting(undefined)}
          onDelete={leave}
        />
      )}
    </section>
  )
}

const markOf = (id: string, saved: string | undefined): SiteLook['mark'] =>
  saved === id ? 'saved' : undefined

const exportSites = async (
  sites: readonly SiteView[],
  { messages, locale }: Language,
): Promise<void> => {
  const { download, sitesAsCsv } = await import('./export.ts')
  const day = new Date().toISOString().slice(0, 10)
  const name = `${messages.dashboard.fileName}-${day}.csv`
  download(name, 'text/csv', sitesAsCsv(sites, messages, locale))
}

/** What one site lacks, until the person does not want to hear of it. */
const useHint = (
  sites: readonly SiteView[],
  work: ReturnType<typeof useSiteWork>,
  userId: string,
) => {
  const [dismissed, setDismissed] = useState(() => recallDismissed(userId))
  const hint = useMemo(() => {
    // What a site lacks is known once all of it has been sent.
    const sent = sites.filter(({ id }) => work.get(id)?.waiting !== true)
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
  readonly hasMap: boolean
  readonly onMap: () => void
}

const ListHead = ({ count, headingRef, updatingFrom, hasMap, onMap }: HeadProps) => {
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
        <button type="button" className="button" onClick={onMap}>
          <MapIcon className="icon" aria-hidden="true" />
          <span className="narrow-hidden">{hasMap ? text.hideMap : text.showMap}</span>
        </button>
        <Link className="button primary" to={PATHS.addSite}>
          <Plus className="icon" aria-hidden="true" />
          {text.addSite}
        </Link>
      </div>
    </div>
  )
}

interface CountProps {
  readonly count: number
  readonly shown: number
  /** What was searched for, if the sites that are shown are only similar. */
  readonly query: string
}

const ListCount = ({ count, shown, query }: CountProps) => {
  const text = useMessages().dashboard
  const isFiltered = shown !== count
  return (
    <output className={isFiltered && shown > 0 ? 'muted' : 'visually-hidden'}>
      {isFiltered && query !== '' && shown > 0 && `${text.similar(query)} `}
      {isFiltered && text.shown(shown, count)}
    </output>
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
      <button type="button" className="button" onClick={onClear}>
        {text.clear}
      </button>
    </div>
  )
}

interface DeleteProps {
  readonly site: SiteView
  /** With it goes the list. */
  readonly isLast: boolean
  readonly onClose: () => void
  /** Told right before the site is deleted. */
  readonly onDelete: (id: string) => void
}

const DeleteQuestion = ({ site, isLast, onClose, onDelete }: DeleteProps) => {
  const messages = useMessages()
  const store = useStore()
  const text = messages.dashboard
  const confirm = () => {
    onClose()
    onDelete(site.id)
    store.deleteSite(site.id)
    // What there is to do next takes the place of the list, unless the person has gone on to the button
    // that undoes it meanwhile.
    if (isLast)
      setTimeout(() => {
        if (document.activeElement === document.body)
          document.getElementById(FIRST_STEPS_ID)?.focus()
      }, 50)
  }
  return (
    <Suspense>
      <Question
        isOpen
        title={text.deleteTitle(site.name)}
        cancel={messages.actions.cancel}
        onCancel={onClose}
        confirm={messages.actions.delete}
        onConfirm={confirm}
        tone="danger"
      >
        {text.deleteText(site.connectors.length, site.photos.length)}
      </Question>
    </Suspense>
  )
}

interface CardsProps {
  readonly sites: readonly SiteView[]
  readonly card: (site: SiteView) => ReactNode
  readonly longRef: Ref<LongListHandle | null>
}

const CardList = ({ sites, card, longRef }: CardsProps) => {
  // The first ones are shown before the others are made, which gives way to whatever is done meanwhile.
  const count = useDeferredValue(sites.length, FIRST_CARDS)
  return sites.length > PLAIN_UP_TO ? (
    <LongList ref={longRef} items={sites} render={card} columnRem={CARD_REM} rowPx={CARD_PX} />
  ) : (
    <ul className="site-grid">
      {sites.slice(0, Math.max(count, FIRST_CARDS)).map((site) => (
        <li key={site.id}>{card(site)}</li>
      ))}
    </ul>
  )
}

/** The site that was just saved: the eyes and the focus go to it. */
const readSaved = (state: unknown): string | undefined =>
  typeof state === 'object' && state !== null && 'saved' in state && typeof state.saved === 'string'
    ? state.saved
    : undefined
