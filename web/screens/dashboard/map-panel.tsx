import { useEffect, useState } from 'react'

import type { SiteView } from '../../data/state.ts'
import { localeOfPage } from '../../messages/locale.ts'
import { loadMessages, useMessages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'

interface Props {
  readonly sites: readonly SiteView[]
  readonly selectedId: string | undefined
  readonly onSelect: (id: string) => void
}

type SitesMap = typeof import('../../map/sites-map.tsx').SitesMap
type Loaded = { readonly SitesMap: SitesMap } | 'loading' | 'failed'

/** The map of the sites, loaded on first render; a failure does not affect the list. */
export const MapPanel = (props: Props) => {
  const messages = useMessages()
  const [loaded, setLoaded] = useState<Loaded>('loading')
  useEffect(() => {
    if (loaded !== 'loading') return
    Promise.all([import('../../map/sites-map.tsx'), loadMessages(localeOfPage(), ['map'])]).then(
      ([{ SitesMap }]) => setLoaded({ SitesMap }),
      () => setLoaded('failed'),
    )
  }, [loaded])
  return (
    <div className="sites-map">
      {loaded === 'loading' && (
        <p className="sites-map-state">
          <Spinner /> {messages.shell.loading}
        </p>
      )}
      {loaded === 'failed' && (
        <p className="sites-map-state" role="alert">
          {messages.problems.unavailable}
          <Button onClick={() => setLoaded('loading')}>{messages.actions.retry}</Button>
        </p>
      )}
      {typeof loaded === 'object' && <loaded.SitesMap {...props} />}
    </div>
  )
}
