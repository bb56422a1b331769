import { Clock, Lightbulb, RotateCcw, TriangleAlert, X } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { Link } from 'react-router'

import { groupConnectors, inShownOrder } from '#domain/connector.ts'
import type { SiteView } from '../../data/state.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
import { PlugDrawing } from '../../ui/plug-drawing.tsx'
import { editSitePath } from '../../ui/paths.ts'
import '../../ui/site-card.css'
import { SitePicture } from '../../ui/site-picture.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { thumbnail } from '../../ui/thumbnail.ts'
import type { HintKind } from './hints.ts'
import { SiteMenu } from './site-menu.tsx'
import type { SiteWork } from './site-work.ts'

/** What the list does for its cards and rows; the same functions for all of them. */
export interface SiteActions {
  readonly onDelete: (site: SiteView) => void
  /** The focus that was asked for is there. */
  readonly onFocused: () => void
  readonly onDismissHint: (kind: HintKind) => void
}

/** How a site is shown in the list or the table. */
export interface SiteLook {
  readonly site: SiteView
  readonly actions: SiteActions
  /** The focus belongs to its title now. */
  readonly wantsFocus: boolean
  /** It was just saved, or is the one that the map points at. */
  readonly mark: 'saved' | 'selected' | undefined
  readonly work: SiteWork | undefined
}

interface Props extends SiteLook {
  readonly hint: HintKind | undefined
}

/** One site in the list. The title leads to its form. */
export const SiteCard = memo(function SiteCard({
  site,
  actions,
  wantsFocus,
  mark,
  work,
  hint,
}: Props) {
  const messages = useMessages()
  const number = useNumberFormat()
  const text = messages.dashboard
  const cover = site.photos[0]
  return (
    <article className={`card site-card row ${mark ?? ''}`} data-site={site.id}>
      <div className="site-thumb">
        {cover === undefined ? (
          <SitePicture />
        ) : (
          <img
            className="site-photo"
            src={thumbnail(cover.src)}
            alt={text.photoOf(site.name)}
            loading="lazy"
            decoding="async"
          />
        )}
      </div>
      <div className="site-card-text">
        <h3 className="site-card-title">
          <SiteLink site={site} wantsFocus={wantsFocus} onFocused={actions.onFocused} />
        </h3>
        <p className="site-card-badges">
          <StatusBadge status={site.status} />
          {work?.waiting === true && (
            <span className="badge warn">
              <Clock className="icon" aria-hidden="true" />
              {messages.drafts.waiting}
            </span>
          )}
        </p>
        <p className="muted">{site.address}</p>
        <p className="site-card-facts">
          {[
            ...(site.vehicle_capacity > 0 ? [messages.facts.capacity(site.vehicle_capacity)] : []),
            ...(site.cost === '' ? [] : [site.cost]),
          ].join(' · ')}
        </p>
      </div>
      <SiteMenu site={site} onDelete={() => actions.onDelete(site)} />
      <ul className="plug-list">
        {groupConnectors(inShownOrder(site.connectors)).map(
          ({ first: connector, all: { length: count } }) => (
            <li key={connector.id}>
              <PlugDrawing standard={connector.standard} />
              <span className="plug-name">
                {count > 1 && `${messages.facts.times(count)} `}
                {shortPlugName(messages, connector.standard)}
              </span>
              <span className="plug-kind">
                {messages.currentShort[connector.current_type]} ·{' '}
                {messages.formatShort[connector.format]}
              </span>
              <span className="plug-power">
                {messages.facts.power(number(connector.kw_rating))}
              </span>
            </li>
          ),
        )}
        {site.connectors.length === 0 && <li className="muted">{text.noConnectors}</li>}
      </ul>
      {work?.unsaved !== undefined && <Unsaved unsaved={work.unsaved} />}
      {hint !== undefined && (
        <p className="site-hint">
          <Lightbulb className="icon" aria-hidden="true" />
          <Link to={editSitePath(site.id)}>{text.hints[hint]}</Link>
          <button
            type="button"
            className="button quiet icon-only"
            aria-label={text.dismissHint(text.hints[hint])}
            onClick={() => actions.onDismissHint(hint)}
          >
            <X className="icon" aria-hidden="true" />
          </button>
        </p>
      )}
    </article>
  )
})

interface LinkProps {
  readonly site: SiteView
  readonly wantsFocus: boolean
  readonly onFocused: () => void
}

/** The name of a site, which leads to its form. */
export const SiteLink = ({ site, wantsFocus, onFocused }: LinkProps) => {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (!wantsFocus) return
    let frame = 0
    const takeFocus = () => {
      link.current?.focus()
      // A long list hides a row until it has measured it, and what is hidden takes no focus.
      if (document.activeElement === link.current) onFocused()
      else frame = requestAnimationFrame(takeFocus)
    }
    takeFocus()
    return () => cancelAnimationFrame(frame)
  }, [wantsFocus, onFocused])
  return (
    <Link ref={link} to={editSitePath(site.id)}>
      {site.name}
    </Link>
  )
}

/** Connectors of this site that are not on the server, and the way to send them again. */
const Unsaved = ({ unsaved }: { readonly unsaved: NonNullable<SiteWork['unsaved']> }) => {
  const messages = useMessages()
  return (
    <div className="site-unsaved" role="alert">
      <TriangleAlert className="icon" aria-hidden="true" />
      <span>{messages.dashboard.unsaved(unsaved.count)}</span>
      <button type="button" className="button" onClick={unsaved.retry}>
        <RotateCcw className="icon" aria-hidden="true" />
        {messages.actions.retry}
      </button>
    </div>
  )
}
