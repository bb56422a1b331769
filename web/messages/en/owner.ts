import { fields, records } from '#domain/labels/en/records.ts'
import type { Standard } from '#domain/connector.ts'
import type { PublicNeed } from '#domain/publication.ts'
import type { PhotoCategory } from '#domain/site.ts'
import { counts, lists, plurals } from '../format.ts'

const plural = plurals('en')
const number = counts('en')
const list = lists('en')

/** The screens of owners, in English. */
export default {
  // Dashboard
  dashboard: {
    sites: (count: number) => plural(count, { one: '1 site', other: `${number(count)} sites` }),
    sitesTitle: 'Sites',
    addSite: 'Add site',
    editBusiness: 'Edit business',
    website: (host: string) => `${host} (opens in a new tab)`,
    searchLabel: 'Search your sites',
    searchPlaceholder: 'Name, address or plug',
    clearSearch: 'Clear the search',
    filterLabel: 'Filter by status',
    all: 'All',
    shown: (some: number, all: number) => `${number(some)} of ${number(all)} sites shown`,
    noMatch: (query: string) => `No site matches “${query}”`,
    noMatchFilter: 'No site matches this filter',
    clear: 'Show all sites',
    noBusinessTitle: 'Start with your business',
    noBusiness: 'Tell us who operates the chargers. Your sites come next.',
    addBusiness: 'Add your business',
    noSitesTitle: 'Add your first site',
    noSites: 'A site is a place with one or more chargers. You need its address and plug types.',
    addFirstSite: 'Add a site',
    stepsTitle: 'Getting started',
    steps: ['Sign in', 'Describe your business', 'Add your first site'],
    stepDone: 'done',
    stepNow: 'next',
    stale: 'This may be out of date: the latest data could not be loaded.',
    slow: 'This is taking longer than usual. The connection may be too weak.',
    unfinished: 'Not finished',
    unnamedSite: 'New site',
    draftOf: (name: string) => `Draft: ${name}`,
    draftDiscarded: (name: string) => `Draft of ${name} discarded.`,
    saving: (name: string) => `Saving ${name}…`,
    updating: (when: string) => `From ${when}, updating…`,
    menu: (name: string) => `Actions for ${name}`,
    copyCoordinates: 'Copy coordinates',
    copied: 'Coordinates copied',
    copyFailed: 'The coordinates could not be copied',
    openInMaps: 'Open in maps',
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText: (connectors: number, photos: number) => {
      const parts = [
        ...(connectors > 0
          ? [
              plural(connectors, {
                one: 'its connector',
                other: `its ${number(connectors)} connectors`,
              }),
            ]
          : []),
        ...(photos > 0
          ? [plural(photos, { one: 'its photo', other: `its ${number(photos)} photos` })]
          : []),
      ]
      return parts.length === 0
        ? 'You can undo this for 8 seconds.'
        : `This also deletes ${parts.join(' and ')}. You can undo it for 8 seconds.`
    },
    noConnectors: 'No connectors yet',
    logoOf: (name: string) => `Logo of ${name}`,
    photoOf: (name: string) => `Photo of ${name}`,
    count: (value: number) => number(value),
    needsAttention: 'Needs attention',
    attention: (value: number) =>
      plural(value, { one: '1 needs attention', other: `${number(value)} need attention` }),
    sortLabel: 'Sort by',
    sorts: {
      created: 'Oldest first',
      '-created': 'Newest first',
      name: 'Name, A to Z',
      '-name': 'Name, Z to A',
      status: 'Status, problems first',
      '-status': 'Status, problems last',
      connectors: 'Fewest connectors',
      '-connectors': 'Most connectors',
      power: 'Least power',
      '-power': 'Most power',
      capacity: 'Fewest cars at a time',
      '-capacity': 'Most cars at a time',
      cost: 'Price, ascending',
      '-cost': 'Price, descending',
    },
    layoutLabel: 'View as',
    list: 'List',
    table: 'Table',
    export: 'Export as CSV',
    fileName: 'sites',
    columns: {
      name: 'Site',
      status: 'Status',
      capacity: 'Cars',
      cost: 'Price',
      connectors: 'Connectors',
      plugs: 'Plugs',
      power: 'Power',
      powerKw: 'Power in kW',
      id: 'ID',
      actions: 'Actions',
    },
    duplicate: 'Duplicate',
    copyName: (name: string) => `${name} (copy)`,
    share: 'Share',
    shareCopied: 'Copied: name, address and map link',
    shareFailed: 'It could not be shared',
    hints: {
      photo: 'Add a photo to show what the place looks like',
      cost: 'Add a price: travellers look for it',
      contact: 'Add an email address or a phone number for questions',
    },
    dismissHint: (hint: string) => `Do not suggest this again: ${hint}`,
    unsaved: (value: number) =>
      plural(value, {
        one: '1 connector not saved',
        other: `${number(value)} connectors not saved`,
      }),
    errorDetails: 'Details',
    noAnswer: 'The server did not answer.',
    answeredWith: (status: number) => `The server answered with status ${status}.`,
    showMap: 'Show map',
    hideMap: 'Hide map',
    choose: 'Choose',
    chooseSite: (name: string) => `Choose ${name}`,
    mapHint: 'Choose a pin to see its site here',
    savedHidden: (name: string) =>
      `“${name}” does not match the search or filter, so it is not in this list`,
    lackLabel: 'Filter by what is missing',
    lackNothing: 'Missing…',
    lacks: {
      photo: 'No photo',
      cost: 'No price',
      connectors: 'No connector',
      contact: 'No contact',
    },
    similar: (query: string) => `No site matches “${query}”. These are similar.`,
    statusOf: (name: string, status: string) => `Status of ${name}: ${status}`,
    statusSet: (name: string, status: string) => `${name}: ${status}`,
    unnamedBusiness: 'Your business',
    reports: (count: number) =>
      plural(count, {
        one: '1 report from travellers',
        other: `${number(count)} reports from travellers`,
      }),
  },

  fields,
  publication: {
    public: 'On the public map',
    planned: 'On the public map as “coming soon”',
    unpublished: 'Not on the public map',
    removed: 'Closed for good: not on the public map',
    incomplete: (what: readonly string[]) => `Not on the public map yet, missing: ${list(what)}`,
    hidden: (reason: string) =>
      reason === '' ? 'Hidden by an administrator' : `Hidden by an administrator: ${reason}`,
    needs: { connectors: 'a connector', business: 'the name of your business' } satisfies Record<
      PublicNeed,
      string
    >,
  },
  photoCategories: {
    CHARGER: 'Charger',
    ENTRANCE: 'Entrance',
    LOCATION: 'Overview',
    OTHER: 'Something else',
  } satisfies Readonly<Record<PhotoCategory, string>>,

  /** The messages about each plain collection. */
  records,

  // Drafts
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
    discarded: 'Changes discarded.',
    keptAsDraft: 'We kept your draft. It is on the dashboard.',
    keepNow: 'Keep on this device and send later',
    sendLater: 'Save to send later',
    keptForLater: (name: string) =>
      `${name} is kept on this device and will be sent once you are online.`,
    laterFailedTitle: 'This could not be saved for later.',
    laterFailed:
      'This device is out of space or does not allow it. Keep this page open until you are back online.',
    waiting: 'Waiting to send',
    waitingText:
      'This is saved on this device and will be sent once you are online. You can still change it.',
    savedData: (when: string) => `Showing saved data from ${when}`,
    justNow: 'just now',
    changedRemotely: (ago: string) => `Changed on another device ${ago}`,
    choose: 'This was changed here and on another device. Choose what to keep:',
    merged: (parts: readonly string[]) => `Updated from the other device: ${list(parts)}.`,
    photos: (count: number) => plural(count, { one: '1 photo', other: `${number(count)} photos` }),
    mine: 'This device',
    theirs: 'Other device',
    keepMine: 'Keep this version',
    takeTheirs: 'Use the other one',
    nothing: 'empty',
    removed: 'removed',
  },

  // Terms
  /** Plugs that no example on Home shows. */
  otherStandard: {
    DOMESTIC_A: 'Household type A',
    DOMESTIC_B: 'NEMA 5-15 (type B)',
    DOMESTIC_C: 'Europlug (type C)',
    DOMESTIC_D: 'Household type D',
    DOMESTIC_E: 'French socket (type E)',
    DOMESTIC_F: 'Schuko (type F)',
    DOMESTIC_G: 'UK 3-pin (type G)',
    DOMESTIC_H: 'Household type H',
    DOMESTIC_I: 'Australian (type I, AS 3112)',
    DOMESTIC_J: 'Swiss (type J, T13)',
    DOMESTIC_K: 'Household type K',
    DOMESTIC_L: 'Household type L',
    DOMESTIC_M: 'Household type M',
    DOMESTIC_N: 'Household type N',
    DOMESTIC_O: 'Household type O',
    IEC_60309_2_single_16: 'Blue CEE 16 A, 1 phase',
    IEC_60309_2_three_16: 'Red CEE 16 A, 3 phase',
    IEC_60309_2_three_32: 'Red CEE 32 A',
    IEC_60309_2_three_64: 'Red CEE 63/64 A',
    PANTOGRAPH_BOTTOM_UP: 'Bus pantograph (up)',
    PANTOGRAPH_TOP_DOWN: 'Bus pantograph (down)',
  } satisfies Partial<Record<Standard, string>>,
  /** Doubts about a position. Shown by forms, after the rest of them. */
  positionWarnings: {
    far: (distance: string) => `${distance} from the address you chose`,
    farHint: 'That is fine if the chargers really are there.',
    toAddress: 'Move the pin to the address',
    sea: 'This position is in the sea',
    seaHint:
      'Check for a missing minus sign or digit. Our map lacks small islands: ignore this if the site is on one.',
    swapped: 'Latitude and longitude look swapped',
    swappedHint: 'This position makes more sense the other way round.',
    swap: 'Swap them',
    near: (name: string, distance: string) => `You already have “${name}”, ${distance} from here`,
    nearHint: 'List all the connectors at a place as one site.',
    editNear: (name: string) => `Edit “${name}” instead`,
    otherNear: (distance: string) => `A site of another business is ${distance} from here`,
    otherNearHint: (name: string, business: string) =>
      `“${name}” (${business}). If yours is a different site, carry on.`,
    seeOther: 'View it',
  },
}
