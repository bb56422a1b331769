import { Download, List, Table } from 'lucide-react'
import type { Ref } from 'react'

import { SITE_STATUSES } from '#domain/site-values.ts'
import { useMessages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { scrollFocusedIntoView, scrollPressedIntoView } from '../../ui/scroll-into-view.ts'
import { SiteSearch } from '../shared/site-search.tsx'
import { LACKS, type Lack, type ListView, type Sort, type StatusFilter } from './list-view.ts'
import type { Filters } from './use-shown-sites.ts'

/** The sort orders of the list; the table sorts by its columns. */
const SORTS = ['created', '-created', 'name', '-power', 'status'] as const satisfies readonly Sort[]

interface Props {
  readonly view: ListView
  readonly onChange: (part: Partial<ListView>) => void
  readonly onSettle: () => void
  readonly onClear: () => void
  readonly searchRef: Ref<HTMLInputElement>
  readonly filters: Filters
  /** Whether the table is offered. */
  readonly offersTable: boolean
  /** The number of selected sites; if there are any, the export contains only these. */
  readonly chosen: number
  readonly onExport: () => void
}

/** The controls of the list: search, filters, order and layout. */
export const SiteTools = (props: Props) => {
  const { view, onChange, onSettle, onClear, searchRef, filters } = props
  const messages = useMessages()
  const text = messages.dashboard
  const { total, statuses, attention, lacks } = filters
  const used = SITE_STATUSES.filter((status) => statuses.has(status))
  const chip = (status: StatusFilter | undefined, label: string, count: number) => (
    <button
      key={status ?? 'all'}
      type="button"
      className="chip"
      aria-pressed={view.status === status}
      onClick={() => onChange({ status })}
    >
      {label} <span className="count">{text.count(count)}</span>
    </button>
  )
  return (
    <div className="sites-tools">
      <div className="sites-tools-row">
        <SiteSearch
          ref={searchRef}
          query={view.query}
          onChange={(query) => onChange({ query })}
          onBlur={onSettle}
          onClear={onClear}
        />
        {view.layout === 'list' && (
          <SortSelect sort={view.sort} onSort={(sort) => onChange({ sort })} />
        )}
        {lacks.size > 0 && (
          <LackSelect lack={view.lack} lacks={lacks} onLack={(lack) => onChange({ lack })} />
        )}
        {props.offersTable && (
          <div className="sites-looks">
            <LayoutToggle layout={view.layout} onChange={onChange} />
            <Button onClick={props.onExport}>
              <Download className="icon" />
              <span className="narrow-hidden">{text.export}</span>
              {props.chosen > 0 && ` (${text.count(props.chosen)})`}
            </Button>
          </div>
        )}
      </div>
      {(used.length > 1 || attention !== undefined) && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only tracks the focus
        <fieldset
          ref={scrollPressedIntoView}
          className="chips"
          aria-label={text.filterLabel}
          onFocus={scrollFocusedIntoView}
        >
          {chip(undefined, text.all, total)}
          {attention !== undefined && chip('attention', text.needsAttention, attention)}
          {used.map((status) => chip(status, messages.status[status], statuses.get(status) ?? 0))}
        </fieldset>
      )}
    </div>
  )
}

interface SortProps {
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

const SortSelect = ({ sort, onSort }: SortProps) => {
  const { dashboard: text } = useMessages()
  // The table may be sorted by a column that is not in the menu.
  const shown = [...new Set<Sort>([...SORTS, sort])]
  return (
    <Select
      aria-label={text.sortLabel}
      value={sort}
      onChange={(event) => onSort(event.target.value as Sort)}
    >
      {shown.map((each) => (
        <option key={each} value={each}>
          {text.sorts[each]}
        </option>
      ))}
    </Select>
  )
}

interface LackProps {
  readonly lack: Lack | undefined
  readonly lacks: Filters['lacks']
  readonly onLack: (lack: Lack | undefined) => void
}

const LackSelect = ({ lack, lacks, onLack }: LackProps) => {
  const { dashboard: text } = useMessages()
  return (
    <Select
      aria-label={text.lackLabel}
      value={lack ?? ''}
      onChange={(event) => onLack(LACKS.find((each) => each === event.target.value))}
    >
      <option value="">{text.lackNothing}</option>
      {LACKS.filter((each) => each === lack || lacks.has(each)).map((each) => (
        <option key={each} value={each}>
          {text.lacks[each]} ({text.count(lacks.get(each) ?? 0)})
        </option>
      ))}
    </Select>
  )
}

interface LayoutProps {
  readonly layout: ListView['layout']
  readonly onChange: (part: Pick<ListView, 'layout'>) => void
}

const LayoutToggle = ({ layout, onChange }: LayoutProps) => {
  const { dashboard: text } = useMessages()
  const option = (value: ListView['layout'], label: string, Icon: typeof List) => (
    <Button aria-pressed={layout === value} onClick={() => onChange({ layout: value })}>
      <Icon className="icon" />
      {label}
    </Button>
  )
  return (
    <fieldset className="sites-layout" aria-label={text.layoutLabel}>
      {option('list', text.list, List)}
      {option('table', text.table, Table)}
    </fieldset>
  )
}
