import { readFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'

/** A local mail server. */
export interface SmtpServer {
  /** The value of `SMTP_URL`. */
  readonly url: string
  readonly port: number
  /** Everything that clients have sent. */
  received(): string
  close(): Promise<void>
}

/**
 * A minimal mail server. It offers no STARTTLS; with `tls` it uses TLS from the first byte, with a self-signed
 * certificate.
 */
export const startSmtp = async (options: { readonly tls?: boolean } = {}): Promise<SmtpServer> => {
  let received = ''
  const sockets = new Set<Socket>()
  const serveMail = (socket: Socket) => {
    sockets.add(socket)
    let inData = false
    socket.write('220 test\r\n')
    socket.setEncoding('utf8').on('error', () => {})
    socket.on('data', (text: string) => {
      received += text
      for (const line of text.split('\r\n').slice(0, -1)) {
        if (inData) {
          if (line !== '.') continue
          inData = false
          socket.write('250 taken\r\n')
        } else if (/^EHLO/i.test(line)) socket.write('250 test\r\n')
        else if (/^STARTTLS/i.test(line)) socket.write('502 no\r\n')
        else if (/^DATA/i.test(line)) {
          inData = true
          socket.write('354 go on\r\n')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
      }
    })
  }
  const pem = await readFile(join(import.meta.dirname, 'fixtures/self-signed.pem'))
  const server = options.tls
    ? createTlsServer({ key: pem, cert: pem }, serveMail)
    : createServer(serveMail)
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `${options.tls ? 'smtps' : 'smtp'}://127.0.0.1:${address.port}`,
    port: address.port,
    // Quoted-printable breaks long lines.
    received: () => received.replaceAll('=\r\n', ''),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
