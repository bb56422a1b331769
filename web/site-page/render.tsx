// Must come first: these set the order of the style layers.
import '../ui/tokens.css'
import '../ui/base.css'
import '../ui/controls.css'
import '../ui/narrow.css'

import { MessageSquareWarning } from 'lucide-react'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

import { alpha2Of } from '#domain/country.ts'
import { LANGUAGES, type Language } from '#domain/language.ts'
import type {
  BusinessSubject,
  DrawnSitePage,
  DrawSitePage,
  ListSubject,
  SitePageOptions,
} from '#domain/site-pages.ts'
import { REPORT_PAGE } from '#domain/paths.ts'
import type { PublicSite } from '#domain/public-site.ts'
import { sitePage, slugOf } from '#domain/site-address.ts'
import { COVER_THUMB } from '#domain/site.ts'
import {
  LanguageContext,
  loadMessages,
  type Language as Speech,
  type Messages,
} from '../messages/messages.ts'
import { thumbnail } from '../photos/thumbnail.ts'
import { SettingsContext } from '../settings.ts'
import { shownSite, type ShownSite } from '../traveller/shown-site.ts'
import { addressOf, SiteDetails } from '../traveller/site-details.tsx'
import { pricesOf } from '../traveller/prices.ts'
import { plugNames } from '../traveller/site-plugs.tsx'
import { tariffSentence } from '../traveller/use-tariff-sentence.ts'
import { plainText } from '../ui/user-text.tsx'
import { Embed, EmbeddedBusiness, EmbeddedSite } from './embed.tsx'
import { Frame } from './frame.tsx'
import { Gone, Unknown } from './gone.tsx'
import { NamedLanguage } from './links.ts'
import { placeOf, PlainList } from './plain-list.tsx'
import { Poster } from './poster.tsx'
import { Share } from './share.tsx'
import { structuredData } from './structured-data.ts'

const AREAS = ['core', 'owner', 'choices', 'hours', 'map', 'open', 'tariffs', 'traveller'] as const

const catalogues = Object.fromEntries(
  await Promise.all(
    LANGUAGES.map(async (language) => [language, await loadMessages(language, AREAS)] as const),
  ),
) as Record<Language, Messages>

/** See `DrawSitePage`. The page states whether a site is open at the time of rendering. */
export const drawSitePage: DrawSitePage = (subject, options) => {
  switch (subject.kind) {
    case 'site':
      return DRAW_SITE[options.form](subject.site, options)
    case 'list':
      return drawList(subject, options)
    case 'business':
      return drawBusiness(subject, options)
    case 'gone':
      return drawMessage('gone', <Gone near={subject.near} />, options, subject.near[0]?.country)
    case 'unknown':
      return drawMessage('unknown', <Unknown />, options)
  }
}

const drawEmbeddedSite = (site: PublicSite, options: SitePageOptions): DrawnSitePage => {
  const speech = speechOf(options.language, site.country)
  return {
    title: plainText(site.name),
    description: plainText(describe(shownSite(site, options.settings['base-path']), speech)),
    body: draw(<EmbeddedSite site={site} />, speech, options),
  }
}

const drawBusiness = (subject: BusinessSubject, options: SitePageOptions): DrawnSitePage => {
  const speech = speechOf(options.language, subject.sites[0]?.country ?? '')
  return {
    title: plainText(subject.business.name),
    description: plainText(speech.messages.embed.sites(subject.total)),
    body: draw(<EmbeddedBusiness subject={subject} />, speech, options),
  }
}

const drawList = (subject: ListSubject, options: SitePageOptions): DrawnSitePage => {
  const speech = speechOf(options.language, subject.sites[0]?.country ?? '')
  const text = speech.messages.find
  const place = placeOf(subject)
  return {
    title: plainText(place === undefined ? text.startTitle : text.near(place)),
    description: text.start,
    body: draw(<PlainList subject={subject} />, speech, options),
  }
}

const drawPoster = (site: PublicSite, options: SitePageOptions): DrawnSitePage => {
  const speech = speechOf(options.language, site.country)
  const url = options.publicUrl + sitePage(site.id, slugOf(site.name))
  return {
    title: plainText(site.name),
    description: plainText(speech.messages.poster.headline),
    body: draw(<Poster site={site} url={url} />, speech, options),
  }
}

const drawSite = (site: PublicSite, options: SitePageOptions): DrawnSitePage => {
  const { publicUrl, path, language, settings } = options
  const speech = speechOf(language, site.country)
  const url = publicUrl + path
  // The content security policy allows images of the page's own origin, so they have relative URLs.
  const shown = shownSite(site, settings['base-path'])
  const [cover] = site.photos.length === 0 ? [] : shownSite(site, publicUrl).photos
  return {
    title: plainText(speech.messages.traveller.pageTitle(site.name, site.city)),
    description: plainText(describe(shown, speech)),
    body: draw(
      <SiteDetails level={1} site={shown}>
        <a className="site-page-report" href={`${settings['base-path']}${REPORT_PAGE}/${site.id}`}>
          <MessageSquareWarning className="icon" />
          {speech.messages.traveller.report}
        </a>
        <Share url={url} />
      </SiteDetails>,
      speech,
      options,
    ),
    image: cover && thumbnail(cover.src, COVER_THUMB),
    structuredData: plainText(
      JSON.stringify(structuredData(shownSite(site, publicUrl), url, speech.messages)),
    ),
  }
}

const drawMessage = (
  kind: 'gone' | 'unknown',
  page: ReactNode,
  options: SitePageOptions,
  country = '',
): DrawnSitePage => {
  const speech = speechOf(options.language, country)
  const { title, text } = speech.messages.traveller[kind]
  return { title, description: text, body: draw(page, speech, options) }
}

/** A language whose times and amounts are formatted as in a country. */
const speechOf = (language: Language, country: string): Speech => {
  return {
    language,
    locale: localeOf(language, alpha2Of(country)),
    messages: catalogues[language],
    choose: () => undefined,
  }
}

/**
 * The locale of a language in a country. `Intl` would fall back to US English for some countries, and to a decimal
 * comma for others. English readers there are travellers, so they get British or European English.
 */
const localeOf = (language: Language, region: string): string => {
  if (region === '') return language
  const locale = `${language}-${region}`
  if (new Intl.DateTimeFormat(locale).resolvedOptions().locale === 'en') return 'en-GB'
  const hasComma = new Intl.NumberFormat(locale).format(0.5) !== '0.5'
  return language === 'en' && hasComma ? 'en-150' : locale
}

const draw = (page: ReactNode, speech: Speech, options: SitePageOptions): string =>
  renderToStaticMarkup(
    <SettingsContext value={options.settings}>
      <LanguageContext value={speech}>
        <NamedLanguage value={options.isNamed ? options.language : undefined}>
          {framed(page, options)}
        </NamedLanguage>
      </LanguageContext>
    </SettingsContext>,
  )

const framed = (page: ReactNode, { form, path }: SitePageOptions): ReactNode =>
  form === 'page' ? (
    <Frame path={path}>{page}</Frame>
  ) : form === 'embed' ? (
    <Embed>{page}</Embed>
  ) : (
    page
  )

const DRAW_SITE = { page: drawSite, embed: drawEmbeddedSite, poster: drawPoster } as const

/** Maximum number of prices in a description; the line of a search result has no room for more. */
const MAX_DESCRIBED_PRICES = 3

/** The plugs, the price and the address in a line, for search results. */
const describe = (site: ShownSite, speech: Speech): string => {
  const prices = pricesOf(site)
    .slice(0, MAX_DESCRIBED_PRICES)
    .map(({ tariff }) => (tariff === undefined ? site.cost : tariffSentence(tariff, speech)))
  return [plugNames(site.connectors, speech), ...prices, addressOf(site)]
    .filter((part) => part !== '')
    .join(' · ')
}
