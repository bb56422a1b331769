import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import { needProgram } from '../../scripts/testing/programs.ts'
import { freePort } from './ports.ts'

/** A window of WebKitGTK, the engine of Safari, driven by WebDriver (W3C). Like a private window, it forgets everything. */
export interface WebKit {
  visit(url: string): Promise<void>
  reload(): Promise<void>
  /** The URL of the page. */
  url(): Promise<string>
  /** The text that the page shows. */
  text(): Promise<string>
  /** Clicks the visible link, button or option whose name contains `name`, once there is one. */
  click(name: string): Promise<void>
  /** Types into the field with this name, in place of its content. */
  fill(name: string, value: string): Promise<void>
  /** Chooses files for an input, by their paths. */
  upload(id: string, ...paths: readonly string[]): Promise<void>
  /** Runs a function body in the page. */
  run(body: string, ...args: readonly unknown[]): Promise<unknown>
  /** The uncaught errors since the page was loaded. */
  errors(): Promise<readonly string[]>
  close(): Promise<void>
}

/** The key of an element reference (WebDriver, section 12). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** How long the page may take until it shows an element. */
const WAIT_MS = 20_000

/** Opens WebKit on a display of its own. */
export const openWebKit = async (): Promise<WebKit> => {
  const display = spawn(needProgram('Xvfb'), ['-displayfd', '1', '-screen', '0', '1440x900x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = (await once(display.stdout, 'data')) as [Buffer]
  const port = await freePort()
  const driver = spawn(needProgram('WebKitWebDriver'), [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: `:${String(number).trim()}`,
      // Containers allow no sandbox inside their own.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  })
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
  const isReady = () => ask('GET', '/status').then(Boolean, () => false)
  while (!(await isReady())) await sleep(100)
  const capabilities = { alwaysMatch: { unhandledPromptBehavior: 'accept' } }
  const { sessionId } = (await ask('POST', '/session', { capabilities })) as { sessionId: string }
  const session = `/session/${sessionId}`

  const run: WebKit['run'] = (script, ...args) =>
    ask('POST', `${session}/execute/sync`, { script, args })
  /** The id of the element that a function body returns, once it returns one. */
  const find = async (what: string, body: string, ...args: readonly unknown[]): Promise<string> => {
    const until = performance.now() + WAIT_MS
    while (performance.now() < until) {
      const found = (await run(body, ...args)) as Record<string, string> | null
      if (found !== null) return found[ELEMENT] ?? ''
      await sleep(100)
    }
    throw new Error(`There is no ${what} on the page:\n${await text()}`)
  }
  const text = async (): Promise<string> => String(await run('return document.body.innerText'))
  const act = (id: string, action: string, body: object = {}) =>
    ask('POST', `${session}/element/${id}/${action}`, body)
  const byId = (id: string) => find(id, 'return document.getElementById(arguments[0])', id)

  return {
    run,
    text,
    visit: async (url) => {
      await ask('POST', `${session}/url`, { url })
      await run(ERRORS)
    },
    reload: async () => {
      await ask('POST', `${session}/refresh`, {})
      await run(ERRORS)
    },
    url: async () => String(await ask('GET', `${session}/url`)),
    click: async (name) => void (await act(await find(`"${name}"`, BY_NAME, name), 'click')),
    fill: async (name, value) => {
      const id = await find(name, BY_FIELD_NAME, name)
      await act(id, 'clear')
      await act(id, 'value', { text: value })
    },
    upload: async (id, ...paths) =>
      void (await act(await byId(id), 'value', { text: paths.join('\n') })),
    errors: async () => (await run(ERRORS)) as readonly string[],
    close: async () => {
      await ask('DELETE', session)
      const ended = Promise.all([once(driver, 'exit'), once(display, 'exit')])
      driver.kill()
      display.kill()
      await ended
    },
  }
}

/** The first visible control whose label or text contains a name; in the middle of the window, clear of floating bars. */
const BY_NAME = `
const controls = [...document.querySelectorAll('a, button, [role=option], [role=menuitem]')]
const found = controls.find((control) =>
  control.checkVisibility() &&
  !control.disabled &&
  ((control.getAttribute('aria-label') ?? '') + control.textContent).replaceAll('\\u00a0', ' ').includes(arguments[0]))
found?.scrollIntoView({ block: 'center' })
return found ?? null`

const BY_FIELD_NAME = `
const [found] = document.getElementsByName(arguments[0])
found?.scrollIntoView({ block: 'center' })
return found ?? null`

/** Starts to record the uncaught errors of a page, and returns them. */
const ERRORS = `
window.uncaught ??= []
if (!window.records) {
  window.records = true
  addEventListener('error', ({ message }) => window.uncaught.push(message))
  addEventListener('unhandledrejection', ({ reason }) => window.uncaught.push(String(reason)))
}
return window.uncaught.filter((message) => !message.startsWith('ResizeObserver loop'))`
