import { createServer } from 'node:net'

// The server for the ceiling of the client, which gives every request the same response.

const BODY = 'x'.repeat(600)
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Length: ${BODY.length}\r\nContent-Type: text/plain\r\n\r\n${BODY}`,
)

const server = createServer({ noDelay: true }, (socket) => {
  // The client sends each request in one write and does not pipeline.
  socket.on('data', () => socket.write(ANSWER))
  socket.on('error', () => socket.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.(address.port)
})
process.once('disconnect', () => process.exit(0))
