import { useState } from 'react'
import { Link } from 'react-router'

import type { ImportState } from '#domain/import.ts'
import { IMPORT_LIMITS } from '#domain/limits.ts'
import type { ImportView } from '../../data/state.ts'
import { formatRecentTime } from '../../format/date-time.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { importPath } from '../../paths.ts'
import { plainText, UserText } from '../../ui/user-text.tsx'
import { needsReview, ROW_FILTERS } from './row-filter.ts'

/** The tones of the badges of import states. */
const TONES: Readonly<Record<ImportState, string>> = {
  READING: 'info',
  MAPPING: 'warn',
  PLANNED: 'warn',
  RUNNING: 'info',
  DONE: 'ok',
  UNDOING: 'info',
  UNDONE: '',
  FAILED: 'danger',
}

interface Props {
  /** Undefined until they are loaded. */
  readonly items: readonly ImportView[] | undefined
  readonly isFailed: boolean
}

/** The imports of the last weeks, newest first. */
export const PastImports = ({ items, isFailed }: Props) => {
  const text = useMessages().imports
  return (
    <section className="card form-section" aria-labelledby="past-imports">
      <h2 id="past-imports">{text.formerTitle}</h2>
      {items === undefined && !isFailed && (
        <span className="skeleton skeleton-field" aria-busy="true" />
      )}
      {items?.length === 0 && <p className="muted">{text.none}</p>}
      {items !== undefined && items.length > 0 && (
        <>
          <ul className="past-imports">
            {items.map((item) => (
              <PastImport key={item.id} item={item} />
            ))}
          </ul>
          <p className="muted">{text.keptFor(IMPORT_LIMITS.keptDays)}</p>
        </>
      )}
    </section>
  )
}

const PastImport = ({ item }: { readonly item: ImportView }) => {
  const { messages, locale } = useLanguage()
  const text = messages.imports
  const [now] = useState(Date.now)
  const { source, state, counts, created } = item
  const name = source === '' ? text.pasted : source
  const at = Date.parse(created)
  const what =
    counts === null
      ? []
      : (['NEW', 'CHANGED', 'REFUSED'] as const)
          .map((action) => [action, ROW_FILTERS[action].count(counts)] as const)
          .filter(([, count]) => count > 0)
          .map(([action, count]) => text.what[action](count))
  return (
    <li>
      <Link to={importPath(item.id)} aria-label={text.open(plainText(name))}>
        <UserText text={name} />
      </Link>
      {state === 'PLANNED' && !needsReview(item) ? (
        <span className="badge">
          {(counts?.left_out ?? 0) > 0 ? text.leftOut : text.nothingToDo}
        </span>
      ) : (
        <span className={`badge ${TONES[state]}`}>{text.importStates[state]}</span>
      )}
      <span className="muted">
        <time dateTime={new Date(at).toISOString()}>{formatRecentTime(at, now, locale)}</time>
        {item.feed !== '' && ` · ${text.ofFeed}`}
        {what.map((part) => ` · ${part}`)}
      </span>
    </li>
  )
}
