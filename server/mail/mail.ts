import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createTransport } from 'nodemailer'

import { isLoopback } from '../config.ts'
import { makePrivateFolder } from '../local-file.ts'
import { codeOf, OperatorError } from '../problem.ts'
import { writeMail, type Mail, type WrittenMail } from './write-mail.ts'

/** Sends mails in the background, after the response to the request that causes them. */
export interface Mailer {
  /**
   * Queues a mail; never throws. Errors are logged with the id of the request; the user can request the mail
   * again. `onSent` is called once the mail server has accepted it.
   */
  later(make: () => Promise<Mail>, request: string, onSent?: () => Promise<unknown>): void
  /** Resolves when the queue is empty. */
  settled(): Promise<void>
  /** The length of the queue. */
  waiting(): number
}

export interface MailerDeps {
  /** Absent: mails are written to files. */
  readonly smtpUrl: string | undefined
  readonly timeoutMs: number
  /** The public URL of the app; its host is the name in the SMTP greeting. */
  readonly publicUrl: string
  /** The sender, as an address or `Name <address>`. */
  readonly from: string
  /** Folder of the files, each a complete mail (RFC 5322). */
  readonly outbox: string
  readonly productName: string
  /** Called with the file of a mail, if there is no mail server. */
  readonly onWritten: (file: string) => void
  /** Called if a mail is not sent. */
  readonly onProblem: (sentence: string, request: string, error?: unknown) => void
}

/** A failed mail that nobody can request again is retried after this time. */
export const RETRY_MINUTES = 60

/** Maximum length of the queue; further mails are dropped. */
const MAX_WAITING = 1000

export const createMailer = (deps: MailerDeps): Mailer => {
  const deliver =
    deps.smtpUrl === undefined ? deliverToFile(deps) : deliverBySmtp(deps.smtpUrl, deps)
  let waiting = 0
  let last = Promise.resolve()
  const send = async (...[make, request, onSent]: Parameters<Mailer['later']>): Promise<void> => {
    try {
      const mail = await make()
      const written = writeMail(mail, deps.productName)
      // Suppresses vacation responders (RFC 3834).
      const headers = { 'Auto-Submitted': 'auto-generated' }
      await deliver({ from: deps.from, to: mail.to, ...written, headers })
      await onSent?.()
    } catch (error) {
      deps.onProblem('A mail could not be sent', request, error)
    }
  }
  return {
    later: (make, request, onSent) => {
      if (waiting >= MAX_WAITING) {
        deps.onProblem('A mail was dropped: too many are waiting to be sent', request)
        return
      }
      waiting += 1
      last = last
        // The response to the request is sent first.
        .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
        .then(() => send(make, request, onSent))
        .finally(() => (waiting -= 1))
    },
    settled: () => last,
    waiting: () => waiting,
  }
}

interface Message extends WrittenMail {
  readonly from: string
  readonly to: string
  readonly headers: Record<string, string>
}

type Deliver = (message: Message) => Promise<void>

const deliverBySmtp = (
  url: string,
  { timeoutMs, publicUrl }: Pick<MailerDeps, 'timeoutMs' | 'publicUrl'>,
): Deliver => {
  const { hostname } = new URL(publicUrl)
  const transport = createTransport({
    ...readUrl(url),
    ...(!isLoopback(hostname) && { name: hostname }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  return async (message) => {
    try {
      await transport.sendMail(message)
    } catch (error) {
      throw explain(error)
    }
  }
}

/**
 * `smtps:` is encrypted from the first byte; `smtp:` uses STARTTLS if the server offers it, and requires it before
 * a password leaves this computer.
 */
const readUrl = (address: string) => {
  const url = new URL(address)
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const [user, pass] = [url.username, url.password].map(decodeURIComponent)
  return {
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    ...(user !== undefined &&
      user !== '' && {
        auth: { user, pass: pass ?? '' },
        requireTLS: !secure && !isLoopback(host),
      }),
  }
}

/** The meaning of a failure for the operator; the library's own message may quote the mail. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^EAUTH /, 'The mail server rejects the user name and password in SMTP_URL.'],
  [
    /^ETLS .*STARTTLS/,
    'The mail server does not offer STARTTLS, and the password in SMTP_URL is never sent without it: use smtps://, or another server.',
  ],
  [
    /self-signed|unable to (get|verify)/i,
    "The mail server's certificate is signed by an unknown CA: name its file in NODE_EXTRA_CA_CERTS.",
  ],
  [/certificate has expired/i, "The mail server's certificate has expired."],
  [/altnames/i, "The mail server's certificate is not for the host name in SMTP_URL."],
]

const explain = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  const detail = `${codeOf(error) ?? ''} ${error.message}`
  const [, sentence] = REASONS.find(([sign]) => sign.test(detail)) ?? []
  return sentence === undefined ? error : new OperatorError(sentence, { cause: error })
}

/**
 * The files contain links that open accounts, so only their owner may read them, and the log contains only their names.
 */
const deliverToFile = ({ outbox, onWritten }: MailerDeps): Deliver => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return async (message) => {
    const { message: written } = await transport.sendMail(message)
    if (!Buffer.isBuffer(written)) throw new TypeError('a mail without bytes')
    await makePrivateFolder(outbox)
    const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
    const file = join(outbox, `${time}-${randomBytes(3).toString('hex')}.eml`)
    await writeFile(file, written, { flag: 'wx', mode: 0o600 })
    onWritten(file)
  }
}
