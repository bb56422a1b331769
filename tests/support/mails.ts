import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Stack } from './stack.ts'

/** A mail in the outbox, as a mail client would display it. */
export interface ReceivedMail {
  readonly to: string
  readonly from: string
  /** Empty without one. */
  readonly replyTo: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The link in the mail. */
  readonly link: string
  readonly token: string
}

const WAIT_MS = 20_000

/** All mails to an address so far, oldest first. */
export const readMails = async (
  stack: Pick<Stack, 'dataDir'>,
  to: string,
): Promise<readonly ReceivedMail[]> => {
  const folder = join(stack.dataDir, 'outbox')
  const names = (await readdir(folder).catch((): string[] => [])).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.map(parse).filter((mail) => mail.to === to)
}

/** Waits until this many mails to an address are written, and returns the last one. */
export const receiveMail = async (
  stack: Pick<Stack, 'dataDir'>,
  to: string,
  count = 1,
): Promise<ReceivedMail> => {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const mails = await readMails(stack, to)
    const last = mails[count - 1]
    if (last !== undefined) return last
    if (Date.now() > deadline) throw new Error(`${to} got ${mails.length} mails, not ${count}.`)
    await sleep(20)
  }
}

/** Parses the visible parts of a mail (RFC 5322, MIME). */
const parse = (message: string): ReceivedMail => {
  const { headers, body } = splitPart(message)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? ''
  const parts = body.split(`--${boundary}`).map((part) => splitPart(part.replace(/^\r\n/, '')))
  const content = (type: string): string => {
    const part = parts.find(({ headers: own }) => own.get('content-type')?.startsWith(type))
    return part === undefined ? '' : decodeBody(part)
  }
  const text = content('text/plain')
  const link = /https?:\/\/\S+/.exec(text)?.[0] ?? ''
  return {
    to: headers.get('to') ?? '',
    from: headers.get('from') ?? '',
    replyTo: headers.get('reply-to') ?? '',
    subject: decodeWords(headers.get('subject') ?? ''),
    text,
    html: content('text/html'),
    link,
    token: link.split('/').at(-1) ?? '',
  }
}

interface Part {
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const splitPart = (part: string): Part => {
  const end = part.indexOf('\r\n\r\n')
  const lines = part
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line) => {
    const [, name = '', value = ''] = /^([\w-]+): *(.*)$/.exec(line) ?? []
    return [name.toLowerCase(), value] as const
  })
  return { headers: new Map(headers), body: part.slice(end + 4) }
}

const decodeBody = ({ headers, body }: Part): string => {
  switch (headers.get('content-transfer-encoding')) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('utf8')
    case 'quoted-printable':
      return decodeQuoted(body.replaceAll('=\r\n', ''))
    default:
      return body
  }
}

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, code: string) =>
      String.fromCharCode(parseInt(code, 16)),
    ),
    'latin1',
  ).toString('utf8')

/** Encoded words of a header (RFC 2047). */
const decodeWords = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_, way: string, word: string) =>
      way.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replaceAll('_', ' ')),
    )
