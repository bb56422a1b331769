import { counts, lists, plurals } from '../format.ts'

const plural = plurals('en')
const list = lists('en')
const number = counts('en')

/** What is kept on the device, in English. */
export default {
  drafts: {
    kept: (when: string) => `We kept your draft from ${when}`,
    keptText: 'Everything is back in the form, as you left it.',
    lostFiles: (count: number) =>
      plural(count, {
        one: '1 image could not be kept. Please add it again.',
        other: `${number(count)} images could not be kept. Please add them again.`,
      }),
    continue: 'Continue',
    startFresh: 'Start fresh',
    savedAt: (time: string) => `Draft saved ${time}`,
    notKept: 'Draft could not be kept on this device',
    filesNotKept: 'The images of this draft could not be kept on this device',
    changes: (count: number) =>
      plural(count, { one: '1 change', other: `${number(count)} changes` }),
    discard: 'Discard',
    sendLater: 'Save to send later',
    keptForLater: (name: string) =>
      `${name} is kept on this device and will be sent when there is a connection.`,
    laterFailedTitle: 'This could not be kept to be sent later.',
    laterFailed:
      'This device has no room left, or does not allow it. Keep this page open until you are back online.',
    waiting: 'Waiting to send',
    waitingText:
      'This was saved on this device and will be sent when there is a connection. You can still change it.',
    savedData: (when: string) => `Showing saved data from ${when}`,
    elsewhere: (ago: string) => `Changed elsewhere, ${ago}`,
    choose: 'This was changed here and on another device. Choose what to keep:',
    taken: (parts: readonly string[]) => `Taken over from there: ${list(parts)}.`,
    photos: (count: number) => plural(count, { one: '1 photo', other: `${number(count)} photos` }),
    mine: 'Here',
    theirs: 'Elsewhere',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
    about: (action: string, what: string) => `${action}: ${what}`,
    nothing: 'empty',
    removed: 'removed',
  },
}
