import { describe, expect, test } from 'vitest'

import { BUSINESSES, CHANGES, REPORTS, SITES, USERS } from '#domain/collection.ts'
import { LANGUAGES } from '#domain/language.ts'
import { REPORT_LIMITS } from '#domain/limits.ts'
import { API } from '#domain/paths.ts'
import { publicationOf } from '#domain/publication.ts'
import { REPORT_REASONS } from '#domain/report.ts'

import { REPORT_MAILS } from '../../server/messages/messages.ts'
import { readMails, receiveMail } from '../support/mails.ts'
import { connectorBody, newOwnerWithSite, siteBody } from '../support/owner.ts'
import { startSmtp } from '../support/smtp.ts'
import { startStack } from '../support/stack.ts'
import { newSuperuser } from '../support/superuser.ts'
import { withStack } from '../support/fixtures.ts'

// Reports of travellers to owners (decisions 0093 to 0095). The test sets the address of a traveller in a proxy header.

const stack = await withStack({ env: { TRUST_PROXY: 'on' }, limits: { reportMailsMs: 50 } })
const root = await newSuperuser(stack)

let addresses = 0
/** A network address that no other test uses. */
const newAddress = (): string => `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`

interface Sent {
  readonly from?: string
  readonly language?: string
  readonly headers?: Readonly<Record<string, string>>
}

const tell = (
  site: string,
  body: object,
  { from = newAddress(), language = 'en', headers = {} }: Sent = {},
): Promise<Response> =>
  fetch(stack.url + API.publicReports(site), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'accept-language': language,
      'x-forwarded-for': from,
      ...headers,
    },
    body: JSON.stringify(body),
  })

type Owner = Awaited<ReturnType<typeof newOwnerWithSite>>

const reportsOf = ({ client }: Owner) =>
  client.collection(REPORTS).getFullList({ sort: 'created,id' })

const statusOf = async (sent: Promise<Response>): Promise<number> => (await sent).status

/** As if time had passed since the reports of a site were sent and changed. */
const age = async (site: string, interval: string): Promise<void> => {
  await stack.sql`update report_senders n set created = n.created - ${interval}::interval
    from reports r where r.id = n.report and r.site = ${site}`
  await stack.sql`update reports set created = created - ${interval}::interval,
    updated = updated - ${interval}::interval where site = ${site}`
}

test('a traveller without an account reports a problem to the owner of a public site', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const stranger = await newOwnerWithSite(stack.url)
  for (const reason of REPORT_REASONS) {
    const answer = await tell(
      owner.site.id,
      { reason },
      { headers: { origin: 'https://a.example' } },
    )
    expect([reason, answer.status, await answer.text()]).toEqual([reason, 204, ''])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  }
  await tell(owner.site.id, {
    reason: 'PRICE_WRONG',
    message: '  It says 0.45.\nI paid 0.59. ',
    email: 'ida@example.org',
  })
  const reports = await reportsOf(owner)
  expect(reports.map(({ reason }) => reason as string)).toEqual([...REPORT_REASONS, 'PRICE_WRONG'])
  expect(reports.at(-1)).toMatchObject({
    site: owner.site.id,
    message: 'It says 0.45.\nI paid 0.59.',
    wants_answer: true,
    state: 'OPEN',
    answer: '',
  })
  expect(reports[0]).toMatchObject({ message: '', wants_answer: false })
  expect(await reportsOf(stranger)).toEqual([])
  // The first request of the app includes them, too.
  const read = await owner.client
    .collection(BUSINESSES)
    .getOne(owner.business.id, { expand: 'sites(business).reports(site)' })
  expect(read.expand).toMatchObject({
    'sites(business)': [{ expand: { 'reports(site)': reports.map(({ id }) => ({ id })) } }],
  })
})

test('a preflight from any origin succeeds for the public API, and for no other path', async () => {
  const ask = async (path: string) =>
    (
      await fetch(stack.url + path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://a.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      })
    ).headers.get('access-control-allow-origin')
  expect(await ask(API.publicReports('nosuchrecord123'))).toBe('*')
  expect(await ask(API.records(SITES))).toBeNull()
})

test('only public sites accept reports, and all others look alike', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const { client, business, site, connector } = owner
  const superusers = root.client
  const lookAt = async () => {
    const [stored, held] = await Promise.all([
      client.collection(SITES).getOne(site.id),
      client.collection(BUSINESSES).getOne(business.id),
    ])
    const connectors = await client
      .collection('connectors')
      .getFullList({ filter: `site = "${site.id}"` })
    const publication = publicationOf(
      { ...stored, connectors } as unknown as Parameters<typeof publicationOf>[0],
      held as unknown as Parameters<typeof publicationOf>[1],
    )
    const answer = await tell(site.id, { reason: 'NO_ACCESS', message: `${Math.random()}` })
    return { state: publication.state, status: answer.status, body: await answer.text() }
  }
  const absent = await tell('nosuchrecord123', { reason: 'NO_ACCESS' })
  const refused = { status: 404, body: await absent.text() }
  const at = (collection: string) => superusers.collection(collection)
  const changes: readonly (readonly [string, () => Promise<unknown>, () => Promise<unknown>])[] = [
    [
      'unpublished',
      () => client.collection(SITES).update(site.id, { published: false }),
      () => client.collection(SITES).update(site.id, { published: true }),
    ],
    [
      'removed',
      () => client.collection(SITES).update(site.id, { status: 'REMOVED' }),
      () => client.collection(SITES).update(site.id, { status: 'AVAILABLE' }),
    ],
    [
      'hidden',
      () => at(SITES).update(site.id, { hidden: true }),
      () => at(SITES).update(site.id, { hidden: false }),
    ],
    [
      'hidden',
      () => at(BUSINESSES).update(business.id, { hidden: true }),
      () => at(BUSINESSES).update(business.id, { hidden: false }),
    ],
    [
      'incomplete',
      () => client.collection(BUSINESSES).update(business.id, { name: '' }),
      () => client.collection(BUSINESSES).update(business.id, { name: 'Harbour Lane' }),
    ],
    [
      'incomplete',
      () => client.collection('connectors').delete(connector.id),
      () => client.collection('connectors').create(connectorBody(site.id)),
    ],
  ]
  for (const [state, hide, show] of changes) {
    await hide()
    expect(await lookAt()).toEqual({ state, ...refused })
    await show()
    expect(await lookAt()).toEqual({ state: 'public', status: 204, body: '' })
  }
  await client.collection(SITES).update(site.id, { status: 'PLANNED' })
  expect(await lookAt()).toEqual({ state: 'planned', status: 204, body: '' })
  for (const id of ['x', 'NOSUCHRECORD123', `${site.id}'`, '%00'])
    expect([id, await statusOf(tell(id, { reason: 'NO_ACCESS' }))]).toEqual([id, 404])
})

test.each([
  [{}, 'reason', 'validation_required'],
  [{ reason: 'BORED' }, 'reason', 'validation_invalid_value'],
  [{ reason: ['NO_ACCESS', 'BORED'] }, 'reason', 'validation_invalid_value'],
  [{ message: 'x'.repeat(501) }, 'message', 'validation_max_text_constraint'],
  [{ message: 'a\u0000b' }, 'message', 'validation_invalid_format'],
  [{ message: 'a\u001B[31mb' }, 'message', 'validation_invalid_format'],
  [{ message: 'a\u0085b' }, 'message', 'validation_invalid_format'],
  [{ email: 'ida' }, 'email', 'validation_is_email'],
  [{ email: 'ida@example.org\r\nBcc: bob@example.org' }, 'email', 'validation_is_email'],
  [{ email: 'ida@example.org, bob@example.org' }, 'email', 'validation_is_email'],
  [{ email: 'Bob <bob@example.org>' }, 'email', 'validation_is_email'],
  [{ email: `${'x'.repeat(250)}@example.org` }, 'email', 'validation_max_text_constraint'],
])('%j is refused', async (body, field, code) => {
  const { site } = await newOwnerWithSite(stack.url)
  const answer = await tell(site.id, { reason: field === 'reason' ? '' : 'NO_ACCESS', ...body })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ data: { [field]: { code } } })
})

test('reports and answers of several lines have the same line ends in every encoding', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const sent = { reason: 'NO_ACCESS', message: 'One.\r\nTwo.\rThree.\nFour.' }
  const form = new FormData()
  for (const [key, value] of Object.entries(sent)) form.set(key, value)
  for (const body of [form, new URLSearchParams(sent), JSON.stringify(sent)])
    expect(
      await statusOf(
        fetch(stack.url + API.publicReports(owner.site.id), {
          method: 'POST',
          headers: {
            'x-forwarded-for': newAddress(),
            ...(typeof body === 'string' && { 'content-type': 'application/json' }),
          },
          body,
        }),
      ),
    ).toBe(204)
  const reports = await reportsOf(owner)
  expect(reports.map(({ message }) => message as string)).toEqual(
    Array(3).fill('One.\nTwo.\nThree.\nFour.'),
  )
  const answer = { state: 'ANSWERED', answer: 'It is fixed.\r\nThank you.' }
  expect(await owner.client.collection(REPORTS).update(reports[0]?.id ?? '', answer)).toMatchObject(
    { answer: 'It is fixed.\nThank you.' },
  )
})

test('other encodings, files and large bodies', async () => {
  const owner = await newOwnerWithSite(stack.url)
  const post = (body: BodyInit, type?: string) =>
    fetch(stack.url + API.publicReports(owner.site.id), {
      method: 'POST',
      headers: { 'x-forwarded-for': newAddress(), ...(type && { 'content-type': type }) },
      body,
    })
  expect(await statusOf(post(new URLSearchParams({ reason: 'NO_ACCESS' })))).toBe(204)
  const form = new FormData()
  form.set('reason', 'PLACE_WRONG')
  expect(await statusOf(post(form))).toBe(204)
  form.set('photo', new File(['x'], 'x.jpg'))
  expect(await statusOf(post(form))).toBe(413)
  expect(await statusOf(post('{"reason":', 'application/json'))).toBe(400)
  expect(await statusOf(post('[]', 'application/json'))).toBe(400)
  expect(await reportsOf(owner)).toHaveLength(2)
})

describe('limits', () => {
  const { perAddressAndHour, perSiteAndDay, openPerSite } = REPORT_LIMITS

  test('identical reports from one address count once until the first one is resolved', async () => {
    const owner = await newOwnerWithSite(stack.url)
    const from = newAddress()
    const same = { reason: 'NOT_WORKING', message: 'Dark.' }
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => tell(owner.site.id, same, { from })),
    )
    expect(sent.map(({ status }) => status)).toEqual(Array(8).fill(204))
    const [report, ...others] = await reportsOf(owner)
    expect(others).toEqual([])
    await tell(owner.site.id, { ...same, message: 'Still dark.' }, { from })
    await tell(owner.site.id, same)
    expect(await reportsOf(owner)).toHaveLength(3)
    await owner.client.collection(REPORTS).update(report?.id ?? '', { state: 'RESOLVED' })
    await tell(owner.site.id, same, { from })
    expect(await reportsOf(owner)).toHaveLength(4)
  })

  test(`an address may send ${perAddressAndHour} an hour, to any sites`, async () => {
    const [one, other] = [await newOwnerWithSite(stack.url), await newOwnerWithSite(stack.url)]
    const from = newAddress()
    const flood = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        tell(
          (index % 2 ? one : other).site.id,
          { reason: 'NO_ACCESS', message: `${index}` },
          { from },
        ),
      ),
    )
    expect(flood.filter(({ status }) => status === 204)).toHaveLength(perAddressAndHour)
    const refused = flood.find(({ status }) => status === 429)
    expect(refused?.headers.get('retry-after')).toBe('3600')
    expect(refused?.headers.get('access-control-allow-origin')).toBe('*')
    expect([...(await reportsOf(one)), ...(await reportsOf(other))]).toHaveLength(perAddressAndHour)
    expect(await statusOf(tell(one.site.id, { reason: 'NO_ACCESS' }))).toBe(204)
    for (const { site } of [one, other]) await age(site.id, '61 minutes')
    expect(await statusOf(tell(one.site.id, { reason: 'PRICE_WRONG' }, { from }))).toBe(204)
  })

  test('an IPv6 network counts as one address', async () => {
    const { site } = await newOwnerWithSite(stack.url)
    const statuses = []
    for (let host = 0; host <= perAddressAndHour; host += 1)
      statuses.push(
        await statusOf(
          tell(
            site.id,
            { reason: 'NO_ACCESS', message: `${host}` },
            { from: `2001:db8:1:2::${host}` },
          ),
        ),
      )
    expect(statuses.at(-1)).toBe(429)
    expect(statuses.slice(0, -1)).toEqual(Array(perAddressAndHour).fill(204))
  })

  test(`a site accepts ${perSiteAndDay} a day, and at most ${openPerSite} may be open`, async () => {
    const owner = await newOwnerWithSite(stack.url)
    const tellAll = (count: number) =>
      Promise.all(Array.from({ length: count }, () => tell(owner.site.id, { reason: 'NO_ACCESS' })))
    let taken = 0
    while (taken < openPerSite) {
      const answers = await tellAll(perSiteAndDay + 2)
      const accepted = answers.filter(({ status }) => status === 204).length
      expect(accepted).toBe(Math.min(perSiteAndDay, openPerSite - taken))
      taken += accepted
      await age(owner.site.id, '25 hours')
    }
    const answer = await tell(owner.site.id, { reason: 'NO_ACCESS' })
    expect(answer.status).toBe(429)
    const [report] = await reportsOf(owner)
    await owner.client.collection(REPORTS).update(report?.id ?? '', { state: 'RESOLVED' })
    expect(await statusOf(tell(owner.site.id, { reason: 'NO_ACCESS' }))).toBe(204)
  })

  test('a flood is refused before it reaches the database', async () => {
    const limited = await startStack({
      beside: stack,
      env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' },
    })
    try {
      const statuses = await Promise.all(
        Array.from({ length: 25 }, () =>
          statusOf(
            fetch(limited.url + API.publicReports('nosuchrecord123'), {
              method: 'POST',
              headers: { 'x-forwarded-for': '203.0.113.7' },
              body: new URLSearchParams({ reason: 'NO_ACCESS' }),
            }),
          ),
        ),
      )
      expect(statuses.filter((status) => status === 404)).toHaveLength(20)
      expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    } finally {
      await limited.close()
    }
  })
})

describe('answers', () => {
  const email = (): string => `ida${++addresses}@example.org`

  test('an answer is mailed to the traveller once, in their language, and the address is removed', async () => {
    const owner = await newOwnerWithSite(stack.url)
    await owner.client
      .collection(SITES)
      .update(owner.site.id, { name: 'Quay\n\n<b>\u202e12</b>', contact_email: 'desk@example.org' })
    const to = email()
    await tell(owner.site.id, { reason: 'NOT_WORKING', email: to }, { language: 'de' })
    const [report] = await reportsOf(owner)
    const answer = 'Es läuft wieder.\n<a href="https://a.example">Hier</a>\n\nVoltleaf'
    await owner.client.collection(REPORTS).update(report?.id ?? '', { state: 'ANSWERED', answer })
    const mail = await receiveMail(stack, to)
    const { subject, ask, greeting } = REPORT_MAILS.de.answer
    expect(mail.subject).toBe(subject('Voltleaf'))
    expect(mail.replyTo).toBe('desk@example.org')
    const lines = mail.text.replaceAll('\r\n', '\n')
    // No line looks like a text of the product.
    const quote = '> Es läuft wieder.\n> <a href="https://a.example">Hier</a>\n> \n> Voltleaf'
    expect(lines).toContain(`${greeting}\n\n${ask('Voltleaf', 'Quay <b>12</b>')}\n\n${quote}\n\n`)
    // Nothing that a user wrote is treated as markup.
    expect(mail.html).toContain('&lt;a href=&quot;https://a.example&quot;>Hier&lt;/a>')
    expect(mail.html).not.toMatch(/<a |<b>/)
    await expect
      .poll(
        async () => stack.sql`select email from report_senders where report = ${report?.id ?? ''}`,
      )
      .toEqual([{ email: '' }])
    // Later changes of it send no mail.
    await owner.client.collection(REPORTS).update(report?.id ?? '', { answer: 'Noch einmal.' })
    await owner.client.collection(REPORTS).update(report?.id ?? '', { state: 'OPEN' })
    await tell(owner.site.id, { reason: 'NO_ACCESS', email: 'last@example.org' })
    const last = (await reportsOf(owner)).at(-1)
    await owner.client.collection(REPORTS).update(last?.id ?? '', { answer: 'Danke.' })
    await receiveMail(stack, 'last@example.org')
    expect(await readMails(stack, to)).toHaveLength(1)
  })

  test('resolving sends no mail, and neither does an answer without an address', async () => {
    const owner = await newOwnerWithSite(stack.url)
    const to = email()
    await tell(owner.site.id, { reason: 'NOT_WORKING', email: to })
    await tell(owner.site.id, { reason: 'NO_ACCESS' })
    const [one, other] = await reportsOf(owner)
    await owner.client.collection(REPORTS).update(one?.id ?? '', { state: 'RESOLVED' })
    await owner.client.collection(REPORTS).update(other?.id ?? '', { answer: 'Who are you?' })
    await owner.client.collection(REPORTS).update(one?.id ?? '', { answer: 'Now.' })
    const mail = await receiveMail(stack, to)
    expect(mail.text).toContain('Now.')
    expect(await readMails(stack, to)).toHaveLength(1)
  })

  test('an answer that could not be mailed is sent later, by one of several servers', async () => {
    const smtp = await startSmtp()
    await smtp.close()
    const ground = await startStack({ limits: { reportMailsMs: 60_000 } })
    const beside = { beside: ground, limits: { reportMailsMs: 50 } }
    const without = await startStack({
      ...beside,
      env: { SMTP_URL: smtp.url, MAIL_FROM: 'mail@voltleaf.example' },
    })
    try {
      const owner = await newOwnerWithSite(ground.url)
      const to = email()
      await fetch(ground.url + API.publicReports(owner.site.id), {
        method: 'POST',
        body: new URLSearchParams({ reason: 'NO_ACCESS', email: to }),
      })
      const [report] = await reportsOf(owner)
      await owner.client.collection(REPORTS).update(report?.id ?? '', { answer: 'It is open.' })
      await expect
        .poll(() => without.logged.join())
        .toContain(`answer to the report ${report?.id ?? ''}`)
      expect(without.logged.join()).not.toContain(to)
      await without.close()
      expect(await ground.sql`select 1 from report_senders where due <= now()`).toEqual([])
      expect(await ground.sql`select email from report_senders`).toEqual([{ email: to }])
      const servers = [await startStack(beside), await startStack(beside)]
      await ground.sql`update report_senders set due = now()`
      await receiveMail(ground, to)
      await expect
        .poll(async () => ground.sql`select email from report_senders`)
        .toEqual([{ email: '' }])
      expect(await readMails(ground, to)).toHaveLength(1)
      for (const server of servers) await server.close()
    } finally {
      await ground.close()
    }
  })

  test.each([
    ['answer', 'a\u0007b'],
    ['answer', 'x'.repeat(1001)],
    ['state', 'GONE'],
  ])('an owner cannot set %s to %j', async (field, value) => {
    const owner = await newOwnerWithSite(stack.url)
    await tell(owner.site.id, { reason: 'NOT_WORKING' })
    const [report] = await reportsOf(owner)
    await expect(
      owner.client.collection(REPORTS).update(report?.id ?? '', { [field]: value }),
    ).rejects.toMatchObject({ status: 400 })
  })

  test('one batch resolves a report and changes the status of its site', async () => {
    const owner = await newOwnerWithSite(stack.url)
    await tell(owner.site.id, { reason: 'NOT_WORKING' })
    const [report] = await reportsOf(owner)
    const batch = owner.client.createBatch()
    batch.collection(REPORTS).update(report?.id ?? '', { state: 'RESOLVED' })
    batch.collection(SITES).update(owner.site.id, { status: 'OUTOFORDER' })
    expect((await batch.send()).map(({ status }) => status)).toEqual([200, 200])
  })
})

describe('mails to owners', () => {
  test('an owner gets at most one mail an hour, about all reports since the last one', async () => {
    const owner = await newOwnerWithSite(stack.url)
    const { newReports } = REPORT_MAILS.fr
    // The language of the last sign-in.
    await fetch(stack.url + API.authRefresh(USERS), {
      method: 'POST',
      headers: {
        authorization: owner.client.authStore.token,
        'accept-language': 'fr-CH, fr;q=0.9, en;q=0.8',
      },
    })
    const { id } = await owner.client.collection(SITES).create(siteBody(owner.business.id))
    await owner.client.collection('connectors').create(connectorBody(id))
    await tell(id, { reason: 'PRICE_WRONG', message: 'Click https://a.example' })
    const first = await receiveMail(stack, owner.email)
    expect(first.subject).toBe(newReports.subject('Voltleaf', 1))
    expect(first.link).toBe(`${stack.url}/reports`)
    // The mail does not contain what the traveller wrote.
    expect(first.text + first.html).not.toContain('a.example')

    for (const site of [id, owner.site.id]) await tell(site, { reason: 'NO_ACCESS' })
    const resolved = (await reportsOf(owner)).at(-1)
    await tell(owner.site.id, { reason: 'HOURS_WRONG' })
    await owner.client.collection(REPORTS).update(resolved?.id ?? '', { state: 'RESOLVED' })
    const other = await newOwnerWithSite(stack.url)
    await tell(other.site.id, { reason: 'NO_ACCESS' })
    await receiveMail(stack, other.email)
    expect(await readMails(stack, owner.email)).toHaveLength(1)

    await stack.sql`update report_notices set sent = now() - interval '61 minutes'`
    const second = await receiveMail(stack, owner.email, 2)
    expect(second.subject).toBe(newReports.subject('Voltleaf', 2))
  })

  test('a mail that could not be sent is sent later', async () => {
    const smtp = await startSmtp()
    await smtp.close()
    const ground = await startStack({ limits: { reportMailsMs: 60_000 } })
    const beside = { beside: ground, limits: { reportMailsMs: 50 } }
    const without = await startStack({
      ...beside,
      env: { SMTP_URL: smtp.url, MAIL_FROM: 'mail@voltleaf.example' },
    })
    try {
      const owner = await newOwnerWithSite(ground.url)
      await fetch(ground.url + API.publicReports(owner.site.id), {
        method: 'POST',
        body: new URLSearchParams({ reason: 'NO_ACCESS' }),
      })
      await expect.poll(() => without.logged.join()).toContain('new reports')
      await without.close()
      await ground.sql`update report_notices set sent = now() - interval '61 minutes'`
      const server = await startStack(beside)
      const mail = await receiveMail(ground, owner.email)
      expect(mail.subject).toBe(REPORT_MAILS.en.newReports.subject('Voltleaf', 1))
      await expect
        .poll(async () => ground.sql`select 1 from report_senders where not is_told`)
        .toEqual([])
      await server.close()
    } finally {
      await ground.close()
    }
  })

  test('an unverified address gets no mail', async () => {
    const owner = await newOwnerWithSite(stack.url)
    await root.client.collection(USERS).update(owner.id, { verified: false })
    await tell(owner.site.id, { reason: 'NO_ACCESS' })
    await expect
      .poll(async () => stack.sql`select 1 from report_notices where "user" = ${owner.id}`)
      .toHaveLength(1)
    expect(await readMails(stack, owner.email)).toEqual([])
  })

  test('every language has its own words', () => {
    for (const kind of ['newReports', 'answer'] as const) {
      const words = LANGUAGES.map((language) => REPORT_MAILS[language][kind].subject('X', 2))
      expect(new Set(words).size).toBe(LANGUAGES.length)
    }
  })
})

describe('privacy', () => {
  const EMAIL = 'ida.secret@example.org'
  const FROM = '198.18.7.33'

  test('the owner sees neither address of a traveller, and no record or log contains them', async () => {
    const owner = await newOwnerWithSite(stack.url)
    await tell(owner.site.id, { reason: 'NO_ACCESS', email: EMAIL }, { from: FROM })
    const texts = [JSON.stringify(await reportsOf(owner))]
    const tables = await stack.sql<{ name: string }[]>`
      select relname as name from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace`
    for (const { name } of tables) {
      const rows = await stack.sql.unsafe<{ text: string }[]>(`select t::text from "${name}" t`)
      const text = JSON.stringify(rows)
      // Nothing else contains the address for the answer. Request counts, which contain addresses for some minutes, are
      // off here.
      texts.push(name === 'report_senders' ? text.replaceAll(EMAIL, '') : text)
    }
    for (const text of [...texts, stack.logged.join()]) {
      expect(text).not.toContain(EMAIL)
      expect(text).not.toContain(FROM)
    }
  })

  test('the audit log does not record reports', async () => {
    const owner = await newOwnerWithSite(stack.url)
    await tell(owner.site.id, { reason: 'NO_ACCESS', message: 'Only for the owner.' })
    const [report] = await reportsOf(owner)
    await owner.client.collection(REPORTS).update(report?.id ?? '', { state: 'RESOLVED' })
    await owner.client.collection(SITES).delete(owner.site.id)
    const changes = await owner.client.collection(CHANGES).getFullList()
    expect(changes.map(({ collection }) => collection as string)).not.toContain(REPORTS)
    expect(await reportsOf(owner)).toEqual([])
    expect(
      await stack.sql`select 1 from report_senders where report = ${report?.id ?? ''}`,
    ).toEqual([])
  })

  test('reports are removed when their retention ends', async () => {
    const owner = await newOwnerWithSite(stack.url)
    const { site, client } = owner
    const send = async (message: string, address = '') => {
      await tell(site.id, { reason: 'NO_ACCESS', message, email: address })
      return (await reportsOf(owner)).find((report) => report['message'] === message)?.id ?? ''
    }
    const [old, kept, open] = [await send('old'), await send('kept'), await send('open', EMAIL)]
    const [never] = [await send('never')]
    for (const id of [old, kept]) await client.collection(REPORTS).update(id, { state: 'RESOLVED' })
    const since = (id: string, days: number) => stack.sql`
      with s as (update report_senders set created = now() - ${days} * interval '1 day'
        where report = ${id})
      update reports set updated = now() - ${days} * interval '1 day' where id = ${id}`
    await since(old, REPORT_LIMITS.keptDays + 1)
    await since(kept, REPORT_LIMITS.keptDays - 1)
    await since(open, REPORT_LIMITS.keptDays + 1)
    await since(never, REPORT_LIMITS.openKeptDays + 1)
    // Another server of the installation deletes expired reports when it starts.
    const second = await startStack({ beside: stack })
    await expect
      .poll(async () => (await reportsOf(owner)).map(({ id }) => id))
      .toEqual([kept, open])
    await second.close()
    expect((await reportsOf(owner)).at(-1)).toMatchObject({ wants_answer: false })
    const senders = await stack.sql`
      select sender, email from report_senders where report = ${open}`
    expect(senders).toEqual([{ sender: '', email: '' }])
  })

  test('reports are deleted with the account', async () => {
    const owner = await newOwnerWithSite(stack.url)
    await tell(owner.site.id, { reason: 'NO_ACCESS', email: EMAIL })
    const [report] = await reportsOf(owner)
    await expect
      .poll(async () => stack.sql`select 1 from report_notices where "user" = ${owner.id}`)
      .toHaveLength(1)
    await owner.client.collection(USERS).delete(owner.id)
    for (const table of ['report_notices', 'user_languages'])
      expect(
        await stack.sql.unsafe(`select 1 from ${table} where "user" = $1`, [owner.id]),
      ).toEqual([])
    expect(await stack.sql`select 1 from reports where id = ${report?.id ?? ''}`).toEqual([])
    expect(
      await stack.sql`select 1 from report_senders where report = ${report?.id ?? ''}`,
    ).toEqual([])
    expect(
      await stack.sql`select 1 from change_log where state::text like ${`%${report?.id}%`} and kept`,
    ).toEqual([])
  })
})
