import { useEffect, useState, type ReactNode } from 'react'

import { useStore } from '../../data/react.ts'
import type { Draft, DraftSlot, FormName } from '../../data/state.ts'

interface Props {
  readonly form: FormName
  /** Shown until the draft is read. */
  readonly skeleton: ReactNode
  readonly children: (slot: DraftSlot, draft: Draft | undefined) => ReactNode
}

/** Reads the draft of a form before the form is shown. */
export const WithDraft = ({ form, skeleton, children }: Props) => {
  const store = useStore()
  const [slot] = useState(() => store.draft(form))
  const [draft, setDraft] = useState<Draft | 'none'>()
  useEffect(() => {
    void slot.read().then((found) => setDraft(found ?? 'none'))
  }, [slot])
  if (draft === undefined) return skeleton
  return children(slot, draft === 'none' ? undefined : draft)
}
