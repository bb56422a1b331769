import { counts, plurals } from '../format.ts'

const number = counts('en')
const plural = plurals('en')

/** Where a site is, in English. */
export default {
  location: {
    addressHint: 'Type to search. Coordinates and links from map apps are understood too.',
    addressHintPlain:
      'Street, number, postcode and town. Coordinates and links from map apps are understood too.',
    suggestions: 'Addresses',
    searching: 'Searching…',
    found: (count: number) =>
      plural(count, {
        one: '1 address found. Choose with the arrow keys and Enter.',
        other: `${number(count)} addresses found. Choose with the arrow keys and Enter.`,
      }),
    foundNone: 'No address found.',
    useTyped: 'Use exactly what I typed',
    takeCoordinates: (pair: string) => `Use the coordinates ${pair}`,
    searchDown:
      'The address search cannot be reached. Type the address, and set the position below.',
    searchBusy: 'Many searches in a short time. Keep typing; suggestions are back in a minute.',
    linkWithoutPlace:
      'This link names no place that can be read. Open it, and copy the coordinates instead.',
    addressPosition: 'Address and coordinates filled in.',
    openMap: 'Set the position on a map',
    adjustMap: 'Adjust on a map',
    mapTitle: 'Set the position',
    mapHelp: 'Move the map until the pin stands on the chargers.',
    mapKeys: 'Arrow keys move the map, + and − zoom.',
    mapLabel: 'Map under a fixed pin',
    withoutMap: 'Type or paste the coordinates instead.',
    usePosition: 'Use this position',
    closeMap: 'Close the map',
    positionTaken: 'Position taken from the map.',
    far: (distance: string) => `${distance} from the address you chose`,
    farHint: 'That is fine when the chargers really stand there.',
    toAddress: 'Move the pin to the address',
    sea: 'This position is in the sea',
    seaHint:
      'Look at the minus signs, and whether a digit is missing. Small islands are not on our map: if it is one, all is well.',
    swapped: 'Latitude and longitude look swapped',
    swappedHint: 'The other way round, this position makes more sense.',
    swap: 'Swap them',
    near: (name: string, distance: string) => `You already have “${name}”, ${distance} from here`,
    nearHint: 'One site holds all the connectors of a place.',
    editNear: (name: string) => `Edit “${name}” instead`,
  },
}
