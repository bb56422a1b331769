interface Place {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
}

/** A link to a place on OpenStreetMap, which opens on every device without an account or an app. */
export const mapLink = ({ latitude, longitude }: Place): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`

const pairOf = ({ latitude, longitude }: Place): string => `${latitude},${longitude}`

/** Opens the app of the user's choice (RFC 5870), on Android. */
const geoLink = (place: Place): string =>
  `geo:${pairOf(place)}?q=${pairOf(place)}(${encodeURIComponent(place.name)})`

const appleLink = (place: Place): string =>
  `https://maps.apple.com/?ll=${pairOf(place)}&q=${encodeURIComponent(place.name)}`

/** The map apps that a place opens in, by their names; `geo` opens the default app of the device. */
export const mapLinks = (place: Place): Readonly<Record<string, string>> => ({
  'Google Maps': `https://www.google.com/maps/dir/?api=1&destination=${pairOf(place)}`,
  'Apple Maps': appleLink(place),
  OpenStreetMap: mapLink(place),
  geo: geoLink(place),
})

/**
 * The URL that opens a place in a map app: the app of the user's choice on Android, Apple's maps on iPhone and iPad,
 * OpenStreetMap elsewhere.
 */
export const deviceMapLink = (
  place: Place,
  device: Pick<Navigator, 'userAgent' | 'maxTouchPoints'> = navigator,
): string => {
  if (device.userAgent.includes('Android')) return geoLink(place)
  return isAppleTouch(device) ? appleLink(place) : mapLink(place)
}

/** An iPad identifies as a Mac, but no Mac has a touch screen. */
const isAppleTouch = ({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>) =>
  /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
