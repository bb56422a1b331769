import type { SiteView } from '../../data/state.ts'
import { late } from '../../ui/late.ts'
import { MissingPart } from '../../ui/missing-part.tsx'

/** Up to here every site is in the page, for the browser's own search, printing and screen readers. */
export const PLAIN_UP_TO = 150

/** More sites than are in the page at once. */
export const LongSiteList = late(
  async () => (await import('../../ui/long-list.tsx')).LongList<SiteView>,
  [],
  MissingPart,
)
