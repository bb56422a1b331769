import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3'

import { StartupError, DependencyError } from '../problem.ts'
import { keyOf, pathOf, storedType, THUMBS, type FileStore } from './files.ts'

/** Where the objects are, and as whom they are asked for. */
export interface S3Place {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const CONNECT_MS = 2_000
/** Until the store has begun to answer. */
const ANSWER_MS = 5_000
/** Between two pieces of a file that is being read. */
const IDLE_MS = 5_000
/** Since the last piece of a file that is being sent. */
const PUT_IDLE_MS = 10_000

/** What the SDK has to say comes as errors as well. */
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Something else than such a store answers there. */
const FOREIGN = 'its answer is not that of such a store'

/** Objects carry their own checksum, so that a copy can be judged without reading it. */
const CHECKSUM = 'sha256'

/**
 * Keeps files as objects of a bucket, `<collection>/<record>/<name>`, thumbnails as
 * `<collection>/<record>/thumbs_<name>/<size>_<name>`. The checksum of what is put is part of the
 * signed request, so that what arrives is what was sent or nothing.
 */
const createS3Store = (place: S3Place): FileStore => {
  const { bucket: Bucket, endpoint, accessKeyId, secretAccessKey } = place
  const client = new S3Client({
    endpoint,
    region: place.region,
    credentials: { accessKeyId, secretAccessKey },
    // The address is that of the store, not of the bucket: every compatible store understands it.
    forcePathStyle: true,
    // Checksums of the SDK's own are unknown to many compatible stores; ours is in the signature.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    logger: SILENT,
    maxAttempts: 2,
    // A reader may be slow, so that a quiet socket is no fault; see `paced`.
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: 0 },
  })

  const problem = (error: unknown): DependencyError => explain(place, error)

  /**
   * Asks, and waits no longer than that for the answer to begin, or since `refresh` was called.
   * What the SDK cannot send again by itself may be asked once more.
   */
  const within = async <T>(
    ms: number,
    ask: (abortSignal: AbortSignal, refresh: () => void) => Promise<T>,
    { again = false } = {},
  ): Promise<T> => {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), ms)
    const attempt = () => ask(limit.signal, () => timer.refresh())
    try {
      return await attempt().catch((error: unknown) => {
        if (!again || limit.signal.aborted) throw error
        return attempt()
      })
    } catch (error) {
      if (isMissing(error)) throw error
      throw limit.signal.aborted ? problem('it does not answer') : problem(error)
    } finally {
      clearTimeout(timer)
    }
  }

  const put = async (Key: string, path: string): Promise<void> => {
    const { size } = await stat(path)
    const sha256 = await checksumOf(path)
    const send = async (abortSignal: AbortSignal, refresh: () => void): Promise<void> => {
      const Body = Readable.from(ticking(createReadStream(path), refresh), { objectMode: false })
      const command = new PutObjectCommand({
        Bucket,
        Key,
        ContentLength: size,
        ContentType: storedType(Key),
        Metadata: { [CHECKSUM]: sha256 },
        Body,
      })
      signContent(command, sha256)
      try {
        const unreadable = new Promise<never>((_, reject) => Body.once('error', reject))
        const { ETag } = await Promise.race([client.send(command, { abortSignal }), unreadable])
        if (ETag === undefined) throw problem(FOREIGN)
      } finally {
        Body.destroy()
      }
    }
    await within(PUT_IDLE_MS, send, { again: true })
  }

  const pages = async function* (
    Prefix: string,
    MaxKeys?: number,
  ): AsyncIterable<ListObjectsV2CommandOutput> {
    for (let ContinuationToken: string | undefined; ;) {
      const command = new ListObjectsV2Command({ Bucket, Prefix, MaxKeys, ContinuationToken })
      const page = await within(ANSWER_MS, (abortSignal) => client.send(command, { abortSignal }))
      // A foreign answer must not look like an empty store.
      if (page.Name !== Bucket) throw problem(FOREIGN)
      yield page
      ContinuationToken = page.NextContinuationToken
      if (!page.IsTruncated || ContinuationToken === undefined) return
    }
  }

  const removeObject = async (Key: string): Promise<void> => {
    const command = new DeleteObjectCommand({ Bucket, Key })
    await within(ANSWER_MS, (abortSignal) => client.send(command, { abortSignal }))
  }

  const read = async (
    Key: string,
    bytes: number,
    range: { readonly start: number; readonly end: number } | undefined,
  ): Promise<Readable> => {
    const command = new GetObjectCommand({
      Bucket,
      Key,
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
    })
    const { Body, ContentLength } = await within(ANSWER_MS, (abortSignal) =>
      client.send(command, { abortSignal }),
    ).catch((error: unknown) => {
      throw isMissing(error) ? problem('the file is gone') : error
    })
    if (!(Body instanceof Readable)) throw problem('its answer has no content')
    if (ContentLength !== (range === undefined ? bytes : range.end - range.start + 1)) {
      Body.destroy()
      throw problem('it sends another part of the file than was asked for')
    }
    return Readable.from(paced(Body, problem), { objectMode: false })
  }

  return {
    place: `the bucket "${Bucket}" at ${endpoint}`,
    check: async () => {
      // More than that it exists: what is missing to list it, is told with a reason.
      for await (const _ of pages('', 1)) return
    },
    put: async (key, path) => {
      const target = pathOf(key)
      if (target === undefined) throw new TypeError('not a name that can be stored')
      await put(target, path)
    },
    open: async (key) => {
      const path = pathOf(key)
      if (path === undefined) return undefined
      const command = new HeadObjectCommand({ Bucket, Key: path })
      const found = await within(ANSWER_MS, (abortSignal) =>
        client.send(command, { abortSignal }),
      ).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
      if (found === undefined) return undefined
      const { ContentLength: bytes, LastModified: modified, ETag, Metadata } = found
      if (bytes === undefined || modified === undefined || ETag === undefined)
        throw problem(FOREIGN)
      const sha256 = Metadata?.[CHECKSUM]
      return {
        bytes,
        modified,
        ...(sha256 !== undefined && { sha256 }),
        read: (range) => read(path, bytes, range),
      }
    },
    remove: async (key) => {
      const path = pathOf(key)
      if (path === undefined) return
      await removeObject(path)
      if (key.thumb !== undefined) return
      const thumbs = `${key.collection}/${key.record}/${THUMBS}${key.name}/`
      for await (const { Contents = [] } of pages(thumbs))
        for (const { Key } of Contents) if (Key !== undefined) await removeObject(Key)
    },
    list: async function* (collection) {
      for await (const { Contents = [] } of pages(collection === undefined ? '' : `${collection}/`))
        for (const { Key = '', LastModified: modified } of Contents) {
          const key = keyOf(Key)
          if (key !== undefined && modified !== undefined) yield { ...key, modified }
        }
    },
  }
}

/** Makes the checksum of the content a part of what is signed; the SDK signs streams without. */
const signContent = (command: PutObjectCommand, sha256: string): void => {
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-content-sha256'] = sha256
      return next(args)
    },
    { step: 'build', name: 'signContent' },
  )
}

const ticking = async function* (source: Readable, tick: () => void): AsyncIterable<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    tick()
    yield chunk
  }
}

const checksumOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Passes a body on, and gives up when nothing comes; a reader who takes his time is no fault. */
const paced = async function* (
  body: Readable,
  problem: (error: unknown) => DependencyError,
): AsyncIterable<Buffer> {
  let timer: NodeJS.Timeout | undefined
  const expectMore = (): void => {
    timer = setTimeout(() => body.destroy(problem('it stopped in the middle of a file')), IDLE_MS)
  }
  try {
    expectMore()
    for await (const chunk of body as AsyncIterable<Buffer>) {
      clearTimeout(timer)
      yield chunk
      expectMore()
    }
  } catch (error) {
    throw problem(error)
  } finally {
    clearTimeout(timer)
    body.destroy()
  }
}

/** What an error of the SDK tells; of its many texts only these are known to hold no secret. */
interface Told {
  readonly name?: string
  readonly code?: string
  readonly Region?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

const isMissing = (error: unknown): boolean => {
  const { name = '', $metadata } = error as Told
  return ['NotFound', 'NoSuchKey'].includes(name) && $metadata?.httpStatusCode === 404
}

/** What a person has to mend, by the codes of the protocol. */
const SENTENCES: Readonly<Record<string, (place: S3Place, told: Told) => string>> = {
  NoSuchBucket: ({ bucket }) => `there is no bucket "${bucket}": create it, or set S3_BUCKET`,
  InvalidAccessKeyId: () => 'it does not know S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: () => 'S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID',
  AccessDenied: ({ bucket }) =>
    `S3_ACCESS_KEY_ID may not use the bucket "${bucket}": let it list, read, write and delete`,
  AuthorizationHeaderMalformed: (_, { Region }) =>
    `S3_REGION is not its region${Region === undefined ? '' : ` (${Region})`}`,
  PermanentRedirect: () => 'S3_ENDPOINT is not where the bucket is',
  RequestTimeTooSkewed: () => 'its clock and that of this computer differ: set this one',
  ENOTFOUND: () => 'S3_ENDPOINT is not a known name',
}

const explain = (place: S3Place, error: unknown): DependencyError => {
  if (error instanceof DependencyError) return error
  const told: Told = typeof error === 'object' && error !== null ? error : {}
  const { name, code, $metadata } = told
  const sentence = SENTENCES[code ?? ''] ?? SENTENCES[name ?? '']
  const status = $metadata?.httpStatusCode
  const said =
    typeof error === 'string'
      ? error
      : code?.startsWith('HPE_')
        ? FOREIGN
        : (sentence?.(place, told) ??
          [status, code ?? name].filter((part) => part && part !== 'Unknown').join(' '))
  return new DependencyError(
    `The file store at ${place.endpoint} cannot be used: ${said}.`,
    sentence === undefined ? 'time' : 'person',
  )
}

/**
 * Opens the store after asking it whether it can be used as the settings have it.
 * @throws {StartupError} when a person has to mend the settings or the store; a store that is down
 *   for now is waited for
 */
export const openS3Store = async (
  place: S3Place,
  onProblem: (problem: DependencyError) => void,
): Promise<FileStore> => {
  const store = createS3Store(place)
  try {
    await store.check()
  } catch (error) {
    if (!(error instanceof DependencyError)) throw error
    if (error.mendedBy === 'person') throw new StartupError(error.message, { cause: error })
    onProblem(error)
  }
  return store
}
