import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')

/** Reports of travellers: their form and the owner's inbox, in German. */
export default {
  report: {
    lead: 'Stimmt an dieser Ladestation etwas nicht? Sagen Sie es dem Betreiber.',
    reason: 'Was stimmt nicht?',
    reasons: {
      NOT_WORKING: 'Es lädt nicht',
      NO_ACCESS: 'Man kommt nicht heran',
      STATUS_WRONG: 'Der Status (geöffnet, geschlossen) stimmt nicht',
      PLACE_WRONG: 'Die Ladestation ist woanders',
      PLUG_WRONG: 'Stecker oder Leistung stimmt nicht',
      PRICE_WRONG: 'Der Preis stimmt nicht',
      HOURS_WRONG: 'Die Öffnungszeiten stimmen nicht',
    },
    chooseReason: 'Wählen Sie aus, was nicht stimmt',
    message: 'Mit Ihren eigenen Worten',
    messageHint: 'Welche Säule, welcher Stecker, seit wann?',
    email: 'Ihre E-Mail-Adresse',
    emailHint:
      'Nur für die Antwort des Betreibers. Er sieht sie nicht, und sobald die Antwort gesendet ist, löschen wir sie.',
    send: 'Meldung senden',
    sending: 'Wird gesendet …',
    notSent: 'Das wurde nicht gesendet',
    kept: 'Was Sie geschrieben haben, bleibt hier stehen.',
    tooMany:
      'In letzter Zeit gab es viele Meldungen. Bitte versuchen Sie es in einer Stunde noch einmal.',
    sentTitle: 'Vielen Dank',
    sent: 'Wir haben Ihre Meldung an den Betreiber weitergeleitet.',
    sentWithEmail:
      'Wir haben Ihre Meldung an den Betreiber weitergeleitet. Eine Antwort kommt per E-Mail.',
    back: 'Zurück zur Ladestation',
    another: 'Noch etwas melden',
    goneTitle: 'Diese Ladestation ist nicht auf der Karte',
    gone: 'Vielleicht wurde sie entfernt, oder der Link ist falsch.',
  },

  reports: {
    waiting: (count) =>
      plural(count, {
        one: '1 Meldung wartet auf Sie',
        other: `${number(count)} Meldungen warten auf Sie`,
      }),
    nothing: 'Nichts wartet auf Sie',
    none: 'Wenn Reisende melden, dass an einem Ihrer Standorte etwas nicht stimmt, lesen Sie es hier.',
    at: (name) => `Zu ${name}:`,
    all: 'Alle Standorte',
    wantsAnswer: 'Wünscht eine Antwort per E-Mail',
    answer: 'Ihre Antwort',
    answerHint:
      'Geht per E-Mail an die Person. Schreibt sie zurück, kommt das bei der Kontakt-E-Mail des Standorts an.',
    writeAnswer: 'Schreiben Sie eine Antwort, oder markieren Sie die Meldung als erledigt',
    status: 'Status des Standorts',
    keepStatus: (status) => `So lassen: ${status}`,
    send: 'Antwort senden',
    resolve: 'Als erledigt markieren',
    sendAndResolve: 'Senden und als erledigt markieren',
    answered: 'Beantwortet. Die E-Mail ist unterwegs.',
    resolved: 'Als erledigt markiert',
    done: 'Abgeschlossen',
    doneCount: (count) =>
      plural(count, {
        one: '1 beantwortet oder erledigt',
        other: `${number(count)} beantwortet oder erledigt`,
      }),
    yourAnswer: 'Sie haben geantwortet:',
    states: { OPEN: 'Offen', ANSWERED: 'Beantwortet', RESOLVED: 'Erledigt' },
    reopen: 'Wieder öffnen',
    kept: (days) => `Diese werden nach ${number(days)} Tagen gelöscht.`,
  },
} satisfies Catalogue['reports']
