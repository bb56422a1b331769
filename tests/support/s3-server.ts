import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A stored object; tests inspect and change it. */
interface S3Object {
  bytes: Buffer
  modified: Date
  readonly type: string
  readonly metadata: Readonly<Record<string, string>>
}

/**
 * `silent` never responds, `reset` breaks the connection, `garbage` responds with 200 and a page, `noise` is not HTTP,
 * `full` has no space for objects, `busy` asks to retry later, `cut` closes in the middle of a body, and `stall` stops
 * there.
 */
export type S3Fault = 'silent' | 'reset' | 'garbage' | 'noise' | 'full' | 'busy' | 'cut' | 'stall'

/**
 * A store with the part of the S3 protocol that a file store needs: path-style URLs, Signature Version 4 and content
 * checksums (both verified), ranges, and paged listings.
 */
export interface S3Server {
  /** The settings for this store. */
  readonly env: Readonly<Record<string, string>>
  readonly objects: Map<string, S3Object>
  /** Every authorised request, as `GET key`. */
  readonly requests: readonly string[]
  /** Offset of its clock from real time. */
  skewMs: number
  /** The current fault; undefined if there is none. */
  fault: S3Fault | undefined
  /** The number of open connections. */
  connections(): Promise<number>
  /** Stops listening and breaks open connections. */
  stop(): Promise<void>
  /** Listens again at the same address. */
  start(): Promise<void>
}

const BUCKET = 'voltleaf-tests'
const REGION = 'eu-test-1'
const KEY_ID = 'TESTKEYID'
const SECRET = 'planted+secret/of/the/tests'
/** Small, so that listings have several pages. */
const PAGE = 100
const MAX_SKEW_MS = 15 * 60 * 1000

export const startS3Server = async (): Promise<S3Server> => {
  const objects = new Map<string, S3Object>()
  const requests: string[] = []
  let http: Server | undefined
  let port = 0

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://s3')
    if (server.fault === 'silent') return
    if (server.fault === 'reset') return void request.socket.resetAndDestroy()
    if (server.fault === 'noise') return void request.socket.end('220 mail.example ready\r\n')
    if (server.fault === 'garbage')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome!</h1>')
    const body = await readBody(request)
    const now = new Date(Date.now() + server.skewMs)
    response.setHeader('date', now.toUTCString()).setHeader('x-amz-request-id', 'TESTS')
    const refusal = judge(request, url, body, now)
    const [bucket, ...parts] = url.pathname.slice(1).split('/').map(decodeURIComponent)
    const key = parts.join('/')
    if (refusal !== undefined) return refuse(response, refusal)
    if (bucket !== BUCKET) return refuse(response, [404, 'NoSuchBucket'])
    if (server.fault === 'busy') return refuse(response, [503, 'SlowDown'])
    requests.push(`${request.method} ${key}`)
    if (key === '') return list(response, url.searchParams)
    const found = objects.get(key)
    switch (request.method) {
      case 'PUT':
        if (server.fault === 'full') return refuse(response, [507, 'XMinioStorageFull'])
        objects.set(key, {
          bytes: body,
          modified: now,
          type: request.headers['content-type'] ?? 'binary/octet-stream',
          metadata: metadataOf(request),
        })
        return void response.writeHead(200, { etag: etagOf(body) }).end()
      case 'DELETE':
        objects.delete(key)
        return void response.writeHead(204).end()
      case 'GET':
      case 'HEAD':
        return found === undefined
          ? refuse(response, [404, 'NoSuchKey'])
          : send(request, response, found, server.fault)
      default:
        return refuse(response, [405, 'MethodNotAllowed'])
    }
  }

  const list = (response: ServerResponse, query: URLSearchParams): void => {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('continuation-token') ?? ''
    const all = [...objects].filter(([key]) => key.startsWith(prefix) && key > after)
    all.sort(([a], [b]) => (a < b ? -1 : 1))
    const page = all.slice(0, Math.min(Number(query.get('max-keys') ?? PAGE), PAGE))
    const isTruncated = page.length < all.length
    const contents = page.map(
      ([key, { bytes, modified }]) =>
        `<Contents><Key>${escape(key)}</Key><LastModified>${modified.toISOString()}</LastModified>` +
        `<ETag>${escape(etagOf(bytes))}</ETag><Size>${bytes.length}</Size></Contents>`,
    )
    const next = `<NextContinuationToken>${escape(page.at(-1)?.[0] ?? '')}</NextContinuationToken>`
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">` +
          `<Name>${BUCKET}</Name><Prefix>${escape(prefix)}</Prefix><KeyCount>${page.length}</KeyCount>` +
          `<IsTruncated>${isTruncated}</IsTruncated>${isTruncated ? next : ''}${contents.join('')}` +
          `</ListBucketResult>`,
      )
  }

  const server: S3Server = {
    env: {},
    objects,
    requests,
    skewMs: 0,
    fault: undefined,
    connections: () =>
      new Promise((resolve, reject) => {
        http?.getConnections((error, count) => (error ? reject(error) : resolve(count)))
      }),
    stop: async () => {
      const closing = http
      http = undefined
      if (closing === undefined) return
      closing.closeAllConnections()
      await new Promise((resolve) => closing.close(resolve))
    },
    start: async () => {
      const opened = createServer((request, response) => {
        answer(request, response).catch((error: unknown) => response.destroy(error as Error))
      })
      await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve))
      ;({ port } = opened.address() as AddressInfo)
      http = opened
    },
  }
  await server.start()
  return Object.assign(server, {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: BUCKET,
      S3_REGION: REGION,
      S3_ACCESS_KEY_ID: KEY_ID,
      S3_SECRET_ACCESS_KEY: SECRET,
    },
  })
}

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, modified, type, metadata }: S3Object,
  fault: S3Fault | undefined,
): void => {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const end = Math.min(last ? Number(last) : Infinity, bytes.length - 1)
  if (first !== undefined && Number(first) > end) return refuse(response, [416, 'InvalidRange'])
  const content = first === undefined ? bytes : bytes.subarray(Number(first), end + 1)
  response.writeHead(first === undefined ? 200 : 206, {
    'accept-ranges': 'bytes',
    'content-length': content.length,
    'content-type': type,
    etag: etagOf(bytes),
    'last-modified': modified.toUTCString(),
    ...(first !== undefined && { 'content-range': `bytes ${first}-${end}/${bytes.length}` }),
    ...Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]),
    ),
  })
  if (request.method === 'HEAD') return void response.end()
  if (fault !== 'cut' && fault !== 'stall') return void response.end(content)
  response.write(content.subarray(0, content.length / 2), () => {
    if (fault === 'cut') request.socket.destroy()
  })
}

const metadataOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('x-amz-meta-') ? [[name.slice('x-amz-meta-'.length), String(value)]] : [],
    ),
  )

type Refusal = readonly [status: number, code: string, details?: string]

const refuse = (response: ServerResponse, [status, code, details = '']: Refusal): void => {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Refused.</Message>${details}</Error>`
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

const CREDENTIALS =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** The reason why a request fails Signature Version 4; undefined if it is valid. */
const judge = (
  { method = '', headers }: IncomingMessage,
  url: URL,
  body: Buffer,
  now: Date,
): Refusal | undefined => {
  const [, keyId, day = '', region = '', names = '', signature = ''] =
    CREDENTIALS.exec(headers.authorization ?? '') ?? []
  if (keyId === undefined) return [403, 'AccessDenied']
  if (keyId !== KEY_ID) return [403, 'InvalidAccessKeyId']
  if (region !== REGION) return [400, 'AuthorizationHeaderMalformed', `<Region>${REGION}</Region>`]
  const date = String(headers['x-amz-date'])
  const sentAt = Date.parse(
    date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
  if (!(Math.abs(now.getTime() - sentAt) <= MAX_SKEW_MS)) return [403, 'RequestTimeTooSkewed']
  const signed = names.split(';')
  const required = Object.keys(headers).filter((name) => name.startsWith('x-amz-'))
  if (!['host', ...required].every((name) => signed.includes(name))) return [403, 'AccessDenied']
  const promised = String(headers['x-amz-content-sha256'])
  const query = url.search
    .slice(1)
    .split('&')
    .filter(Boolean)
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
  const canonical = [
    method,
    url.pathname,
    query.sort().join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}`),
    '',
    names,
    promised,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical).toString('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${SECRET}`)
  if (!timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex')))
    return [403, 'SignatureDoesNotMatch']
  if (promised === 'UNSIGNED-PAYLOAD') return undefined
  // Chunked signatures are another protocol, which the product does not use.
  if (!/^[0-9a-f]{64}$/.test(promised)) return [501, 'NotImplemented']
  return sha256(body).toString('hex') === promised ? undefined : [400, 'XAmzContentSHA256Mismatch']
}

const hmac = (key: Buffer | string, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()
const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest()
const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`
const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
