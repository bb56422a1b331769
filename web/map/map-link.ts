/** Where something is, in degrees. */
interface Place {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
}

/** A link to a place on OpenStreetMap: it opens everywhere, without an account and without an app. */
export const mapLink = ({ latitude, longitude }: Place): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`

/**
 * What opens a place in the maps of this device: on Android the app of the person's choice, on an
 * iPhone or iPad its own maps; elsewhere OpenStreetMap.
 */
export const deviceMapLink = (
  place: Place,
  device: Pick<Navigator, 'userAgent' | 'maxTouchPoints'> = navigator,
): string => {
  const pair = `${place.latitude},${place.longitude}`
  const name = encodeURIComponent(place.name)
  if (device.userAgent.includes('Android')) return `geo:${pair}?q=${pair}(${name})`
  if (isAppleTouch(device)) return `https://maps.apple.com/?ll=${pair}&q=${name}`
  return mapLink(place)
}

/** An iPad says that it is a Mac; no Mac has a touch screen. */
const isAppleTouch = ({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>) =>
  /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
