/** The path of the public page of a site, below the base path. */
export const sitePage = (id: string, slug: string): string => `/at/${id}/${slug}`

/** The path of the list of chargers near a town, for browsers without scripts. */
export const PLAIN_LIST = '/at'

/** The path of the page that other websites embed: a site, or all public sites of a business. */
export const embedPage = (kind: 'site' | 'business', id: string): string => `/embed/${kind}/${id}`

/** The path of the poster of a site, for print. */
export const posterPage = (id: string): string => `/poster/${id}`

const MAX_SLUG_LENGTH = 60

/**
 * The name of a site as the readable part of its path, percent-encoded: `Straße 7` becomes `strasse-7`. Letters of
 * other scripts are kept. Never empty.
 */
export const slugOf = (name: string): string => {
  const words = name
    .normalize('NFKD')
    // Spells out ligatures and ß.
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '')
    .normalize('NFC')
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  const slug = Array.from((words ?? []).join('-'))
    .slice(0, MAX_SLUG_LENGTH)
    .join('')
  return encodeURIComponent(slug.replace(/-$/, '') || 'site')
}
