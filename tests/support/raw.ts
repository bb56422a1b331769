import { connect, type Socket } from 'node:net'

/** A raw connection: the test controls every byte. */
export interface RawConnection {
  readonly socket: Socket
  send(text: string | Buffer): void
  /** Everything received so far. */
  received(): string
  /** Resolves with everything received once the other side has closed the connection. */
  ended(): Promise<string>
  /** Resolves once the received data contain this text; rejects if the connection ends before. */
  until(text: string): Promise<string>
  close(): void
}

/** Connects to a server; with `allowHalfOpen`, the connection stays open when the server closes its side. */
export const openRaw = async (
  url: string,
  options: { readonly allowHalfOpen?: boolean; readonly localAddress?: string } = {},
): Promise<RawConnection> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ ...options, port: Number(port), host: hostname })
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  // Resets are expected.
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  return {
    socket,
    send: (text) => void socket.write(text),
    received: () => received,
    ended: () => ended,
    until: (text) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (received.includes(text)) resolve(received)
        }
        socket.on('data', check)
        check()
        void ended.then((all) =>
          all.includes(text) ? resolve(all) : reject(new Error(`It ended with: ${all}`)),
        )
      }),
    close: () => void socket.destroy(),
  }
}

/** The head of a request, with `Host`. */
export const head = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>> = {},
): string => {
  const lines = Object.entries({ host: '127.0.0.1', ...headers })
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}
