import type { Socket } from 'node:net'

import type { Limits } from '../limits.ts'

/**
 * Makes the function that ends a connection on which a client still sends. What arrives at a closed
 * socket is answered with a reset, and a reset can overtake the answer (RFC 9112, 9.6). So the
 * connection is half-closed, what comes is read and thrown away, and in a moment, or when the client has
 * hung up, it is closed. Time, bytes and the number of such connections are bounded.
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
    // Nothing that comes is a request any longer.
    socket.removeAllListeners('data').removeAllListeners('end')
    socket.on('data', (chunk) => {
      left -= chunk.length
      // Whoever goes on nevertheless has to wait.
      if (left <= 0) socket.pause()
    })
    socket.once('end', () => socket.destroy())
    socket.resume()
  }
}
