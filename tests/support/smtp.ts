import { createServer, type Socket } from 'node:net'

/** A mail server on this computer. */
export interface SmtpServer {
  /** What `SMTP_URL` is set to. */
  readonly url: string
  readonly port: number
  /** All that was said to it. */
  received(): string
  close(): Promise<void>
}

/** As much of a mail server as is needed to take a mail. */
export const startSmtp = async (): Promise<SmtpServer> => {
  let received = ''
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
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
        else if (/^DATA/i.test(line)) {
          inData = true
          socket.write('354 go on\r\n')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    // Long lines are broken by the encoding of the mail.
    received: () => received.replaceAll('=\r\n', ''),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
