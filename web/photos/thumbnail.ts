/** The URL of a stored image as a thumbnail, as wide as a card on a high-density screen. */
export const thumbnail = (src: string): string =>
  src === '' ? '' : `${src}${src.includes('?') ? '&' : '?'}thumb=300x0`
