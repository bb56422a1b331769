import type { TariffWords } from '#domain/tariff-sentence.ts'
import { counts, lists, plurals } from '../format.ts'

const list = lists('en')
const number = counts('en')
const plural = plurals('en')

/** The non-zero numbers of sites and connectors. */
const places = (sites: number, connectors: number): string =>
  list([
    ...(sites > 0 ? [plural(sites, { one: '1 site', other: `${number(sites)} sites` })] : []),
    ...(connectors > 0
      ? [plural(connectors, { one: '1 connector', other: `${number(connectors)} connectors` })]
      : []),
  ])

/** `the first kWh`, but `the first 2 kWh` */
const withoutOne = (quantity: string): string => quantity.replace(/^1\s(?=\D)/, '')

/** Prices, in English. */
export default {
  tariffs: {
    lead: 'Use a price at as many sites as you like. Change it here, and it changes everywhere.',
    noneTitle: 'No prices yet',
    none: 'Set a price once and use it at as many sites as you like.',
    add: 'Add price',
    usedAt: (sites: number, connectors: number) =>
      sites + connectors === 0 ? 'Not used yet' : `Used at ${places(sites, connectors)}`,
    moreSites: (count: number) => `and ${number(count)} more`,
    changes: (sites: number, connectors: number) =>
      `Changes the price at ${places(sites, connectors)}`,
    menu: (name: string) => `Actions for ${name}`,
    duplicate: 'Duplicate',
    copyOf: (name: string) => `${name} (copy)`,
    removeTitle: (name: string) => `Delete ${name}?`,
    removeText: 'Nothing uses it.',
    inUse: 'Choose the price to use there instead.',
    undoable: 'You can undo this for 8 seconds.',
    instead: 'New price',
    noPrice: 'No price',
    insteadOfCost: 'Travellers see this price instead of your own words.',
    replace: 'Change and delete',
    save: 'Save price',
    saved: (name: string) => `${name} saved`,
    notFound: 'This price no longer exists.',
    deletedTitle: 'This price was deleted on another device.',
    deletedText: 'What you typed is still here.',
    addAgain: 'Add it again as a new price',
    nameHint: 'Such as “Standard” or “Hotel guests”.',
    pricesTitle: 'What charging costs',
    isFree: 'Charging is free',
    part: (position: number) => `Price ${position}`,
    amounts: {
      energy: (currency: string) => `Energy, ${currency} per kWh`,
      time: {
        minute: (currency: string) => `Charging time, ${currency} per minute`,
        hour: (currency: string) => `Charging time, ${currency} per hour`,
      },
      idle: {
        minute: (currency: string) => `Idle time, ${currency} per minute`,
        hour: (currency: string) => `Idle time, ${currency} per hour`,
      },
      flat: (currency: string) => `Start fee, ${currency}`,
    },
    unusual: (currency: string) => `Unusually high. The amount is in ${currency}.`,
    timeHint: 'While the car is charging.',
    idleHint: 'While the car stays plugged in after charging.',
    timeUnit: 'Time is priced per',
    units: { minute: 'minute', hour: 'hour' },
    conditions: 'When it applies',
    always: 'Always',
    conditionsHint: 'Fill in only what makes a difference.',
    current: 'Current',
    anyCurrent: 'AC and DC',
    plugs: 'Plugs',
    days: 'Days',
    bounds: {
      from: 'From (time)',
      until: 'Until (time)',
      minMinutes: 'After (minutes)',
      maxMinutes: 'For the first (minutes)',
      minKwh: 'After (kWh)',
      maxKwh: 'For the first (kWh)',
      minKw: 'From a power of (kW)',
      maxKw: 'Below a power of (kW)',
    },
    kept: (what: string) => `Kept as it was imported: ${what}`,
    forReservation: 'for reservations',
    addPart: 'Add a price for other times, plugs or powers',
    firstCounts: 'If several prices could apply, the first one counts.',
    moveUp: (position: number) => `Move price ${position} up`,
    removePart: (position: number) => `Remove price ${position}`,
    moreTitle: 'Limits and taxes',
    vat: 'VAT in %',
    severalVats: 'These prices have different VAT rates, which stay as they are.',
    limitHint: 'For each session.',
    wrongNumber: 'Enter a number such as 0.59',
    needsPrice: 'Enter at least one price',
    checkPrices: 'Check the marked prices',
    previewTitle: 'What travellers read',
    emptyPreview: 'Enter a price to see it in words.',
    exampleTitle: 'Example',
    example: {
      kwh: 'Energy in kWh',
      minutes: 'Charging, in minutes',
      idle: 'Idle, in minutes',
      kw: 'Power in kW',
      plug: 'Plug',
      day: 'Day',
      time: 'Time',
    },
    costs: (kwh: string, duration: string, amount: string) => `${kwh} in ${duration}: ${amount}`,
    costsIdle: (kwh: string, duration: string, idle: string, amount: string) =>
      `${kwh} in ${duration}, then ${idle} idle: ${amount}`,
    withVat: (amount: string) => `${amount} including VAT`,
  },

  tariffSentence: {
    free: 'free',
    perKwh: (amount) => `${amount} per kWh`,
    perSession: (amount) => `${amount} per session`,
    perTime: {
      minute: {
        always: (amount) => `${amount} per minute`,
        charging: (amount) => `${amount} per minute of charging`,
        idle: (amount) => `${amount} per minute of idle time`,
      },
      hour: {
        always: (amount) => `${amount} per hour`,
        charging: (amount) => `${amount} per hour of charging`,
        idle: (amount) => `${amount} per hour of idle time`,
      },
    },
    once: (amount) => `${amount} once`,
    steps: (size) => `(in blocks of ${size})`,
    plus: ', plus ',
    apart: '; ',
    otherwise: (price) => `otherwise ${price}`,
    duration: {
      from: (from) => `after ${from}`,
      until: {
        minute: (until) => `for the first ${withoutOne(until)}`,
        hour: (until) => `for the first ${until}`,
      },
      between: (from, until) => `between ${from} and ${until}`,
      inTotal: (from) => `after a total of ${from}`,
    },
    energy: {
      from: (from) => `after the first ${withoutOne(from)}`,
      until: (until) => `for the first ${withoutOne(until)}`,
      between: (from, until) => `between ${from} and ${until}`,
    },
    power: {
      from: (from) => `at ${from} or more`,
      until: (until) => `below ${until}`,
      between: (from, until) => `from ${from} to below ${until}`,
    },
    hours: {
      from: (from) => `from ${from}`,
      until: (until) => `until ${until}`,
      between: (from, until) => `from ${from} to ${until}`,
    },
    dates: {
      from: (from) => `from ${from}`,
      until: (until) => `until ${until}`,
      between: (from, until) => `from ${from} to ${until}`,
    },
    days: (spans) => {
      const days = list(
        spans.map(({ from, to }) => (to === undefined ? `${from}s` : `${from} to ${to}`)),
      )
      return spans[0]?.to === undefined ? `on ${days}` : days
    },
    current: { AC: 'on AC', DC: 'on DC' },
    currentOnly: { AC: 'AC only', DC: 'DC only' },
    plugs: (names) => `with ${list(names)}`,
    plugsOnly: (names) => `${list(names)} only`,
    limits: {
      from: (from) => `at least ${from} per session`,
      until: (until) => `at most ${until} per session`,
      between: (from, until) => `at least ${from} and at most ${until} per session`,
    },
    taxes: (vat) => (vat === undefined ? 'excluding taxes' : `excluding ${vat} VAT`),
    reservation: (price) => `reservation: ${price}`,
    expiredReservation: (price) => `expired reservation: ${price}`,
  } satisfies TariffWords as TariffWords,
}
