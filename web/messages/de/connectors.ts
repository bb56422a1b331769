import { counts, plurals } from '../format.ts'
import type { Catalogue } from '../messages.ts'

const plural = plurals('de')
const number = counts('de')

/** The connectors of a site, in German. */
export default {
  connectors: {
    title: 'Anschlüsse',
    hint: 'Eine Zeile je Art von Stecker, und wie viele es davon gibt.',
    addPreset: 'Anschluss hinzufügen',
    otherPreset: 'Anderer …',
    presetLabel: (label) => `${label} hinzufügen`,
    none: 'Noch keine Anschlüsse. Wählen Sie oben einen aus.',
    position: (position) => `Anschluss ${position}`,
    blank: 'Neuer Anschluss',
    quantity: (position) => `Anzahl von Anschluss ${position}`,
    fewer: (position) => `Einer weniger von Anschluss ${position}`,
    more: (position) => `Einer mehr von Anschluss ${position}`,
    duplicate: (position) => `Anschluss ${position} verdoppeln`,
    remove: (position) => `Anschluss ${position} entfernen`,
    removed: (what) => `Entfernt: ${what}`,
    done: 'Fertig',
    standard: 'Stecker',
    choose: 'Bitte wählen …',
    search: 'Nach Namen suchen',
    common: 'Häufig',
    others: 'Alle anderen',
    noMatch: 'So heißt kein Stecker.',
    format: 'Kabel oder Steckdose',
    currentType: 'Stromart',
    kwRating: 'Leistung in kW',
    notSaved: 'Nicht gespeichert.',
    someNotSaved: (failed, total) =>
      plural(failed, {
        one: `1 von ${number(total)} wurde nicht gespeichert.`,
        other: `${number(failed)} von ${number(total)} wurden nicht gespeichert.`,
      }),
    doubts: {
      power: (kw) => `Sind ${kw} kW richtig?`,
      powerOfPlug: (kw, plug, max) =>
        `${plug} hat selten mehr als ${max} kW. Sind ${kw} kW richtig?`,
      dcOnly: (plug) => `${plug} lädt mit Gleichstrom (DC). Stimmt die Stromart?`,
      acOnly: (plug) => `${plug} lädt mit Wechselstrom (AC). Stimmt die Stromart?`,
      currentOfPlug: (plug, usual) => `Zu ${plug} gehört meist ${usual}. Stimmt die Stromart?`,
      currentOfPower: (kw, usual) => `Zu ${kw} kW gehört meist ${usual}. Stimmt die Stromart?`,
      cable: (plug) => `${plug} hat meist ein festes Kabel. Ist „Steckdose“ richtig?`,
      socket: (plug) => `${plug} ist meist eine Steckdose. Ist ein festes Kabel richtig?`,
    },
  },
} satisfies Catalogue['connectors']
