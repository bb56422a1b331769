import { NO_FILTER } from '#domain/public-read.ts'
import { createPublicSites } from '../../data/public-sites.ts'
import './map.css'
import { Rows } from './results.tsx'
import { Tools } from './tools.tsx'

const nothing = () => undefined

/** The map before the app has started. The sites depend on the address, so there are none yet. */
export const MapSkeleton = () => (
  <div className="finder">
    <Tools
      search={{
        sites: createPublicSites(''),
        query: '',
        isArrival: false,
        onChoose: nothing,
        onClear: nothing,
      }}
      filters={{ filter: NO_FILTER, onChange: nothing }}
      isLocating={false}
      onLocate={nothing}
    />
    <div className="finder-results">
      <Rows />
    </div>
    <div className="finder-map" />
  </div>
)
