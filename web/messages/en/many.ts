import { counts, plurals } from '../format.ts'

const plural = plurals('en')
const number = counts('en')

/** Bulk updates and queued changes, in English. */
export default {
  many: {
    bar: 'Change several sites',
    nothing: 'Choose the sites that you want to change.',
    chosen: (count: number) =>
      plural(count, { one: '1 site chosen', other: `${number(count)} sites chosen` }),
    hidden: (count: number) =>
      plural(count, {
        one: '1 not in this list',
        other: `${number(count)} not in this list`,
      }),
    all: (count: number) => `Choose all ${number(count)}`,
    clear: 'Choose none',
    change: 'Change',
    end: 'Done choosing',
    title: (count: number) =>
      plural(count, { one: 'Change 1 site', other: `Change ${number(count)} sites` }),
    mixed: 'These sites have different values now.',
    clears: 'Leave this empty to clear it everywhere.',
    addsExceptions:
      'If you enter only exceptions, they are added to the hours of each site that has any.',
    set: (count: number) =>
      plural(count, { one: 'Set for 1 site', other: `Set for ${number(count)} sites` }),
    now: (label: string) => `${label}: now`,
    same: 'All of these sites already have this value.',
    progress: (settled: number, total: number) =>
      `${number(settled)} of ${number(total)} sites changed`,
    done: (count: number) =>
      plural(count, {
        one: `1 site changed`,
        other: `${number(count)} sites changed`,
      }),
    undoing: (settled: number, total: number) =>
      `Undoing: ${number(settled)} of ${number(total)} sites`,
    undone: 'The change was undone.',
    refused: (count: number) =>
      plural(count, {
        one: '1 site was not changed',
        other: `${number(count)} sites were not changed`,
      }),
    sent: (count: number) =>
      plural(count, { one: '1 change was sent', other: `${number(count)} changes were sent` }),
    more: (count: number) => `and ${number(count)} more`,
  },
}
