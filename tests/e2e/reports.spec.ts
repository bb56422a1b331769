import { REPORTS, SITES } from '#domain/collection.ts'
import { REPORT_MAILS } from '../../server/messages/messages.ts'
import { PATHS } from '../../web/paths.ts'
import { en } from '../support/english.ts'
import { receiveMail } from '../support/mails.ts'
import { expect, test, type Owner } from './driver.ts'
import { prepareSites } from './prepare.ts'

const text = en.report
const MESSAGE = 'The left charger is dark.\nSince <b>Monday</b>, see https://a.example'
const ANSWER = 'Thank you. It is being repaired.'

const send = (owner: Owner) => owner.page.getByRole('button', { name: text.send })

test('a traveller’s report reaches the owner immediately, who answers, resolves it and changes the status @once', async ({
  owner: person,
  openStack,
}) => {
  const stack = await openStack({}, { reportMailsMs: 100 })
  const owner = person.at(stack.url, stack.provider.issuer)
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay', 'Pier')
  const id = quay?.id ?? ''
  const subscribed = owner.page.waitForResponse(
    (response) =>
      response.url().endsWith('/api/realtime') && response.request().method() === 'POST',
  )
  await owner.visit(PATHS.dashboard)
  await subscribed
  await expect(owner.site('Quay')).toBeVisible()
  await expect(owner.link(en.dashboard.reports(1))).toHaveCount(0)

  const traveller = await owner.openTraveller()
  await traveller.visit(`${PATHS.report}/${id}`)
  await expect(traveller.page.getByRole('heading', { name: 'Quay' })).toBeVisible()
  await traveller.page.getByText(text.reasons.NOT_WORKING).click()
  await traveller.field(text.message).fill(MESSAGE)
  await traveller.field(text.email).fill('ida@example.org')
  await send(traveller).click()
  await expect(traveller.page.getByRole('heading', { name: text.sentTitle })).toBeFocused()
  await expect(traveller.page.getByText(text.sentWithEmail)).toBeVisible()
  await traveller.link(text.back).click()
  await traveller.expectPath(`/at/${id}/quay`)
  expect(traveller.watch.complaints()).toEqual([])
  await traveller.page.context().close()

  await expect(
    owner.site('Quay').getByRole('link', { name: en.dashboard.reports(1) }),
  ).toBeVisible()
  await expect(owner.site('Pier').getByRole('link', { name: en.dashboard.reports(1) })).toHaveCount(
    0,
  )
  await owner.link(en.dashboard.reports(1)).first().click()
  await owner.expectPath(PATHS.reports)
  const report = owner.page.getByRole('article', { name: text.reasons.NOT_WORKING })
  // The traveller's text is plain text: no markup, and no link except the one to the site.
  await expect(report.getByRole('blockquote')).toHaveText(MESSAGE)
  await expect(report.getByRole('link')).toHaveText(['Quay'])
  await owner.page.getByLabel(en.reports.answer).fill(ANSWER)
  await owner.page.getByLabel(en.reports.status).selectOption(en.status.OUTOFORDER)
  await owner.page.getByRole('button', { name: en.reports.sendAndResolve }).click()
  const heading = owner.page.getByRole('heading', { name: en.reports.nothing })
  await expect(heading).toBeFocused()
  await expect(owner.page.getByText(en.reports.resolved)).toBeVisible()

  await owner.expectSoon(
    async () => (await client.collection(SITES).getOne(id))['status'] as string,
    'OUTOFORDER',
  )
  const [stored] = await client.collection(REPORTS).getFullList()
  expect(stored).toMatchObject({ state: 'RESOLVED', answer: ANSWER })
  const mail = await receiveMail(stack, 'ida@example.org')
  expect(mail.subject).toBe(REPORT_MAILS.en.answer.subject('Voltleaf'))
  expect(mail.text).toContain(ANSWER)

  await owner.page.getByRole('button', { name: en.reports.done }).click()
  await owner.page.getByRole('button', { name: en.reports.reopen }).click()
  await expect(heading).toHaveCount(0)
  await owner.visit(PATHS.dashboard)
  await expect(owner.site('Quay')).toContainText(en.status.OUTOFORDER)
  await owner.openMenu('Quay')
  await owner.page.getByRole('menuitem', { name: en.titles.reports }).click()
  await owner.expectPath(`${PATHS.reports}?site=${id}`)
  await expect(owner.page.getByRole('blockquote')).toHaveText([MESSAGE, ANSWER])
  // The answer was mailed, and no second one can be sent.
  await expect(owner.field(en.reports.answer)).toHaveCount(0)
})

test('a traveller’s input survives mistakes, a lost connection, a refusal and a reload @once', async ({
  owner,
}) => {
  const [quay] = await prepareSites(await owner.comeLater(), 'Quay')
  await owner.visit(`${PATHS.report}/${quay?.id}`)
  await owner.expectTitle(en.titles.report)
  // Screen readers read the description of a group when the focus enters it.
  const heard = owner.page
    .getByRole('radio')
    .first()
    .evaluate(
      (radio) =>
        new Promise((resolve) =>
          radio.addEventListener('focus', () =>
            resolve(
              document.getElementById(
                radio.closest('fieldset')?.getAttribute('aria-describedby') ?? '',
              )?.textContent,
            ),
          ),
        ),
    )
  await send(owner).click()
  await expect(owner.page.getByRole('radio').first()).toBeFocused()
  expect(await heard).toContain(text.chooseReason)
  await expect(owner.page.getByText(text.chooseReason)).toBeVisible()
  await owner.page.keyboard.press('Space')
  await expect(owner.page.getByText(text.chooseReason)).toHaveCount(0)
  await owner.field(text.message).fill(MESSAGE)
  await owner.field(text.email).fill('ida')
  await send(owner).click()
  await expect(owner.field(text.email)).toBeFocused()
  await owner.field(text.email).fill('ida@example.org')

  await owner.goOffline()
  await send(owner).click()
  await expect(owner.alert).toContainText(en.problems.offline)
  await owner.goOnline()
  await owner.reload()
  await expect(owner.page.getByRole('radio').first()).toBeChecked()
  await expect(owner.field(text.message)).toHaveValue(MESSAGE)
  await owner.failNext('POST', /\/reports$/, { status: 429 })
  await send(owner).click()
  await expect(owner.alert).toContainText(text.tooMany)
  await send(owner).click()
  await expect(owner.page.getByText(text.sentWithEmail)).toBeVisible()
  await owner.page.getByRole('button', { name: text.another }).click()
  await expect(owner.field(text.message)).toHaveValue('')
})

test('an unsent answer is kept while the owner visits the site, and after a failure @once', async ({
  owner,
  stack,
}) => {
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay')
  const id = quay?.id ?? ''
  await stack.sql`
    insert into reports (id, site, reason, wants_answer, received)
    values (left(md5(${id}), 15), ${id}, 'PRICE_WRONG', true, '2026-11-01 09:30:00.000Z')`
  await owner.visit(PATHS.reports)
  const answer = owner.field(en.reports.answer)
  const reply = owner.page.getByRole('button', { name: en.reports.send })
  await reply.press('Enter')
  await expect(answer).toBeFocused()
  await expect(answer).toHaveAccessibleDescription(new RegExp(en.reports.writeAnswer))
  await answer.fill(ANSWER)
  const status = owner.field(en.reports.status)
  await status.selectOption('OUTOFORDER')
  await owner.link('Quay').click()
  await owner.expectPath(`/site/edit/${id}`)
  await owner.page.goBack()
  await expect(answer).toHaveValue(ANSWER)
  await expect(status).toHaveValue('OUTOFORDER')
  await owner.reload()
  await expect(answer).toHaveValue(ANSWER)
  await expect(status).toHaveValue('OUTOFORDER')

  await owner.visit(PATHS.dashboard)
  const unfinished = owner.page.getByRole('region', { name: en.dashboard.unfinished })
  await expect(unfinished).toContainText(`${en.reports.answer} (Quay)`)
  await unfinished.getByRole('link').click()
  await owner.expectPath(PATHS.reports)

  await owner.failNext('PATCH', /\/reports\/records\//, { status: 500 })
  await reply.click()
  await expect(owner.alert).toContainText(en.problems.unexpected)
  await expect(answer).toHaveValue(ANSWER)
  await owner.retry()
  await expect(owner.page.getByText(en.reports.nothing)).toBeVisible()
  await owner.expectSoon(
    async () => (await client.collection(REPORTS).getFullList())[0]?.['answer'] as string,
    ANSWER,
  )
  await owner.visit(PATHS.dashboard)
  await expect(owner.site('Quay')).toBeVisible()
  await expect(unfinished).toHaveCount(0)
})

test('after each of many reports the focus moves to the next, and every button names its report @once', async ({
  owner,
  stack,
}) => {
  const { page } = owner
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay')
  const id = quay?.id ?? ''
  await stack.sql`
    insert into reports (id, site, reason, message, received)
    select left(md5(${id} || n), 15), ${id}, 'NOT_WORKING', 'Message ' || n,
      to_char(now() - n * interval '1 hour', 'YYYY-MM-DD HH24:MI:SS.MS"Z"')
    from generate_series(1, 8) n`
  await owner.visit(PATHS.reports)
  const resolve = page.getByRole('button', { name: en.reports.resolve })
  await expect(resolve).toHaveCount(8)
  const names = await resolve.evaluateAll((all) => all.map((each) => each.ariaLabel))
  expect(new Set(names).size).toBe(8)

  const ofMessage = (message: string) =>
    page.getByRole('article').filter({ has: page.getByText(message, { exact: true }) })
  const heading = (message: string) => ofMessage(message).getByRole('heading')
  await ofMessage('Message 6').getByRole('button', { name: en.reports.resolve }).click()
  await expect(page.getByText(en.reports.waiting(7))).toBeAttached()
  await expect(heading('Message 7')).toBeFocused()
  await expect(heading('Message 7')).toBeInViewport()
  await ofMessage('Message 8').getByRole('button', { name: en.reports.resolve }).click()
  await expect(heading('Message 7')).toBeFocused()
})

test('an owner resolves a report offline, and both changes are sent later @once', async ({
  owner,
  stack,
}) => {
  const client = await owner.comeSignedIn()
  const [quay] = await prepareSites(client, 'Quay')
  const id = quay?.id ?? ''
  await stack.sql`
    insert into reports (id, site, reason, received)
    values (left(md5(${id}), 15), ${id}, 'NO_ACCESS', '2026-11-01 09:30:00.000Z')`
  await owner.visit(PATHS.reports)
  await expect(owner.page.getByText(en.reports.waiting(1))).toBeVisible()
  // No address was left, so the report cannot be answered.
  await expect(owner.page.getByLabel(en.reports.answer)).toHaveCount(0)
  await owner.goOffline()
  await owner.page.getByLabel(en.reports.status).selectOption(en.status.INOPERATIVE)
  await owner.page.getByRole('button', { name: en.reports.resolve }).click()
  await expect(owner.page.getByText(en.reports.nothing)).toBeVisible()
  await owner.page.getByRole('button', { name: en.reports.done }).click()
  await expect(owner.page.getByText(en.drafts.waiting)).toBeVisible()
  await owner.goOnline()
  await owner.expectSoon(
    async () => (await client.collection(SITES).getOne(id))['status'] as string,
    'INOPERATIVE',
  )
  await owner.expectSoon(
    async () => (await client.collection(REPORTS).getFullList())[0]?.['state'] as string,
    'RESOLVED',
  )
  await expect(owner.page.getByText(en.drafts.waiting)).toHaveCount(0)
})
