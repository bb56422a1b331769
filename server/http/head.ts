import { APP_ICONS, PREVIEW_IMAGE, TOUCH_ICON } from '#domain/icons.ts'
import { LANGUAGES, type Language } from '#domain/language.ts'
import { PLACES, type BuiltPages } from '#domain/pages.ts'
import { SITEMAP } from '#domain/paths.ts'
import { inLanguage } from '#domain/site-pages.ts'

import type { Config } from '../config.ts'

/** The web app manifest, below the base path. */
export const MANIFEST_FILE = 'manifest.webmanifest'

/** Open Graph names a language only together with a territory. */
const OPEN_GRAPH_LOCALES = {
  en: 'en_GB',
  de: 'de_DE',
  fr: 'fr_FR',
  es: 'es_ES',
} as const satisfies Readonly<Record<Language, string>>

/** The metadata of a page for link previews and search engines. */
interface Described {
  readonly title: string
  readonly description: string
  readonly language: Language
  /** Below the base path. */
  readonly path: string
  readonly isListed: boolean
  /** The URL of the page's own picture. */
  readonly image?: string | undefined
  /** The path of the page without its language, if search engines may index it in each language. */
  readonly inLanguages?: string
}

/**
 * The elements that describe a page in the tab, to search engines, in link previews (Open Graph) and on the home screen
 * of a device. A page that is not listed has no canonical address.
 */
export const headOf = (
  { publicUrl, basePath, productName }: Config,
  { title, description, language, path, isListed, image, inLanguages }: Described,
): string[] => {
  const address = escapeHtml(publicUrl + path)
  const property = (name: string, content: string): string =>
    `<meta property="og:${name}" content="${escapeHtml(content)}" />`
  return [
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}" />`,
    isListed
      ? `<link rel="canonical" href="${address}" />`
      : '<meta name="robots" content="noindex" />',
    `<link rel="manifest" href="${basePath}/${MANIFEST_FILE}" />`,
    `<link rel="apple-touch-icon" href="${basePath}/${TOUCH_ICON.file}" />`,
    property('type', 'website'),
    property('site_name', productName),
    property('title', title),
    property('description', description),
    property('locale', OPEN_GRAPH_LOCALES[language]),
    property('image', image ?? `${publicUrl}/${PREVIEW_IMAGE.file}`),
    ...(isListed ? [property('url', publicUrl + path)] : []),
    ...(inLanguages === undefined ? [] : alternatesOf(publicUrl + inLanguages)),
  ]
}

/** The address of a page in each language, and the one whose language depends on the browser. */
const alternatesOf = (address: string): string[] =>
  [
    ...LANGUAGES.map((language) => [language, inLanguage(address, language)] as const),
    ['x-default', address] as const,
  ].map(
    ([language, href]) =>
      `<link rel="alternate" hreflang="${language}" href="${escapeHtml(href)}" />`,
  )

/** The manifest that makes the product installable (Web Application Manifest). */
export const manifestOf = (
  { basePath, productName }: Config,
  { description, start }: BuiltPages,
  language: Language,
): object => ({
  id: `${basePath}/`,
  name: productName,
  short_name: productName,
  description: description[language].replaceAll(PLACES.product, () => productName),
  lang: language,
  start_url: basePath + start,
  scope: `${basePath}/`,
  display: 'standalone',
  background_color: '#f4f8fb',
  theme_color: '#2eaeff',
  icons: APP_ICONS.map(({ file, sizePx, purpose }) => ({
    src: `${basePath}/${file}`,
    sizes: `${sizePx}x${sizePx}`,
    type: 'image/png',
    purpose,
  })),
})

/** The paths that search engines may crawl: the listed pages, and their files and photos. */
export const robotsOf = ({ basePath, publicUrl }: Config, { screens }: BuiltPages): string => {
  const closed = Object.entries(screens)
    .filter(([path, { isListed }]) => path !== '*' && !isListed)
    .map(([path]) => path.replace(/\/:.*/, ''))
  return [
    'User-agent: *',
    ...['/api/', ...new Set(closed)].map((path) => `Disallow: ${basePath}${path}`),
    `Allow: ${basePath}/api/files/`,
    `Allow: ${basePath}/`,
    `Sitemap: ${publicUrl}${SITEMAP.index}`,
    '',
  ].join('\n')
}

/** A data block, escaped so that its content cannot close it. */
export const dataBlock = (attributes: string, json: string): string =>
  `<script ${attributes}>${json.replaceAll('<', '\\u003c')}</script>`

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
