import { useDeferredValue, useEffect, useRef, useState } from 'react'

import type { ImportPatch } from '#domain/import.ts'
import type { Answers } from '#domain/repair.ts'
import type { Imports, ImportRowView, ImportView } from '../../data/state.ts'
import { useMessages, useNumberFormat } from '../../messages/messages.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { LongList } from '../../ui/long-list.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { PlanRow } from './plan-row.tsx'
import { filtersOf, ROW_FILTERS, type RowFilter } from './row-filter.ts'
import { useRows } from './use-rows.ts'

interface Props {
  readonly item: ImportView
  readonly calls: Imports
  readonly filter: RowFilter
  /** Changes when all rows may have changed. */
  readonly since: string
  readonly onFilter: (filter: RowFilter) => void
  /** Changes many rows of a plan. */
  readonly onChange?: (patch: ImportPatch) => void
  readonly onRowChanged?: () => void
}

/** One column at any width. */
const ONE_COLUMN_REM = 1000
/** Typical height of a closed row, including the gap. */
const ROW_PX = 84
/** Minimum number of rows for a search box. */
const SEARCH_FROM = 8

/** The rows of an import, filtered by their action. Each opens to show its details. */
export const PlanRows = (props: Props) => {
  const { item, calls, filter, since, onFilter, onChange, onRowChanged } = props
  const messages = useMessages()
  const text = messages.imports
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(typed.trim())
  const { isOpen, toggle } = useOpenRows(filter)
  const condition = [ROW_FILTERS[filter].filter, searchOf(query)].filter(Boolean).join(' && ')
  const rows = useRows(calls, item.id, condition, `${item.state} ${since}`)
  const { counts } = item
  if (counts === null) return null
  const total = query === '' ? ROW_FILTERS[filter].count(counts) : undefined
  const row = (each: ImportRowView) => (
    <PlanRow
      row={each}
      item={item}
      calls={calls}
      isOpen={isOpen(each.number)}
      onToggle={() => toggle(each.number)}
      {...(item.state === 'PLANNED' && {
        onChange: (changed: ImportRowView, isSettled: boolean) => {
          rows.replace(changed, isSettled)
          if (isSettled) onRowChanged?.()
        },
      })}
      {...(onChange !== undefined &&
        counts.questions > 1 && {
          onAnswerAll: (answers: Answers) => onChange({ answers }),
        })}
    />
  )
  return (
    <section className="plan-rows stack" aria-label={text.filter}>
      <Filters item={item} filter={filter} onFilter={onFilter} />
      {ROW_FILTERS.all.count(counts) >= SEARCH_FROM && (
        <div className="plan-tools">
          <TextField
            label={text.search}
            type="search"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          {onChange !== undefined && query === '' && (
            <ManyButtons filter={filter} onChange={onChange} />
          )}
        </div>
      )}
      {rows.problem !== undefined && (
        <Banner
          tone="warn"
          title={text.rowsNotLoaded}
          actions={<Button onClick={rows.more}>{messages.actions.retry}</Button>}
        >
          {messages.problems[rows.problem.kind]}
        </Banner>
      )}
      {rows.items.length > 0 && (
        <LongList
          items={rows.items}
          total={total}
          render={row}
          columnRem={ONE_COLUMN_REM}
          rowPx={ROW_PX}
        />
      )}
      {rows.items.length === 0 && rows.isComplete && <p className="muted">{text.noRows}</p>}
      {rows.problem === undefined && !rows.isComplete && (
        <More isBusy={rows.isBusy} onMore={rows.more} />
      )}
    </section>
  )
}

/** The open rows. With a filter for rows that need an answer, all rows are open unless closed. */
const useOpenRows = (filter: RowFilter) => {
  const [toggled, setToggled] = useState({ filter, rows: new Set<number>() })
  const rows = toggled.filter === filter ? toggled.rows : new Set<number>()
  const asks = filter === 'questions' || filter === 'doubtful'
  return {
    isOpen: (number: number): boolean => rows.has(number) !== asks,
    toggle: (number: number) => {
      const next = new Set(rows)
      if (!next.delete(number)) next.add(number)
      setToggled({ filter, rows: next })
    },
  }
}

/** A filter for rows with a text in their name or id. */
const searchOf = (query: string): string => {
  const quoted = JSON.stringify(query)
  return query === '' ? '' : `(name ~ ${quoted} || reference ~ ${quoted})`
}

const Filters = ({ item, filter, onFilter }: Pick<Props, 'item' | 'filter' | 'onFilter'>) => {
  const { imports: text } = useMessages()
  const number = useNumberFormat({ maximumFractionDigits: 0 })
  const { counts } = item
  if (counts === null) return null
  const labels: Readonly<Record<RowFilter, string>> = {
    ...text.actions,
    ...text.states,
    all: text.all,
    repaired: text.repaired,
    questions: text.questions,
    doubtful: text.doubtful,
    leftOut: text.leftOut,
  }
  return (
    <fieldset className="chips" aria-label={text.filter}>
      {filtersOf(item.state, counts, filter).map((name) => (
        <button
          key={name}
          type="button"
          className="chip"
          aria-pressed={filter === name}
          onClick={() => onFilter(name)}
        >
          {labels[name]} <span className="count">{number(ROW_FILTERS[name].count(counts))}</span>
        </button>
      ))}
    </fieldset>
  )
}

interface ManyProps {
  readonly filter: RowFilter
  readonly onChange: (patch: ImportPatch) => void
}

const ManyButtons = ({ filter, onChange }: ManyProps) => {
  const text = useMessages().imports
  const { where } = ROW_FILTERS[filter]
  if (where === undefined) return null
  return (
    <div className="field-actions">
      {filter !== 'leftOut' && (
        <Button onClick={() => onChange({ where, included: false })}>{text.leaveAllOut}</Button>
      )}
      <Button onClick={() => onChange({ where, included: true })}>{text.takeAllIn}</Button>
    </div>
  )
}

interface MoreProps {
  readonly isBusy: boolean
  readonly onMore: () => void
}

/** Distance below the viewport at which the next rows are fetched. */
const AHEAD = '1500px'

/** Fetches the next rows when it approaches the viewport, or when pressed. */
const More = ({ isBusy, onMore }: MoreProps) => {
  const text = useMessages().imports
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (button.current === null || isBusy) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [isBusy, onMore])
  return (
    <Button ref={button} look="plan-more" aria-disabled={isBusy} onClick={onMore}>
      {isBusy && <Spinner />}
      {text.moreRows}
    </Button>
  )
}
