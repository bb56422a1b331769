import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A place in Photon, with its parts and its position. */
export interface PhotonPlace {
  readonly parts: Readonly<Record<string, string>>
  readonly latitude: number
  readonly longitude: number
}

/** A local geocoder with the API of Photon. */
export interface Photon {
  /** The value of `GEOCODER_URL`. */
  readonly url: string
  /** The parameters of the received queries. */
  readonly requested: readonly Readonly<Record<string, string>>[]
  /** The last requested path. */
  readonly path: () => string
  /** The `User-Agent` of the last request. */
  readonly userAgent: () => string
  /** Replaces the response from now on; without an argument, restores it. */
  behave(otherwise?: (request: IncomingMessage, response: ServerResponse) => void): void
  close(): Promise<void>
}

export const QUAY: PhotonPlace = {
  parts: {
    housenumber: '12',
    street: 'Quay Street',
    city: 'Portrush',
    postcode: 'BT56 8DF',
    country: 'United Kingdom',
    countrycode: 'GB',
  },
  latitude: 55.2044,
  longitude: -6.6531,
}
export const QUAY_ADDRESS = '12 Quay Street, Portrush BT56 8DF, United Kingdom'
/** The street of the same name on the other side of the world. */
const FAR_QUAY: PhotonPlace = {
  parts: {
    name: 'Quay Hotel',
    housenumber: '1',
    street: 'Quay Street',
    city: 'Auckland',
    postcode: '1010',
    country: 'New Zealand',
    countrycode: 'NZ',
  },
  latitude: -36.8432,
  longitude: 174.7669,
}
export const FAR_QUAY_ADDRESS = 'Quay Hotel, 1 Quay Street, Auckland 1010, New Zealand'
const LINDEN: PhotonPlace = {
  parts: {
    housenumber: '77',
    street: 'Unter den Linden',
    city: 'Berlin',
    postcode: '10117',
    country: 'Deutschland',
    countrycode: 'DE',
  },
  latitude: 52.5161,
  longitude: 13.3801,
}
export const LINDEN_ADDRESS = 'Unter den Linden 77, 10117 Berlin, Deutschland'
const PLACES = [QUAY, FAR_QUAY, LINDEN]

/** Starts a geocoder that matches the places above by any of their words. */
export const startPhoton = async (): Promise<Photon> => {
  const requested: Record<string, string>[] = []
  let userAgent = ''
  let path = ''
  let behaviour = search
  const server = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '/', 'http://photon.example')
    path = pathname
    requested.push(Object.fromEntries(searchParams))
    userAgent = request.headers['user-agent'] ?? ''
    behaviour(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/api/`,
    requested,
    userAgent: () => userAgent,
    path: () => path,
    behave: (otherwise = search) => {
      behaviour = otherwise
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const search = (request: IncomingMessage, response: ServerResponse): void => {
  const { searchParams } = new URL(request.url ?? '/', 'http://photon.example')
  const words = (searchParams.get('q') ?? '').toLowerCase().split(/[\s,]+/)
  const at = {
    latitude: Number(searchParams.get('lat')),
    longitude: Number(searchParams.get('lon')),
  }
  const found = PLACES.filter((place) => {
    // The nearest place, as far as the tests need it.
    if (!searchParams.has('q'))
      return (
        Math.abs(place.latitude - at.latitude) < 0.01 &&
        Math.abs(place.longitude - at.longitude) < 0.01
      )
    const { parts } = place
    const text = Object.values(parts).join(' ').toLowerCase()
    return words.every((word) => text.includes(word))
  })
  response.setHeader('content-type', 'application/json')
  response.end(
    JSON.stringify({
      type: 'FeatureCollection',
      features: found.map(({ parts, latitude, longitude }) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
        properties: { osm_id: 1, osm_type: 'N', ...parts },
      })),
    }),
  )
}
