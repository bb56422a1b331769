import type { ImportView } from '../../data/state.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'

interface Props {
  readonly item: ImportView
  /** True if the last request failed. */
  readonly isOutOfReach: boolean
}

/** The current step on the server, and its progress. */
export const Progress = ({ item, isOutOfReach }: Props) => {
  const text = useMessages().imports
  const { state, done, total } = item
  const title =
    state === 'READING' ? text.reading : state === 'UNDOING' ? text.undoing : text.running
  const far =
    total > 0 ? text.progress(done, total) : done > 0 && state === 'READING' ? text.found(done) : ''
  return (
    <div className="card import-progress large">
      <h3>{title}</h3>
      <progress
        aria-label={title}
        max={total > 0 ? total : 1}
        {...(total > 0 && { value: Math.min(done, total) })}
      />
      <p>{far}</p>
      {total > 0 && <Quarters fraction={done / total} />}
      <p className="muted">{isOutOfReach ? text.updatingFailed : text.canLeave}</p>
    </div>
  )
}

/** Announces the progress to screen readers at each quarter, not at each step. */
export const Quarters = ({ fraction }: { readonly fraction: number }) => {
  const percent = useNumberFormat({ style: 'percent' })
  const quarter = Math.floor(fraction * 4) / 4
  return <output className="visually-hidden">{quarter > 0 && percent(quarter)}</output>
}
