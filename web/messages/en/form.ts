import type { CurrentType, Format } from '#domain/connector.ts'
import type { FieldErrorParams, ShownErrorCode } from '#domain/error.ts'
import { counts, megabytes, millions, plurals, texts } from '../format.ts'

const plural = plurals('en')
const number = counts('en')
const text = texts('en')

type Sentence = (params: FieldErrorParams) => string

/** The forms, in English. */
export default {
  // Form
  form: {
    optional: 'optional',
    saving: 'Saving…',
    stalled: 'Nothing is getting through. The connection may be too weak.',
    problems: (count: number) =>
      plural(count, { one: 'There is 1 problem', other: `There are ${number(count)} problems` }),
    problemOf: (label: string, problem: string) => `${label}: ${problem}`,
    problemsText: 'Fix these and save again:',
    notSaved: 'Your changes are still here. Try again.',
    partlySaved: 'The site is saved, but some connectors are not. They are marked below.',
    remaining: (count: number) =>
      plural(count, { one: '1 character left', other: `${number(count)} characters left` }),
    publicHint: 'Public: registers and partners read this.',
    tooLong: (count: number) =>
      plural(count, { one: '1 character too many', other: `${number(count)} characters too many` }),
    photoUnreadable: (name: string) => `${name} cannot be read as an image.`,
    photoHeic: (name: string) =>
      `${name} is a HEIC photo that this browser cannot read. On the phone, share or export it as JPEG, then add it again.`,
  },
  required: {
    name: 'Enter a name',
    address: 'Enter the address',
    latitude: 'Enter the latitude',
    longitude: 'Enter the longitude',
    status: 'Choose a status',
    standard: 'Choose the plug',
    format: 'Choose cable or socket',
    current_type: 'Choose the current',
    kw_rating: 'Enter the power in kW',
    password: 'Enter a new password',
    passwordConfirm: 'Enter the same password again',
  } as Readonly<Record<string, string>>,
  fieldErrors: {
    validation_required: () => 'Fill this in',
    validation_min_text_constraint: (p) => `Use at least ${text(p, 'min')} characters`,
    validation_max_text_constraint: (p) => `Use no more than ${text(p, 'max')} characters`,
    validation_length_too_long: (p) => `Use no more than ${text(p, 'max')}`,
    validation_invalid_format: (p) =>
      'example' in p
        ? `Write it like this: ${text(p, 'example')}`
        : 'This contains characters that are not allowed',
    validation_is_email: () => 'Enter an email address such as name@example.com',
    validation_invalid_url: () => 'Enter a web address such as example.com',
    validation_not_a_number: () => 'Enter a number',
    validation_only_int_constraint: () => 'Enter a whole number',
    validation_min_number_constraint: (p) => `Enter ${text(p, 'min')} or more`,
    validation_max_number_constraint: (p) => `Enter ${text(p, 'max')} or less`,
    validation_above_number_constraint: (p) => `Enter more than ${text(p, 'above')}`,
    validation_invalid_value: () => 'Choose one of the options',
    validation_too_many_values: (p) => `Choose no more than ${text(p, 'maxSelect')}`,
    validation_invalid_json: () => 'This cannot be read',
    validation_json_size_limit: () => 'This is too large to save',
    validation_json_shape: () => 'Part of this is not valid',
    validation_missing_rel_records: () => 'What this belongs to no longer exists',
    validation_too_many_referring: (p) => `You have reached the limit of ${text(p, 'max')}`,
    validation_too_many_distinct: (p) => `Use no more than ${text(p, 'max')} different ones`,
    validation_file_size_limit: (p) =>
      `${text(p, 'file')} is larger than ${megabytes('en', p, 'maxSize')} MB`,
    validation_invalid_mime_type: (p) =>
      `${text(p, 'file')} is not a JPEG, PNG, WebP, GIF or AVIF image`,
    validation_image_pixel_limit: (p) =>
      `${text(p, 'file')} has more than ${millions('en', p, 'maxPixels')} million pixels. Make it smaller, or export it as a JPEG`,
    validation_image_side_limit: (p) =>
      `${text(p, 'file')} is too large: the longest side can be up to ${text(p, 'maxSide')} pixels`,
    validation_image_head_limit: (p) =>
      `${text(p, 'file')} contains more than ${megabytes('en', p, 'maxSize')} MB of metadata. Export it without metadata`,
    validation_too_many_files: (p) => `Choose no more than ${text(p, 'maxSelect')}`,
    validation_invalid_file: (p) => `These files could not be used: ${text(p, 'invalidFiles')}`,
    validation_not_unique: () => 'This already exists',
    validation_record_in_use: () => 'This is still in use',
    validation_values_mismatch: () => 'The values do not match',
    validation_length_out_of_range: (p) => `Use ${text(p, 'min')} to ${text(p, 'max')} characters`,
    validation_in_invalid: () => 'Choose one of the options',
    validation_max_less_equal_than_required: (p) => `Choose ${text(p, 'threshold')} or less`,
    validation_invalid_token: () => 'This link no longer works',
    validation_invalid_token_claims: () => 'This link is incomplete',
    validation_token_collection_mismatch: () => 'This link is for another kind of account',
    validation_token_email_mismatch: () => 'This link is for another email address',
  } satisfies Record<ShownErrorCode, Sentence> as Readonly<Record<ShownErrorCode, Sentence>>,

  // Site
  site: {
    notFoundTitle: 'This site no longer exists',
    notFound: 'It may have been deleted on another device.',
    deletedTitle: 'This site was deleted on another device.',
    deletedText: (photos: number): string =>
      photos === 0
        ? 'What you typed is still here.'
        : 'What you typed is still here. The saved photos are gone.',
    addAnother: 'Save and add another like this',
    addAgain: 'Add it again as a new site',
    chooseTitle: 'Which site do you want to edit?',
    whereTitle: 'Where is it?',
    addressHint: 'Street, number, postcode and town.',
    useLocation: 'Use my location',
    locating: 'Finding your position…',
    located: (metres: string) => `Position found, accurate to about ${metres} m.`,
    locationDenied:
      'This browser does not share your location. Type or paste the coordinates instead.',
    locationFailed: 'Your position could not be found. Type or paste the coordinates instead.',
    needsPosition:
      'Enter the position: choose an address, use your location, or type the coordinates',
    coordinatesHint:
      'Paste a pair such as “55.2044, -6.6531” or a map link into either field to fill in both.',
    pastedBoth: 'Both coordinates filled in.',
    shortLink:
      'Short links don’t contain the position. Open the link, then copy the address from the address bar.',
    detailsTitle: 'Details',
    nameHint: 'What travellers look for, such as the name on the sign.',
    statusHints: {
      AVAILABLE: 'Drivers can charge here now',
      PLANNED: 'Not built or not switched on yet',
      INOPERATIVE: 'Closed for now, not broken',
      OUTOFORDER: 'Broken, repair needed',
      REMOVED: 'Will not come back',
    },
    statusByMachine: 'Reported by the charger. It stays until you choose another status.',
    capacityHint: 'How many cars can charge at the same time.',
    chargePoints: (count: number) =>
      plural(count, { one: '1 charge point', other: `${number(count)} charge points` }),
    capacityDoubt: (vehicles: string, plugs: string) => `${vehicles} with ${plugs}. Is that right?`,
    fewer: 'One fewer',
    more: 'One more',
    costHint: 'In your own words.',
    costSuggestions: ['Free', 'Free for guests'],
    takeSuggestion: (value: string) => `Use “${value}”`,
    preview: 'See what travellers see',
    previewTitle: 'What travellers see',
    closePreview: 'Close',
    confirm: 'Confirm these details',
    confirmed: (day: string) => `Confirmed by you on ${day}`,
    confirmThanks: 'Thank you. Travellers can see that you confirmed it today.',
    contactTitle: 'Contact',
    contactHint: 'Travellers see both.',
    sections: {
      hours: { title: 'Opening hours', hint: 'Open 24 hours, or by day of the week' },
      price: { title: 'Price', hint: 'What it costs, and how people pay' },
      more: { title: 'Good to know', hint: 'Access, parking, what is nearby, town and postcode' },
    },
    add: 'Add site',
    save: 'Save changes',
    saved: (name: string) => `${name} saved`,
  },

  // Location
  location: {
    addressHint: 'Type to search. You can also paste coordinates or a map link.',
    addressHintPlain:
      'Street, number, postcode and town. You can also paste coordinates or a map link.',
    suggestions: 'Addresses',
    found: (count: number) =>
      plural(count, {
        one: '1 address found. Choose with the arrow keys and Enter.',
        other: `${number(count)} addresses found. Choose with the arrow keys and Enter.`,
      }),
    foundNone: 'No address found.',
    useTyped: 'Use exactly what I typed',
    takeCoordinates: (pair: string) => `Use the coordinates ${pair}`,
    searchDown: 'Address search is unavailable. Type the address and set the position below.',
    searchBusy: 'Too many searches in a short time. Keep typing; suggestions return in a minute.',
    linkWithoutPlace: 'This link contains no position. Open it and copy the coordinates instead.',
    following: 'Opening the link…',
    addressFound: 'The address was filled in from it. Please check it.',
    takeAddress: (address: string) => `Use the address ${address}`,
    addressPosition: 'Address and coordinates filled in.',
    openMap: 'Set the position on a map',
    adjustMap: 'Adjust on a map',
    mapTitle: 'Set the position',
    mapHelp: 'Move the map until the pin is on the chargers.',
    mapKeys: 'Arrow keys move the map, + and − zoom.',
    mapLabel: 'Map under a fixed pin',
    withoutMap: 'Type or paste the coordinates instead.',
    usePosition: 'Use this position',
    closeMap: 'Close the map',
    positionTaken: 'Position taken from the map.',
  },

  // Connectors
  format: {
    SOCKET: 'Socket: bring your own cable',
    CABLE: 'Cable attached',
  } satisfies Record<Format, string>,
  currentType: {
    AC_1_PHASE: 'AC, single phase',
    AC_2_PHASE: 'AC, two of three phases',
    AC_2_PHASE_SPLIT: 'AC, split phase (North America)',
    AC_3_PHASE: 'AC, three phase',
    DC: 'DC',
  } satisfies Record<CurrentType, string>,
  connectors: {
    title: 'Connectors',
    hint: 'Add one row per plug type and set how many you have.',
    addPreset: 'Add a connector',
    otherPreset: 'Other…',
    presetLabel: (label: string) => `Add ${label}`,
    none: 'No connectors yet. Pick one above to start.',
    position: (position: number) => `Connector ${position}`,
    blank: 'New connector',
    quantity: (position: number) => `How many of connector ${position}`,
    fewer: (position: number) => `One fewer of connector ${position}`,
    more: (position: number) => `One more of connector ${position}`,
    quantityLimits: (max: number) => `Enter 1 to ${number(max)}. Use another row for more.`,
    ownChargePoint: 'Their own',
    sharedWith: (position: number, plugs: string) => `Shared with connector ${position}: ${plugs}`,
    oneAtATime: (points: string, plugs: string) => `${points}: ${plugs}, one at a time`,
    chargePointsTitle: 'Charge points',
    separate: (plugs: string) => (plugs === '' ? 'Separate' : `Separate: ${plugs}`),
    chargePointHint: 'Only one connector of a charge point can be used at a time.',
    moreTitle: 'More',
    moreHint: 'Own price, IDs, voltage, amperage',
    numbered: (position: number) => `No. ${number(position)}`,
    sameAsSite: 'Same as the site',
    pasteList: 'Paste a list to fill in several at once.',
    duplicate: (position: number) => `Duplicate connector ${position}`,
    remove: (position: number) => `Remove connector ${position}`,
    removed: (what: string) => `Removed: ${what}`,
    done: 'Done',
    choose: 'Choose…',
    search: 'Search by name',
    common: 'Common',
    others: 'All others',
    noMatch: 'No plug has that name.',
    notSaved: 'Not saved.',
    someNotSaved: (failed: number, total: number) =>
      plural(failed, {
        one: `1 of ${number(total)} was not saved.`,
        other: `${number(failed)} of ${number(total)} were not saved.`,
      }),
    warnings: {
      power: (kw: string) => `Is ${kw} kW right?`,
      powerOfPlug: (kw: string, plug: string, max: string) =>
        `${plug} rarely has more than ${max} kW. Is ${kw} kW right?`,
      dcOnly: (plug: string) => `${plug} charges with DC. Is the current right?`,
      acOnly: (plug: string) => `${plug} charges with AC. Is the current right?`,
      currentOfPlug: (plug: string, usual: string) =>
        `${plug} usually comes with ${usual}. Is the current right?`,
      currentOfPower: (kw: string, usual: string) =>
        `${kw} kW usually comes with ${usual}. Is the current right?`,
      cable: (plug: string) => `${plug} usually has a cable attached. Is a socket right?`,
      socket: (plug: string) => `${plug} is usually a socket. Is an attached cable right?`,
    },
  },

  // Photos
  photos: {
    hint: 'The first photo is the cover, shown in the list. Show the entrance, the bays, the plugs and the sign.',
    dropHint: 'You can also drop photos here, or paste them.',
    dropHere: 'Drop the photos here',
    choose: 'Choose photos',
    take: 'Take a photo',
    count: (count: number, max: number) => `${count} of ${max}`,
    photo: (position: number) => `Photo ${position}`,
    newPhoto: (name: string) => `New: ${name}`,
    cover: 'Cover',
    category: (label: string) => `What it shows: ${label}`,
    noCategory: 'What does it show?',
    makeCover: (label: string) => `Make cover: ${label}`,
    moveLeft: (label: string) => `Move left: ${label}`,
    moveRight: (label: string) => `Move right: ${label}`,
    moved: (label: string, position: number, count: number) =>
      `${label} is now number ${position} of ${count}`,
    remove: (label: string) => `Remove: ${label}`,
    willGo: 'Removed when you save',
    willNotCome: 'Will not be added',
    undo: (label: string) => `Undo removing: ${label}`,
    tooMany: (max: number) => `A site can have ${max} photos. The others were left out.`,
    tooLarge: (name: string, limit: string) =>
      `${name} is larger than ${limit} MB, even when reduced. It was left out.`,
    preparing: 'Preparing…',
    waiting: 'Waiting…',
    uploading: (percent: string) => `Uploading ${percent}`,
    processing: 'Processing…',
    done: 'Uploaded',
    failed: 'Not saved.',
    retry: (label: string) => `Try again: ${label}`,
    progress: (done: number, total: number) => `${done} of ${total} photos uploaded`,
    progressOfAll: (percent: number) => `Uploading photos: ${percent}%`,
    partlySaved: 'Everything else is saved. Photos that failed are marked below: try them again.',
    position: (name: string, place: string) => `${name} was taken at ${place}.`,
    usePosition: 'Use the position of this photo for the pin',
    ignorePosition: 'No, thanks',
    positionUsed: 'The pin is now where the photo was taken.',
    positionPrivacy: 'The position is not sent with the photo.',
  },
}
