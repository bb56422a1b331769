import { Copy, MapPinned, Pencil, Trash2, Zap } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'

import type { Connector } from '#domain/connector.ts'
import type { SiteView } from '../../data/state.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'
import { shortPlugName } from '../../messages/plugs.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { editSitePath } from '../../ui/paths.ts'
import '../../ui/site-card.css'
import { SitePicture } from '../../ui/site-picture.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { thumbnail } from '../../ui/thumbnail.ts'
import { toast } from '../../ui/toast.ts'

/** The id of the link that a card's title is. */
export const siteTitleId = (id: string): string => `site-${id}`

interface Props {
  readonly site: SiteView
  readonly onDelete: () => void
}

/** One site in the list. The title leads to its form. */
export const SiteCard = ({ site, onDelete }: Props) => {
  const messages = useMessages()
  const number = useNumberFormat()
  const text = messages.dashboard
  const title = useRef<HTMLAnchorElement>(null)
  const { state } = useLocation()
  const isNew = readSaved(state) === site.id
  const cover = site.photos[0]

  useEffect(() => {
    // Right after it was saved: the eyes and the focus go to it.
    if (isNew) title.current?.focus()
  }, [isNew])

  return (
    <article className={`card site-card row${isNew ? ' saved' : ''}`}>
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
          <Link id={siteTitleId(site.id)} ref={title} to={editSitePath(site.id)}>
            {site.name}
          </Link>
        </h3>
        <StatusBadge status={site.status} />
        <p className="muted">{site.address}</p>
        <p className="site-card-facts">
          {[
            ...(site.vehicle_capacity > 0 ? [text.capacity(site.vehicle_capacity)] : []),
            ...(site.cost === '' ? [] : [site.cost]),
          ].join(' · ')}
        </p>
      </div>
      <SiteMenu site={site} onDelete={onDelete} />
      <ul className="plug-list">
        {groupConnectors(site.connectors).map(({ connector, count }) => (
          <li key={connector.id}>
            <Zap className="icon" aria-hidden="true" />
            <span className="plug-name">
              {count > 1 && `${text.times(count)} `}
              {shortPlugName(messages, connector.standard)}
            </span>
            <span className="plug-kind">
              {messages.currentShort[connector.current_type]} ·{' '}
              {messages.formatShort[connector.format]}
            </span>
            <span className="plug-power">{text.power(number(connector.kw_rating))}</span>
          </li>
        ))}
        {site.connectors.length === 0 && <li className="muted">{text.noConnectors}</li>}
      </ul>
    </article>
  )
}

const SiteMenu = memo(function SiteMenu({ site, onDelete }: Props) {
  const messages = useMessages()
  const navigate = useNavigate()
  const text = messages.dashboard
  const place = `${site.latitude}, ${site.longitude}`
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(place)
      toast(text.copied)
    } catch {
      toast(text.copyFailed)
    }
  }
  return (
    <ActionMenu
      label={text.menu(site.name)}
      entries={[
        {
          id: 'edit',
          label: messages.actions.edit,
          icon: Pencil,
          onAction: () => void navigate(editSitePath(site.id)),
        },
        { id: 'copy', label: text.copyCoordinates, icon: Copy, onAction: () => void copy() },
        { id: 'maps', label: text.openInMaps, icon: MapPinned, href: mapsLink(site) },
        {
          id: 'delete',
          label: messages.actions.delete,
          icon: Trash2,
          tone: 'danger',
          onAction: onDelete,
        },
      ]}
    />
  )
})

const mapsLink = ({ latitude, longitude }: SiteView): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`

/** Equal connectors in one line, in the order in which each kind first comes. */
const groupConnectors = (connectors: readonly Connector[]) => {
  const groups = new Map<string, { connector: Connector; count: number }>()
  for (const connector of connectors) {
    const { standard, format, current_type, kw_rating } = connector
    const key = [standard, format, current_type, kw_rating].join(' ')
    const group = groups.get(key)
    if (group) group.count += 1
    else groups.set(key, { connector, count: 1 })
  }
  return [...groups.values()]
}

const readSaved = (state: unknown): unknown =>
  typeof state === 'object' && state !== null && 'saved' in state ? state.saved : undefined
