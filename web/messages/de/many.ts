import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')

/** Bulk updates and queued changes, in German. */
export default {
  many: {
    bar: 'Mehrere Standorte ändern',
    nothing: 'Wählen Sie die Standorte aus, die Sie ändern möchten.',
    chosen: (count) =>
      plural(count, {
        one: '1 Standort ausgewählt',
        other: `${number(count)} Standorte ausgewählt`,
      }),
    hidden: (count) =>
      plural(count, {
        one: 'davon 1 nicht in dieser Liste',
        other: `davon ${number(count)} nicht in dieser Liste`,
      }),
    all: (count) => `Alle ${number(count)} auswählen`,
    clear: 'Auswahl aufheben',
    change: 'Ändern',
    end: 'Auswahl beenden',
    title: (count) =>
      plural(count, { one: '1 Standort ändern', other: `${number(count)} Standorte ändern` }),
    mixed: 'Diese Standorte haben zurzeit unterschiedliche Werte.',
    clears: 'Wenn Sie nichts eintragen, wird die Angabe überall gelöscht.',
    addsExceptions:
      'Wenn Sie nur Ausnahmen eintragen, kommen sie zu den Öffnungszeiten jedes Standorts hinzu, der welche hat.',
    set: (count) =>
      plural(count, {
        one: 'Für 1 Standort übernehmen',
        other: `Für ${number(count)} Standorte übernehmen`,
      }),
    now: (label: string) => `${label}: jetzt`,
    same: 'Alle diese Standorte haben den Wert bereits.',
    progress: (settled, total) => `${number(settled)} von ${number(total)} Standorten geändert`,
    done: (count) =>
      plural(count, {
        one: `1 Standort geändert`,
        other: `${number(count)} Standorte geändert`,
      }),
    undoing: (settled, total) =>
      `Wird rückgängig gemacht: ${number(settled)} von ${number(total)} Standorten`,
    undone: 'Die Änderung wurde rückgängig gemacht.',
    refused: (count) =>
      plural(count, {
        one: '1 Standort bleibt, wie er war',
        other: `${number(count)} Standorte bleiben, wie sie waren`,
      }),
    sent: (count) =>
      plural(count, {
        one: '1 Änderung wurde gesendet',
        other: `${number(count)} Änderungen wurden gesendet`,
      }),
    more: (count) =>
      plural(count, { one: 'und 1 weiterer', other: `und ${number(count)} weitere` }),
  },
} satisfies Catalogue['many']
