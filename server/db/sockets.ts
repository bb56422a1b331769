import { Socket } from 'node:net'

/** How long a pool waits for its server. */
export interface Patience {
  /** Until a server that is connected to has said something. */
  readonly connectMs: number
  /** Between a question and its answer, or two pieces of it. */
  readonly answerMs: number
}

/** Where the driver wants to be connected to. */
interface Place {
  readonly path?: string | false
  readonly host: readonly string[]
  readonly port: readonly number[]
}

/** After a failure nobody tries again for so long: whoever waits for a connection is told at once. */
const PAUSE_MS = 250
/** How long the driver may take to write what it holds back. */
const FLUSH_MS = 20

/**
 * Makes the sockets of a pool. The driver by itself waits for ever for an answer that was lost on the
 * way, tries for ever where something else than PostgreSQL hangs up, and lets everybody who waits for
 * a connection try one after the other. Here a socket on which an answer is due and nothing comes is
 * broken, so that whoever waits for it is told; and after one failure all fail for a moment.
 */
export const createDialer = (patience: Patience): ((place: Place) => Promise<Socket>) => {
  let failed: { readonly error: Error; readonly untilMs: number } | undefined
  let next = 0
  const tell = (error: Error | null): void => {
    failed = error === null ? undefined : { error, untilMs: performance.now() + PAUSE_MS }
  }
  return async ({ path, host, port }) => {
    const pause = failed !== undefined && performance.now() < failed.untilMs ? failed : undefined
    // What fails for a failure is none of its own: the pause ends, however much is asked.
    const socket = new DatabaseSocket(patience, pause === undefined ? tell : () => {})
    if (pause !== undefined) socket.destroy(pause.error)
    else if (typeof path === 'string') socket.connect(path)
    else {
      const at = next++ % host.length
      socket.connect({ host: host[at] ?? 'localhost', port: port[at] ?? 5432 })
    }
    // Connecting lays the method of all sockets over that of this one.
    Reflect.deleteProperty(socket, 'write')
    return socket
  }
}

/** Asks for a password, in PostgreSQL's protocol. */
const ASK_PASSWORD = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])

class DatabaseSocket extends Socket {
  readonly #talk = createTalk()
  readonly #patience: Patience
  readonly #tell: (error: Error | null) => void
  #limit: NodeJS.Timeout | undefined
  #error: Error | undefined
  #flushed: (() => void) | undefined

  /** @param tell hears whether the server could be reached */
  constructor(patience: Patience, tell: (error: Error | null) => void) {
    super({ allowHalfOpen: true })
    this.#patience = patience
    this.#tell = tell
    this.#wait(patience.connectMs, 'CONNECT_TIMEOUT', 'the database does not answer')
    // PostgreSQL hangs up for a reason; the driver would begin anew without a word.
    this.once('end', () => {
      if (!this.writableEnded) this.destroy(lost('ECONNRESET', 'the database has hung up'))
    })
    this.once('finish', () => this.#wait(patience.connectMs, 'ETIMEDOUT', 'it does not hang up'))
  }

  override write(chunk: Uint8Array | string, ...rest: never[]): boolean {
    if (this.#flushed !== undefined) process.nextTick(this.#flushed)
    if (this.destroyed) return true
    if (typeof chunk !== 'string') this.#talk.asked(chunk)
    this.#watch()
    return super.write(chunk, ...rest)
  }

  /**
   * What the driver was about to write when a connection closes stays in its way for ever: the next
   * connection in that place would never send a word. So it is made to write before it is told, and of
   * the error in the same moment: what it asked in between would wait for ever, too.
   */
  override emit(event: string | symbol, ...args: never[]): boolean {
    if (event === 'data' && args[0] !== undefined) this.#hear(args[0])
    // What is no answer is none for the driver.
    if (event === 'data' && this.destroyed) return true
    if (event === 'error') this.#error = args[0] === undefined ? undefined : ofDatabase(args[0])
    else if (event !== 'close') return super.emit(event, ...args)
    else {
      clearTimeout(this.#limit)
      const end = (): void => {
        if (this.#flushed === undefined) return
        this.#flushed = undefined
        clearTimeout(late)
        const error = this.#error
        if (error !== undefined) {
          if (!this.#talk.isOpen()) this.#tell(error)
          super.emit('error', error)
        }
        super.emit('close', error !== undefined)
      }
      const late = setTimeout(end, FLUSH_MS)
      this.#flushed = end
      // Not before the driver listens.
      setImmediate(() => super.emit('data', ASK_PASSWORD))
    }
    return true
  }

  #hear(chunk: Buffer): void {
    if (this.destroyed) return
    const wasOpen = this.#talk.isOpen()
    // The driver would give it to whoever asks next.
    const refused = lastWordIn(chunk, wasOpen)
    if (refused !== undefined) return void this.destroy(refused)
    if (!this.#talk.answered(chunk))
      return void this.destroy(lost('ECONNRESET', 'no PostgreSQL answers there'))
    if (!this.#talk.isOpen()) return
    if (wasOpen) this.#limit?.refresh()
    else {
      this.#tell(null)
      this.#rest()
    }
    this.#watch()
  }

  #watch(): void {
    if (!this.#talk.isOpen() || this.writableEnded) return
    if (!this.#talk.isDue()) this.#rest()
    else if (this.#limit === undefined)
      this.#wait(this.#patience.answerMs, 'ETIMEDOUT', 'the database has stopped to answer')
  }

  #wait(ms: number, code: string, message: string): void {
    this.#rest()
    this.#limit = setTimeout(() => this.destroy(lost(code, message)), ms).unref()
  }

  #rest(): void {
    clearTimeout(this.#limit)
    this.#limit = undefined
  }
}

const lost = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code, syscall: 'connect' })

const FATAL = Buffer.from('\0VFATAL\0')

/**
 * Why the server ends a connection, if it says so: a message with fields of a letter and a text each.
 * Messages before that one are whole, as they are when nothing large is on its way.
 */
const lastWordIn = (chunk: Buffer, isOpen: boolean): Error | undefined => {
  if (isOpen && !chunk.includes(FATAL)) return undefined
  let at = 0
  while (at + HEADER_BYTES <= chunk.length && chunk[at] !== ERROR)
    at += 1 + chunk.readUInt32BE(at + 1)
  if (chunk[at] !== ERROR) return undefined
  const fields = chunk.toString('latin1', at + HEADER_BYTES).split('\0')
  const code = fields.find((field) => field.startsWith('C'))?.slice(1) ?? 'CONNECTION_CLOSED'
  return Object.assign(new Error('the database ends the connection'), { code, severity: 'FATAL' })
}

/** An error of a socket, told apart from those of other sockets and of files. */
const ofDatabase = (error: Error & { code?: string; severity?: string }): Error =>
  error.severity === undefined && error.code !== undefined ? lost(error.code, error.message) : error

/** Types of messages. */
const SYNC = 0x53
const QUERY = 0x51
const READY = 0x5a
const AUTHENTICATION = 0x52
const ERROR = 0x45

/** What is known of a conversation in PostgreSQL's protocol: whether an answer is due. */
const createTalk = () => {
  let due = 1
  let isHalfAsked = false
  let isHeard = false
  let isOpen = false
  const ask = createScanner((type) => {
    if (type === SYNC || type === QUERY) due += 1
    isHalfAsked = type !== SYNC && type !== QUERY
  })
  const answer = createScanner((type) => {
    if (type !== READY) return
    due -= 1
    isOpen = true
  })
  return {
    /** The server has let us in. */
    isOpen: () => isOpen,
    isDue: () => due > 0 || isHalfAsked,
    asked: (chunk: Uint8Array): void => {
      // What is said to be let in has other forms.
      if (isOpen) ask(chunk)
    },
    /** False for what no PostgreSQL begins with. */
    answered: (chunk: Uint8Array): boolean => {
      if (!isHeard && chunk[0] !== AUTHENTICATION) return false
      isHeard = true
      answer(chunk)
      return true
    },
  }
}

const HEADER_BYTES = 5

/** Tells the types of messages, each a byte followed by the length of the rest, in pieces as they come. */
const createScanner = (tell: (type: number) => void): ((chunk: Uint8Array) => void) => {
  const header = new Uint8Array(HEADER_BYTES)
  let known = 0
  let rest = 0
  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (rest > 0) {
        const step = Math.min(rest, chunk.length - at)
        rest -= step
        at += step
        if (rest === 0) tell(header[0] ?? 0)
        continue
      }
      header[known++] = chunk[at++] ?? 0
      if (known < HEADER_BYTES) continue
      known = 0
      const [, a = 0, b = 0, c = 0, d = 0] = header
      rest = Math.max(0, ((a << 24) | (b << 16) | (c << 8) | d) - 4)
      if (rest === 0) tell(header[0] ?? 0)
    }
  }
}
