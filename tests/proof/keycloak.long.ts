import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { openChromium, type Chromium, type Page } from '../../bench/browser/chromium.ts'
import { root } from '../../scripts/process.ts'
import { needProgram } from '../../scripts/testing/programs.ts'
import { PATHS } from '../../web/paths.ts'
import { en } from '../support/english.ts'
import { freePort } from '../support/ports.ts'
import { startSecondProcess, type SecondProcess } from '../support/second-process.ts'
import { startStack, type Stack } from '../support/stack.ts'
import { countFailures, report } from './figures.ts'

// Keycloak with the realm in deploy/ signs the user of the trial in, in a browser.

const SECRET = 'the secret of a trial'
const START_MS = 600_000

interface Keycloak {
  readonly issuer: string
  close(): Promise<void>
}

/** Starts Keycloak like compose.yaml does, without a proxy. */
const startKeycloak = async (voltleafUrl: string): Promise<Keycloak> => {
  const program = await realpath(needProgram('keycloak'))
  const home = join(dirname(program), '..')
  const imported = join(home, 'data/import')
  await mkdir(imported, { recursive: true })
  await copyFile(join(root, 'deploy/keycloak-realm.json'), join(imported, 'voltleaf.json'))
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}/realms/voltleaf`
  const child = spawn(program, ['start-dev', '--import-realm', '--db=dev-mem'], {
    // Java is a child of the script.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'] ?? '',
      KC_HTTP_HOST: '127.0.0.1',
      KC_HTTP_PORT: String(port),
      KC_HOSTNAME: `http://127.0.0.1:${port}`,
      VOLTLEAF_URL: voltleafUrl,
      VOLTLEAF_SECRET: SECRET,
    },
  })
  const ended = once(child, 'exit')
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const isReady = (): Promise<boolean> =>
    fetch(`${issuer}/.well-known/openid-configuration`).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`Keycloak ended:\n${said}`)
    await sleep(200)
  }
  return {
    issuer,
    close: async () => {
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      await ended
    },
  }
}

let stack: Stack
let keycloak: Keycloak
let server: SecondProcess
let folder: string
let browser: Chromium
beforeAll(async () => {
  stack = await startStack()
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  keycloak = await startKeycloak(url)
  server = await startSecondProcess(stack, {
    PORT: port,
    PUBLIC_URL: url,
    OIDC_ISSUER: keycloak.issuer,
    OIDC_CLIENT_ID: 'voltleaf',
    OIDC_CLIENT_SECRET: SECRET,
  })
  folder = await mkdtemp(join(tmpdir(), 'voltleaf-keycloak-'))
  browser = await openChromium(folder)
}, START_MS)
afterAll(async () => {
  await report('sign-in at Keycloak', { failures: failures(), 'sign-ins': signIns })
  await browser.close()
  await server.close()
  await keycloak.close()
  await stack.close()
  await rm(folder, { recursive: true, force: true })
})

const { failures } = countFailures()
let signIns = 0

const continueToProvider = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: en.login.button('') }).click()
  await page.locator('#username').waitFor()
}

const signIn = async (page: Page): Promise<void> => {
  await continueToProvider(page)
  await page.locator('#username').fill('ada')
  await page.locator('#password').fill('trial')
  await page.locator('#kc-login').click()
  await page.waitForURL(server.url + PATHS.dashboard)
  signIns++
}

test('it signs in the user of the trial, with a verified address', async () => {
  const page = await browser.context.newPage()
  await page.goto(server.url + PATHS.login)
  await signIn(page)
  expect([...(await stack.sql`select name, email, verified from users`)]).toEqual([
    { name: 'Ada Byron', email: 'ada@example.org', verified: true },
  ])
  // After signing out it asks for the password again, and signs in to the same account.
  await page.getByRole('button', { name: en.shell.logout }).click()
  await page.locator('#kc-logout').click()
  await page.waitForURL(server.url + PATHS.login)
  await signIn(page)
  expect(await stack.sql`select from users`).toHaveLength(1)
  await page.close()
})

test('the server reports no problem with it', () => {
  expect(server.logged().filter((line) => line.includes('provider'))).toEqual([])
})
