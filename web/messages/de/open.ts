import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')

/** The page about open data, and the addresses of a business's own files; in German. */
export default {
  open: {
    lead: (product) =>
      `Alle öffentlichen Ladestandorte bei ${product}, in dem Format, das Sie brauchen. Ohne Schlüssel und ohne Konto; jedes Programm und jede Website darf sie lesen.`,
    sites: (count) => plural(count, { one: '1 Standort', other: `${number(count)} Standorte` }),
    changed: (when) => `Letzte Änderung: ${when}`,
    notLoaded: 'Die Zahlen konnten nicht geladen werden. Die Adressen funktionieren trotzdem.',
    formatsTitle: 'Formate',
    formatsOf: (name) => `Formate: Standorte von ${name}`,
    formats: {
      ocpi: 'Für Lade-Apps und Roaming-Partner: Standorte und Preise, seitenweise, auch was entfernt wurde.',
      irve: 'Für das Register Frankreichs: eine Zeile je Ladepunkt, wie transport.data.gouv.fr sie annimmt.',
      datex: 'Für die nationalen Zugangspunkte der EU, etwa die Mobilithek.',
      geojson: 'Für Karten und Geoprogramme wie QGIS.',
      osm: 'Zum Abgleich mit OpenStreetMap, etwa in JOSM.',
      ocm: 'Für Programme, die Open Charge Map lesen.',
      csv: 'Für Datenbanken und eigene Programme.',
      xlsx: 'Für Excel, LibreOffice und Google Tabellen.',
    },
    address: (format) => `Adresse: ${format}`,
    download: 'Herunterladen',
    downloadOf: (format) => `Herunterladen: ${format}`,
    copy: 'Kopieren',
    copied: 'Kopiert',
    losses: 'Was darin fehlt',
    lossesOf: (format) => `Was in ${format} fehlt`,
    examplesTitle: 'Beispiele',
    example: {
      whole: 'Alles, unterwegs komprimiert',
      since: 'Nur was sich seit einem Tag geändert hat',
      again: 'Nichts, außer es hat sich etwas geändert',
      ocpi: 'OCPI: erst die Versionen, dann Seite für Seite',
    },
    sinceText:
      'Mit since erhalten Sie die Standorte, die sich seitdem geändert haben. Gelöschte kommen als entfernt, wo das Format das ausdrücken kann.',
    businesses: (count) =>
      plural(count, { one: '1 Unternehmen', other: `${number(count)} Unternehmen` }),
    businessesTitle: 'Unternehmen und ihre Lizenzen',
    businessesText:
      'Jedes Unternehmen wählt die Lizenz seiner Daten. Nennen Sie das Unternehmen als Quelle, wo die Lizenz es verlangt.',
    columns: {
      name: 'Unternehmen',
      licence: 'Lizenz',
      sites: 'Standorte',
      changed: 'Letzte Änderung',
    },
    search: 'Unternehmen suchen',
    found: (some, all) => `${number(some)} von ${number(all)} Unternehmen`,
    noneFound: (text) => `Kein Unternehmen passt zu „${text}“`,
    more: 'Mehr zeigen',
    only: (name) => `Nur die Standorte von ${name}`,
    all: 'Alle Unternehmen zeigen',
    none: 'Noch ist kein Standort öffentlich.',
    feedsTitle: 'Ihre Feeds',
    feedsText:
      'Was andere von Ihren öffentlichen Standorten lesen: Geben Sie diese Adressen an Roaming-Partner und Register. Sie sind immer aktuell.',
    allFormats: 'Alle Formate, mit Beispielen',
  },
} satisfies Catalogue['open']
