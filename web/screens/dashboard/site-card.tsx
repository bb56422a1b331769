import { Clock, Lightbulb, RotateCcw, TriangleAlert, X } from 'lucide-react'
import { memo, useEffect, useRef, type ReactNode } from 'react'
import { Link } from 'react-router'

import { groupConnectors, inDisplayOrder } from '#domain/connector.ts'
import type { SiteView } from '../../data/state.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { PlugDrawing } from '../../ui/plug-drawing.tsx'
import { editSitePath } from '../../paths.ts'
import '../../ui/site-card.css'
import { SitePicture } from '../../ui/site-picture.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { thumbnail } from '../../photos/thumbnail.ts'
import { onOneLine, plainText, UserText } from '../../ui/user-text.tsx'
import { SelectionBox } from './selection.tsx'
import { PublicationBadge } from '../shared/publication.tsx'
import type { HintKind } from './hints.ts'
import { ReportsLink } from './open-reports.tsx'
import { SiteMenu } from './site-menu.tsx'
import type { SyncStatus } from './sync-status.ts'
import { StatusMenu } from './status-menu.tsx'
import { WaitingPicture } from './waiting-picture.tsx'

/** The callbacks of cards and rows, shared by all of them. */
export interface SiteActions {
  readonly onDelete: (site: SiteView) => void
  /** Called after a change of status: the site may no longer match the filter. */
  readonly onStatus: (site: SiteView) => void
  /** Called when the requested focus is set. */
  readonly onFocused: () => void
  readonly onDismissHint: (kind: HintKind) => void
}

/** The props of a site in the list or the table. */
export interface SiteLook {
  readonly site: SiteView
  readonly actions: SiteActions
  /** Requests the focus for its title. */
  readonly wantsFocus: boolean
  /** Highlights the site that was just saved, or is selected on the map. */
  readonly mark: 'saved' | 'selected' | undefined
  readonly work: SyncStatus | undefined
  /** See `priceOf`. */
  readonly price: string
}

interface Props extends SiteLook {
  readonly hint: HintKind | undefined
}

/** A site in the list. The title links to its form. */
export const SiteCard = memo(function SiteCard({
  site,
  actions,
  wantsFocus,
  mark,
  work,
  price,
  hint,
}: Props) {
  const messages = useMessages()
  const number = useNumberFormat()
  const text = messages.dashboard
  const cover = site.photos[0]
  return (
    <article className={`card site-card row ${mark ?? ''}`} data-site={site.id}>
      <div className="site-thumb">
        {cover === undefined && work?.isQueued === true && <WaitingPicture site={site} />}
        {cover === undefined && work?.isQueued !== true && <SitePicture />}
        {cover !== undefined && (
          <img
            className="site-photo"
            src={thumbnail(cover.src)}
            alt={text.photoOf(plainText(site.name))}
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
          <SiteStatus site={site} actions={actions} work={work} />
          {work?.isQueued !== true && <PublicationBadge site={site} />}
          <ReportsLink site={site.id} />
          {work?.isQueued === true && (
            <span className="badge warn">
              <Clock className="icon" />
              {messages.drafts.waiting}
            </span>
          )}
        </p>
        <CopyText className="muted">
          <UserText text={site.address} />
        </CopyText>
        {(site.vehicle_capacity > 0 || price !== '') && (
          <CopyText className="site-card-facts">
            {site.vehicle_capacity > 0 && messages.facts.capacity(site.vehicle_capacity)}
            {site.vehicle_capacity > 0 && price !== '' && ' · '}
            <UserText text={onOneLine(price)} />
          </CopyText>
        )}
      </div>
      <SiteMenu site={site} onDelete={() => actions.onDelete(site)} />
      <ul className="plug-list">
        {groupConnectors(inDisplayOrder(site.connectors)).map(
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
      <SelectionBox site={site} />
      {work?.unsaved !== undefined && <Unsaved unsaved={work.unsaved} />}
      {hint !== undefined && (
        <p className="site-hint">
          <Lightbulb className="icon" />
          <Link to={editSitePath(site.id)}>{text.hints[hint]}</Link>
          <IconButton
            look="quiet"
            icon={X}
            label={text.dismissHint(text.hints[hint])}
            onClick={() => actions.onDismissHint(hint)}
          />
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

/** The name of a site, with a link to its form. */
export const SiteLink = ({ site, wantsFocus, onFocused }: LinkProps) => {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (!wantsFocus) return
    let frame = 0
    const takeFocus = () => {
      link.current?.focus()
      // A virtualized list hides a row until it is measured, and a hidden element cannot be focused.
      if (document.activeElement === link.current) onFocused()
      else frame = requestAnimationFrame(takeFocus)
    }
    takeFocus()
    return () => cancelAnimationFrame(frame)
  }, [wantsFocus, onFocused])
  return (
    <Link ref={link} to={editSitePath(site.id)}>
      <UserText text={site.name} />
    </Link>
  )
}

/** The status, which can be changed unless the site has queued changes. */
export const SiteStatus = ({ site, actions, work }: Pick<SiteLook, 'site' | 'actions' | 'work'>) =>
  work?.isQueued === true ? (
    <StatusBadge status={site.status} />
  ) : (
    <StatusMenu site={site} onChange={actions.onStatus} />
  )

interface CopyProps {
  readonly className: string
  readonly children: ReactNode
}

/** Selectable text above the link of the card; a click on it still opens the site. */
const CopyText = ({ className, children }: CopyProps) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the link handles the keyboard
  <p
    className={`${className} site-card-copy`}
    onClick={({ currentTarget, ctrlKey, metaKey, shiftKey }) => {
      if (getSelection()?.isCollapsed === false) return
      const link = currentTarget.closest('[data-site]')?.querySelector('.site-card-title a')
      const click = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
      link?.dispatchEvent(new MouseEvent('click', click))
    }}
  >
    {children}
  </p>
)

/** The number of connectors that failed to save, with a retry. */
const Unsaved = ({ unsaved }: { readonly unsaved: NonNullable<SyncStatus['unsaved']> }) => {
  const messages = useMessages()
  return (
    <div className="site-unsaved" role="alert">
      <TriangleAlert className="icon" />
      <span>{messages.dashboard.unsaved(unsaved.count)}</span>
      <Button onClick={unsaved.retry}>
        <RotateCcw className="icon" />
        {messages.actions.retry}
      </Button>
    </div>
  )
}
