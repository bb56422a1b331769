import { useState } from 'react'

import type { ReportInput } from '#domain/report.ts'

/** What was typed about a site; a reload of the tab keeps it. */
export const useTyped = (
  site: string,
  nothing: ReportInput,
): readonly [ReportInput, (typed: ReportInput) => void] => {
  const key = `voltleaf:report:${site}`
  const [typed, setTyped] = useState(() => ({ ...nothing, ...recallTyped(key) }))
  const type = (next: ReportInput): void => {
    setTyped(next)
    try {
      if (next === nothing) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, JSON.stringify(next))
    } catch {
      // Some browsers refuse storage in private windows.
    }
  }
  return [typed, type]
}

const recallTyped = (key: string): Partial<ReportInput> => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<ReportInput>
  } catch {
    return {}
  }
}
