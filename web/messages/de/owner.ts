import { fields, records } from '#domain/labels/de/records.ts'
import type { PublicNeed } from '#domain/publication.ts'
import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')
const list = lists('de')

/** The screens of owners, in German. */
export default {
  // Dashboard
  dashboard: {
    sites: (count) => plural(count, { one: '1 Standort', other: `${number(count)} Standorte` }),
    sitesTitle: 'Standorte',
    addSite: 'Standort hinzufügen',
    editBusiness: 'Unternehmen bearbeiten',
    website: (host) => `${host} (öffnet einen neuen Tab)`,
    searchLabel: 'Standorte durchsuchen',
    searchPlaceholder: 'Name, Adresse oder Anschluss',
    clearSearch: 'Suche leeren',
    filterLabel: 'Nach Status filtern',
    all: 'Alle',
    shown: (some, all) => `${number(some)} von ${number(all)} Standorten angezeigt`,
    noMatch: (query) => `Kein Standort passt zu „${query}“`,
    noMatchFilter: 'Kein Standort passt zu diesem Filter',
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
    stale:
      'Dies ist vielleicht nicht der neueste Stand: Neuere Daten konnten nicht geladen werden.',
    slow: 'Das dauert länger als sonst. Die Verbindung ist vielleicht zu schwach.',
    unfinished: 'Nicht fertig',
    unnamedSite: 'Neuer Standort',
    draftOf: (name: string) => `Entwurf: ${name}`,
    draftDiscarded: (name: string) => `Entwurf von ${name} verworfen.`,
    saving: (name: string) => `${name} wird gespeichert …`,
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
        : `Gelöscht ${connectors + photos === 1 ? 'wird' : 'werden'} auch ${parts.join(' und ')}. Das lässt sich 8 Sekunden lang rückgängig machen.`
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
      cost: 'Preis, aufsteigend',
      '-cost': 'Preis, absteigend',
    },
    layoutLabel: 'Ansicht',
    list: 'Liste',
    table: 'Tabelle',
    export: 'Als CSV exportieren',
    fileName: 'standorte',
    columns: {
      name: 'Standort',
      status: 'Status',
      capacity: 'Fahrzeuge',
      cost: 'Preis',
      connectors: 'Anschlüsse',
      plugs: 'Stecker',
      power: 'Leistung',
      powerKw: 'Leistung in kW',
      id: 'ID',
      actions: 'Aktionen',
    },
    duplicate: 'Duplizieren',
    copyName: (name) => `${name} (Kopie)`,
    share: 'Teilen',
    shareCopied: 'Kopiert: Name, Adresse und Kartenlink',
    shareFailed: 'Das Teilen hat nicht geklappt',
    hints: {
      photo: 'Foto hinzufügen: Es zeigt, wie der Ort aussieht',
      cost: 'Preis angeben: Reisende achten darauf',
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
    choose: 'Auswählen',
    chooseSite: (name) => `${name} auswählen`,
    mapHint: 'Wählen Sie eine Markierung, um den Standort hier zu sehen',
    savedHidden: (name) =>
      `„${name}“ entspricht nicht der Suche oder dem Filter und steht deshalb nicht in dieser Liste`,
    lackLabel: 'Nach fehlenden Angaben filtern',
    lackNothing: 'Es fehlt …',
    lacks: {
      photo: 'Ohne Foto',
      cost: 'Ohne Preis',
      connectors: 'Ohne Anschluss',
      contact: 'Ohne Kontakt',
    },
    similar: (query) => `Kein Standort enthält „${query}“. Diese sind ähnlich.`,
    statusOf: (name, status) => `Status von ${name}: ${status}`,
    statusSet: (name, status) => `${name}: ${status}`,
    unnamedBusiness: 'Ihr Unternehmen',
    reports: (count) =>
      plural(count, {
        one: '1 Meldung von Reisenden',
        other: `${number(count)} Meldungen von Reisenden`,
      }),
  },

  fields,
  publication: {
    public: 'Auf der öffentlichen Karte',
    planned: 'Auf der öffentlichen Karte als „demnächst“',
    unpublished: 'Nicht auf der öffentlichen Karte',
    removed: 'Endgültig geschlossen: nicht auf der öffentlichen Karte',
    incomplete: (what: readonly string[]) =>
      `Noch nicht auf der öffentlichen Karte, es fehlt: ${list(what)}`,
    hidden: (reason: string) =>
      reason === ''
        ? 'Von der Administration ausgeblendet'
        : `Von der Administration ausgeblendet: ${reason}`,
    needs: {
      connectors: 'ein Anschluss',
      business: 'der Name Ihres Unternehmens',
    } satisfies Record<PublicNeed, string>,
  },
  photoCategories: {
    CHARGER: 'Ladesäule',
    ENTRANCE: 'Einfahrt',
    LOCATION: 'Gesamtansicht',
    OTHER: 'Etwas anderes',
  },
  records,

  // Drafts
  drafts: {
    kept: (when) => `Entwurf gespeichert: ${when}`,
    keptText: 'Alles steht wieder im Formular, so wie Sie es verlassen haben.',
    lostFiles: (count) =>
      plural(count, {
        one: '1 Bild konnte nicht gespeichert werden. Bitte fügen Sie es noch einmal hinzu.',
        other: `${number(count)} Bilder konnten nicht gespeichert werden. Bitte fügen Sie sie noch einmal hinzu.`,
      }),
    continue: 'Weitermachen',
    startFresh: 'Neu beginnen',
    savedAt: (time) => `Entwurf gespeichert um ${time}`,
    notKept: 'Der Entwurf konnte auf diesem Gerät nicht gespeichert werden',
    filesNotKept: 'Die Bilder dieses Entwurfs konnten auf diesem Gerät nicht gespeichert werden',
    changes: (count) => plural(count, { one: '1 Änderung', other: `${number(count)} Änderungen` }),
    discard: 'Verwerfen',
    sendLater: 'Speichern und später senden',
    discarded: 'Änderungen verworfen.',
    keptAsDraft: 'Ihr Entwurf bleibt erhalten. Sie finden ihn in der Übersicht.',
    keepNow: 'Auf diesem Gerät aufbewahren und später senden',
    keptForLater: (name) =>
      `${name} liegt auf diesem Gerät und wird gesendet, sobald es eine Verbindung gibt.`,
    laterFailedTitle: 'Das konnte nicht zum späteren Senden gespeichert werden.',
    laterFailed:
      'Auf diesem Gerät ist kein Platz mehr, oder es lässt das nicht zu. Lassen Sie diese Seite offen, bis Sie wieder online sind.',
    waiting: 'Wartet auf Versand',
    waitingText:
      'Das ist auf diesem Gerät gespeichert und wird gesendet, sobald es eine Verbindung gibt. Sie können es noch ändern.',
    savedData: (when) => `Gespeicherte Daten, Stand: ${when}`,
    justNow: 'gerade eben',
    changedRemotely: (ago) => `Auf einem anderen Gerät geändert, ${ago}`,
    choose: 'Das wurde hier und auf einem anderen Gerät geändert. Wählen Sie, was bleiben soll:',
    merged: (parts) => `Vom anderen Gerät übernommen: ${list(parts)}.`,
    photos: (count) => plural(count, { one: '1 Foto', other: `${number(count)} Fotos` }),
    mine: 'Dieses Gerät',
    theirs: 'Anderes Gerät',
    keepMine: 'Diese Version behalten',
    takeTheirs: 'Andere Version verwenden',
    nothing: 'leer',
    removed: 'entfernt',
  },

  otherStandard: {
    DOMESTIC_A: 'Haushalt Typ A',
    DOMESTIC_B: 'NEMA 5-15 (Typ B)',
    DOMESTIC_C: 'Eurostecker (Typ C)',
    DOMESTIC_D: 'Haushalt Typ D',
    DOMESTIC_E: 'Französische Steckdose (Typ E)',
    DOMESTIC_F: 'Schuko (Typ F)',
    DOMESTIC_G: 'Britische Steckdose (Typ G)',
    DOMESTIC_H: 'Haushalt Typ H',
    DOMESTIC_I: 'Australische Steckdose (Typ I, AS 3112)',
    DOMESTIC_J: 'Schweizer Steckdose (Typ J, T13)',
    DOMESTIC_K: 'Haushalt Typ K',
    DOMESTIC_L: 'Haushalt Typ L',
    DOMESTIC_M: 'Haushalt Typ M',
    DOMESTIC_N: 'Haushalt Typ N',
    DOMESTIC_O: 'Haushalt Typ O',
    IEC_60309_2_single_16: 'CEE blau 16 A, 1 Phase',
    IEC_60309_2_three_16: 'CEE rot 16 A, 3 Phasen',
    IEC_60309_2_three_32: 'CEE rot 32 A',
    IEC_60309_2_three_64: 'CEE rot 63/64 A',
    PANTOGRAPH_BOTTOM_UP: 'Bus-Pantograf (nach oben)',
    PANTOGRAPH_TOP_DOWN: 'Bus-Pantograf (nach unten)',
  },
  positionWarnings: {
    far: (distance) => `${distance} von der gewählten Adresse entfernt`,
    farHint: 'Das ist in Ordnung, wenn die Ladesäulen wirklich dort stehen.',
    toAddress: 'Markierung zur Adresse setzen',
    sea: 'Diese Position liegt im Meer',
    seaHint:
      'Prüfen Sie die Minuszeichen und ob eine Ziffer fehlt. Kleine Inseln fehlen auf unserer Karte: Dort können Sie dies ignorieren.',
    swapped: 'Breiten- und Längengrad sind wohl vertauscht',
    swappedHint: 'Andersherum ergibt diese Position mehr Sinn.',
    swap: 'Vertauschen',
    near: (name, distance) => `Sie haben bereits „${name}“, ${distance} von hier`,
    nearHint: 'Ein Standort fasst alle Anschlüsse eines Ortes zusammen.',
    editNear: (name) => `Stattdessen „${name}“ bearbeiten`,
    otherNear: (distance) =>
      `Ein Standort eines anderen Unternehmens ist ${distance} von hier entfernt`,
    otherNearHint: (name, business) =>
      `„${name}“ (${business}). Ist Ihrer ein anderer, fahren Sie einfach fort.`,
    seeOther: 'Ansehen',
  },
} satisfies Catalogue['owner']
