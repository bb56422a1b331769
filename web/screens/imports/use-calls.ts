import { useEffect, useState } from 'react'

import { useStore } from '../../data/react.ts'
import type { Imports } from '../../data/state.ts'

/** The calls for imports; undefined until they are loaded, null if that failed. */
export const useCalls = (): Imports | null | undefined => {
  const store = useStore()
  const [calls, setCalls] = useState<Imports | null>()
  useEffect(() => {
    let isCurrent = true
    store.openImports().then(
      (opened) => isCurrent && setCalls(opened),
      () => isCurrent && setCalls(null),
    )
    return () => {
      isCurrent = false
    }
  }, [store])
  return calls
}
