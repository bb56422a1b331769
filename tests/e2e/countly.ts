import { createServer, type IncomingMessage } from 'node:http'
import { isDeepStrictEqual } from 'node:util'

/** A report as received by the analytics service: the fields of one form. */
type Report = Readonly<Record<string, string>>

/** A local analytics service with the Countly protocol. */
export interface Countly {
  readonly url: string
  /** All reports of the device, in order of arrival. */
  readonly reports: (deviceId: string) => readonly Report[]
  /** The reported views, by name. */
  readonly views: (deviceId: string) => readonly string[]
  /** The messages and stacks of the reported errors. */
  readonly crashes: (deviceId: string) => readonly string[]
  readonly close: () => Promise<void>
}

interface Event {
  readonly key: string
  readonly segmentation?: { readonly name?: string; readonly visit?: number }
}

/** Starts the service on a free port. */
export const startCountly = async (): Promise<Countly> => {
  const all: Report[] = []
  const server = createServer((request, response) => {
    void readForm(request).then((report) => {
      if (request.url?.startsWith('/i')) all.push(report)
      response.writeHead(200, {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
      })
      response.end(JSON.stringify({ result: 'Success' }))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')

  const reports = (deviceId: string): readonly Report[] =>
    all.filter((report) => report['device_id'] === deviceId)
  return {
    url: `http://127.0.0.1:${address.port}`,
    reports,
    views: (deviceId) =>
      reports(deviceId)
        .flatMap(({ events }) => JSON.parse(events ?? '[]') as readonly Event[])
        // The next page repeats reports that were sent while the page unloaded.
        .filter(
          (event, index, events) =>
            events.findIndex((each) => isDeepStrictEqual(each, event)) === index,
        )
        .filter(({ key, segmentation }) => key === '[CLY]_view' && segmentation?.visit === 1)
        .map(({ segmentation }) => segmentation?.name ?? ''),
    crashes: (deviceId) =>
      reports(deviceId).flatMap(({ crash }) =>
        crash === undefined ? [] : [(JSON.parse(crash) as Report)['_error'] ?? ''],
      ),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const readForm = async (request: IncomingMessage): Promise<Report> => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  return Object.fromEntries([...searchParams, ...new URLSearchParams(body)])
}
