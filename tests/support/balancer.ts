import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A load balancer in front of several servers. */
export interface Balancer {
  readonly url: string
  /** Forwarded requests as `METHOD path`, with the index of the server. */
  readonly passed: readonly (readonly [call: string, server: number])[]
  /** Sets the servers, and a function that chooses the server of each request. */
  serve(urls: readonly string[], choose: (call: string) => number): void
  close(): Promise<void>
}

/** Listens on a local port; requests before `serve` wait. */
export const openBalancer = async (): Promise<Balancer> => {
  let urls: readonly string[] = []
  let choose = (_call: string): number => 0
  const passed: [string, number][] = []
  const server: Server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const call = `${method} ${url.split('?')[0]}`
    const target = choose(call)
    passed.push([call, target])
    const onward = request(`${urls[target]}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
    })
    onward.once('error', () => outgoing.destroy())
    outgoing.once('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    passed,
    serve: (newUrls, newChoose) => {
      urls = newUrls
      choose = newChoose
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
