import { expect } from 'vitest'

/** A request, and what its response must and must not contain; `{name}` stands for a known value. */
export interface Scenario {
  readonly name: string
  /** Method and path. */
  readonly send: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, unless it is a text or a form. */
  readonly body?: object | string
  readonly status: number
  /** Fragments of the response's headers (one `name: value` per line) and body. */
  readonly has?: readonly string[]
  readonly lacks?: readonly string[]
}

/** Sends the request of a scenario and checks the response; fills in the values in `known`. */
export const expectScenario = async (
  url: string,
  scenario: Scenario,
  known: Readonly<Record<string, string>>,
): Promise<string> => {
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole)
  const [method = '', path = ''] = fill(scenario.send).split(' ')
  const { body } = scenario
  const isJson = typeof body === 'object' && !(body instanceof FormData)
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(isJson && { 'content-type': 'application/json' }),
      ...Object.fromEntries(
        Object.entries(scenario.headers ?? {}).map(([name, value]) => [name, fill(value)]),
      ),
    },
    ...(body !== undefined && {
      body:
        body instanceof FormData
          ? fillForm(body, fill)
          : fill(typeof body === 'string' ? body : JSON.stringify(body)),
    }),
  })
  const text = [...[...answer.headers].map(([name, value]) => `${name}: ${value}`), ''].join('\n')
  const whole = `${answer.status}\n${text}\n${compact(await answer.text())}`
  expect(whole).toMatch(new RegExp(`^${scenario.status}\n`))
  for (const fragment of scenario.has ?? []) expect(whole).toContain(fill(fragment))
  for (const fragment of scenario.lacks ?? []) expect(whole).not.toContain(fill(fragment))
  return whole
}

/** JSON without optional white space. */
const compact = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

const fillForm = (form: FormData, fill: (text: string) => string): FormData => {
  const filled = new FormData()
  for (const [key, value] of form)
    if (typeof value === 'string') filled.append(fill(key), fill(value))
    else filled.append(key, value)
  return filled
}

/** A form of parts, in order. */
export const formOf = (...parts: readonly (readonly [string, string | File])[]): FormData => {
  const form = new FormData()
  for (const [key, value] of parts) form.append(key, value)
  return form
}
