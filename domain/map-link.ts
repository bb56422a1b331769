/** A position in degrees (WGS 84). */
export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

/** Whether the input is a short link of a map app. Short links contain no position: they have to be opened. */
export const isShortMapLink = (input: string): boolean =>
  /^(https?:\/\/)?(maps\.app\.goo\.gl|goo\.gl\/maps|g\.co\/maps|maps\.apple(\.com)?\/p\/|osm\.org\/go\/)/i.test(
    findMapLink(input) ?? '',
  )

/** Whether the text contains a link, with or without a position. */
export const isMapLink = (input: string): boolean => findMapLink(input) !== undefined

/** Apps share a link together with the name of the place, and browsers may omit the scheme. */
export const findMapLink = (text: string): string | undefined =>
  /https?:\/\/\S+/i.exec(text)?.[0] ??
  /^\s*((geo|maps):|(www\.)?(google\.\w|maps\.|openstreetmap\.org|osm\.org|goo\.gl|g\.co)\S*\/).*/i
    .exec(text)?.[0]
    .trim()

const PAIR = String.raw`\+?(-?\d{1,3}(?:\.\d+)?)[,;/~]\+?(-?\d{1,3}(?:\.\d+)?)`

/** In order of precedence: the place itself, then the centre of the map. */
const LINK_FORMS = [
  /!3d(-?[\d.]+)!4d(-?[\d.]+)/,
  /[?&]mlat=(-?[\d.]+)&mlon=(-?[\d.]+)/,
  new RegExp(`[?&](?:q|query|ll|sll|coordinate|center|destination|daddr|cp)=(?:loc:)?${PAIR}`),
  new RegExp(`^geo:(?!0,0\\b)${PAIR}`),
  /^geo:0,0\?q=(-?[\d.]+),(-?[\d.]+)/,
  new RegExp(`/(?:place|search|dir)/(?:[^/]*/)?${PAIR}`),
  new RegExp(`/@${PAIR}`),
  /#map=[\d.]+\/(-?[\d.]+)\/(-?[\d.]+)/,
]

/** The position in the link of a map app; undefined if it has none. */
export const placeOfMapLink = (link: string): Coordinates | undefined => {
  const text = decode(link).replace(/[ +](?=-?\d)/g, '')
  for (const form of LINK_FORMS) {
    const match = form.exec(text)
    if (match) return placeOf(Number(match[1]), Number(match[2]))
  }
  return undefined
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** If the first number cannot be a latitude, the pair is read as longitude, latitude. */
export const placeOf = (first: number, second: number): Coordinates | undefined => {
  const [latitude, longitude] = Math.abs(first) > 90 ? [second, first] : [first, second]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { latitude, longitude }
    : undefined
}
