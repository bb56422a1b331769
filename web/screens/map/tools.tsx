import { Locate } from 'lucide-react'
import type { ComponentProps } from 'react'

import { useMessages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { FilterChips } from './filters.tsx'
import { PlaceSearch } from './place-search.tsx'

interface Props {
  readonly search: ComponentProps<typeof PlaceSearch>
  readonly filters: ComponentProps<typeof FilterChips>
  readonly isLocating: boolean
  readonly onLocate: () => void
}

/** The search, "near me" and the filters. */
export const Tools = ({ search, filters, isLocating, onLocate }: Props) => {
  const { nearMe } = useMessages().find
  return (
    <div className="finder-tools">
      <div className="finder-search-row">
        <PlaceSearch {...search} />
        <Button look="finder-near" aria-label={nearMe} title={nearMe} onClick={onLocate}>
          {isLocating ? <Spinner /> : <Locate className="icon" />}
        </Button>
      </div>
      <FilterChips {...filters} />
    </div>
  )
}
