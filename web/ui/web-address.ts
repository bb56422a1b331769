/** An address that a browser can open: people may leave the scheme out. Only the web's schemes. */
export const webAddress = (website: string): string =>
  /^https?:\/\//i.test(website) ? website : `https://${website.replace(/^\w+:\/*/, '')}`

/** The host of a web address, for showing it. */
export const hostOf = (website: string): string => {
  try {
    return new URL(webAddress(website)).host.replace(/^www\./, '')
  } catch {
    return website
  }
}
