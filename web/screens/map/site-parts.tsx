import { CircleCheck, Clock, Navigation } from 'lucide-react'

import type { OpeningHours } from '#domain/hours.ts'
import type { PublicSite } from '#domain/public-site.ts'
import { STATUSES_WITH_HOURS } from '#domain/site-values.ts'
import { deviceMapLink } from '../../map/map-link.ts'
import { hoursSpeech } from '../../messages/hours.ts'
import { useLanguage, useMessages, useNumberFormat } from '../../messages/messages.ts'
import { PlugDrawing } from '../../ui/plug-drawing.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useOpenState } from '../../ui/use-open-state.ts'
import { plugGroupName, plugLines, standardOf } from './plugs.ts'

/** Whether one can charge at a site now: its status, and whether it is open. */
export const SiteState = ({ site }: { readonly site: PublicSite }) => {
  const { status, opening_hours, time_zone } = site
  const hasHours = opening_hours !== null && STATUSES_WITH_HOURS.includes(status)
  return (
    <>
      {(!hasHours || status !== 'AVAILABLE') && <StatusBadge status={status} />}
      {hasHours && <OpenBadge hours={opening_hours} timeZone={time_zone} />}
    </>
  )
}

const OpenBadge = ({ hours, timeZone }: { hours: OpeningHours; timeZone: string }) => {
  const { isOpen, said } = useOpenState(hours, hoursSpeech(useLanguage(), timeZone))
  const Icon = isOpen ? CircleCheck : Clock
  return (
    <span className={`badge sentence ${isOpen ? 'ok' : ''}`}>
      <Icon className="icon" aria-hidden="true" />
      {said}
    </span>
  )
}

/** The plugs of a site, a line a group. */
export const SitePlugs = ({ site }: { readonly site: PublicSite }) => {
  const messages = useMessages()
  const number = useNumberFormat()
  return (
    <ul className="finder-plugs">
      {plugLines(site.connectors).map(({ group, count, kw }) => (
        <li key={group}>
          <PlugDrawing standard={standardOf(group)} />
          <span>
            {messages.facts.times(count)} {plugGroupName(messages, group)}
          </span>
          <strong>{messages.facts.power(number(kw))}</strong>
        </li>
      ))}
    </ul>
  )
}

/** A link that opens the place in a map app. */
export const Directions = ({ site, isShort }: { site: PublicSite; isShort: boolean }) => {
  const text = useMessages().find
  return (
    <a
      className={isShort ? 'button quiet icon-only' : 'button primary'}
      href={deviceMapLink(site)}
      aria-label={text.directionsTo(site.name)}
      target="_blank"
      rel="noopener noreferrer"
    >
      <Navigation className="icon" aria-hidden="true" />
      {!isShort && text.directions}
    </a>
  )
}
