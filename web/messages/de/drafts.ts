import { counts, lists, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const list = lists('de')
const number = counts('de')

/** What is kept on the device, in German. */
export default {
  drafts: {
    kept: (when) => `Wir haben Ihren Entwurf aufgehoben: ${when}`,
    keptText: 'Alles steht wieder im Formular, so wie Sie es verlassen haben.',
    lostFiles: (count) =>
      plural(count, {
        one: '1 Bild konnte nicht aufgehoben werden. Bitte fügen Sie es noch einmal hinzu.',
        other: `${number(count)} Bilder konnten nicht aufgehoben werden. Bitte fügen Sie sie noch einmal hinzu.`,
      }),
    continue: 'Weitermachen',
    startFresh: 'Neu beginnen',
    savedAt: (time) => `Entwurf gesichert um ${time}`,
    notKept: 'Der Entwurf konnte auf diesem Gerät nicht gesichert werden',
    filesNotKept: 'Die Bilder dieses Entwurfs konnten auf diesem Gerät nicht gesichert werden',
    changes: (count) => plural(count, { one: '1 Änderung', other: `${number(count)} Änderungen` }),
    discard: 'Verwerfen',
    sendLater: 'Sichern und später senden',
    keptForLater: (name) =>
      `${name} liegt auf diesem Gerät und wird gesendet, sobald es eine Verbindung gibt.`,
    laterFailedTitle: 'Das konnte nicht zum späteren Senden gesichert werden.',
    laterFailed:
      'Auf diesem Gerät ist kein Platz mehr, oder es lässt das nicht zu. Lassen Sie diese Seite offen, bis Sie wieder online sind.',
    waiting: 'Wartet auf Versand',
    waitingText:
      'Das ist auf diesem Gerät gesichert und wird gesendet, sobald es eine Verbindung gibt. Sie können es noch ändern.',
    savedData: (when) => `Gespeicherte Daten von ${when}`,
    elsewhere: (ago) => `Anderswo geändert, ${ago}`,
    choose: 'Das wurde hier und auf einem anderen Gerät geändert. Wählen Sie, was bleiben soll:',
    taken: (parts) => `Von dort übernommen: ${list(parts)}.`,
    photos: (count) => plural(count, { one: '1 Foto', other: `${number(count)} Fotos` }),
    mine: 'Hier',
    theirs: 'Anderswo',
    keepMine: 'Meins behalten',
    takeTheirs: 'Anderes übernehmen',
    about: (action, what) => `${action}: ${what}`,
    nothing: 'leer',
    removed: 'entfernt',
  },
} satisfies Catalogue['drafts']
