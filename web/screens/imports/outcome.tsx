import { Download, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Imports, ImportView, Problem } from '../../data/state.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { saveFile } from '../../browser/save-file.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { PlanRows } from './plan-rows.tsx'
import { writeReport } from './report.ts'
import { ROW_FILTERS, type RowFilter } from './row-filter.ts'
import { useVocabulary } from './use-vocabulary.ts'
import { describeProblem } from './describe.ts'

interface Props {
  readonly item: ImportView
  readonly calls: Imports
  readonly onChanged: (item: ImportView) => void
}

/** The end of an import: its outcome, its report, and the undo. */
export const Outcome = ({ item, calls, onChanged }: Props) => {
  const text = useMessages().imports
  const [problem, setProblem] = useState<Problem>()
  const [filter, setFilter] = useState<RowFilter>('all')
  const messages = useMessages()
  const hasRows = item.counts !== null
  return (
    <>
      <Verdict item={item} />
      {problem !== undefined && <Banner tone="danger">{messages.problems[problem.kind]}</Banner>}
      <div className="import-ways">
        <Link className="button primary" to={PATHS.dashboard}>
          {text.dashboard}
        </Link>
        {hasRows && <Report item={item} calls={calls} onProblem={setProblem} />}
        {item.state !== 'UNDONE' && (item.counts?.APPLIED ?? 0) > 0 && (
          <Undo item={item} calls={calls} onChanged={onChanged} onProblem={setProblem} />
        )}
        <Link className="button" to={PATHS.import}>
          {text.again}
        </Link>
      </div>
      {hasRows && (
        <PlanRows item={item} calls={calls} filter={filter} since="" onFilter={setFilter} />
      )}
    </>
  )
}

const Verdict = ({ item }: Pick<Props, 'item'>) => {
  const { messages, locale } = useLanguage()
  const text = messages.imports
  const { state, counts, problem } = item
  const { APPLIED = 0, FAILED = 0, SKIPPED = 0, KEPT = 0 } = counts ?? {}
  const doneTitle = counts?.closing === counts?.included ? text.closedTitle : text.doneTitle
  const unanswered = (counts?.unanswered ?? 0) + (counts?.doubtful ?? 0)
  const refused = counts === null ? 0 : ROW_FILTERS.REFUSED.count(counts)
  if (state === 'FAILED')
    return (
      <Banner tone="danger" title={text.failedTitle}>
        {problem !== null && describeProblem(messages, problem, locale)}
      </Banner>
    )
  if (state === 'UNDONE')
    return (
      <Banner tone={KEPT > 0 ? 'warn' : 'ok'} title={text.undoneTitle}>
        {KEPT > 0 && text.kept(KEPT)}
      </Banner>
    )
  return (
    <Banner
      tone={FAILED > 0 ? 'warn' : 'ok'}
      title={APPLIED === 0 ? text.doneNothing : doneTitle(APPLIED)}
    >
      {FAILED > 0 && <span>{text.doneSome(FAILED)}</span>}
      {FAILED > 0 && item.feed !== '' && <span>{text.triedAgain}</span>}
      {SKIPPED > 0 && <span>{text.skipped(SKIPPED)}</span>}
      {unanswered > 0 && <span>{text.unanswered(unanswered)}</span>}
      {refused > 0 && <span>{text.refusedTitle(refused)}</span>}
    </Banner>
  )
}

interface WayProps {
  readonly item: ImportView
  readonly calls: Imports
  readonly onProblem: (problem: Problem | undefined) => void
}

const Report = ({ item, calls, onProblem }: WayProps) => {
  const vocabulary = useVocabulary()
  const text = vocabulary.messages.imports
  /** The number of rows read so far, while the report is written. */
  const [count, setCount] = useState<number>()
  const isBusy = count !== undefined
  const download = async () => {
    if (isBusy) return
    setCount(0)
    onProblem(undefined)
    const { value, problem } = await writeReport(calls, item, vocabulary, setCount)
    setCount(undefined)
    if (value !== undefined)
      saveFile(text.reportName(item.created.slice(0, 10)), new Blob([value], { type: 'text/csv' }))
    onProblem(problem)
  }
  return (
    <Button aria-disabled={isBusy} onClick={() => void download()}>
      {isBusy ? <Spinner /> : <Download className="icon" />}
      {isBusy && count > 0 ? text.found(count) : text.report}
    </Button>
  )
}

const Undo = ({ item, calls, onChanged, onProblem }: WayProps & Pick<Props, 'onChanged'>) => {
  const messages = useMessages()
  const text = messages.imports
  const [isAsked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const undo = async () => {
    setAsked(false)
    setBusy(true)
    onProblem(undefined)
    const { value, problem } = await calls.undo(item.id)
    setBusy(false)
    if (value !== undefined) onChanged(value)
    onProblem(problem)
  }
  return (
    <>
      <Button aria-disabled={isBusy} onClick={() => setAsked(!isBusy)}>
        {isBusy ? <Spinner /> : <Undo2 className="icon" />}
        {text.undo}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={text.undoTitle}
          cancel={messages.actions.cancel}
          onCancel={() => setAsked(false)}
          confirm={text.undo}
          onConfirm={() => void undo()}
          tone="danger"
        >
          {text.undoText}
        </ConfirmDialog>
      )}
    </>
  )
}
