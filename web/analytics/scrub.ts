/** Replaces removed text. */
const EMAIL = '[email]'
const LONG = '[id]'

/**
 * Removes personal and secret parts from a text: email addresses, queries and fragments of URLs,
 * and words with digits that are as long as an id or a token. File names of the app itself stay.
 */
export const scrub = (text: string): string =>
  text
    .replaceAll(/[^\s<>()"'`,;:/=?&]+(?:@|%40)[^\s<>()"'`,;:/?&]+/gi, EMAIL)
    .replaceAll(/(\/[^\s?#()"'`]*)[?#][^\s()"'`:]*/g, '$1')
    .replaceAll(/(\/assets\/)?[\w-]{15,}(?:\.[\w-]+)*/g, (word, file: string | undefined) =>
      file === undefined && /\d/.test(word) ? LONG : word,
    )

/** An error without personal or secret parts; anything can be thrown. */
export const scrubError = (thrown: unknown): Error => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const clean = new Error(scrub(error.message))
  clean.name = error.name
  clean.stack = scrub(error.stack ?? `${error.name}: ${error.message}`)
  return clean
}
