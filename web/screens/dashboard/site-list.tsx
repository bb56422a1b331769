import { Map as MapIcon, Plus } from 'lucide-react'
import {
  Suspense,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type Ref,
  type SyntheticEvent,
} from 'react'
import { Link, useLocation, useNavigate } from 'react-router'

import { usePendingDeletes, useStore } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { useLanguage } from '../../messages/messages.ts'
import { late } from '../../browser/lazy-component.ts'
import { LongList, type LongListHandle } from '../../ui/long-list.tsx'
import { MissingPart } from '../../ui/missing-part.tsx'
import { PATHS } from '../../paths.ts'
import { Question } from '../../ui/question.tsx'
import { recall, remember } from '../../browser/local-storage.ts'
import { toast } from '../../ui/toast.ts'
import { useMedia } from '../../browser/use-media.ts'
import { rememberSearch } from '../shared/dashboard-place.ts'
import { PLAIN_UP_TO, SEARCH_FROM } from '../shared/find-sites.ts'
import { FIRST_STEPS_ID } from './first-steps.tsx'
import { findHint, recallDismissed, rememberDismissed, type HintKind } from './hints.ts'
import { MapPanel } from './map-panel.tsx'
import { neighbourOf } from './overview.ts'
import { PrintTable } from './print-table.tsx'
import { SiteCard, type SiteActions, type SiteLook } from './site-card.tsx'
import { SiteTools } from './site-tools.tsx'
import { useSiteWork } from './sync-status.ts'
import { useListView } from './use-list-view.ts'
import { useShownSites } from './use-shown-sites.ts'

/** From how many sites on a table is worth its room. */
const TABLE_FROM = 20
/** The map was asked for on this device. */
const MAP_KEY = 'voltleaf:dashboard-map'
const SHOWN = 'shown'
/** From here on the map stands beside the list. */
const BESIDE = '(min-width: 68.75rem)'
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
  const { locale, messages } = language
  const store = useStore()
  const text = messages.dashboard
  const heading = useRef<HTMLHeadingElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const { view, change, settle } = useListView()
  const work = useSiteWork()
  const { sorted, shown, isExact, filters } = useShownSites(sites, view, work, language)
  const [long, setLong] = useState<LongListHandle | null>(null)
  const [deleting, setDeleting] = useState<SiteView>()
  const [dismissed, setDismissed] = useState(() => recallDismissed(userId))

  const { search, state } = useLocation()
  const [saved] = useState(() => readSaved(state))
  const [focusId, setFocusId] = useState(saved)
  // Something was done to a site that may take it out of the list, and what then stands in its place.
  const [left, setLeft] = useState<{ readonly id: string; readonly next: string | undefined }>()
  const lists = useRef({ shown, sorted })
  useEffect(() => {
    lists.current = { shown, sorted }
  })
  const [hasMap, setHasMap] = useState(() => recall(MAP_KEY) === SHOWN)
  const [pointed, setPointed] = useState(saved)
  // Where there is no room for both, the map stands in for the list.
  const isMapOnly = !useMedia(BESIDE) && hasMap
  const chosen = isMapOnly ? shown.find(({ id }) => id === pointed) : undefined

  useEffect(() => rememberSearch(userId, search), [userId, search])

  const navigate = useNavigate()
  useEffect(() => {
    if (saved === undefined) return
    // Once: whoever reloads the page, or comes back to it, has gone on to something else.
    void navigate({ search }, { replace: true, state: null })
    const site = sites.find(({ id }) => id === saved)
    if (site === undefined || shown.includes(site)) return
    toast(text.savedHidden(site.name))
    setFocusId(neighbourOf(saved, shown, sorted)?.id)
    // oxlint-disable-next-line react/exhaustive-deps -- on arrival alone
  }, [])

  const focusIndex = focusId === undefined ? -1 : shown.findIndex(({ id }) => id === focusId)
  useEffect(() => {
    // A card that is not in the page has to come there before it can have the focus.
    if (focusIndex >= 0) long?.reveal(focusIndex)
  }, [long, focusIndex])

  const isGone = left !== undefined && shown.every(({ id }) => id !== left.id)
  useEffect(() => {
    if (!isGone) return
    // After the dialog or menu has tried to give the focus back to what is gone.
    const timer = setTimeout(() => {
      setLeft(undefined)
      if (document.activeElement !== document.body) return
      if (left.next === undefined || isMapOnly) heading.current?.focus()
      else setFocusId(left.next)
    }, 50)
    return () => clearTimeout(timer)
  }, [isGone, left, isMapOnly])

  // A site that was brought back has the focus, as it had before it was deleted.
  const deletes = usePendingDeletes()
  const deletesBefore = useRef(deletes)
  useEffect(() => {
    const back = deletesBefore.current.find(
      ({ id }) => !deletes.some((each) => each.id === id) && shown.some((site) => site.id === id),
    )
    deletesBefore.current = deletes
    if (back !== undefined) setFocusId(back.id)
  }, [deletes, shown])

  const actions: SiteActions = useMemo(
    () => ({
      onDelete: setDeleting,
      onStatus: ({ id }) => {
        const now = lists.current
        setLeft({ id, next: neighbourOf(id, now.shown, now.sorted)?.id })
      },
      onFocused: () => setFocusId(undefined),
      onDismissHint: (kind: HintKind) => {
        setDismissed((kinds) => {
          const next = [...kinds, kind]
          rememberDismissed(userId, next)
          return next
        })
        heading.current?.focus()
      },
    }),
    [userId],
  )

  const offersTable = sites.length >= TABLE_FROM
  const isTable = offersTable && view.layout === 'table'
  const hint = useMemo(() => {
    // What a site lacks is known once all of it has been sent.
    const sent = sites.filter(({ id }) => work.get(id)?.waiting !== true)
    return findHint(sent, dismissed)
  }, [sites, work, dismissed])
  const filtered = shown.length !== sites.length

  const confirmDelete = () => {
    if (deleting === undefined) return
    setDeleting(undefined)
    setLeft({ id: deleting.id, next: neighbourOf(deleting.id, shown, sorted)?.id })
    store.deleteSite(deleting.id)
    // With the last one goes the list; what there is to do next takes its place, unless the person has
    // gone on to the button that undoes it meanwhile.
    if (sites.length === 1)
      setTimeout(() => {
        if (document.activeElement === document.body)
          document.getElementById(FIRST_STEPS_ID)?.focus()
      }, 50)
  }

  const clear = () => {
    change({ query: '', status: undefined, lack: undefined })
    settle()
    searchBox.current?.focus()
  }

  const exportShown = async () => {
    const { download, sitesAsCsv } = await import('./export.ts')
    const day = new Date().toISOString().slice(0, 10)
    download(`${text.fileName}-${day}.csv`, 'text/csv', sitesAsCsv(shown, messages, locale))
  }

  const toggleMap = () => {
    setHasMap(!hasMap)
    remember(MAP_KEY, hasMap ? '' : SHOWN)
  }
  /** Whatever of a card or row is under the pointer, or has the focus. */
  const pointAt = ({ target }: SyntheticEvent) => {
    if (!hasMap || !(target instanceof Element)) return
    const id = target.closest<HTMLElement>('[data-site]')?.dataset['site']
    if (id !== undefined) setPointed(id)
  }
  const select = (id: string) => {
    setPointed(id)
    const element = document.querySelector(`[data-site="${id}"]`)
    if (element === null) long?.reveal(shown.findIndex((site) => site.id === id))
    else element.scrollIntoView({ block: 'center' })
  }

  const markOf = (id: string): SiteLook['mark'] => {
    if (hasMap && pointed === id) return 'selected'
    return saved === id ? 'saved' : undefined
  }
  const look = (site: SiteView): SiteLook => ({
    site,
    actions,
    wantsFocus: focusId === site.id,
    mark: markOf(site.id),
    work: work.get(site.id),
  })
  const card = (site: SiteView) => (
    <SiteCard {...look(site)} hint={hint?.siteId === site.id ? hint.kind : undefined} />
  )

  let results: ReactNode
  if (shown.length === 0) {
    results = (
      <div className="card centre-card">
        <p>{view.query.trim() === '' ? text.noMatchFilter : text.noMatch(view.query.trim())}</p>
        <button type="button" className="button" onClick={clear}>
          {text.clear}
        </button>
      </div>
    )
  } else if (isTable) {
    results = (
      <SiteTable
        ref={setLong}
        sites={shown}
        look={look}
        sort={view.sort}
        onSort={(sort) => change({ sort })}
      />
    )
  } else results = <CardList sites={shown} card={card} longRef={setLong} />

  return (
    <section className="stack sites" aria-labelledby="sites-title">
      <div className="sites-head">
        <h2 id="sites-title" ref={heading} tabIndex={-1}>
          {text.sitesTitle} <span className="muted">({text.count(sites.length)})</span>
        </h2>
        <output className="muted sites-updating">
          {updatingFrom !== undefined && text.updating(updatingFrom)}
        </output>
        <div className="sites-do">
          <button type="button" className="button" onClick={toggleMap}>
            <MapIcon className="icon" aria-hidden="true" />
            <span className="narrow-hidden">{hasMap ? text.hideMap : text.showMap}</span>
          </button>
          <Link className="button primary" to={PATHS.addSite}>
            <Plus className="icon" aria-hidden="true" />
            {text.addSite}
          </Link>
        </div>
      </div>

      {sites.length >= SEARCH_FROM && (
        <SiteTools
          view={isTable ? view : { ...view, layout: 'list' }}
          onChange={change}
          onSettle={settle}
          onClear={clear}
          searchRef={searchBox}
          filters={filters}
          offersTable={offersTable}
          onExport={() => void exportShown()}
        />
      )}

      <output className={filtered && shown.length > 0 ? 'muted' : 'visually-hidden'}>
        {filtered && !isExact && shown.length > 0 && `${text.similar(view.query.trim())} `}
        {filtered && text.shown(shown.length, sites.length)}
      </output>
      <PrintTable sites={shown} />
      <div className={hasMap ? 'sites-body with-map' : 'sites-body'}>
        {!isMapOnly && (
          <div className="sites-results" onPointerOver={pointAt} onFocus={pointAt}>
            <Suspense>{results}</Suspense>
          </div>
        )}
        {hasMap && <MapPanel sites={shown} selectedId={pointed} onSelect={select} />}
        {isMapOnly &&
          (chosen === undefined ? <p className="muted">{text.mapHint}</p> : card(chosen))}
      </div>

      {deleting !== undefined && (
        <Suspense>
          <Question
            isOpen
            title={text.deleteTitle(deleting.name)}
            cancel={messages.actions.cancel}
            onCancel={() => setDeleting(undefined)}
            confirm={messages.actions.delete}
            onConfirm={confirmDelete}
            tone="danger"
          >
            {text.deleteText(deleting.connectors.length, deleting.photos.length)}
          </Question>
        </Suspense>
      )}
    </section>
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
