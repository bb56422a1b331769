import { MAIL_LINK_LIFETIME_S } from '#domain/limits.ts'
import type { MailPurpose } from '#domain/paths.ts'
import type { Language } from '#domain/language.ts'

import type { Mail } from './mail.ts'

/** A mail, ready to be sent: as plain text, and the same as HTML. */
export interface WrittenMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Words {
  readonly subject: (product: string) => string
  readonly greeting: string
  readonly ask: (product: string) => string
  readonly button: string
  readonly lasts: string
  readonly otherwise: string
}

const MINUTES = MAIL_LINK_LIFETIME_S.passwordReset / 60
const HOURS = MAIL_LINK_LIFETIME_S.verification / 3600

const WORDS: Readonly<Record<Language, Readonly<Record<MailPurpose, Words>>>> = {
  en: {
    passwordReset: {
      subject: (product) => `Set a new ${product} password`,
      greeting: 'Hello,',
      ask: (product) =>
        `somebody asked for a new password for the ${product} account with this address. If that was you, set it here:`,
      button: 'Set a new password',
      lasts: `The link works once, for ${MINUTES} minutes.`,
      otherwise: 'If it was not you, you need not do anything: your password stays as it is.',
    },
    verification: {
      subject: (product) => `Confirm your address for ${product}`,
      greeting: 'Hello,',
      ask: (product) =>
        `this address was given for a ${product} account. If it is yours, confirm it here:`,
      button: 'Confirm this address',
      lasts: `The link works once, for ${HOURS} hours.`,
      otherwise: 'If you know nothing of it, you need not do anything.',
    },
  },
  de: {
    passwordReset: {
      subject: (product) => `Neues Passwort für ${product}`,
      greeting: 'Guten Tag,',
      ask: (product) =>
        `für das ${product}-Konto mit dieser Adresse wurde ein neues Passwort verlangt. Wenn Sie das waren, legen Sie es hier fest:`,
      button: 'Neues Passwort festlegen',
      lasts: `Der Link gilt einmal, ${MINUTES} Minuten lang.`,
      otherwise:
        'Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.',
    },
    verification: {
      subject: (product) => `Bestätigen Sie Ihre Adresse für ${product}`,
      greeting: 'Guten Tag,',
      ask: (product) =>
        `diese Adresse wurde für ein ${product}-Konto angegeben. Wenn es Ihres ist, bestätigen Sie sie hier:`,
      button: 'Adresse bestätigen',
      lasts: `Der Link gilt einmal, ${HOURS} Stunden lang.`,
      otherwise: 'Wenn Sie nichts davon wissen, müssen Sie nichts tun.',
    },
  },
  fr: {
    passwordReset: {
      subject: (product) => `Nouveau mot de passe ${product}`,
      greeting: 'Bonjour,',
      ask: (product) =>
        `un nouveau mot de passe a été demandé pour le compte ${product} associé à cette adresse. Si c’était vous, choisissez-le ici :`,
      button: 'Choisir un nouveau mot de passe',
      lasts: `Le lien fonctionne une seule fois, pendant ${MINUTES} minutes.`,
      otherwise: 'Si ce n’était pas vous, ne faites rien : votre mot de passe reste inchangé.',
    },
    verification: {
      subject: (product) => `Confirmez votre adresse pour ${product}`,
      greeting: 'Bonjour,',
      ask: (product) =>
        `cette adresse a été indiquée pour un compte ${product}. S’il s’agit du vôtre, confirmez-la ici :`,
      button: 'Confirmer cette adresse',
      lasts: `Le lien fonctionne une seule fois, pendant ${HOURS} heures.`,
      otherwise: 'Si vous n’êtes pas au courant, ne faites rien.',
    },
  },
  es: {
    passwordReset: {
      subject: (product) => `Nueva contraseña de ${product}`,
      greeting: 'Hola:',
      ask: (product) =>
        `se ha pedido una contraseña nueva para la cuenta de ${product} con esta dirección. Si ha sido usted, elíjala aquí:`,
      button: 'Elegir una contraseña nueva',
      lasts: `El enlace funciona una sola vez, durante ${MINUTES} minutos.`,
      otherwise: 'Si no ha sido usted, no tiene que hacer nada: su contraseña sigue igual.',
    },
    verification: {
      subject: (product) => `Confirme su dirección para ${product}`,
      greeting: 'Hola:',
      ask: (product) =>
        `esta dirección se ha indicado para una cuenta de ${product}. Si es la suya, confírmela aquí:`,
      button: 'Confirmar esta dirección',
      lasts: `El enlace funciona una sola vez, durante ${HOURS} horas.`,
      otherwise: 'Si no sabe nada de esto, no tiene que hacer nada.',
    },
  },
}

/**
 * Words a mail. It names nobody: whoever made the account chose its name, and this goes out in ours.
 */
export const writeMail = ({ purpose, language, link }: Mail, product: string): WrittenMail => {
  const words = WORDS[language][purpose]
  const { greeting, button, lasts, otherwise } = words
  const ask = words.ask(product)
  return {
    subject: words.subject(product),
    text: `${[greeting, ask, link, lasts, otherwise, product].join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
      `<title>${escapeHtml(words.subject(product))}</title><style>${STYLE}</style></head>`,
      '<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#14232f;background:#fff">',
      `<p>${escapeHtml(greeting)}</p><p>${escapeHtml(ask)}</p>`,
      `<p><a class="button" href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0b6fae;color:#fff;font-weight:600;text-decoration:none">${escapeHtml(button)}</a></p>`,
      `<p class="quiet" style="color:#5a6b78;font-size:14px;overflow-wrap:anywhere">${escapeHtml(link)}</p>`,
      `<p>${escapeHtml(lasts)} ${escapeHtml(otherwise)}</p>`,
      `<p class="quiet" style="color:#5a6b78">${escapeHtml(product)}</p>`,
      '</body></html>',
    ].join('\n'),
  }
}

/** The colours of a mail program in dark mode; what stands at the elements is for those without it. */
const STYLE = `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){body{color:#e3ebf1!important;background:#101a22!important}.quiet{color:#a3b4c1!important}.button{background:#6cb6e8!important;color:#0b1a26!important}}`

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
