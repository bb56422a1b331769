import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import { use, useImperativeHandle, useRef, type Ref } from 'react'

import type { SiteView } from '../../data/state.ts'
import { useMessages, useNumberFormat, type Messages } from '../../messages/messages.ts'
import { Button } from '../../ui/button.tsx'
import type { LongListHandle } from '../../ui/long-list.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { SelectionBox, SelectionContext } from './selection.tsx'
import { PublicationBadge } from '../shared/publication.tsx'
import { sortKey, type Sort } from './list-view.ts'
import { powerOf } from './overview.ts'
import { ReportsLink } from './open-reports.tsx'
import { SiteLink, SiteStatus, type SiteLook } from './site-card.tsx'
import { SiteMenu } from './site-menu.tsx'
import './site-table.css'
import { revealRow, useRowWindow } from './use-row-window.ts'

/** The columns, in order; all are sortable. */
const COLUMNS = ['name', 'status', 'connectors', 'power', 'capacity', 'cost'] as const

interface Props {
  readonly sites: readonly SiteView[]
  readonly look: (site: SiteView) => SiteLook
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  readonly ref?: Ref<LongListHandle | null>
}

/** The sites as a virtualized table: only visible rows are rendered; assistive technology still gets the total. */
export const SiteTable = ({ sites, look, sort, onSort, ref }: Props) => {
  const messages = useMessages()
  const text = messages.dashboard
  const body = useRef<HTMLTableSectionElement>(null)
  const rows = useRowWindow(body, sites.length)
  const isSelecting = use(SelectionContext) !== undefined
  useImperativeHandle(ref, () => ({ reveal: (index) => revealRow(body.current, index) }), [])
  return (
    <table className="site-table" aria-rowcount={sites.length + 1} aria-label={text.sitesTitle}>
      <thead>
        <tr aria-rowindex={1}>
          {isSelecting && (
            <th scope="col" className="site-table-selection">
              <span className="visually-hidden">{text.choose}</span>
            </th>
          )}
          {COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              className={`site-table-${column}`}
              aria-sort={direction(sort, column)}
            >
              <SortButton column={column} sort={sort} onSort={onSort} />
            </th>
          ))}
          <th scope="col" className="site-table-menu">
            <span className="visually-hidden">{text.columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.before > 0 && <Spacer height={rows.before} />}
        {sites.slice(rows.first, rows.end).map((site, index) => (
          <Row
            key={site.id}
            {...look(site)}
            index={rows.first + index}
            messages={messages}
            isSelecting={isSelecting}
          />
        ))}
        {rows.after > 0 && <Spacer height={rows.after} />}
      </tbody>
    </table>
  )
}

const Spacer = ({ height }: { readonly height: number }) => (
  <tr aria-hidden="true" className="site-table-spacer">
    {/* Only in the first column. A cell that spans columns hidden in a narrow container would show them again, and a
        table with a fixed layout would give them a share of its width. */}
    {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- hidden from assistive technology */}
    <td style={{ height }} />
  </tr>
)

interface RowProps extends SiteLook {
  readonly index: number
  readonly messages: Messages
  readonly isSelecting: boolean
}

const Row = (props: RowProps) => {
  const { site, actions, wantsFocus, mark, work, price, index, messages, isSelecting } = props
  const number = useNumberFormat()
  const text = messages.dashboard
  return (
    <tr className={mark ?? ''} aria-rowindex={index + 2} data-site={site.id}>
      {isSelecting && (
        <td className="site-table-selection">
          <SelectionBox site={site} />
        </td>
      )}
      <th scope="row" className="site-table-name">
        <SiteLink site={site} wantsFocus={wantsFocus} onFocused={actions.onFocused} />
        <span className="muted">
          <ReportsLink site={site.id} /> <UserText text={site.address} />
        </span>
      </th>
      <td className="site-table-status">
        <SiteStatus site={site} actions={actions} work={work} />
        {work === undefined && <PublicationBadge site={site} />}
        {work !== undefined && (
          <span className="badge warn">
            {work.unsaved === undefined
              ? messages.drafts.waiting
              : text.unsaved(work.unsaved.count)}
          </span>
        )}
      </td>
      <td className="site-table-connectors">{number(site.connectors.length)}</td>
      <td className="site-table-power">{messages.facts.power(number(powerOf(site)))}</td>
      <td className="site-table-capacity">{number(site.vehicle_capacity)}</td>
      <td className="site-table-cost">
        <UserText text={price} />
      </td>
      <td className="site-table-menu">
        <SiteMenu site={site} onDelete={() => actions.onDelete(site)} />
      </td>
    </tr>
  )
}

const direction = (sort: Sort, column: (typeof COLUMNS)[number]) => {
  if (sortKey(sort) !== column) return 'none'
  return sort === column ? 'ascending' : 'descending'
}

interface SortProps {
  readonly column: (typeof COLUMNS)[number]
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

/** Sorts by its column; a second press reverses the order. */
const SortButton = ({ column, sort, onSort }: SortProps) => {
  const { dashboard: text } = useMessages()
  const now = direction(sort, column)
  const Icon = { none: ArrowUpDown, ascending: ArrowUp, descending: ArrowDown }[now]
  return (
    <Button look="quiet" onClick={() => onSort(now === 'ascending' ? `-${column}` : column)}>
      {text.columns[column]}
      <Icon className="icon" />
    </Button>
  )
}
