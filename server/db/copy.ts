import { Readable, Writable, type Duplex } from 'node:stream'

import { Query } from 'pg'

import { explain } from './errors.ts'

/** The operations of the driver's connection that a copy uses. */
interface Copying {
  readonly stream: Duplex
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** `copy ... to stdout`; `content` streams the rows. */
export class CopyOut extends Query {
  readonly content: Readable
  #connection: Copying | undefined

  constructor(text: string) {
    super(text, (error) => {
      // Backpressure: unread rows pause the connection.
      this.#resume()
      if (error) this.content.destroy(explain(error))
      else this.content.push(null)
    })
    this.content = new Readable({
      read: () => this.#resume(),
      destroy: (error, done) => {
        this.#resume()
        done(error)
      },
    })
    // The connection may be lost before the caller reads, which then gets the error.
    this.content.on('error', () => {})
  }

  /** Called by the driver. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }, connection: Copying): void {
    this.#connection = connection
    if (this.content.destroyed) return
    // The driver reuses the memory of a chunk.
    if (!this.content.push(Buffer.from(chunk))) connection.stream.pause()
  }

  #resume(): void {
    this.#connection?.stream.resume()
  }
}

/** `copy ... from stdin` with the rows written to `content`. */
export class CopyIn extends Query {
  readonly content: Writable
  readonly #started = Promise.withResolvers<Copying>()
  readonly #ended = Promise.withResolvers<void>()
  #isComplete = false

  constructor(text: string) {
    super(text, (failure) => {
      if (!failure) return this.#ended.resolve()
      const error = explain(failure)
      this.#started.reject(error)
      this.#ended.reject(error)
      this.content.destroy(error)
    })
    for (const { promise } of [this.#started, this.#ended]) promise.catch(() => {})
    this.content = new Writable({
      write: (chunk: Buffer, _, done) => tell(this.#send(chunk), done),
      final: (done) => tell(this.#finish(), done),
      destroy: (error, done) => {
        void this.#giveUp()
        done(error)
      },
    })
  }

  /** Called by the driver. */
  handleCopyInResponse(connection: Copying): void {
    this.#started.resolve(connection)
  }

  async #send(chunk: Buffer): Promise<void> {
    const connection = await this.#started.promise
    connection.sendCopyFromChunk(chunk)
    if (!connection.stream.writableNeedDrain) return
    const drained = Promise.withResolvers<void>()
    connection.stream.once('drain', drained.resolve)
    await Promise.race([drained.promise, this.#ended.promise])
    connection.stream.off('drain', drained.resolve)
  }

  async #finish(): Promise<void> {
    const connection = await this.#started.promise
    this.#isComplete = true
    connection.endCopyFrom()
    await this.#ended.promise
  }

  async #giveUp(): Promise<void> {
    if (this.#isComplete) return
    const connection = await this.#started.promise.catch(() => undefined)
    connection?.sendCopyFail('given up')
  }
}

const tell = (work: Promise<void>, done: (error?: Error | null) => void): void =>
  void work.then(() => done(), done)
