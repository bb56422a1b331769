import type { Language } from '#domain/language.ts'
import type { MailPurpose } from '#domain/paths.ts'

import { MAILS } from '../messages/messages.ts'

/** A mail with a link; its words follow from the purpose and the language. */
export interface Mail {
  readonly to: string
  readonly purpose: MailPurpose
  readonly language: Language
  readonly link: string
}

/** A mail, ready to be sent: as plain text and as HTML. */
export interface WrittenMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * Writes a mail. It contains no name, because anybody may have chosen the name of the account and the mail is sent
 * in the name of the product.
 */
export const writeMail = ({ purpose, language, link }: Mail, product: string): WrittenMail => {
  const words = MAILS[language][purpose]
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

/** Colours for mail clients in dark mode; inline styles have the colours for light mode. */
const STYLE = `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){body{color:#e3ebf1!important;background:#101a22!important}.quiet{color:#a3b4c1!important}.button{background:#6cb6e8!important;color:#0b1a26!important}}`

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
