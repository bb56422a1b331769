import type { Catalogue } from '../messages.ts'

/** Sign-in problems, in German. */
export default {
  loginProblems: {
    cancelled:
      'Die Anmeldung wurde abgebrochen. Es hat sich nichts geändert; Sie können es jederzeit erneut versuchen.',
    mismatch:
      'Diese Anmeldung wurde nicht in diesem Browser begonnen. Bitte beginnen Sie hier neu.',
    clock:
      'Datum oder Uhrzeit dieses Geräts stimmen nicht, daher gilt die Anmeldung als abgelaufen. Bitte stellen Sie beides in den Einstellungen des Geräts richtig und melden Sie sich erneut an.',
    storage:
      'Dieser Browser speichert keine Daten für diese Website, daher ist keine Anmeldung möglich. Bitte erlauben Sie in den Einstellungen des Browsers Cookies und Websitedaten für sie und melden Sie sich erneut an.',
    unreachable:
      'Der Anmeldedienst ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
    refused: 'Ihr Anmeldedienst hat die Anmeldung abgelehnt. Bitte beginnen Sie hier neu.',
    misconfigured:
      'Die Anmeldung ist hier nicht richtig eingerichtet. Bitte geben Sie dem Betreiber dieses Dienstes Bescheid; ein neuer Versuch hilft nicht.',
  },
} satisfies Catalogue['login-problems']
