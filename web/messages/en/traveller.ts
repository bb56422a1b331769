/** The public page of a site, in English. */
export default {
  traveller: {
    pageTitle: (name: string, town: string) =>
      town === '' ? `${name}: EV charging station` : `${name}: EV charging station in ${town}`,
    home: (product: string) => `${product}, home page`,
    languages: 'Language',
    photos: (name: string) => `Photos of ${name}`,
    photo: (position: number, name: string) => `Photo ${position} of ${name}`,
    updated: (when: string) => `Updated ${when}`,
    directions: 'Directions',
    otherMap: 'Another map app',
    plugs: 'Plugs',
    price: 'Price',
    noPrice: 'The operator has not given a price.',
    morePrices: (count: number) => `More prices: ${count}`,
    aboutPrice: 'More about this price',
    example: (said: string) => `For example ${said}`,
    hours: 'Opening hours',
    closed: 'closed',
    goodToKnow: 'Good to know',
    capacity: 'Room for',
    operator: 'Operator',
    confirmed: (date: string) => `Confirmed by the operator on ${date}.`,
    confirmedLongAgo: (date: string) =>
      `The operator last confirmed this on ${date}, more than a year ago. Some details may have changed.`,
    report: 'Tell the operator that something is wrong',
    share: 'Share',
    shareCopied: 'Address copied',
    address: 'Address of this page',
    scan: 'Scan this code for the current details',
    gone: {
      title: 'This charging station is no longer listed',
      text: 'The operator has closed or removed it.',
      near: 'Chargers nearby',
    },
    unknown: {
      title: 'There is no charging station here',
      text: 'The link may be wrong, or the station is no longer public.',
    },
  },
}
