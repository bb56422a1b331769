import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')

/** Dashboard, in German. */
export default {
  dashboard: {
    sites: (count) => plural(count, { one: '1 Standort', other: `${number(count)} Standorte` }),
    sitesTitle: 'Standorte',
    addSite: 'Standort hinzufügen',
    editBusiness: 'Unternehmen bearbeiten',
    website: (host) => `${host} (öffnet einen neuen Tab)`,
    searchLabel: 'Standorte durchsuchen',
    searchPlaceholder: 'Name oder Adresse',
    clearSearch: 'Suche leeren',
    filterLabel: 'Nach Status filtern',
    all: 'Alle',
    shown: (some, all) => `${number(some)} von ${number(all)} Standorten angezeigt`,
    noMatch: (query) => `Kein Standort passt zu „${query}“`,
    noMatchStatus: 'Kein Standort hat diesen Status',
    clear: 'Alle Standorte zeigen',
    noBusinessTitle: 'Beginnen Sie mit Ihrem Unternehmen',
    noBusiness: 'Wer betreibt die Ladestationen? Danach kommen die Standorte.',
    addBusiness: 'Unternehmen hinzufügen',
    noSitesTitle: 'Fügen Sie Ihren ersten Standort hinzu',
    noSites:
      'Ein Standort ist ein Ort mit einer oder mehreren Ladestationen. Sie brauchen die Adresse und die Arten der Stecker.',
    addFirstSite: 'Standort hinzufügen',
    stepsTitle: 'Erste Schritte',
    steps: ['Anmelden', 'Unternehmen beschreiben', 'Ersten Standort hinzufügen'],
    stepDone: 'erledigt',
    stepNow: 'als Nächstes',
    errorTitle: 'Ihre Standorte konnten nicht geladen werden',
    stale:
      'Dies ist vielleicht nicht der neueste Stand: Neuere Daten konnten nicht geladen werden.',
    updating: (when) => `Stand: ${when}, wird aktualisiert …`,
    menu: (name) => `Aktionen für ${name}`,
    copyCoordinates: 'Koordinaten kopieren',
    copied: 'Koordinaten kopiert',
    copyFailed: 'Die Koordinaten konnten nicht kopiert werden',
    openInMaps: 'In der Karte öffnen',
    deleteTitle: (name) => `${name} löschen?`,
    deleteText: (connectors, photos) => {
      const parts = [
        ...(connectors > 0
          ? [
              plural(connectors, {
                one: 'sein Anschluss',
                other: `seine ${number(connectors)} Anschlüsse`,
              }),
            ]
          : []),
        ...(photos > 0
          ? [plural(photos, { one: 'sein Foto', other: `seine ${number(photos)} Fotos` })]
          : []),
      ]
      return parts.length === 0
        ? 'Das lässt sich 8 Sekunden lang rückgängig machen.'
        : `Gelöscht werden auch ${parts.join(' und ')}. Das lässt sich 8 Sekunden lang rückgängig machen.`
    },
    noConnectors: 'Noch keine Anschlüsse',
    logoOf: (name) => `Logo von ${name}`,
    photoOf: (name) => `Foto von ${name}`,
    count: (value) => number(value),
    needsAttention: 'Braucht Aufmerksamkeit',
    attention: (value) =>
      plural(value, {
        one: '1 braucht Aufmerksamkeit',
        other: `${number(value)} brauchen Aufmerksamkeit`,
      }),
    sortLabel: 'Sortieren nach',
    sorts: {
      created: 'Älteste zuerst',
      '-created': 'Neueste zuerst',
      name: 'Name, A bis Z',
      '-name': 'Name, Z bis A',
      status: 'Status, Probleme zuerst',
      '-status': 'Status, Probleme zuletzt',
      connectors: 'Wenigste Anschlüsse',
      '-connectors': 'Meiste Anschlüsse',
      power: 'Geringste Leistung',
      '-power': 'Höchste Leistung',
      capacity: 'Wenigste Fahrzeuge gleichzeitig',
      '-capacity': 'Meiste Fahrzeuge gleichzeitig',
      cost: 'Kosten, aufsteigend',
      '-cost': 'Kosten, absteigend',
    },
    layoutLabel: 'Ansicht',
    list: 'Liste',
    table: 'Tabelle',
    export: 'Als CSV exportieren',
    fileName: 'standorte',
    columns: {
      name: 'Standort',
      address: 'Adresse',
      latitude: 'Breitengrad',
      longitude: 'Längengrad',
      status: 'Status',
      capacity: 'Fahrzeuge',
      cost: 'Kosten',
      contact_email: 'Kontakt-E-Mail',
      contact_phone: 'Kontakttelefon',
      connectors: 'Anschlüsse',
      plugs: 'Stecker',
      power: 'Leistung',
      powerKw: 'Leistung in kW',
      actions: 'Aktionen',
    },
    duplicate: 'Duplizieren',
    copyName: (name) => `${name} (Kopie)`,
    share: 'Teilen',
    shareCopied: 'Kopiert: Name, Adresse und Kartenlink',
    shareFailed: 'Das Teilen hat nicht geklappt',
    hints: {
      photo: 'Foto hinzufügen: Es zeigt, wie der Ort aussieht',
      cost: 'Angeben, was das Laden kostet',
      contact: 'E-Mail-Adresse oder Telefonnummer für Rückfragen angeben',
    },
    dismissHint: (hint) => `Nicht mehr vorschlagen: ${hint}`,
    unsaved: (value) =>
      plural(value, {
        one: '1 Anschluss nicht gespeichert',
        other: `${number(value)} Anschlüsse nicht gespeichert`,
      }),
    errorDetails: 'Einzelheiten',
    noAnswer: 'Der Server hat nicht geantwortet.',
    answeredWith: (status) => `Der Server hat mit Status ${status} geantwortet.`,
    showMap: 'Karte zeigen',
    hideMap: 'Karte ausblenden',
    mapHint: 'Wählen Sie eine Markierung, um den Standort hier zu sehen',
    unnamedBusiness: 'Ihr Unternehmen',
  },
} satisfies Catalogue['dashboard']
