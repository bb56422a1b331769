import { expect } from 'vitest'

import { API } from '#domain/paths.ts'
import { SITES, USERS } from '#domain/collection.ts'

import { newOwnerWithSite } from './owner.ts'
import type { Stack } from './stack.ts'

export const AT_ONCE = 12

/**
 * Lets two users read and change their records concurrently.
 * @param requests the number of requests per user
 * @param home the stack where they sign in
 * @returns for each user, the first responses that do not belong to their request
 */
export const mixedResponses = async (
  stack: Stack,
  requests: number,
  home = stack,
): Promise<string[][]> => {
  const people = await Promise.all([newOwnerWithSite(home.url), newOwnerWithSite(home.url)])
  return Promise.all(
    people.map(async ({ client, id, business, site }) => {
      const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
        const headers = {
          authorization: client.authStore.token,
          'content-type': 'application/json',
        }
        const answer = await fetch(stack.url + path, { ...init, headers })
        const body: unknown = await answer.json()
        return answer.status === 200 ? body : `${answer.status} ${JSON.stringify(body)}`
      }
      const asks: readonly ((turn: number) => Promise<[unknown, unknown]>)[] = [
        async () => [await ask(API.record(USERS, id)), { id }],
        async () => [await ask(API.records(SITES)), { totalItems: 1, items: [{ id: site.id }] }],
        async () => [
          await ask(`${API.records(SITES)}?filter=${encodeURIComponent('name != "x"')}&sort=-name`),
          { items: [{ id: site.id, business: business.id }] },
        ],
        async () => [
          await ask(`${API.record(SITES, site.id)}?expand=business`),
          { id: site.id, expand: { business: { id: business.id, user: id } } },
        ],
        async (turn) => {
          const body = JSON.stringify({ cost: `${id} ${turn}` })
          const changed = await ask(API.record(SITES, site.id), { method: 'PATCH', body })
          return [changed, { id: site.id, cost: `${id} ${turn}` }]
        },
      ]
      const problems: string[] = []
      let turn = 0
      const work = async (): Promise<void> => {
        while (turn < requests) {
          const mine = turn++
          // Eleven reads per write.
          const kind = mine % 12 === 0 ? 4 : mine % 4
          const [answer, expected] = await asks[kind]!(mine)
          try {
            expect(answer).toMatchObject(expected as object)
          } catch {
            if (problems.length < 3) problems.push(JSON.stringify(answer))
          }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      return problems
    }),
  )
}
