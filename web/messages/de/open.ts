import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')
const list = lists('de')

/** Open data, registers and embedded pages, in German. */
export default {
  open: {
    lead: (product) =>
      `Alle öffentlichen Ladestandorte bei ${product}, in dem Format, das Sie brauchen. Ohne Zugangsschlüssel und ohne Konto; jedes Programm und jede Website darf sie lesen.`,
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
    size: (size) => `etwa ${size}`,
    copy: 'Kopieren',
    copied: 'Kopiert',
    losses: 'Was darin fehlt',
    lossesOf: (format) => `Was darin fehlt: ${format}`,
    examplesTitle: 'Beispiele',
    example: {
      whole: 'Alles, komprimiert übertragen',
      since: 'Nur, was sich seit einem bestimmten Tag geändert hat',
      again: 'Nur, wenn sich etwas geändert hat',
      ocpi: 'OCPI: erst die Versionen, dann Seite für Seite',
    },
    sinceText:
      'Mit since erhalten Sie die Standorte, die sich seitdem geändert haben. Gelöschte sind als entfernt gekennzeichnet, wenn das Format das erlaubt.',
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
      'Geben Sie diese Adressen an Roaming-Partner und Register weiter, damit diese Ihre öffentlichen Standorte lesen können. Die Daten sind immer aktuell.',
    allFormats: 'Alle Formate, mit Beispielen',
  },

  registers: {
    names: {
      irve: 'Register Frankreichs (IRVE)',
      ocpi: 'Roaming zwischen Betreibern (OCPI)',
      afir: 'Zugangspunkte der EU (AFIR)',
      osm: 'OpenStreetMap',
      ocm: 'Open Charge Map',
    },
    title: 'Register und Verzeichnisse',
    complete: (registers) => `Vollständig für: ${list(registers)}`,
    completeForAll: (all) => `Für alle ${number(all)} Register vollständig`,
    incompleteFor: (some, all) =>
      `Noch unvollständig für ${number(some)} von ${number(all)} Registern`,
    needs: (register) => `Noch nötig für ${register}:`,
    asks: (register) => `Außerdem erwünscht für ${register}:`,
    lacking: (some, all) =>
      plural(some, {
        one: `1 von ${number(all)} Standorten ist unvollständig`,
        other: `${number(some)} von ${number(all)} Standorten sind unvollständig`,
      }),
    choose: (count) =>
      plural(count, {
        one: 'Diesen Standort auswählen',
        other: `Diese ${number(count)} Standorte auswählen`,
      }),
    chooseFor: (choose, label) => `${choose}: ${label}`,
    ofBusiness: (registers, fields) =>
      `${list(registers)}: fehlende Angaben zum Unternehmen (${list(fields)})`,
    feeds: (count) =>
      plural(count, {
        one: 'Ein Feed wartet auf Sie',
        other: `${number(count)} Feeds warten auf Sie`,
      }),
  },

  embed: {
    details: 'Details und Route',
    newTab: 'öffnet einen neuen Tab',
    sites: (count) =>
      plural(count, { one: '1 Ladestation', other: `${number(count)} Ladestationen` }),
    map: (name) => `Karte der Ladestationen von ${name}`,
    missing: 'Die Karte kann hier nicht gezeigt werden. Die Liste enthält alle Stationen.',
    keys: 'Pfeiltasten verschieben die Karte, Plus und Minus ändern den Maßstab. Die Eingabetaste öffnet, was in der Mitte liegt.',
    more: 'Weitere Stationen',
    button: 'Auf Ihrer Website oder als Aushang zeigen',
    buttonAll: 'Karte Ihrer Standorte auf Ihrer Website zeigen',
    title: 'Auf Ihrer Website',
    text: 'Kopieren Sie dies in die Seite Ihrer Website, auf der die Ladestation erscheinen soll. Sie bleibt von selbst aktuell.',
    textAll:
      'Kopieren Sie dies in die Seite Ihrer Website, auf der Ihre Stationen erscheinen sollen. Neue kommen von selbst dazu.',
    code: 'HTML für Ihre Website',
    copy: 'Kopieren',
    copied: 'Kopiert',
    preview: 'So sieht es auf Ihrer Website aus',
    frameTitle: (name) => `Laden bei ${name}`,
    close: 'Schließen',
  },
  poster: {
    link: 'Aushang zum Drucken',
    headline: 'Hier laden Sie Ihr E-Auto',
    pay: 'Bezahlen mit',
    print: 'Drucken',
  },
} satisfies Catalogue['open']
