import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Short links and their targets. */
export const SHORT_LINK = 'https://maps.app.goo.gl/Quay1'
export const DEAD_LINK = 'https://maps.app.goo.gl/Nowhere'

const redirect = (location: string) => (response: ServerResponse) =>
  void response.writeHead(302, { location }).end()

/** Responses of the hosts of map apps, by host and path. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'maps.app.goo.gl/Quay1': redirect(
    'https://www.google.com/maps/place/Quay/@1,2,17z/data=!3d55.2044!4d-6.6531',
  ),
  'maps.app.goo.gl/Consent': redirect(
    `https://consent.google.com/ml?continue=${encodeURIComponent('https://www.google.com/maps/@55.2044,-6.6531,17z')}`,
  ),
  'maps.app.goo.gl/Page': redirect('https://www.google.com/maps?q=Quay&ftid=0x1'),
  'www.google.com/maps': (response) =>
    void response.end(
      '<meta content="https://maps.google.com/maps/api/staticmap?center=55.2044%2C-6.6531&amp;zoom=17">',
    ),
  'maps.apple.com/p/Quay': redirect('https://maps.apple.com/place?coordinate=55.2044,-6.6531'),
  'maps.app.goo.gl/Inside': redirect('http://127.0.0.1:8090/@55.2,-6.6'),
  'maps.app.goo.gl/Elsewhere': redirect('https://evil.example/@55.2,-6.6'),
  'maps.app.goo.gl/Port': redirect('https://www.google.com:8443/@55.2,-6.6'),
  'maps.app.goo.gl/Round': redirect('https://maps.app.goo.gl/Round'),
  'maps.app.goo.gl/Endless': (response) => {
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    }
    response.on('drain', write)
    write()
  },
  'maps.app.goo.gl/Silent': () => {},
  'maps.app.goo.gl/Nowhere': (response) => void response.writeHead(404).end(),
}

/** A gateway that stands in for the hosts of map apps. */
export interface MapLinks {
  /** The value of `MAP_LINKS`. */
  readonly url: string
  /** The requests, as host and path. */
  readonly requested: readonly string[]
  close(): Promise<void>
}

/** Starts a local gateway for the links above. */
export const startMapLinks = async (): Promise<MapLinks> => {
  const requested: string[] = []
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').slice(1).split('?')
    requested.push(path)
    const answer = ANSWERS[path]
    if (answer === undefined) response.writeHead(404).end()
    else answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requested,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
