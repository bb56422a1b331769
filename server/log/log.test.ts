import Fastify from 'fastify'
import { expect, test } from 'vitest'

import { ApiError } from '#domain/error.ts'

import { prettyLine, logOptions } from './log.ts'

const SECRET = 'hush-8472@example.org'

const logTo = () => {
  const lines: string[] = []
  const { log } = Fastify(logOptions({ level: 'info', write: (line) => lines.push(line) }))
  return { log, lines }
}

test('a line contains only the listed fields', () => {
  const { log, lines } = logTo()
  log.warn({ headers: { authorization: SECRET }, route: '/api/x', status: 500, url: SECRET }, 'a b')
  log.info(SECRET)
  log.info(`GET /api/x?filter=${SECRET}`)
  log.info({ req: { url: SECRET }, res: { headers: SECRET } }, 'done %s', SECRET)
  expect(lines.join('\n')).not.toContain('hush')
  expect(lines).toHaveLength(4)
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'warn',
    time: expect.any(String),
    route: '/api/x',
    status: 500,
    msg: 'a b',
  })
})

test('an error is logged with its type and stack, without values of the request', () => {
  const { log, lines } = logTo()
  const parse = () => JSON.parse(`{"email":"${SECRET}"`) as unknown
  let syntax: unknown
  try {
    parse()
  } catch (error) {
    syntax = error
  }
  const forged = new Error(`${SECRET}\n    at ${SECRET} (/x:1:1)`)
  const ofDatabase = Object.assign(new Error(`invalid input: "${SECRET}"`, { cause: forged }), {
    code: '22P02',
    detail: `Key (email)=(${SECRET})`,
    parameters: [SECRET],
    severity: 'ERROR',
  })
  log.error({ err: syntax }, 'request failed')
  log.error({ err: new ApiError(503, undefined, {}, { cause: ofDatabase }) }, 'request failed')
  log.error(ofDatabase)
  log.error({ err: SECRET }, 'request failed')
  const all = lines.join('\n')
  expect(all).not.toContain('hush')
  expect(all).toContain('"code":"22P02"')
  expect(all).toContain('The service is temporarily unavailable.')
  expect(all).toContain('log.test.ts:')
})

test('on a terminal a line is a sentence', () => {
  const line = JSON.stringify({
    level: 'warn',
    time: '2026-11-20T09:30:00.000Z',
    request: 'abc',
    err: { type: 'Error', code: 'ENOENT', stack: ['x (y:1:2)'] },
    msg: 'removed files could not be deleted',
  })
  expect(prettyLine(line)).toBe(
    '09:30:00 warn  removed files could not be deleted: Error (ENOENT) request=abc',
  )
})
