import { SITE_STATUSES, type SiteStatus } from '#domain/site-values.ts'

const SORT_KEYS = ['created', 'name', 'status', 'connectors', 'power', 'capacity', 'cost'] as const
export type SortKey = (typeof SORT_KEYS)[number]

/** A sort order, written as in the records API: a leading minus means descending. */
export type Sort = SortKey | `-${SortKey}`

/** Filters sites by a status, or those that need attention. */
export type StatusFilter = SiteStatus | 'attention'

/** Missing parts of a site to filter by. */
export const LACKS = ['photo', 'cost', 'connectors', 'contact'] as const
export type Lack = (typeof LACKS)[number]

/** The view of the list, stored in the query of the dashboard. */
export interface ListView {
  readonly query: string
  readonly status: StatusFilter | undefined
  /** Filters sites without this part. */
  readonly lack: Lack | undefined
  readonly sort: Sort
  readonly layout: 'list' | 'table'
}

export const DEFAULT_VIEW: ListView = {
  query: '',
  status: undefined,
  lack: undefined,
  sort: 'created',
  layout: 'list',
}

/** The query parameter of each part of the view. */
const PARAMS = {
  query: 'q',
  status: 'status',
  lack: 'lacks',
  sort: 'sort',
  layout: 'view',
} as const

/** Parses the view from a query string. Invalid values fall back to the defaults. */
export const readView = (search: string): ListView => {
  const params = new URLSearchParams(search)
  const status = params.get(PARAMS.status)
  const lack = params.get(PARAMS.lack)
  const sort = params.get(PARAMS.sort)
  return {
    query: params.get(PARAMS.query) ?? '',
    status: isStatusFilter(status) ? status : undefined,
    lack: LACKS.find((each) => each === lack),
    sort: isSort(sort) ? sort : DEFAULT_VIEW.sort,
    layout: params.get(PARAMS.layout) === 'table' ? 'table' : 'list',
  }
}

/** Writes a view to a query string. Other parameters stay; defaults are omitted. */
export const writeView = (search: string, view: ListView): string => {
  const params = new URLSearchParams(search)
  for (const name of Object.values(PARAMS)) params.delete(name)
  for (const [part, name] of Object.entries(PARAMS) as [keyof ListView, string][]) {
    const value = view[part]
    if (value !== undefined && value !== DEFAULT_VIEW[part]) params.append(name, value)
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

const isSort = (text: string | null): text is Sort =>
  text !== null && (SORT_KEYS as readonly string[]).includes(text.replace(/^-/, ''))

/** The sort key of an order, without its direction. */
export const sortKey = (sort: Sort): SortKey => sort.replace(/^-/, '') as SortKey

const isStatusFilter = (text: string | null): text is StatusFilter =>
  text === 'attention' || (SITE_STATUSES as readonly (string | null)[]).includes(text)
