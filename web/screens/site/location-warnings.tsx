import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Link } from 'react-router'

import type { Duplicate } from '#domain/duplicate.ts'
import type { GeocodedPlace } from '#domain/geocode.ts'
import { sitePage, slugOf } from '#domain/site-address.ts'
import { useStore } from '../../data/react.ts'
import type { SiteView } from '../../data/state.ts'
import { formatDistance } from '../../format/metres.ts'
import type { Land } from '../../map/geometry.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { useSettings } from '../../settings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { plainText } from '../../ui/user-text.tsx'
import type { Coordinates } from '../../map/coordinates.ts'
import { editSitePath } from '../../paths.ts'
import type { SiteText } from './site-values.ts'
import { findWarnings, isOnEarth, type Warning } from './warnings.ts'

interface Props {
  /** The id of the site. */
  readonly site: string
  /** The position of the pin. */
  readonly place: Coordinates
  /** The chosen suggestion, until its address is edited. */
  readonly address: GeocodedPlace | undefined
  readonly others: readonly SiteView[]
  readonly onMove: (place: Coordinates) => void
}

/** Debounce before a position is checked. */
const PAUSE_MS = 400

/** Warnings about the position, with actions. They do not prevent saving. */
export const LocationWarnings = ({ site, place, address, others, onMove }: Props) => {
  const settled = useSettled(place)
  const land = useLand()
  const duplicate = useForeignDuplicate(site, settled)
  if (settled === undefined) return null
  return (
    <>
      {findWarnings({ place: settled, address, others, land }).map((warning) => (
        <WarningBanner key={warning.kind} warning={warning} onMove={onMove} />
      ))}
      {duplicate !== undefined && <OtherNear duplicate={duplicate} />}
    </>
  )
}

/** A hint at a site of another business that may be the same. */
const OtherNear = ({ duplicate }: { readonly duplicate: Duplicate }) => {
  const text = useMessages().positionWarnings
  const { locale } = useLanguage()
  const basePath = useSettings()['base-path']
  const { id, name, business, distance_m } = duplicate
  return (
    <Banner
      tone="info"
      title={text.otherNear(formatDistance(distance_m, locale))}
      actions={
        <a
          className="button"
          href={basePath + sitePage(id, slugOf(name))}
          target="_blank"
          rel="noopener"
        >
          {text.seeOther}
        </a>
      }
    >
      {text.otherNearHint(plainText(name), plainText(business))}
    </Banner>
  )
}

/** The most probable duplicate at a place; undefined if there is none, or on failure. */
const useForeignDuplicate = (
  site: string,
  place: Coordinates | undefined,
): Duplicate | undefined => {
  const store = useStore()
  const [name, address] = useWatch<SiteText, ['name', 'address']>({ name: ['name', 'address'] })
  const called = name.trim() || address.trim()
  const [found, setFound] = useState<Duplicate>()
  useEffect(() => {
    let isCurrent = true
    const ask = async (at: Coordinates) => {
      const calls = await store.openImports()
      const { value = [] } = await calls.duplicates({ ...at, name: called, site })
      if (isCurrent) setFound(value.find(({ is_own }) => !is_own))
    }
    const isComplete = place !== undefined && isOnEarth(place) && called !== ''
    const timer = isComplete
      ? setTimeout(() => void ask(place).catch(() => undefined), PAUSE_MS)
      : undefined
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [store, place, called, site])
  return found
}

const WarningBanner = ({
  warning,
  onMove,
}: {
  readonly warning: Warning<SiteView>
  readonly onMove: (place: Coordinates) => void
}) => {
  const text = useMessages().positionWarnings
  const { locale } = useLanguage()
  const move = (label: string, place: Coordinates) => (
    <Button onClick={() => onMove(place)}>{label}</Button>
  )
  switch (warning.kind) {
    case 'swapped':
      return (
        <Banner tone="warn" title={text.swapped} actions={move(text.swap, warning.place)}>
          {text.swappedHint}
        </Banner>
      )
    case 'far':
      return (
        <Banner
          tone="warn"
          title={text.far(formatDistance(warning.distanceM, locale))}
          actions={move(text.toAddress, warning.place)}
        >
          {text.farHint}
        </Banner>
      )
    case 'sea':
      return (
        <Banner tone="warn" title={text.sea}>
          {text.seaHint}
        </Banner>
      )
    case 'near': {
      const { id, name } = warning.site
      return (
        <Banner
          tone="warn"
          title={text.near(name, formatDistance(warning.distanceM, locale))}
          actions={
            <Link className="button" to={editSitePath(id)}>
              {text.editNear(name)}
            </Link>
          }
        >
          {text.nearHint}
        </Banner>
      )
    }
  }
}

const useSettled = (place: Coordinates): Coordinates | undefined => {
  const [settled, setSettled] = useState<Coordinates>()
  const { latitude, longitude } = place
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ latitude, longitude }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [latitude, longitude])
  return settled
}

const useLand = (): readonly Land[] | undefined => {
  const [land, setLand] = useState<readonly Land[]>()
  useEffect(() => {
    let isCurrent = true
    import('../../map/land.ts')
      .then(({ loadLand }) => loadLand())
      // Without the coastlines, only the warning about the sea is missing.
      .then((loaded) => isCurrent && setLand(loaded))
      .catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [])
  return land
}
