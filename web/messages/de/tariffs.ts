import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const list = lists('de')
const number = counts('de')
const plural = plurals('de')

/** The non-zero numbers of sites and connectors. */
const places = (sites: number, connectors: number): string =>
  list([
    ...(sites > 0
      ? [plural(sites, { one: '1 Standort', other: `${number(sites)} Standorten` })]
      : []),
    ...(connectors > 0
      ? [plural(connectors, { one: '1 Anschluss', other: `${number(connectors)} Anschlüssen` })]
      : []),
  ])

/** `die erste kWh`, but `die ersten 2 kWh` */
const first = (quantity: string, one: string, many: string): string =>
  /^1\s\D/.test(quantity) ? one + quantity.slice(1) : `${many} ${quantity}`

/** Prices, in German. */
export default {
  tariffs: {
    lead: 'Ein Preis kann an beliebig vielen Standorten gelten. Wenn Sie ihn hier ändern, ändert er sich überall.',
    noneTitle: 'Noch keine Preise',
    none: 'Geben Sie einmal an, was das Laden kostet, und verwenden Sie es an beliebig vielen Standorten.',
    add: 'Preis hinzufügen',
    usedAt: (sites, connectors) =>
      sites + connectors === 0 ? 'Noch nicht verwendet' : `Gilt an ${places(sites, connectors)}`,
    moreSites: (count) =>
      plural(count, { one: 'und 1 weiterer', other: `und ${number(count)} weitere` }),
    changes: (sites, connectors) => `Ändert den Preis an ${places(sites, connectors)}`,
    menu: (name) => `Aktionen für ${name}`,
    duplicate: 'Duplizieren',
    copyOf: (name) => `${name} (Kopie)`,
    removeTitle: (name) => `${name} löschen?`,
    removeText: 'Er wird nirgends verwendet.',
    inUse: 'Wählen Sie den Preis, der dort stattdessen gilt.',
    undoable: 'Das lässt sich 8 Sekunden lang rückgängig machen.',
    instead: 'Neuer Preis',
    noPrice: 'Kein Preis',
    insteadOfCost: 'Reisende sehen diesen Preis statt Ihres eigenen Textes.',
    replace: 'Ändern und löschen',
    save: 'Preis speichern',
    saved: (name) => `${name} gespeichert`,
    notFound: 'Diesen Preis gibt es nicht mehr.',
    deletedTitle: 'Dieser Preis wurde auf einem anderen Gerät gelöscht.',
    deletedText: 'Ihre Eingaben sind noch da.',
    addAgain: 'Als neuen Preis hinzufügen',
    nameHint: 'Zum Beispiel „Standard“ oder „Hotelgäste“.',
    pricesTitle: 'Was das Laden kostet',
    isFree: 'Das Laden ist kostenlos',
    part: (position) => `Preis ${position}`,
    amounts: {
      energy: (currency) => `Energie, ${currency} pro kWh`,
      time: {
        minute: (currency) => `Ladezeit, ${currency} pro Minute`,
        hour: (currency) => `Ladezeit, ${currency} pro Stunde`,
      },
      idle: {
        minute: (currency) => `Standzeit, ${currency} pro Minute`,
        hour: (currency) => `Standzeit, ${currency} pro Stunde`,
      },
      flat: (currency) => `Startgebühr, ${currency}`,
    },
    unusual: (currency: string) => `Ungewöhnlich hoch. Der Betrag ist in ${currency}.`,
    timeHint: 'Solange das Fahrzeug lädt.',
    idleHint: 'Solange das Fahrzeug nach Ladeende angeschlossen ist.',
    timeUnit: 'Zeit wird berechnet pro',
    units: { minute: 'Minute', hour: 'Stunde' },
    conditions: 'Wann er gilt',
    always: 'Immer',
    conditionsHint: 'Lassen Sie leer, was keine Rolle spielt.',
    current: 'Stromart',
    anyCurrent: 'AC und DC',
    plugs: 'Stecker',
    days: 'Tage',
    bounds: {
      from: 'Ab (Uhrzeit)',
      until: 'Bis (Uhrzeit)',
      minMinutes: 'Nach (Minuten)',
      maxMinutes: 'In den ersten (Minuten)',
      minKwh: 'Nach (kWh)',
      maxKwh: 'Für die ersten (kWh)',
      minKw: 'Ab einer Leistung von (kW)',
      maxKw: 'Unter einer Leistung von (kW)',
    },
    kept: (what) => `Bleibt wie importiert: ${what}`,
    forReservation: 'für Reservierungen',
    addPart: 'Preis für andere Zeiten, Stecker oder Leistungen hinzufügen',
    firstCounts: 'Kommen mehrere Preise infrage, zählt der erste.',
    moveUp: (position) => `Preis ${position} nach oben`,
    removePart: (position) => `Preis ${position} entfernen`,
    moreTitle: 'Grenzen und Steuern',
    vat: 'MwSt. in %',
    severalVats: 'Die Preise haben verschiedene Steuersätze, die so bleiben.',
    limitHint: 'Für jeden Ladevorgang.',
    wrongNumber: 'Geben Sie eine Zahl wie 0,59 ein',
    needsPrice: 'Geben Sie mindestens einen Preis ein',
    checkPrices: 'Prüfen Sie die markierten Preise',
    previewTitle: 'Was Reisende lesen',
    emptyPreview: 'Geben Sie einen Preis ein, um ihn in Worten zu sehen.',
    exampleTitle: 'Beispiel',
    example: {
      kwh: 'Energie in kWh',
      minutes: 'Laden, in Minuten',
      idle: 'Danach stehen, in Minuten',
      kw: 'Leistung in kW',
      plug: 'Stecker',
      day: 'Tag',
      time: 'Uhrzeit',
    },
    costs: (kwh, duration, amount) => `${kwh} in ${duration} kosten ${amount}`,
    costsIdle: (kwh, duration, idle, amount) =>
      `${kwh} in ${duration}, danach ${idle} Standzeit, kosten ${amount}`,
    withVat: (amount) => `${amount} mit MwSt.`,
  },

  tariffSentence: {
    free: 'kostenlos',
    perKwh: (amount) => `${amount} pro kWh`,
    perSession: (amount) => `${amount} pro Ladevorgang`,
    perTime: {
      minute: {
        always: (amount) => `${amount} pro Minute`,
        charging: (amount) => `${amount} pro Minute Ladezeit`,
        idle: (amount) => `${amount} pro Minute nach Ladeende`,
      },
      hour: {
        always: (amount) => `${amount} pro Stunde`,
        charging: (amount) => `${amount} pro Stunde Ladezeit`,
        idle: (amount) => `${amount} pro Stunde nach Ladeende`,
      },
    },
    once: (amount) => `einmalig ${amount}`,
    steps: (size) => `(in Schritten von ${size})`,
    plus: ', dazu ',
    apart: '; ',
    otherwise: (price) => `sonst ${price}`,
    duration: {
      from: (from) => `nach ${from}`,
      until: {
        minute: (until) => `in ${first(until, 'der ersten', 'den ersten')}`,
        hour: (until) => `in den ersten ${until}`,
      },
      between: (from, until) => `zwischen ${from} und ${until}`,
      inTotal: (from) => `ab einer Gesamtdauer von ${from}`,
    },
    energy: {
      from: (from) => `nach ${first(from, 'der ersten', 'den ersten')}`,
      until: (until) => `für ${first(until, 'die erste', 'die ersten')}`,
      between: (from, until) => `zwischen ${from} und ${until}`,
    },
    power: {
      from: (from) => `ab ${from}`,
      until: (until) => `unter ${until}`,
      between: (from, until) => `von ${from} bis unter ${until}`,
    },
    hours: {
      from: (from) => `ab ${from}\u00a0Uhr`,
      until: (until) => `bis ${until}\u00a0Uhr`,
      between: (from, until) => `von ${from} bis ${until}\u00a0Uhr`,
    },
    dates: {
      from: (from) => `ab ${from}`,
      until: (until) => `bis ${until}`,
      between: (from, until) => `vom ${from} bis zum ${until}`,
    },
    days: (spans) =>
      list(
        spans.map(({ from, to }) =>
          to === undefined ? adverb(from) : `${adverb(from)} bis ${adverb(to)}`,
        ),
      ),
    current: { AC: 'an AC-Anschlüssen', DC: 'an DC-Anschlüssen' },
    currentOnly: { AC: 'nur AC', DC: 'nur DC' },
    plugs: (names) => `mit ${list(names)}`,
    plugsOnly: (names) => `nur ${list(names)}`,
    limits: {
      from: (from) => `mindestens ${from} pro Ladevorgang`,
      until: (until) => `höchstens ${until} pro Ladevorgang`,
      between: (from, until) => `mindestens ${from} und höchstens ${until} pro Ladevorgang`,
    },
    taxes: (vat) => (vat === undefined ? 'zuzüglich Steuern' : `zuzüglich ${vat} MwSt.`),
    reservation: (price) => `Reservierung: ${price}`,
    expiredReservation: (price) => `verfallene Reservierung: ${price}`,
  },
} satisfies Catalogue['tariffs']

/** `montags` */
const adverb = (day: string): string => `${day.toLowerCase()}s`
