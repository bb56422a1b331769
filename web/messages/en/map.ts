import { counts, lists, plurals } from '../format.ts'

const plural = plurals('en')
const number = counts('en')
const list = lists('en')

/** Maps, and the map for travellers, in English. */
export default {
  /** All maps. */
  map: {
    loading: 'Loading the map…',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    noWebGL: 'This browser cannot show maps.',
    failed: 'The map could not be loaded.',
    worldOnly: 'Countries and coasts only, no streets.',
    noStreets: 'The street map is unavailable. This map shows only countries and coasts.',
    sites: 'Map of your sites',
    sitesKeys: 'Arrow keys move the map, + and − zoom, Enter selects the site nearest the centre.',
    withoutSites: 'All your sites are in the list.',
    selected: (name: string) => `${name} is selected.`,
  },

  /** The search for a charger. */
  find: {
    search: 'Town or charger',
    clearSearch: 'Clear search',
    suggestions: 'Suggestions',
    suggested: (count: number) =>
      plural(count, { one: '1 suggestion', other: `${number(count)} suggestions` }),
    nothingFound: (text: string) => `Nothing found for “${text}”. Try another spelling.`,
    tooFewLetters: (count: number) => `Type at least ${number(count)} letters.`,
    nearMe: 'Near me',
    locating: 'Finding your position…',
    denied: 'This browser does not share your location. Search for a town instead.',
    lost: 'Your position could not be found. Search for a town instead.',
    filters: 'Filters',
    plugAndPower: 'Plug and power',
    plug: 'Your plug',
    power: 'Power',
    anyPower: 'Any',
    fromPower: (kw: string) => `from ${kw}\u00a0kW`,
    car: 'Your car',
    chooseCar: 'Fits my car',
    choose: 'Choose…',
    brand: 'Brand',
    model: 'Model',
    carPower: (powers: readonly string[]) => `Charges at up to ${list(powers)}.`,
    carSource: 'Car data:',
    carsFailed: 'The list of cars could not be loaded. Choose your plug instead.',
    kept: 'Kept on this device for your next visit.',
    show: 'Show chargers',
    openNow: 'Open now',
    free: 'Free of charge',
    available: 'In service',
    everybody: 'For everybody',
    removeFilters: 'Remove filters',
    chargers: (count: number) =>
      plural(count, { one: '1 charger', other: `${number(count)} chargers` }),
    near: (place: string) => `Chargers near ${place}`,
    list: 'Chargers nearby',
    farList: 'None nearby. The nearest chargers:',
    fromYou: 'Nearest to you first',
    fromMiddle: 'Nearest to the centre of the map first',
    more: 'Show more',
    startTitle: 'Where do you want to charge?',
    start: 'Search for a town or a charger, use your location, or move the map.',
    none: 'There are no chargers here yet.',
    noneMatches: 'No chargers match these filters.',
    failed: 'The chargers could not be loaded.',
    directions: 'Directions',
    directionsTo: (name: string) => `Directions to ${name} (opens a map app)`,
    details: 'All details',
    chosen: 'Chosen charger',
    back: 'Back to the list',
    notLoaded: 'This charger could not be loaded.',
    goneTitle: 'This charger is no longer listed.',
    gone: 'It may have been removed, or the link may be wrong.',
    map: 'Map of chargers',
    keys: 'Arrow keys move the map, + and − zoom, Enter opens what is nearest the centre.',
    withoutMap: 'All chargers are in the list.',
    missingMap: 'The map could not be loaded. All chargers are in the list.',
  },
  /** Groups of plugs without a proper name. */
  plugGroup: {
    TYPE_3: 'Type 3',
    SOCKET: 'Household or industrial socket',
    TRUCK: 'Trucks and buses',
  },
}
