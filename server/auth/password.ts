import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'

import { createConcurrencyLimiter } from '../concurrency.ts'

/** Hashes passwords with argon2id. A concurrency limit bounds the memory. */
export interface Passwords {
  /** The hash includes its parameters and salt. @throws ApiError 503 if the queue is full */
  hash(password: string): Promise<string>
  /**
   * Whether a password matches a hash. Without a hash one is computed anyway, so that an unknown account takes as
   * long as an existing one.
   * @throws ApiError 503 if the queue is full
   */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

export interface PasswordsDeps {
  /** Called for each computed hash; for tests that count them. */
  readonly onHash?: (() => void) | undefined
}

/** OWASP's first recommendation for argon2id: memory in KiB. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Two cores; each hash holds its memory while it runs. */
const CONCURRENCY = 2
/** About two seconds of work. */
const MAX_QUEUE = 100

type Cost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>

interface Stored {
  readonly cost: Cost
  readonly salt: Buffer
  readonly hash: Buffer
}

export const createPasswords = ({ onHash }: PasswordsDeps = {}): Passwords => {
  const limiter = createConcurrencyLimiter({ concurrency: CONCURRENCY, maxQueue: MAX_QUEUE })
  // A hash that no password has, to compare with if there is no account.
  const nobody: Stored = {
    cost: COST,
    salt: randomBytes(SALT_BYTES),
    hash: randomBytes(HASH_BYTES),
  }
  const run = (password: string, cost: Cost, salt: Buffer, bytes: number): Promise<Buffer> =>
    limiter.run(() => {
      onHash?.()
      return derive(password, cost, salt, bytes)
    })
  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES)
      return format({ cost: COST, salt, hash: await run(password, COST, salt, HASH_BYTES) })
    },
    verify: async (password, hash) => {
      const known = hash === undefined ? undefined : parse(hash)
      const { cost, salt, hash: wanted } = known ?? nobody
      const found = await run(password, cost, salt, wanted.length)
      return timingSafeEqual(found, wanted) && known !== undefined
    },
  }
}

const derive = (password: string, cost: Cost, salt: Buffer, bytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parameters = { message: password, nonce: salt, tagLength: bytes, ...cost }
    argon2('argon2id', parameters, (error, hash) => (error ? reject(error) : resolve(hash)))
  })

/** The PHC string format, which other programs read and write. */
const format = ({ cost, salt, hash }: Stored): string =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`

const FORMAT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const parse = (text: string): Stored | undefined => {
  const [, memory, passes, parallelism, salt, hash] = FORMAT.exec(text) ?? []
  if (salt === undefined || hash === undefined) return undefined
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
