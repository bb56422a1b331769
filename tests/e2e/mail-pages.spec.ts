import PocketBase from 'pocketbase'

import { en } from '../support/english.ts'
import { CONSENT_KEY } from '../../web/analytics/keys.ts'
import de from '../../web/messages/de/account.ts'
import { PATHS } from '../../web/paths.ts'
import { receiveMail, type ReceivedMail } from '../support/mails.ts'
import {
  newPasswordUser,
  newSuperuser,
  PASSWORD,
  signInWithPassword,
  type Account,
} from '../support/superuser.ts'
import { startCountly } from './countly.ts'
import { test, expect, type Owner, type Stack } from './driver.ts'

// The pages that mails link to, opened with links from the outbox files.

const text = en.account
const NEXT = 'quite another password'
const TOMORROW = new Date(Date.now() + 25 * 60 * 60 * 1000)

/** A user with a password and an unverified address. */
const newUser = async (stack: Stack): Promise<Account> =>
  newPasswordUser(stack, await newSuperuser(stack))

const askForPassword = async (stack: Stack, user: Account): Promise<ReceivedMail> => {
  await new PocketBase(stack.url).collection('users').requestPasswordReset(user.email)
  return receiveMail(stack, user.email)
}

const askForConfirmation = async (stack: Stack, user: Account): Promise<ReceivedMail> => {
  await new PocketBase(stack.url).collection('users').requestVerification(user.email)
  return receiveMail(stack, user.email)
}

const passwordField = (owner: Owner, label: string = text.newPassword) =>
  owner.page.getByLabel(label, { exact: true })

const fill = async (owner: Owner, password: string, repeated = password): Promise<void> => {
  await passwordField(owner).fill(password)
  await passwordField(owner, text.repeatPassword).fill(repeated)
  await owner.page.getByRole('button', { name: text.savePassword }).click()
}

const expectHeading = (owner: Owner, heading: string): Promise<void> =>
  expect(owner.page.getByRole('heading', { name: heading, level: 2 })).toBeVisible()

test('a link sets a new password once @once', async ({ owner, stack }) => {
  const user = await newUser(stack)
  const mail = await askForPassword(stack, user)
  await owner.page.goto(mail.link)
  await owner.expectTitle(en.titles.newPassword)
  await expect(owner.page.getByText(text.newPasswordFor(user.email))).toBeVisible()
  // The token is removed from the address bar.
  await owner.expectPath(PATHS.newPassword)
  await owner.expectNoViolations()

  await fill(owner, 'short', 'shirt')
  await expect(owner.page.getByText('Use at least 8 characters')).toBeVisible()
  await expect(owner.page.getByText(text.passwordsDiffer)).toBeVisible()
  await expect(passwordField(owner)).toBeFocused()
  await owner.expectNoViolations()

  // A reload keeps the token.
  await owner.reload()
  await fill(owner, NEXT)
  await expectHeading(owner, text.passwordSetTitle)
  await owner.expectNoViolations()
  const client = await signInWithPassword(stack.url, user.email, NEXT)
  expect(client.authStore.record?.['verified']).toBe(true)
  await expect(user.client.collection('users').authRefresh()).rejects.toMatchObject({ status: 401 })

  // The confirmation survives a reload, and the link cannot be used again.
  await owner.reload()
  await expectHeading(owner, text.passwordSetTitle)
  owner.watch.expectFailure(`${stack.url}/api/collections/_pb_users_auth_/confirm-password-reset`)
  await owner.page.goto(mail.link)
  await fill(owner, 'a third password')
  await expectHeading(owner, text.usedTitle)
  await expect(owner.page.getByText(text.usedForPassword)).toBeVisible()
  await signInWithPassword(stack.url, user.email, NEXT)
})

test('opening the link confirms the address, once @once', async ({ owner, stack }) => {
  const user = await newUser(stack)
  const mail = await askForConfirmation(stack, user)
  await owner.page.goto(mail.link)
  await owner.expectTitle(en.titles.confirmAddress)
  await expectHeading(owner, text.confirmedTitle)
  await owner.expectPath(PATHS.confirmAddress)
  await owner.expectNoViolations()
  const client = await signInWithPassword(stack.url, user.email, PASSWORD)
  expect(client.authStore.record?.['verified']).toBe(true)
  await owner.reload()
  await expectHeading(owner, text.confirmedTitle)

  owner.watch.expectFailure(`${stack.url}/api/collections/_pb_users_auth_/confirm-verification`)
  await owner.page.goto(mail.link)
  await expectHeading(owner, text.usedTitle)
  await expect(owner.page.getByText(text.usedForAddress)).toBeVisible()
  await owner.expectNoViolations()
})

test('the confirmation is sent once, and only by a script @once', async ({ owner, stack }) => {
  const user = await newUser(stack)
  const mail = await askForConfirmation(stack, user)
  // Some mail programs fetch linked pages without running scripts.
  expect((await fetch(mail.link)).status).toBe(200)
  const sent: string[] = []
  owner.page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await owner.page.goto(mail.link)
  await expectHeading(owner, text.confirmedTitle)
  expect(sent).toEqual(['/api/collections/_pb_users_auth_/confirm-verification'])
})

test('expired and truncated links @once', async ({ owner, stack }) => {
  const user = await newUser(stack)
  const password = await askForPassword(stack, user)
  await new PocketBase(stack.url).collection('users').requestVerification(user.email)
  const confirmation = await receiveMail(stack, user.email, 2)
  await owner.page.clock.setFixedTime(TOMORROW)
  // Sets the clock of the server to that of the device.
  await owner.page.route('**/auth-methods', (route) =>
    route.fulfill({ headers: { date: TOMORROW.toUTCString() } }),
  )
  for (const { link } of [password, confirmation]) {
    await owner.page.goto(link)
    await expectHeading(owner, text.expiredTitle)
  }
  await owner.page.goto(confirmation.link.slice(0, -120))
  await expectHeading(owner, text.brokenTitle)
  await owner.visit(PATHS.newPassword)
  await expectHeading(owner, text.brokenTitle)
})

test('a device whose clock is a day fast can use links @once', async ({ owner, stack }) => {
  const user = await newUser(stack)
  const password = await askForPassword(stack, user)
  await new PocketBase(stack.url).collection('users').requestVerification(user.email)
  const confirmation = await receiveMail(stack, user.email, 2)
  await owner.page.clock.setFixedTime(TOMORROW)
  await owner.page.goto(confirmation.link)
  await expectHeading(owner, text.confirmedTitle)
  await owner.page.goto(password.link)
  await fill(owner, NEXT)
  await expectHeading(owner, text.passwordSetTitle)
})

test('a request to a server that does not answer can be retried @once', async ({
  owner,
  stack,
}) => {
  const user = await newUser(stack)
  const mail = await askForConfirmation(stack, user)
  await owner.failNext('POST', /confirm-verification$/, 'cut off')
  await owner.page.goto(mail.link)
  await expect(owner.page.getByText(en.problems.offline)).toBeVisible()
  await owner.expectNoViolations()
  await owner.page.getByRole('button', { name: en.actions.retry }).click()
  await expectHeading(owner, text.confirmedTitle)
})

test('below a base path, in German; the analytics never see the token @once', async ({
  owner,
  openStack,
  browser,
}) => {
  const countly = await startCountly()
  const context = await browser.newContext({ locale: 'de-DE' })
  try {
    const stack = await openStack({
      PUBLIC_URL: 'http://127.0.0.1:0/ev',
      ANALYTICS_HOST: countly.url,
      ANALYTICS_APP_KEY: 'key',
    })
    const user = await newUser(stack)
    await fetch(`${stack.url}/api/collections/users/request-verification`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'de' },
      body: JSON.stringify({ email: user.email }),
    })
    const mail = await receiveMail(stack, user.email)
    expect(mail.link).toContain('/ev/auth/confirm-verification/')
    expect(mail.text).toContain('Adresse')
    await context.addInitScript((key) => localStorage.setItem(key, 'yes'), CONSENT_KEY)
    const page = await context.newPage()
    await page.goto(mail.link)
    await expect(page.getByRole('heading', { name: de.account.confirmedTitle })).toBeVisible()
    await expect(page).toHaveURL(`${stack.url}${PATHS.confirmAddress}`)
    const device = () => page.evaluate(() => localStorage.getItem('key/cly_id'))
    await expect.poll(device).not.toBeNull()
    const reports = async () => countly.reports((await device()) ?? '')
    await expect
      .poll(async () => JSON.stringify(await reports()))
      .toContain(`/ev${PATHS.confirmAddress}`)
    const signature = mail.token.split('.')[2] ?? ''
    expect(JSON.stringify(await reports())).not.toContain(signature)
    // The other browser has sent no analytics request.
    expect(owner.watch.requested()).toEqual([])
  } finally {
    await context.close()
    await countly.close()
  }
})
