import { useState } from 'react'

import type { ReportInput } from '#domain/report.ts'
import { tabStorage } from '../../storage.ts'

/** The typed report about a site, which survives a reload of the tab. */
export const useTyped = (
  site: string,
  nothing: ReportInput,
): readonly [ReportInput, (typed: ReportInput) => void] => {
  const key = `voltleaf:report:${site}`
  const [typed, setTyped] = useState(() => ({ ...nothing, ...recallTyped(key) }))
  const type = (next: ReportInput): void => {
    setTyped(next)
    if (next === nothing) tabStorage.remove(key)
    else tabStorage.set(key, JSON.stringify(next))
  }
  return [typed, type]
}

const recallTyped = (key: string): Partial<ReportInput> => {
  try {
    return JSON.parse(tabStorage.get(key) ?? '{}') as Partial<ReportInput>
  } catch {
    return {}
  }
}
