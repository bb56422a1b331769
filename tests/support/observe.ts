import { expect } from 'vitest'

import { isBackground } from './statements.ts'

/** Everything observable in a response except its time and request id, and the cost of the request on the server. */
export interface Observed {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
  readonly statements: number
  readonly hashes: number
}

/** Counts the server's work for a request; its stack reports to `onStatement` and `onHash`. */
export class Meter {
  readonly statements: string[] = []
  #hashes = 0

  readonly onStatement = (text: string): void => void this.statements.push(text)
  readonly onHash = (): void => void (this.#hashes += 1)

  /** Sends a request and records the observable result; times of day are ignored. */
  async observe(url: string, init: RequestInit): Promise<Observed> {
    this.statements.length = 0
    this.#hashes = 0
    const answer = await fetch(url, init)
    const body = await answer.text()
    return {
      status: answer.status,
      headers: [...answer.headers]
        .filter(([name]) => name !== 'date' && name !== 'x-request-id')
        .map((pair) => pair.join(': ')),
      body,
      statements: this.statements.filter((text) => !isBackground(text)).length,
      hashes: this.#hashes,
    }
  }
}

/** A JSON body, as the SDK sends it. */
export const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Asserts that all observations are the same and cost the same. */
export const expectAlike = (observed: readonly Observed[]): void => {
  const [first, ...others] = observed
  expect(others.length).toBeGreaterThan(0)
  for (const other of others) expect(other).toEqual(first)
}
