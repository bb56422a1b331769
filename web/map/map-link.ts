interface Place {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
}

/** A link to a place on OpenStreetMap, which opens on every device without an account or an app. */
export const mapLink = ({ latitude, longitude }: Place): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`

/**
 * The address that opens a place in a map app: the app of the user's choice on Android, Apple's
 * maps on iPhone and iPad, OpenStreetMap elsewhere.
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

/** An iPad identifies as a Mac, but no Mac has a touch screen. */
const isAppleTouch = ({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>) =>
  /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
