/** The path of the public page of a site, below the base path. */
export const sitePage = (id: string, slug: string): string => `/at/${id}/${slug}`

const MAX_SLUG_LENGTH = 60

/**
 * The name of a site as the readable part of its path, percent-encoded: `Straße 7` becomes `strasse-7`. Letters of
 * other scripts stay. Never empty.
 */
export const slugOf = (name: string): string => {
  const words = name
    .normalize('NFKD')
    // Writes ligatures and ß in full.
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
