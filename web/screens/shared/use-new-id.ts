import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

import { useStore } from '../../data/react.ts'

/**
 * The id of the new record in this tab; undefined until known. It is the one in the address, else `fresh`, else that of
 * an existing draft. All attempts to save use the same id.
 */
export const useNewId = (kind: string, fresh: string | undefined): string | undefined => {
  const store = useStore()
  const [search] = useSearchParams()
  const wanted = search.get('draft') ?? fresh
  const [id, setId] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    const opening = store.openNew(kind, wanted)
    void opening.then((opened) => isCurrent && setId(opened.id))
    return () => {
      isCurrent = false
      void opening.then(({ release }) => release())
    }
  }, [store, kind, wanted])
  return id
}
