import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { SERVICE_API } from '#domain/paths.ts'

import { times } from '../proof/figures.ts'
import { FORM_TYPE, malformedForms, type MalformedForm } from '../support/malformed-forms.ts'
import { newOwnerWithSite } from '../support/owner.ts'
import { head, openRaw } from '../support/raw.ts'
import { FAULTY, startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'

// No input ends the process: no body, at any route and truncated at any byte, and no error without a listener.

let stack: Stack
let server: SecondProcess
let owner: Awaited<ReturnType<typeof newOwnerWithSite>>
beforeAll(async () => {
  stack = await startStack()
  owner = await newOwnerWithSite(stack.url)
  // A heap that the garbage of 10,000 requests would overflow.
  server = await startSecondProcess(stack, {
    NODE_OPTIONS: `${FAULTY.NODE_OPTIONS} --max-old-space-size=96`,
  })
})
afterAll(async () => {
  await server.close()
  await stack.close()
})

interface Route {
  readonly method: string
  readonly path: string
}

/** Every route that reads a body, according to the server's own description, with one collection of each kind. */
const routesWithBody = async (): Promise<readonly Route[]> => {
  const { paths } = (await (await fetch(server.url + SERVICE_API.openapi)).json()) as {
    paths: Record<string, Record<string, { requestBody?: object }>>
  }
  const isOfOthers = (path: string): boolean =>
    /_superusers|(users|businesses|connectors).records/.test(path)
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(isOfOthers(path) ? {} : operations)
      .filter(([, { requestBody }]) => requestBody !== undefined)
      .map(([method]) => ({
        method: method.toUpperCase(),
        path: path.replace('{id}', owner.site.id),
      })),
  )
}

const send = async ({ method, path }: Route, { body }: MalformedForm): Promise<number> => {
  const answer = await fetch(server.url + path, {
    method,
    headers: { authorization: owner.client.authStore.token, 'content-type': FORM_TYPE },
    body: new Uint8Array(body),
  })
  await answer.arrayBuffer()
  return answer.status
}

const uploadsUnderWay = async (): Promise<string | undefined> => {
  const text = await (await fetch(server.url + SERVICE_API.metrics)).text()
  return /^voltleaf_http_in_flight\{kind="upload"\} (.*)$/m.exec(text)?.[1]
}

/** The server is alive, has no temporary files or pending uploads, and logged no unexpected errors. */
const expectUnharmed = async (): Promise<void> => {
  await expect.poll(() => readdir(join(stack.dataDir, 'tmp'))).toEqual([])
  await expect.poll(uploadsUnderWay).toBe('0')
  expect(server.logged().filter((line) => line.includes('"level":"error"'))).toEqual([])
}

const FORMS = 10_000
/** The short run sends only every n-th form, of every kind. */
const EVERY = times(10, 1)

test(`${FORMS / EVERY} malformed forms at every route that reads a body`, async () => {
  const routes = await routesWithBody()
  const all = [...malformedForms(Math.ceil(FORMS / routes.length))]
  // Shared by all workers.
  const forms = all.filter((_, i) => i % EVERY === 0).values()
  const wrong: string[] = []
  let sent = 0
  const worker = async (): Promise<void> => {
    for (const form of forms)
      for (const route of routes) {
        const status = await send(route, form)
        sent += 1
        if (form.isCut ? status !== 400 : status >= 500)
          wrong.push(`${route.method} ${route.path}: ${form.name}: ${status}`)
      }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  expect(wrong).toEqual([])
  expect(routes.length).toBeGreaterThan(8)
  expect(sent).toBeGreaterThanOrEqual(FORMS / EVERY)
  await expectUnharmed()
})

test('bodies that are longer or shorter than their Content-Length', async () => {
  const outcomes = new Set<string>()
  for (const route of await routesWithBody())
    for (const form of [...malformedForms(700)].filter((_, i) => i % (20 * EVERY) === 0))
      for (const difference of [-7, 7, 1_000_000]) {
        const connection = await openRaw(server.url)
        const length = Math.max(0, form.body.length + difference)
        connection.send(
          head(route.method, route.path, { 'content-type': FORM_TYPE, 'content-length': length }),
        )
        connection.send(form.body)
        connection.socket.end()
        outcomes.add((await connection.ended()).slice(0, 12))
      }
  // A request that is aborted before its body arrives may get no response.
  const told = [...outcomes].filter((outcome) => outcome !== '')
  expect(told.filter((outcome) => !outcome.startsWith('HTTP/1.1 4'))).toEqual([])
  expect(told).toContain('HTTP/1.1 400')
  await expectUnharmed()
})

test('a connection that is reset right after an upgrade', async () => {
  for (let i = 0; i < 20; i += 1) {
    const connection = await openRaw(server.url)
    connection.send('CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n')
    connection.socket.resetAndDestroy()
  }
  await expectUnharmed()
})

// Last, because these log errors.
test.each(['an error event', 'a rejection', 'a timer'] as const)(
  '%s without a listener is logged and counted, and the process survives',
  async (uncaught) => {
    const told = () =>
      server.logged().filter((line) => line.includes('"msg":"uncaught error"')).length
    const before = told()
    await server.fail({ uncaught })
    await expect.poll(told).toBe(before + 1)
    const metrics = await (await fetch(server.url + SERVICE_API.metrics)).text()
    expect(metrics).toContain(`voltleaf_uncaught_errors_total ${before + 1}\n`)
  },
)
