import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { readConfig } from '../../server/config.ts'
import { openFileStore } from '../../server/files/store.ts'
import { StartupError } from '../../server/problem.ts'
import { countFailures, report } from '../proof/figures.ts'
import { makePhoto } from '../support/images.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { startS3Server, type S3Fault, type S3Server } from '../support/s3-server.ts'
import { startSecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'

// Requests for files while the store fails, and starts with invalid settings. The file tests also run against S3.

let s3: S3Server
let stack: Stack
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
let photo: string
let content: string
beforeAll(async () => {
  s3 = await startS3Server()
  stack = await startStack({ env: s3.env })
  owner = await newOwnerWithSite(stack.url)
  const site = await owner.client
    .collection('sites')
    .update(owner.site.id, { photos: [await makePhoto('here.png', { type: 'png' })] })
  photo = `${stack.url}/api/files/sites/${site.id}/${String(site['photos'][0])}`
  content = await (await fetch(photo)).text()
})
afterAll(async () => {
  await stack.close()
  await s3.stop()
})

const upload = async (): Promise<Response> => {
  const form = new FormData()
  form.append('photos', await makePhoto('new.jpg'))
  return fetch(`${stack.url}/api/collections/sites/records/${owner.site.id}`, {
    method: 'PATCH',
    headers: { authorization: owner.client.authStore.token },
    body: form,
  })
}

const photosOf = async (): Promise<number> =>
  ((await owner.client.collection('sites').getOne(owner.site.id))['photos'] as string[]).length

describe('a fault of the store', () => {
  const { failures } = countFailures()
  let cells = 0
  afterAll(() =>
    report('Faults of the S3 store', { failures: failures(), faults: cases.length + 4, cells }),
  )
  const cases: readonly (readonly [string, S3Fault | 'refused'])[] = [
    ['is refused', 'refused'],
    ['is reset', 'reset'],
    ['gets a web page', 'garbage'],
    ['gets a response that is not HTTP', 'noise'],
    ['is told to retry later', 'busy'],
    ['gets no response', 'silent'],
  ]
  test.each(cases)(
    'if a request to the store %s, files get 503, and recover afterwards',
    async (_, fault) => {
      const before = await photosOf()
      const logged = stack.logged.length
      if (fault === 'refused') await s3.stop()
      else s3.fault = fault
      const answers = await Promise.all([
        fetch(photo),
        fetch(photo, { method: 'HEAD' }),
        fetch(photo, { headers: { range: 'bytes=0-9' } }),
        fetch(`${photo}?thumb=100x100`),
        upload(),
      ])
      cells += answers.length
      for (const answer of answers) {
        expect(answer.status).toBe(503)
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      }
      expect(await answers[0]?.json()).toMatchObject({ status: 503, data: {} })
      expect(await photosOf()).toBe(before)

      if (fault === 'refused') await s3.start()
      else s3.fault = undefined
      expect(await (await fetch(photo)).text()).toBe(content)
      expect((await upload()).status).toBe(200)
      expect(await photosOf()).toBe(before + 1)
      // Removed after the response.
      await expect.poll(() => readdir(join(stack.dataDir, 'tmp'))).toEqual([])

      // One line per request, with the problem and without secrets.
      const lines = stack.logged.slice(logged).map((line) => JSON.parse(line) as object)
      expect(lines).toHaveLength(answers.length)
      for (const line of lines)
        expect(line).toMatchObject({
          request: expect.any(String),
          err: {
            message: expect.stringMatching(/^The file store at http:\S+ cannot be used: .+\.$/),
          },
        })
      for (const secret of ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'])
        expect(stack.logged.join('\n')).not.toContain(s3.env[secret])
    },
  )

  test('if the store is full, photos are refused and existing ones are served', async () => {
    const before = await photosOf()
    s3.fault = 'full'
    cells += 2
    const refused = await upload()
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
    expect(await (await fetch(photo)).text()).toBe(content)
    s3.fault = undefined
    expect((await upload()).status).toBe(200)
    expect(await photosOf()).toBe(before + 1)
  })

  test.each(['cut', 'stall'] as const)('a body that is %s aborts the response', async (fault) => {
    const logged = stack.logged.length
    cells++
    s3.fault = fault
    await expect(fetch(photo).then((answer) => answer.text())).rejects.toThrow('terminated')
    s3.fault = undefined
    expect(await (await fetch(photo)).text()).toBe(content)
    // The broken connection is closed; one per concurrent request is kept alive.
    expect(await s3.connections()).toBeLessThan(12)
    expect(
      stack.logged.slice(logged).filter((line) => line.includes('"level":"error"')),
    ).toHaveLength(0)
  })

  test('a wrong local clock is corrected by the store’s', async () => {
    cells += 2
    s3.skewMs = 60 * 60_000
    expect((await upload()).status).toBe(200)
    expect((await fetch(photo)).status).toBe(200)
    s3.skewMs = 0
    await expect.poll(async () => (await fetch(photo)).status).toBe(200)
  })
})

describe('at the start', () => {
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{ S3_BUCKET: 'another' }, 'there is no bucket "another": create it, or set S3_BUCKET'],
    [{ S3_ACCESS_KEY_ID: 'stranger' }, 'it does not recognise S3_ACCESS_KEY_ID'],
    [
      { S3_SECRET_ACCESS_KEY: 'not the one' },
      'S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID',
    ],
    [{ S3_REGION: 'us-east-1' }, 'S3_REGION is not its region (eu-test-1)'],
    [{ S3_ENDPOINT: 'http://s3.invalid' }, 'the host name in S3_ENDPOINT does not exist'],
  ]
  test.each(cases)('%o is reported in one sentence', async (env, sentence) => {
    const config = readConfig({ ...s3.env, ...env, DATA_DIR: stack.dataDir })
    await expect(openFileStore(config, () => {})).rejects.toThrow(
      new StartupError(
        `The file store at ${config.s3?.endpoint ?? ''} cannot be used: ${sentence}.`,
      ),
    )
  })

  test('the server prints a sentence and exits', async () => {
    await expect(startSecondProcess(stack, { S3_BUCKET: 'another' })).rejects.toThrow(
      /^It ended before it was ready:\nThe file store at http:\S+ cannot be used: there is no bucket "another": .+\.$/,
    )
  })

  test('the server starts while the store is down', async () => {
    await s3.stop()
    const late = await startSecondProcess(stack)
    expect((await fetch(photo.replace(stack.url, late.url))).status).toBe(503)
    await s3.start()
    expect((await fetch(photo.replace(stack.url, late.url))).status).toBe(200)
    await late.close()
    expect(late.logged()[0]).toMatch(/The file store at http:\S+ cannot be used: ECONNREFUSED\./)
  })
})

test('the test store accepts only valid signatures', async () => {
  const { S3_ENDPOINT: endpoint = '', S3_BUCKET: Bucket = '', S3_REGION: region = '' } = s3.env
  expect((await fetch(`${endpoint}/${Bucket}/sites/a/b`)).status).toBe(403)
  const client = new S3Client({
    endpoint,
    region,
    credentials: {
      accessKeyId: s3.env['S3_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: s3.env['S3_SECRET_ACCESS_KEY'] ?? '',
    },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    maxAttempts: 1,
  })
  const put = (change: (request: { body: string; headers: Record<string, string> }) => void) => {
    const command = new PutObjectCommand({ Bucket, Key: 'sites/a/b', Body: 'as it was signed' })
    // After signing.
    command.middlewareStack.add(
      (next) => (args) => {
        change(args.request as never)
        return next(args)
      },
      { step: 'deserialize', priority: 'low' },
    )
    return client.send(command)
  }
  await put(() => {})
  expect(s3.objects.get('sites/a/b')?.bytes.toString()).toBe('as it was signed')
  await expect(
    put((request) => {
      request.body = 'as it was forged'
    }),
  ).rejects.toMatchObject({ name: 'XAmzContentSHA256Mismatch' })
  await expect(
    put(({ headers }) => {
      headers['x-amz-meta-sha256'] = 'forged'
    }),
  ).rejects.toMatchObject({ name: 'AccessDenied' })
  await expect(
    put(({ headers }) => {
      headers['x-amz-date'] = '20200101T000000Z'
    }),
  ).rejects.toMatchObject({ name: 'RequestTimeTooSkewed' })
  s3.objects.delete('sites/a/b')
  client.destroy()
})
