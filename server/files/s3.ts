import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'

import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3'

import type { S3Settings } from '../config.ts'
import { checksumOf } from '../local-file.ts'
import { StartupError, DependencyError } from '../problem.ts'
import { keyOf, pathOf, storedType, THUMBS, type FileStore, type StoredFile } from './files.ts'

const CONNECT_TIMEOUT_MS = 2_000
/** Timeout until the first byte of a response. */
const ANSWER_TIMEOUT_MS = 5_000
/** Timeout between two chunks of a file that is read. */
const READ_IDLE_TIMEOUT_MS = 5_000
/** Timeout since the last chunk of a file that is sent. */
const PUT_IDLE_TIMEOUT_MS = 10_000

/** The errors of the SDK contain everything that it logs. */
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** The response does not come from an S3 store. */
const FOREIGN = 'its response is not that of an S3 store'

/** Objects carry their own checksum, so that a copy can be verified without reading it. */
const CHECKSUM = 'sha256'

/** The requests to one bucket, with their timeouts; every failure is a `DependencyError`. */
class S3Bucket {
  readonly #settings: S3Settings
  readonly #client: S3Client

  constructor(settings: S3Settings) {
    const { endpoint, region, accessKeyId, secretAccessKey } = settings
    this.#settings = settings
    this.#client = new S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      // Path-style addresses: every compatible store supports them.
      forcePathStyle: true,
      // Many compatible stores lack the SDK's own checksums; ours is in the signature.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      expectContinueHeader: false,
      logger: SILENT,
      maxAttempts: 2,
      // A slow reader makes the socket idle, which is no failure; see `paced`.
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: 0 },
    })
  }

  /** Sends a file; its checksum is part of the signed request. */
  async put(Key: string, path: string): Promise<void> {
    const { size } = await stat(path)
    const sha256 = await checksumOf(path)
    await this.#within(
      PUT_IDLE_TIMEOUT_MS,
      async (abortSignal, refresh) => {
        const Body = Readable.from(ticking(createReadStream(path), refresh), { objectMode: false })
        const command = new PutObjectCommand({
          Bucket: this.#settings.bucket,
          Key,
          ContentLength: size,
          ContentType: storedType(Key),
          Metadata: { [CHECKSUM]: sha256 },
          Body,
        })
        signContent(command, sha256)
        try {
          const unreadable = new Promise<never>((_, reject) => Body.once('error', reject))
          const sent = this.#client.send(command, { abortSignal })
          const { ETag } = await Promise.race([sent, unreadable])
          if (ETag === undefined) throw this.#problem(FOREIGN)
        } finally {
          Body.destroy()
        }
      },
      { again: true },
    )
  }

  /** Undefined if there is no such object. */
  async head(Key: string): Promise<StoredFile | undefined> {
    const command = new HeadObjectCommand({ Bucket: this.#settings.bucket, Key })
    const found = await this.#within(ANSWER_TIMEOUT_MS, (abortSignal) =>
      this.#client.send(command, { abortSignal }),
    ).catch((error: unknown) => {
      if (!isMissing(error)) throw error
    })
    if (found === undefined) return undefined
    const { ContentLength: bytes, LastModified: modified, ETag, Metadata } = found
    if (bytes === undefined || modified === undefined || ETag === undefined)
      throw this.#problem(FOREIGN)
    const sha256 = Metadata?.[CHECKSUM]
    return {
      bytes,
      modified,
      ...(sha256 !== undefined && { sha256 }),
      read: (range) => this.#read(Key, bytes, range),
    }
  }

  async *pages(Prefix: string, MaxKeys?: number): AsyncIterable<ListObjectsV2CommandOutput> {
    const { bucket: Bucket } = this.#settings
    for (let ContinuationToken: string | undefined; ;) {
      const command = new ListObjectsV2Command({ Bucket, Prefix, MaxKeys, ContinuationToken })
      const page = await this.#within(ANSWER_TIMEOUT_MS, (abortSignal) =>
        this.#client.send(command, { abortSignal }),
      )
      // A response from something else must not look like an empty store.
      if (page.Name !== Bucket) throw this.#problem(FOREIGN)
      yield page
      ContinuationToken = page.NextContinuationToken
      if (!page.IsTruncated || ContinuationToken === undefined) return
    }
  }

  async remove(Key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.#settings.bucket, Key })
    await this.#within(ANSWER_TIMEOUT_MS, (abortSignal) =>
      this.#client.send(command, { abortSignal }),
    )
  }

  #problem(error: unknown): DependencyError {
    return explain(this.#settings, error)
  }

  /**
   * Sends a request, and aborts it if the response does not begin within `timeoutMs`, or within that time after the
   * last call of `refresh`. With `again`, retries once what the SDK cannot retry.
   */
  async #within<T>(
    timeoutMs: number,
    send: (abortSignal: AbortSignal, refresh: () => void) => Promise<T>,
    { again = false } = {},
  ): Promise<T> {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), timeoutMs)
    const attempt = () => send(limit.signal, () => timer.refresh())
    try {
      return await attempt().catch((error: unknown) => {
        if (!again || limit.signal.aborted) throw error
        return attempt()
      })
    } catch (error) {
      if (isMissing(error)) throw error
      throw this.#problem(limit.signal.aborted ? 'it does not answer' : error)
    } finally {
      clearTimeout(timer)
    }
  }

  async #read(
    Key: string,
    bytes: number,
    range: { readonly start: number; readonly end: number } | undefined,
  ): Promise<Readable> {
    const command = new GetObjectCommand({
      Bucket: this.#settings.bucket,
      Key,
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
    })
    const { Body, ContentLength } = await this.#within(ANSWER_TIMEOUT_MS, (abortSignal) =>
      this.#client.send(command, { abortSignal }),
    ).catch((error: unknown) => {
      throw isMissing(error) ? this.#problem('the file no longer exists') : error
    })
    if (!(Body instanceof Readable)) throw this.#problem('its response has no content')
    if (ContentLength !== (range === undefined ? bytes : range.end - range.start + 1)) {
      Body.destroy()
      throw this.#problem('it did not send the requested part of the file')
    }
    return Readable.from(
      paced(Body, (error) => this.#problem(error)),
      { objectMode: false },
    )
  }
}

/**
 * Stores files as objects of a bucket: `<collection>/<record>/<name>`, and thumbnails as
 * `<collection>/<record>/thumbs_<name>/<size>_<name>`. The checksum of an upload is part of the signed request, so the
 * store accepts exactly the sent bytes or nothing.
 */
const createS3Store = (settings: S3Settings): FileStore => {
  const bucket = new S3Bucket(settings)
  return {
    place: `the bucket "${settings.bucket}" at ${settings.endpoint}`,
    check: async () => {
      // Listing needs more permissions than checking that the bucket exists, and its errors name the reason.
      for await (const _ of bucket.pages('', 1)) return
    },
    put: async (key, path) => {
      const target = pathOf(key)
      if (target === undefined) throw new TypeError('not a name that can be stored')
      await bucket.put(target, path)
    },
    open: async (key) => {
      const path = pathOf(key)
      return path === undefined ? undefined : bucket.head(path)
    },
    remove: async (key) => {
      const path = pathOf(key)
      if (path === undefined) return
      await bucket.remove(path)
      if (key.thumb !== undefined) return
      const thumbs = `${key.collection}/${key.record}/${THUMBS}${key.name}/`
      for await (const { Contents = [] } of bucket.pages(thumbs))
        for (const { Key } of Contents) if (Key !== undefined) await bucket.remove(Key)
    },
    list: async function* (collection) {
      const prefix = collection === undefined ? '' : `${collection}/`
      for await (const { Contents = [] } of bucket.pages(prefix))
        for (const { Key = '', LastModified: modified } of Contents) {
          const key = keyOf(Key)
          if (key !== undefined && modified !== undefined) yield { ...key, modified }
        }
    },
  }
}

/** Adds the checksum of the content to the signed request; the SDK signs streams without it. */
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

/** Forwards a body, and fails if the store stalls; a slow reader is no failure. */
const paced = async function* (
  body: Readable,
  problem: (error: unknown) => DependencyError,
): AsyncIterable<Buffer> {
  let timer: NodeJS.Timeout | undefined
  const expectMore = (): void => {
    timer = setTimeout(
      () => body.destroy(problem('it stopped in the middle of a file')),
      READ_IDLE_TIMEOUT_MS,
    )
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

/** The parts of an SDK error that contain no secret. */
interface S3Error {
  readonly name?: string
  readonly code?: string
  readonly Region?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

const isMissing = (error: unknown): boolean => {
  const { name = '', $metadata } = error as S3Error
  return ['NotFound', 'NoSuchKey'].includes(name) && $metadata?.httpStatusCode === 404
}

/** The remedy for the operator, by error code of S3. */
const SENTENCES: Readonly<Record<string, (place: S3Settings, error: S3Error) => string>> = {
  NoSuchBucket: ({ bucket }) => `there is no bucket "${bucket}": create it, or set S3_BUCKET`,
  InvalidAccessKeyId: () => 'it does not recognise S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: () => 'S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID',
  AccessDenied: ({ bucket }) =>
    `S3_ACCESS_KEY_ID may not use the bucket "${bucket}": let it list, read, write and delete`,
  AuthorizationHeaderMalformed: (_, { Region }) =>
    `S3_REGION is not its region${Region === undefined ? '' : ` (${Region})`}`,
  PermanentRedirect: () => 'S3_ENDPOINT is not where the bucket is',
  RequestTimeTooSkewed: () =>
    'its clock differs from the clock of this computer: set the clock here',
  ENOTFOUND: () => 'the host name in S3_ENDPOINT does not exist',
}

const explain = (place: S3Settings, error: unknown): DependencyError => {
  if (error instanceof DependencyError) return error
  const known: S3Error = typeof error === 'object' && error !== null ? error : {}
  const { name, code, $metadata } = known
  const sentence = SENTENCES[code ?? ''] ?? SENTENCES[name ?? '']
  const status = $metadata?.httpStatusCode
  const detail =
    typeof error === 'string'
      ? error
      : code?.startsWith('HPE_')
        ? FOREIGN
        : (sentence?.(place, known) ??
          [status, code ?? name].filter((part) => part && part !== 'Unknown').join(' '))
  return new DependencyError(
    `The file store at ${place.endpoint} cannot be used: ${detail}.`,
    sentence === undefined ? 'time' : 'operator',
  )
}

/**
 * Opens the store and verifies that it can be used with the settings. A store that is temporarily down is reported to
 * `onProblem`, and used once it is back.
 * @throws {StartupError} if an operator has to fix the settings or the store
 */
export const openS3Store = async (
  place: S3Settings,
  onProblem: (problem: DependencyError) => void,
): Promise<FileStore> => {
  const store = createS3Store(place)
  try {
    await store.check()
  } catch (error) {
    if (!(error instanceof DependencyError)) throw error
    if (error.remedy === 'operator') throw new StartupError(error.message, { cause: error })
    onProblem(error)
  }
  return store
}
