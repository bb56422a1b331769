/** One operation: the bytes of requests that are sent one after the other. */
export type Operation = readonly Uint8Array[]

/** Parameters of a run. */
export interface Run {
  readonly port: number
  /** Sent in turn, repeatedly. */
  readonly operations: readonly Operation[]
  readonly connections: number
  readonly ms: number
  /** The required status of every response. */
  readonly status: number
}

/** The result of a run. */
export interface Sample {
  readonly operations: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time of the client. */
  readonly clientCpuMs: number
}

/** Subscribers of one collection, each with its own stream. */
export interface Listening {
  readonly port: number
  readonly token: string
  readonly topic: string
  readonly listeners: number
}

/** Changes that subscribers must receive. */
export interface Telling {
  /** Made in turn. Only the event of a change contains its mark. */
  readonly changes: readonly { readonly request: Uint8Array; readonly mark: string }[]
  /** The duration, in milliseconds. */
  readonly ms: number
}

/** Messages to the client's process, and its replies. */
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

/** Encodes a request for a persistent connection. */
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
