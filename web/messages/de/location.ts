import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const number = counts('de')
const plural = plurals('de')

/** Where a site is, in German. */
export default {
  location: {
    addressHint:
      'Tippen Sie, um zu suchen. Auch Koordinaten und Links aus Karten-Apps werden verstanden.',
    addressHintPlain:
      'Straße, Hausnummer, Postleitzahl und Ort. Auch Koordinaten und Links aus Karten-Apps werden verstanden.',
    suggestions: 'Adressen',
    searching: 'Suche läuft …',
    found: (count) =>
      plural(count, {
        one: '1 Adresse gefunden. Wählen Sie mit Pfeiltasten und Eingabetaste.',
        other: `${number(count)} Adressen gefunden. Wählen Sie mit Pfeiltasten und Eingabetaste.`,
      }),
    foundNone: 'Keine Adresse gefunden.',
    useTyped: 'Genau das Getippte übernehmen',
    takeCoordinates: (pair) => `Die Koordinaten ${pair} übernehmen`,
    searchDown:
      'Die Adresssuche ist nicht erreichbar. Tippen Sie die Adresse ein und legen Sie die Position unten fest.',
    searchBusy:
      'Das waren viele Suchen. Tippen Sie einfach weiter; in einer Minute gibt es wieder Vorschläge.',
    linkWithoutPlace:
      'Dieser Link nennt keinen lesbaren Ort. Öffnen Sie ihn und kopieren Sie stattdessen die Koordinaten.',
    addressPosition: 'Adresse und Koordinaten sind eingetragen.',
    openMap: 'Auf einer Karte festlegen',
    adjustMap: 'Auf einer Karte anpassen',
    mapTitle: 'Position festlegen',
    mapHelp: 'Verschieben Sie die Karte, bis die Nadel auf den Ladepunkten steht.',
    mapKeys: 'Pfeiltasten verschieben die Karte, + und − ändern den Maßstab.',
    mapLabel: 'Karte unter einer festen Nadel',
    withoutMap: 'Tippen oder fügen Sie stattdessen die Koordinaten ein.',
    usePosition: 'Diese Position übernehmen',
    closeMap: 'Karte schließen',
    positionTaken: 'Position von der Karte übernommen.',
    far: (distance) => `${distance} von der gewählten Adresse entfernt`,
    farHint: 'Das ist in Ordnung, wenn die Ladepunkte wirklich dort stehen.',
    toAddress: 'Nadel zur Adresse setzen',
    sea: 'Diese Position liegt im Meer',
    seaHint:
      'Prüfen Sie die Minuszeichen und ob eine Ziffer fehlt. Kleine Inseln fehlen auf unserer Karte: Ist es eine, stimmt alles.',
    swapped: 'Breiten- und Längengrad sind wohl vertauscht',
    swappedHint: 'Andersherum ergibt diese Position mehr Sinn.',
    swap: 'Vertauschen',
    near: (name, distance) => `Sie haben bereits „${name}“, ${distance} von hier`,
    nearHint: 'Ein Standort fasst alle Anschlüsse eines Ortes zusammen.',
    editNear: (name) => `Stattdessen „${name}“ bearbeiten`,
  },
} satisfies Catalogue['location']
