import type { Socket } from 'node:net'

import type { Limits } from '../limits.ts'

/**
 * Creates the function that closes a connection whose client still sends. Data that arrives at a closed socket triggers
 * a reset, which can overtake the response (RFC 9112, 9.6). So the connection is half-closed, and further data is
 * discarded. It is closed after a timeout, or when the client closes it. Time, bytes and the number of such connections
 * are limited.
 */
export const createLinger = (limits: Limits): ((socket: Socket) => void) => {
  const { lingering: most, lingerMs, lingerBytes } = limits
  const lingering = new Set<Socket>()
  return (socket) => {
    if (lingering.has(socket)) return
    if (lingering.size >= most) return void socket.end(() => socket.destroy())
    socket.end()
    lingering.add(socket)
    const limit = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => {
      clearTimeout(limit)
      lingering.delete(socket)
    })
    let left = lingerBytes
    // Data that arrives now is no longer a request.
    socket.removeAllListeners('data').removeAllListeners('end')
    socket.on('data', (chunk) => {
      left -= chunk.length
      // Beyond the limit, the socket is not read.
      if (left <= 0) socket.pause()
    })
    socket.once('end', () => socket.destroy())
    socket.resume()
  }
}
