/** Completes a URL that a browser can open: users may omit the scheme. Only `http` and `https`. */
export const webAddress = (website: string): string =>
  /^https?:\/\//i.test(website) ? website : `https://${website.replace(/^\w+:\/*/, '')}`

/** The host of a URL for display: in its original script, not as `xn--…` (RFC 3492). */
export const hostOf = (website: string): string => {
  try {
    const address = webAddress(website)
    const { host } = new URL(address)
    const written = /^https?:\/\/([^/?#\\@]+)/i.exec(address)?.[1] ?? host
    const shown = new URL(`https://${written}`).host === host ? written.toLowerCase() : host
    return shown.replace(/^www\./, '')
  } catch {
    return website
  }
}
