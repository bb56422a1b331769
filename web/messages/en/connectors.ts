import { counts, plurals } from '../format.ts'

const plural = plurals('en')
const number = counts('en')

/** The connectors of a site, in English. */
export default {
  connectors: {
    title: 'Connectors',
    hint: 'One row for each kind of plug, with how many there are of it.',
    addPreset: 'Add a connector',
    otherPreset: 'Other…',
    presetLabel: (label: string) => `Add ${label}`,
    none: 'No connectors yet. Pick one above to start.',
    position: (position: number) => `Connector ${position}`,
    blank: 'New connector',
    quantity: (position: number) => `How many of connector ${position}`,
    fewer: (position: number) => `One fewer of connector ${position}`,
    more: (position: number) => `One more of connector ${position}`,
    duplicate: (position: number) => `Duplicate connector ${position}`,
    remove: (position: number) => `Remove connector ${position}`,
    removed: (what: string) => `Removed: ${what}`,
    done: 'Done',
    standard: 'Plug',
    choose: 'Choose…',
    search: 'Search by name',
    common: 'Common',
    others: 'All others',
    noMatch: 'No plug goes by that name.',
    format: 'Cable or socket',
    currentType: 'Current',
    kwRating: 'Power in kW',
    notSaved: 'Not saved.',
    someNotSaved: (failed: number, total: number) =>
      plural(failed, {
        one: `1 of ${number(total)} was not saved.`,
        other: `${number(failed)} of ${number(total)} were not saved.`,
      }),
    doubts: {
      power: (kw: string) => `Is ${kw} kW right?`,
      powerOfPlug: (kw: string, plug: string, max: string) =>
        `${plug} rarely has more than ${max} kW. Is ${kw} kW right?`,
      dcOnly: (plug: string) => `${plug} charges with DC. Is the current right?`,
      acOnly: (plug: string) => `${plug} charges with AC. Is the current right?`,
      currentOfPlug: (plug: string, usual: string) =>
        `${plug} usually comes with ${usual}. Is the current right?`,
      currentOfPower: (kw: string, usual: string) =>
        `${kw} kW usually comes with ${usual}. Is the current right?`,
      cable: (plug: string) => `${plug} usually has a cable attached. Is a socket right?`,
      socket: (plug: string) => `${plug} is usually a socket. Is an attached cable right?`,
    },
  },
}
