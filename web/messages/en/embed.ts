import { counts, plurals } from '../format.ts'

const plural = plurals('en')
const number = counts('en')

/** Pages that others frame, the poster, and how an owner gets both, in English. */
export default {
  embed: {
    details: 'Details and directions',
    newTab: 'opens in a new tab',
    sites: (count: number) =>
      plural(count, { one: '1 charging site', other: `${number(count)} charging sites` }),
    map: (name: string) => `Map of the charging sites of ${name}`,
    missing: 'The map cannot be shown here. The list has all sites.',
    keys: 'Arrow keys move the map, plus and minus zoom. Enter opens what is in the middle.',
    more: 'More sites',
    button: 'Put it on your website or wall',
    buttonAll: 'Put the map of your sites on your website',
    title: 'On your website',
    text: 'Copy this into the page of your website on which the charger should be shown. It stays up to date by itself.',
    textAll:
      'Copy this into the page of your website on which your chargers should be shown. New sites appear by themselves.',
    code: 'HTML for your website',
    copy: 'Copy',
    copied: 'Copied',
    preview: 'This is what your visitors see',
    frameTitle: (name: string) => `Charging at ${name}`,
    close: 'Close',
  },
  poster: {
    link: 'Poster to print',
    headline: 'Charge your electric car here',
    pay: 'How to pay',
    print: 'Print',
  },
}
