import type { Catalogue } from '../messages.ts'

/** The form of a site, in German. */
export default {
  site: {
    notFoundTitle: 'Diesen Standort gibt es nicht mehr',
    notFound: 'Vielleicht wurde er auf einem anderen Gerät gelöscht.',
    chooseTitle: 'Welchen Standort möchten Sie bearbeiten?',
    whereTitle: 'Wo ist er?',
    address: 'Adresse',
    addressHint: 'Straße, Hausnummer, Postleitzahl und Ort.',
    useLocation: 'Meinen Standort verwenden',
    locating: 'Ihre Position wird gesucht …',
    located: (metres) => `Position übernommen, auf etwa ${metres} m genau.`,
    locationDenied:
      'Dieser Browser gibt die Position nicht frei. Tippen oder fügen Sie die Koordinaten ein.',
    locationFailed: 'Ihre Position war nicht zu finden. Tippen oder fügen Sie die Koordinaten ein.',
    latitude: 'Breitengrad',
    longitude: 'Längengrad',
    coordinatesHint:
      'Fügen Sie ein Paar wie „55,2044; -6,6531“ oder einen Kartenlink in eines der Felder ein: Beide werden gefüllt.',
    pastedBoth: 'Beide Koordinaten sind eingetragen.',
    shortLink:
      'Kurzlinks verbergen den Ort. Öffnen Sie den Link und kopieren Sie die Adresse aus der Adresszeile.',
    detailsTitle: 'Angaben',
    name: 'Name des Standorts',
    nameHint: 'Wonach Fahrer suchen, etwa der Name auf dem Schild.',
    status: 'Status',
    statusHints: {
      AVAILABLE: 'Hier kann man jetzt laden',
      PLANNED: 'Noch nicht gebaut oder eingeschaltet',
      INOPERATIVE: 'Zurzeit geschlossen, nicht defekt',
      OUTOFORDER: 'Defekt, muss repariert werden',
      REMOVED: 'Kommt nicht wieder',
    },
    statusByMachine: 'Von der Ladestation gemeldet. Bleibt, bis Sie etwas anderes wählen.',
    capacity: 'Plätze',
    capacityHint: 'Wie viele Fahrzeuge gleichzeitig laden können.',
    fewer: 'Eines weniger',
    more: 'Eines mehr',
    cost: 'Preis',
    costHint: 'In eigenen Worten, etwa „0,45 € / kWh“.',
    costSuggestions: ['Kostenlos', 'Kostenlos für Gäste', '0,45 € / kWh', '3,00 € / h'],
    takeSuggestion: (value) => `„${value}“ übernehmen`,
    contactTitle: 'Kontakt',
    contactEmail: 'Kontakt-E-Mail',
    contactPhone: 'Kontakt-Telefon',
    add: 'Standort hinzufügen',
    save: 'Änderungen speichern',
    saved: (name) => `${name} gespeichert`,
  },
} satisfies Catalogue['site']
