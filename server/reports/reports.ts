import { createHmac } from 'node:crypto'

import { ID_LENGTH, isId } from '#domain/collection.ts'
import { wireDate } from '#domain/date.ts'
import { ApiError } from '#domain/error.ts'
import { pickLanguage, type Language } from '#domain/language.ts'
import { REPORT_LIMITS } from '#domain/limits.ts'
import { REPORTS_PAGE } from '#domain/paths.ts'
import type { ReportInput } from '#domain/report.ts'

import { randomText } from '../db/random.ts'
import type { Runner, Sql } from '../db/sql.ts'
import { addressKey } from '../http/address.ts'
import { RETRY_MINUTES, type Mailer } from '../mail/mail.ts'

/** Reports by travellers to owners, and the mails about them (decisions 0093 and 0094). */
export interface Reports {
  /**
   * Accepts a report about a public site. The same report from the same address counts once.
   * @throws ApiError 404 for a site that is not public; 429 if the address or the site has too many reports
   */
  take(site: string, report: ReportInput, from: Sender): Promise<void>
  /**
   * Queues the mails that are due: to owners about new reports, and to travellers with an answer. Each mail is claimed
   * in the database, so that only one of several processes sends it.
   */
  sendMails(): Promise<void>
  /** Deletes expired reports. */
  sweep(): Promise<void>
}

/** The sender of a report. */
interface Sender {
  /** The network address. Only a keyed hash of it is stored. */
  readonly address: string
  readonly language: Language
}

export interface ReportsDeps {
  readonly sql: Sql
  readonly mailer: Mailer
  /** The key for the hashes of network addresses. */
  readonly secret: Uint8Array
  /** The public URL of the product, base path included. */
  readonly publicUrl: string
}

const {
  perAddressAndHour,
  perSiteAndDay,
  openPerSite,
  sameWithinHours,
  noticePauseMinutes,
  keptDays,
  openKeptDays,
  addressKeptDays,
} = REPORT_LIMITS
const HOUR_S = 60 * 60

export const createReports = ({ sql, mailer, secret, publicUrl }: ReportsDeps): Reports => ({
  take: async (site, report, { address, language }) => {
    if (!isId(site)) throw new ApiError(404)
    const sender = createHmac('sha256', secret)
      .update(`sender of a report ${addressKey(address)}`)
      .digest('base64url')
    const outcome = await sql.begin(async (transaction) => {
      // Locks the address and the site until the end of the transaction, so that the counts stay valid. All
      // transactions lock in the same order, which avoids deadlocks.
      await transaction`
        select pg_advisory_xact_lock(hashtextextended('report ' || k, 0))
        from unnest(${[site, sender].toSorted()}::text[]) k`
      return insert(transaction, site, report, { sender, language })
    })
    if (!outcome.isPublic) throw new ApiError(404)
    if (!outcome.isTaken) throw new ApiError(429, undefined, {}, { retryAfterS: HOUR_S })
  },
  sendMails: async () => {
    for (const notice of await claimNotices(sql))
      mailer.later(
        () =>
          Promise.resolve({
            purpose: 'newReports',
            to: notice.email,
            language: pickLanguage(notice.language),
            count: notice.reports.length,
            link: publicUrl + REPORTS_PAGE,
          }),
        'new reports',
        async () =>
          sql`update report_senders set is_told = true where report = any(${notice.reports})`,
      )
    for (const { report, email, language, ...answer } of await claimAnswers(sql))
      mailer.later(
        () =>
          Promise.resolve({
            purpose: 'answer',
            to: email,
            language: pickLanguage(language),
            ...answer,
          }),
        `answer to the report ${report}`,
        async () => sql`update report_senders set email = '' where report = ${report}`,
      )
  },
  sweep: async () => {
    await sql`delete from reports
      where updated < now() - ${keptDays} * interval '1 day'
        and (state <> 'OPEN' or updated < now() - ${openKeptDays} * interval '1 day')`
    await sql`update report_senders set sender = ''
      where sender <> '' and created < now() - ${sameWithinHours} * interval '1 hour'`
    await sql`
      with forgotten as (
        update report_senders set email = ''
        where email <> '' and created < now() - ${addressKeptDays} * interval '1 day'
        returning report)
      update reports r set wants_answer = false, version = nextval('record_version')
      from forgotten f where r.id = f.report and r.answer = ''`
  },
})

/** Inserts a report if the site is public (decision 0084) and no limit is reached. One statement. */
const insert = async (
  runner: Runner,
  site: string,
  { reason, message, email }: ReportInput,
  { sender, language }: { readonly sender: string; readonly language: Language },
): Promise<{ readonly isPublic: boolean; readonly isTaken: boolean }> => {
  const [outcome] = await runner<[{ isPublic: boolean; isTaken: boolean }]>`
    with public_site as (select p.id from places p where p.id = ${site}),
    same as (
      select 1 from report_senders n join reports r on r.id = n.report
      where n.sender = ${sender} and n.created > now() - ${sameWithinHours} * interval '1 hour'
        and r.site = ${site} and r.reason = ${reason} and r.message = ${message}
        and r.state <> 'RESOLVED' limit 1),
    report as (
      insert into reports (id, site, reason, message, wants_answer, received)
      select ${randomText(ID_LENGTH)}, p.id, ${reason}, ${message}, ${email !== ''},
        ${wireDate(new Date())}
      from public_site p
      where not exists (select 1 from same)
        and ${perAddressAndHour} > (select count(*) from report_senders n
          where n.sender = ${sender} and n.created > now() - interval '1 hour')
        and ${perSiteAndDay} > (select count(*) from reports r
          where r.site = p.id and r.created > now() - interval '1 day')
        and ${openPerSite} > (select count(*) from reports r
          where r.site = p.id and r.state = 'OPEN')
      returning id),
    noted as (
      insert into report_senders (report, sender, email, language)
      select id, ${sender}, ${email}, ${language} from report)
    select exists (select 1 from public_site) as "isPublic",
      exists (select 1 from same) or exists (select 1 from report) as "isTaken"`
  return outcome
}

interface Notice {
  readonly email: string
  readonly language: string
  readonly reports: readonly string[]
}

/**
 * Claims mails to owners whose last mail was long enough ago. A mail that could not be sent is claimed again after the
 * pause, for a day. Only confirmed addresses get mails: others may belong to somebody else.
 */
const claimNotices = (sql: Sql): Promise<Notice[]> => sql<Notice[]>`
  with untold as (
    select b."user", array_agg(r.id) as reports
    from report_senders n join reports r on r.id = n.report
      join sites s on s.id = r.site join businesses b on b.id = s.business
    where not n.is_told and n.created > now() - interval '1 day' and r.state = 'OPEN' group by 1),
  claimed as (
    insert into report_notices as c ("user") select "user" from untold
    on conflict ("user") do update set sent = now()
      where c.sent <= now() - ${noticePauseMinutes} * interval '1 minute'
    returning "user")
  select u.email, coalesce(l.language, '') as language, untold.reports
  from untold join claimed using ("user") join users u on u.id = "user"
    left join user_languages l using ("user")
  where u.email <> '' and u.verified`

interface DueAnswer {
  readonly report: string
  readonly email: string
  readonly language: string
  readonly site: string
  readonly answer: string
  readonly replyTo: string
}

/** Answers per batch. */
const PORTION = 100

/** Claims mails with answers. A mail that could not be sent is claimed again, for a day after the answer. */
const claimAnswers = (sql: Sql): Promise<DueAnswer[]> => sql<DueAnswer[]>`
  update report_senders n set due = now() + ${RETRY_MINUTES} * interval '1 minute'
  from reports r join sites s on s.id = r.site
  where r.id = n.report and n.email <> '' and n.due <= now() and r.answer <> ''
    and r.updated > now() - interval '1 day'
    and n.report in (
      select w.report from report_senders w join reports a on a.id = w.report
      where w.email <> '' and w.due <= now() and a.answer <> ''
      limit ${PORTION} for update of w skip locked)
  returning n.report, n.email, n.language, s.name as site, r.answer, s.contact_email as "replyTo"`
