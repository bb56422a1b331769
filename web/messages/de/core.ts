import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')

/** The guest screens and the terms shared by all screens, in German. */
export default {
  // Core
  titles: {
    home: (product) => `Eine Ladestation bei ${product} eintragen`,
    login: (product) => `Anmelden bei ${product}`,
    dashboard: 'Übersicht',
    map: 'Ladestation finden',
    addSite: 'Neuen Standort hinzufügen',
    editSite: 'Standort bearbeiten',
    addBusiness: 'Angaben zum Unternehmen hinzufügen',
    editBusiness: 'Angaben zum Unternehmen bearbeiten',
    newPassword: 'Neues Passwort festlegen',
    confirmAddress: 'Adresse bestätigen',
    account: 'Ihr Konto',
    prices: 'Preise',
    addPrice: 'Preis hinzufügen',
    editPrice: 'Preis bearbeiten',
    changes: 'Verlauf',
    report: 'Problem melden',
    reports: 'Meldungen',
    open: 'Offene Daten',
    import: 'Standorte importieren',
    notFound: 'Seite nicht gefunden',
  },
  shell: {
    skip: 'Zum Inhalt springen',
    website: (product) => `Website von ${product} (öffnet einen neuen Tab)`,
    back: 'Zurück',
    login: 'Anmelden',
    logout: 'Abmelden',
    account: 'Angemeldet',
    scrollToTop: 'Nach oben',
    offline: 'Sie sind offline.',
    keptOffline:
      'Was Sie speichern, bleibt auf diesem Gerät und wird gesendet, sobald Sie wieder online sind.',
    newVersion: 'Eine neue Version ist bereit.',
    language: 'Sprache',
    shortcuts: 'Tastenkürzel',
    notifications: 'Hinweise',
    loading: 'Wird geladen …',
    unsentTitle: 'Trotzdem abmelden?',
    unsent: (count) =>
      plural(count, {
        one: '1 Änderung ist noch nicht beim Server angekommen. Beim Abmelden wird sie von diesem Gerät gelöscht.',
        other: `${number(count)} Änderungen sind noch nicht beim Server angekommen. Beim Abmelden werden sie von diesem Gerät gelöscht.`,
      }),
    lostDrafts: (count) =>
      plural(count, {
        one: 'Was Sie in 1 Formular eingegeben haben, liegt nur auf diesem Gerät. Beim Abmelden wird es gelöscht.',
        other: `Was Sie in ${number(count)} Formularen eingegeben haben, liegt nur auf diesem Gerät. Beim Abmelden wird es gelöscht.`,
      }),
    stay: 'Angemeldet bleiben',
    expiredTitle: 'Sie wurden abgemeldet',
    expired:
      'Ihre Sitzung ist beendet. Melden Sie sich in einem neuen Tab erneut an und kommen Sie hierher zurück. Ihre Eingaben bleiben erhalten.',
    signInAgain: 'Erneut anmelden',
    close: 'Schließen',
    deleted: (name) => `${name} gelöscht`,
  },
  links: {
    help: 'Hilfe',
    privacy: 'Datenschutz',
    terms: 'Nutzungsbedingungen',
    imprint: 'Impressum',
  },
  crash: {
    title: 'Auf dieser Seite ist etwas schiefgegangen',
    text: 'Neu laden hilft meistens.',
    reload: 'Neu laden',
    dashboard: 'Zurück zur Übersicht',
    missing: 'Dieser Teil der Seite konnte nicht geladen werden.',
    offline:
      'Diese Seite ist noch nicht geladen. Sie öffnet sich, sobald Sie wieder verbunden sind.',
  },
  notFound: {
    title: 'Diese Seite gibt es nicht',
    text: 'Vielleicht enthält die Adresse einen Tippfehler, oder die Seite ist umgezogen.',
    dashboard: 'Zur Übersicht',
  },
  actions: {
    retry: 'Erneut versuchen',
    cancel: 'Abbrechen',
    undo: 'Rückgängig',
    edit: 'Bearbeiten',
    delete: 'Löschen',
    dismiss: 'Schließen',
  },
  about: (label, what) => `${label}: ${what}`,
  problems: {
    offline: 'Es besteht keine Verbindung zum Server.',
    signedOut: 'Ihre Sitzung ist beendet.',
    notFound: 'Das wurde gelöscht.',
    timeout: 'Der Server antwortet nicht.',
    invalid: 'Einige Angaben wurden nicht angenommen.',
    conflict: 'Das wurde inzwischen auf einem anderen Gerät geändert.',
    tooMany: 'Zu viele Anfragen auf einmal. Warten Sie einen Moment.',
    tooLarge: 'Die Dateien sind zusammen zu groß.',
    unavailable: 'Der Server ist gerade nicht erreichbar.',
    provider: 'Der Anmeldedienst ist gerade nicht erreichbar.',
    cancelled: 'Das wurde abgebrochen.',
    mismatch: 'Diese Anmeldung wurde nicht in diesem Browser begonnen.',
    clock: 'Datum oder Uhrzeit dieses Geräts stimmen nicht.',
    storage: 'Dieser Browser speichert keine Daten für diese Website.',
    unexpected: 'Bei der Verarbeitung ist etwas schiefgegangen.',
  },
  failed: {
    signIn: 'Sie konnten nicht angemeldet werden.',
    load: 'Ihre Standorte konnten nicht geladen werden.',
    updateUser: 'Ihre Angaben konnten nicht geändert werden.',
    createBusiness: 'Ihr Unternehmen wurde nicht gespeichert.',
    updateBusiness: 'Ihr Unternehmen wurde nicht gespeichert.',
    createSite: 'Der Standort wurde nicht gespeichert.',
    updateSite: 'Der Standort wurde nicht gespeichert.',
    updateSites: 'Die Standorte wurden nicht geändert.',
    savePhotos: 'Einige Fotos wurden nicht gespeichert.',
    orderPhotos: 'Die Reihenfolge der Fotos wurde nicht gespeichert.',
    removePhoto: 'Das Foto wurde nicht entfernt.',
    deleteSite: 'Der Standort konnte nicht gelöscht werden. Er steht wieder in der Liste.',
    saveConnectors: 'Einige Anschlüsse wurden nicht gespeichert.',
    createRecord: 'Der Eintrag wurde nicht gespeichert.',
    updateRecord: 'Der Eintrag wurde nicht gespeichert.',
    removeRecord: 'Der Eintrag konnte nicht gelöscht werden.',
    endSessions: 'Sie sind überall noch angemeldet.',
    exportData: 'Ihre Daten konnten nicht zusammengestellt werden.',
    deleteAccount: 'Ihr Konto wurde nicht gelöscht.',
  },

  // Terms
  facts: {
    connectors: (count) =>
      plural(count, { one: '1 Anschluss', other: `${number(count)} Anschlüsse` }),
    power: (kw) => `${kw} kW`,
    capacity: (count) =>
      plural(count, {
        one: '1 Fahrzeug gleichzeitig',
        other: `${number(count)} Fahrzeuge gleichzeitig`,
      }),
    times: (count) => `${count} ×`,
  },
  status: {
    AVAILABLE: 'Geöffnet',
    PLANNED: 'Demnächst',
    INOPERATIVE: 'Vorübergehend geschlossen',
    OUTOFORDER: 'Außer Betrieb',
    REMOVED: 'Endgültig geschlossen',
    UNKNOWN: 'Unbekannt',
    BLOCKED: 'Blockiert',
    CHARGING: 'Belegt',
    RESERVED: 'Reserviert',
  },
  formatShort: { SOCKET: 'Steckdose', CABLE: 'Kabel' },
  currentShort: {
    AC_1_PHASE: 'AC 1-phasig',
    AC_2_PHASE: 'AC 2-phasig',
    AC_2_PHASE_SPLIT: 'AC Split-Phase',
    AC_3_PHASE: 'AC 3-phasig',
    DC: 'DC',
  },
  standard: {
    IEC_62196_T1: 'Typ 1 (J1772)',
    IEC_62196_T2: 'Typ 2 (Mennekes)',
    IEC_62196_T3A: 'Typ 3A',
    IEC_62196_T3C: 'Typ 3C (Scame)',
  },

  // Login
  login: {
    heading: 'Willkommen',
    text: 'Sie werden zu Ihrem Anmeldedienst geleitet und kommen hierher zurück.',
    button: (provider: string) =>
      provider === '' ? 'Weiter mit Single Sign-on' : `Weiter mit ${provider}`,
    leaving: 'Weiter zu Ihrem Anmeldedienst …',
    finishing: 'Sie werden angemeldet …',
    offline: 'Sie sind offline. Zum Anmelden braucht es eine Verbindung.',
    required: 'Bitte melden Sie sich für diese Seite an. Danach geht es gleich dort weiter.',
    againTitle: 'Sie sind wieder angemeldet',
    again:
      'Wechseln Sie zum anderen Tab. Ihre Eingaben dort bleiben erhalten. Diesen Tab können Sie schließen.',
    failed: 'Die Anmeldung ist fehlgeschlagen. Bitte versuchen Sie es erneut.',
  },
} satisfies Catalogue['core']
