import { Navigation } from 'lucide-react'

import type { PublicSite } from '#domain/public-site.ts'
import { deviceMapLink } from '../../map/map-link.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'
import { PlugDrawing } from '../../ui/plug-drawing.tsx'
import { plugGroupName, plugLines, standardOf } from './plugs.ts'

/** The plugs of a site, one line per group. */
export const SitePlugs = ({ site }: { readonly site: PublicSite }) => {
  const messages = useMessages()
  const number = useNumberFormat()
  return (
    <ul className="finder-plugs">
      {plugLines(site.connectors).map(({ group, count, kw, weakestKw }) => (
        <li key={group}>
          <PlugDrawing standard={standardOf(group)} />
          <span>
            {messages.facts.times(count)} {plugGroupName(messages, group)}{' '}
            <strong>
              {messages.facts.power(
                weakestKw < kw ? `${number(weakestKw)}–${number(kw)}` : number(kw),
              )}
            </strong>
          </span>
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
      <Navigation className="icon" />
      {!isShort && text.directions}
    </a>
  )
}
