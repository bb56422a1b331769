import { Transform, type Readable } from 'node:stream'

import { ApiError } from '#domain/error.ts'

export interface MeterOptions {
  readonly maxBytes: number
  /** The window over which the rate is measured. */
  readonly paceMs: number
  /** Called for each chunk; an exception aborts the body. */
  readonly onBytes?: (bytes: number) => void
}

/** A request body that is measured while it is read. */
export interface Meter extends Transform {
  /** Bytes per second in the last window, infinite at first; undefined once the body is complete. */
  pace(): number | undefined
}

/**
 * Measures a body while it is read. If the meter is destroyed with an error, or the body exceeds `maxBytes` (413), the
 * rest of the request is discarded but the socket stays open, so that the response still reaches the client.
 */
export const meterBody = (body: Readable, options: MeterOptions): Meter => {
  const { maxBytes, paceMs, onBytes } = options
  let bytes = 0
  let since = performance.now()
  let recent = 0
  let rate = Infinity
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      measure()
      recent += chunk.length
      try {
        if (bytes > maxBytes) throw new ApiError(413)
        onBytes?.(chunk.length)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
  const measure = (): void => {
    const elapsedMs = performance.now() - since
    if (elapsedMs < paceMs) return
    rate = (recent * 1000) / elapsedMs
    since += elapsedMs
    recent = 0
  }
  // It may be aborted before it is read; the reader then receives the error.
  meter.on('error', () => {})
  body.once('error', (error) => meter.destroy(error))
  body.once('close', () => {
    if (!body.readableEnded) meter.destroy(new Error('The client went away.'))
  })
  meter.once('close', () => {
    body.unpipe(meter)
    body.resume()
  })
  return Object.assign(body.pipe(meter), {
    pace: () => {
      if (body.readableEnded || meter.destroyed) return undefined
      measure()
      return rate
    },
  })
}
