/** A deliberately malformed form. */
export interface MalformedForm {
  /** The defect, for failure messages. */
  readonly name: string
  readonly body: Buffer
  /** The body is truncated before its last boundary, so only a 400 is correct. */
  readonly isCut: boolean
}

/** The content type of all forms. */
export const FORM_TYPE = 'multipart/form-data; boundary=b'

const END_OF_LINE = '\r\n'
const END = `--b--${END_OF_LINE}`
const partOf = (headers: string, content: string): string =>
  `--b\r\n${headers}\r\n\r\n${content}\r\n`
const disposition = (parameters: string): string => `Content-Disposition: form-data; ${parameters}`

/** One part of each kind that a parser distinguishes. */
const PARTS: Readonly<Record<string, string>> = {
  'a text': partOf(disposition('name="x"'), 'Quay'),
  'a file': partOf(
    `${disposition('name="x"; filename="a.png"')}\r\nContent-Type: image/png`,
    'abc',
  ),
  'a file without a file name': partOf(disposition('name="x"; filename=""'), 'abc'),
  'a file without a field name': partOf(disposition('name=""; filename="a.png"'), 'abc'),
  'a text without a field name': partOf('Content-Disposition: form-data', 'abc'),
  'a binary part': partOf(
    `${disposition('name="x"')}\r\nContent-Type: application/octet-stream`,
    'abc',
  ),
  'a payload': partOf(disposition('name="@jsonPayload"'), '{"x":1}'),
  'a nested form': partOf(
    `${disposition('name="x"')}\r\nContent-Type: multipart/mixed; boundary=c`,
    `--c\r\nContent-Disposition: file; filename=""\r\n\r\nabc\r\n--c--`,
  ),
  'a part of another kind': partOf('Content-Disposition: attachment; filename="a"', 'abc'),
  'a part without headers': '--b\r\n\r\nabc\r\n',
}

/** Mutations of a byte of a form, in addition to truncation. */
const SPOILS: Readonly<Record<string, (form: string, at: number) => string>> = {
  'one byte missing at': (form, at) => form.slice(0, at) + form.slice(at + 1),
  'NUL at': (form, at) => `${form.slice(0, at)}\0${form.slice(at + 1)}`,
  'a line break at': (form, at) => `${form.slice(0, at)}\r\n${form.slice(at)}`,
}
/** The step of `at`; a prime, so that it reaches every byte of every form. */
const STEP = 7919

/** A deterministic sequence of malformed forms; it begins with each kind of part, truncated at every byte. */
export function* malformedForms(count: number): Generator<MalformedForm> {
  let made = 0
  for (const [name, part] of Object.entries(PARTS)) {
    const form = part + END
    for (let at = 0; at < form.length - END_OF_LINE.length; at += 1) {
      if (made++ === count) return
      yield { name: `${name}, cut at ${at}`, body: Buffer.from(form.slice(0, at)), isCut: true }
    }
  }
  for (;;)
    for (const [name, part] of Object.entries(PARTS))
      for (const [kind, spoil] of Object.entries(SPOILS)) {
        if (made++ === count) return
        // Data before the first part must not prevent the validation of the rest.
        const form = `preamble\r\n${part}${part}${END}`
        const at = (made * STEP) % form.length
        yield { name: `${name}, ${kind} ${at}`, body: Buffer.from(spoil(form, at)), isCut: false }
      }
}
