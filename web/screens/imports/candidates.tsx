import { useId } from 'react'

import type { ImportRowPatch } from '#domain/import.ts'
import type { ImportRowView } from '../../data/state.ts'
import { formatDistance } from '../../format/metres.ts'
import { useLanguage } from '../../messages/messages.ts'
import { UserText } from '../../ui/user-text.tsx'

interface Props {
  readonly row: ImportRowView
  readonly onChange: ((patch: ImportRowPatch) => Promise<void>) | undefined
}

/** The sites that a row may refer to. The user chooses one, or marks the row as new. */
export const Candidates = ({ row, onChange }: Props) => {
  const { messages, locale } = useLanguage()
  const text = messages.imports
  const name = useId()
  const chosen = row.doubtful ? undefined : row.site
  const choice = (site: string) => ({
    type: 'radio' as const,
    name,
    disabled: onChange === undefined,
    checked: chosen === site,
    onChange: () => void onChange?.({ site }),
  })
  return (
    <fieldset className="field">
      <legend>{text.whichTitle}</legend>
      <div className="choices">
        {(row.candidates ?? []).map((candidate) => (
          <label key={candidate.id} className="choice">
            <input {...choice(candidate.id)} />
            <UserText text={candidate.name} />
            <span className="choice-hint">
              <UserText text={candidate.address} /> ·{' '}
              {text.away(formatDistance(candidate.distance_m, locale))}
            </span>
          </label>
        ))}
        <label className="choice">
          <input {...choice('')} />
          {text.isNew}
        </label>
      </div>
    </fieldset>
  )
}
