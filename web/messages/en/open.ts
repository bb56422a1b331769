import type { RegisterName } from '#domain/registers.ts'
import { counts, lists, plurals } from '../format.ts'

const plural = plurals('en')
const number = counts('en')
const list = lists('en')

/** Open data, registers and embedded pages, in English. */
export default {
  open: {
    lead: (product: string) =>
      `All public charging sites on ${product}, in the format that you need. No key, no account: any program or website may read them.`,
    sites: (count: number) => plural(count, { one: '1 site', other: `${number(count)} sites` }),
    changed: (when: string) => `Last change: ${when}`,
    notLoaded: 'The figures could not be loaded. The addresses still work.',
    formatsTitle: 'Formats',
    formatsOf: (name: string) => `Formats: sites of ${name}`,
    formats: {
      ocpi: 'For charging apps and roaming partners: sites and prices, page by page, including removals.',
      irve: 'For the French register: one row per charge point, as transport.data.gouv.fr requires.',
      datex: 'For the national access points of the EU, such as Mobilithek.',
      geojson: 'For maps and GIS software such as QGIS.',
      osm: 'For comparing with OpenStreetMap, for example in JOSM.',
      ocm: 'For software that reads Open Charge Map data.',
      csv: 'For databases and your own software.',
      xlsx: 'For Excel, LibreOffice and Google Sheets.',
    },
    address: (format: string) => `Address: ${format}`,
    download: 'Download',
    downloadOf: (format: string) => `Download: ${format}`,
    size: (size: string) => `about ${size}`,
    copy: 'Copy',
    copied: 'Copied',
    losses: 'What it leaves out',
    lossesOf: (format: string) => `What it leaves out: ${format}`,
    examplesTitle: 'Examples',
    example: {
      whole: 'Everything, compressed in transit',
      since: 'Only what has changed since a given day',
      again: 'Only if something has changed',
      ocpi: 'OCPI: the versions, then page by page',
    },
    sinceText:
      'With since, you get only the sites that have changed since then. Deleted sites are marked as removed where the format allows it.',
    businesses: (count: number) =>
      plural(count, { one: '1 business', other: `${number(count)} businesses` }),
    businessesTitle: 'Businesses and their licences',
    businessesText:
      'Each business chooses the licence for its data. Credit the business as the source where the licence requires it.',
    columns: { name: 'Business', licence: 'Licence', sites: 'Sites', changed: 'Last change' },
    search: 'Find a business',
    found: (some: number, all: number) => `${number(some)} of ${number(all)} businesses`,
    noneFound: (text: string) => `No business matches “${text}”`,
    more: 'Show more',
    only: (name: string) => `Only the sites of ${name}`,
    all: 'Show all businesses',
    none: 'No site is public yet.',
    feedsTitle: 'Your feeds',
    feedsText:
      'Give these addresses to roaming partners and registers, so that they can read your public sites. They are always up to date.',
    allFormats: 'All formats, with examples',
  },

  registers: {
    names: {
      irve: 'France’s register (IRVE)',
      ocpi: 'Roaming between operators (OCPI)',
      afir: 'EU access points (AFIR)',
      osm: 'OpenStreetMap',
      ocm: 'Open Charge Map',
    } satisfies Record<RegisterName, string>,
    title: 'Registers',
    complete: (registers: readonly string[]) => `Complete for: ${list(registers)}`,
    completeForAll: (all: number) => `Complete for all ${number(all)} registers`,
    incompleteFor: (some: number, all: number) =>
      `Still incomplete for ${number(some)} of ${number(all)} registers`,
    needs: (register: string) => `${register} still needs:`,
    asks: (register: string) => `${register} also asks for:`,
    lacking: (some: number, all: number) =>
      plural(some, {
        one: `1 of ${number(all)} sites is incomplete`,
        other: `${number(some)} of ${number(all)} sites are incomplete`,
      }),
    choose: (count: number) =>
      plural(count, { one: 'Choose this site', other: `Choose these ${number(count)} sites` }),
    chooseFor: (choose: string, label: string) => `${choose}: ${label}`,
    ofBusiness: (registers: readonly string[], fields: readonly string[]) =>
      `${list(registers)}: your business lacks ${list(fields)}`,
    feeds: (count: number) =>
      plural(count, {
        one: 'A feed is waiting for you',
        other: `${number(count)} feeds are waiting for you`,
      }),
  },

  embed: {
    details: 'Details and directions',
    newTab: 'opens in a new tab',
    sites: (count: number) =>
      plural(count, { one: '1 charging station', other: `${number(count)} charging stations` }),
    map: (name: string) => `Map of the charging stations of ${name}`,
    missing: 'The map cannot be shown here. The list shows all stations.',
    keys: 'Arrow keys move the map, plus and minus zoom. Enter opens what is in the centre.',
    more: 'More stations',
    button: 'Put it on your website or wall',
    buttonAll: 'Put the map of your sites on your website',
    title: 'On your website',
    text: 'Copy this into the page of your website that should show the charger. It stays up to date automatically.',
    textAll:
      'Copy this into the page of your website that should show your chargers. New sites appear automatically.',
    code: 'HTML for your website',
    copy: 'Copy',
    copied: 'Copied',
    preview: 'This is what your visitors see',
    frameTitle: (name: string) => `Charging at ${name}`,
    close: 'Close',
  },
  poster: {
    link: 'Poster to print',
    headline: 'Charge your electric car here',
    pay: 'How to pay',
    print: 'Print',
  },
}
