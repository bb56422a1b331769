import { Plus, Search, X } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useRef, useState } from 'react'
import { Link } from 'react-router'

import { SITE_STATUSES, type SiteStatus } from '#domain/site.ts'
import { useStore } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../ui/paths.ts'
import { SiteCard, siteTitleId } from './site-card.tsx'

/** From how many sites on a search helps more than it is in the way. */
const SEARCH_FROM = 4
/** Up to here every card is in the page, for the browser's own search, printing and screen readers. */
const PLAIN_UP_TO = 150

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../ui/confirm-dialog.tsx')).ConfirmDialog,
}))
const LongSiteList = lazy(async () => ({
  default: (await import('./long-site-list.tsx')).LongSiteList,
}))

/** The sites, and what one does with a list of them: search, filter, add, delete. */
export const SiteList = ({ sites }: { readonly sites: readonly SiteView[] }) => {
  const messages = useMessages()
  const store = useStore()
  const text = messages.dashboard
  const heading = useRef<HTMLHeadingElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [wantedStatus, setStatus] = useState<SiteStatus>()
  const [deleting, setDeleting] = useState<SiteView>()

  const used = SITE_STATUSES.filter((status) => sites.some((site) => site.status === status))
  const status =
    wantedStatus !== undefined && used.includes(wantedStatus) ? wantedStatus : undefined
  const shown = findSites(sites, useDeferredValue(query), status)
  const filtered = shown.length !== sites.length

  const confirmDelete = () => {
    if (deleting === undefined) return
    const index = shown.findIndex((site) => site.id === deleting.id)
    const neighbour = shown[index + 1] ?? shown[index - 1]
    setDeleting(undefined)
    store.deleteSite(deleting.id)
    // After the dialog has tried to give the focus back to a card that is gone.
    setTimeout(() => {
      const title = neighbour && document.getElementById(siteTitleId(neighbour.id))
      ;(title ?? heading.current)?.focus()
    }, 50)
  }

  const clear = () => {
    setQuery('')
    setStatus(undefined)
    searchBox.current?.focus()
  }

  const card = (site: SiteView) => <SiteCard site={site} onDelete={() => setDeleting(site)} />

  return (
    <section className="stack" aria-labelledby="sites-title">
      <div className="sites-head">
        <h2 id="sites-title" ref={heading} tabIndex={-1}>
          {text.sitesTitle} <span className="muted">({sites.length})</span>
        </h2>
        <Link className="button primary" to={PATHS.addSite}>
          <Plus className="icon" aria-hidden="true" />
          {text.addSite}
        </Link>
      </div>

      {sites.length >= SEARCH_FROM && (
        <div className="sites-tools">
          <search className="search">
            <Search className="icon" aria-hidden="true" />
            <input
              ref={searchBox}
              type="search"
              className="input"
              autoComplete="off"
              aria-label={text.searchLabel}
              placeholder={text.searchPlaceholder}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
            />
            {query !== '' && (
              <button
                type="button"
                className="button quiet icon-only"
                aria-label={text.clearSearch}
                onClick={clear}
              >
                <X className="icon" aria-hidden="true" />
              </button>
            )}
          </search>
          {used.length > 1 && (
            <fieldset className="chips" aria-label={text.filterLabel}>
              <StatusChip
                label={text.all}
                count={sites.length}
                pressed={status === undefined}
                onPress={() => setStatus(undefined)}
              />
              {used.map((each) => (
                <StatusChip
                  key={each}
                  label={messages.status[each]}
                  count={sites.filter((site) => site.status === each).length}
                  pressed={status === each}
                  onPress={() => setStatus(each)}
                />
              ))}
            </fieldset>
          )}
        </div>
      )}

      <output className="visually-hidden">
        {filtered ? text.shown(shown.length, sites.length) : ''}
      </output>
      {shown.length === 0 && (
        <div className="card centre-card">
          <p>{query.trim() === '' ? text.noMatchStatus : text.noMatch(query.trim())}</p>
          <button type="button" className="button" onClick={clear}>
            {text.clear}
          </button>
        </div>
      )}
      {shown.length > PLAIN_UP_TO ? (
        <Suspense>
          <LongSiteList sites={shown} renderSite={card} />
        </Suspense>
      ) : (
        <ul className="site-grid">
          {shown.map((site) => (
            <li key={site.id}>{card(site)}</li>
          ))}
        </ul>
      )}

      {deleting !== undefined && (
        <Suspense>
          <ConfirmDialog
            isOpen
            title={text.deleteTitle(deleting.name)}
            cancel={messages.actions.cancel}
            onCancel={() => setDeleting(undefined)}
            confirm={messages.actions.delete}
            onConfirm={confirmDelete}
            tone="danger"
          >
            {text.deleteText(deleting.connectors.length, deleting.photos.length)}
          </ConfirmDialog>
        </Suspense>
      )}
    </section>
  )
}

interface ChipProps {
  readonly label: string
  readonly count: number
  readonly pressed: boolean
  readonly onPress: () => void
}

const StatusChip = ({ label, count, pressed, onPress }: ChipProps) => (
  <button type="button" className="chip" aria-pressed={pressed} onClick={onPress}>
    {label} <span className="count">{count}</span>
  </button>
)

/** Every word has to appear in the name or the address; accents and case do not count. */
const findSites = (
  sites: readonly SiteView[],
  query: string,
  status: SiteStatus | undefined,
): readonly SiteView[] => {
  const words = fold(query).split(/\s+/).filter(Boolean)
  return sites.filter((site) => {
    if (status !== undefined && site.status !== status) return false
    if (words.length === 0) return true
    const place = fold(`${site.name} ${site.address}`)
    return words.every((word) => place.includes(word))
  })
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
