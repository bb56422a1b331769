import { ArrowLeft } from 'lucide-react'
import { Suspense, type Ref } from 'react'

import { sitePage, slugOf } from '#domain/site-address.ts'
import type { ListedSite } from '#domain/public-read.ts'
import { lazyComponent } from '../../browser/lazy-component.ts'
import { isGone } from '../../data/public-sites.ts'
import type { Problem } from '../../data/state.ts'
import type { Coordinates } from '../../map/coordinates.ts'
import { distanceM } from '#domain/distance.ts'
import { useMessages } from '../../messages/messages.ts'
import { useSettings } from '../../settings.ts'
import { SiteState } from '../../traveller/site-state.tsx'
import { Button } from '../../ui/button.tsx'
import { onOneLine, UserText } from '../../ui/user-text.tsx'
import { Distance } from './site-list.tsx'
import { Directions, SitePlugs } from './site-parts.tsx'

interface Props {
  readonly site: ListedSite | undefined
  /** The visitor's position, if known. */
  readonly position: Coordinates | undefined
  readonly problem: Problem | undefined
  readonly onClose: () => void
  readonly ref: Ref<HTMLElement>
}

/** The card of the selected site, above the list. Escape closes it. */
export const SelectedSite = ({ site, position, problem, onClose, ref }: Props) => {
  const messages = useMessages()
  const text = messages.find
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape is an alternative to the button
    <section
      className="finder-selected"
      aria-label={site === undefined ? text.chosen : messages.about(text.chosen, site.name)}
      ref={ref}
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      {/* It appears under the pointer within a double click on the first row, whose second press must not close it. */}
      <Button look="link" onClick={({ detail }) => detail < 2 && onClose()}>
        <ArrowLeft className="icon" />
        {text.back}
      </Button>
      {site !== undefined && <Card site={fromPosition(site, position)} />}
      {site === undefined && problem === undefined && (
        <p aria-busy="true">
          <span className="skeleton finder-line" />
          <span className="visually-hidden">{messages.shell.loading}</span>
        </p>
      )}
      {problem !== undefined && (
        <div role="alert">
          <h2>{isGone(problem) ? text.goneTitle : text.notLoaded}</h2>
          <p className="muted">{isGone(problem) ? text.gone : messages.problems[problem.kind]}</p>
        </div>
      )}
    </section>
  )
}

/** Sets the distance of the site from the visitor, if known, instead of the distance from the centre of the map. */
const fromPosition = (site: ListedSite, position: Coordinates | undefined): ListedSite => {
  const { distance_m: _, ...others } = site
  return position === undefined ? others : { ...others, distance_m: distanceM(position, site) }
}

/**
 * The price of a site. Its sentence requires a lazy script; without it, the card shows no price: the owner's text may be
 * older than the tariff.
 */
const Price = ({ site }: { readonly site: ListedSite }) => {
  if (site.tariffs.length === 0) return <Cost site={site} />
  return (
    <Suspense fallback={<span className="skeleton finder-line" />}>
      <SelectedPrices site={site} />
    </Suspense>
  )
}

const Cost = ({ site }: { readonly site: ListedSite }) =>
  site.cost !== '' && (
    <p>
      <UserText text={onOneLine(site.cost)} />
    </p>
  )

const SelectedPrices = lazyComponent(
  async () => (await import('./selected-prices.tsx')).SelectedPrices,
  ['tariffs'],
)

const Card = ({ site }: { readonly site: ListedSite }) => {
  const text = useMessages().find
  const basePath = useSettings()['base-path']
  return (
    <article className="finder-card">
      <div className="finder-head">
        <h2>
          <UserText text={site.name} />
        </h2>
        <Distance site={site} />
      </div>
      <p className="muted">
        <UserText text={site.address} />
      </p>
      <p className="finder-state">
        <SiteState site={site} />
      </p>
      <SitePlugs site={site} />
      <Price site={site} />
      <p className="finder-actions">
        <Directions site={site} isShort={false} />
        <a className="button" href={basePath + sitePage(site.id, slugOf(site.name))}>
          {text.details}
        </a>
      </p>
    </article>
  )
}
