/** What stands where something personal or secret stood. */
const EMAIL = '[email]'
const LONG = '[id]'

/**
 * Takes out of a text what an analytics service has no business to know: e-mail addresses, queries and
 * fragments of addresses, and words with digits that are as long as an id or a token. The names of the
 * app's own files stay.
 */
export const scrub = (text: string): string =>
  text
    .replaceAll(/[^\s<>()"'`,;:/=?&]+(?:@|%40)[^\s<>()"'`,;:/?&]+/gi, EMAIL)
    .replaceAll(/(\/[^\s?#()"'`]*)[?#][^\s()"'`:]*/g, '$1')
    .replaceAll(/(\/assets\/)?[\w-]{15,}(?:\.[\w-]+)*/g, (word, file: string | undefined) =>
      file === undefined && /\d/.test(word) ? LONG : word,
    )

/** An error without what is personal or secret; what is thrown may be anything. */
export const scrubError = (thrown: unknown): Error => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const clean = new Error(scrub(error.message))
  clean.name = error.name
  clean.stack = scrub(error.stack ?? `${error.name}: ${error.message}`)
  return clean
}
