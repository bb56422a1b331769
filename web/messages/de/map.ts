import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')
const list = lists('de')

/** Maps, and the map for travellers, in German. */
export default {
  map: {
    loading: 'Die Karte wird geladen …',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    noWebGL: 'Dieser Browser kann keine Karten zeichnen.',
    failed: 'Die Karte konnte nicht geladen werden.',
    worldOnly: 'Nur Länder und Küsten, keine Straßen.',
    noStreets: 'Die Straßenkarte ist nicht erreichbar. Diese Karte zeigt nur Länder und Küsten.',
    sites: 'Karte Ihrer Standorte',
    sitesKeys:
      'Pfeiltasten verschieben die Karte, + und − ändern den Maßstab, die Eingabetaste wählt den Standort, der der Mitte am nächsten liegt.',
    withoutSites: 'Alle Ihre Standorte stehen in der Liste.',
    selected: (name) => `${name} ist ausgewählt.`,
  },

  find: {
    search: 'Ort oder Ladestation',
    clearSearch: 'Suche leeren',
    suggestions: 'Vorschläge',
    suggested: (count) =>
      plural(count, { one: '1 Vorschlag', other: `${number(count)} Vorschläge` }),
    nothingFound: (text) =>
      `Nichts gefunden für „${text}“. Versuchen Sie eine andere Schreibweise.`,
    tooFewLetters: (count) => `Geben Sie mindestens ${number(count)} Buchstaben ein.`,
    nearMe: 'In meiner Nähe',
    locating: 'Ihre Position wird gesucht …',
    denied: 'Dieser Browser gibt Ihre Position nicht frei. Suchen Sie stattdessen einen Ort.',
    lost: 'Ihre Position war nicht zu finden. Suchen Sie stattdessen einen Ort.',
    filters: 'Filter',
    plugAndPower: 'Stecker und Leistung',
    plug: 'Ihr Stecker',
    power: 'Leistung',
    anyPower: 'Beliebig',
    fromPower: (kw) => `ab ${kw}\u00a0kW`,
    car: 'Ihr Auto',
    chooseCar: 'Passt zu meinem Auto',
    choose: 'Wählen …',
    brand: 'Marke',
    model: 'Modell',
    carPower: (powers) => `Lädt mit bis zu ${list(powers)}.`,
    carSource: 'Fahrzeugdaten:',
    carsFailed:
      'Die Liste der Autos konnte nicht geladen werden. Wählen Sie stattdessen Ihren Stecker.',
    kept: 'Bleibt auf diesem Gerät für Ihren nächsten Besuch gespeichert.',
    show: 'Ladestationen zeigen',
    openNow: 'Jetzt geöffnet',
    free: 'Kostenlos',
    available: 'In Betrieb',
    everybody: 'Für alle',
    removeFilters: 'Filter entfernen',
    chargers: (count) =>
      plural(count, { one: '1 Ladestation', other: `${number(count)} Ladestationen` }),
    near: (place) => `Ladestationen bei ${place}`,
    list: 'Ladestationen in der Nähe',
    farList: 'Keine in der Nähe. Die nächsten Ladestationen:',
    fromYou: 'Die nächste zuerst, von Ihnen aus',
    fromMiddle: 'Die nächste zuerst, von der Kartenmitte aus',
    more: 'Mehr zeigen',
    startTitle: 'Wo möchten Sie laden?',
    start:
      'Suchen Sie einen Ort oder eine Ladestation, geben Sie Ihre Position frei oder verschieben Sie die Karte.',
    none: 'Hier gibt es noch keine Ladestation.',
    noneMatches: 'Keine Ladestation passt zu diesen Filtern.',
    failed: 'Die Ladestationen konnten nicht geladen werden.',
    directions: 'Route',
    directionsTo: (name) => `Route zu ${name} (öffnet eine Karten-App)`,
    details: 'Alle Details',
    chosen: 'Gewählte Ladestation',
    back: 'Zurück zur Liste',
    notLoaded: 'Diese Ladestation konnte nicht geladen werden.',
    goneTitle: 'Diese Ladestation ist nicht mehr verzeichnet.',
    gone: 'Vielleicht wurde sie entfernt, oder der Link ist falsch.',
    map: 'Karte der Ladestationen',
    keys: 'Pfeiltasten verschieben die Karte, + und − ändern den Maßstab, die Eingabetaste öffnet, was der Mitte am nächsten liegt.',
    withoutMap: 'Alle Ladestationen stehen in der Liste.',
    missingMap: 'Die Karte konnte nicht geladen werden. Alle Ladestationen stehen in der Liste.',
  },
  plugGroup: {
    TYPE_3: 'Typ 3',
    SOCKET: 'Haushalts- oder Industriesteckdose',
    TRUCK: 'Lkw und Busse',
  },
} satisfies Catalogue['map']
