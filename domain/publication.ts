import type { SiteStatus } from './site-values.ts'

/** Data that a public site requires in addition to its required fields. */
const PUBLIC_NEEDS = ['connectors', 'business'] as const
export type PublicNeed = (typeof PUBLIC_NEEDS)[number]

/** The publication state of a site: on the public map, or the reason why it is not. */
export type Publication =
  | { readonly state: 'public' | 'planned' | 'unpublished' | 'removed' }
  /** A superuser has hidden the site or its business. */
  | { readonly state: 'hidden'; readonly reason: string }
  | { readonly state: 'incomplete'; readonly missing: readonly PublicNeed[] }

interface Published {
  readonly published: boolean
  readonly status: SiteStatus
  readonly hidden: boolean
  readonly hidden_reason: string
  readonly connectors: readonly unknown[]
}

interface Operator {
  readonly name: string
  readonly hidden: boolean
  readonly hidden_reason: string
}

/** Returns the publication state of a site. */
export const publicationOf = (site: Published, business: Operator): Publication => {
  const hidden = [site, business].find((each) => each.hidden)
  if (hidden !== undefined) return { state: 'hidden', reason: hidden.hidden_reason }
  if (!site.published) return { state: 'unpublished' }
  if (site.status === 'REMOVED') return { state: 'removed' }
  const has: Readonly<Record<PublicNeed, boolean>> = {
    connectors: site.connectors.length > 0,
    business: business.name !== '',
  }
  const missing = PUBLIC_NEEDS.filter((need) => !has[need])
  if (missing.length > 0) return { state: 'incomplete', missing }
  return { state: site.status === 'PLANNED' ? 'planned' : 'public' }
}
