import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import { MiB } from '#domain/limits.ts'

import { readParts } from '../formats/formats.ts'
import { SourceError } from '../formats/source.ts'
import { fetchSource, type FetchRequest } from './fetch.ts'
import type { FetchSettings } from './request.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A server on loopback that counts its requests. */
const serve = async (host: string) => {
  let handler: Handler = (_, response) => response.end('[]')
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    handler(request, response)
  })
  await new Promise<void>((done) => server.listen(0, host, done))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    answer: (next: Handler): void => {
      handler = next
    },
    close: () => new Promise((done) => server.close(done)),
  }
}

const server = await serve('127.0.0.1')
const other = await serve('127.0.0.1')
afterAll(() => Promise.all([server.close(), other.close()]))
beforeEach(() => {
  server.requests.length = 0
  other.requests.length = 0
})

/** Resolves the names of the tests to loopback. */
const resolve: FetchSettings['resolve'] = (hostname, done) => {
  if (hostname.endsWith('.example')) done(null, [{ address: '127.0.0.1', family: 4 }])
  else done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
}
const strict: FetchSettings = { allowsPrivate: false, userAgent: 'Test/1', resolve }
const open: FetchSettings = { ...strict, allowsPrivate: true }
const urlOf = (host: string, path = '/', port = server.port): string =>
  `http://${host}:${port}${path}`

const textOf = async (settings: FetchSettings, request: FetchRequest): Promise<string> => {
  const fetched = await fetchSource(settings, request)
  if (fetched.isUnchanged) return 'unchanged'
  let text = ''
  for await (const chunk of fetched.bytes) text += Buffer.from(chunk).toString()
  return text
}
const problemOf = async (settings: FetchSettings, request: FetchRequest): Promise<string> => {
  try {
    return await textOf(settings, request)
  } catch (error) {
    if (error instanceof SourceError) return error.problem.code
    throw error
  }
}

describe('private networks', () => {
  test.each([
    ['an address', '127.0.0.1'],
    ['a decimal address', '2130706433'],
    ['a hexadecimal address', '0x7f000001'],
    ['an octal address', '0177.0.0.1'],
    ['a short address', '127.1'],
    ['IPv4 inside IPv6', '[::ffff:127.0.0.1]'],
    ['IPv6', '[::1]'],
    ['a private network', '10.0.0.7'],
    ['the metadata of a cloud', '169.254.169.254'],
    ['a name that leads to this computer', 'feeds.example'],
  ])('%s is refused', async (_, host) => {
    expect(await problemOf(strict, { url: urlOf(host) })).toBe('url_private')
    expect(server.requests).toHaveLength(0)
  })

  test('names of this computer are also refused with the resolver of the system', async () => {
    const { resolve: _, ...ofSystem } = strict
    expect(await problemOf(ofSystem, { url: urlOf('localhost') })).toBe('url_private')
    expect(server.requests).toHaveLength(0)
  })

  test('an installation can allow private networks', async () => {
    server.answer((request, response) => response.end(request.headers['user-agent']))
    expect(await textOf(open, { url: urlOf('127.0.0.1') })).toBe('Test/1')
    expect(await textOf(open, { url: urlOf('feeds.example') })).toBe('Test/1')
  })

  test('redirects are checked like the first address', async () => {
    server.answer((_, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    )
    expect(await problemOf(open, { url: urlOf('feeds.example') })).toBe('url_invalid')

    server.requests.length = 0
    let isPublic = true
    server.answer((_, response) => {
      isPublic = false
      response.writeHead(302, { location: urlOf('feeds.example', '/next', other.port) }).end()
    })
    const once: FetchSettings = {
      ...strict,
      // The setting allows the first connection, but not the second.
      get allowsPrivate() {
        return isPublic
      },
    }
    expect(await problemOf(once, { url: urlOf('feeds.example') })).toBe('url_private')
    expect(server.requests).toHaveLength(1)
    expect(other.requests).toHaveLength(0)
  })

  test('a name is resolved once per request, and the connection uses the checked address', async () => {
    let lookups = 0
    const rebinding: FetchSettings = {
      ...open,
      resolve: (_, done) => {
        lookups += 1
        // Nothing listens at the second address.
        done(null, [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }])
      },
    }
    server.answer((_, response) => response.end('first'))
    expect(await textOf(rebinding, { url: urlOf('feeds.example') })).toBe('first')
    expect(lookups).toBe(1)

    // The next request resolves again, and is checked again.
    expect(
      await problemOf({ ...rebinding, allowsPrivate: false }, { url: urlOf('feeds.example') }),
    ).toBe('url_private')
    expect(server.requests).toHaveLength(1)
  })

  test.each(['ftp://feeds.example/a', 'file:///etc/passwd', 'data:text/csv,a', 'http://', 'x'])(
    '%s is no address of the web',
    async (url) => {
      expect(await problemOf(strict, { url })).toBe('url_invalid')
    },
  )

  test('an address with a user is invalid', async () => {
    expect(await problemOf(open, { url: `http://me:secret@127.0.0.1:${server.port}` })).toBe(
      'url_invalid',
    )
  })
})

describe('tokens', () => {
  test('OCPI tokens are tried plain, encoded and as a bearer token', async () => {
    const accepted = `Token ${Buffer.from('secret').toString('base64')}`
    server.answer(({ headers }, response) =>
      response.writeHead(headers.authorization === accepted ? 200 : 401).end('[]'),
    )
    expect(await textOf(open, { url: urlOf('feeds.example'), token: 'secret' })).toBe('[]')
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Token secret',
      accepted,
    ])
    expect(await problemOf(open, { url: urlOf('feeds.example'), token: 'wrong' })).toBe(
      'url_unauthorized',
    )
  })

  test('a token with a scheme is sent unchanged', async () => {
    server.answer(({ headers }, response) => response.end(headers.authorization))
    expect(await textOf(open, { url: urlOf('feeds.example'), token: 'Bearer abc' })).toBe(
      'Bearer abc',
    )
  })

  test('a token is sent only to the origin of the address, even after redirects and on further pages', async () => {
    other.answer((_, response) => response.end('[]'))
    server.answer((_, response) =>
      response.writeHead(307, { location: urlOf('feeds.example', '/', other.port) }).end(),
    )
    await textOf(open, { url: urlOf('feeds.example'), token: 'secret' })
    server.answer((_, response) =>
      response
        .setHeader('link', `<${urlOf('feeds.example', '/2', other.port)}>; rel="next"`)
        .end('[]'),
    )
    await textOf(open, { url: urlOf('feeds.example'), token: 'secret' })
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Token secret',
      'Token secret',
    ])
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
    ])
  })

  test('a token is not sent unencrypted to the internet', async () => {
    const request = { url: 'http://142.250.1.1/feed', token: 'secret' }
    expect(await problemOf(strict, request)).toBe('url_token_needs_https')
  })
})

test('unchanged content is not read again', async () => {
  server.answer(({ headers }, response) => {
    response.setHeader('etag', '"7"').setHeader('last-modified', 'Tue, 24 Nov 2026 10:00:00 GMT')
    response.writeHead(headers['if-none-match'] === '"7"' ? 304 : 200).end()
  })
  const fetched = await fetchSource(open, { url: urlOf('feeds.example') })
  expect(fetched).toMatchObject({
    isUnchanged: false,
    validators: { etag: '"7"', lastModified: 'Tue, 24 Nov 2026 10:00:00 GMT' },
  })
  const known = { etag: '"7"' }
  expect(await textOf(open, { url: urlOf('feeds.example'), known })).toBe('unchanged')
})

test('a 304 that answers an unconditional request is an error', async () => {
  server.answer((_request, response) => response.writeHead(304).end())
  expect(await problemOf(open, { url: urlOf('feeds.example') })).toBe('url_refused')
})

const location = (id: string) => ({
  id,
  name: id,
  coordinates: { latitude: '50.9', longitude: '6.9' },
  evses: [{ uid: id, connectors: [{ id: '1', tariff_ids: ['T1'] }] }],
})
const stationsAt = async (path: string, settings = open): Promise<readonly string[]> => {
  const fetched = await fetchSource(settings, { url: urlOf('feeds.example', path), token: 't' })
  const found: string[] = []
  if (fetched.isUnchanged) return found
  for await (const part of readParts(fetched.bytes)) {
    if ('problem' in part) found.push(part.problem.code)
    else found.push(`${part.station.reference} ${part.station.tariffs.length}`)
  }
  return found
}

/** An OCPI Sender with three locations on two pages. */
const sender: Handler = ({ url = '' }, response) => {
  const at = (path: string): string => urlOf('feeds.example', path)
  const send = (data: unknown): unknown =>
    response.end(gzipSync(JSON.stringify({ status_code: 1000, data })))
  response.setHeader('content-encoding', 'gzip')
  if (url === '/versions')
    return send([
      { version: '2.1.1', url: at('/old') },
      { version: '2.2.1', url: at('/2.2.1') },
    ])
  if (url === '/2.2.1')
    return send({
      version: '2.2.1',
      endpoints: [
        { identifier: 'locations', role: 'RECEIVER', url: at('/wrong') },
        { identifier: 'locations', role: 'SENDER', url: at('/locations') },
        { identifier: 'tariffs', role: 'SENDER', url: at('/tariffs') },
      ],
    })
  if (url === '/locations') {
    response.setHeader('link', `<${at('/locations?offset=2')}>; rel="next"`)
    return send([location('A'), location('B')])
  }
  if (url === '/locations?offset=2') return send([location('C')])
  if (url === '/tariffs') return send([{ id: 'T1', currency: 'EUR', elements: [] }])
  return response.writeHead(404).end()
}

describe('OCPI feeds', () => {
  test('all pages of the locations', async () => {
    server.answer(sender)
    expect(await stationsAt('/locations')).toEqual(['A 0', 'B 0', 'C 0'])
  })

  test.each(['/versions', '/2.2.1'])('%s leads to the locations and the tariffs', async (path) => {
    server.answer(sender)
    expect(await stationsAt(path)).toEqual(['A 0', 'B 0', 'C 0', 'A 1', 'B 1', 'C 1'])
  })

  test('a feed whose pages form a loop ends', async () => {
    server.answer((_, response) =>
      response
        .setHeader('link', `<${urlOf('feeds.example', '/again')}>; rel="next"`)
        .end(JSON.stringify([location('A')])),
    )
    expect(await stationsAt('/')).toEqual(['A 0', 'A 0'])
  })

  test('small pages that together unpack to far more than was sent are refused', async () => {
    const page = gzipSync(`[${' '.repeat(40 * MiB)}]`)
    server.answer(({ url = '' }, response) => {
      const number = Number(new URL(url, 'http://feeds.example').searchParams.get('page') ?? 1)
      response.setHeader('content-encoding', 'gzip')
      if (number < 10)
        response.setHeader(
          'link',
          `<${urlOf('feeds.example', `/?page=${number + 1}`)}>; rel="next"`,
        )
      response.end(page)
    })
    const problem = await problemOf(open, { url: urlOf('feeds.example') })
    expect(problem.slice(0, 50)).toBe('archive_too_large')
    expect(server.requests).toHaveLength(2)
  })

  test('pages with a total count but without links are read by offset', async () => {
    const all = ['A', 'B', 'C', 'D', 'E'].map((id) => ({ ...location(id), note: '"data":[{' }))
    const page: Handler = ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://feeds.example')
      const from = Number(searchParams.get('offset') ?? 0)
      if (pathname === '/stuck') response.setHeader('etag', '"1"')
      const data = pathname === '/stuck' ? all.slice(0, 2) : all.slice(from, from + 2)
      response.setHeader('x-total-count', pathname === '/short' ? '7' : '5')
      response.end(JSON.stringify({ links: [{}, {}, {}, {}, {}], data, timestamp: Math.random() }))
    }
    server.answer(page)
    expect(await stationsAt('/whole?region=north')).toEqual(['A 0', 'B 0', 'C 0', 'D 0', 'E 0'])
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/whole?region=north',
      '/whole?region=north&offset=2',
      '/whole?region=north&offset=4',
    ])
    expect(await stationsAt('/whole?offset=3')).toEqual(['D 0', 'E 0'])
    // Missing entries do not count as removed: such a feed has failed.
    expect(await problemOf(open, { url: urlOf('feeds.example', '/short') })).toBe('url_incomplete')
    expect(await problemOf(open, { url: urlOf('feeds.example', '/stuck') })).toBe('url_incomplete')
  })

  test('a conditional request is possible for a single page, but not for several', async () => {
    const validatorsOf = async (total: number) => {
      server.answer(({ url = '' }, response) =>
        response
          .setHeader('x-total-count', total)
          .setHeader('etag', '"1"')
          .end(JSON.stringify([location(url)])),
      )
      const fetched = await fetchSource(open, { url: urlOf('feeds.example') })
      if (fetched.isUnchanged) return undefined
      for await (const _ of fetched.bytes);
      return fetched.validators
    }
    expect(await validatorsOf(1)).toEqual({ etag: '"1"' })
    expect(await validatorsOf(2)).toEqual({})
  })

  test('a server without locations is reported', async () => {
    server.answer((_, response) => response.end(JSON.stringify({ data: { endpoints: [] } })))
    expect(await problemOf(open, { url: urlOf('feeds.example') })).toBe('url_without_locations')
  })

  test.each(['/', '/locations', '/2.2.1'])(
    'an error under status 200 is no end of %s',
    async (path) => {
      const failure = '{"status_code":3001,"status_message":"No","data":[]}'
      server.answer((request, response) =>
        path === '/' || request.url?.includes('offset')
          ? void response.end(failure)
          : sender(request, response),
      )
      expect(await problemOf(open, { url: urlOf('feeds.example', path) })).toBe('url_refused')
    },
  )
})

describe('failures', () => {
  test('a name that does not exist', async () => {
    expect(await problemOf(strict, { url: 'https://nowhere.invalid' })).toBe('url_not_found')
  })

  test('a port on which nothing listens', async () => {
    expect(await problemOf(open, { url: urlOf('127.0.0.1', '/', 1) })).toBe('url_unreachable')
  })

  test('a token that no header can contain', async () => {
    server.answer(({ headers }, response) =>
      response.writeHead(headers.authorization === 'Token x' ? 200 : 401).end(),
    )
    for (const token of ['Bearer “x”', 'Bearer a\nb', 'a\nb'])
      expect(await problemOf(open, { url: urlOf('feeds.example'), token })).toBe('url_unauthorized')
  })

  test('a status of 500', async () => {
    server.answer((_, response) => response.writeHead(500).end())
    expect(await problemOf(open, { url: urlOf('feeds.example') })).toBe('url_refused')
  })

  test('an endless redirect', async () => {
    server.answer((_, response) => response.writeHead(302, { location: '/again' }).end())
    expect(await problemOf(open, { url: urlOf('feeds.example') })).toBe('url_too_many_redirects')
  })

  test('a truncated response', async () => {
    server.answer((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('[{"id":')
      setImmediate(() => response.destroy())
    })
    expect(await problemOf(open, { url: urlOf('feeds.example') })).toBe('url_unreachable')
  })

  test('a server without TLS at an https address', async () => {
    const url = urlOf('127.0.0.1').replace('http:', 'https:')
    expect(await problemOf(open, { url })).toMatch(/^url_(insecure_certificate|unreachable)$/)
  })
})
