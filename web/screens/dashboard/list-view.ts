import { SITE_STATUSES, type SiteStatus } from '#domain/site.ts'

/** What a list of sites can be put in order by. */
const SORT_KEYS = ['created', 'name', 'status', 'connectors', 'power', 'capacity', 'cost'] as const
export type SortKey = (typeof SORT_KEYS)[number]

/** An order, spelled as the record interface does: a minus in front means the other way round. */
export type Sort = SortKey | `-${SortKey}`

/** Sites with one status, or those that somebody should look at. */
export type StatusFilter = SiteStatus | 'attention'

/** What a site can lack. */
export const LACKS = ['photo', 'cost', 'connectors', 'contact'] as const
export type Lack = (typeof LACKS)[number]

/** How the sites are shown: what the address of the dashboard says. */
export interface ListView {
  readonly query: string
  readonly status: StatusFilter | undefined
  /** Only sites that lack this. */
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

/** The parameter of the address that each part of the view is kept in. */
const PARAMS = {
  query: 'q',
  status: 'status',
  lack: 'lacks',
  sort: 'sort',
  layout: 'view',
} as const

/** Reads the query of an address. What it does not understand is left at the default. */
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

/** Puts a view into the query of an address, whose other parameters stay; defaults are left out. */
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

/** What an order goes by, whichever way round. */
export const sortKey = (sort: Sort): SortKey => sort.replace(/^-/, '') as SortKey

const isStatusFilter = (text: string | null): text is StatusFilter =>
  text === 'attention' || (SITE_STATUSES as readonly (string | null)[]).includes(text)
