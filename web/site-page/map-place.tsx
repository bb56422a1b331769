import { useContext } from 'react'

import type { Position } from '#domain/distance.ts'
import type { PublicBusiness } from '#domain/public-site.ts'
import { useLanguage } from '../messages/messages.ts'
import { useSettings } from '../settings.ts'
import type { EmbeddedMap } from './embedded-map.ts'
import { NamedLanguage } from './links.ts'

interface Props {
  readonly business: PublicBusiness
  readonly corners: readonly Position[]
}

/** The element in which the script of the page opens the map of a business; empty without scripts. */
export const MapPlace = ({ business, corners }: Props) => {
  const { locale, messages } = useLanguage()
  const settings = useSettings()
  const language = useContext(NamedLanguage)
  const text = messages.embed
  const options: EmbeddedMap = {
    basePath: settings['base-path'],
    styleUrl: settings['map-style-url'],
    business: business.id,
    corners,
    locale,
    language,
    names: {
      map: text.map(business.name),
      zoomIn: messages.map.zoomIn,
      zoomOut: messages.map.zoomOut,
    },
    missing: text.missing,
  }
  return (
    <div className="embed-map" data-map={JSON.stringify(options)} hidden>
      <p className="visually-hidden" id="map-keys">
        {text.keys}
      </p>
    </div>
  )
}
