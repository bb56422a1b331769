const CRLF = '\r\n'
const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Finds the ends and statuses of responses in the bytes of a connection, with as little work as possible, because the
 * client shares the CPU with the servers that it measures. There is one response at a time, because requests are not
 * pipelined.
 */
export class ResponseReader {
  #kept: Buffer | undefined
  /** Bytes of the body that are still missing; for chunked bodies see `#inPieces`. */
  #left = 0
  #inPieces = false
  #status = 0
  #inBody = false

  /**
   * Takes received bytes.
   * @returns the status if the response ends with them, otherwise undefined
   * @throws if they are not HTTP
   */
  push(chunk: Buffer): number | undefined {
    let data = this.#kept === undefined ? chunk : Buffer.concat([this.#kept, chunk])
    this.#kept = undefined
    if (!this.#inBody) {
      const end = data.indexOf(HEAD_END)
      if (end === -1) {
        this.#kept = data
        return undefined
      }
      this.#readHead(data.toString('latin1', 0, end))
      data = data.subarray(end + HEAD_END.length)
    }
    return this.#inPieces ? this.#readPieces(data) : this.#readBody(data)
  }

  #readHead(head: string): void {
    this.#status = Number(head.slice(9, 12))
    if (!head.startsWith('HTTP/1.1 ') || !(this.#status >= 100))
      throw new Error(`This is no answer: ${head.slice(0, 80)}`)
    const bodiless = this.#status === 204 || this.#status === 304
    this.#left = bodiless ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    this.#inPieces = !bodiless && /\r\ntransfer-encoding: *chunked/i.test(head)
    this.#inBody = true
  }

  #readBody(data: Buffer): number | undefined {
    this.#left -= data.length
    if (this.#left > 0) return undefined
    if (this.#left < 0) throw new Error('More came than was requested.')
    return this.#end()
  }

  #readPieces(data: Buffer): number | undefined {
    let at = 0
    for (;;) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, data.length - at)
        this.#left -= taken
        at += taken
        if (this.#left > 0) return undefined
      }
      const lineEnd = data.indexOf(CRLF, at, 'latin1')
      const size =
        lineEnd === -1 ? Number.NaN : Number.parseInt(data.toString('latin1', at, lineEnd), 16)
      const next = lineEnd + CRLF.length
      // The last chunk is empty, and an empty line follows.
      if (lineEnd === -1 || (size === 0 && data.length < next + CRLF.length)) {
        this.#kept = data.subarray(at)
        return undefined
      }
      if (Number.isNaN(size)) throw new Error('The pieces of the body cannot be read.')
      if (size === 0) return this.#end()
      at = next
      this.#left = size + CRLF.length
    }
  }

  #end(): number {
    this.#inBody = false
    this.#inPieces = false
    return this.#status
  }
}
