import type { SiteView } from './state.ts'

const etags = new WeakMap<SiteView, string>()

/** Stores the ETag of a site in exactly this state; any change creates another object. */
export const noteEtag = (site: SiteView, etag: string): void => void etags.set(site, etag)

/** The ETag of a site in this state; undefined if it has to be read. */
export const etagOf = (site: SiteView): string | undefined => etags.get(site)
