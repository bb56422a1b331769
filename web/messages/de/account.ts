import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')
const list = lists('de')
/** Returns an empty text for zero. */
const some: typeof plural = (many, forms) => (many === 0 ? '' : plural(many, forms))

/** The screens that emails link to, and the account card, in German. */
export default {
  account: {
    newPassword: 'Neues Passwort',
    newPasswordFor: (email: string) => `Für das Konto von ${email}.`,
    passwordHint: (min: number) =>
      `Mindestens ${min} Zeichen. Ein kurzer Satz ist ein gutes Passwort.`,
    repeatPassword: 'Passwort wiederholen',
    savePassword: 'Passwort festlegen',
    saving: 'Das Passwort wird festgelegt …',
    passwordsDiffer: 'Die beiden Passwörter sind verschieden',
    passwordSetTitle: 'Ihr neues Passwort ist festgelegt',
    passwordSet: 'Alle angemeldeten Geräte wurden abgemeldet.',
    signIn: 'Zur Anmeldung',
    confirming: 'Ihre Adresse wird bestätigt …',
    confirmingText:
      'Das dauert einen Moment. Bitte lassen Sie diese Seite offen, bis das erledigt ist: Jeder Link gilt nur einmal.',
    confirmedTitle: 'Ihre Adresse ist bestätigt',
    confirmed: 'Sie können diese Seite schließen.',
    dashboard: 'Zur Übersicht',
    expiredTitle: 'Dieser Link ist abgelaufen',
    expired:
      'Fordern Sie an derselben Stelle eine neue E-Mail an und öffnen Sie den Link darin bald.',
    usedTitle: 'Dieser Link gilt nicht mehr',
    usedForPassword:
      'Jeder Link gilt einmal, und mit einem neueren Passwort wird er ungültig. Wenn Sie nicht gerade selbst eines festgelegt haben, fordern Sie eine neue E-Mail an.',
    usedForAddress:
      'Jeder Link gilt einmal. Wenn Sie ihn schon geöffnet haben, ist Ihre Adresse bestätigt.',
    brokenTitle: 'Dieser Link ist nicht vollständig',
    broken:
      'Kopieren Sie die ganze Adresse aus der E-Mail, oder öffnen Sie den Link in der E-Mail selbst.',
    failedTitle: 'Das hat nicht geklappt',
  },
  accountCard: {
    noEmail: 'Keine E-Mail-Adresse: Ihr Anmeldedienst hat keine bestätigt.',
    offline: 'Sie sind offline. Dafür wird eine Verbindung gebraucht.',
    changesHint: 'Alle Änderungen an Unternehmen, Standorten und Preisen.',
    everywhere: 'Überall abmelden',
    everywhereHint: 'Beendet Ihre Anmeldung in allen Browsern und Apps, auch hier.',
    everywhereTitle: 'Überall abmelden?',
    everywhereText: 'Sie müssen sich danach auf jedem Gerät erneut anmelden, auch auf diesem.',
    everywhereDone: 'Sie sind jetzt überall abgemeldet',
    download: 'Meine Daten herunterladen',
    downloadHint: 'Eine ZIP-Datei mit allen Ihren Daten und Fotos.',
    downloadBegun: 'Der Download hat begonnen',
    delete: 'Mein Konto löschen',
    deleteHint: 'Löscht Ihr Konto und alles darin endgültig.',
    deleteTitle: 'Ihr Konto löschen?',
    deleteText: (owned) => {
      const parts = [
        owned.business === '' ? 'Ihr Unternehmen' : `Ihr Unternehmen ${owned.business}`,
        some(owned.sites, { one: '1 Standort', other: `${number(owned.sites)} Standorte` }),
        some(owned.connectors, {
          one: '1 Anschluss',
          other: `${number(owned.connectors)} Anschlüsse`,
        }),
        some(owned.photos, { one: '1 Foto', other: `${number(owned.photos)} Fotos` }),
      ].filter((part) => part !== '')
      return `Damit werden Ihr Konto und alles darin gelöscht: ${list(parts)}. Das lässt sich nicht rückgängig machen.`
    },
    deleteNothing: 'Damit wird Ihr Konto gelöscht. Das lässt sich nicht rückgängig machen.',
    deleteUnknown:
      'Damit werden Ihr Konto, Ihr Unternehmen und alles darin gelöscht. Das lässt sich nicht rückgängig machen.',
    deleteProvider: 'Ihr Konto beim Anmeldedienst bleibt bestehen.',
    deleteWord: 'löschen',
    deleteType: (wanted) => `Geben Sie zur Bestätigung ein:\n${wanted}`,
    deleteMistyped: 'Das stimmt nicht mit der Vorgabe überein',
    deleteForGood: 'Endgültig löschen',
    deleted: 'Ihr Konto und alles darin wurden gelöscht.',
  },
  history: {
    of: (name) => `Verlauf von ${name}`,
    all: 'Alles zeigen',
    none: 'Bisher wurde nichts geändert.',
    notLoaded: 'Der Verlauf konnte nicht geladen werden.',
    more: 'Frühere Änderungen zeigen',
    shown: (count) =>
      plural(count, {
        one: '1 Änderung angezeigt',
        other: `${number(count)} Änderungen angezeigt`,
      }),
    kept: (years) =>
      plural(years, {
        one: 'Änderungen werden 1 Jahr aufbewahrt.',
        other: `Änderungen werden ${number(years)} Jahre aufbewahrt.`,
      }),
    administrator: 'Die Administration',
    administratorFor: (who) => `Die Administration (angemeldet als ${who})`,
    system: 'Das System',
    unknownSite: 'gelöschter Standort',
    unknownConnector: 'ohne Angaben',
    image: 'Bild',
    business: {
      create: (who) => `${who} hat das Unternehmen hinzugefügt`,
      update: (who) => `${who} hat die Angaben zum Unternehmen geändert`,
      delete: (who) => `${who} hat das Unternehmen gelöscht`,
    },
    site: {
      create: (who, name) => `${who} hat „${name}“ hinzugefügt`,
      update: (who, name) => `${who} hat „${name}“ geändert`,
      delete: (who, name) => `${who} hat „${name}“ gelöscht`,
    },
    connector: {
      create: (who, what, name) => `${who} hat bei „${name}“ einen Anschluss hinzugefügt (${what})`,
      update: (who, what, name) => `${who} hat bei „${name}“ einen Anschluss geändert (${what})`,
      delete: (who, what, name) => `${who} hat bei „${name}“ einen Anschluss entfernt (${what})`,
    },
    bulkUpdate: (who, what, where) => `${who} hat „${what}“ ${where} geändert`,
    ofSites: (count) =>
      plural(count, { one: 'an 1 Standort', other: `an ${number(count)} Standorten` }),
    showSites: 'Standorte anzeigen',
    imported: (who, changes) => `${who} hat einen Import ausgeführt: ${changes}`,
    importUndone: (who, changes) => `${who} hat einen Import rückgängig gemacht: ${changes}`,
    changes: (count) => plural(count, { one: '1 Änderung', other: `${number(count)} Änderungen` }),
    showImport: 'Import anzeigen',
    showImportOf: (what) => `Import anzeigen: ${what}`,
    showChanges: 'Änderungen anzeigen',
    bulkTitle: (count) =>
      plural(count, {
        one: 'Frühere Werte von 1 Standort wiederherstellen?',
        other: `Frühere Werte von ${number(count)} Standorten wiederherstellen?`,
      }),
    bulkText: 'Standorte, die seitdem noch einmal geändert wurden, bleiben unverändert.',
    bulkNothing: 'Keiner dieser Standorte hat diesen Wert noch.',
    before: 'vorher:',
    after: 'nachher:',
    filledIn: '(aus der Position)',
    photo: (position, shows) => `Foto ${number(position)}: ${shows}`,
    formerPhoto: (shows) => `Gelöschtes Foto: ${shows}`,
    filesStay: 'Entfernte Bilder sind gelöscht und lassen sich nicht wiederherstellen.',
    putBack: 'Wiederherstellen',
    putBackOf: (what) => `Wiederherstellen: ${what}`,
    done: 'Wiederhergestellt.',
    failed: 'Das konnte nicht wiederhergestellt werden.',
    restoreTitle: (name) => `„${name}“ wiederherstellen?`,
    restore:
      'Der Standort kommt mit seinen Angaben und Anschlüssen zurück. Seine Fotos sind endgültig gelöscht.',
    conflictTitle: 'Das wurde seitdem noch einmal geändert',
    conflict: (label, now, former) => `${label}: jetzt ${now}, wiederhergestellt ${former}.`,
  },
} satisfies Catalogue['account']
