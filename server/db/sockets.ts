import type { Socket } from 'node:net'

/** How long a pool waits for its server. */
export interface Patience {
  /** Until the server has let a connection in. */
  readonly connectMs: number
  /** Between a question and its answer, or two pieces of it; absent: as long as the network allows. */
  readonly answerMs?: number
}

/** What is done on a new connection before the driver may use it, and who hears how that went. */
export interface Greeting {
  /** One statement, which answers one row. */
  readonly statement: string
  /** Judges the row, texts by position; an error ends the connection. */
  readonly judge: (row: readonly string[]) => Error | undefined
  /** The server has let us in. */
  readonly opened: () => void
  /** The connection ended before it was let in; true to let the driver try again without a word. */
  readonly refused: (error: Error) => boolean
  /** The connection is being closed, by whomever. */
  readonly ended: () => void
}

/** How long the driver may take to write what it holds back. */
const FLUSH_MS = 20

/** Asks for a password, in PostgreSQL's protocol. */
const ASK_PASSWORD = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])

/**
 * Watches a socket that is connected, encrypted or not, and that the driver is about to use. The driver
 * by itself waits for ever for an answer that was lost on the way, and begins anew without a word where
 * something else than PostgreSQL hangs up. Here a socket on which an answer is due and nothing comes is
 * broken, so that whoever waits for it is told; and the session is set up before the driver may speak.
 */
export const watch = (socket: Socket, patience: Patience, greeting: Greeting): Socket => {
  const watcher = new Watcher(socket, patience, greeting)
  socket.write = watcher.write.bind(watcher)
  socket.emit = watcher.emit.bind(watcher) as Socket['emit']
  return socket
}

class Watcher {
  readonly #socket: Socket
  readonly #send: (chunk: Uint8Array | string, ...rest: never[]) => boolean
  readonly #tell: (event: string | symbol, ...args: unknown[]) => boolean
  readonly #talk = createTalk()
  readonly #patience: Patience
  readonly #greeting: Greeting
  /** The server's first word that it is ready, kept from the driver until the session is set up. */
  #held: Buffer | undefined
  #answer = Buffer.alloc(0)
  #isSettled = false
  #limit: NodeJS.Timeout | undefined
  #error: Error | undefined
  #flushed: (() => void) | undefined

  constructor(socket: Socket, patience: Patience, greeting: Greeting) {
    this.#socket = socket
    this.#send = socket.write.bind(socket)
    this.#tell = socket.emit.bind(socket)
    this.#patience = patience
    this.#greeting = greeting
    this.#wait(patience.connectMs, 'CONNECT_TIMEOUT', 'the database does not answer')
    // PostgreSQL hangs up for a reason; the driver would begin anew without a word.
    socket.once('end', () => {
      if (!socket.writableEnded) socket.destroy(lost('ECONNRESET', 'the database has hung up'))
    })
    socket.once('finish', () => {
      greeting.ended()
      this.#wait(patience.connectMs, 'ETIMEDOUT', 'it does not hang up')
    })
  }

  write(chunk: Uint8Array | string, ...rest: never[]): boolean {
    if (this.#flushed !== undefined) process.nextTick(this.#flushed)
    if (this.#socket.destroyed) return true
    if (typeof chunk !== 'string') this.#talk.asked(chunk)
    this.#watch()
    return this.#send(chunk, ...rest)
  }

  /**
   * What the driver was about to write when a connection closes stays in its way for ever: the next
   * connection in that place would never send a word. So it is made to write before it is told, and of
   * the error in the same moment: what it asked in between would wait for ever, too.
   */
  emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'data') {
      const heard = this.#hear(args[0] as Buffer)
      return heard === undefined || this.#tell(event, heard)
    }
    if (event === 'error') this.#error = args[0] === undefined ? undefined : ofDatabase(args[0])
    else if (event !== 'close') return this.#tell(event, ...args)
    else {
      clearTimeout(this.#limit)
      this.#greeting.ended()
      const end = (): void => {
        if (this.#flushed === undefined) return
        this.#flushed = undefined
        clearTimeout(late)
        const error = this.#error
        const isTold = error !== undefined && (this.#isSettled || !this.#greeting.refused(error))
        if (isTold) this.#tell('error', error)
        this.#tell('close', isTold)
      }
      const late = setTimeout(end, FLUSH_MS)
      this.#flushed = end
      // Not before the driver listens.
      setImmediate(() => this.#tell('data', ASK_PASSWORD))
    }
    return true
  }

  /** What of a chunk the driver may have. */
  #hear(chunk: Buffer): Buffer | undefined {
    // What is no answer is none for the driver.
    if (this.#socket.destroyed) return undefined
    // Nor what was answered to us.
    if (this.#held !== undefined) return this.#settle(chunk)
    const wasOpen = this.#talk.isOpen()
    // The driver would give it to whoever asks next.
    const refused = lastWordIn(chunk, wasOpen)
    if (refused !== undefined) return void this.#socket.destroy(refused)
    if (!this.#talk.answered(chunk))
      return void this.#socket.destroy(lost('ECONNRESET', 'no PostgreSQL answers there'))
    if (!this.#talk.isOpen()) return chunk
    if (!wasOpen) {
      this.#held = chunk
      this.#send(query(this.#greeting.statement))
      return undefined
    }
    this.#limit?.refresh()
    this.#watch()
    return chunk
  }

  #settle(chunk: Buffer): Buffer | undefined {
    this.#answer = Buffer.concat([this.#answer, chunk])
    const answer = readAnswer(this.#answer)
    if (answer === undefined) return undefined
    const error = 'error' in answer ? answer.error : this.#greeting.judge(answer.row)
    if (error !== undefined) return void this.#socket.destroy(error)
    const held = this.#held
    this.#held = undefined
    this.#isSettled = true
    this.#greeting.opened()
    this.#rest()
    this.#watch()
    return held
  }

  #watch(): void {
    if (!this.#isSettled || this.#socket.writableEnded) return
    const { answerMs } = this.#patience
    if (!this.#talk.isDue()) this.#rest()
    else if (this.#limit === undefined && answerMs !== undefined)
      this.#wait(answerMs, 'ETIMEDOUT', 'the database has stopped to answer')
  }

  #wait(ms: number, code: string, message: string): void {
    this.#rest()
    this.#limit = setTimeout(() => this.#socket.destroy(lost(code, message)), ms).unref()
  }

  #rest(): void {
    clearTimeout(this.#limit)
    this.#limit = undefined
  }
}

export const lost = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code, syscall: 'connect' })

/** A statement in one message, as PostgreSQL's protocol has it. */
const query = (text: string): Buffer => {
  const body = Buffer.from(`${text}\0`)
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = QUERY
  header.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

/** The one row of an answer, or why there is none; undefined while it is not complete. */
const readAnswer = (
  bytes: Buffer,
): { readonly row: readonly string[] } | { readonly error: Error } | undefined => {
  let row: string[] = []
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    const end = at + 1 + bytes.readUInt32BE(at + 1)
    if (end > bytes.length) return undefined
    if (bytes[at] === ERROR) return { error: errorIn(bytes.subarray(at, end)) }
    if (bytes[at] === ROW) row = fieldsIn(bytes.subarray(at + HEADER_BYTES, end))
    if (bytes[at] === READY) return { row }
    at = end
  }
  return undefined
}

/** The values of a row: a count, then for each its length, -1 for null, and its text. */
const fieldsIn = (row: Buffer): string[] => {
  const fields: string[] = []
  for (let at = 2; at < row.length;) {
    const length = Math.max(0, row.readInt32BE(at))
    fields.push(row.toString('utf8', at + 4, at + 4 + length))
    at += 4 + length
  }
  return fields
}

const FATAL = Buffer.from('\0VFATAL\0')
/** A statement that was prepared on this connection is not there: the session is another one. */
const FORGOTTEN = Buffer.from('\0C26000\0')

/**
 * Why the server ends a connection, if it says so: a message with fields of a letter and a text each.
 * Messages before that one are whole, as they are when nothing large is on its way.
 */
const lastWordIn = (chunk: Buffer, isOpen: boolean): Error | undefined => {
  if (isOpen && chunk.includes(FORGOTTEN))
    return lost('ECONNRESET', 'the session of the connection is another one')
  if (isOpen && !chunk.includes(FATAL)) return undefined
  let at = 0
  while (at + HEADER_BYTES <= chunk.length && chunk[at] !== ERROR)
    at += 1 + chunk.readUInt32BE(at + 1)
  return chunk[at] === ERROR ? errorIn(chunk.subarray(at)) : undefined
}

const errorIn = (message: Buffer): Error => {
  const fields = message.toString('utf8', HEADER_BYTES).split('\0')
  const field = (letter: string) => fields.find((each) => each.startsWith(letter))?.slice(1)
  const said = field('M') ?? 'the database ends the connection'
  return Object.assign(new Error(said), {
    code: field('C') ?? 'CONNECTION_CLOSED',
    severity: 'FATAL',
  })
}

/** An error of a socket, told apart from those of other sockets and of files. */
export const ofDatabase = (given: unknown): Error => {
  const error = given as Error & { code?: string; severity?: string }
  return error.severity === undefined && error.code !== undefined
    ? lost(error.code, error.message)
    : error
}

/** Types of messages. */
const SYNC = 0x53
const QUERY = 0x51
const READY = 0x5a
const ROW = 0x44
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
