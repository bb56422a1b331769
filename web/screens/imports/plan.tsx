import { useState } from 'react'
import { Link } from 'react-router'

import { MISSING_CHOICES, type ImportPatch, type MissingChoice } from '#domain/import.ts'
import type { TableColumns } from '#domain/import-source.ts'
import type { Imports, ImportView, Problem } from '../../data/state.ts'
import { useLanguage, useMessages } from '../../messages/messages.ts'
import { PATHS } from '../../paths.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { plainText } from '../../ui/user-text.tsx'
import { BarProblem } from './bar-problem.tsx'
import { PlanRows } from './plan-rows.tsx'
import { firstFilterOf, ROW_FILTERS, type RowFilter } from './row-filter.ts'

interface Props {
  readonly item: ImportView
  readonly calls: Imports
  readonly onChanged: (item: ImportView) => void
  readonly refresh: () => Promise<void>
  /** Opens the mapping of the columns of a table. */
  readonly onMap: () => void
}

/** Previews the changes of an import before it runs. */
export const Plan = ({ item, calls, onChanged, refresh, onMap }: Props) => {
  const messages = useMessages()
  const text = messages.imports
  const [filter, setFilter] = useState<RowFilter>(() =>
    item.counts === null ? 'all' : firstFilterOf(item.counts),
  )
  const [problem, setProblem] = useState<Problem>()
  // All rows may have changed; a single changed row updates itself.
  const [round, setRound] = useState(0)
  const { counts } = item
  if (counts === null) return null
  const change = async (patch: ImportPatch) => {
    setProblem(undefined)
    if (patch.missing !== undefined) onChanged({ ...item, missing: patch.missing })
    const answer = await calls.change(item.id, patch)
    onChanged(answer.value ?? item)
    setProblem(answer.problem)
    setRound((before) => before + 1)
    if (answer.problem === undefined && patch.answers !== undefined) {
      toast(text.answered)
      // Meanwhile another filter may have been chosen.
      if (answer.value.counts?.questions === 0)
        setFilter((chosen) => (chosen === 'questions' ? 'all' : chosen))
    }
  }
  const all = ROW_FILTERS.all.count(counts)
  const isRefused = ROW_FILTERS.REFUSED.count(counts) === all
  const isNothing =
    !isRefused &&
    !counts.missing_connectors &&
    counts.UNCHANGED + ROW_FILTERS.REFUSED.count(counts) === all
  return (
    <>
      {isNothing && (
        <Banner tone="ok" title={text.nothingToDo}>
          {text.nothingToDoText}
        </Banner>
      )}
      {isRefused && (
        <Banner tone="danger" title={text.allRefused}>
          {text.refusedText}
        </Banner>
      )}
      {item.columns !== null && <Columns columns={item.columns} onMap={onMap} />}
      <Attention
        item={item}
        onShow={(next) => {
          setFilter(next)
          requestAnimationFrame(showRows)
        }}
      />
      <Missing item={item} onChange={(patch) => void change(patch)} />
      <PlanRows
        item={item}
        calls={calls}
        filter={filter}
        since={String(round)}
        onFilter={setFilter}
        onChange={(patch) => void change(patch)}
        onRowChanged={() => void refresh()}
      />
      <RunBar item={item} calls={calls} onChanged={onChanged} notChanged={problem} />
    </>
  )
}

interface ColumnsProps {
  readonly columns: TableColumns
  readonly onMap: () => void
}

/** The unrecognised columns of a table, and a button that opens the mapping. */
const Columns = ({ columns: { headings, mapping }, onMap }: ColumnsProps) => {
  const text = useMessages().imports
  const { locale } = useLanguage()
  const unread = headings.filter((heading, index) => heading !== '' && mapping[index] === '')
  const names = new Intl.ListFormat(locale).format(unread)
  return (
    <Banner
      tone="info"
      title={unread.length === 0 ? text.columnsRead : text.columnsUnread(unread.length)}
      actions={<Button onClick={onMap}>{text.chooseColumns}</Button>}
    >
      {unread.length > 0 && plainText(names)}
    </Banner>
  )
}

/** Scrolls to the rows, which are below the pressed button. */
const showRows = (): void => {
  const rows = document.querySelector('.plan-rows')
  rows?.scrollIntoView({ block: 'start' })
  rows?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus({ preventScroll: true })
}

interface AttentionProps {
  readonly item: ImportView
  readonly onShow: (filter: RowFilter) => void
}

/** Rows to review before the run. */
const Attention = ({ item: { counts }, onShow }: AttentionProps) => {
  const text = useMessages().imports
  if (counts === null) return null
  const { questions, doubtful } = counts
  const refused = ROW_FILTERS.REFUSED.count(counts)
  const isRefused = refused === ROW_FILTERS.all.count(counts)
  const show = (filter: RowFilter) => (
    <Button onClick={() => onShow(filter)}>{text.showThem}</Button>
  )
  return (
    <>
      {questions + doubtful > 0 && (
        <Banner
          tone="info"
          title={text.waitingAnswers(questions + doubtful)}
          actions={show(questions > 0 ? 'questions' : 'doubtful')}
        >
          {text.waitingText}
        </Banner>
      )}
      {refused > 0 && !isRefused && (
        <Banner tone="warn" title={text.refusedTitle(refused)} actions={show('REFUSED')}>
          {text.refusedText}
        </Banner>
      )}
    </>
  )
}

interface MissingProps {
  readonly item: ImportView
  readonly onChange: (patch: ImportPatch) => void
}

/** The action for sites that came from this source and for connectors, if they are not in it. */
const Missing = ({ item: { counts, missing }, onChange }: MissingProps) => {
  const text = useMessages().imports
  const sites = counts?.MISSING ?? 0
  const connectors = counts?.missing_connectors ?? 0
  if (sites + connectors === 0) return null
  const titles = [
    sites > 0 && text.missingTitle(sites),
    connectors > 0 && text.missingConnectors(connectors),
  ].filter((each) => each !== false)
  const labels: Readonly<Record<MissingChoice, string>> = {
    KEEP: text.keepMissing,
    REMOVE: text.removeMissing[connectors === 0 ? 'sites' : sites === 0 ? 'connectors' : 'both'],
  }
  return (
    <fieldset className="card field import-missing">
      <legend className="visually-hidden">{titles.join('. ')}</legend>
      {titles.map((title) => (
        <p key={title} aria-hidden="true">
          <strong>{title}</strong>
        </p>
      ))}
      <div className="checks">
        {MISSING_CHOICES.map((choice) => (
          <label key={choice} className="choice">
            <input
              type="radio"
              name="missing"
              checked={missing === choice}
              onChange={() => onChange({ missing: choice })}
            />
            {labels[choice]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface RunProps extends Pick<Props, 'item' | 'calls' | 'onChanged'> {
  /** The problem of the last change of the plan. */
  readonly notChanged: Problem | undefined
}

/** Runs the plan, and reports failures. */
const RunBar = ({ item, calls, onChanged, notChanged }: RunProps) => {
  const messages = useMessages()
  const text = messages.imports
  const [isBusy, setBusy] = useState(false)
  const [notRun, setNotRun] = useState<Problem>()
  const problem = notChanged ?? notRun
  const included = item.counts?.included ?? 0
  const runText = item.counts?.closing === included ? text.close : text.run
  // A feed repeats what waits every night, until a person runs a plan without it.
  const isToSettle =
    item.feed !== '' &&
    item.counts !== null &&
    ROW_FILTERS.all.count(item.counts) - (item.missing === 'REMOVE' ? 0 : item.counts.MISSING) >
      item.counts.UNCHANGED
  const run = async () => {
    if (isBusy) return
    setBusy(true)
    setNotRun(undefined)
    const answer = await calls.run(item.id)
    setBusy(false)
    if (answer.problem === undefined) onChanged(answer.value)
    else setNotRun(answer.problem)
  }
  return (
    <div className={problem === undefined ? 'save-bar' : 'save-bar failed'}>
      {problem !== undefined && (
        <BarProblem>
          {notChanged === undefined
            ? messages.problems[problem.kind]
            : messages.about(text.notChanged, messages.problems[problem.kind])}
        </BarProblem>
      )}
      <div className="save-bar-row">
        <span className="save-bar-note">{text.planText}</span>
        {included === 0 && !isToSettle ? (
          <Link className="button primary" to={PATHS.import}>
            {text.again}
          </Link>
        ) : (
          <Button
            {...(included > 0 && { look: 'primary' as const })}
            aria-disabled={isBusy}
            onClick={() => void run()}
          >
            {isBusy && <Spinner />}
            {included === 0 ? text.runNone : runText(included)}
          </Button>
        )}
      </div>
    </div>
  )
}
