/** The URL of a stored image as a thumbnail, by default as wide as a card on a high-density screen. */
export const thumbnail = (src: string, size = '300x0'): string =>
  src === '' ? '' : `${src}${src.includes('?') ? '&' : '?'}thumb=${size}`
