import type { ReportReason, ReportState } from '#domain/report.ts'
import { counts, plurals } from '../format.ts'

const plural = plurals('en')
const number = counts('en')

/** Reports of travellers: their form and the owner's inbox, in English. */
export default {
  report: {
    lead: 'Is something wrong at this charging station? Tell the people who run it.',
    reason: 'What is wrong?',
    reasons: {
      NOT_WORKING: 'It does not charge',
      NO_ACCESS: 'You cannot get to it',
      STATUS_WRONG: 'The status (open, closed) is wrong',
      PLACE_WRONG: 'It is somewhere else',
      PLUG_WRONG: 'Plug or power is wrong',
      PRICE_WRONG: 'The price is wrong',
      HOURS_WRONG: 'The opening hours are wrong',
    } satisfies Record<ReportReason, string>,
    chooseReason: 'Choose what is wrong',
    message: 'In your own words',
    messageHint: 'Which charger, which plug, since when?',
    email: 'Your email address',
    emailHint:
      'For the operator’s answer only. The operator does not see it, and we delete it once the answer is sent.',
    send: 'Send report',
    sending: 'Sending…',
    notSent: 'This was not sent',
    kept: 'What you typed stays here.',
    tooMany: 'There have been many reports lately. Please try again in an hour.',
    sentTitle: 'Thank you',
    sent: 'We have passed your report to the operator.',
    sentWithEmail: 'We have passed your report to the operator. Any answer will come by email.',
    back: 'Back to the charging station',
    another: 'Report something else',
    goneTitle: 'This charging station is not on the map',
    gone: 'It may have been removed, or the link may be wrong.',
  },

  reports: {
    waiting: (count: number) =>
      plural(count, {
        one: '1 report is waiting for you',
        other: `${number(count)} reports are waiting for you`,
      }),
    nothing: 'Nothing is waiting for you',
    none: 'When a traveller reports a problem at one of your sites, you will see it here.',
    at: (name: string) => `About ${name}:`,
    all: 'All sites',
    wantsAnswer: 'Wants an answer by email',
    answer: 'Your answer',
    answerHint: 'We email it to the traveller. Replies go to the contact email of the site.',
    writeAnswer: 'Write an answer, or mark it as resolved',
    status: 'Status of the site',
    keepStatus: (status: string) => `Leave it: ${status}`,
    send: 'Send answer',
    resolve: 'Mark as resolved',
    sendAndResolve: 'Send and mark as resolved',
    answered: 'Answered. The email is on its way.',
    resolved: 'Marked as resolved',
    done: 'Done',
    doneCount: (count: number) =>
      plural(count, {
        one: '1 answered or resolved',
        other: `${number(count)} answered or resolved`,
      }),
    yourAnswer: 'You answered:',
    states: { OPEN: 'Open', ANSWERED: 'Answered', RESOLVED: 'Resolved' } satisfies Record<
      ReportState,
      string
    >,
    reopen: 'Reopen',
    kept: (days: number) => `These are deleted after ${number(days)} days.`,
  },
}
