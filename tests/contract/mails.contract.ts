import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import PocketBase from 'pocketbase'
import { describe, expect, test } from 'vitest'

import { API } from '#domain/paths.ts'

import { signInThroughPage } from '../../scripts/provider/sign-in.ts'
import { newOwner } from '../support/owner.ts'
import { holdLock, waitForLock } from '../support/locks.ts'
import { readMails, receiveMail } from '../support/mails.ts'
import { expectAlike, json, Meter } from '../support/observe.ts'
import { expectScenario, type Scenario } from '../support/scenario.ts'
import { startSmtp } from '../support/smtp.ts'
import { withStack } from '../support/fixtures.ts'
import { startStack } from '../support/stack.ts'
import {
  newEmail,
  newPasswordUser,
  newSuperuser,
  PASSWORD,
  signInWithPassword,
  type Account,
} from '../support/superuser.ts'

// Password resets and verifications by mail (record interface 5.6, spec 12).

const meter = new Meter()
const stack = await withStack({ onStatement: meter.onStatement, onHash: meter.onHash })
const root = await newSuperuser(stack)

const NEXT = 'quite another password'
const VALIDATING = '"message":"An error occurred while validating the submitted data."'
const REQUIRED = '"code":"validation_required","message":"Cannot be blank."'
const INVALID_TOKEN =
  '"token":{"code":"validation_invalid_token","message":"Invalid or expired token."}'

const usersOf = (url: string) => new PocketBase(url).collection('users')
const newUser = (values?: Readonly<Record<string, unknown>>): Promise<Account> =>
  newPasswordUser(stack, root, values)

/** As if the two minutes without a second mail had passed. */
const letTimePass = () =>
  stack.sql`update mail_requests set requested = now() - interval '3 minutes'`

const requests = (path: string): readonly Scenario[] => [
  {
    name: 'no address',
    send: `POST ${path}`,
    status: 400,
    has: [VALIDATING, `"email":{${REQUIRED}}`],
  },
  {
    name: 'an invalid address',
    send: `POST ${path}`,
    body: { email: 'ada at example.org' },
    status: 400,
    has: [
      VALIDATING,
      '"email":{"code":"validation_is_email","message":"Must be a valid email address."}',
    ],
  },
  {
    name: 'an address that is too long',
    send: `POST ${path}`,
    body: { email: `${'x'.repeat(250)}@example.org` },
    status: 400,
    has: [VALIDATING, '"validation_length_out_of_range"', '"params":{"min":1,"max":255}'],
  },
  {
    name: 'two addresses',
    send: `POST ${path}`,
    body: { email: ['a@example.org', 'b@example.org'] },
    status: 400,
    has: ['"message":"An error occurred while loading the submitted data."'],
  },
  {
    name: 'an unknown address',
    send: `POST ${path}`,
    body: { email: 'nobody@example.org' },
    status: 204,
    lacks: ['\ncontent-type'],
  },
]

const reset = '/api/collections/users/confirm-password-reset'
const verify = '/api/collections/users/confirm-verification'
const PASSWORDS = { password: NEXT, passwordConfirm: NEXT }
const scenarios: readonly Scenario[] = [
  ...requests('/api/collections/users/request-password-reset'),
  ...requests('/api/collections/users/request-verification'),
  ...requests('/api/collections/_superusers/request-password-reset'),
  {
    name: 'a collection without sign-in',
    send: 'POST /api/collections/sites/request-password-reset',
    body: { email: 'a@example.org' },
    status: 404,
    has: ['"message":"Missing or invalid auth collection context."'],
  },
  {
    name: 'a reset without values',
    send: `POST ${reset}`,
    status: 400,
    has: [
      VALIDATING,
      `"token":{${REQUIRED}}`,
      `"password":{${REQUIRED}}`,
      `"passwordConfirm":{${REQUIRED}}`,
    ],
  },
  {
    name: 'a reset with a malformed token, and too short a password',
    send: `POST ${reset}`,
    body: { token: 'nonsense', password: 'short', passwordConfirm: 'shirt' },
    status: 400,
    has: [
      VALIDATING,
      INVALID_TOKEN,
      '"password":{"code":"validation_length_out_of_range","message":"The length must be between 8 and 71.","params":{"min":8,"max":71}}',
      '"passwordConfirm":{"code":"validation_values_mismatch","message":"Values don\'t match."}',
    ],
  },
  {
    name: 'a reset with the token of a session',
    send: `POST ${reset}`,
    body: { token: '{session}', ...PASSWORDS },
    status: 400,
    has: [VALIDATING, INVALID_TOKEN],
  },
  {
    name: 'a verification without values',
    send: `POST ${verify}`,
    status: 400,
    has: [VALIDATING, `"token":{${REQUIRED}}`],
  },
  {
    name: 'a verification with a malformed token',
    send: `POST ${verify}`,
    body: { token: 'nonsense' },
    status: 400,
    has: [
      VALIDATING,
      '"token":{"code":"validation_invalid_token_claims","message":"Missing email token claim."}',
    ],
  },
  {
    name: 'a verification with a token signed by another key',
    send: `POST ${verify}`,
    body: { token: `${btoa('{"alg":"HS256"}')}.${btoa('{"email":"a@example.org"}')}.AAAA` },
    status: 400,
    has: [VALIDATING, INVALID_TOKEN],
  },
]
test.each(scenarios)('$send with $name', async (scenario) => {
  await expectScenario(stack.url, scenario, { session: root.client.authStore.token })
})

describe('responses do not disclose whether an account exists', () => {
  test.each([
    ['users', 'request-password-reset'],
    ['users', 'request-verification'],
    ['_superusers', 'request-password-reset'],
    ['_superusers', 'request-verification'],
  ])('%s: %s', async (collection, path) => {
    const url = `${stack.url}/api/collections/${collection}/${path}`
    const withPassword = await newUser()
    const withProvider = await newOwner(stack.url)
    const emails = [
      withPassword.email,
      newEmail('nobody'),
      // Verified by the provider, and without a password.
      withProvider.email,
      root.email,
      withPassword.email,
      newEmail('nobody'),
    ]
    for (const email of [withPassword.email, newEmail('first')]) await fetch(url, json({ email }))
    await letTimePass()
    const observed = []
    for (const email of emails) observed.push(await meter.observe(url, json({ email })))
    expectAlike(observed)
    expect(observed[0]).toMatchObject({ status: 204, body: '', statements: 1, hashes: 0 })
  })
})

describe('a new password', () => {
  /** Somebody who registers an account under any address. @returns signs in */
  const newSquatter = () => {
    const person = { name: 'Squatter', email: newEmail('squatter') }
    return (createData = {}) =>
      signInThroughPage(stack.url, person, new PocketBase(stack.url), createData)
  }

  test('by the link of a mail, once; every session ends', async () => {
    const user = await newUser()
    await usersOf(stack.url).requestPasswordReset(user.email.toUpperCase())
    const mail = await receiveMail(stack, user.email)
    expect(mail.link).toBe(`${stack.url}/auth/confirm-password-reset/${mail.token}`)
    const [, payload = ''] = mail.token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp: number }
    expect(claims).toEqual({
      id: user.id,
      type: 'passwordReset',
      collectionId: '_pb_users_auth_',
      email: user.email,
      jti: expect.any(String),
      exp: expect.any(Number),
    })
    expect(Math.abs(claims.exp - Date.now() / 1000 - 1800)).toBeLessThan(10)

    await usersOf(stack.url).confirmPasswordReset(mail.token, NEXT, NEXT)
    await expect(user.client.collection('users').authRefresh()).rejects.toMatchObject({
      status: 401,
    })
    const client = await signInWithPassword(stack.url, user.email, NEXT)
    // Receiving the mail proves ownership of the address.
    expect(client.authStore.record?.['verified']).toBe(true)
    await expect(signInWithPassword(stack.url, user.email, PASSWORD)).rejects.toMatchObject({
      status: 400,
    })
    await expect(
      usersOf(stack.url).confirmPasswordReset(mail.token, 'a third password', 'a third password'),
    ).rejects.toMatchObject({
      response: { data: { token: { code: 'validation_invalid_token' } } },
    })
    await signInWithPassword(stack.url, user.email, NEXT)
  })

  test('takes the account from somebody who registered the address before', async () => {
    const email = newEmail('owner')
    const signIn = newSquatter()
    const squatter = await signIn({ email })
    expect(squatter.record).toMatchObject({ email, verified: false })
    const squatters = squatter.client.collection('users')
    const fileToken = await squatter.client.files.getToken()
    await usersOf(stack.url).requestPasswordReset(email)
    const { token } = await receiveMail(stack, email)
    await usersOf(stack.url).confirmPasswordReset(token, NEXT, NEXT)

    const owner = await signInWithPassword(stack.url, email, NEXT)
    expect(owner.authStore.record).toMatchObject({ id: squatter.record.id, verified: true })
    await expect(squatters.authRefresh()).rejects.toMatchObject({ status: 401 })
    expect((await fetch(`${stack.url}${API.export}?token=${fileToken}`)).status).not.toBe(200)
    const again = await signIn()
    expect(again.record.id).not.toBe(squatter.record.id)
    expect(again.meta['isNew']).toBe(true)
  })

  test('ends a pending sign-in of such a person', async () => {
    const email = newEmail('owner')
    const signIn = newSquatter()
    await signIn({ email })
    await usersOf(stack.url).requestPasswordReset(email)
    const { token } = await receiveMail(stack, email)
    const release = await holdLock(
      stack.sql,
      (transaction) => transaction`lock table user_languages in exclusive mode`,
    )
    const signingIn = signIn()
    await waitForLock(stack.sql, 'into user_languages')
    const resetting = usersOf(stack.url).confirmPasswordReset(token, NEXT, NEXT)
    await Promise.race([resetting, waitForLock(stack.sql, 'into passwords')])
    await release()
    await resetting
    // It fails if the session ends before its record is read.
    await signingIn.catch(() => undefined)
    const live = await stack.sql`
      select from sessions s join users u on u.id = s."user" where u.email = ${email}`
    expect(live).toHaveLength(0)
  })

  test('for a user of the provider, who stays linked', async () => {
    const owner = await newOwner(stack.url)
    await usersOf(stack.url).requestPasswordReset(owner.email)
    const { token } = await receiveMail(stack, owner.email)
    await usersOf(stack.url).confirmPasswordReset(token, NEXT, NEXT)
    const client = await signInWithPassword(stack.url, owner.email, NEXT)
    expect(client.authStore.record?.id).toBe(owner.id)
    const links = await stack.sql`select 1 from external_auths where "user" = ${owner.id}`
    expect(links.length).toBe(1)
  })

  test('for a superuser', async () => {
    const other = await newSuperuser(stack)
    const roots = new PocketBase(stack.url).collection('_superusers')
    await roots.requestPasswordReset(other.email)
    const { token } = await receiveMail(stack, other.email)
    await expect(usersOf(stack.url).confirmPasswordReset(token, NEXT, NEXT)).rejects.toMatchObject({
      response: { data: { token: { code: 'validation_token_collection_mismatch' } } },
    })
    await roots.confirmPasswordReset(token, NEXT, NEXT)
    await signInWithPassword(stack.url, other.email, NEXT, '_superusers')
  })

  test('one of two concurrent uses of a link succeeds', async () => {
    const user = await newUser()
    await usersOf(stack.url).requestPasswordReset(user.email)
    const { token } = await receiveMail(stack, user.email)
    const passwords = [`${NEXT} 1`, `${NEXT} 2`]
    const outcomes = await Promise.allSettled(
      passwords.map((each) => usersOf(stack.url).confirmPasswordReset(token, each, each)),
    )
    const winners = passwords.filter((_, index) => outcomes[index]?.status === 'fulfilled')
    expect(winners.length).toBe(1)
    await signInWithPassword(stack.url, user.email, winners[0] ?? '')
  })

  test('expired links, links for a former address and links of deleted accounts are refused', async () => {
    const refused = { response: { data: { token: { code: 'validation_invalid_token' } } } }
    const user = await newUser()
    await usersOf(stack.url).requestPasswordReset(user.email)
    const { token } = await receiveMail(stack, user.email)
    await stack.sql`update mail_links set expires = now() where "user" = ${user.id}`
    await expect(usersOf(stack.url).confirmPasswordReset(token, NEXT, NEXT)).rejects.toMatchObject(
      refused,
    )

    await letTimePass()
    await usersOf(stack.url).requestPasswordReset(user.email)
    const second = await receiveMail(stack, user.email, 2)
    await root.client.collection('users').update(user.id, { email: newEmail('moved') })
    await expect(
      usersOf(stack.url).confirmPasswordReset(second.token, NEXT, NEXT),
    ).rejects.toMatchObject(refused)

    const other = await newUser()
    await usersOf(stack.url).requestPasswordReset(other.email)
    const third = await receiveMail(stack, other.email)
    await root.client.collection('users').delete(other.id)
    await expect(
      usersOf(stack.url).confirmPasswordReset(third.token, NEXT, NEXT),
    ).rejects.toMatchObject(refused)
  })

  test('a token works only for its purpose', async () => {
    const user = await newUser()
    await usersOf(stack.url).requestVerification(user.email)
    const { token } = await receiveMail(stack, user.email)
    await expect(usersOf(stack.url).confirmPasswordReset(token, NEXT, NEXT)).rejects.toMatchObject({
      response: { data: { token: { code: 'validation_invalid_token' } } },
    })
    expect(await usersOf(stack.url).confirmVerification(token)).toBe(true)
  })

  test('a used link costs no hash, a valid one costs one', async () => {
    const user = await newUser()
    await usersOf(stack.url).requestPasswordReset(user.email)
    const { token } = await receiveMail(stack, user.email)
    const use = () => meter.observe(`${stack.url}${reset}`, json({ token, ...PASSWORDS }))
    expect(await use()).toMatchObject({ status: 204, body: '', statements: 2, hashes: 1 })
    expect(await use()).toMatchObject({ status: 400, statements: 1, hashes: 0 })
  })
})

describe('a confirmed address', () => {
  test('by the link of a mail, once', async () => {
    const user = await newUser()
    await usersOf(stack.url).requestVerification(user.email)
    const mail = await receiveMail(stack, user.email)
    expect(mail.link).toBe(`${stack.url}/auth/confirm-verification/${mail.token}`)
    expect(await user.client.collection('users').confirmVerification(mail.token)).toBe(true)
    // The SDK has decoded the user from the token, and the session stays valid.
    expect(user.client.authStore.record?.['verified']).toBe(true)
    const { record } = await user.client.collection('users').authRefresh()
    expect(record['verified']).toBe(true)
    await expect(usersOf(stack.url).confirmVerification(mail.token)).rejects.toMatchObject({
      response: { data: { token: { code: 'validation_invalid_token' } } },
    })
    // The address is verified, so the server sends no second mail.
    await letTimePass()
    await usersOf(stack.url).requestVerification(user.email)
    await usersOf(stack.url).requestPasswordReset(user.email)
    expect((await receiveMail(stack, user.email, 2)).link).toContain('/confirm-password-reset/')
  })

  test('the second of two mails still works after the first', async () => {
    const user = await newUser()
    await usersOf(stack.url).requestVerification(user.email)
    const first = await receiveMail(stack, user.email)
    await letTimePass()
    await usersOf(stack.url).requestVerification(user.email)
    const second = await receiveMail(stack, user.email, 2)
    expect(await usersOf(stack.url).confirmVerification(first.token)).toBe(true)
    expect(await usersOf(stack.url).confirmVerification(second.token)).toBe(true)
  })

  test('removes earlier links and sessions', async () => {
    const user = await newUser()
    await stack.sql`
      insert into external_auths (provider, provider_id, "user")
      values ('https://elsewhere.example', ${user.id}, ${user.id})`
    await usersOf(stack.url).requestVerification(user.email)
    const { token } = await receiveMail(stack, user.email)
    await usersOf(stack.url).confirmVerification(token)
    const links = await stack.sql`select 1 from external_auths where "user" = ${user.id}`
    expect(links.length).toBe(0)
    await expect(user.client.collection('users').authRefresh()).rejects.toMatchObject({
      status: 401,
    })
  })

  test('not in the other collection', async () => {
    const user = await newUser()
    await usersOf(stack.url).requestVerification(user.email)
    const { token } = await receiveMail(stack, user.email)
    await expect(
      new PocketBase(stack.url).collection('_superusers').confirmVerification(token),
    ).rejects.toMatchObject({
      response: { data: { token: { code: 'validation_token_collection_mismatch' } } },
    })
  })
})

describe('mails', () => {
  test('are sent at most every two minutes to an address, across processes', async () => {
    const user = await newUser()
    const twin = await startStack({ beside: stack })
    try {
      await Promise.all(
        [stack.url, twin.url, stack.url, twin.url].map((url) =>
          usersOf(url).requestPasswordReset(user.email),
        ),
      )
      await receiveMail(stack, user.email)
      await letTimePass()
      await usersOf(twin.url).requestPasswordReset(user.email)
      await receiveMail(stack, user.email, 2)
      expect((await readMails(stack, user.email)).length).toBe(2)
    } finally {
      await twin.close()
    }
  })

  test.each([
    ['en-GB,en;q=0.9', 'Set a new Voltleaf password', 'Someone requested a new password'],
    [
      'de-AT, en;q=0.5',
      'Neues Passwort für Voltleaf festlegen',
      'wurde ein neues Passwort angefordert',
    ],
    ['pt, fr;q=0.8, en;q=0.9', 'Set a new Voltleaf password', 'Someone requested'],
    ['fr-CH', 'Nouveau mot de passe Voltleaf', 'Un nouveau mot de passe a été demandé'],
    ['es;q=0.3', 'Nueva contraseña de Voltleaf', 'Se ha pedido una contraseña nueva'],
    ['nonsense;;q=x', 'Set a new Voltleaf password', 'Someone requested a new password'],
  ])('are in the language for Accept-Language %s', async (language, subject, sentence) => {
    const user = await newUser({ name: 'Click https://evil.example now' })
    await fetch(`${stack.url}/api/collections/users/request-password-reset`, {
      ...json({ email: user.email }),
      headers: { 'content-type': 'application/json', 'accept-language': language },
    })
    const mail = await receiveMail(stack, user.email)
    expect(mail.subject).toBe(subject)
    expect(mail.text).toContain(sentence)
    expect(mail.html).toContain(`href="${mail.link}"`)
    expect(mail.html).toContain(`>${mail.link}</p>`)
    expect(mail.html).toMatch(/name="viewport"[^]*name="color-scheme"[^]*prefers-color-scheme:dark/)
    // Somebody else may have chosen the name.
    expect(mail.text + mail.html).not.toContain('evil.example')
  })

  test('are files with mode 0600, and the log names them without their secrets', async () => {
    const user = await newUser()
    await usersOf(stack.url).requestPasswordReset(user.email)
    const { token } = await receiveMail(stack, user.email)
    const folder = join(stack.dataDir, 'outbox')
    const [name = ''] = await readdir(folder)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    const log = stack.logged.join('\n')
    expect(log).toContain(join(folder, name))
    expect(log).not.toContain(token)
    expect(log).not.toContain(token.split('.')[2])
    expect(log).not.toContain(user.email)
  })

  test('are sent to SMTP_URL, and failures are only logged', async () => {
    const smtp = await startSmtp()
    const own = await startStack({
      env: { SMTP_URL: smtp.url, MAIL_FROM: 'Voltleaf <mail@voltleaf.example>' },
    })
    try {
      const admin = await newSuperuser(own)
      const user = await newPasswordUser(own, admin)
      await usersOf(own.url).requestVerification(user.email)
      await expect.poll(() => smtp.received()).toContain(`RCPT TO:<${user.email}>`)
      await expect.poll(() => smtp.received()).toContain('/auth/confirm-verification/')
      expect(smtp.received()).toContain('MAIL FROM:<mail@voltleaf.example>')
      expect(smtp.received()).toContain('Auto-Submitted: auto-generated')
      await smtp.close()
      await usersOf(own.url).requestPasswordReset(user.email)
      await expect.poll(() => own.logged.join('\n')).toContain('A mail could not be sent')
      expect(own.logged.join('\n')).not.toMatch(/eyJ|confirm-/)
    } finally {
      await smtp.close()
      await own.close()
    }
  })

  test.each([
    // The server treats 0.0.0.0 as another host; for the operating system it is the local one.
    [
      'STARTTLS is not offered',
      {},
      (url: string) => url.replace('//127.0.0.1', '//u:hush@0.0.0.0'),
      'does not offer STARTTLS',
      /^EHLO charging\.example\r\n/,
    ],
    [
      'no CA has signed the certificate',
      { tls: true },
      (url: string) => url.replace('//', '//u:hush@'),
      'NODE_EXTRA_CA_CERTS',
      /^$/,
    ],
  ])(
    'are sent without a password where %s, and the log says so',
    async (_name, options, addressOf, words, greeting) => {
      const smtp = await startSmtp(options)
      const own = await startStack({
        beside: stack,
        env: {
          SMTP_URL: addressOf(smtp.url),
          MAIL_FROM: 'mail@voltleaf.example',
          PUBLIC_URL: 'https://charging.example',
        },
      })
      try {
        const { email } = await newUser()
        await usersOf(`http://127.0.0.1:${own.config.port}`).requestVerification(email)
        await expect.poll(() => own.logged.join('\n')).toContain(words)
        expect(smtp.received()).not.toMatch(/AUTH|MAIL FROM/)
        expect(smtp.received()).toMatch(greeting)
        expect(own.logged.join('\n')).not.toContain('hush')
      } finally {
        await own.close()
        await smtp.close()
      }
    },
  )

  test('ten requests a minute for an address, however the path is spelled', async () => {
    const limited = await startStack({ env: { RATE_LIMITS: 'on' } })
    try {
      const paths = [
        'users/request-password-reset',
        'USERS/request-verification',
        '_pb_users_auth_/request-password-reset',
        'users/request-verificatio%6E',
        '_superusers/request-password-reset',
      ]
      const statuses = []
      const waits = []
      for (let i = 0; i < 11; i += 1) {
        const path = paths[i % paths.length] ?? ''
        const answer = await fetch(
          `${limited.url}/api/collections/${path}`,
          json({ email: newEmail('x') }),
        )
        statuses.push(answer.status)
        waits.push(answer.headers.has('retry-after'))
      }
      expect(statuses).toEqual([...Array<number>(10).fill(204), 429])
      expect(waits).toEqual([...Array<boolean>(10).fill(false), true])
    } finally {
      await limited.close()
    }
  })
})
