import { describe, expect, test } from 'vitest'

import { toProblem } from './client.ts'
import { createPhotoMemory, inOrder, sendPhotos, type Sent } from './photo-uploads.ts'
import type { PhotoPhase } from './state.ts'

const [a, b, c] = ['a', 'b', 'c'].map((name) => new File([name], name)) as [File, File, File]

/** An error response, as the SDK throws it. */
const refusal = (status: number, data: object = {}) =>
  Object.assign(new Error(`${status}`), { status, isAbort: false, response: { data } })

/** Sends three photos. Each request, with a photo or with fields alone, meets the next of these fates. */
const run = async (fields: boolean, ...fates: readonly (Error | 'known' | 'ok')[]) => {
  const requests: string[] = []
  const phases: string[] = []
  const left = [...fates]
  const meet = (request: string): 'known' | 'ok' => {
    requests.push(request)
    const fate = left.shift() ?? 'ok'
    if (fate instanceof Error) throw fate
    return fate
  }
  const say = (phase: PhotoPhase | undefined): string =>
    phase?.at === 'failed' ? phase.problem.kind : (phase?.at ?? 'not on its way')
  const outcome = await sendPhotos({
    photos: [a, b, c],
    fields,
    send: async (photo, withFields): Promise<Sent> => {
      const fate = meet(withFields ? `${photo.name} with fields` : photo.name)
      return fate === 'known'
        ? { name: undefined, fields: false }
        : { name: `${photo.name}.jpg`, fields: withFields }
    },
    sendFields: async () => void meet('fields'),
    explain: async (error) => toProblem(error),
    watch: (photo, phase) => phases.push(`${photo.name} ${say(phase)}`),
  }).catch((error: unknown) => error as Error)
  const failed = outcome instanceof Map ? [...outcome.keys()].map(({ name }) => name) : outcome
  return { requests, phases, failed }
}

describe('photos of a stored site', () => {
  test('are sent one per request, the fields with the first, and report their progress', async () => {
    const { requests, phases, failed } = await run(true)
    expect(requests).toEqual(['a with fields', 'b', 'c'])
    expect(failed).toEqual([])
    expect(phases.join()).toBe(
      'a waiting,b waiting,c waiting,a sending,a stored,b sending,b stored,c sending,c stored',
    )
  })

  test.for([
    ['the first fails', [refusal(500)], ['a with fields', 'b with fields', 'c'], ['a']],
    ['one in the middle fails', ['ok', refusal(413)], ['a with fields', 'b', 'c'], ['b']],
    [
      'all fail',
      [refusal(500), refusal(500), refusal(500)],
      ['a with fields', 'b with fields', 'c with fields', 'fields'],
      ['a', 'b', 'c'],
    ],
    [
      'the server refuses a photo by name',
      [refusal(400, { photos: { code: 'validation_invalid_mime_type' } })],
      ['a with fields', 'b with fields', 'c'],
      ['a'],
    ],
    [
      'the answer about the fields is lost: the same request again',
      [refusal(0)],
      ['a with fields', 'a with fields', 'b', 'c'],
      [],
    ],
    ['an answer about a photo is lost', ['ok', refusal(0)], ['a with fields', 'b', 'c'], ['b']],
    [
      'the first had been stored without our knowing: the fields go on',
      ['known'],
      ['a with fields', 'b with fields', 'c'],
      [],
    ],
  ] as const)('%s', async ([, fates, requests, failed]) => {
    const outcome = await run(true, ...fates)
    expect(outcome.requests).toEqual(requests)
    expect(outcome.failed).toEqual(failed)
  })

  test.for([
    ['a conflict', [refusal(412)], ['a with fields']],
    ['fields that are refused', [refusal(400, { name: { code: 'x' } })], ['a with fields']],
    ['no network', [refusal(0), refusal(0)], ['a with fields', 'a with fields']],
    ['the end of the session', ['ok', refusal(401)], ['a with fields', 'b']],
    ['a site that is gone', ['ok', refusal(404)], ['a with fields', 'b']],
  ] as const)(
    '%s stops the remaining photos, and ends their progress',
    async ([, fates, requests]) => {
      const outcome = await run(true, ...fates)
      expect(outcome.requests).toEqual(requests)
      expect(outcome.failed).toBeInstanceOf(Error)
      expect(outcome.phases.slice(-1)).toEqual(['c not on its way'])
    },
  )

  test('are sent without fields if none changed', async () => {
    expect((await run(false, refusal(500))).requests).toEqual(['a', 'b', 'c'])
  })
})

test('a photo keeps its idempotency key until it is stored; added again later, it has a new one', () => {
  const memory = createPhotoMemory()
  const first = memory.idempotencyKey('p')
  expect(memory.idempotencyKey('p')).toBe(first)
  expect(memory.idempotencyKey('q')).not.toBe(first)
  memory.noteStored('p', 'p_1.jpg')
  expect(memory.nameOf('p')).toBe('p_1.jpg')
  expect(memory.idempotencyKey('p')).not.toBe(first)
})

test.for([
  ['abc', 'cab', 'cab'],
  ['added on another device stays, behind the others', 'abx', 'ba', 'bax'],
  ['removed on another device stays removed', 'ac', 'cba', 'ca'],
  ['nothing wanted', 'ab', '', 'ab'],
])('reordering deletes nothing and restores nothing: %s', (row) => {
  const [stored = '', wanted = '', result = ''] = row.slice(-3)
  expect(inOrder(stored.split(''), wanted === '' ? [] : wanted.split(''))).toEqual(result.split(''))
})
