import type { Catalogue } from '../messages.ts'

/** Login, in German. */
export default {
  login: {
    heading: 'Willkommen',
    text: 'Sie werden zu Ihrem Anmeldedienst geleitet und kommen hierher zurück.',
    button: 'Weiter mit Single Sign-on',
    leaving: 'Weiter zu Ihrem Anmeldedienst …',
    finishing: 'Sie werden angemeldet …',
    offline: 'Sie sind offline. Zum Anmelden braucht es eine Verbindung.',
    required: 'Bitte melden Sie sich für diese Seite an. Danach geht es gleich dort weiter.',
    problems: {
      cancelled:
        'Die Anmeldung wurde abgebrochen. Nichts hat sich geändert; versuchen Sie es, wann Sie mögen.',
      mismatch:
        'Diese Antwort gehört nicht zu einer Anmeldung aus diesem Browser. Bitte beginnen Sie hier neu.',
      unreachable:
        'Der Anmeldedienst ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
      failed: 'Die Anmeldung hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
    },
  },
} satisfies Catalogue['login']
