import type { Language } from '#domain/language.ts'
import type { MailPurpose } from '#domain/paths.ts'

import { escapeHtml } from '../http/head.ts'
import { FEED_MAILS, MAILS, REPORT_MAILS } from '../messages/messages.ts'

/** A mail. Its purpose and language determine the text. */
export type Mail = (LinkMail | NewReportsMail | AnswerMail | FeedMail) & {
  readonly to: string
  readonly language: Language
}

/** A link that the recipient requested. */
interface LinkMail {
  readonly purpose: MailPurpose
  readonly link: string
}

/** Tells an owner about new reports from travellers; `link` leads to them. */
interface NewReportsMail {
  readonly purpose: 'newReports'
  readonly link: string
  readonly count: number
}

/** Tells an owner that a feed needs a review or has died; `link` leads to it. */
interface FeedMail {
  readonly purpose: 'feedReview' | 'feedDead'
  readonly link: string
}

/** Sends a traveller the answer of a site's owner. A reply goes to the contact address of the site. */
interface AnswerMail {
  readonly purpose: 'answer'
  readonly site: string
  readonly answer: string
  readonly replyTo: string
}

/** A mail, ready to be sent: as plain text and as HTML. */
export interface WrittenMail {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly replyTo?: string
}

/** The content of a mail, in order. */
interface Content {
  readonly subject: string
  readonly opening: readonly string[]
  readonly quote?: string
  readonly link?: { readonly url: string; readonly label: string }
  readonly closing: readonly string[]
}

/**
 * Writes a mail. No header contains text of users, who could use it to deceive: the mail is sent in the name of the
 * product. The answer of an owner is set apart as a quotation; the only other text of a user is the name of the site.
 */
export const writeMail = (mail: Mail, product: string): WrittenMail => {
  const { subject, opening, quote, link, closing } = contentOf(mail, product)
  const paragraphs = [...opening, quote && quoted(quote), link?.url, ...closing, product]
  return {
    subject,
    text: `${paragraphs.filter((each) => each !== undefined).join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${mail.language}"><head><meta charset="utf-8">`,
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
      `<title>${escapeHtml(subject)}</title><style>${STYLE}</style></head>`,
      '<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#14232f;background:#fff">',
      opening.map((each) => `<p>${escapeHtml(each)}</p>`).join(''),
      ...(quote === undefined
        ? []
        : [
            `<blockquote style="margin:16px 0;padding:0 0 0 16px;border-left:4px solid #0b6fae;white-space:pre-line;overflow-wrap:anywhere">${escapeHtml(quote)}</blockquote>`,
          ]),
      ...(link === undefined
        ? []
        : [
            `<p><a class="button" href="${escapeHtml(link.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0b6fae;color:#fff;font-weight:600;text-decoration:none">${escapeHtml(link.label)}</a></p>`,
            `<p class="quiet" style="color:#5a6b78;font-size:14px;overflow-wrap:anywhere">${escapeHtml(link.url)}</p>`,
          ]),
      `<p>${escapeHtml(closing.join(' '))}</p>`,
      `<p class="quiet" style="color:#5a6b78">${escapeHtml(product)}</p>`,
      '</body></html>',
    ].join('\n'),
    ...(mail.purpose === 'answer' && mail.replyTo !== '' && { replyTo: mail.replyTo }),
  }
}

const contentOf = (mail: Mail, product: string): Content => {
  switch (mail.purpose) {
    case 'newReports': {
      const words = REPORT_MAILS[mail.language].newReports
      return {
        subject: words.subject(product, mail.count),
        opening: [words.greeting, words.ask(mail.count)],
        link: { url: mail.link, label: words.button },
        closing: [words.otherwise],
      }
    }
    case 'feedReview':
    case 'feedDead': {
      const words = FEED_MAILS[mail.language][mail.purpose]
      return {
        subject: words.subject(product),
        opening: [words.greeting, words.ask(product)],
        link: { url: mail.link, label: words.button },
        closing: [words.otherwise],
      }
    }
    case 'answer': {
      const words = REPORT_MAILS[mail.language].answer
      return {
        subject: words.subject(product),
        opening: [words.greeting, words.ask(product, oneLine(mail.site))],
        quote: mail.answer,
        closing: [words.otherwise],
      }
    }
    default: {
      const words = MAILS[mail.language][mail.purpose]
      return {
        subject: words.subject(product),
        opening: [words.greeting, words.ask(product)],
        link: { url: mail.link, label: words.button },
        closing: [words.lasts, words.otherwise],
      }
    }
  }
}

/** A quotation in plain text. Each line is marked, so that no part passes for text of the product. */
const quoted = (text: string): string => text.replaceAll(/^/gm, '> ')

/** A name on one line. It cannot begin a new paragraph or change the direction of the text after it. */
const oneLine = (name: string): string =>
  name.replaceAll(/\p{Bidi_Control}/gu, '').replaceAll(/[\s\p{Cc}]+/gu, ' ')

/** Colours for mail clients in dark mode; inline styles have the colours for light mode. */
const STYLE = `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){body{color:#e3ebf1!important;background:#101a22!important}.quiet{color:#a3b4c1!important}.button{background:#6cb6e8!important;color:#0b1a26!important}}`
