import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'

import { startS3Server, type S3Server } from './s3-server.ts'

/** Direct access to a file store; paths have the form `sites/ID/NAME`. */
export interface StoredFiles {
  /** The settings that select the store. */
  readonly env: Readonly<Record<string, string>>
  /** The sorted names in a folder; empty if it does not exist. */
  names(folder: string): Promise<string[]>
  write(path: string, content: string): Promise<void>
  /** Sets the age of a file, or of all files in a folder. */
  age(path: string, minutes: number): Promise<void>
  /** Removes a file or a folder. */
  remove(path: string): Promise<void>
  /** Removes the store. */
  clear(): Promise<void>
}

/** Set for runs that repeat the file tests against S3. */
const TEST_STORE = 'VOLTLEAF_TEST_STORE'

/**
 * An empty store for a test: the data folder or, if configured for the run, S3. S3 is either a server of the tests, or
 * the one in S3_ENDPOINT and the other settings of the environment, with a bucket per test.
 * @param mustAge whether the test changes the age of files, which only stores of the tests support
 */
export const newStoredFiles = async (dataDir: string, mustAge: boolean): Promise<StoredFiles> => {
  if (process.env[TEST_STORE] !== 's3') return onDisk(dataDir)
  if (process.env['S3_ENDPOINT'] !== undefined && !mustAge) return inNewBucket()
  return inServer(await startS3Server())
}

const onDisk = (dataDir: string): StoredFiles => {
  const at = (path: string): string => join(dataDir, 'storage', path)
  return {
    env: {},
    names: async (folder) => (await readdir(at(folder)).catch((): string[] => [])).toSorted(),
    write: async (path, content) => {
      await mkdir(dirname(at(path)), { recursive: true })
      await writeFile(at(path), content)
    },
    age: async (path, minutes) => {
      const time = new Date(Date.now() - minutes * 60_000)
      await utimes(at(path), time, time)
      for (const name of await readdir(at(path)).catch(() => []))
        await utimes(join(at(path), name), time, time)
    },
    remove: (path) => rm(at(path), { recursive: true }),
    clear: async () => {},
  }
}

const inServer = (server: S3Server): StoredFiles => {
  const below = (path: string) =>
    [...server.objects].filter(([key]) => key === path || key.startsWith(`${path}/`))
  return {
    env: server.env,
    names: async (folder) => namesIn([...server.objects.keys()], folder),
    write: async (path, content) => {
      const bytes = Buffer.from(content)
      server.objects.set(path, { bytes, modified: new Date(), type: 'image/jpeg', metadata: {} })
    },
    age: async (path, minutes) => {
      for (const [, object] of below(path))
        object.modified = new Date(Date.now() - minutes * 60_000)
    },
    remove: async (path) => {
      for (const [key] of below(path)) server.objects.delete(key)
    },
    clear: () => server.stop(),
  }
}

const inNewBucket = async (): Promise<StoredFiles> => {
  const setting = (name: string): string => process.env[name] ?? ''
  const Bucket = `voltleaf-test-${randomBytes(8).toString('hex')}`
  const client = new S3Client({
    endpoint: setting('S3_ENDPOINT'),
    region: setting('S3_REGION'),
    credentials: {
      accessKeyId: setting('S3_ACCESS_KEY_ID'),
      secretAccessKey: setting('S3_SECRET_ACCESS_KEY'),
    },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  const keys = async (): Promise<string[]> => {
    const found: string[] = []
    for (let ContinuationToken: string | undefined; ;) {
      const page = await client.send(new ListObjectsV2Command({ Bucket, ContinuationToken }))
      found.push(...(page.Contents ?? []).map(({ Key }) => Key ?? ''))
      ContinuationToken = page.NextContinuationToken
      if (ContinuationToken === undefined) return found
    }
  }
  const remove = async (path: string): Promise<void> => {
    for (const Key of await keys())
      if (path === '' || Key === path || Key.startsWith(`${path}/`))
        await client.send(new DeleteObjectCommand({ Bucket, Key }))
  }
  await client.send(new CreateBucketCommand({ Bucket }))
  return {
    env: {
      S3_ENDPOINT: setting('S3_ENDPOINT'),
      S3_BUCKET: Bucket,
      S3_REGION: setting('S3_REGION'),
      S3_ACCESS_KEY_ID: setting('S3_ACCESS_KEY_ID'),
      S3_SECRET_ACCESS_KEY: setting('S3_SECRET_ACCESS_KEY'),
    },
    names: async (folder) => namesIn(await keys(), folder),
    write: async (path, content) => {
      await client.send(new PutObjectCommand({ Bucket, Key: path, Body: content }))
    },
    age: () => Promise.reject(new Error('Only a store of the tests can make files old.')),
    remove,
    clear: async () => {
      await remove('')
      await client.send(new DeleteBucketCommand({ Bucket }))
      client.destroy()
    },
  }
}

const namesIn = (keys: readonly string[], folder: string): string[] => {
  const start = folder === '' ? '' : `${folder}/`
  const below = keys.filter((key) => key.startsWith(start))
  return [...new Set(below.map((key) => key.slice(start.length).split('/')[0] ?? ''))].toSorted()
}
