/** What is sent to a server as one piece of work: requests one after the other, as bytes on the wire. */
export type Operation = readonly Uint8Array[]

/** What the client is asked to do for a while. */
export interface Run {
  readonly port: number
  /** Sent in turn, over and over. */
  readonly operations: readonly Operation[]
  readonly connections: number
  readonly ms: number
  /** The status that every answer must have. */
  readonly status: number
}

/** What came of it. */
export interface Sample {
  readonly operations: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of the client itself. */
  readonly clientCpuMs: number
}

/** Listeners of one collection, each with a stream of his own. */
export interface Listening {
  readonly port: number
  readonly token: string
  readonly topic: string
  readonly listeners: number
}

/** Changes that listeners are to hear of. */
export interface Telling {
  /** Made in turn; by its mark one who listens knows a change, and it is in no other's event. */
  readonly changes: readonly { readonly request: Uint8Array; readonly mark: string }[]
  /** How long to go on, in milliseconds. */
  readonly ms: number
}

/** What is sent to the client's process, and what it answers with. */
export type Job =
  | { readonly kind: 'run'; readonly run: Run }
  | { readonly kind: 'listen'; readonly name: string; readonly listening: Listening }
  | { readonly kind: 'tell'; readonly name: string; readonly telling: Telling }
  | { readonly kind: 'leave'; readonly name: string }
export type Reply =
  | { readonly sample?: Sample; readonly heard?: string }
  | { readonly problem: string }

export interface RequestParts {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

/** The bytes of a request on a connection that is kept. */
export const encodeRequest = ({
  method = 'GET',
  path,
  headers,
  body,
}: RequestParts): Uint8Array => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(bytes ? [`content-length: ${bytes.length}`] : []),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  return bytes ? Buffer.concat([head, bytes]) : head
}
