import type { Language } from '#domain/language.ts'
import { MAIL_LINK_LIFETIME_S, REPORT_LIMITS } from '#domain/limits.ts'
import type { MailPurpose } from '#domain/paths.ts'

// Texts that the server sends to people outside of the app; all others are in `web/messages/`.

interface MailMessages {
  readonly subject: (product: string) => string
  readonly greeting: string
  readonly ask: (product: string) => string
  readonly button: string
  readonly lasts: string
  readonly otherwise: string
}

interface ReportMails {
  readonly newReports: {
    readonly subject: (product: string, count: number) => string
    readonly greeting: string
    readonly ask: (count: number) => string
    readonly button: string
    readonly otherwise: string
  }
  readonly answer: {
    readonly subject: (product: string) => string
    readonly greeting: string
    readonly ask: (product: string, site: string) => string
    readonly otherwise: string
  }
}

const MINUTES = MAIL_LINK_LIFETIME_S.passwordReset / 60
const HOURS = MAIL_LINK_LIFETIME_S.verification / 3600
const NOTICE_MINUTES = REPORT_LIMITS.noticePauseMinutes

/** The mails of the server, by purpose. */
export const MAILS: Readonly<Record<Language, Readonly<Record<MailPurpose, MailMessages>>>> = {
  en: {
    passwordReset: {
      subject: (product) => `Set a new ${product} password`,
      greeting: 'Hello,',
      ask: (product) =>
        `Someone requested a new password for the ${product} account with this email address. If it was you, set one here:`,
      button: 'Set a new password',
      lasts: `The link works once and expires in ${MINUTES} minutes.`,
      otherwise: 'If it was not you, ignore this email: your password stays the same.',
    },
    verification: {
      subject: (product) => `Confirm your address for ${product}`,
      greeting: 'Hello,',
      ask: (product) =>
        `This email address was entered for a ${product} account. If the account is yours, confirm the address here:`,
      button: 'Confirm this address',
      lasts: `The link works once and expires in ${HOURS} hours.`,
      otherwise: 'If you did not expect this email, you can ignore it.',
    },
  },
  de: {
    passwordReset: {
      subject: (product) => `Neues Passwort für ${product} festlegen`,
      greeting: 'Guten Tag,',
      ask: (product) =>
        `für das ${product}-Konto mit dieser Adresse wurde ein neues Passwort angefordert. Wenn Sie das waren, legen Sie es hier fest:`,
      button: 'Neues Passwort festlegen',
      lasts: `Der Link funktioniert nur einmal und läuft nach ${MINUTES} Minuten ab.`,
      otherwise:
        'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
    },
    verification: {
      subject: (product) => `Bestätigen Sie Ihre Adresse für ${product}`,
      greeting: 'Guten Tag,',
      ask: (product) =>
        `diese Adresse wurde für ein ${product}-Konto angegeben. Wenn es Ihres ist, bestätigen Sie sie hier:`,
      button: 'Adresse bestätigen',
      lasts: `Der Link funktioniert nur einmal und läuft nach ${HOURS} Stunden ab.`,
      otherwise: 'Wenn Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren.',
    },
  },
  fr: {
    passwordReset: {
      subject: (product) => `Nouveau mot de passe ${product}`,
      greeting: 'Bonjour,',
      ask: (product) =>
        `Un nouveau mot de passe a été demandé pour le compte ${product} associé à cette adresse. Si c’était vous, choisissez-le ici :`,
      button: 'Choisir un nouveau mot de passe',
      lasts: `Le lien fonctionne une seule fois et expire au bout de ${MINUTES} minutes.`,
      otherwise: 'Si ce n’était pas vous, ne faites rien : votre mot de passe reste inchangé.',
    },
    verification: {
      subject: (product) => `Confirmez votre adresse pour ${product}`,
      greeting: 'Bonjour,',
      ask: (product) =>
        `Cette adresse a été indiquée pour un compte ${product}. S’il s’agit du vôtre, confirmez-la ici :`,
      button: 'Confirmer cette adresse',
      lasts: `Le lien fonctionne une seule fois et expire au bout de ${HOURS} heures.`,
      otherwise: 'Si vous n’attendiez pas cet e-mail, vous pouvez l’ignorer.',
    },
  },
  es: {
    passwordReset: {
      subject: (product) => `Nueva contraseña de ${product}`,
      greeting: 'Hola:',
      ask: (product) =>
        `Se ha pedido una contraseña nueva para la cuenta de ${product} con esta dirección. Si ha sido usted, elíjala aquí:`,
      button: 'Elegir una contraseña nueva',
      lasts: `El enlace funciona una sola vez y caduca a los ${MINUTES} minutos.`,
      otherwise: 'Si no ha sido usted, no tiene que hacer nada: su contraseña sigue igual.',
    },
    verification: {
      subject: (product) => `Confirme su dirección para ${product}`,
      greeting: 'Hola:',
      ask: (product) =>
        `Esta dirección se ha indicado para una cuenta de ${product}. Si es la suya, confírmela aquí:`,
      button: 'Confirmar esta dirección',
      lasts: `El enlace funciona una sola vez y caduca a las ${HOURS} horas.`,
      otherwise: 'Si no esperaba este correo, puede ignorarlo.',
    },
  },
}

/** The mails about reports from travellers to owners. */
export const REPORT_MAILS: Readonly<Record<Language, ReportMails>> = {
  en: {
    newReports: {
      subject: (product, count) =>
        count === 1
          ? `A report from a traveller on ${product}`
          : `${count} reports from travellers on ${product}`,
      greeting: 'Hello,',
      ask: (count) =>
        count === 1
          ? 'A traveller has reported a problem at one of your sites:'
          : `Travellers have reported ${count} problems at your sites:`,
      button: 'Read and answer',
      otherwise: `We send at most one of these emails every ${NOTICE_MINUTES} minutes, and only if there is something new.`,
    },
    answer: {
      subject: (product) => `An answer to your report on ${product}`,
      greeting: 'Hello,',
      ask: (product, site) =>
        `You reported a problem at “${site}” on ${product}. This is the operator’s answer:`,
      otherwise:
        'We used this address only to send you the answer, and have deleted it. If you did not report a problem, you can ignore this email.',
    },
  },
  de: {
    newReports: {
      subject: (product, count) =>
        count === 1
          ? `Eine Meldung von Reisenden auf ${product}`
          : `${count} Meldungen von Reisenden auf ${product}`,
      greeting: 'Guten Tag,',
      ask: (count) =>
        count === 1
          ? 'an einem Ihrer Standorte wurde ein Problem gemeldet:'
          : `Reisende haben ${count} Probleme an Ihren Standorten gemeldet:`,
      button: 'Lesen und antworten',
      otherwise: `Sie erhalten höchstens alle ${NOTICE_MINUTES} Minuten eine solche E-Mail, und keine, solange es nichts Neues gibt.`,
    },
    answer: {
      subject: (product) => `Antwort auf Ihre Meldung bei ${product}`,
      greeting: 'Guten Tag,',
      ask: (product, site) =>
        `Sie haben auf ${product} ein Problem an der Station „${site}“ gemeldet. Das ist die Antwort des Betreibers:`,
      otherwise:
        'Diese Adresse wurde für diese eine Antwort angegeben, und wir haben sie gelöscht. Wenn Sie nichts gemeldet haben, können Sie diese E-Mail ignorieren.',
    },
  },
  fr: {
    newReports: {
      subject: (product, count) =>
        count === 1
          ? `Un signalement de voyageur sur ${product}`
          : `${count} signalements de voyageurs sur ${product}`,
      greeting: 'Bonjour,',
      ask: (count) =>
        count === 1
          ? 'Un voyageur vous signale un problème sur l’un de vos sites :'
          : `Des voyageurs vous ont signalé ${count} problèmes sur vos sites :`,
      button: 'Lire et répondre',
      otherwise: `Vous recevez au plus un e-mail de ce type toutes les ${NOTICE_MINUTES} minutes, et aucun s’il n’y a rien de nouveau.`,
    },
    answer: {
      subject: (product) => `Réponse à votre signalement sur ${product}`,
      greeting: 'Bonjour,',
      ask: (product, site) =>
        `Vous avez signalé un problème à l’exploitant de « ${site} » sur ${product}. Voici sa réponse :`,
      otherwise:
        'Cette adresse a été indiquée pour cette seule réponse, et nous l’avons supprimée. Si vous n’avez rien signalé, vous pouvez ignorer cet e-mail.',
    },
  },
  es: {
    newReports: {
      subject: (product, count) =>
        count === 1
          ? `Un aviso de un viajero en ${product}`
          : `${count} avisos de viajeros en ${product}`,
      greeting: 'Hola:',
      ask: (count) =>
        count === 1
          ? 'Un viajero ha avisado de un problema en una de sus ubicaciones:'
          : `Hay avisos de viajeros sobre ${count} problemas en sus ubicaciones:`,
      button: 'Leer y responder',
      otherwise: `Recibirá como mucho un correo de este tipo cada ${NOTICE_MINUTES} minutos, y ninguno si no hay nada nuevo.`,
    },
    answer: {
      subject: (product) => `Respuesta a su aviso en ${product}`,
      greeting: 'Hola:',
      ask: (product, site) =>
        `Usted avisó en ${product} de un problema en «${site}». Esta es la respuesta del operador:`,
      otherwise:
        'Esta dirección se indicó solo para esta respuesta, y la hemos borrado. Si usted no envió ningún aviso, puede ignorar este correo.',
    },
  },
}

interface FeedMail {
  readonly subject: (product: string) => string
  readonly greeting: string
  readonly ask: (product: string) => string
  readonly button: string
  readonly otherwise: string
}

/** The mails about feeds, which are read every night. */
export const FEED_MAILS: Readonly<
  Record<Language, Readonly<Record<'feedReview' | 'feedDead', FeedMail>>>
> = {
  en: {
    feedReview: {
      subject: (product) => `A feed on ${product} is waiting for you`,
      greeting: 'Hello,',
      ask: (product) =>
        `One of your feeds on ${product} has changes that could not be applied automatically:`,
      button: 'Review the changes',
      otherwise: 'We will not email you about this feed again until you have dealt with them.',
    },
    feedDead: {
      subject: (product) => `A feed on ${product} can no longer be read`,
      greeting: 'Hello,',
      ask: (product) =>
        `One of your feeds on ${product} could not be read for several nights. Your sites stay as they are.`,
      button: 'See what is wrong',
      otherwise: 'From now on, we try once a week. We send this email only once.',
    },
  },
  de: {
    feedReview: {
      subject: (product) => `Ein Feed auf ${product} wartet auf Sie`,
      greeting: 'Guten Tag,',
      ask: (product) =>
        `einer Ihrer Feeds auf ${product} enthält Änderungen, die nicht automatisch übernommen werden konnten:`,
      button: 'Änderungen ansehen',
      otherwise:
        'Weitere E-Mails zu diesem Feed erhalten Sie erst, wenn Sie diese Änderungen bearbeitet haben.',
    },
    feedDead: {
      subject: (product) => `Ein Feed auf ${product} lässt sich nicht mehr lesen`,
      greeting: 'Guten Tag,',
      ask: (product) =>
        `einer Ihrer Feeds auf ${product} ließ sich mehrere Nächte lang nicht lesen. Ihre Standorte bleiben, wie sie sind.`,
      button: 'Ansehen, was nicht stimmt',
      otherwise:
        'Ab jetzt versuchen wir es einmal pro Woche. Sie erhalten diese E-Mail nur einmal.',
    },
  },
  fr: {
    feedReview: {
      subject: (product) => `Un flux sur ${product} vous attend`,
      greeting: 'Bonjour,',
      ask: (product) =>
        `L’un de vos flux sur ${product} contient des changements qui n’ont pas pu être appliqués automatiquement :`,
      button: 'Voir les changements',
      otherwise:
        'Vous ne recevrez pas d’autre e-mail à propos de ce flux avant d’avoir traité ces changements.',
    },
    feedDead: {
      subject: (product) => `Un flux sur ${product} ne peut plus être lu`,
      greeting: 'Bonjour,',
      ask: (product) =>
        `L’un de vos flux sur ${product} n’a pas pu être lu pendant plusieurs nuits. Vos sites restent tels quels.`,
      button: 'Voir ce qui ne va pas',
      otherwise:
        'Désormais, nous essayons une fois par semaine. Vous ne recevez cet e-mail qu’une fois.',
    },
  },
  es: {
    feedReview: {
      subject: (product) => `Un feed en ${product} le espera`,
      greeting: 'Hola:',
      ask: (product) =>
        `Uno de sus feeds en ${product} tiene cambios que no se han podido aplicar automáticamente:`,
      button: 'Ver los cambios',
      otherwise: 'No recibirá otro correo sobre este feed hasta que haya revisado estos cambios.',
    },
    feedDead: {
      subject: (product) => `Ya no se puede leer un feed en ${product}`,
      greeting: 'Hola:',
      ask: (product) =>
        `Uno de sus feeds en ${product} no se ha podido leer durante varias noches. Sus ubicaciones siguen igual.`,
      button: 'Ver qué falla',
      otherwise:
        'A partir de ahora lo intentamos una vez a la semana. Recibirá este correo una sola vez.',
    },
  },
}

/** The page in the popup of a sign-in, after the redirect from the provider. */
export const SIGN_IN_WINDOW: Readonly<
  Record<Language, { readonly done: string; readonly failed: string }>
> = {
  en: {
    done: 'You can close this window.',
    failed: 'The sign-in was not completed. Close this window and try again.',
  },
  de: {
    done: 'Sie können dieses Fenster schließen.',
    failed:
      'Die Anmeldung wurde nicht abgeschlossen. Schließen Sie dieses Fenster und versuchen Sie es noch einmal.',
  },
  fr: {
    done: 'Vous pouvez fermer cette fenêtre.',
    failed: 'La connexion n’a pas abouti. Fermez cette fenêtre et réessayez.',
  },
  es: {
    done: 'Puede cerrar esta ventana.',
    failed: 'El inicio de sesión no se completó. Cierre esta ventana e inténtelo de nuevo.',
  },
}
