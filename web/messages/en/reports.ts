import type { ReportReason, ReportState } from '#domain/report.ts'
import { counts, plurals } from '../format.ts'

const plural = plurals('en')
const number = counts('en')

/** What travellers tell owners: their form, and the owner's inbox; in English. */
export default {
  report: {
    lead: 'Is something wrong at this charging site? Tell the people who run it.',
    reason: 'What is wrong?',
    reasons: {
      NOT_WORKING: 'It does not charge',
      NO_ACCESS: 'You cannot get to it',
      STATUS_WRONG: 'Open or closed is wrong',
      PLACE_WRONG: 'It is somewhere else',
      PLUG_WRONG: 'Plug or power is wrong',
      PRICE_WRONG: 'The price is wrong',
      HOURS_WRONG: 'The opening hours are wrong',
    } satisfies Record<ReportReason, string>,
    chooseReason: 'Choose what is wrong',
    message: 'In your words',
    messageHint: 'Which charger, which plug, since when?',
    email: 'Your email address',
    emailHint:
      'For the owner’s answer only. The owner does not see it, and we delete it with the answer.',
    send: 'Tell the owner',
    sending: 'Sending…',
    notSent: 'This was not sent',
    kept: 'What you typed stays here.',
    tooMany: 'There have been many reports lately. Please try again in an hour.',
    sentTitle: 'Thank you',
    sent: 'The owner can read it now.',
    sentWithEmail: 'The owner can read it now. An answer will come by mail.',
    back: 'Back to the charger',
    another: 'Tell something else',
    goneTitle: 'This site is not on the map',
    gone: 'It may have been removed, or its address is mistyped.',
  },

  reports: {
    waiting: (count: number) =>
      plural(count, {
        one: '1 report is waiting for you',
        other: `${number(count)} reports are waiting for you`,
      }),
    nothing: 'Nothing is waiting for you',
    none: 'When a traveller tells you that something is wrong at one of your sites, you read it here.',
    at: (name: string) => `About ${name}:`,
    all: 'All sites',
    wantsAnswer: 'Wants an answer by mail',
    answer: 'Your answer',
    answerHint:
      'Goes to the traveller by mail. A reply would come to the contact email of the site.',
    writeAnswer: 'Write an answer, or mark it as resolved',
    status: 'Status of the site',
    keepStatus: (status: string) => `Leave it: ${status}`,
    send: 'Send answer',
    resolve: 'Mark as resolved',
    sendAndResolve: 'Send and mark as resolved',
    answered: 'Answered. The mail is on its way.',
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
    reopen: 'Open again',
    kept: (days: number) => `These are deleted after ${number(days)} days.`,
  },
}
