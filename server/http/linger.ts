import type { Socket } from 'node:net'

import type { Limits } from '../limits.ts'

/**
 * Makes the function that closes a connection whose client still sends. Data that arrives at a closed
 * socket is answered with a reset, which can overtake the answer (RFC 9112, 9.6). So the connection is
 * half-closed, further data is discarded, and after a timeout, or when the client closes it, it is
 * closed. Time, bytes and the number of such connections are limited.
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
    // What arrives now is no request any more.
    socket.removeAllListeners('data').removeAllListeners('end')
    socket.on('data', (chunk) => {
      left -= chunk.length
      // A client that sends more is not read.
      if (left <= 0) socket.pause()
    })
    socket.once('end', () => socket.destroy())
    socket.resume()
  }
}
