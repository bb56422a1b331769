import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')

/** Seiten, die andere einbetten, der Aushang, und wie Betreiber beides bekommen, auf Deutsch. */
export default {
  embed: {
    details: 'Details und Route',
    newTab: 'öffnet einen neuen Tab',
    sites: (count) =>
      plural(count, { one: '1 Ladestation', other: `${number(count)} Ladestationen` }),
    map: (name) => `Karte der Ladestationen von ${name}`,
    missing: 'Die Karte kann hier nicht gezeigt werden. Die Liste enthält alle Stationen.',
    keys: 'Pfeiltasten bewegen die Karte, Plus und Minus zoomen. Die Eingabetaste öffnet, was in der Mitte ist.',
    more: 'Weitere Stationen',
    button: 'Auf die eigene Website oder als Aushang',
    buttonAll: 'Karte der Stationen auf die eigene Website',
    title: 'Auf Ihrer Website',
    text: 'Kopieren Sie dies in die Seite Ihrer Website, auf der die Ladestation erscheinen soll. Sie bleibt von selbst aktuell.',
    textAll:
      'Kopieren Sie dies in die Seite Ihrer Website, auf der Ihre Stationen erscheinen sollen. Neue kommen von selbst dazu.',
    code: 'HTML für Ihre Website',
    copy: 'Kopieren',
    copied: 'Kopiert',
    preview: 'Das sehen Ihre Besucher',
    frameTitle: (name) => `Laden bei ${name}`,
    close: 'Schließen',
  },
  poster: {
    link: 'Aushang zum Drucken',
    headline: 'Hier laden Sie Ihr E-Auto',
    pay: 'Bezahlen mit',
    print: 'Drucken',
  },
} satisfies Catalogue['embed']
