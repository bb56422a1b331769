/** The address of a stored image made small: as wide as a card needs it on a sharp screen. */
export const thumbnail = (src: string): string =>
  src === '' ? '' : `${src}${src.includes('?') ? '&' : '?'}thumb=300x0`
