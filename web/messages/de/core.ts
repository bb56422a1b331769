import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')

/** What every screen may need, in German. */
export default {
  titles: {
    home: (product) => `Eine Ladestation bei ${product} eintragen`,
    login: (product) => `Anmelden bei ${product}`,
    dashboard: 'Übersicht',
    addSite: 'Neuen Standort hinzufügen',
    editSite: 'Standort bearbeiten',
    addBusiness: 'Angaben zum Unternehmen hinzufügen',
    editBusiness: 'Angaben zum Unternehmen bearbeiten',
    newPassword: 'Neues Passwort festlegen',
    confirmAddress: 'Adresse bestätigen',
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
    offline:
      'Sie sind offline. Was Sie speichern, bleibt auf diesem Gerät und wird gesendet, sobald Sie wieder online sind.',
    newVersion: 'Eine neue Version ist bereit.',
    language: 'Sprache',
    shortcuts: 'Tastenkürzel',
    notifications: 'Meldungen',
    loading: 'Wird geladen …',
    unsentTitle: 'Trotzdem abmelden?',
    unsent: (count) =>
      plural(count, {
        one: '1 Änderung ist noch nicht beim Server. Wenn Sie sich jetzt abmelden, kann sie verloren gehen.',
        other: `${number(count)} Änderungen sind noch nicht beim Server. Wenn Sie sich jetzt abmelden, können sie verloren gehen.`,
      }),
    lostDrafts: (count) =>
      plural(count, {
        one: 'Was Sie in 1 Formular eingegeben haben, liegt nur auf diesem Gerät. Beim Abmelden wird es gelöscht.',
        other: `Was Sie in ${number(count)} Formularen eingegeben haben, liegt nur auf diesem Gerät. Beim Abmelden wird es gelöscht.`,
      }),
    stay: 'Angemeldet bleiben',
    expiredTitle: 'Sie wurden abgemeldet',
    expired:
      'Ihre Anmeldung ist abgelaufen. Melden Sie sich in einem neuen Tab an und kommen Sie zurück: Was Sie hier geschrieben haben, bleibt.',
    signInAgain: 'Neu anmelden',
    close: 'Schließen',
    deleted: (name) => `${name} gelöscht`,
  },
  crash: {
    title: 'Auf dieser Seite ist etwas schiefgegangen',
    text: 'Der Fehler wurde vermerkt. Neu laden hilft meistens.',
    reload: 'Neu laden',
    missing: 'Dieser Teil der Seite konnte nicht geladen werden.',
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
  problems: {
    offline: 'Sie sind offline.',
    signedOut: 'Ihre Anmeldung ist abgelaufen.',
    notFound: 'Das existiert nicht mehr.',
    invalid: 'Einige Angaben wurden nicht angenommen.',
    conflict: 'Es wurde inzwischen an anderer Stelle geändert.',
    tooMany: 'Zu viele Anfragen auf einmal. Warten Sie einen Moment.',
    tooLarge: 'Die Dateien sind zusammen zu groß.',
    unavailable: 'Der Server ist gerade nicht erreichbar.',
    provider: 'Der Anmeldedienst ist gerade nicht erreichbar.',
    cancelled: 'Es wurde abgebrochen.',
    mismatch: 'Die Anmeldung gehört nicht zu diesem Browser.',
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
    savePhotos: 'Einige Fotos wurden nicht gespeichert.',
    orderPhotos: 'Die Reihenfolge der Fotos wurde nicht gespeichert.',
    removePhoto: 'Das Foto wurde nicht entfernt.',
    deleteSite: 'Der Standort konnte nicht gelöscht werden. Er steht wieder in der Liste.',
    saveConnectors: 'Einige Anschlüsse wurden nicht gespeichert.',
    endSessions: 'Sie sind überall noch angemeldet.',
    exportData: 'Ihre Daten konnten nicht zusammengestellt werden.',
    deleteAccount: 'Ihr Konto wurde nicht gelöscht.',
  },
} satisfies Catalogue['core']
